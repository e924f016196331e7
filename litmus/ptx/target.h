// What a test may use: the PTX version that it is written in, and the target that it is for.
#ifndef PTXLITMUS_PTX_TARGET_H
#define PTXLITMUS_PTX_TARGET_H

#include "litmus/test.h"

#include <stdbool.h>

// What is in the name of a function that libcu++ calls in the place of an instruction which the
// target lacks, before the targets that have it: "..._is_not_supported_before_SM_90a_SM_100a__".
#define PTX_LACKED_BEFORE "_is_not_supported_before_SM_"

struct arena;
struct diagnostics;
struct reader;

// A target as far as the rules of PTX know it. model/targets has the ones that there are.
struct ptx_target {
    const char *name;
    unsigned architecture; // 90 of sm_90 and sm_90a
    bool specific;         // sm_90a: what is written for it runs on no other target
    bool family;           // sm_100f: what is written for it runs on later ones of its family
    bool simulated;        // a memory that no target has: it has the features of all targets
    unsigned ptx;          // the version that introduced it, 78 for 7.8
    unsigned cluster_ctas; // CTAs in a cluster at most; 1 where there are no clusters
};

enum {
    PTX_OLDEST = 60,   // the first version with a memory model
    PTX_USUAL = 91,    // of tests that name none and need no later one
    PTX_NEWEST = 94,   // the newest that the instruction table knows
    PTX_FIRST_SM = 70, // the first architecture that the memory model applies to
};

// Whether there is such a version of the PTX ISA, from PTX_OLDEST to PTX_NEWEST: 78 for 7.8.
bool ptx_is_version(unsigned version);

// The version of the PTX ISA that a test is written in: the one that it names, else `other` unless
// that is 0, else PTX_USUAL or the first later one that has all that it needs.
unsigned ptx_version_of(const struct test *test, unsigned other);

// Whether all that a test needs is there: in the version of the PTX ISA (78 for 7.8), and on the
// target (NULL: on all of them). On a target, that includes the places of threads: clusters, and
// how many CTAs they hold. Each need that is not met is an error in `diagnostics`, and the result
// is false.
bool ptx_check_needs(const struct test *test, const struct ptx_target *target, unsigned version,
                     struct diagnostics *diagnostics);

// Whether a target has what needs an architecture: every later one, or one alone (PTX_SPECIFIC).
bool ptx_offers(const struct ptx_target *target, unsigned sm);

// Returns "sm_90", or "sm_90a" for what that target alone has; the arena owns it.
const char *ptx_sm_text(struct arena *arena, unsigned sm);

// Whether what is written for one target runs on another: on every later one, unless it is written
// for features of its own (PTX ISA 11.1.2).
bool ptx_runs_on(const struct ptx_target *written, const struct ptx_target *target);

// Records a need of the test (copied; its words are borrowed). Needs that the first version with a
// memory model meets on the first architecture with one are left out.
void reader_need(struct reader *reader, struct need need);

#endif
