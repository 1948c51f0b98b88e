// A world trace of a training loop, made up: what a step function sees over epochs of training and evaluation.
//
// 110 calls an epoch: 100 training steps of 32 rows, the last ragged (17), then 10 evaluation steps of 64, the last 40,
// without gradients. Over the run, once each: the model moves to a GPU, the batch gains a key, an attribute changes, an
// environment variable is set and unset again; every tenth epoch runs under autocast. What the step does not use
// changes as well: the caller, and a counter it never reads. Format: docs/world-traces.md.
#pragma once

#include <cstddef>
#include <iosfwd>

namespace dimgate::demo {

void write_training_trace(std::ostream& out, std::size_t calls);

}  // namespace dimgate::demo
