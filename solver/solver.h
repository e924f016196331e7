// The solver: a program under a model, to the outcomes that it may have.
#ifndef PTXLITMUS_SOLVER_H
#define PTXLITMUS_SOLVER_H

#include "program/program.h"
#include "model/cat/model.h"
#include "litmus/schedule.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct found_execution;
struct solver;

// What is known of a question. TRUTH_UNKNOWN is zero so that no forgotten field can look decided.
enum truth { TRUTH_UNKNOWN, TRUTH_NO, TRUTH_YES };

// Whether some state satisfies the condition, none does, all do, or it is not known.
// VERDICT_UNKNOWN is zero so that no forgotten field can look decided.
enum verdict { VERDICT_UNKNOWN, VERDICT_FORBIDDEN, VERDICT_ALLOWED, VERDICT_ALWAYS };

enum unknown_reason {
    REASON_NONE,
    REASON_TIMEOUT,
    REASON_MEMORY,
    REASON_INTERRUPTED,
    REASON_SOLVER, // Z3 said unknown: `reason_text`
    REASON_RUN,    // nothing was searched, and one run of the threads does not decide it
};

// What a flag is about.
enum flag_kind {
    FLAG_MODEL, // what the model's text flags
#define FLAG(id, name, meaning) FLAG_##id,
#include "solver/flags.def"
#undef FLAG
};

// A flag of a run, which holds when some execution of the program is as it says.
struct flag {
    enum flag_kind kind;
    const char *name; // of FLAG_MODEL, borrowed from the model; else NULL
    bool race;        // it is about accesses that race
    bool undefined;   // where it holds, what the axioms exclude may happen all the same
    enum truth holds;
    // It holds, but in no execution that is known not to rely on what is taken for granted of
    // threads that a launch leaves out (memory-model section 13).
    bool possible;
};

// What decides the questions of a run.
enum engine { ENGINE_Z3, ENGINE_CADICAL };

// Whether this build has an engine.
bool solver_has_engine(enum engine engine);

// Looks for Z3's library, where the program has to find it when it runs. Returns why it cannot be
// used, a text that lives for ever, or NULL.
const char *solver_lacks_z3(void);

// Returns the engine that decides where none is asked for: Z3, or CaDiCaL in a build without Z3.
enum engine solver_default_engine(void);

struct solver_options {
    enum engine engine;     // which the build has; CaDiCaL decides where Z3 is asked and cannot be
                            // found
    bool both_engines;      // the other one decides everything too, and has to find the same
    double timeout_seconds; // of one test; 0 for none
    size_t memory_mb;       // of the process' Z3 heap; 0 for none
    size_t max_states;      // 0 for all
    bool verdict_only;      // --verdict: decide the condition, list nothing
    bool check_executions;  // evaluate every axiom again on each decoded execution, abort when it
                            // disagrees (always on in debug builds)
    bool races;             // find all pairs of instructions that race
    unsigned chain_min;     // sections from which chains are proven (encode/chains.h); 0: that pay
    const char *dump_smt2;  // path for the first query, or NULL
    // Folder for the proof that no outcome satisfies the condition, or NULL; the engine is
    // ENGINE_CADICAL (solver/answer/proof.c).
    const char *proof;
    // Asks whether the test ends, under this promise; PROGRESS_OFF: only where the test names one
    // or expects something of it, and under what it names, or what CUDA promises.
    enum promise progress;
    struct schedule schedule; // of PROGRESS_LEVELS
    bool endless_execution;   // of what never ends, the same execution every time, and in full
    // Other models of the same programs: the run notes which of the executions that it finds for
    // outcomes they allow, too (struct outcomes). Borrowed.
    const struct model *const *others;
    size_t other_count;
};

// What an other model was seen to allow: an outcome that satisfies the condition, and one that does
// not. It may allow more.
struct allowance {
    bool satisfied, violated;
};

struct state_value {
    struct bits128 value;
    bool undef;
};

struct state {
    struct state_value *values; // one for each program->observed
    bool satisfies;             // some execution with this outcome satisfies the condition
    bool violates;              // some does not (both only with unknown values)
};

// A read or write of an execution that is shown, with the value that it reads or writes, and the
// writes (or initial writes) that a read takes its bytes from.
struct witness_event {
    unsigned event; // index into program->events
    struct bits128 value;
    bool undef; // the value depends on an unknown initial one
    unsigned *sources;
    size_t source_count;
};

// An execution, by its reads and writes: thread by thread, each in program order.
struct witness {
    struct witness_event *events;
    size_t count;
};

// Two accesses that race in some execution, and that one. Accesses of one pair of instructions are
// listed once for each flag.
struct race {
    size_t flag;        // which of the run's flags they have: an index into its `flags`
    unsigned events[2]; // indices into program->events
    const struct witness *witness;
    bool possible; // as of a flag
};

// What becomes of a thread in an execution that never ends.
enum fate {
    FATE_ENDS,
    FATE_STAYS,       // it goes round a loop for ever
    FATE_BLOCKED,     // it never leaves a barrier
    FATE_NOT_STARTED, // it is never served
    FATE_STARVED,     // it is served no more
};

// Why a read returns the same in all rounds of a loop in which a thread stays.
enum awaited_cause {
    AWAITED_LAST,    // no later write is there
    AWAITED_UNSEEN,  // one is, but the read need not ever see it
    AWAITED_WRITTEN, // rounds of a loop write it again and again
};

// What a thread that stays in a loop reads in each round.
struct awaited {
    const struct instruction *instruction;
    const char *name; // of the variable
    uint64_t offset;  // in it, in bytes
    unsigned width;   // in bits
    struct bits128 value;
    bool is_mbarrier; // the value is the state of one
    enum awaited_cause cause;
    int writer; // AWAITED_UNSEEN: the thread of the later write
};

struct thread_fate {
    enum fate fate;
    const struct instruction *at; // where it stays or is blocked; NULL where that is not known
    struct awaited *awaited;      // FATE_STAYS
    size_t awaited_count;
    int *missing; // FATE_BLOCKED: the threads that share the barrier and do not come to it
    size_t missing_count;
};

// Whether a test ends.
struct termination {
    bool is_asked;
    struct schedule schedule;
    enum promise progress;
    enum truth always;         // each execution ends
    bool possible;             // one may never end, and this is as with a flag
    bool past_bound;           // unknown since a loop goes on past its bound
    bool may_block;            // unknown since a CTA of a pair may wait for the other to allocate
    struct thread_fate *fates; // by thread, of an execution that never ends; NULL without one
    const struct found_execution *execution; // that one (search.h), where the options ask for it
};

struct solver_stats {
    size_t events;
    size_t pairs_may, pairs_must; // summed over the relations encoded
    size_t variables, clauses;    // Boolean variables and assertions handed to Z3
    size_t checks;
    size_t chains; // that were proven
    double encode_ms, solver_ms;
};

struct outcomes {
    // Unknown also when no limit stopped the run: when there is no state, and when a flag leaves
    // the program undefined and what is listed does not decide.
    enum verdict verdict;
    enum unknown_reason reason; // what first kept the run from deciding something
    const char *reason_text;
    struct state *states; // sorted by values in the order of program->observed
    size_t state_count;
    bool listed;          // false with verdict_only
    bool complete;        // the list holds every state
    enum truth reachable; // there is some state, listed or not: an execution that ends and is as
                          // the filter says
    enum truth ends;      // some execution ends, whatever the filter says
    // Every flag that was asked about, whatever the answer: those of the run first, then those of
    // the model in the order of its text, each name once, then those of readings. A flag that is
    // missing was not asked about, since it cannot hold.
    struct flag *flags;
    size_t flag_count;
    // The pairs of a mixed-size race, of which one represents all without options->races; with it,
    // those of every flag. races_cut: there may be more.
    struct race *races;
    size_t race_count;
    bool races_cut;
    struct termination termination;
    struct solver_stats stats;
    struct allowance *allowances; // one for each of the options' other models
};

// Makes a solver that many runs share (one Z3 context). The caller frees it with solver_free. Never
// NULL; when Z3 has no memory for a context, every run answers "unknown".
struct solver *solver_new(void);

// Frees a solver, which must not be running. NULL is allowed.
void solver_free(struct solver *solver);

// Ends the watchdog of a solver whose run was left in the middle, by a jump out of a handler. What
// else it has stays allocated for ever, since its state is not known.
void solver_abandon(struct solver *solver);

// From now on, no run sets a limit of the whole process: `memory_mb` is what one may add to it.
void solver_spare_process(struct solver *solver);

// Asks the run in progress to stop soon; between runs, the next one. Safe in a signal handler.
void solver_interrupt(struct solver *solver);

// No run from now on lasts beyond a time, in milliseconds of watchdog_now_ms's clock, whatever its
// options say: what is left of a test's time is for all that it is asked. 0: as long as they say.
// Between runs.
void solver_end_at(struct solver *solver, double end_ms);

// Returns the result of a run that was stopped before it began: the verdict and all flags are
// unknown, and `reason` says why. `program` may be one without events and expressions, of which
// only the test is known. The result lives in `arena`.
struct outcomes *outcomes_unknown(struct arena *arena, const struct program *program,
                                  const struct model *model, const struct solver_options *options,
                                  enum unknown_reason reason);

// Enumerates the outcomes of `program` under `model`. The result lives in `arena`. Returns NULL
// after errors in `diagnostics` (a program that the model leaves undefined).
struct outcomes *solver_run(struct solver *solver, struct arena *arena,
                            const struct program *program, const struct model *model,
                            const struct solver_options *options, struct diagnostics *diagnostics);

// Returns the name of a flag, "data-race", which lives as long as the model.
const char *flag_name(const struct flag *flag);

// Returns what is known of a flag; TRUTH_NO when it is not in the set. Not for FLAG_MODEL, of which
// there are many.
enum truth outcomes_flag(const struct outcomes *outcomes, enum flag_kind kind);

// Whether what a test expects came, as far as it is known. TRUTH_UNKNOWN for what is about the
// verdict.
enum truth outcomes_meet(const struct outcomes *outcomes, enum expectation what);

// Sets what is known of a flag, which is added when it is not in the set; `arena` is that of the
// outcomes. Not for FLAG_MODEL.
void outcomes_set_flag(struct arena *arena, struct outcomes *outcomes, enum flag_kind kind,
                       enum truth holds);

// Whether some flag of the set is undecided.
bool outcomes_has_open_flag(const struct outcomes *outcomes);

// The order of struct outcomes' states: -1, 0 or 1 for two states of `width` values. Unknown values
// come last.
int state_compare(const struct state *a, const struct state *b, size_t width);

// Returns Z3's version as text, "4.8.12.0", which lives for ever.
const char *solver_backend_version(void);

// Returns the name of an engine, "Z3", which lives for ever.
const char *solver_engine_name(enum engine engine);

#endif
