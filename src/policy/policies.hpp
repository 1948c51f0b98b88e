// The policies' classes; each is explained in its .cpp.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "policy/front_end.hpp"

namespace dimgate {

/// Never compiles: no call comes to the cache.
class EagerPolicy final : public Policy {
 public:
  bool shape(std::span<const std::int64_t>, std::span<std::int64_t>) const override { return false; }
  MissAnswer miss(const Miss&) override { return MissAnswer::fall_back("eager"); }
};

/// static and the padding policies: one artifact for each shape that runs.
class ExactPolicy final : public Policy {
 public:
  ExactPolicy(PolicySpec spec, Subject subject);
  bool shape(std::span<const std::int64_t> call, std::span<std::int64_t> run) const override;
  MissAnswer miss(const Miss& miss) override;

 private:
  PolicySpec spec_;
  Subject subject_;
  std::vector<bool> padded_;
};

/// The symbolic artifact under exactly the shapes seen.
class WhitelistPolicy final : public Policy {
 public:
  explicit WhitelistPolicy(Subject subject) : subject_(std::move(subject)) {}
  MissAnswer miss(const Miss& miss) override;
  std::vector<Shown> show(const EntrySet& entries) const override;

 private:
  struct Known {
    Program path;  // the path condition under which a trace gives this artifact
    std::size_t artifact;
  };
  std::vector<std::string> shapes_text(const std::vector<std::size_t>& set) const;
  Result<NewEntry> entry(std::size_t artifact, std::span<const std::int64_t> values);
  Subject subject_;
  std::vector<Known> known_;
  std::vector<ArtifactRef> artifacts_;
  std::vector<std::vector<std::int64_t>> shapes_;  // entry `whitelist#k` is for shape k
  std::unordered_map<std::string, std::size_t> by_fingerprint_;
};

/// PyTorch's automatic dynamic shapes.
class AutoDynamicPolicy final : public Policy {
 public:
  AutoDynamicPolicy(std::size_t limit, Subject subject) : limit_(limit), subject_(std::move(subject)) {}
  MissAnswer miss(const Miss& miss) override;

 private:
  struct Seen {
    std::int64_t value;
    bool dynamic;
  };
  std::size_t limit_;  // 0: none
  Subject subject_;
  std::vector<Seen> state_;  // one for each dim; empty before the first compile
};

/// Path conditions, shared by fingerprint, and joined where asked: a FrontEnd that traces the model.
class SymbolicPolicy final : public Policy {
 public:
  SymbolicPolicy(bool merge, Subject subject);
  MissAnswer miss(const Miss& miss) override;
  std::vector<Shown> show(const EntrySet& entries) const override { return front_end_.show(entries); }

 private:
  Subject subject_;
  FrontEnd front_end_;
};

}  // namespace dimgate
