// For tests of programs: reads a litmus test from a text, builds its program, and evaluates its
// expressions under values that the test gives to reads and cells.
#ifndef PTXLITMUS_TESTS_UNIT_LITMUS_PROGRAM_FIXTURE_H
#define PTXLITMUS_TESTS_UNIT_LITMUS_PROGRAM_FIXTURE_H

#include "program/program.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"

struct program_fixture {
    struct arena *arena;
    struct diagnostics diagnostics;
    struct program_options options;
    struct test *test;
    struct program *program; // NULL after errors
    uint64_t reads[64];      // by event: the values that evaluations use
    uint64_t finals[64];     // by cell
    uint64_t unknowns[64];
    bool blocks[64];      // by event: waits that do not pass
    bool in_phase[64];    // by phase pair
    uint64_t reduced[64]; // by event
};

// Reads a text without errors, and builds, which may fail. Release with fixture_free.
struct program_fixture *fixture_try(const char *text, struct program_options options);

// Reads and builds; the test fails when the text has errors. Release with fixture_free.
struct program_fixture *fixture_build(const char *text);
struct program_fixture *fixture_build_with(const char *text, struct program_options options);
// With syntactic dependencies.
struct program_fixture *fixture_build_written(const char *text);

// Builds a text that has errors: the first message, "line:column: message", or with its hint after
// " | ". The test fails when there is none.
const char *fixture_error(struct program_fixture **fixture, const char *text);

void fixture_free(struct program_fixture *fixture);

// The `n`-th event (from 0) of a kind in a thread, in order of their ids; the test fails when there
// are fewer.
const struct event *fixture_event(const struct program_fixture *fixture, int thread,
                                  enum event_kind kind, unsigned n);

// How many events a thread has.
unsigned fixture_event_count(const struct program_fixture *fixture, int thread);

// The value of an expression for the fixture's reads, finals and unknowns.
uint64_t fixture_value(struct program_fixture *fixture, const struct expr *expr);

// The value of the first thing that a test shows, when each read returns `read`. The test fails
// when the text has errors.
uint64_t fixture_result(const char *text, uint64_t read);

// Whether a list holds the dependency on a read, with the constant condition 1.
bool fixture_depends(struct dependency_list list, const struct event *read);

#endif
