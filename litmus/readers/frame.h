// Inside litmus/readers: the parser of a test's frame, that is everything but the bodies.
//
// test = ("PTX" | "C++") name string* declarations (table | block+) tail
// declarations: declarations.c, qualifiers.c, declarators.c, initialiser.c, registers.c; threads:
// placement.c, bodies.c; tail: tail.c, condition.c. The bodies are collected as tokens first, since
// the dialect is guessed from all of them.
#ifndef PTXLITMUS_READERS_FRAME_H
#define PTXLITMUS_READERS_FRAME_H

#include "litmus/names/names.h"
#include "litmus/readers/reader.h"

// Limits. They keep a hostile input's cost in proportion to its size.
enum {
    THREADS_MAX = 1024,           // that a test writes
    LAUNCHED_MAX = 8192,          // of all its launches
    VARIABLE_BYTES_MAX = 1 << 20, // of all variables together, but for
    ZERO_BYTES_MAX = 1 << 30,     // those in .global memory that begin as zeros
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

// A floating-point constant: see floats.c.
struct float_number {
    const struct token *token; // without the sign; NULL: there is none
    bool negative;
    struct span span;
};

// P1:r1=3;
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
    struct frame_body *bodies; // one per thread
    size_t body_count;
    struct register_initial *register_initials;
    size_t register_initial_count;
    struct address_initial *address_initials;
    size_t address_initial_count;
    uint64_t variable_bytes, zero_bytes;
    unsigned open_lists; // of initial values
    unsigned body;       // of the declaration at hand, as in struct variable
    unsigned repeated;   // declarations that bodies share
    const char *suffix;  // of the variables' names, or NULL
    bool threads_failed; // a thread's name had errors
    unsigned depth;      // of the condition
    bool *cta_leaders;   // of term.c
};

// --- frame.c: tokens ---------------------------------------------------------------------------

// Returns the token `ahead` places after the current one; the TOKEN_END when there is none. Tokens
// belong to the frame.
const struct token *frame_peek(const struct frame *frame, size_t ahead);

// Returns the current token.
static inline const struct token *frame_current(const struct frame *frame) {
    return frame_peek(frame, 0);
}

// Goes to the next token and returns the one that was current.
const struct token *frame_next(struct frame *frame);

// Goes past the current token if it is this mark; returns whether it is.
bool frame_accept_punct(struct frame *frame, int punct);

// The same, with the error "expected `what`, not 'x'" if it is not.
bool frame_expect(struct frame *frame, int punct, const char *what);

// Goes past the current token if it is a word and returns it; else returns NULL after the error
// "expected `what`, not 'x'".
const struct token *frame_expect_word(struct frame *frame, const char *what);

// Reads the name of a variable, which messages call `what`. Returns its index, or -1 after an
// error.
int frame_require_variable(struct frame *frame, const char *what);

// Returns the empty span after the last token that was read, or after the header.
struct span frame_after_previous(const struct frame *frame);

// Returns what messages call a token, "'ld'" or "the end of the file"; the arena owns it.
const char *frame_describe_token(struct frame *frame, const struct token *token);

// Adds the error "expected X, not 'ld'" at the current token. Returns false.
bool frame_error_expected(struct frame *frame, const char *what);

// Whether a word is `prefix` and a decimal number ("P12", "cta0"), which is stored. A number that
// does not fit is UINT_MAX.
bool frame_word_number(const struct token *token, const char *prefix, unsigned *number);

// Whether the current token starts a register with its thread: P1:r0, 1:r0 or P1.r0.
bool frame_at_register(const struct frame *frame);

// Reads such a register: the number of the thread with its place, and the name, a word. Returns
// false after an error.
bool frame_parse_register(struct frame *frame, unsigned *thread, struct span *span,
                          struct token *name);

// Whether a thread's header starts at the current token.
bool frame_at_thread_header(const struct frame *frame);

// Whether the tail starts at the current token.
bool frame_at_tail(const struct frame *frame);

// The words that begin a part of the tail, those before a condition first.
enum tail_word { TAIL_NONE, TAIL_EXISTS, TAIL_FORALL, TAIL_FILTER, TAIL_LOCATIONS };

// Returns the word as it is written, which lives for ever; not of TAIL_NONE.
const char *frame_tail_word_text(enum tail_word word);

// The word of the tail that the current token, which starts a line, seems to misspell; or NONE.
enum tail_word frame_nearest_tail_word(const struct frame *frame);

// Whether the tail starts at the current token, or what seems to be a misspelt word of it.
bool frame_may_be_at_tail(const struct frame *frame);

// constant = ("+" | "-")? integer
struct constant {
    struct bits128 value; // sign-extended when negative
    bool negative;
    struct span span;
};

// Reads a constant; `what` names it in messages. Returns false after an error.
bool frame_parse_constant(struct frame *frame, const char *what, struct constant *constant);

// Reads a number that must fit an unsigned int, for places and elements. Returns false after an
// error.
bool frame_parse_unsigned(struct frame *frame, const char *what, unsigned *number);

// Whether a constant fits in `bits` bits, whether they are read as signed or unsigned.
bool frame_constant_fits(struct bits128 value, bool negative, unsigned bits);

// Returns the lowest `bits` bits of a value.
struct bits128 frame_truncate_bits(struct bits128 value, unsigned bits);

// Returns what the user wrote at a span, "300", "-5" or "0x1f...", cut when it is long; the arena
// owns it.
const char *frame_span_text(struct frame *frame, struct span span);

// Returns the index of the thread with this number, or -1 after an error.
int frame_resolve_thread(struct frame *frame, unsigned number, struct span span);

// --- floats.c: floating-point numbers, which mean their bits -----------------------------------

// Reads a number, ("+" | "-")? float. Returns false when the current tokens are something else.
bool frame_parse_number(struct frame *frame, struct float_number *number);

// Returns the width in bits that a number has when its context does not say it.
unsigned frame_float_width(struct frame *frame, const struct float_number *number);

// Finds the bits of the number in a type (TYPE_NONE: in any of that width). Returns false after an
// error, when the type has no such numbers.
bool frame_float_bits(struct frame *frame, const struct float_number *number, enum scalar_type type,
                      unsigned bits, struct bits128 *value);

// --- header.c: what comes before the declarations ----------------------------------------------

// Each file has the grammar of what it reads. What is read goes into frame->test.

// Whether a text begins as a litmus test does, with PTX or C++. `arena` is for the moment.
bool frame_begins(struct arena *arena, const struct source *source);

// Reads the language and the name (header.c). Returns the offset after them in bytes, or 0 after an
// error that makes reading on impossible.
uint32_t frame_read_header(struct frame *frame, const struct source *source);

// Returns the offset of the first byte after white space and comments; the end of the text when a
// comment does not end (header.c).
uint32_t frame_skip_comments(const struct source *source);

// Reads a description that has quotes inside, as Dat3M's files may: it starts and ends with a quote
// and is followed by a '{' that starts a line (header.c). Returns the offset of that, or `begin`
// when the descriptions are plain strings, for frame_parse_descriptions.
uint32_t frame_read_free_description(struct frame *frame, const struct source *source,
                                     uint32_t begin);

// Reads the strings that describe the test (header.c).
void frame_parse_descriptions(struct frame *frame);

#endif
