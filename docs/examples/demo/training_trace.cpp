#include "training_trace.hpp"

#include <ostream>
#include <string>

namespace dimgate::demo {

namespace {

constexpr std::size_t kTraining = 100, kEvaluation = 10, kEpoch = kTraining + kEvaluation;

/// What a call sees of the things that change.
struct Moment {
  std::size_t rows = 0;
  bool training = true, gpu = false, has_loss_mask = false, cooled = false;
  friend bool operator==(const Moment&, const Moment&) = default;
};

std::string tensor(std::size_t rows, std::size_t columns, const std::string& dtype, bool gpu) {
  return R"({"tensor":{"shape":[)" + std::to_string(rows) + "," + std::to_string(columns) + R"(],"dtype":")" + dtype +
         R"(","device":")" + (gpu ? "cuda:0" : "cpu") + R"("}})";
}

std::string arguments(const Moment& m) {
  std::string out = R"("args":{"self":{"object":"Net","id":"net","attrs":{"training":)";
  out += m.training ? "true" : "false";
  out += R"(,"temperature":)" + std::string(m.cooled ? "0.5" : "1.0") + R"(}},"batch":{"dict":{"ids":)";
  out += tensor(m.rows, 128, "int64", m.gpu) + R"(,"labels":)" + tensor(m.rows, 1, "int64", m.gpu);
  if (m.has_loss_mask) out += R"(,"loss_mask":)" + tensor(m.rows, 128, "bool", m.gpu);
  return out + "}}}";
}

}  // namespace

void write_training_trace(std::ostream& out, std::size_t calls) {
  out << R"-({"dimgate_world":1,"frame":"train_step","uses":["L['batch']['ids']","L['batch']['labels']",)-"
      << R"-("___dict_contains('loss_mask', L['batch'])","L['self'].training","L['self'].temperature","grad_mode",)-"
      << R"-("autocast['cuda']","___dict_contains('STEP_DEBUG', environ)"],)-"
      << R"-("branches":["L['batch']['ids'].size()[0] >= 2"]})-" << '\n';
  Moment last;
  bool debug = false, autocast = false, first = true;
  for (std::size_t i = 0; i < calls; ++i) {
    const std::size_t epoch = i / kEpoch, step = i % kEpoch;
    Moment m;
    m.training = step < kTraining;
    if (m.training)
      m.rows = step + 1 == kTraining ? 17 : 32;
    else
      m.rows = step + 1 == kEpoch ? 40 : 64;
    // Once each, between epochs in a long trace.
    m.gpu = i >= calls / 20;
    m.has_loss_mask = i >= calls * 3 / 10;
    m.cooled = i >= calls / 2;
    const bool debug_now = i >= calls * 6 / 10 && i < calls * 7 / 10;
    const bool autocast_now = epoch % 10 == 9;
    std::string line;
    const auto add = [&line](const std::string& part) { line += (line.empty() ? "" : ",") + part; };
    if (first) add(R"("code":"train_step")");
    if (first || m.training != last.training) {
      add(R"("caller":")" + std::string(m.training ? "training loop" : "evaluation") + '"');
      add(R"("state":{"grad_mode":)" + std::string(m.training ? "true" : "false") +
          R"(,"autocast":{"cuda":{"enabled":)" + (autocast_now ? "true" : "false") + "}}}");
    } else if (autocast_now != autocast) {
      add(R"("state":{"autocast":{"cuda":{"enabled":)" + std::string(autocast_now ? "true" : "false") + "}}}");
    }
    if (first || debug_now != debug) add(R"("env":{"STEP_DEBUG":)" + std::string(debug_now ? R"("1")" : "null") + "}");
    if (first || !(m == last)) add(arguments(m));
    if (step % 50 == 0) add(R"("globals":{"epoch":)" + std::to_string(epoch) + "}");
    out << '{' << line << "}\n";
    last = m;
    debug = debug_now;
    autocast = autocast_now;
    first = false;
  }
}

}  // namespace dimgate::demo
