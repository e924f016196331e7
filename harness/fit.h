// Inside harness: what of a test keeps it from running on a GPU.
#ifndef PTXLITMUS_HARNESS_FIT_H
#define PTXLITMUS_HARNESS_FIT_H

#include "harness/plan.h"

// Returns why a test cannot run on a target, as far as that is seen from its declarations and
// single instructions; else REFUSAL_NONE.
enum harness_refusal harness_fits_test(const struct test *test, struct harness_target target);

// Returns why its barriers cannot work where many instances are in a CTA; else REFUSAL_NONE. The
// plan has its seats.
enum harness_refusal harness_fits_barriers(const struct harness_plan *plan);

// Whether no register that is shown, and no value that is stored, may be an address: it would be
// another one in each instance. The plan has its columns; the arena is for what is needed
// meanwhile.
bool harness_hides_addresses(struct arena *arena, const struct harness_plan *plan);

#endif
