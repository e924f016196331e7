// The condition, the filter and the values that a state shows, over final registers and cells.

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/compute.h"
#include "program/thread/others.h"
#include "program/thread/values.h"
#include "program/thread/shapes.h"

#include "litmus/source/containers.h"

#include <assert.h>

// --- Terms -------------------------------------------------------------------------------------

struct translator {
    struct builder *builder;
    struct value **final_registers;
    struct shown *shown; // by key
    size_t term_count;
};

// A term's value and how it compares.
struct side {
    const struct expr *bits; // NULL after an error
    const struct expr *undef;
    bool is_signed;
};

// Registers of Dat3M's dialect are signed; elsewhere the declaration decides.
static bool register_signed(const struct test *test, const struct test_register *r) {
    return r->type == TYPE_NONE ? test->dialect == DIALECT_DAT3M : scalar_type_is_signed(r->type);
}

static struct side register_side(struct translator *translator, const struct term *term) {
    struct builder *builder = translator->builder;
    const struct thread *thread = &builder->test->threads[term->thread];
    const struct test_register *r = &thread->registers[term->reg];
    struct value *value = &translator->final_registers[term->thread][term->reg];
    if (value->bits == NULL) {
        diag_error(builder->diagnostics, term->span, "no instruction of P%u writes register '%s'",
                   thread->number, r->name);
        diag_hint(builder->diagnostics, "give it a value in the initial section: P%u:%s=0;",
                  thread->number, r->name);
        *value = program_value_const(builder, r->width, (struct bits128){0}); // reported once
    }
    return (struct side){value->bits, value->undef, register_signed(builder->test, r)};
}

// The final value of a cell, and whether it is unknown.
static struct value final_cell(struct builder *builder, const struct virtual_range *range,
                               unsigned index) {
    const struct cell *cell = &builder->program->memory.cells[index];
    struct value whole = {.bits = expr_leaf(builder->pool, EXPR_FINAL, 8 * cell->size, index),
                          .undef = builder->tracks_undef
                                       ? expr_leaf(builder->pool, EXPR_FINAL_UNDEF, 1, index)
                                       : builder->never};
    uint64_t address = range->address + cell->offset;
    if (others_may_store_at(builder, address, cell->size) &&
        !left_windows_overwritten(builder, address, cell->size))
        others_choose_final(builder, index, &whole);
    return whole;
}

// The part of a cell's value that falls into `size` bytes from `offset` on.
static const struct expr *cell_part(struct builder *builder, unsigned index,
                                    const struct expr *whole, uint64_t offset, uint64_t size) {
    const struct cell *cell = &builder->program->memory.cells[index];
    uint64_t begin = offset > cell->offset ? offset - cell->offset : 0;
    uint64_t end = cell->offset + cell->size;
    end = (end < offset + size ? end : offset + size) - cell->offset;
    return expr_extract(builder->pool, whole, 8 * (unsigned)begin, 8 * (unsigned)(end - begin));
}

// The final value of a location: its cells' put together, the first one lowest.
static struct side location_side(struct translator *translator, const struct term *term) {
    struct builder *builder = translator->builder;
    const struct program *program = builder->program;
    const struct variable *variable = &builder->test->variables[term->variable];
    const struct virtual_range *range = memory_term_range(builder, term);
    if (range == NULL)
        return (struct side){0};
    unsigned index = range->object, size = memory_element_size(variable);
    uint64_t offset = term->element * size;
    unsigned first = cells_find_with(program, index, offset);
    unsigned count = cells_count(program, first, index, offset + size);
    struct side side = {NULL, builder->never, scalar_type_is_signed(variable->type)};
    for (unsigned i = first; i < first + count; i++) {
        struct value whole = final_cell(builder, range, i);
        const struct expr *part = cell_part(builder, i, whole.bits, offset, size);
        side.bits =
            side.bits == NULL ? part : expr_binary(builder->pool, EXPR_CONCAT, part, side.bits);
        side.undef = expr_or(builder->pool, side.undef, whole.undef);
    }
    if (variable->tensor != NULL && term->element == 0)
        side.bits = shapes_shown(builder, term->variable, side.bits);
    return side;
}

static struct side address_side(struct translator *translator, const struct term *term) {
    struct builder *builder = translator->builder;
    const struct virtual_range *range = memory_term_range(builder, term);
    if (range == NULL)
        return (struct side){0};
    enum state_space space = builder->program->memory.objects[range->object].space;
    return (struct side){expr_const_u64(builder->pool, 64, range->address - program_window(space)),
                         builder->never, false};
}

static struct side term_side(struct translator *translator, const struct term *term) {
    switch (term->kind) {
    case TERM_REGISTER: return register_side(translator, term);
    case TERM_LOCATION: return location_side(translator, term);
    case TERM_ADDRESS: return address_side(translator, term);
    default: bug("a constant has no width");
    }
}

// --- Comparisons -------------------------------------------------------------------------------

static bool fits(const struct term *term, unsigned width) {
    assert(width > 0);
    uint128 value = bits_to_wide(term->constant);
    if (term->negative)
        return bits_sign_extend(value & bits_mask(width), width) == value;
    return (value & ~bits_mask(width)) == 0;
}

static const struct expr *compare_constants(struct translator *translator,
                                            const struct condition *condition) {
    struct expr_pool *pool = translator->builder->pool;
    return program_compare(pool, condition->compare, true,
                           expr_const(pool, BITS_MAX, condition->lhs.constant),
                           expr_const(pool, BITS_MAX, condition->rhs.constant));
}

static struct side constant_side(struct translator *translator, const struct term *term,
                                 const struct side *other) {
    struct builder *builder = translator->builder;
    unsigned width = other->bits->width;
    if (!fits(term, width)) {
        diag_error(builder->diagnostics, term->span,
                   "this constant does not fit the %u bits that it is compared with", width);
        return (struct side){0};
    }
    return (struct side){expr_const(builder->pool, width, term->constant), builder->never,
                         term->negative};
}

// Both sides in the wider one's width, each extended by its own sign. A signed comparison with a
// constant that is too large for the sign takes one bit more, so that the constant stays positive.
static const struct expr *compare_sides(struct builder *builder, const struct condition *condition,
                                        const struct side *a, const struct side *b) {
    struct expr_pool *pool = builder->pool;
    unsigned width = a->bits->width > b->bits->width ? a->bits->width : b->bits->width;
    bool is_signed = a->is_signed || b->is_signed;
    const struct expr *x = expr_resize(pool, a->bits, width, a->is_signed);
    const struct expr *y = expr_resize(pool, b->bits, width, b->is_signed);
    bool ordered = condition->compare != COMPARE_EQ && condition->compare != COMPARE_NE;
    bool constant = condition->lhs.kind == TERM_CONSTANT || condition->rhs.kind == TERM_CONSTANT;
    if (ordered && is_signed && constant && width < BITS_MAX) {
        bool negative = condition->lhs.negative || condition->rhs.negative;
        bool lhs_constant = condition->lhs.kind == TERM_CONSTANT;
        x = expr_resize(pool, x, width + 1, lhs_constant ? negative : true);
        y = expr_resize(pool, y, width + 1, lhs_constant ? true : negative);
    }
    return program_compare(pool, condition->compare, is_signed, x, y);
}

static const struct expr *translate_compare(struct translator *translator,
                                            const struct condition *condition) {
    struct builder *builder = translator->builder;
    bool lhs_constant = condition->lhs.kind == TERM_CONSTANT;
    bool rhs_constant = condition->rhs.kind == TERM_CONSTANT;
    if (lhs_constant && rhs_constant)
        return compare_constants(translator, condition);
    struct side a = {0}, b = {0};
    if (!lhs_constant)
        a = term_side(translator, &condition->lhs);
    if (!rhs_constant)
        b = term_side(translator, &condition->rhs);
    if (lhs_constant && b.bits != NULL)
        a = constant_side(translator, &condition->lhs, &b);
    if (rhs_constant && a.bits != NULL)
        b = constant_side(translator, &condition->rhs, &a);
    if (a.bits == NULL || b.bits == NULL)
        return builder->never; // reported
    return compare_sides(builder, condition, &a, &b);
}

static const struct expr *translate(struct translator *translator,
                                    const struct condition *condition) {
    struct builder *builder = translator->builder;
    switch (condition->kind) {
    case CONDITION_TRUE: return builder->always;
    case CONDITION_FALSE: return builder->never;
    case CONDITION_AND:
        return expr_and(builder->pool, translate(translator, condition->left),
                        translate(translator, condition->right));
    case CONDITION_OR:
        return expr_or(builder->pool, translate(translator, condition->left),
                       translate(translator, condition->right));
    case CONDITION_NOT: return expr_not(builder->pool, translate(translator, condition->left));
    case CONDITION_COMPARE: return translate_compare(translator, condition);
    }
    bug("condition of kind %d", (int)condition->kind);
}

// --- What a state shows ------------------------------------------------------------------------

struct shown_key {
    enum term_kind kind;
    int owner;      // thread, or variable
    uint64_t index; // register, or element
    const struct virtual_range *range;
};

struct shown {
    struct shown_key key;
    UT_hash_handle hh;
};

static void name_register(struct builder *builder, const struct term *term,
                          struct observed *observed) {
    const struct thread *thread = &builder->test->threads[term->thread];
    const struct test_register *r = &thread->registers[term->reg];
    observed->log_name =
        arena_format(builder->arena, "%u:%s", thread->number, test_register_key(r->name));
    observed->json_name = arena_format(builder->arena, "P%u:%s", thread->number, r->name);
}

static void name_location(struct builder *builder, const struct term *term,
                          struct observed *observed) {
    const struct variable *variable = &builder->test->variables[term->variable];
    const char *before = "", *after = "", *element = "";
    if (term->has_instance) {
        before = arena_format(builder->arena, "cta%u:", term->instance_cta);
        after = arena_format(builder->arena, "_cta%u", term->instance_cta);
    }
    if (variable->is_array)
        element = arena_format(builder->arena, "[%zu]", term->element);
    observed->json_name = arena_format(builder->arena, "%s%s%s", before, variable->name, element);
    // herd writes x[1] for an element and [x] for a scalar
    observed->log_name =
        variable->is_array ? arena_format(builder->arena, "%s%s%s", variable->name, after, element)
                           : arena_format(builder->arena, "[%s%s]", variable->name, after);
}

static bool is_new(struct translator *translator, const struct term *term) {
    struct builder *builder = translator->builder;
    struct shown *entry = ARENA_NEW(builder->arena, struct shown), *found = NULL;
    entry->key.kind = term->kind;
    if (term->kind == TERM_REGISTER) {
        entry->key.owner = term->thread;
        entry->key.index = (uint64_t)term->reg;
    } else {
        entry->key.owner = term->variable;
        entry->key.index = term->element;
        entry->key.range = memory_term_range(builder, term);
    }
    HASH_FIND(hh, translator->shown, &entry->key, sizeof entry->key, found);
    if (found == NULL)
        HASH_ADD(hh, translator->shown, key, sizeof entry->key, entry);
    return found == NULL;
}

static void check_term(void *context, const struct term *term) {
    memory_check_term(context, term);
}

static void count_terms(void *context, const struct term *term) {
    struct translator *translator = context;
    translator->term_count += term->kind == TERM_REGISTER || term->kind == TERM_LOCATION;
}

static void observe_term(void *context, const struct term *term) {
    struct translator *translator = context;
    struct builder *builder = translator->builder;
    struct program *program = builder->program;
    if ((term->kind != TERM_REGISTER && term->kind != TERM_LOCATION) || !is_new(translator, term))
        return;
    struct side side = term_side(translator, term);
    if (side.bits == NULL)
        return; // reported
    struct observed *observed = &program->observed[program->observed_count++];
    *observed = (struct observed){.value = side.bits,
                                  .undef = side.undef,
                                  .width = side.bits->width,
                                  .is_signed = side.is_signed,
                                  .term = term};
    if (term->kind == TERM_REGISTER)
        name_register(builder, term, observed);
    else
        name_location(builder, term, observed);
}

void condition_build(struct builder *builder, struct value **final_registers) {
    struct program *program = builder->program;
    const struct test *test = builder->test;
    struct translator translator = {.builder = builder, .final_registers = final_registers};
    test_visit_terms(test, check_term, builder);
    test_visit_terms(test, count_terms, &translator);
    program->observed = ARENA_ARRAY(builder->arena, struct observed, translator.term_count);
    test_visit_terms(test, observe_term, &translator);
    HASH_CLEAR(hh, translator.shown);
    program->condition = translate(&translator, test->condition);
    program->filter = test->filter == NULL ? builder->always : translate(&translator, test->filter);
}
