// One thread, run with concrete values: what it reads is supplied from outside, and what it does is
// written down as the steps of a path.
#ifndef PTXLITMUS_ORACLE_THREAD_H
#define PTXLITMUS_ORACLE_THREAD_H

#include "tests/oracle/compute.h"
#include "tests/oracle/execution.h"
#include "tests/oracle/memory.h"

enum { STEPS_MAX = 64 };

// What a step asks for when it needs a value.
enum question {
    ASK_NOTHING,
    ASK_READ,    // what a read returns
    ASK_PASS,    // whether a wait ever passes: 1 or 0
    ASK_REDUCED, // what bar.red, or an exchange between lanes, returns
    ASK_ANSWER,  // what a try_cancel answers (answer_failed, answer_success)
    ASK_PART,    // of which CTA of a pair an element of a matrix is: 1, the peer, or 0
};

struct step {
    enum action action; // READ, WRITE, FENCE, PROXY_FENCE or BARRIER
    const struct instruction *at;
    unsigned instruction; // its index
    unsigned turn;        // how often the thread had executed it before
    unsigned element;     // of a vector or packed access, and 0
    unsigned position;    // program order; the elements of one instruction have one position
    enum access_order order;
    enum scope scope; // SYS for volatile and mmio
    enum proxy proxy;
    bool red;      // of a red, or of an atom whose result is dropped
    int rmw;       // the step with the write of this read of an atom or red, or -1
    bool has_spot; // accesses, and proxy fences with an address
    struct spot spot;
    unsigned size;      // bytes
    struct value value; // that is read, written or answered, or that bar.red returns
    uint64_t sources;   // the steps that it depends on as written: addr, data and ctrl
    // Barriers. An arrival that waits too is two steps.
    bool arrives, waits, passes;
    int arrival; // of a wait: the step of its arrival, or -1
    enum barrier_kind barrier;
    uint64_t id; // the barrier's number, or the mask of lanes
    bool counts; // a number of threads is given:
    uint64_t count;
    enum truth predicate; // of bar.red
    // Lanes give each other values, and order no memory: an arrival gives `value`, a wait returns
    // it.
    bool exchanges;
    unsigned lane; // of a shfl's wait: the one that it copies from
    // Operations on mbarriers, as struct occurrence has them.
    enum mbarrier_action mbarrier;
    unsigned mbarrier_phase;
    bool completed, undefined;
    // A wait that is given a state; of it, the arrival that has returned that, or 0 where that is
    // none; of the write of an arrival, which one it is, from 1 on.
    bool by_state;
    unsigned token;
    // Asynchronous operations: the step of the issue and 1 where an operation does this, else 0; of
    // an issue, its group, counted from 0, or -1; and the steps that are complete with this one.
    unsigned operation;
    enum stage stage;
    unsigned target; // of what a multicast does for one CTA: 1 + its rank
    bool reads_a;    // of a product: a read of A in shared memory
    bool at_peer;    // of what a pair of CTAs does: in the memory of the other one
    int group;
    uint64_t completes;
    bool is_arrival; // what it does to an mbarrier when it is complete
    int allocation;  // of what allocates or deallocates tensor memory: 1 + the object, or 0
    unsigned shape;  // of the issue of a tcgen05.mma: what it says of the shape of D
};

enum path_end {
    PATH_DONE,     // the thread has exited
    PATH_WANTS,    // a question was not answered; the step that asks it is the last one
    PATH_BLOCKED,  // at a wait that never passes
    PATH_TRAPPED,  // the thread has ended by a trap
    PATH_BEYOND,   // past the bound of a loop
    PATH_TOO_LONG, // more than STEPS_MAX steps
    PATH_UNKNOWN,  // what it does depends on an unknown value
    PATH_OUTSIDE,  // an access outside of every variable
};

// What instructions that touch no memory do with operands for which PTX does not define them.
enum broken {
    BROKEN_COUNT =
        1, // mbarrier.pending_count of what is not a state of an operation with .noComplete
    BROKEN_ANSWER = 2, // query_cancel.get_first_ctaid of an answer that has failed, or is none
    BROKEN_MASK = 4,   // an exchange of a lane that is not in its mask; a barrier that there is not
};

struct path {
    enum path_end end;
    enum question question; // of the last step when it WANTS
    unsigned count;
    struct step *steps;      // STEPS_MAX of them where a thread is run
    uint64_t control;        // the steps that decided branches and guards
    struct value *registers; // at the end, by index
    bool exits;              // it ends with an exit that has no guard
    unsigned broken;         // of enum broken
};

// Answers what a step asks; returns false when it has no answer (yet).
struct supplier {
    bool (*answer)(void *context, const struct path *path, enum question question,
                   struct value *value);
    void *context;
};

struct thread_options {
    unsigned rounds; // of a loop that waits for what it reads, before the path is BEYOND
    bool lenient;    // accesses that are in no variable, or at an unknown place, have object -1
    unsigned char **part_sizes; // by thread and instruction (parts.h); NULL: not known yet
};

// Runs a thread of the test. path->registers has room for its registers; the rest of *path is
// overwritten.
void thread_run(const struct memory *memory, int thread, const struct thread_options *options,
                const struct supplier *supplier, struct path *path);

// Returns what a condition sees of a value in a variable: of a map, the address.
struct value thread_map_shown(const struct test *test, int variable, struct value held);

#endif
