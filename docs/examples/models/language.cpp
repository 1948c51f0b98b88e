// Language models: ids of shape (B, L).
#include "layers.hpp"
#include "models.hpp"

namespace dimgate::models {

namespace {

constexpr int kFeatures = 16;
constexpr int kHeads = 2;
constexpr int kWords = 100;
constexpr int kPositions = 32768;

SymTensor self_attention(const SymTensor& x, const std::string& name) {
  const SymInt b = x.size(0), n = x.size(1);
  const SymTensor qkv =
      shape::reshape(linear(x, name + ".qkv", kFeatures, 3 * kFeatures), {b, n, 3, kHeads, kFeatures / kHeads});
  const std::vector<SymTensor> parts = shape::unbind(shape::permute(qkv, {2, 0, 3, 1, 4}), 0);
  const SymTensor y = shape::attention(parts[0], parts[1], parts[2], {.causal = true});
  return linear(shape::reshape(shape::transpose(y, 1, 2), {b, n, kFeatures}), name + ".o", kFeatures, kFeatures);
}

SymTensor block(SymTensor x, const std::string& name) {
  x = shape::add(x, self_attention(layer_norm(x, name + ".n1", kFeatures), name + ".attn"));
  const SymTensor wide = linear(layer_norm(x, name + ".n2", kFeatures), name + ".mlp.0", kFeatures, 4 * kFeatures);
  return shape::add(x, linear(shape::gelu(wide), name + ".mlp.2", 4 * kFeatures, kFeatures));
}

SymTensor tiny_lm(Tracer& t, const SymTensor& ids) {
  const SymInt n = ids.size(1);
  const SymTensor positions = embedding(shape::arange(t, n), "pos", kPositions, kFeatures);
  const SymTensor words = embedding(ids, "emb", kWords, kFeatures);
  const SymTensor x = shape::add(words, shape::unsqueeze(positions, 0));
  return linear(block(x, "block"), "head", kFeatures, 8);
}

class TinyLm final : public NamedModel {
 public:
  TinyLm() : NamedModel("tiny_lm", "one causal transformer block with a head", language_dims()) {}
  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    t.output(tiny_lm(t, t.input("ids", {dims[0], dims[1]}, "int64")));
  }
};

/// Pads the prompt to a multiple of 8 first, and cuts the result back.
class BertPadded final : public NamedModel {
 public:
  BertPadded()
      : NamedModel("bert_padded", "tiny_lm on prompts padded to a multiple of 8", language_dims(),
                   {{2, 374}, {2, 376}}) {}
  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    SymTensor ids = t.input("ids", {dims[0], dims[1]}, "int64");
    const SymInt n = ids.size(1);
    if (n % 8 != 0) {
      ids = shape::pad(ids, {0, 8 - n % 8});
    }
    t.output(shape::slice(tiny_lm(t, ids), 1, std::nullopt, n));
  }
};

/// Short, middle and long prompts take different experts; `chunked` works the long ones off in chunks of 1024.
class Moe final : public NamedModel {
 public:
  Moe(std::string name, std::string summary, bool chunked)
      : NamedModel(std::move(name), std::move(summary), language_dims(), {{2, 374}, {2, 879}, {2, 4808}}),
        chunked_(chunked) {}
  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    const SymTensor ids = t.input("ids", {dims[0], dims[1]}, "int64");
    const SymTensor x = embedding(ids, "emb", kWords, kFeatures);
    t.output(experts(x, ids.size(1)));
  }

 private:
  [[nodiscard]] SymTensor experts(const SymTensor& x, const SymInt& length) const {
    if (length <= 512) return block(x, "small");
    if (length <= 4096) return shape::relu(linear(x, "mid.0", kFeatures, kFeatures));
    if (!chunked_) return linear(x, "big", kFeatures, kFeatures);
    std::vector<SymTensor> done;
    for (const SymTensor& c : shape::split(x, 1024, 1)) done.push_back(linear(c, "big", kFeatures, kFeatures));
    return shape::cat(done, 1);
  }

  bool chunked_;
};

/// An encoder block with four heads, over sequences with a padding mask.
class Transformer final : public NamedModel {
 public:
  Transformer() : NamedModel("transformer", "encoder block with heads and a padding mask", language_dims()) {}
  void trace(Tracer& t, std::span<const SymInt> dims) const override {
    constexpr int features = 64, heads = 4;
    const SymTensor ids = t.input("ids", {dims[0], dims[1]}, "int64");
    const SymTensor mask = t.input("mask", {dims[0], dims[1]}, "bool");
    const SymInt b = ids.size(0), n = ids.size(1);
    const SymTensor words = embedding(ids, "emb", 1000, features);
    SymTensor x = shape::add(words, embedding(shape::arange(t, n), "pos", kPositions, features));
    const auto split_heads = [&](const std::string& name) {
      const SymTensor y = linear(x, name, features, features);
      return shape::transpose(shape::reshape(y, {b, n, heads, features / heads}), 1, 2);
    };
    const SymTensor visible = shape::unsqueeze(shape::unsqueeze(mask, 1), 1);  // (B, 1, 1, L)
    const SymTensor q = split_heads("q"), k = split_heads("k"), v = split_heads("v");
    const SymTensor y = shape::attention(q, k, v, {.causal = false, .mask = visible});
    const SymTensor joined = shape::reshape(shape::transpose(y, 1, 2), {b, n, features});
    x = layer_norm(shape::add(x, linear(joined, "o", features, features)), "n1", features);
    const SymTensor wide = shape::gelu(linear(x, "mlp.0", features, 4 * features));
    x = layer_norm(shape::add(x, linear(wide, "mlp.2", 4 * features, features)), "n2", features);
    t.output(x);
  }
};

}  // namespace

void register_language(ModelRegistry& registry) {
  registry.add(std::make_unique<TinyLm>());
  registry.add(std::make_unique<BertPadded>());
  registry.add(std::make_unique<Moe>("moe_bucketed", "three experts by prompt length", false));
  registry.add(std::make_unique<Moe>("moe_chunked", "three experts by prompt length, long prompts in chunks", true));
  registry.add(std::make_unique<Transformer>());
}

}  // namespace dimgate::models
