// A litmus test as it was read: what every reader produces and program consumes.
//
// Names are resolved here (registers, variables and labels are indices), qualifiers are enum
// values, and each piece keeps its span. Expressions are not evaluated and loops are not unrolled
// yet.
#ifndef PTXLITMUS_TEST_H
#define PTXLITMUS_TEST_H

#include "litmus/condition.h"
#include "litmus/expectation.h"
#include "litmus/schedule.h"
#include "litmus/thread.h"
#include "litmus/variable.h"

// DIALECT_CPP: not PTX, but scoped atomics of C++, for a model of C++.
enum dialect { DIALECT_PTX, DIALECT_DAT3M, DIALECT_NVLITMUS, DIALECT_CPP };

// Added to an architecture: only the target for its features has it, sm_90a for 90. Targets for the
// features of 100 that share its tensor cores have what is of 100, too: sm_103a, sm_107a and
// sm_110a, or (PTX_FEWER) the last of these alone. So have those for the features of their
// families, sm_100f, but not what is PTX_ALONE or PTX_FEWER.
enum { PTX_SPECIFIC = 0x1000, PTX_FEWER = 0x2000, PTX_ALONE = 0x4000 };

// What the test uses that not every version and target has.
struct need {
    struct span span;
    const char *words; // "'.cluster'"
    unsigned ptx;      // the first version, 78 for 7.8; 0 when all have it
    unsigned sm;       // the first architecture, or PTX_SPECIFIC and one; 0 when all have it
    bool specific;     // only targets with features of their own: sm_90a
};

// Of its `progress`: the promise of forward progress that it is about; PROGRESS_OFF without one.
struct test_promise {
    enum promise progress;
    struct schedule schedule; // of PROGRESS_LEVELS
    struct span span;
};

// What its directives say of the version of PTX and of the target.
struct test_directives {
    unsigned version; // of its .version directive, 78 for 7.8; 0 without one
    struct span version_span;
    const char *target; // of its .target directive: "sm_90"; NULL without one
    struct span target_span;
};

struct test {
    const char *name;
    const char *description; // the quoted strings joined by newlines; "" when there are none
    const struct source *source;
    enum dialect dialect;
    struct variable *variables;
    size_t variable_count;
    struct thread *threads;
    size_t thread_count;
    struct function *functions; // in the order of the test
    size_t function_count;
    bool is_cooperative; // `launch cooperative`: all CTAs run at once
    bool no_timeouts;    // `assume no timeouts`: no wait gives up by a clock
    struct test_promise promise;
    struct grid_order *grid_orders; // no grid comes after itself, directly or through others
    size_t grid_order_count;
    struct term *locations; // of the `locations` clause: REGISTER and LOCATION terms
    size_t location_count;
    struct condition *filter; // NULL when there is none
    enum quantifier quantifier;
    struct condition *condition;
    bool is_unconditional; // has none: its condition is true, and it expects something else than a
                           // verdict
    bool is_unasked;       // nothing is asked, and nothing expected: its condition is true
    struct span unasked;   // where the condition would be, or the launch of a module is
    struct test_expected *expected; // of all its `expect`s, none twice and none against another one
    size_t expected_count;
    // What is taken for granted of what the test has no text of, as sentences, each once.
    const char **assumptions;
    size_t assumption_count;
    struct need *needs; // in the order of reading
    size_t need_count;
    struct test_directives directives;
};

// Whether the test asks for an outcome: it has a condition of its own.
bool test_has_condition(const struct test *test);

// Whether the test expects this.
bool test_expects(const struct test *test, enum expectation what);

// Whether the test expects something, of which nothing is a verdict on its condition.
bool test_expects_no_verdict(const struct test *test);

// Whether the grid of one thread starts only when that of the other is complete (PTX ISA 8.9.4, API
// synchronization), directly or through others. Threads of the host are in no grid.
bool test_grid_follows(const struct test *test, const struct place *later,
                       const struct place *earlier);

// Whether the test says that the grid of a thread comes to its end, since another one comes after
// it.
bool test_grid_completes(const struct test *test, const struct place *place);

// Whether a griddepcontrol.wait of one thread waits until the grid of the other is complete.
bool test_grid_waits_for(const struct test *test, const struct place *later,
                         const struct place *earlier);

// Whether the grid of one thread depends on that of the other: it may start when that lets it
// (griddepcontrol.launch_dependents).
bool test_grid_depends(const struct test *test, const struct place *later,
                       const struct place *earlier);

// Makes a test ask about no outcome and expect nothing: its states show nothing. The arena has to
// live as long as the test.
void test_ask_nothing(struct arena *arena, struct test *test);

// Calls `visit` for every term of the condition, the filter and the locations, in the order in
// which they are shown.
void test_visit_terms(const struct test *test,
                      void (*visit)(void *context, const struct term *term), void *context);

// Whether some instruction of the test is such a one.
bool test_has_instruction(const struct test *test,
                          bool (*is_one)(const struct instruction *instruction));

// Whether a thread has a request that another CTA is not to begin
// (clusterlaunchcontrol.try_cancel).
bool test_thread_cancels(const struct thread *thread);

#endif
