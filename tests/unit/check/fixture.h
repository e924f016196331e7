// Results made by hand, for the tests of the printers: a test with thread P1, registers %r0 (u32)
// and %r1 (s32), variables x (u64) and a (an array of u32).
#ifndef PTXLITMUS_TESTS_CHECK_FIXTURE_H
#define PTXLITMUS_TESTS_CHECK_FIXTURE_H

#include "check/report/report.h"
#include "litmus/source/arena.h"

#include <stdio.h>

enum column { COLUMN_R0, COLUMN_R1, COLUMN_X, COLUMN_A1, COLUMN_COUNT };

struct fixture {
    struct arena *arena;
    struct test test;
    struct thread thread;
    struct test_register registers[2];
    struct variable variables[2];
    struct term terms[COLUMN_COUNT];
    struct observed observed[COLUMN_COUNT];
    struct object object;       // x
    struct virtual_range range; // of x, at 0x1000
    struct program program;
    struct check_options options;
    struct test_expected expected[EXPECTATION_COUNT];
    struct outcomes outcomes;
    struct state states[8];
    struct state_value values[8][COLUMN_COUNT];
    struct report report;
};

// A fixture that shows its first `columns` columns; its condition is `exists (true)` and it has no
// states yet. The caller releases it with fixture_free.
struct fixture *fixture_new(size_t columns);
void fixture_free(struct fixture *fixture);

// Makes the test expect this, on its line 1, besides what it expects already.
void fixture_expect(struct fixture *fixture, enum expectation what);

// Adds a state with these values (one for each column shown).
void fixture_state(struct fixture *fixture, bool satisfies, const uint64_t *values);

// Conditions, owned by the arena.
struct term fixture_constant(long long value);
struct condition *fixture_compare(struct fixture *fixture, struct term lhs, enum compare_op compare,
                                  struct term rhs);
struct condition *fixture_join(struct fixture *fixture, enum condition_kind kind,
                               struct condition *left, struct condition *right);

// What a printer writes, owned by the arena.
const char *fixture_print(struct fixture *fixture,
                          void (*print)(FILE *, struct arena *, const struct report *));

#endif
