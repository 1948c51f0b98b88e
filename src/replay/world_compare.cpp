#include "dimgate/world_compare.hpp"

#include "replay/world_replay.hpp"

namespace dimgate {

Result<WorldComparison> compare_worlds(const std::string& path, std::span<const PolicySpec> policies,
                                       const WorldCompareOptions& options) {
  Result<WorldTraceReader> reader = WorldTraceReader::open(path);
  if (!reader) return reader.error();
  std::vector<std::unique_ptr<detail::WorldReplay>> replays;
  for (const PolicySpec& p : policies) replays.push_back(std::make_unique<detail::WorldReplay>(p, reader->header()));
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
