// Runs a command line: options that all commands share, provers made on first use, exit codes, and every exception
// turned into one line on stderr. Checked by tests/cli/frame_test.cpp.
#include "cli/frame.hpp"

#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <ostream>

#include "cli/commands.hpp"
#ifdef DIMGATE_HAS_Z3
#include "dimgate/solver.hpp"
#endif

namespace dimgate::cli {

namespace {

/// `[recompiles] ...` on a stream.
class StreamSink final : public LogSink {
 public:
  explicit StreamSink(std::ostream& talk) : talk_(talk) {}
  void line(LogTopic topic, std::string_view text) override {
    const std::lock_guard lock(mutex_);
    talk_ << '[' << to_string(topic) << "] " << text << '\n';
  }

 private:
  std::ostream& talk_;
  std::mutex mutex_;
};

}  // namespace

struct Frame::Provers {
  NativeProver native;
  std::unique_ptr<Prover> z3;
  std::unique_ptr<ChainProver> chain;
  std::unique_ptr<LoggedProver> logged;
};

Frame::Frame(std::ostream& data, std::ostream& messages) : out(data), talk(messages) {}
Frame::~Frame() = default;

Prover& Frame::prover() {
  if (!provers_) {
    provers_ = std::make_unique<Provers>();
    std::vector<Prover*> order{&provers_->native};
#ifdef DIMGATE_HAS_Z3
    if (!no_z3) {
      provers_->z3 = make_z3_prover();
      order.push_back(provers_->z3.get());
    }
#endif
    provers_->chain = std::make_unique<ChainProver>(std::move(order));
    if (log.on(LogTopic::prove)) provers_->logged = std::make_unique<LoggedProver>(*provers_->chain, log);
  }
  if (provers_->logged) return *provers_->logged;
  return *provers_->chain;
}

CLI::App* Frame::command(CLI::App& app, const std::string& name, const std::string& help) {
  CLI::App* sub = app.add_subcommand(name, help);
  sub->add_flag("--json", json, "One JSON object on stdout");
  sub->add_flag("--no-z3", no_z3, "Leave the solver out");
  return sub;
}

namespace {

// `-x <= 3` is a formula, not a bundle of options: a leading space makes CLI11 see a positional, and trimming undoes
// it.
std::string shield(const std::string& arg) {
  if (arg.size() < 2 || arg[0] != '-') return arg;
  const bool longer = arg[1] == '-';
  std::size_t i = longer ? 2 : 1;
  if (i == arg.size()) return arg;
  const auto letter = [&](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (!letter(arg[i])) return ' ' + arg;
  for (; i < arg.size(); ++i) {
    const char c = arg[i];
    if (longer && c == '=') return arg;
    if (!letter(c) && !(longer && (c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0))) return ' ' + arg;
  }
  return arg;
}

std::string one_line(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

int run(const std::vector<std::string>& args, std::ostream& out, std::ostream& talk) {
  Frame frame(out, talk);
  if (const char* topics = std::getenv("DIMGATE_LOG")) {
    auto parsed = parse_log_topics(topics);
    if (!parsed) {
      talk << "dimgate: " << parsed.error().to_string() << '\n';
      return kBadInput;
    }
    if (parsed->any()) frame.log = {std::make_shared<StreamSink>(talk), *parsed};
  }
  CLI::App app("Symbolic-shape guards: proved, made fewer, merged and compared", "dimgate");
  app.set_version_flag("--version", DIMGATE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Formulas are written as Python and PyTorch write them: s0*2 + 3 <= 17, Eq(Mod(s0*s1, 8), 0), a and not b.\n"
      "Environment: DIMGATE_LOG=guards,recompiles,recompiles_verbose,dynamic,prove,simplify,cache (+NAME more, -NAME "
      "off):\n"
      "lines on stderr; DIMGATE_TRACE=DIR: what caches do (compare), one JSON object a line (docs/trace-format.md).\n"
      "Exit: 0 fine, 1 the answer is no or findings exist, 2 usage or bad input, 3 internal error, 4 unknown.");
  add_commands(app, frame);
  const auto name = [&] {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? std::string("dimgate") : "dimgate " + chosen.front()->get_name();
  };
  try {
    std::vector<std::string> reversed;
    for (auto it = args.rbegin(); it != args.rend(); ++it) reversed.push_back(shield(*it));
    app.parse(std::move(reversed));
    out.flush();
    return frame.exit;
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    out << (chosen.empty() ? app.help() : chosen.front()->help());
    return kFine;
  } catch (const CLI::CallForAllHelp&) {
    out << app.help("", CLI::AppFormatMode::All);
    return kFine;
  } catch (const CLI::CallForVersion&) {
    out << "dimgate " << DIMGATE_VERSION << '\n';
    return kFine;
  } catch (const CLI::ParseError& e) {
    talk << name() << ": " << one_line(e.what()) << " (see `" << name() << " --help`)\n";
    return kBadInput;
  } catch (const Failure& f) {
    talk << name() << ": " << one_line(f.error.to_string()) << '\n';
    return f.code;
  } catch (const std::exception& e) {
    talk << name() << ": internal error: " << one_line(e.what()) << '\n';
    return kInternal;
  }
}

}  // namespace dimgate::cli
