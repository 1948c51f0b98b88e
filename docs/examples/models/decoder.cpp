// A decoder with a key/value cache: prefill (nothing cached) and decode (one new token, or several) in one program.
#include "layers.hpp"
#include "models.hpp"

namespace dimgate::models {

namespace {

class DecoderKv final : public NamedModel {
 public:
  DecoderKv()
      : NamedModel("decoder_kv", "causal block with a growing key/value cache",
                   {{"B", "ids.size()[0]", "batch", {"1"}, {"count()"}},
                    {"L",
                     "ids.size()[1]",
                     "new tokens",
                     {"ContextTokens", "num_prefill_tokens"},
                     {"max(ContextTokens)", "max(num_prefill_tokens)"}},
                    {"P", "keys.size()[2]", "cached tokens", {"0"}, {}, 0}},
                   {{1, 374, 0}, {1, 1, 374}, {1, 3, 374}}) {}

  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    constexpr int features = 32, heads = 4, size = features / heads;
    const SymInt &b = dims[0], &n = dims[1], &past = dims[2];
    const SymTensor ids = t.input("ids", {b, n}, "int64");
    const SymTensor old_keys = t.input("keys", {b, heads, past, size});
    const SymTensor old_values = t.input("values", {b, heads, past, size});
    const SymTensor x = embedding(ids, "emb", 1000, features);
    const auto split_heads = [&](const std::string& name) {
      return shape::transpose(shape::reshape(linear(x, name, features, features), {b, n, heads, size}), 1, 2);
    };
    const SymTensor q = split_heads("q");
    const SymTensor keys = shape::cat({old_keys, split_heads("k")}, 2);
    const SymTensor values = shape::cat({old_values, split_heads("v")}, 2);
    const SymTensor y = attend(t, q, keys, values, n, past);
    const SymTensor joined = shape::reshape(shape::transpose(y, 1, 2), {b, n, features});
    // Only the last token's logits are wanted.
    const SymTensor last = shape::slice(shape::add(x, linear(joined, "o", features, features)), 1, -1, std::nullopt);
    t.output(linear(last, "head", features, 1000));
    t.output(keys);
    t.output(values);
  }

 private:
  static SymTensor attend(Tracer& t, const SymTensor& q, const SymTensor& keys, const SymTensor& values,
                          const SymInt& n, const SymInt& past) {
    if (past == 0) return shape::attention(q, keys, values, {.causal = true});  // prefill
    if (n == 1) return shape::attention(q, keys, values);                       // decode: one token sees everything
    // Several tokens on top of a cache: token i sees past + i + 1 positions.
    const SymTensor token = shape::unary("add_number", shape::arange(t, n), {{"number", {past}}});
    const std::vector<SymTensor> compared{shape::arange(t, past + n), shape::unsqueeze(token, 1)};
    const SymTensor visible = shape::elementwise("less_equal", compared);
    return shape::attention(q, keys, values, {.causal = false, .mask = visible});
  }
};

}  // namespace

void register_decoder(ModelRegistry& registry) { registry.add(std::make_unique<DecoderKv>()); }

}  // namespace dimgate::models
