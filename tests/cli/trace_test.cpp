// dimgate trace MODEL.
#include "cli/fixture.hpp"

using namespace dimgate::cli;

TEST_CASE("trace lists the models and their dims") {
  const Ran ran = dimgate_run({"trace", "--list"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.out, "unet_crop"));
  CHECK(has(ran.out, "(B, C, H, W)"));
  const auto json = nlohmann::json::parse(dimgate_run({"trace", "--list", "--json"}).out);
  CHECK(json["models"].size() >= 13);
  CHECK(json["models"][0]["dims"][0]["name"] == "B");
}

TEST_CASE("trace shows each guard with its line, the minimal guard and the results") {
  const Ran ran = dimgate_run({"trace", "unet_crop", "--no-z3"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.out, "docs/examples/models/unet.cpp:"));
  CHECK(has(ran.out, "conv2d: channels must agree"));
  CHECK(has(ran.out, "guard: C == 3 and H >= 1 and W >= 1 and H % 4 == 0 and W % 4 == 0\n"));
  CHECK(has(ran.out, "output: float32 (B, 1, H, W)\n"));
  CHECK_FALSE(has(ran.out, "program:"));
  CHECK(has(dimgate_run({"trace", "unet_crop", "--program"}).out, "conv2d"));
}

TEST_CASE("trace takes values and facts") {
  const auto guard = [](std::vector<std::string> args) {
    args.insert(args.begin(), "trace");
    args.insert(args.end(), {"--json", "--no-z3"});
    const Ran ran = dimgate_run(args);
    REQUIRE_MESSAGE(ran.exit == 0, ran.talk);
    return nlohmann::json::parse(ran.out)["guard"].dump();
  };
  CHECK(guard({"bert_padded"}) == R"(["L % 8 != 0"])");
  CHECK(guard({"bert_padded", "--at", "L=16"}) == R"(["L % 8 == 0"])");
  CHECK(guard({"bert_padded", "--at", "L=16", "-a", "L % 8 == 0"}) == "[]");
  CHECK(guard({"moe_chunked", "--at", "L=4808"}) == R"(["4097 <= L <= 5120"])");
  CHECK(guard({"tiny_lm", "--at", "L=1", "--at", "B=1"}) == "[]");
}

TEST_CASE("bad input of trace is one line with the remedy, exit 2, nothing on stdout") {
  const auto refused = [](std::vector<std::string> args, const std::string& part) {
    args.insert(args.begin(), "trace");
    const Ran ran = dimgate_run(args);
    INFO(ran.talk);
    CHECK(ran.exit == 2);
    CHECK(ran.out.empty());
    CHECK(is_one_line(ran.talk));
    CHECK(has(ran.talk, part));
  };
  refused({}, "--list");
  refused({"tinylm"}, "did you mean `tiny_lm`?");
  refused({"unet_crop", "--at", "H=427"}, "cat: sizes must agree");
  refused({"unet_crop", "--at", "H=427"}, "rejected at B=1, C=3, H=427, W=640");
  refused({"unet_crop", "--at", "Q=1"}, "one of B, C, H, W");
  refused({"unet_crop", "--at", "H=x"}, "an integer");
  refused({"unet_crop", "--at", "H=-1"}, "an integer in [0");
  refused({"unet_crop", "--at", "H"}, "NAME=VALUE");
  refused({"tiny_lm", "-a", "L > 5", "-a", "L < 3"}, "contradict each other");
  refused({"tiny_lm", "-a", "L > 500"}, "break the declared fact");
  refused({"tiny_lm", "-a", "Q > 500"}, "Q");
  refused({"tiny_lm", "-a", "L >"}, "fact `L >`");
}
