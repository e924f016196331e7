// Memory of a launch while it runs: what it holds, and for each piece of it which accesses a later
// one has to come after.
#ifndef PTXLITMUS_LAUNCH_SHADOW_H
#define PTXLITMUS_LAUNCH_SHADOW_H

#include "launch/clock.h"
#include "program/step.h"

// An access to memory. Elements of a vector are accesses of their own (PTX ISA 8.2.2).
struct shadow_access {
    const struct instruction *instruction;
    int thread;             // that executes it
    uint32_t actor, time;   // that does it: the thread, or what goes on beside it
    uint32_t offset;        // in the object, in bytes
    uint32_t serial;        // of all accesses; the shadow's own
    uint32_t size;          // bytes
    bool writes, is_atomic; // of an atomic operation there is one touch, which writes
    bool is_known;          // it reads what does not depend on the schedule, and gives that on
    bool observes;          // it is strong, and gives on what it reads
    bool stores_known;      // it stores `stored`; else what it stores is not known
    struct bits128 stored;
    enum proxy proxy; // through which it is done
    bool stays;       // no implicit fence hands it over to the generic proxy when it is complete
    const struct place *elsewhere; // where it takes place, if not with its thread; or NULL
    enum scope scope;              // SCOPE_NONE: it is weak
};

// How two accesses of one piece of memory that are not ordered meet.
enum conflict {
    CONFLICT_RACE,   // PTX ISA 8.7.1
    CONFLICT_STRONG, // they are morally strong (8.7): which comes first is left open
    CONFLICT_PROXY,  // they are of different proxies (8.6), ordered or not
};

struct shadow;

// What is told of accesses that meet. `context` is the caller's.
struct shadow_listener {
    void (*meet)(void *context, enum conflict conflict, const struct shadow_access *earlier,
                 const struct shadow_access *later, unsigned object);
    void *context;
};

// Returns the memory of a stepper's test, as it is at first; the listener's context has to live as
// long. It lives in `arena`.
struct shadow *shadow_new(struct arena *arena, const struct stepper *stepper,
                          const struct test *test, const struct shadow_listener *listener);

// Frees what the arena does not own.
void shadow_free(struct shadow *shadow);

// Finds the object and offset of `size` bytes at a generic address. Returns false where they are
// not all in one object.
bool shadow_find(const struct shadow *shadow, uint64_t address, unsigned size, unsigned *object,
                 uint64_t *offset);

// Whether two accesses are morally strong, apart from what they have in common but their bytes.
bool shadow_are_strong(const struct shadow *shadow, const struct shadow_access *a,
                       const struct shadow_access *b);

// What depends on the schedule when morally strong accesses meet.
struct openness {
    bool value;    // that an access reads
    bool contents; // after it
};

// Notes an access, and tells the listener of the accesses that are not ordered before it:
// `moment` says what is before. Memory of one thread alone is not watched.
struct openness shadow_touch(struct shadow *shadow, unsigned object,
                             const struct shadow_access *touch, const struct moment *moment);

// Whether two threads, or one and its asynchronous operations, have accessed the same memory, and
// one of them has written.
bool shadow_is_shared(const struct shadow *shadow);

// Whether the last write to a byte, if any, was one of the generic proxy, and not to an mbarrier.
bool shadow_is_stored(const struct shadow *shadow, unsigned object, uint64_t offset);

// Returns what is in `size` bytes, at most 16.
struct step_value shadow_read(struct shadow *shadow, unsigned object, uint64_t offset,
                              unsigned size);

// Copies bytes, with what is known of each, from one object to another.
void shadow_copy(struct shadow *shadow, unsigned from, uint64_t source, unsigned to,
                 uint64_t destination, unsigned size);

// Writes `size` bytes, at most 16.
void shadow_write(struct shadow *shadow, unsigned object, uint64_t offset, unsigned size,
                  struct step_value word);

#endif
