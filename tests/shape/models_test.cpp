// The built-in models: which guards their traces leave, which traces share an artifact, what is rejected.
#include "models.hpp"

#include <doctest/doctest.h>

#include "dimgate/simplify.hpp"

using namespace dimgate;

namespace {

struct Traced {
  TraceOutcome outcome;
  std::string recorded;  // the guards in order, "a; b"
  std::string readable;  // after minimising, without Z3
  std::string fingerprint;
  std::string outputs;  // "(B, L, 8)"
  TraceStatistics statistics;
};

Traced traced(std::string_view name, const std::vector<std::int64_t>& values, bool constants = false) {
  static const ModelRegistry& registry = [] {
    static ModelRegistry r;
    models::register_models(r);
    return std::ref(r);
  }();
  const Model* model = registry.find(name);
  REQUIRE(model != nullptr);
  REQUIRE(model->dims().size() == values.size());
  Context ctx;
  NativeProver prover;
  Tracer t(ctx, prover);
  std::vector<SymInt> dims;
  for (std::size_t i = 0; i < values.size(); ++i)
    dims.push_back(constants ? SymInt(values[i]) : t.size(model->dims()[i].name, Integer(values[i])));
  Traced r;
  r.outcome = t.run([&] { model->trace(t, dims); });
  std::vector<Expr> formulas;
  for (const Guard& g : t.guards().all()) {
    formulas.push_back(g.formula);
    r.recorded += (r.recorded.empty() ? "" : "; ") + to_text(ctx, g.formula);
    CHECK(g.where.file.starts_with("docs/examples/models/"));
    CHECK(g.where.line > 0);
  }
  const Minimised minimal = minimise(prover, t.facts(), formulas);
  for (const Expr e : minimal.readable) r.readable += (r.readable.empty() ? "" : " and ") + to_text(ctx, e);
  r.fingerprint = t.fingerprint().bytes;
  for (const ValueId v : t.program().outputs()) {
    Shape s;
    for (const Expr d : t.program().value(v).dims) s.emplace_back(t, d);
    r.outputs += (r.outputs.empty() ? "" : " ") + to_string(s);
  }
  r.statistics = t.statistics();
  return r;
}

}  // namespace

TEST_CASE("tiny_lm: no guard, whatever the length") {
  const Traced a = traced("tiny_lm", {1, 374});
  CHECK(a.recorded.empty());
  CHECK(a.outputs == "(B, L, 8)");
  for (const std::vector<std::int64_t>& at : {std::vector<std::int64_t>{1, 1}, {0, 0}, {7, 7}, {2, 32768}}) {
    const Traced b = traced("tiny_lm", at);
    CHECK(b.outcome.ok());
    CHECK(b.recorded.empty());
    CHECK(b.fingerprint == a.fingerprint);
  }
}

TEST_CASE("bert_padded: a condition and its complement") {
  const Traced odd = traced("bert_padded", {1, 374}), even = traced("bert_padded", {3, 376});
  CHECK(odd.recorded == "L % 8 != 0");
  CHECK(even.recorded == "L % 8 == 0");
  CHECK(odd.readable == "L % 8 != 0");
  CHECK(even.readable == "L % 8 == 0");
  CHECK(odd.outputs == "(B, L, 8)");
  CHECK(even.outputs == "(B, L, 8)");
  CHECK(odd.fingerprint != even.fingerprint);
  CHECK(traced("bert_padded", {1, 1}).fingerprint == odd.fingerprint);
}

TEST_CASE("moe: ranges of lengths") {
  CHECK(traced("moe_bucketed", {1, 374}).readable == "L <= 512");
  CHECK(traced("moe_bucketed", {1, 4096}).readable == "513 <= L <= 4096");
  CHECK(traced("moe_bucketed", {1, 4097}).readable == "L >= 4097");
  CHECK(traced("moe_chunked", {1, 4808}).readable == "4097 <= L <= 5120");
  CHECK(traced("moe_chunked", {1, 5121}).readable == "5121 <= L <= 6144");
  CHECK(traced("moe_chunked", {1, 14050}).readable == "13313 <= L <= 14336");
  CHECK(traced("moe_chunked", {1, 4097}).fingerprint == traced("moe_chunked", {9, 5120}).fingerprint);
  CHECK(traced("moe_chunked", {1, 4808}).outputs == "(B, L, 16)");
  // The middle and the long branch do the same to the shapes, with other weights.
  CHECK(traced("moe_bucketed", {1, 4096}).fingerprint != traced("moe_bucketed", {1, 4097}).fingerprint);
}

TEST_CASE("unet_crop and unet: sizes that survive the halvings") {
  CHECK(traced("unet_crop", {1, 3, 480, 640}).readable == "C == 3 and H >= 1 and W >= 1 and H % 4 == 0 and W % 4 == 0");
  CHECK(traced("unet_crop", {1, 3, 64, 64}).readable == "C == 3 and H >= 1 and W >= 1 and H % 4 == 0 and W % 4 == 0");
  CHECK(traced("unet", {1, 3, 480, 640}).readable == "C == 3 and H >= 1 and W >= 1 and H % 32 == 0 and W % 32 == 0");
  CHECK(traced("unet", {1, 3, 480, 640}).outputs == "(B, 1, H, W)");
  const Traced r = traced("unet_crop", {1, 3, 427, 640});
  CHECK(r.outcome.kind == TraceOutcome::Kind::rejected);
  CHECK(r.outcome.error.file == "docs/examples/models/unet.cpp");
  CHECK(r.outcome.error.message.starts_with("cat: sizes must agree except in dim 1: operand 0 (B=1, 8, "));
  CHECK(traced("unet_crop", {1, 4, 64, 64}).outcome.error.message.starts_with("conv2d: the input's channels"));
  CHECK(traced("unet_crop", {1, 3, 0, 64}).outcome.error.message.find("does not fit the padded input") !=
        std::string::npos);
  CHECK(traced("unet_crop", {0, 3, 64, 64}).outcome.ok());
}

TEST_CASE("unet_pad: three traces, two artifacts") {
  const Traced none = traced("unet_pad", {1, 3, 480, 640}), h = traced("unet_pad", {1, 3, 427, 640}),
               w = traced("unet_pad", {1, 3, 480, 641}), both = traced("unet_pad", {1, 3, 427, 641});
  CHECK(none.readable == "C == 3 and H >= 1 and W >= 1 and H % 32 == 0 and W % 32 == 0");
  CHECK(h.readable == "C == 3 and W >= 1 and H % 32 != 0");
  CHECK(w.readable == "C == 3 and H >= 1 and H % 32 == 0 and W % 32 != 0");
  CHECK(both.recorded == h.recorded);  // short-circuit: W was never asked
  CHECK(h.fingerprint == w.fingerprint);
  CHECK(h.fingerprint == both.fingerprint);
  CHECK(h.fingerprint != none.fingerprint);
  CHECK(none.fingerprint == traced("unet_crop", {1, 3, 480, 640}).fingerprint);
  CHECK(h.outputs == "(B, 1, H, W)");
}

TEST_CASE("transformer, decoder_kv") {
  CHECK(traced("transformer", {2, 77}).recorded.empty());
  const Traced prefill = traced("decoder_kv", {1, 12, 0}), decode = traced("decoder_kv", {1, 1, 12}),
               several = traced("decoder_kv", {1, 3, 12});
  CHECK(prefill.readable == "P == 0");
  CHECK(decode.readable == "L == 1 and P >= 1");
  CHECK(several.readable == "L != 1 and P >= 1");
  CHECK(decode.outputs.find("(B, 4, L + P, 8)") != std::string::npos);
  CHECK(traced("decoder_kv", {4, 1, 500}).fingerprint == decode.fingerprint);
}

TEST_CASE("resnet, detector, video, lenet_static") {
  CHECK(traced("resnet", {1, 3, 427, 640}).readable == "C == 3 and H >= 1 and W >= 1");
  CHECK(traced("resnet", {8, 3, 224, 224}).outputs == "(B, 10)");
  // Four halvings round up: sizes just below a multiple of 32 fit as well.
  CHECK(traced("detector", {1, 3, 480, 640}).readable ==
        "C == 3 and H >= 1 and W >= 1 and H % 32 in {0, 29, 30, 31} and W % 32 in {0, 29, 30, 31}");
  CHECK(traced("detector", {1, 3, 481, 640}).outcome.error.message.find("do not broadcast") != std::string::npos);
  CHECK(traced("video", {1, 3, 16, 240, 320}).outcome.ok());
  CHECK(traced("video", {1, 3, 16, 240, 320}).fingerprint != traced("video", {1, 3, 16, 480, 640}).fingerprint);
  CHECK(traced("lenet_static", {4, 1, 28, 28}).readable == "B == 4 and C == 1 and H == 28 and W == 28");
  CHECK(traced("lenet_static", {4, 1, 28, 28}).outputs == "(4, 10)");
  CHECK(traced("lenet_static", {4, 1, 36, 28}).outcome.error.message.starts_with("linear: "));
}

TEST_CASE("constants trace every model without a guard") {
  for (const auto& [name, values] :
       std::vector<std::pair<std::string, std::vector<std::int64_t>>>{{"tiny_lm", {1, 7}},
                                                                      {"bert_padded", {2, 9}},
                                                                      {"moe_chunked", {1, 5000}},
                                                                      {"unet_pad", {1, 3, 33, 64}},
                                                                      {"decoder_kv", {1, 3, 4}},
                                                                      {"detector", {1, 3, 64, 64}},
                                                                      {"video", {1, 3, 4, 400, 300}}}) {
    const Traced t = traced(name, values, true);
    INFO(name, ": ", t.outcome.error.to_string());
    CHECK(t.outcome.ok());
    CHECK(t.recorded.empty());
  }
}
