// One run in progress: what solver.c and the files of this folder share.
#ifndef PTXLITMUS_SOLVER_ANSWER_RUN_H
#define PTXLITMUS_SOLVER_ANSWER_RUN_H

#include "solver/encode/encode.h"
#include "solver/solver.h"

enum { RUN_ASSUMPTIONS_MAX = 8 };

struct solver_run {
    struct arena *arena;
    struct backend *backend;
    struct encoder *encoder;
    const struct program *program;
    const struct model *model;
    const struct solver_options *options;
    struct diagnostics *diagnostics;
    struct outcomes *outcomes;
    literal condition, filter;
    literal bounded;             // no loop goes on past its bound, and no thread traps
    literal past_bound, trapped; // one does
    literal complete;            // no thread is blocked at a barrier
    literal hang;                // some thread never leaves a barrier; 0 before it is asked for
    literal flag_end; // how the executions end of which a flag is known: complete or hang
    literal inside;   // all accesses lie inside variables
    enum truth hangs_after_loop;  // found before all else: TRUTH_NO where it is not asked for
    enum truth *flags_after_loop; // by axiom, whether such an execution has the flag; NULL: none
    bool dumped;                  // the first query is in the file
    // Why what was found is not to be trusted; REASON_NONE while all is well.
    enum unknown_reason error;
    const char *error_text;
    // By axiom of the model: whether its flag can hold in some execution, for all that is known.
    bool *possible;
    unsigned noted;  // executions that were shown to the other models
    bool taken_back; // a flag that may leave the program undefined has taken the verdict back
    bool is_open;    // to more than what holds in any program excludes
};

// Whether some execution is as all the literals say: the one way in which a run asks anything. The
// literals need not have been encoded in full: once the run had to stop, the answer is
// TRUTH_UNKNOWN, whatever they are, and only this function looks at whether they are constant. Why
// the answer is unknown is recorded in the outcomes. After TRUTH_YES, the execution is the
// backend's model. In debug builds, and with options->check_executions, it is checked again;
// `claim` is an axiom that it must (`claim_holds`) or must not satisfy, or NULL.
enum truth run_ask(struct solver_run *run, const literal *literals, size_t count,
                   const struct model_axiom *claim, bool claim_holds);

// Checks the execution of the backend's model again, where executions are checked: for models that
// no answer of run_ask has brought. `claim` as there.
void run_check_found(struct solver_run *run, const struct model_axiom *claim, bool claim_holds);

// Notes which of the options' other models allow the execution of the backend's model, if that has
// an outcome.
void run_note_allowed(struct solver_run *run);

// Writes the proof that no execution is as all the literals say, which an answer has said before
// anything was added to the problem, to the folder of the options. Errors are in the diagnostics.
void run_prove(struct solver_run *run, const literal *literals, size_t count);

// Whether two engines' verdicts can both be right: they are the same, or a limit has kept one of
// them from being it. An engine that was cut off may know that some outcome satisfies the condition
// where the other one knows that all do.
bool run_verdicts_agree(const struct outcomes *a, const struct outcomes *b);

// Compares what the engine of the options (`a`) and the other one (`b`) have found; a difference is
// a bug. What a limit has left unknown does not differ.
void run_compare_engines(const struct program *program, const struct solver_options *options,
                         const struct outcomes *a, const struct outcomes *b, enum engine other);

// Returns the result of a run whose answers (`first`) the other engine could not check within the
// limits: nothing is known. `arena` owns it.
struct outcomes *run_unchecked(struct arena *arena, const struct program *program,
                               const struct model *model, const struct solver_options *options,
                               const struct outcomes *first, const struct outcomes *second);

// Whether executions that are found are checked again.
bool run_checks_executions(const struct solver_run *run);

// Records in the outcomes why the backend's last answer is unknown, unless a reason is recorded
// already.
void run_note_undecided(struct solver_run *run);

// Encodes what all questions of a run are about: the condition, the filter, and what cuts
// executions short.
void run_encode_common(struct solver_run *run);

// Returns a run of the solver's engine that the options name, whose time begins and of which
// nothing is known yet. All that it is about is borrowed. Ends with watchdog_finish.
struct solver_run run_start(struct solver *solver, struct arena *arena,
                            const struct program *program, const struct model *model,
                            const struct solver_options *options, struct diagnostics *diagnostics);

// Ends the backend's problem, and notes whether a call into it went wrong meanwhile: then nothing
// that the run has found may be used.
void run_end_problem(struct solver_run *run);

// Whether some execution passes the bound, also one in which threads stay in spin loops
// (program->spinning, which must not be NULL). This is a problem of its own for the backend, so
// none may be open.
enum truth run_ask_past_bound(struct solver_run *run);

// Whether a thread traps in some execution, also in one in which others stay in spin loops. As
// above.
enum truth run_ask_trap(struct solver_run *run);

// Whether, in some execution, a thread never leaves a barrier, also where others stay in loops for
// ever. As above.
enum truth run_ask_hang_after_loop(struct solver_run *run);

// Decides whether the test ends, where that is asked for. As above.
void run_ask_termination(struct solver_run *run);

// Takes back that each execution ends where a tcgen05.alloc or .dealloc of a pair of CTAs may wait
// for ever, since the peer does not execute its own. After the flags.
void run_doubt_termination(struct solver_run *run);

// Notes why a run was stopped before anything was encoded: nothing but that is known.
void run_stopped_early(struct solver_run *run);

// Whether the program fits into the memory that the run may use; if not, notes so.
bool run_has_room(struct solver_run *run, const struct program *program);

// Fills the list of states, the verdict and what goes with them.
void outcomes_find(struct solver_run *run);

// Whether the model says what the program means. TRUTH_NO after errors in the diagnostics, which
// name what is undefined; after TRUTH_UNKNOWN no outcome is known.
enum truth run_is_defined(struct solver_run *run);

// Finds pairs of instructions that the axiom of a flag (an index into the outcomes' flags) is
// about, and an execution for each: all pairs, or only the first one.
void run_find_races(struct solver_run *run, const struct model_axiom *axiom, size_t flag, bool all);

// Whether some thread of a program comes to a barrier, for all that is known of it.
bool possible_barrier(const struct program *program);

// Whether some thread of a program may trap, for all that is known of it.
bool possible_trap(const struct program *program);

// Whether some loop of a program was unrolled, or waits for something, for all that is known of it.
bool possible_loop(const struct program *program);

// By axiom of the model: false for a flag that no execution of a program with such events has. The
// program may lack its events, or all but its test. The arena owns what is returned.
bool *possible_flags(struct arena *arena, const struct program *program, const struct model *model);

// Makes it false for flags that the bounds rule out, too.
void possible_within(bool *possible, const struct model *model, const struct bounds *bounds);

// Lists the flags of the model as unknown where they are possible, else as ruled out.
void run_list_flags(struct arena *arena, struct outcomes *outcomes, const struct model *model,
                    const bool *possible);

// Decides the flags. When one leaves the program undefined, verdicts that say what cannot happen
// become unknown.
void run_find_flags(struct solver_run *run);

#endif
