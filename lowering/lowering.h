// Lowering: tests in C++ become tests in PTX, by a table that says which PTX instructions an atomic
// operation with an order and a scope becomes.
//
// A table is a JSON file (docs/lowering.md): those in lowering/tables are built into the program.
#ifndef PTXLITMUS_LOWERING_H
#define PTXLITMUS_LOWERING_H

#include "litmus/test.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;

// What a row of a table is about.
enum lowered_operation {
    LOWERED_PLAIN_LOAD,
    LOWERED_PLAIN_STORE,
    LOWERED_LOAD,
    LOWERED_STORE,
    LOWERED_RMW,
    LOWERED_CAS,
    LOWERED_FENCE,
    LOWERED_COUNT,
};

struct lowering_row {
    enum lowered_operation of;
    unsigned orders, scopes; // bits 1 << enum access_order, 1 << enum scope; of plain accesses 0
    bool has_scopes;         // it names scopes, and goes before rows that do not
    const char **lines;      // of PTX, with words in braces
    size_t line_count;
};

// A word in braces, by scope: "{membar}" is gl for the scope device.
struct lowering_word {
    const char *name;
    const char *texts[SCOPE_SYS + 1]; // NULL: the table has none for the scope
};

struct lowering {
    const char *name, *title;
    struct lowering_row *rows;
    size_t row_count;
    struct lowering_word *words;
    size_t word_count;
};

// Returns the table of a name (built in), or of a path (with a '/', or that ends in ".json"). The
// arena owns it. Returns NULL after errors in `diagnostics`.
const struct lowering *lowering_load(struct arena *arena, const char *name,
                                     struct diagnostics *diagnostics);

// Returns the names of the built-in tables, `*count` of them, and in `*titles` what they are. The
// arena owns them.
const char *const *lowering_names(struct arena *arena, const char *const **titles, size_t *count);

// Returns the text of a test in PTX that a test in C++ becomes, owned by the arena; NULL after
// errors in `diagnostics`, at the statements for which the table has no row.
const char *lowering_text(struct arena *arena, const struct test *test,
                          const struct lowering *lowering, struct diagnostics *diagnostics);

// The same as a test, read from that text.
struct test *lowering_test(struct arena *arena, const struct test *test,
                           const struct lowering *lowering, struct diagnostics *diagnostics);

#endif
