// The instruction table: every form of every PTX instruction that is read, as data.
//
// The rows are in instructions.def and qualifiers.def. The parser, the messages and the check of
// targets all work from them, so that reading one more form is adding one more row.
#ifndef PTXLITMUS_PTX_INSTRUCTIONS_H
#define PTXLITMUS_PTX_INSTRUCTIONS_H

#include "litmus/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

// --- Qualifiers --------------------------------------------------------------------------------

// What a qualifier specifies: at most one of a class, unless a form has more slots.
enum qualifier_class {
#define CLASS(id, name, noun, weight) CLASS_##id,
#include "litmus/ptx/qualifiers.def"
    CLASS_COUNT
};

struct qualifier {
    enum qualifier_class class;
    const char *spelling; // with the dot
    int value;            // of the enum that belongs to the class
};

// Returns the qualifier of this spelling in this class, or NULL. One spelling may be in several
// classes
// (`.and` is an atomic operation and a combination of predicates).
const struct qualifier *ptx_qualifier(enum qualifier_class class, const char *spelling);

// Returns how a value of a class is written, with the dot: the first spelling in the table; "" for
// a value that is not written.
const char *ptx_spelling(enum qualifier_class class, int value);

// Whether any class knows the spelling.
bool ptx_is_qualifier(const char *spelling);

// "scope", "order", ...: as the table calls a class.
const char *ptx_class_name(enum qualifier_class class);

// "a scope", "a memory order", ...
const char *ptx_class_noun(enum qualifier_class class);

// How much it costs a form, in the search for the nearest one, to disagree with a written qualifier
// of this class: the more, the more the class decides what an instruction is.
unsigned ptx_class_weight(enum qualifier_class class);

// --- Operands ----------------------------------------------------------------------------------

// A role says what an operand may be; the flags are added to it.
enum operand_role {
    ROLE_NONE,
    DESTINATION,     // a register of the instruction's type
    SOURCE,          // a register or a constant of the instruction's type
    MEMORY,          // [address]
    PREDICATE,       // a predicate as a source: %p, !%p, or a constant
    PREDICATE_PAIR,  // %p or %p|%q as a destination
    MOVE_SOURCE,     // a register, a constant or the address of a variable
    ADDRESS_SOURCE,  // the same, for cvta, which wants an address
    GENERIC_ADDRESS, // a register of 32 or 64 bits, or a constant (isspacep)
    LABEL,
    POLICY,        // a cache policy: checked and dropped, since hints do not change the model
    SIZE_128,      // the constant 128
    FRACTION,      // a number above 0 and at most 1, or an .f32 register (createpolicy)
    TABLE,         // a constant of 0 to 255 (lop3)
    RESULT_PAIR,   // d|p as a destination: a register, or '_', and a predicate (lop3)
    SIZE,          // a number of bytes: a register of 32 or 64 bits, or a constant (st.bulk)
    ZERO,          // the constant 0 (st.bulk)
    NOTHING,       // '_' as a destination: there is no result (mbarrier.arrive.shared::cluster)
    ACCUMULATOR,   // the registers of D of a product of matrices
    MATRIX,        // the descriptor of a matrix in shared memory: a register of 64 bits
    FRAGMENT,      // the same, or registers of A
    METADATA,      // of a sparse matrix: a register of 32 bits
    SELECTOR,      // which threads give it: 0 or 1, of elements of 8 bits 0
    SCALE,         // a predicate, or 0 or 1
    SIGN,          // 1 or -1
    BIT,           // 0 or 1
    TENSOR,        // [t]: an address of tensor memory
    TENSOR_RESULT, // registers that tcgen05.ld writes
    TENSOR_SOURCE, // registers that tcgen05.st reads
    TENSOR_A,      // a MATRIX or a TENSOR
    TAIL,          // of a product: which lanes are left out, whether D is added, and its factor
    TENSOR_MAP,    // [t of a [t, {c}]: a tensormap
    COORDINATES,   // {c} of it
    REPORT_PAIR,   // p or p|q as a destination, of which q may be '_' (mbarrier.test_wait)
    OFFSETS,       // {o}: im2col offsets, two fewer than there are dimensions
    ROLE_MASK = 0xff,
    WIDER = 0x100,            // the register may be wider than the type (ld, st, cvt)
    TWICE = 0x200,            // the register is twice as wide as the type (mul.wide)
    OF_SOURCE = 0x400,        // has the second type (cvt)
    OF_U32 = 0x800,           // is .u32 whatever the type (shift amounts, barriers)
    UNIFIED = 0x1000,         // .unified may follow
    OPTIONAL = 0x2000,        // may be left out
    WHEN_HINT = 0x4000,       // there exactly when .L2::cache_hint is
    WHEN_BOOL = 0x8000,       // there exactly when a combination of predicates is
    SINK = 0x10000,           // may be '_'
    SINK_ELEMENT = 0x20000,   // elements of a vector may be '_'
    SINK_WIDE = 0x40000,      // the same, but only in vectors of 256 bits
    BELOW_16 = 0x80000,       // a constant is at most 15 (the number of a barrier)
    BELOW_256 = 0x100000,     // a constant is at most 255 (a position or length of bits)
    OF_PRED = 0x200000,       // is a predicate whatever the type (isspacep)
    ALONE = 0x400000,         // of a RESULT_PAIR, the predicate may be left out (shfl)
    KEPT = 0x800000,          // of a RESULT_PAIR, the register must not be '_' (shfl)
    FROM = 0x1000000,         // an address in the second state space (of the source of a copy)
    IN_CTA = 0x2000000,       // an address in .shared::cta memory (of the mbarrier of a copy)
    CONSTANT = 0x4000000,     // a constant alone (the size of a cp.async, the number of groups)
    OF_U16 = 0x10000000,      // is .u16 whatever the type (the CTAs of a multicast)
    OR_PREDICATE = 0x8000000, // or a predicate (cp.async: what is read, or whether nothing is)
    OF_B8 = 0x20000000,       // is .b8 whatever the type (the report of an mbarrier)
    OF_MBARRIER = 0x10000000, // an address of an mbarrier, whatever the type (try_cancel)
};

enum { FORM_OPERANDS = 10 };

// --- Forms -------------------------------------------------------------------------------------

// One line of a syntax block of the ISA.
struct form {
    enum opcode opcode;
    const char *name; // the opcode and the qualifiers that have to follow it at once: "mul.wide"
    // Slots, separated by spaces. `class:.a|.b` must be filled, `{class:.a|.b}` may be,
    // `{class:.a|.b=.a}` has a default, `(class:.a)` is never written and always meant. Two slots
    // of one class (the types of cvt) are filled in the order of writing.
    const char *qualifiers;
    unsigned ptx;        // first PTX version, 60 for 6.0
    unsigned sm;         // first target, or one alone: see PTX_SPECIFIC
    const char *outside; // why a form that PTX has is not read; NULL for all others
    uint32_t operands[FORM_OPERANDS];
};

// Returns all forms, `*count` of them; those of one name are neighbours. This table and all others
// here are constants, which live for ever.
const struct form *ptx_forms(size_t *count);

// Returns the first of the `*count` forms with this name, or NULL.
const struct form *ptx_forms_named(const char *name, size_t *count);

// Part of the table's text.
struct piece {
    const char *text;
    size_t length;
};

struct slot {
    enum qualifier_class class;
    struct piece alternatives; // ".a|.b"
    struct piece fallback;     // ".a", empty when there is no default
    bool optional, implied;
};

// Iterates over the slots of a form: `cursor` starts as form->qualifiers. Returns false at the end.
bool ptx_next_slot(const char **cursor, struct slot *slot);

// Iterates over the alternatives of a slot: `rest` starts as slot->alternatives. Returns false at
// the end.
bool ptx_next_alternative(struct piece *rest, struct piece *alternative);

// Whether a piece is this text.
bool ptx_piece_is(struct piece piece, const char *text);

// As ptx_qualifier, for a piece of a text.
const struct qualifier *ptx_qualifier_of(enum qualifier_class class, struct piece spelling);

// Whether a spelling is one of several, "a|b".
bool ptx_is_alternative(const char *alternatives, const char *spelling);

// Whether a qualifier (".u32") is one of the slot's alternatives.
bool ptx_slot_takes(const struct slot *slot, const char *spelling);

// Finds how many operands a form takes at least and at most, given which conditional ones are
// there.
void ptx_operand_counts(const struct form *form, bool has_hint, bool has_bool, unsigned *least,
                        unsigned *most);

// --- Versions and targets ----------------------------------------------------------------------

// Qualifiers that are newer than their form: `qualifiers` together, on the instructions `names`,
// need this version and target. When a form always has the qualifier, its own row says since when.
struct requirement {
    const char *names;      // opcodes, separated by '|'
    const char *qualifiers; // spellings, separated by '+'
    unsigned ptx;
    unsigned sm;
};

// Returns all `*count` of these rows.
const struct requirement *ptx_requirements(size_t *count);

// --- Words -------------------------------------------------------------------------------------

// Returns a sentence that helps with a qualifier that an instruction does not take, or NULL.
const char *ptx_explanation(const char *name, const char *spelling);

// What PTX has and is not read: a row of unread.def.
struct unread {
    const char *names; // "tex", "cp.async.bulk"; of a qualifier, the names that take it: "st|red"
    const char *qualifiers; // ".e4m3x2|.e5m2x2", or NULL: all of the instruction is meant
    const char *all;        // of an instruction, the qualifiers that its forms have; NULL: not said
    unsigned ptx, sm;       // as in struct form
    const char *what;       // "video instructions are", to be followed by "not modelled"
};

// Returns all `*count` of these rows.
const struct unread *ptx_unread_rows(size_t *count);

// Returns the row of an instruction that is not read, by its whole name, or NULL.
const struct unread *ptx_unread(const char *name);

// Returns the row of a qualifier that only forms that are not read take, or NULL.
const struct unread *ptx_beyond(const char *name, const char *spelling);

// Returns "since PTX ISA 8.6, sm_100", owned by the arena.
const char *ptx_since_text(struct arena *arena, unsigned ptx, unsigned sm);

// Returns the opcode nearest to a misspelt word, owned by the arena, or NULL.
const char *ptx_nearest_opcode(struct arena *arena, const char *word);

// Whether the word starts an instruction of PTX, read or not.
bool ptx_is_opcode(const char *word);

#endif
