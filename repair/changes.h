// The switches of a test: the places at which its strength may change, and what may be at each.
//
// A place is an access, a fence or a barrier arrival of the file, a point between two memory
// operations where a fence may be put, or a group of threads that a barrier may join. Its forms are
// what may be there; the first one is the weakest. A choice names one form for each place, and with
// it a test. An instruction that several threads have (a kernel's, or a function's) is one place.
#ifndef PTXLITMUS_REPAIR_CHANGES_H
#define PTXLITMUS_REPAIR_CHANGES_H

#include "litmus/ptx/target.h"
#include "litmus/test.h"
#include "repair/costs.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;

enum change_kind {
    CHANGE_ACCESS,      // order and scope of an access
    CHANGE_FENCE,       // of a fence that is there
    CHANGE_ARRIVAL,     // order of a barrier.cluster.arrive
    CHANGE_PROXY_FENCE, // a proxy fence that is there
    CHANGE_NEW_FENCE,   // a fence that may be put in
    CHANGE_NEW_PROXY_FENCE,
    CHANGE_BARRIER, // a barrier of a CTA or a cluster that may be put in (places.h)
    CHANGE_WAIT,    // a wait for groups, or a wgmma.fence or griddepcontrol.wait that may be put in
                    // (places.h)
    CHANGE_CORRECTION, // a number that may be wrong, or a wait that may be missing (places.h)
};

// What a correction is about, the likely ones first.
enum change_correction {
    CORRECT_COUNT,   // of arrivals that an mbarrier.init expects
    CORRECT_BYTES,   // that an mbarrier is to expect
    CORRECT_PARITY,  // of the phase that a thread waits for
    CORRECT_WAIT,    // a wait for a phase
    CORRECT_BARRIER, // in a loop
};

// An edit of a barrier or a wait: a statement before or after another one, or text for other text.
struct change_insert {
    enum { INSERT_BEFORE, INSERT_AFTER, INSERT_FOR } where;
    int thread;         // the first one that runs the text
    bool is_shared;     // others run it too
    size_t instruction; // of that thread
    struct span span;   // in the file: the statement; for INSERT_FOR, what the text is for
    const char *text;
    const char *was;    // INSERT_FOR: what is written
    const char *note;   // on the text, such as what a number in it is; or NULL
    const char *origin; // as in struct change_place
};

struct change_form {
    bool is_present;         // false: there is no fence
    enum access_order order; // as in struct event: of a proxy fence with one direction, that
    enum scope scope;        // as in struct event: SCOPE_SYS of a volatile access
    enum state_space space;  // of a proxy fence: what it is about
    const char *text; // the opcode with its qualifiers; of a new proxy fence, its operands too;
                      // "" for no fence
    unsigned cost;
    unsigned
        groups;   // of a wait for groups: how many more it waits for than the one that is written
    bool is_full; // of a wait: not only for what operations read, where the written one is .read
    struct change_insert *inserts; // of a barrier or a wait; else NULL
    size_t insert_count;
};

struct change_place {
    enum change_kind kind;
    enum proxy proxy;                  // PROXY_FENCE, NEW_PROXY_FENCE
    enum change_correction correction; // CORRECTION
    int thread;                        // the first one that has it
    size_t instruction;    // of that thread: the place itself, or what a new fence precedes
    bool is_shared;        // other threads have it too
    const char *origin;    // of a module: "mp.cu:12", where it comes from; else NULL
    struct span span;      // in the file: the opcode, or the statement that a new fence precedes
    struct span statement; // in the file: all of the statement
    struct change_form *forms; // the weakest first; a form comes before all that are stronger
    size_t form_count;
    size_t written; // the form that the file has
};

struct changes {
    const struct test *test;
    const struct source *file; // that the test was read from: all spans are in it
    enum change_direction { CHANGES_UP, CHANGES_DOWN } direction;
    struct change_place *places; // in the order of the file
    size_t count;
    bool
        barriers_cut; // of some group, there are too many ways to put a barrier in: it has no place
};

// A version of PTX (91 for 9.1), and a target of which the test may use what it has (NULL: all).
struct change_limit {
    unsigned version;
    const struct ptx_target *target;
};

struct change_options {
    enum change_direction direction;   // up: what is there and anything stronger; down: or weaker
    const struct change_limit *limits; // all of them apply
    size_t limit_count;
    const struct costs *costs;
    bool corrects;        // up: with corrections
    enum dialect dialect; // of the test: changes_find sets it
};

// Finds the places of a test and their forms: only what the instruction table has within the
// limits, in the dialect of the test. Returns NULL after an error in `diagnostics`, for a test that
// a template makes: its rows share their instructions. The result lives in `arena`.
struct changes *changes_find(struct arena *arena, const struct test *test,
                             const struct change_options *options, struct diagnostics *diagnostics);

// Whether the forms of a place make programs of their own, whose events are not those of the test
// as it is written.
bool change_is_apart(const struct change_place *place);

// Returns the choice that changes nothing, an array by place that the arena owns.
size_t *changes_as_written(struct arena *arena, const struct changes *changes);

// Returns where a place is, in words: "P1, line 9"; of a module, "line 116 (mp.cu:12)". The arena
// owns it.
const char *change_where(struct arena *arena, const struct changes *changes, size_t place);

// Returns what an edit of a barrier changes, in words: "P0, line 9: 'bar.sync 0' before it". The
// arena owns it.
const char *change_describe_insert(struct arena *arena, const struct changes *changes,
                                   const struct change_insert *insert);

// Returns what a choice changes at a place, in words: "P1, line 9: ld.weak → ld.acquire.gpu". The
// arena owns it. NULL when it leaves the place as written.
const char *change_describe(struct arena *arena, const struct changes *changes, size_t place,
                            size_t form);

#endif
