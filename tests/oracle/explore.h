// From a test to its outcomes: every candidate execution is built and judged by the axioms.
#ifndef PTXLITMUS_ORACLE_EXPLORE_H
#define PTXLITMUS_ORACLE_EXPLORE_H

#include "tests/oracle/axioms.h"
#include "tests/oracle/outcomes.h"
#include "tests/oracle/paths.h"
#include "tests/oracle/show.h"

#include <stdint.h>

struct explorer;

// Leads the search to one execution, whatever the axioms say of it.
struct explore_guide {
    void *context;
    struct path_guide values; // what its threads read
    bool (*takes_path)(void *context, size_t thread, const struct path *path);
    // Whether a read takes the bytes of one of its units from an event.
    bool (*takes_source)(void *context, const struct explorer *explorer, unsigned unit,
                         unsigned source);
    // Looks at a candidate with all of its sources and phases; returns false to end the search.
    bool (*judge)(void *context, struct explorer *explorer);
};

// The paths of a test, which are the same in most readings: found once, and kept for those that
// come later. It begins with zeros; known_paths_free releases it.
struct known_paths {
    struct memory memory;
    struct paths paths;
    unsigned rounds; // that were tried of loops that wait
    bool found;
};
void known_paths_free(struct known_paths *known);

struct explore_options {
    const struct explore_guide *guide; // NULL: all executions
    struct known_paths *known; // of the same test with as many rounds; NULL: nothing is kept
    const struct version *version;
    enum dependencies dependencies;
    // Take co from all partial orders and sc from all total ones, instead of the least ones that
    // orders_orient finds: slow, and what shows that the least ones are enough.
    bool every_order;
    bool until_allowed; // look no further when the condition is both satisfied and violated
    unsigned rounds; // of loops that wait for what they read; fewer where these are too many paths
    uint64_t limit;  // steps (choices for a read, candidates) before giving up
};

struct explored {
    const char *unsupported;     // why the oracle cannot judge this test, or NULL
    bool complete;               // false when the limit was reached
    struct outcome_set outcomes; // of allowed executions that pass the filter; in shown's order
    // Of allowed executions, whatever the filter says:
    bool open_race;        // a mixed-size race beyond those of atomic operations that take turns
    bool data_race;        // some has a race of accesses of the same extent (section 7)
    bool mixed_size_race;  // some has a race of accesses that overlap in part: undefined
    bool barrier_misuse;   // in some, a barrier is misused (section 6): undefined
    bool async_undefined;  // in some, an access meets a copy in flight (section 16): undefined
    bool exited_cta;       // in some, memory is accessed whose CTA may have exited: undefined
    bool async_unwaited;   // in some, memory is in use by a copy of a CTA that may have exited
    bool readonly_written; // in some, a kernel reads it through the read-only proxy: undefined
    bool cancel_misuse;    // in some, a launch is cancelled after an observed failure: undefined
    bool tensor_misuse;    // in some, tensor memory is (section 19): undefined
    bool product_misuse;   // in some, registers of a product of matrices are: undefined
    bool mbarrier_misuse;  // in some, an mbarrier is (section 14): undefined
    bool bounded;   // a thread may repeat a loop more often than was tried: what such executions
                    // show is not among the outcomes
    bool hang;      // in some, a thread never leaves a barrier (section 6)
    bool trap;      // in some, a thread traps
    bool ends;      // some has an outcome
    bool satisfied; // some outcome satisfies the condition
    bool violated;  // some outcome does not
    bool has_proxy_fence;     // in some candidate
    bool has_mbarriers;       // in some, an operation on an mbarrier
    bool waits_at_mbarrier;   // in some
    bool has_async_accesses;  // in some, an access through the async proxy
    bool writes_elsewhere;    // in some, an operation to shared memory of a CTA that is not its
                              // thread's
    uint64_t wide_threads;    // that access memory in more than 64 bits
    bool wide_write;          // some of these accesses is a write
    bool dependencies_differ; // some dependency as written is none
    unsigned rounds;          // that were tried of loops that wait
    uint64_t steps;
    uint64_t candidates; // choices of rf, sc and co that were tried
    uint64_t executions; // those that the axioms allow
};

// Fills `result`; the caller releases it with explored_free.
void explore_test(const struct test *test, const struct shown_list *shown,
                  const struct explore_options *options, struct explored *result);
void explored_free(struct explored *result);

#endif
