// The two readings of proxy fences (memory-model.md D9), and whether a verdict depends on which.
#ifndef PTXLITMUS_READINGS_H
#define PTXLITMUS_READINGS_H

#include "cli/options.h"
#include "model/cat/model.h"
#include "model/targets/targets.h"
#include "solver/solver.h"

struct arena;
struct diagnostics;

// A model by name or path, in the reading that the options choose; and the other reading, or NULL
// when the options chose one or the model has one only.
struct readings {
    const struct model *model;
    const struct model *other;
};

// Loads both into `arena`, with the further axioms of the target (NULL: none); `model` is NULL
// after errors in `diagnostics`.
struct readings readings_load(struct arena *arena, const char *name, const struct target *target,
                              const struct options *options, struct diagnostics *diagnostics);

// Decides a test that has proxy fences again under the other reading, where there is one, and adds
// the flag `proxy-reading` to `outcomes` when both verdicts are established and differ. A second
// run that ends undecided adds nothing: the flag's absence is no promise then, and the run's limits
// are those of the first.
void readings_compare(const struct readings *readings, const struct solver_options *options,
                      struct solver *solver, struct arena *arena, const struct program *program,
                      struct outcomes *outcomes);

#endif
