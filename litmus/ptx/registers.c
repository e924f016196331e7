// Registers: which word names one, what type it has, and whether it may be an operand.
//
// A declared register has a type; PTX's rules for it are those of tables 26 to 28 of the ISA: bit
// types go with every type of their size, integers with integers, floating types with themselves
// alone. An undeclared register has the width of its first use and goes with every type of that
// width (litmus-format.md, Declarations).
#include "litmus/ptx/body.h"
#include "litmus/ptx/registers.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

bool ptx_is_register(const struct body *body, const struct token *token) {
    const char *name = token_text(body->arena, token);
    if (name[0] == '%')
        return true;
    struct register_name found = ptx_find_register(body, name);
    if (found.reg >= 0 && strcmp(body->thread->registers[found.reg].name, name) == 0)
        return true;
    bool is_spelled_so = found.range && (found.range->prefix[0] == '%') == (name[0] == '%');
    return is_spelled_so || ptx_find_variable(body, name) < 0;
}

// --- Whether a register fits an operand --------------------------------------------------------

static bool is_bits(enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    return type >= TYPE_B8 && type <= TYPE_B128;
}

bool ptx_types_agree(enum scalar_type declared, enum scalar_type wanted) {
    assert((unsigned)declared <= TYPE_F64);
    assert((unsigned)wanted <= TYPE_F64);
    if (declared == TYPE_PRED || wanted == TYPE_PRED)
        return declared == wanted;
    if (is_bits(declared) || is_bits(wanted))
        return true;
    if (scalar_type_is_float(declared) || scalar_type_is_float(wanted))
        return declared == wanted;
    return true;
}

const char *ptx_register_type(const struct body *body, const struct test_register *reg) {
    if (reg->type != TYPE_NONE)
        return arena_format(body->arena, ".%s", scalar_type_name(reg->type));
    return arena_format(body->arena, "of %u bits", reg->width);
}

static bool widths_agree(unsigned width, enum scalar_type wanted, bool wider) {
    assert((unsigned)wanted <= TYPE_F64);
    unsigned bits = scalar_type_bits(wanted);
    return width == bits || (wider && width > bits && bits > 1);
}

static const char *describe_register(struct body *body, const struct test_register *reg,
                                     bool declared) {
    if (declared)
        return arena_format(body->arena, "is declared .%s", scalar_type_name(reg->type));
    if (reg->width == 1)
        return "is a predicate";
    return arena_format(body->arena, "has %u bits", reg->width);
}

static const char *describe_need(struct body *body, const struct register_need *need) {
    if (need->type == TYPE_PRED)
        return "a predicate is needed here";
    if (need->is_address)
        return arena_format(body->arena, "an address is an integer of %u bits here",
                            scalar_type_bits(need->type));
    return arena_format(body->arena, "this operand is .%s%s", scalar_type_name(need->type),
                        need->wider ? " or wider" : "");
}

static void error_register(struct body *body, const char *name, const struct token *token,
                           const struct test_register *reg, bool declared,
                           const struct register_need *need) {
    struct position place = source_position(reg->span.source, reg->span.begin);
    diag_error(body->diagnostics, token->span, "'%s' %s, and %s", name,
               describe_register(body, reg, declared), describe_need(body, need));
    if (declared)
        diag_hint(body->diagnostics, "its declaration is on line %u, column %u", place.line,
                  place.column);
    else if (reg->width == 1 || need->type == TYPE_PRED)
        diag_hint(body->diagnostics, "its first use, on line %u, column %u, made it %s", place.line,
                  place.column, reg->width == 1 ? "one" : "an integer");
    else
        diag_hint(body->diagnostics,
                  "its first use, on line %u, column %u, gave it its width; '.reg .%s %s;' would "
                  "declare it",
                  place.line, place.column, scalar_type_name(need->type), name);
}

// --- Uses --------------------------------------------------------------------------------------

// The register's index, with the type that a declared range gives it; -1 after an error.
static int find_or_add(struct body *body, const char *name, const struct token *token,
                       unsigned width) {
    struct register_name found = ptx_find_register(body, name);
    if (found.range)
        return ptx_declare_register(body, name, found.range->span, found.range->type,
                                    found.range->depth);
    if (found.reg < 0 && body->call_depth > 0)
        return ptx_add_function_register(body, name, token->span, width);
    if (found.reg < 0)
        return reader_register(body->reader, body->thread, token, width);
    return found.reg;
}

int ptx_use_register(struct body *body, const struct token *token,
                     const struct register_need *need) {
    return ptx_use_register_named(body, token_text(body->arena, token), token, need);
}

int ptx_use_register_named(struct body *body, const char *name, const struct token *token,
                           const struct register_need *need) {
    if (ptx_is_special(name)) {
        diag_error(body->diagnostics, token->span, "'%s' is a special register, which %s", name,
                   need->is_written ? "is read-only" : "only 'mov' and 'cvt' read");
        return -1;
    }
    bool is_new = ptx_find_register(body, name).reg < 0 && !ptx_find_register(body, name).range;
    if (is_new && !need->is_written && reader_function(body->reader, name)) {
        diag_error(body->diagnostics, token->span,
                   "'%s' is a function: addresses of functions are not read", name);
        return -1;
    }
    int index = find_or_add(body, name, token, scalar_type_bits(need->type));
    if (index < 0)
        return -1;
    struct register_facts *facts = ptx_register_facts(body, index);
    struct test_register *reg = &body->thread->registers[index];
    bool fits = widths_agree(reg->width, need->type, need->wider) &&
                (!facts->declared || ptx_types_agree(reg->type, need->type));
    if (need->is_written)
        facts->written = true;
    else if (!facts->first_read)
        facts->first_read = token;
    if (fits)
        return index;
    if (body->misfit != index) // `add.u64 %r0, %r0, 1` is wrong once
        error_register(body, name, token, reg, facts->declared, need);
    body->misfit = index;
    return -1;
}

// --- The whole body ----------------------------------------------------------------------------

// r0, %rd12: a name that cannot be taken for a variable's
static bool looks_like_register(const char *name) {
    size_t letters = strspn(name, "%abcdefghijklmnopqrstuvwxyz"), digits;
    digits = strspn(name + letters, "0123456789");
    return name[0] == '%' || (letters <= 2 && digits > 0 && name[letters + digits] == '\0');
}

// A word that is read and never written, and looks like a variable's name: it is that, misspelt.
static void check_misspelt_variable(struct body *body, size_t index) {
    const struct test *test = body->reader->test;
    const struct test_register *reg = &body->thread->registers[index];
    const struct register_facts *facts = &body->register_facts[index];
    if (facts->declared || facts->written || !facts->first_read || looks_like_register(reg->name))
        return;
    const char **names = ARENA_ARRAY(body->arena, const char *, test->variable_count);
    for (size_t i = 0; i < test->variable_count; i++)
        names[i] = test->variables[i].name;
    const char *nearest = diag_nearest(reg->name, strlen(reg->name), names, test->variable_count);
    if (!nearest)
        return;
    diag_error(body->diagnostics, facts->first_read->span,
               "'%s' is neither a variable nor a register that this thread writes", reg->name);
    if (strcmp(nearest, reg->name) == 0)
        diag_hint(body->diagnostics, "the variable of that name is declared in another body");
    else
        diag_suggest(body->diagnostics, nearest);
}

static bool same_stem(const char *a, const char *b) {
    a = test_register_key(a);
    b = test_register_key(b);
    size_t length = strcspn(a, "0123456789");
    return length == strcspn(b, "0123456789") && memcmp(a, b, length) == 0;
}

// An undeclared register of a body that declares others: allowed, but often misspelt.
static void check_misspelt_register(struct body *body, size_t index) {
    const struct test_register *reg = &body->thread->registers[index];
    struct span span = reg->span;
    if (body->register_facts[index].declared)
        return;
    for (size_t i = 0; i < body->range_count; i++) {
        const struct register_range *range = &body->ranges[i];
        if (!same_stem(reg->name, range->prefix))
            continue;
        diag_warning(body->diagnostics, span, "'%s' is not declared", reg->name);
        diag_hint(body->diagnostics, "'%s<%llu>' on line %u declares %s0 to %s%llu", range->prefix,
                  (unsigned long long)range->count, span_line(range->span), range->prefix,
                  range->prefix, (unsigned long long)range->count - 1);
        return;
    }
    const char **names = ARENA_ARRAY(body->arena, const char *, body->thread->register_count);
    size_t count = 0;
    for (size_t i = 0; i < body->register_fact_count; i++)
        if (body->register_facts[i].declared &&
            !same_stem(body->thread->registers[i].name, reg->name))
            names[count++] = body->thread->registers[i].name;
    const char *nearest = diag_nearest(reg->name, strlen(reg->name), names, count);
    if (!nearest)
        return;
    diag_warning(body->diagnostics, span, "'%s' is not declared", reg->name);
    diag_suggest(body->diagnostics, nearest);
}

void ptx_check_registers(struct body *body) {
    enum { CHECKED_MAX = 1000 }; // the search for the nearest name is quadratic
    if (body->thread->register_count == 0 || body->thread->register_count > CHECKED_MAX)
        return;
    ptx_register_facts(body, (int)body->thread->register_count - 1);
    for (size_t i = 0; i < body->register_fact_count; i++) {
        check_misspelt_variable(body, i);
        check_misspelt_register(body, i);
    }
}
