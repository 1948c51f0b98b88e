#include "dimgate/world_compare.hpp"

#include <charconv>

#include "replay/world_replay.hpp"

namespace dimgate {

std::string_view default_world_policies() noexcept { return "eager,strict,static,auto_dynamic,symbolic"; }

Result<std::vector<WorldPolicy>> parse_world_policies(std::string_view text) {
  std::vector<WorldPolicy> out;
  std::string_view rest = text;
  for (;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view one = rest.substr(0, comma);
    WorldPolicy p;
    p.text = one;
    using Kind = WorldPolicy::Kind;
    const std::string_view limit = one.starts_with("auto_dynamic:") ? one.substr(13) : std::string_view();
    if (one == "eager") {
      p.kind = Kind::eager;
    } else if (one == "static") {
      p.kind = Kind::exact;
    } else if (one == "strict") {
      p.kind = Kind::strict;
      p.limit = 64;
    } else if (one == "symbolic") {
      p.kind = Kind::symbolic;
    } else if (one == "auto_dynamic") {
      p.kind = Kind::auto_dynamic;
      p.limit = 8;
    } else if (limit == "inf") {
      p.kind = Kind::auto_dynamic;
    } else if (!limit.empty()) {
      p.kind = Kind::auto_dynamic;
      const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), p.limit);
      if (error != std::errc{} || end != limit.data() + limit.size() || p.limit == 0)
        return Error{"policy '" + p.text + "': expected auto_dynamic:N with N from 1, or auto_dynamic:inf"};
    } else {
      return Error{"unknown policy '" + p.text +
                   "' for world traces; there are eager, strict, static, auto_dynamic, auto_dynamic:N, symbolic"};
    }
    for (const WorldPolicy& other : out)
      if (other.text == p.text) return Error{"policy '" + p.text + "' is given twice"};
    out.push_back(std::move(p));
    if (comma == std::string_view::npos) return out;
    rest = rest.substr(comma + 1);
  }
}

Result<WorldComparison> compare_worlds(const std::string& path, const std::vector<WorldPolicy>& policies,
                                       const WorldCompareOptions& options) {
  Result<WorldTraceReader> reader = WorldTraceReader::open(path);
  if (!reader) return reader.error();
  std::vector<std::unique_ptr<detail::WorldReplay>> replays;
  for (const WorldPolicy& p : policies) replays.push_back(std::make_unique<detail::WorldReplay>(p, reader->header()));
  WorldComparison out;
  out.trace = path;
  out.frame = reader->header().frame;
  World world;
  while (out.calls < options.first) {
    Result<bool> more = reader->next(world);
    if (!more) return more.error();
    if (!*more) break;
    ++out.calls;
    for (const auto& replay : replays)
      if (std::optional<Error> error = replay->call(world, reader->line())) {
        error->file = path;
        error->line = reader->line();
        error->column = 0;
        return std::move(*error);
      }
  }
  if (out.calls == 0) return Error{"the trace has a header and no calls", path, reader->line(), 0};
  for (const auto& replay : replays) out.rows.push_back(replay->finish(options.measure));
  return out;
}

}  // namespace dimgate
