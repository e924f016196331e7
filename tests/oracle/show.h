// What a state shows, and what the condition says of it.
#ifndef PTXLITMUS_ORACLE_SHOW_H
#define PTXLITMUS_ORACLE_SHOW_H

#include "tests/oracle/compute.h"
#include "tests/oracle/memory.h"

// A register or location that states show.
struct shown_term {
    struct term term;
    const char *name; // as JSON spells it
    unsigned width;
    bool is_signed;
};

struct shown_list {
    const struct test *test;
    struct shown_term *terms;
    size_t count;
};

// The terms of the condition, the filter and `locations`, each once. The caller releases the list
// with shown_free.
struct shown_list shown_find(const struct test *test);
void shown_free(struct shown_list *list);

// The object and bytes of a location. `offset` and `size` are in bytes.
struct extent {
    int object;
    unsigned offset, size;
};
struct extent shown_extent(const struct memory *memory, const struct term *term);

// Values of registers and locations in a final state, for conditions.
struct state {
    const struct memory *memory;
    struct value (*value)(void *context, const struct term *term);
    void *context;
};

// Whether a condition holds; NULL holds.
enum truth condition_truth(const struct state *state, const struct condition *condition);

#endif
