// What is found out, before a program is built, of threads that a launch leaves out
// (memory-model.md section 13): left_out.c runs each of them by itself, left_mbarriers.c notes what
// it does at mbarriers, and left_phases.c in which phases of these it arrives.
#ifndef PTXLITMUS_LITMUS_PROGRAM_LEFT_OUT_H
#define PTXLITMUS_LITMUS_PROGRAM_LEFT_OUT_H

#include "litmus/program/program.h"

struct builder;

// Bytes that threads that a launch leaves out may access, at generic addresses.
struct left_range {
    uint64_t begin, end;
};
enum { CTA_BARRIERS = 16 };

// Where accesses of them may be.
struct left_places {
    struct left_range *items; // sorted
    size_t count;
    bool anywhere_global, anywhere_shared; // that is not known
};

// The phases of an mbarrier that are counted; later ones are taken for the last one of them.
enum { LEFT_PHASES = 64 };

// What they do at an mbarrier.
struct left_mbarrier {
    uint64_t address;
    bool waits;          // some of them may wait there, or look
    const char *refused; // why operations of the test there are refused; NULL: they are not
    unsigned line;       // of an arrival of them, or 0
    unsigned inits;      // by threads of the test
    unsigned count;      // that they give it
    bool changes;        // some thread of the test drops out, or raises the pending count
    // By phase: how many arrivals of threads that are left out are in none before it.
    unsigned joins[LEFT_PHASES];
};

struct left_thread;

struct left_mbarriers {
    struct left_mbarrier *items;
    size_t count;
    struct left_mbarrier anywhere; // at addresses that are not known
    struct left_thread *threads;   // the last one first: what all threads do at mbarriers, in order
    bool blind; // where some thread of the test arrives, or how often, is not known
};

// --- left_mbarriers.c --------------------------------------------------------------------------

// Returns the mbarrier at an address, one that is added where there is none.
struct left_mbarrier *left_mbarriers_find(struct left_mbarriers *mbarriers, struct arena *arena,
                                          const struct expr *address);

// Adds what a thread does that is left out, which was run by itself.
void left_mbarriers_note(struct left_mbarriers *mbarriers, struct arena *arena,
                         const struct builder *ran);

// Notes that nothing is known of a thread, for a reason, which may be empty.
void left_mbarriers_give_up(struct left_mbarriers *mbarriers, struct arena *arena,
                            const char *reason);

// Returns why an operation on the mbarrier at an address is refused since threads that are left out
// use it, or NULL.
const char *left_mbarriers_refuse(const struct builder *builder, const struct expr *address);

// Whether threads that are left out may wait at the mbarrier at an address.
bool left_mbarriers_wait(const struct builder *builder, const struct expr *address);

// Returns the mbarrier at an address if threads that are left out arrive there, else NULL.
const struct left_mbarrier *left_mbarriers_joined(const struct builder *builder,
                                                  const struct expr *address);

// Whether there is an mbarrier at which threads that are left out arrive.
bool left_mbarriers_join_any(const struct builder *builder);

// --- left_phases.c -----------------------------------------------------------------------------

// Adds the arrivals and waits of a thread that was run by itself, of the test or left out.
void left_phases_add(struct left_mbarriers *mbarriers, struct arena *arena,
                     const struct builder *ran, bool left_out);

// Finds the phases of all arrivals of threads that are left out, after all threads have been added,
// and refuses mbarriers whose phases these could complete alone. `by_waits`: what follows a wait
// comes after what it waits for.
void left_phases_find(struct left_mbarriers *mbarriers, struct arena *arena, bool by_waits);

#endif
