// Inside litmus/readers: the parser of a test's frame, that is everything but the bodies.
//
// test = "PTX" name string* declarations (table | block+) tail
// declarations: declarations.c, initialiser.c, registers.c; threads: placement.c, bodies.c;
// tail: tail.c, condition.c. The bodies are collected as tokens first, since the dialect is guessed
// from all of them.
#ifndef PTXLITMUS_READERS_FRAME_H
#define PTXLITMUS_READERS_FRAME_H

#include "litmus/names/names.h"
#include "litmus/readers/reader.h"

// Limits. They keep a hostile input's cost in proportion to its size.
enum {
    THREADS_MAX = 1024,
    VARIABLE_BYTES_MAX = 1 << 20, // of all variables together
    LOCATIONS_MAX = 4096,         // values that a state shows
    CONDITION_DEPTH_MAX = 200,    // of parentheses and negations
    ARRAY_DIMENSIONS_MAX = 8,
};

// A thread's body before it is parsed.
struct frame_body {
    struct token *tokens; // grows with arena_grow until it is parsed
    size_t count;
    bool failed; // it had errors, so what it lacks is not worth an error
};

// P1:r1=3;
// A floating-point constant: see floats.c.
struct float_number {
    const struct token *token; // without the sign; NULL: there is none
    bool negative;
    struct span span;
};

struct register_initial {
    unsigned thread_number;
    struct span thread_span;
    struct token name;
    bool is_address;
    struct token variable;      // is_address
    struct float_number number; // or
    struct bits128 value;
    bool negative;
    struct span value_span;
};

// An address in the initialiser of a variable: resolved when all variables are known.
struct address_initial {
    size_t variable, element;
    struct token name;
};

struct frame {
    struct reader reader;
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct test *test;
    const struct token *tokens; // of the whole file, the last a TOKEN_END
    size_t count;
    size_t at;
    struct frame_body *bodies; // one a thread
    size_t body_count;
    struct register_initial *register_initials;
    size_t register_initial_count;
    struct address_initial *address_initials;
    size_t address_initial_count;
    uint64_t variable_bytes;
    unsigned open_lists; // of initial values
    unsigned body;       // of the declaration at hand, as in struct variable
    unsigned repeated;   // declarations that bodies share
    const char *suffix;  // of the variables' names, or NULL
    bool threads_failed; // a thread's name had errors
    unsigned depth;      // of the condition
    bool *cta_leaders;   // of term.c
};

// --- frame.c: tokens ---------------------------------------------------------------------------

// The token `ahead` of the current one; the TOKEN_END behind the end.
const struct token *frame_peek(const struct frame *frame, size_t ahead);
static inline const struct token *frame_current(const struct frame *frame) {
    return frame_peek(frame, 0);
}
// Goes to the next token and returns the one it leaves.
const struct token *frame_next(struct frame *frame);
bool frame_accept_punct(struct frame *frame, int punct);
// The empty span behind the last token that was read, or behind the header.
struct span frame_behind_previous(const struct frame *frame);

// The token as messages call it: "'ld'", "the end of the file".
const char *frame_describe_token(struct frame *frame, const struct token *token);
// "expected X, not 'ld'" at the current token.
void frame_error_expected(struct frame *frame, const char *what);

// Whether a word is `prefix` and a decimal number ("P12", "cta0"), which is stored. A number that
// does not fit is UINT_MAX.
bool frame_word_number(const struct token *token, const char *prefix, unsigned *number);

// Whether a register with its thread stands here: P1:r0, 1:r0 or P1.r0.
bool frame_at_register(const struct frame *frame);
// Reads it: the number of the thread with its place, and the name, a word. Returns false after an
// error.
bool frame_parse_register(struct frame *frame, unsigned *thread, struct span *span,
                          struct token *name);

// Whether a thread's header, or the tail, starts at the current token.
bool frame_at_thread_header(const struct frame *frame);
bool frame_at_tail(const struct frame *frame);
// The word of the tail that the current token, which starts a line, seems to misspell, or NULL.
const char *frame_nearest_tail_word(const struct frame *frame);

// constant = ("+" | "-")? integer. Returns false after an error.
struct constant {
    struct bits128 value; // sign-extended when negative
    bool negative;
    struct span span;
};
bool frame_parse_constant(struct frame *frame, const char *what, struct constant *constant);
// A number that must fit an unsigned int, for places and elements.
bool frame_parse_unsigned(struct frame *frame, const char *what, unsigned *number);

// Whether a constant has a place in `bits` bits, be it read with a sign or without.
bool frame_constant_fits(struct bits128 value, bool negative, unsigned bits);
// The lowest `bits` bits of a value.
struct bits128 frame_truncate_bits(struct bits128 value, unsigned bits);
// "300", "-5", "0x1f...": as the user wrote it.
const char *frame_span_text(struct frame *frame, struct span span);

// The index of the thread with this number, or -1 after an error.
int frame_resolve_thread(struct frame *frame, unsigned number, struct span span);

// --- floats.c: floating-point numbers, which stand for their bits ------------------------------

// number = ("+" | "-")? float. Returns false when something else stands here.
bool frame_parse_number(struct frame *frame, struct float_number *number);
// The width of what the number may be, where nothing else says it.
unsigned frame_float_width(struct frame *frame, const struct float_number *number);
// The bits of the number in a type (TYPE_NONE: of any of that width). Returns false after an error,
// when the type has no such numbers.
bool frame_float_bits(struct frame *frame, const struct float_number *number, enum scalar_type type,
                      unsigned bits, struct bits128 *value);

// --- The parts ---------------------------------------------------------------------------------

// header.c: reads the language and the name. Returns the offset behind them, or 0 after an error
// behind which nothing can be read.
uint32_t frame_read_header(struct frame *frame, const struct source *source);
// The first byte behind white space and comments; the end of the text when a comment is open.
uint32_t frame_skip_comments(const struct source *source);
// Reads a description that has quotes inside, as Dat3M's files may: it starts and ends with a quote
// and goes to a '{' that starts a line. Returns the offset of that, or `begin` when the
// descriptions are plain strings, for frame_parse_descriptions.
uint32_t frame_read_free_description(struct frame *frame, const struct source *source,
                                     uint32_t begin);
void frame_parse_descriptions(struct frame *frame);

// declarations.c: reads all up to the first thread.
void frame_parse_declarations(struct frame *frame);

// directives.c: reads the directive of a PTX module that stands at the current token, when there is
// one: .version, .target or .address_size. Returns whether there was, be it with errors.
bool frame_parse_directive(struct frame *frame);

// functions.c: whether a function starts at the current token, and reads it. Returns false after an
// error.
bool frame_at_function(const struct frame *frame);
bool frame_parse_function(struct frame *frame);

// Errors about functions that have the name of a variable.
void frame_check_function_names(struct frame *frame);

// initialiser.c: `= value` or `= {values}` of the test's variable with this index. `dimensions` are
// those of an array. Returns false after an error.
struct dimensions {
    // 0: the first one, which the initialiser decides. A place more than arrays have is for .v2 or
    // .v4, the innermost dimension.
    uint64_t sizes[ARRAY_DIMENSIONS_MAX + 1];
    unsigned count;
};
bool frame_parse_initialiser(struct frame *frame, size_t variable,
                             const struct dimensions *dimensions);
// How many elements the list at the current '{' has at its outer level.
uint64_t frame_count_initial_list(const struct frame *frame);
void frame_resolve_address_initials(struct frame *frame);

// Declares in a body, for reader_declare_in_body; `context` is the frame.
bool frame_declare_in_body(void *context, const struct thread *thread, const struct token *tokens,
                           size_t count, const char *suffix);

// dat3m.c: as ptx_parse_body, for bodies in Dat3M's dialect.
void dat3m_parse_body(struct reader *reader, struct thread *thread, const struct token *tokens,
                      size_t count);

// registers.c
bool frame_parse_register_initial(struct frame *frame);
void frame_apply_register_initials(struct frame *frame);

// placement.c: reads one thread's header and adds the thread. Returns false when it can go on, but
// not with this thread (errors are in the diagnostics).
bool frame_parse_thread_header(struct frame *frame);

// bodies.c: reads all threads and collects their bodies. Returns false when reading on makes no
// sense.
bool frame_parse_threads(struct frame *frame);

// guess.c
enum dialect frame_guess_dialect(const struct frame *frame);

// condition.c: condition = implication. Returns NULL after errors.
struct condition *frame_parse_condition(struct frame *frame);
// Joins operands (at least one) by CONDITION_AND or CONDITION_OR into a balanced tree: a chain of
// thousands must not make a tree that is as deep.
struct condition *frame_join_conditions(struct frame *frame, enum condition_kind kind,
                                        struct condition **operands, size_t count);
// The error for a token that cannot continue a condition; `what` can.
void frame_error_in_condition(struct frame *frame, const char *what);

// term.c: the operand of a comparison (`right`: the right one, where a bare name is an address), or
// one entry of `locations`. Returns false after an error.
bool frame_parse_term(struct frame *frame, const struct term *left, struct term *term);
// location = name ("[" integer "]")? | "cta" n ":" name ...; registers too. An array without an
// element is allowed and sets `*whole_array`.
bool frame_parse_shown_term(struct frame *frame, struct term *term, bool *whole_array);
// The width of the value that a term stands for, or 0 when it has none of its own.
unsigned frame_term_bits(const struct test *test, const struct term *term);
// The type of a register or a location, TYPE_NONE for a register that was never declared.
enum scalar_type frame_term_type(const struct test *test, const struct term *term);

// expect.c: an `expect` and what follows it. False after an error that leaves it open where it
// ends.
bool frame_parse_expect(struct frame *frame);

// tail.c: locations, filter, the condition and expect, to the end of the file.
void frame_parse_tail(struct frame *frame);

#endif
