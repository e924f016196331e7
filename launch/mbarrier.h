// mbarriers of a run: what comes to them, and what waits for their phases.
#ifndef PTXLITMUS_LAUNCH_MBARRIER_H
#define PTXLITMUS_LAUNCH_MBARRIER_H

#include "launch/internal.h"

// Returns the mbarrier at an operand [m], which the thread may use; NULL after giving up.
struct mbarrier *mbarrier_of(struct machine *machine, struct lane *lane,
                             const struct instruction *instruction, const struct operand *operand);

// Returns the mbarrier that is in a block what another one is in its own, and which the thread may
// use; NULL after giving up.
struct mbarrier *mbarrier_like(struct machine *machine, struct lane *lane,
                               const struct instruction *instruction, const struct mbarrier *m,
                               const struct block *block);

// Returns the block whose shared memory an mbarrier is in.
const struct block *mbarrier_block(const struct machine *machine, const struct mbarrier *m);

// Where an mbarrier is, and what its phase at hand waits for.
struct mbarrier_phase {
    unsigned object;
    uint64_t offset, number;
    int64_t pending, transactions;
};

// Returns that.
struct mbarrier_phase mbarrier_now(const struct mbarrier *m);

// Returns where the first mbarrier in an object is that ends after an offset; UINT64_MAX: there is
// none.
uint64_t mbarrier_next(const struct machine *machine, unsigned object, uint64_t offset);

// What comes to an mbarrier.
struct arrival {
    struct clock *clock;    // what is before it; the caller's
    struct clock *released; // what of that those who wait for the phase acquire; or NULL
    bool is_delivery;       // what is complete then, and no arrival of a thread
    int64_t count;          // arrivals
    int64_t transactions;
};

// Returns the actor that what completes on an mbarrier in its phases is, and in `*time` its time in
// the phase at hand; gives up, and returns 0, where there are too many.
uint32_t mbarrier_actor(struct machine *machine, const struct instruction *instruction,
                        const struct mbarrier *m, uint32_t *time);

// Lets a thread, or an operation that it has started, arrive.
bool mbarrier_arrive_at(struct machine *machine, struct lane *lane,
                        const struct instruction *instruction, struct mbarrier *m,
                        const struct arrival *arrival);

// A phase of an mbarrier for which a wait is: its parity, or the state that an arrival gave.
struct awaited_phase {
    const struct mbarrier *m;
    enum opcode opcode;
    uint64_t asked;
};

// Finds for what a wait is, with these registers of the thread; gives up where that is not known.
bool mbarrier_asked(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction, const struct step_value *registers,
                    uint64_t *asked);

// Finds whether the phase is complete for which a wait is; gives up where PTX does not say.
bool mbarrier_is_complete(struct machine *machine, const struct instruction *instruction,
                          const struct mbarrier *m, uint64_t asked, bool *passed);

// Whether a wait that has found a phase complete does so in every execution.
bool mbarrier_is_certain(const struct lane *lane, const struct mbarrier *m);

// Whether a wait, with these registers of the thread, is for that phase.
bool mbarrier_awaits(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction, const struct step_value *registers,
                     const struct awaited_phase *awaited);

// Lets a thread go on after a wait that has found its phase complete.
bool mbarrier_pass(struct machine *machine, struct lane *lane,
                   const struct instruction *instruction, struct mbarrier *m);

// Makes mbarriers known to those who wait for a phase of the cluster's barrier: those that a thread
// has initialised before a fence.mbarrier_init. (ptx-9.1.cat: `init-sync`)
void mbarriers_announce(struct machine *machine, const struct lane *lane, uint32_t phase);

// Notes that all that completes on the mbarriers of a block is done.
void mbarriers_finish(const struct machine *machine, const struct block *block,
                      struct clock *clock);

// Whether bytes of an object are those of an mbarrier.
bool mbarrier_is_at(struct machine *machine, unsigned object, uint64_t offset, unsigned size);

// Runs an operation on an mbarrier that is not a wait.
bool run_mbarrier(struct machine *machine, struct lane *lane,
                  const struct instruction *instruction);

// Runs a wait for a phase of an mbarrier.
bool run_wait(struct machine *machine, struct lane *lane, const struct instruction *instruction);

// Frees what mbarriers have.
void mbarriers_free(struct machine *machine);

#endif
