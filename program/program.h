// A test unrolled into events: what the solver encodes and what the oracle enumerates.
//
// Threads have become straight lines of guarded events (if-conversion): each event has the
// condition under which it executes, and its address and value are expressions over the values of
// reads. Memory is cut into cells so that every access covers whole cells, and where a read can be
// seen to take its bytes from several writes, they are in cells of their own. (memory-model
// sections 1 and 2; torn accesses)
#ifndef PTXLITMUS_PROGRAM_PROGRAM_H
#define PTXLITMUS_PROGRAM_PROGRAM_H

#include "litmus/test.h"
#include "program/endings.h"
#include "program/event.h"
#include "program/options.h"
#include "program/phases.h"

struct arena;
struct diagnostics;

// A value that a state shows, in the order in which it is shown.
struct observed {
    const char *log_name;  // herd's spelling: "1:r0", "[x]", "x[1]", "[s_cta1]"
    const char *json_name; // the test's spelling: "P1:%r0", "x"
    const struct expr *value;
    const struct expr *undef; // one bit
    unsigned width;
    bool is_signed;
    const struct term *term; // where the test names it
};

// What a program does not describe.
struct program_limits {
    // Executions that the program does not describe (one bit each, nearly always the constant 0):
    // some loop would go on past the bound; some access that executes is outside of every variable.
    const struct expr *bound_reached;
    const struct expr *out_of_bounds;
    // A thread ends by a trap, and the launch with it (one bit): such executions have no outcome,
    // and are not described after it.
    const struct expr *trapped;
    // The first instruction of a loop that may go on past it, and whether others may, too.
    const struct instruction *bound_loop;
    bool has_other_bound_loop;
    // A bound with which no loop goes on, where bound_reached is not 0; 0 when none is known.
    unsigned enough_rounds;
};

// What is known of the dependencies of its events.
struct program_dependencies {
    // The first access whose address depends on a load, or NULL. Its places were found from what
    // loads can return when no value depends on itself: under no thin air (memory-model section
    // 4), and with dependencies. They are dropped where program_options say so; some are open where
    // it could not be decided whether they are there, and are left out too.
    const struct instruction *computed_access;
    bool dropped, open;
    // Some syntactic dependency is left out since the read has no influence, and with it some
    // execution may have been ruled out.
    bool left_out;
};

struct program {
    const struct test *test;
    struct program_options options; // with which it was built
    struct arena *arena;
    struct expr_pool *pool;
    struct program_memory memory;
    struct event
        *events;        // EVENT_INITs first (one per object that is accessed or observed), then the
    size_t event_count; // threads in order, each in program order
    size_t init_count;
    bool async_reaches_out; // an asynchronous operation writes to the shared memory of another CTA
    struct observed *observed;
    size_t observed_count;
    const struct expr *condition; // one bit, over EXPR_READ and EXPR_FINAL
    const struct expr *filter;    // one bit, constant 1 when there is none
    const struct expr *relies;    // one bit: see program_options' `certain`
    struct program_barriers barriers;
    struct program_dependencies dependencies;
    struct program_limits limits;
    const struct expr **thread_ends; // by thread: it comes to its end (one bit)
    // One bit: executions in which it is 0 do not count. Spin loops are one iteration, the last
    // one (and one before it where that may take part in a race), and this says that they are left
    // after it. Constant 1 without spin loops.
    const struct expr *assumption;
    // One bit: where it is 0, the program has no such execution. It says which CTAs of a launch are
    // cancelled: those that a request names which is executed, each by one.
    const struct expr *given;
    // By thread: the number of the request that cancels the launch of its CTA, or 0, where one may;
    // NULL of other threads. NULL where none may be cancelled.
    const struct expr **cancelled_by;
    // By event: the constant that a read returns in all executions that count, by the assumption;
    // NULL where it says none.
    const struct expr **assumed_values;
    // The same test with executions in which threads stay in spin loops: its assumption is 1. Such
    // executions have no outcome, but they may pass the bound of another loop, for whose end the
    // spin loops wait (memory-model: waits beyond the bound): its bound_reached says so, and this
    // program's does not. The same is true of `trapped`. NULL where the assumption is 1 or both are
    // 0: then this program's say all.
    const struct program *spinning;
    // Threads of launches that have no events, and cost the solver nothing: what they access, no
    // other thread does.
    size_t idle_threads;
    // Of a program that program_build_endless has built; else NULL.
    struct endings *endings;
    bool clocks_stopped; // some thread reads a clock that shows one time, always: no wait gives up
    bool time_passes;    // some loop waits for a clock alone, and is taken to end
    bool warps_together; // some instruction is to be executed by all lanes of a warp, and is taken
                         // to be
    // What is taken for granted of threads that a launch leaves out, as sentences; those that the
    // threads' code shows are not among them.
    const char **assumptions;
    size_t assumption_count;
};

// The most events that a program may have, initial writes included: more is an error of the test.
enum { PROGRAM_MAX_EVENTS = 4096 };
// The most places that one access may touch.
enum { PROGRAM_MAX_CANDIDATES = 4096 };

// Builds the program of a test into `arena`; the test must live as long. Returns NULL after errors
// in `diagnostics` (an access outside of every variable, a register read before it was written,
// ..., or options->is_late has said so).
struct program *program_build(struct arena *arena, const struct test *test,
                              const struct program_options *options,
                              struct diagnostics *diagnostics);

// Builds a program of the same test in which threads may stay in loops for ever, after
// `rounds` rounds (2 to 4) or one that leaves nothing behind, and, with `starve`, may be left out
// by the schedule at any point. Its `assumption` is 1, and it has `endings`.
struct program *program_build_endless(struct arena *arena, const struct test *test,
                                      const struct program_options *options, unsigned rounds,
                                      bool starve, struct diagnostics *diagnostics);

// Whether an initial write is that of a variable that is declared as an mbarrier.
bool program_is_mbarrier(const struct program *program, const struct event *initial);

// Returns the initial value of a cell (8*size bits).
const struct expr *program_initial_value(const struct program *program, unsigned cell);

// Returns the condition (one bit) that the initial value of a cell is unknown.
const struct expr *program_initial_undef(const struct program *program, unsigned cell);

// Returns the part of a write's (or read's) value that falls into the `index`-th cell of a
// candidate, an expression of 8*cell.size bits.
const struct expr *program_cell_value(const struct program *program, const struct event *event,
                                      const struct candidate *candidate, unsigned index);

// Whether `a` precedes `b` in program order when both execute: within a thread, from a lower
// position to a higher one; at one position (elements of a vector) only from the read of an atomic
// operation to its own write.
bool program_po(const struct program *program, unsigned a, unsigned b);

#endif
