// What compare shows on the shipped traces: the counts that are known beforehand, and the entries that symbolic leaves.
// Entry counts hold with the native prover alone.
#include <set>

#include "replay/shipped.hpp"

using namespace dimgate;
using namespace dimgate::testing;

namespace {

constexpr std::size_t kAll = static_cast<std::size_t>(-1);
const char* const kCode = "azure_llm_2023_code";
const char* const kConv = "azure_llm_2023_conv";
const char* const kArxiv = "arxiv_summarization_lengths";
const char* const kCodeBatched = "azure_llm_2023_code_batched";
const char* const kConvBatched = "azure_llm_2023_conv_batched";
const std::vector<const char*> kFive{kCode, kConv, kArxiv, kCodeBatched, kConvBatched};

std::vector<std::uint64_t> entries(Shipped& shipped, const char* name, const char* policy) {
  std::vector<std::uint64_t> out;
  const Model& model = shipped.model(name);
  for (const char* trace : kFive)
    out.push_back(shipped.compare(model, shipped.calls(model, trace, kAll), policy).rows[0].entries);
  return out;
}

std::set<std::string> guards(const PolicyRow& row) {
  std::set<std::string> out;
  for (const Policy::Shown& entry : row.shown) {
    std::string guard;
    for (const std::string& g : entry.guards) guard += (guard.empty() ? "" : " and ") + g;
    out.insert(guard.empty() ? "true" : guard);
  }
  return out;
}

using Counts = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("static compiles each distinct shape, padding each class of shapes") {
  Shipped shipped;
  const Model& model = shipped.model("tiny_lm");
  const std::vector<Counts> want{{3552, 12, 117}, {2339, 13, 106}, {3845, 11, 64}, {723, 30, 112}, {2517, 34, 103}};
  for (std::size_t i = 0; i < kFive.size(); ++i) {
    const Calls calls = shipped.calls(model, kFive[i], kAll);
    const Comparison c = shipped.compare(model, calls, "static,pow2,bucket:64");
    const Counts got{c.rows[0].compiles, c.rows[1].compiles, c.rows[2].compiles};
    CHECK_MESSAGE(got == want[i], kFive[i]);
  }
}

TEST_CASE("calls of the batched traces") {
  Shipped shipped;
  const Model& model = shipped.model("tiny_lm");
  CHECK(shipped.calls(model, kCodeBatched, kAll).size() == 914);
  CHECK(shipped.calls(model, kConvBatched, kAll).size() == 3479);
}

TEST_CASE("symbolic: entries on the five language traces") {
  Shipped shipped;
  CHECK(entries(shipped, "tiny_lm", "symbolic") == Counts{1, 1, 1, 1, 1});
  CHECK(entries(shipped, "bert_padded", "symbolic") == Counts{2, 2, 2, 2, 2});
  CHECK(entries(shipped, "moe_bucketed", "symbolic") == Counts{3, 3, 2, 3, 3});
  CHECK(entries(shipped, "moe_chunked", "symbolic") == Counts{6, 7, 2, 6, 7});
}

TEST_CASE("symbolic: the guards that are left") {
  Shipped shipped;
  const auto guards_of = [&](const char* name, const char* trace) {
    const Model& model = shipped.model(name);
    return guards(shipped.compare(model, shipped.calls(model, trace, kAll), "symbolic").rows[0]);
  };
  CHECK(guards_of("tiny_lm", kConv) == std::set<std::string>{"true"});
  CHECK(guards_of("bert_padded", kConvBatched) == std::set<std::string>{"L % 8 == 0", "L % 8 != 0"});
  CHECK(guards_of("moe_bucketed", kConv) == std::set<std::string>{"L <= 512", "513 <= L <= 4096", "L >= 4097"});
  CHECK(guards_of("moe_chunked", kArxiv) == std::set<std::string>{"L <= 512", "513 <= L <= 4096"});
  const auto chunked = guards_of("moe_chunked", kConv);
  CHECK(chunked.contains("4097 <= L <= 5120"));
  CHECK(chunked.contains("13313 <= L <= 14336"));
}

TEST_CASE("images: unet_crop, unet, unet_pad") {
  Shipped shipped;
  const Model& crop = shipped.model("unet_crop");
  const PolicyRow floored = shipped.compare(crop, shipped.calls(crop, "coco", 500, true), "symbolic").rows[0];
  CHECK(floored.entries == 1);
  CHECK(guards(floored) == std::set<std::string>{"C == 3 and H >= 1 and W >= 1 and H % 4 == 0 and W % 4 == 0"});

  const Model& unet = shipped.model("unet");
  CHECK(guards(shipped.compare(unet, shipped.calls(unet, "coco", 500, true), "symbolic").rows[0]) ==
        std::set<std::string>{"C == 3 and H >= 1 and W >= 1 and H % 32 == 0 and W % 32 == 0"});

  const Model& pad = shipped.model("unet_pad");
  const Comparison padded = shipped.compare(pad, shipped.calls(pad, "coco", 500), "symbolic,symbolic+merge");
  CHECK(padded.rows[0].traces == 3);
  CHECK(padded.rows[0].entries == 3);
  CHECK(padded.rows[0].compiles == 2);
  CHECK(padded.rows[1].traces == 3);
  CHECK(padded.rows[1].entries == 2);
  CHECK(padded.rows[1].compiles == 2);
}

TEST_CASE("unet_crop on the images as they are: 269 of 500 rejected, each distinct size traced once") {
  Shipped shipped;
  const Model& model = shipped.model("unet_crop");
  const Calls calls = shipped.calls(model, "coco", 500);
  std::set<std::vector<std::int64_t>> bad, good;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto c = calls[i];
    (c[2] % 4 == 0 && c[3] % 4 == 0 ? good : bad).emplace(c.begin(), c.end());
  }
  for (const PolicyRow& row :
       shipped.compare(model, calls, "eager,static,whitelist,auto_dynamic,symbolic,symbolic+merge").rows) {
    CAPTURE(row.policy);
    CHECK(row.rejected == 269);
    if (row.policy == "static" || row.policy == "whitelist") CHECK(row.traces == bad.size() + good.size());
    if (row.policy == "symbolic" || row.policy == "symbolic+merge") CHECK(row.traces == bad.size() + 1);
  }
}
