// Inside litmus/readers: nvlitmus's files (litmus-format.md section 1), whose grammar is that of
// NVlabs/mixedproxy, src/grammar.lark.
//
// file = test ("$$" rows)?
// test = declaration* thread+ command+
//
// The table: nvlitmus/table.c. Declarations, threads and commands: nvlitmus.c. Instructions:
// nvlitmus/body.c. Conditions: condition.c.
#ifndef PTXLITMUS_LITMUS_READERS_NVLITMUS_NVLITMUS_H
#define PTXLITMUS_LITMUS_READERS_NVLITMUS_NVLITMUS_H

#include "litmus/readers/frame.h"

// --- nvlitmus.c --------------------------------------------------------------------------------

// Whether a file of unspecified syntax is one of nvlitmus's: it is named *.test and does not begin
// with the word PTX, or it begins as only these do.
bool nvlitmus_recognise(const struct source *source);

// The same by the text alone: whether it begins with a declaration or a thread.
bool nvlitmus_begins(const struct source *source);

// Reads all tests of a file: one for each row of the table and command. The list and the tests live
// in `arena`; errors are in `diagnostics`.
void nvlitmus_read(struct arena *arena, const struct source *source,
                   struct diagnostics *diagnostics, struct test_list *tests);

// --- nvlitmus/table.c --------------------------------------------------------------------------

struct nvlitmus_row {
    uint32_t begin, end; // bytes of the source, without white space around them
    unsigned number;     // from 1
};

// The place of a "$N" in the text.
struct nvlitmus_parameter {
    uint32_t begin, end;
    unsigned column;
};

struct nvlitmus_table {
    const struct source *source;
    bool present;
    struct span marker;     // the "$$"
    uint32_t text_end;      // of the test before the table
    unsigned columns;       // that the test names
    struct span last_named; // the parameter that names the last one
    struct nvlitmus_parameter *parameters;
    size_t parameter_count;
    struct nvlitmus_row *rows;
    size_t row_count;
};

// Finds the table, its rows and the parameters that mean its columns. Returns false after an
// error.
bool nvlitmus_find_table(struct arena *arena, const struct source *source,
                         struct diagnostics *diagnostics, struct nvlitmus_table *table);

// Returns the test with the cells of a row in place of the parameters: a source of pieces of the
// file whose lines are those of the test. The arena owns it.
const struct source *nvlitmus_expand(struct arena *arena, const struct nvlitmus_table *table,
                                     const struct nvlitmus_row *row);

// --- nvlitmus/body.c ---------------------------------------------------------------------------

// A register: it has one name in all threads, and one instruction that writes it.
struct nvlitmus_register {
    int thread;
    struct span span;
};

// The threads of one CTA that access a .shared variable.
struct nvlitmus_user {
    int variable, thread;
};

struct nvlitmus {
    struct frame frame;
    struct name_table *thread_names;
    struct name_table *register_names;
    struct nvlitmus_register *registers;
    size_t register_count;
    struct condition **filters; // of loads with "== v"
    size_t filter_count;
    struct nvlitmus_user *shared_users;
    size_t shared_user_count;
};

// Parses the instructions of a thread, from after its '{' to its '}'. Errors are in the
// diagnostics.
void nvlitmus_parse_body(struct nvlitmus *parser, int thread);

// Returns a thread's name, "d0.b0.t0"; the arena owns it.
const char *nvlitmus_thread_name(struct nvlitmus *parser, int thread);

// Reads the ';' at the end of `what`. Returns false, after an error, when reading can only go on
// after the next one.
bool nvlitmus_end(struct nvlitmus *parser, const char *what);

// Skips past the next ';', or to what starts a line or closes a block before it.
void nvlitmus_skip(struct nvlitmus *parser);

#endif
