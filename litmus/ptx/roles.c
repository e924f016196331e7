// What a role of a form requires of an operand, and whether the written one meets that.
#include "litmus/ptx/body.h"
#include "litmus/ptx/calls.h"
#include "litmus/ptx/matrix.h"
#include "litmus/ptx/operands.h"
#include "litmus/ptx/registers.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// --- Types of operands -------------------------------------------------------------------------

static enum scalar_type twice(enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    switch (type) {
    case TYPE_U16: return TYPE_U32;
    case TYPE_U32: return TYPE_U64;
    case TYPE_S16: return TYPE_S32;
    case TYPE_S32: return TYPE_S64;
    default: bug("no type is twice as wide as .%s", scalar_type_name(type));
    }
}

static enum scalar_type operand_type(const struct statement *statement, uint32_t role) {
    const struct instruction *instruction = statement->instruction;
    switch (role & ROLE_MASK) {
    case PREDICATE:
    case REPORT_PAIR:
    case PREDICATE_PAIR: return TYPE_PRED;
    case POLICY: return TYPE_U64;
    case FRACTION: return TYPE_F32;
    case TABLE: return TYPE_U8;
    default: break;
    }
    if (role & OF_U16)
        return TYPE_U16;
    if (role & OF_U32)
        return TYPE_U32;
    if (role & OF_PRED)
        return TYPE_PRED;
    if (role & OF_B8)
        return TYPE_B8;
    if (role & OF_SOURCE)
        return instruction->source_type;
    return role & TWICE ? twice(instruction->type) : instruction->type;
}

// --- Messages ----------------------------------------------------------------------------------

static const char *describe_role(uint32_t role) {
    switch (role & ROLE_MASK) {
    case DESTINATION: return "a register";
    case MEMORY: return "an address in brackets";
    case REPORT_PAIR:
    case PREDICATE_PAIR: return "a predicate register";
    case PREDICATE: return "a predicate";
    case LABEL: return "a label";
    case TABLE: return "a constant";
    case FRACTION: return "a number above 0 and at most 1, or a register";
    case RESULT_PAIR: return "a register and a predicate, as in %r0|%p0";
    case NOTHING: return "'_'";
    case MOVE_SOURCE: return "a register, a constant or the name of a variable";
    case ADDRESS_SOURCE: return "a register or the name of a variable";
    case ZERO: return "the constant 0";
    default: return "a register or a constant";
    }
}

static const char *raw_text(struct body *body, const struct raw_operand *raw) {
    size_t length = raw->span.end - raw->span.begin;
    return arena_strndup(body->arena, raw->span.source->text + raw->span.begin,
                         length < 40 ? length : 40);
}

// An operand of the wrong kind, with a hint where the slip is a known one.
static bool error_kind(struct statement *statement, const struct raw_operand *raw, uint32_t role) {
    struct body *body = statement->body;
    const char *text = raw_text(body, raw);
    bool variable = raw->word && raw->kind != RAW_MEMORY && !ptx_is_register(body, raw->word);
    diag_error(body->diagnostics, raw->span, "this operand of '%s' must be %s, not '%s'",
               statement->name, describe_role(role), text);
    if ((role & ROLE_MASK) == MEMORY &&
        (raw->kind == RAW_WORD || raw->kind == RAW_SUM || raw->kind == RAW_CONSTANT))
        diag_hint(body->diagnostics, "[%s]", text);
    else if ((role & ROLE_MASK) == MOVE_SOURCE && raw->kind == RAW_MEMORY)
        diag_hint(body->diagnostics, "without brackets it is the address; 'ld' reads memory");
    else if ((role & ROLE_MASK) == SOURCE && raw->kind == RAW_MEMORY)
        diag_hint(body->diagnostics,
                  "only 'ld' and 'atom' read memory: load it into a register first");
    else if (variable && (role & ROLE_MASK) == SOURCE)
        diag_hint(body->diagnostics,
                  "'%s' is a variable: 'ld' reads it, 'mov.u64' takes its address",
                  token_text(body->arena, raw->word));
    else if (variable && (role & ROLE_MASK) == DESTINATION)
        diag_hint(body->diagnostics, "'%s' is a variable: 'st' writes it",
                  token_text(body->arena, raw->word));
    return false;
}

// --- Vector registers --------------------------------------------------------------------------

// The name of a vector register as its elements in braces; everything else as it is.
static struct raw_operand spell_out_vector(struct statement *statement,
                                           const struct raw_operand *raw) {
    struct body *body = statement->body;
    bool special = raw->kind == RAW_SPECIAL && raw->member < 0 &&
                   statement->instruction->vector == 4 && ptx_special_is_vector(raw->special);
    bool word = raw->kind == RAW_WORD && !raw->negated && !raw->name;
    const char *name = word ? token_text(body->arena, raw->word) : "";
    unsigned count = special ? 4 : word ? (unsigned)ptx_vector_size(body, name) : 0;
    if (count == 0)
        return *raw;
    struct raw_operand vector = {.kind = RAW_VECTOR, .span = raw->span, .word = raw->word};
    vector.elements = ARENA_ARRAY(body->arena, struct raw_operand, count);
    vector.element_count = count;
    for (unsigned i = 0; i < count; i++) {
        vector.elements[i] = *raw;
        vector.elements[i].member = (int)i;
        vector.elements[i].name = word ? ptx_vector_element(body, name, i) : NULL;
    }
    return vector;
}

// --- Registers and constants -------------------------------------------------------------------

static bool resolve_register(struct statement *statement, const struct raw_operand *raw,
                             const struct register_need *need, struct operand *operand) {
    if (raw->negated && (need->is_written || need->type != TYPE_PRED))
        return diag_error(statement->body->diagnostics, raw->span,
                          "'!' goes with a predicate that is read");
    operand->kind = OPERAND_REGISTER;
    operand->negated = raw->negated;
    operand->reg = raw->name ? ptx_use_register_named(statement->body, raw->name, raw->word, need)
                             : ptx_use_register(statement->body, raw->word, need);
    return operand->reg >= 0;
}

static bool resolve_constant(struct statement *statement, const struct raw_operand *raw,
                             enum scalar_type type, struct operand *operand) {
    assert((unsigned)type <= TYPE_F64);
    struct diagnostics *diagnostics = statement->body->diagnostics;
    const char *text = raw_text(statement->body, raw);
    unsigned bits = scalar_type_bits(type);
    operand->kind = OPERAND_IMMEDIATE;
    operand->immediate = ptx_constant_bits(&raw->constant);
    if (scalar_type_is_float(type)) {
        diag_error(diagnostics, raw->span, "'%s' is an integer, and this operand is .%s", text,
                   scalar_type_name(type));
        diag_hint(diagnostics, "%s",
                  type == TYPE_F64   ? "'1.0', or its bits as in 0d3ff0000000000000"
                  : type == TYPE_F32 ? "'1.0', or its bits as in 0f3f800000"
                  : bits == 16       ? "PTX has no constants of this type: 'mov.b16' its bits into "
                                       "a register"
                                     : "PTX has no constants of this type: 'mov.b32' its bits into "
                                       "a register");
        return false;
    }
    if (type == TYPE_PRED) { // PTX ISA 4.5.3: as in C
        struct bits128 bits_of = operand->immediate;
        operand->immediate = (struct bits128){.low = bits_of.low != 0 || bits_of.high != 0};
        return true;
    }
    if (ptx_constant_fits(&raw->constant, bits))
        return true;
    diag_error(diagnostics, raw->span, "'%s' does not fit .%s", text, scalar_type_name(type));
    diag_hint(diagnostics, "%u bits hold %lld to %llu", bits, -(1ll << (bits - 1)),
              (1ull << bits) - 1);
    return false;
}

struct bits128 ptx_float_bits(struct body *body, const struct raw_operand *raw,
                              enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    const struct token *token = raw->number;
    const char *text = token_text(body->arena, token);
    bool is_bits =
        text[0] == '0' && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D');
    uint64_t sign = scalar_type_bits(type) == 32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    uint64_t bits = is_bits ? token->value.low : decimal_bits(text, type == TYPE_F32 ? 32 : 64);
    return (struct bits128){.low = raw->negated ? bits ^ sign : bits};
}

// 0f and 0d constants go with floating and bit types of their size, decimal ones with floating
// types.
static bool resolve_float(struct statement *statement, const struct raw_operand *raw,
                          enum scalar_type type, struct operand *operand) {
    assert((unsigned)type <= TYPE_F64);
    const char *text = token_text(statement->body->arena, raw->number);
    char mark = (char)(text[0] == '0' ? text[1] | 0x20 : 0);
    bool fits;
    if (mark == 'f')
        fits = type == TYPE_F32 || type == TYPE_B32;
    else if (mark == 'd')
        fits = type == TYPE_F64 || type == TYPE_B64;
    else
        fits = type == TYPE_F32 || type == TYPE_F64;
    if (!fits)
        return diag_error(statement->body->diagnostics, raw->span,
                          "'%s' is a floating-point number, and this operand is .%s",
                          raw_text(statement->body, raw), scalar_type_name(type));
    operand->kind = OPERAND_IMMEDIATE;
    operand->immediate = ptx_float_bits(statement->body, raw, type);
    return true;
}

// PTX ISA 9.7.13.1: sixteen barriers a CTA. (That its thread counts are multiples of 32 is not
// checked: a litmus test has a thread where a program has a warp.)
static bool check_barrier_number(struct statement *statement, const struct raw_operand *raw) {
    if (raw->constant.value < 16)
        return true;
    return diag_error(statement->body->diagnostics, raw->span,
                      "there is no barrier '%s': barriers are numbered 0 to 15",
                      raw_text(statement->body, raw));
}

// bfe and bfi take 0 to 255 (PTX ISA 9.7.1.19, 9.7.1.20).
static bool check_bit_number(struct statement *statement, const struct raw_operand *raw) {
    if (raw->constant.value < 256)
        return true;
    return diag_error(statement->body->diagnostics, raw->span,
                      "positions and lengths of '%s' are 0 to 255, not '%s'", statement->name,
                      raw_text(statement->body, raw));
}

// A register or a constant as a source; or, where `role` is a destination, a register alone.
static bool resolve_value(struct statement *statement, const struct raw_operand *raw, uint32_t role,
                          struct operand *operand) {
    bool is_written = (role & ROLE_MASK) == DESTINATION || (role & ROLE_MASK) == PREDICATE_PAIR ||
                      (role & ROLE_MASK) == REPORT_PAIR;
    struct register_need need = {.type = operand_type(statement, role),
                                 .wider = (role & WIDER) != 0,
                                 .is_written = is_written};
    if (ptx_names_register(statement->body, raw))
        return resolve_register(statement, raw, &need, operand);
    if (raw->kind == RAW_SPECIAL && !is_written)
        return ptx_resolve_special(statement, raw, &need, operand);
    if (raw->kind == RAW_CONSTANT && !is_written)
        return resolve_constant(statement, raw, need.type, operand) &&
               (!(role & BELOW_16) || check_barrier_number(statement, raw)) &&
               (!(role & BELOW_256) || check_bit_number(statement, raw));
    if (raw->kind == RAW_FLOAT && !is_written)
        return resolve_float(statement, raw, need.type, operand);
    return error_kind(statement, raw, role);
}

// --- Vectors -----------------------------------------------------------------------------------

static bool sink_allowed(const struct statement *statement, uint32_t role) {
    const struct instruction *instruction = statement->instruction;
    bool wide = scalar_type_bits(instruction->type) * instruction->vector == 256;
    return (role & SINK_ELEMENT) || (wide && (role & SINK_WIDE));
}

static bool resolve_element(struct statement *statement, const struct raw_operand *raw,
                            uint32_t role, struct operand *operand) {
    if (raw->kind != RAW_SINK)
        return resolve_value(statement, raw, role, operand);
    operand->kind = OPERAND_SINK;
    if (sink_allowed(statement, role))
        return true;
    diag_error(statement->body->diagnostics, raw->span, "'_' cannot be stored here");
    diag_hint(statement->body->diagnostics, "only a store of 256 bits leaves elements out");
    return false;
}

// Elements are all of one width, and of types that go together (PTX ISA 6.4.3).
static bool check_elements(struct statement *statement, const struct operand *vector) {
    const struct thread *thread = statement->body->thread;
    const struct test_register *first = NULL;
    for (size_t i = 0; i < vector->element_count; i++) {
        const struct operand *element = &vector->elements[i];
        if (element->kind != OPERAND_REGISTER)
            continue;
        const struct test_register *reg = &thread->registers[element->reg];
        if (!first)
            first = reg;
        bool typed = first->type != TYPE_NONE && reg->type != TYPE_NONE;
        if (first->width == reg->width && (!typed || ptx_types_agree(first->type, reg->type)))
            continue;
        return diag_error(statement->body->diagnostics, element->span,
                          "the elements of a vector are of one type: '%s' is %s, '%s' %s",
                          first->name, ptx_register_type(statement->body, first), reg->name,
                          ptx_register_type(statement->body, reg));
    }
    return true;
}

// "When specified as destination operand, all elements in vector expression must be unique,
// otherwise behavior is undefined" (PTX ISA 6.4.3).
static bool check_unique(struct statement *statement, uint32_t role, const struct operand *vector) {
    const struct operand *elements = vector->elements;
    for (size_t i = 0; (role & ROLE_MASK) == DESTINATION && i < vector->element_count; i++)
        for (size_t k = 0; k < i; k++)
            if (elements[i].kind == OPERAND_REGISTER && elements[k].kind == OPERAND_REGISTER &&
                elements[i].reg == elements[k].reg)
                return diag_error(
                    statement->body->diagnostics, elements[i].span,
                    "'%s' is written twice: the elements of a vector that is written are "
                    "different registers",
                    statement->body->thread->registers[elements[i].reg].name);
    return true;
}

static bool resolve_vector(struct statement *statement, const struct raw_operand *raw,
                           uint32_t role, struct operand *operand) {
    struct body *body = statement->body;
    unsigned vector = statement->instruction->vector;
    if (raw->kind != RAW_VECTOR || raw->element_count != vector) {
        const char *given = raw->kind == RAW_VECTOR
                                ? arena_format(body->arena, ", not of %zu", raw->element_count)
                                : "";
        diag_error(body->diagnostics, raw->span, "'.v%u' needs a vector of %u elements here%s",
                   vector, vector, given);
        if (raw->kind != RAW_VECTOR)
            diag_hint(body->diagnostics, "its elements are written in braces: {%%r0, %%r1%s}",
                      vector > 2 ? ", ..." : "");
        return false;
    }
    *operand = ptx_vector_operand(body, raw);
    bool fine = true, all_sinks = true;
    for (size_t i = 0; i < vector; i++) {
        fine = resolve_element(statement, &raw->elements[i], role, &operand->elements[i]) && fine;
        all_sinks = all_sinks && raw->elements[i].kind == RAW_SINK;
    }
    if (fine && all_sinks)
        return diag_error(body->diagnostics, raw->span, "a vector needs at least one register");
    return fine && check_elements(statement, operand);
}

// --- One operand -------------------------------------------------------------------------------

// %p|%q as the destination of setp: two elements, of which either may be '_'.
static bool resolve_pair(struct statement *statement, const struct raw_operand *raw, uint32_t role,
                         struct operand *operand) {
    if (raw->kind == RAW_SINK) {
        operand->kind = OPERAND_SINK;
        return true;
    }
    if (raw->kind != RAW_PAIR)
        return resolve_value(statement, raw, role, operand);
    *operand = ptx_vector_operand(statement->body, raw);
    bool fine = true;
    for (size_t i = 0; i < 2; i++) {
        struct operand *element = &operand->elements[i];
        if (raw->elements[i].kind == RAW_SINK)
            element->kind = OPERAND_SINK;
        else
            fine = resolve_value(statement, &raw->elements[i], role, element) && fine;
    }
    return fine;
}

// p or p|q of a wait at an mbarrier: q may be '_'.
static bool resolve_report_pair(struct statement *statement, const struct raw_operand *raw,
                                uint32_t role, struct operand *operand) {
    if (raw->kind != RAW_PAIR)
        return resolve_value(statement, raw, role, operand);
    if (raw->elements[0].kind == RAW_SINK)
        return error_kind(statement, &raw->elements[0], role);
    return resolve_pair(statement, raw, role, operand);
}

// d|p: the first may be '_'.
static bool resolve_result_pair(struct statement *statement, const struct raw_operand *raw,
                                uint32_t role, struct operand *operand) {
    uint32_t of = DESTINATION | (role & OF_U32);
    if (raw->kind != RAW_PAIR && (role & ALONE))
        return resolve_value(statement, raw, of, operand);
    if (raw->kind != RAW_PAIR)
        return error_kind(statement, raw, role);
    *operand = ptx_vector_operand(statement->body, raw);
    struct operand *d = &operand->elements[0], *p = &operand->elements[1];
    bool fine = true;
    if (raw->elements[0].kind == RAW_SINK && !(role & KEPT))
        d->kind = OPERAND_SINK;
    else
        fine = resolve_value(statement, &raw->elements[0], of, d);
    return resolve_value(statement, &raw->elements[1], PREDICATE_PAIR, p) && fine;
}

// The type of each of `count` elements that share the bits of a type; TYPE_NONE when PTX has no
// such vector (PTX ISA 9.7.9.3).
static enum scalar_type packed_type(enum scalar_type type, size_t count) {
    assert((unsigned)type <= TYPE_F64);
    bool two = count == 2, four = count == 4;
    switch (type) {
    case TYPE_B16: return two ? TYPE_B8 : TYPE_NONE;
    case TYPE_B32: return two ? TYPE_B16 : four ? TYPE_B8 : TYPE_NONE;
    case TYPE_B64: return two ? TYPE_B32 : four ? TYPE_B16 : TYPE_NONE;
    case TYPE_B128: return two ? TYPE_B64 : TYPE_NONE;
    default: return TYPE_NONE;
    }
}

static bool check_pack(struct statement *statement, const struct raw_operand *raw,
                       bool is_written) {
    struct diagnostics *diagnostics = statement->body->diagnostics;
    enum scalar_type type = statement->instruction->type;
    if (packed_type(type, raw->element_count) == TYPE_NONE) {
        diag_error(diagnostics, raw->span, "'mov.%s' has no vector of %zu elements",
                   scalar_type_name(type), raw->element_count);
        diag_hint(diagnostics, "'.b16' has 2, '.b32' and '.b64' have 2 or 4, '.b128' has 2");
        return false;
    }
    if (is_written && statement->instruction->operands[1].kind == OPERAND_VECTOR) {
        diag_error(diagnostics, raw->span,
                   "'mov.%s' is between a register and a vector, not between two vectors",
                   scalar_type_name(type));
        diag_hint(diagnostics, "'mov.v2' and 'mov.v4' are");
        return false;
    }
    return true;
}

// {a, b} of a mov.
static bool resolve_pack(struct statement *statement, const struct raw_operand *raw,
                         bool is_written, struct operand *operand) {
    size_t count = raw->element_count;
    enum scalar_type part = packed_type(statement->instruction->type, count);
    if (!check_pack(statement, raw, is_written))
        return false;
    struct register_need need = {.type = part, .is_written = is_written};
    *operand = ptx_vector_operand(statement->body, raw);
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        const struct raw_operand *element = &raw->elements[i];
        struct operand *to = &operand->elements[i];
        if (ptx_names_register(statement->body, element))
            fine = resolve_register(statement, element, &need, to) && fine;
        else if (element->kind == RAW_CONSTANT && !is_written)
            fine = resolve_constant(statement, element, part, to) && fine;
        else if (element->kind == RAW_SINK && is_written)
            to->kind = OPERAND_SINK;
        else
            fine = error_kind(statement, element, is_written ? DESTINATION : SOURCE);
    }
    return fine;
}

static bool resolve_label(struct statement *statement, const struct raw_operand *raw,
                          struct operand *operand) {
    if (raw->kind != RAW_WORD || raw->negated ||
        token_text(statement->body->arena, raw->word)[0] == '%')
        return error_kind(statement, raw, LABEL);
    bool is_list = strcmp(statement->name, "brx.idx") == 0; // which no branch goes to
    operand->kind = OPERAND_LABEL;
    operand->label = is_list ? -1 : ptx_label(statement->body, raw->word);
    return true;
}

static bool resolve_memory_role(struct statement *statement, const struct raw_operand *raw,
                                uint32_t role, struct operand *operand) {
    bool element = raw->kind == RAW_ELEMENT; // x[1] without brackets is an address, too
    if (raw->kind != RAW_MEMORY && !element)
        return error_kind(statement, raw, role);
    if (raw->unified && !(role & UNIFIED)) {
        diag_error(statement->body->diagnostics, raw->unified->span, "'%s' takes no '.unified'",
                   statement->name);
        if (strcmp(statement->name, "ldu") == 0) {
            diag_hint(
                statement->body->diagnostics,
                "PTX has it for 'ld' alone (ISA 9.7.9.8 and 9.7.9.10); what 'ldu' loads is the "
                "same without it");
        }
        return false;
    }
    enum state_space space = statement->instruction->space;
    if (role & FROM)
        statement->instruction->space = statement->instruction->copy.source_space;
    if (role & IN_CTA)
        statement->instruction->space = SPACE_SHARED;
    enum scalar_type type = statement->instruction->type;
    const char *type_name = statement->type_name;
    if (role & OF_MBARRIER) {
        statement->instruction->type = TYPE_B64;
        statement->type_name = ".b64";
    }
    bool resolved = ptx_resolve_memory(statement, raw, operand);
    statement->instruction->space = space;
    statement->instruction->type = type;
    statement->type_name = type_name;
    return resolved && (!(role & UNIFIED) || ptx_check_unified(statement, raw, operand));
}

// In a module, the name of a function is its address, which is not in a state space.
static bool resolve_function(struct statement *statement, const struct raw_operand *raw,
                             uint32_t role, struct operand *operand) {
    const struct reader *reader = statement->body->reader;
    const char *name = token_text(statement->body->arena, raw->word);
    if (!reader->opens || raw->kind != RAW_WORD || (role & ROLE_MASK) != MOVE_SOURCE ||
        scalar_type_bits(operand_type(statement, role)) != 64 ||
        ptx_find_variable(statement->body, name) >= 0)
        return false;
    const struct function *function = reader_function(reader, name);
    if (!function)
        return false;
    operand->kind = OPERAND_IMMEDIATE;
    operand->immediate = (struct bits128){.low = reader_function_address(reader, function)};
    return true;
}

static bool resolve_move_source(struct statement *statement, const struct raw_operand *raw,
                                uint32_t role, struct operand *operand) {
    bool named = raw->kind == RAW_SUM || raw->kind == RAW_ELEMENT ||
                 (raw->kind == RAW_WORD && !raw->negated && !raw->name);
    if (named && resolve_function(statement, raw, role, operand))
        return true;
    if (named && !ptx_is_register(statement->body, raw->word))
        return ptx_resolve_address(statement, raw, operand_type(statement, role), operand);
    if ((role & ROLE_MASK) == MOVE_SOURCE && statement->instruction->vector > 1)
        return resolve_vector(statement, raw, role, operand);
    if (raw->kind == RAW_VECTOR && (role & ROLE_MASK) == MOVE_SOURCE)
        return resolve_pack(statement, raw, false, operand);
    return resolve_value(statement, raw, role, operand);
}

// The table of a lop3 (PTX ISA 9.7.8.6).
static bool resolve_table(struct statement *statement, const struct raw_operand *raw,
                          struct operand *operand) {
    if (raw->kind != RAW_CONSTANT)
        return error_kind(statement, raw, TABLE);
    operand->kind = OPERAND_IMMEDIATE;
    operand->immediate = ptx_constant_bits(&raw->constant);
    if (raw->constant.value <= 255)
        return true;
    return diag_error(statement->body->diagnostics, raw->span,
                      "the table of 'lop3' is 0 to 255, not '%s'", raw_text(statement->body, raw));
}

// isspacep has no type: an address of 32 bits is extended with zeros.
static bool resolve_generic_address(struct statement *statement, const struct raw_operand *raw,
                                    struct operand *operand) {
    struct body *body = statement->body;
    struct register_need need = {.type = TYPE_U64, .is_address = true};
    if (raw->kind == RAW_CONSTANT)
        return resolve_constant(statement, raw, TYPE_U64, operand);
    if (!ptx_names_register(statement->body, raw))
        return error_kind(statement, raw, SOURCE);
    struct register_name found = ptx_find_register(body, token_text(body->arena, raw->word));
    if (found.reg >= 0 ? body->thread->registers[found.reg].width == 32
                       : found.range && scalar_type_bits(found.range->type) == 32)
        need.type = TYPE_U32;
    return resolve_register(statement, raw, &need, operand);
}

// Bytes that st.bulk fills (PTX ISA 9.7.9.13). Sizes of 32 bits are younger than the form.
static bool resolve_size(struct statement *statement, const struct raw_operand *raw,
                         struct operand *operand) {
    enum { FILL_MAX = 1 << 24 };
    struct body *body = statement->body;
    if (!resolve_generic_address(statement, raw, operand))
        return false;
    if (operand->kind == OPERAND_REGISTER && body->thread->registers[operand->reg].width == 32)
        reader_need(body->reader, (struct need){.span = raw->span,
                                                .words = "a size in a register of 32 bits",
                                                .ptx = 90});
    if (operand->kind != OPERAND_IMMEDIATE)
        return true;
    uint64_t size = operand->immediate.low;
    if (size % 8 == 0 && size <= FILL_MAX)
        return true;
    return diag_error(body->diagnostics, raw->span,
                      "'%s' fills a multiple of 8 bytes, at most %d, not '%s'", statement->name,
                      (int)FILL_MAX, raw_text(body, raw));
}

static bool check_zero(struct statement *statement, const struct raw_operand *raw) {
    if (raw->kind == RAW_CONSTANT && raw->constant.value == 0)
        return true;
    error_kind(statement, raw, ZERO);
    diag_hint(statement->body->diagnostics, "'%s' fills memory with zeros", statement->name);
    return false;
}

static bool check_size_128(struct statement *statement, const struct raw_operand *raw) {
    if (raw->kind == RAW_CONSTANT && raw->constant.value == 128)
        return true;
    bool hint = statement->instruction->opcode == OP_HINT;
    return diag_error(statement->body->diagnostics, raw->span, "the size %s is 128 bytes, not '%s'",
                      hint ? "here" : "of a tensormap", raw_text(statement->body, raw));
}

static bool resolve_elements(struct statement *statement, const struct raw_operand *raw,
                             uint32_t role, struct operand *operand) {
    bool fine = true;
    *operand = ptx_vector_operand(statement->body, raw);
    for (size_t i = 0; i < raw->element_count; i++)
        fine = resolve_value(statement, &raw->elements[i], role, &operand->elements[i]) && fine;
    return fine;
}

// The coordinates of a tile, one for each dimension; of four rows "{col_idx, row_idx0, row_idx1,
// row_idx2, row_idx3}" (PTX ISA 9.7.9.25.5.2).
static bool resolve_coordinates(struct statement *statement, const struct raw_operand *raw,
                                struct operand *operand) {
    size_t dimensions = (size_t)ptx_filled(&statement->match, CLASS_DIMENSION, 0)->qualifier->value;
    bool rows = statement->instruction->copy.four_rows;
    dimensions = rows ? FOUR_ROWS_COORDINATES : dimensions;
    if (raw->element_count != dimensions)
        return diag_error(
            statement->body->diagnostics, raw->span,
            rows ? "four rows have %zu coordinate%s, of the column and of each row, not %zu"
                 : "a tensor of %zu dimension%s has as many coordinates, not %zu",
            dimensions, dimensions == 1 ? "" : "s", raw->element_count);
    return resolve_elements(statement, raw, SOURCE | OF_U32, operand);
}

// "im2colOffsets", one of 16 bits for each dimension but the first and the last (PTX ISA
// 9.7.9.25.5.2).
static bool resolve_offsets(struct statement *statement, const struct raw_operand *raw,
                            struct operand *operand) {
    const struct filled *dimension = ptx_filled(&statement->match, CLASS_DIMENSION, 0);
    size_t wanted = (size_t)dimension->qualifier->value - 2;
    if (raw->kind == RAW_VECTOR && raw->element_count == wanted)
        return resolve_elements(statement, raw, SOURCE | OF_U16, operand);
    return diag_error(statement->body->diagnostics, raw->span,
                      "a tensor of %zu dimensions has %zu offset%s of im2col mode: %s", wanted + 2,
                      wanted, wanted == 1 ? "" : "s",
                      wanted == 1   ? "{w}"
                      : wanted == 2 ? "{w, h}"
                                    : "{w, h, d}");
}

// The share of accesses that a cache policy is for (PTX ISA 9.7.9.16).
static bool resolve_fraction(struct statement *statement, const struct raw_operand *raw,
                             struct operand *operand) {
    if (raw->kind == RAW_CONSTANT && raw->constant.value == 1) {
        operand->kind = OPERAND_IMMEDIATE;
        operand->immediate.low = 0x3f800000;
        return true;
    }
    if (raw->kind == RAW_CONSTANT || (raw->kind == RAW_FLOAT && raw->negated))
        return error_kind(statement, raw, FRACTION);
    if (!resolve_value(statement, raw, FRACTION, operand))
        return false;
    if (operand->kind == OPERAND_IMMEDIATE &&
        (operand->immediate.low == 0 || operand->immediate.low > 0x3f800000))
        return error_kind(statement, raw, FRACTION);
    return true;
}

static bool error_constant(struct statement *statement, const struct raw_operand *raw) {
    return diag_error(statement->body->diagnostics, raw->span,
                      "'%s' takes a constant here, not '%s'", statement->name,
                      raw_text(statement->body, raw));
}

static bool is_predicate(const struct statement *statement, const struct raw_operand *raw) {
    if (raw->kind != RAW_WORD || !raw->word)
        return false;
    struct body *body = statement->body;
    struct register_name found = ptx_find_register(body, token_text(body->arena, raw->word));
    return raw->negated || (found.reg >= 0 && body->thread->registers[found.reg].width == 1) ||
           (found.reg < 0 && found.range && found.range->type == TYPE_PRED);
}

bool ptx_resolve_operand(struct statement *statement, const struct raw_operand *written,
                         uint32_t role, struct operand *operand) {
    struct raw_operand spelt = spell_out_vector(statement, written), *raw = &spelt;
    *operand = operand_new(OPERAND_REGISTER, raw->span);
    unsigned vector = statement->instruction->vector;
    switch (role & ROLE_MASK) {
    case MEMORY: return resolve_memory_role(statement, raw, role, operand);
    case LABEL: return resolve_label(statement, raw, operand);
    case TENSOR_MAP: return ptx_resolve_tensor_map(statement, raw, operand);
    case COORDINATES: return resolve_coordinates(statement, raw, operand);
    case REPORT_PAIR: return resolve_report_pair(statement, raw, role, operand);
    case OFFSETS: return resolve_offsets(statement, raw, operand);
    case PREDICATE_PAIR: return resolve_pair(statement, raw, role, operand);
    case MOVE_SOURCE:
    case ADDRESS_SOURCE: return resolve_move_source(statement, raw, role, operand);
    case SIZE_128: return check_size_128(statement, raw);
    case SIZE: return resolve_size(statement, raw, operand);
    case ZERO: return check_zero(statement, raw);
    case FRACTION: return resolve_fraction(statement, raw, operand);
    case GENERIC_ADDRESS: return resolve_generic_address(statement, raw, operand);
    case TABLE: return resolve_table(statement, raw, operand);
    case RESULT_PAIR: return resolve_result_pair(statement, raw, role, operand);
    case ACCUMULATOR:
    case MATRIX:
    case TENSOR:
    case TENSOR_RESULT:
    case TENSOR_SOURCE:
    case TENSOR_A:
    case FRAGMENT:
    case METADATA:
    case SELECTOR:
    case SCALE:
    case TAIL:
    case SIGN:
    case BIT: return ptx_resolve_matrix(statement, raw, role, operand);
    case NOTHING:
        operand->kind = OPERAND_SINK;
        return raw->kind == RAW_SINK || error_kind(statement, raw, role);
    case DESTINATION: break;
    case SOURCE:
        if ((role & CONSTANT) && raw->kind != RAW_CONSTANT)
            return error_constant(statement, raw);
        if ((role & OR_PREDICATE) && is_predicate(statement, raw))
            return resolve_value(statement, raw, PREDICATE, operand);
        break;
    default: return resolve_value(statement, raw, role, operand);
    }
    if (vector == 1 && statement->instruction->opcode == OP_MOV && raw->kind == RAW_VECTOR)
        return resolve_pack(statement, raw, true, operand) &&
               check_unique(statement, role, operand);
    bool whole = (role & OF_SOURCE) != 0; // the answer of a query_cancel
    if (vector > 1 && !whole && !(raw->kind == RAW_SINK && (role & SINK)))
        return resolve_vector(statement, raw, role, operand) &&
               check_unique(statement, role, operand);
    if (raw->kind == RAW_VECTOR && raw->element_count == 1) // {%r0} is %r0
        return resolve_value(statement, &raw->elements[0], role, operand);
    if (raw->kind == RAW_SINK && (role & SINK)) {
        operand->kind = OPERAND_SINK;
        return true;
    }
    return resolve_value(statement, raw, role, operand);
}

// --- Calls -------------------------------------------------------------------------------------

bool ptx_resolve_passed(struct body *body, const struct call *call, const struct raw_operand *raw,
                        enum scalar_type type, uint32_t role, struct operand *operand) {
    assert((unsigned)type <= TYPE_F64);
    struct instruction instruction = {.type = type, .opcode = OP_EXIT, .opcode_span = call->span};
    struct statement statement = {.body = body, .name = "call", .instruction = &instruction};
    *operand = operand_new(OPERAND_REGISTER, raw->span);
    if (raw->kind == RAW_SINK && role == DESTINATION) {
        operand->kind = OPERAND_SINK;
        return true;
    }
    return resolve_value(&statement, raw, role, operand);
}
