// Names as the program's JSON has them (litmus-format.md section 3), and conditions (section 1).
#include "tests/oracle/show.h"

#include <stdio.h>
#include <stdlib.h>

static void out_of_memory(void) {
    fputs("out of memory\n", stderr);
    exit(4);
}

static bool is_same_term(const struct term *a, const struct term *b) {
    if (a->kind != b->kind)
        return false;
    if (a->kind == TERM_REGISTER)
        return a->thread == b->thread && a->reg == b->reg;
    return a->variable == b->variable && a->element == b->element &&
           a->has_instance == b->has_instance && a->instance_cta == b->instance_cta;
}

static char *name_of(const struct test *test, const struct term *term) {
    char *name = NULL, instance[24] = "";
    int length;
    if (term->kind == TERM_REGISTER) {
        const struct thread *thread = &test->threads[term->thread];
        length = asprintf(&name, "P%u:%s", thread->number, thread->registers[term->reg].name);
    } else {
        const struct variable *variable = &test->variables[term->variable];
        if (term->has_instance)
            sprintf(instance, "cta%u:", term->instance_cta);
        if (variable->is_array)
            length = asprintf(&name, "%s%s[%zu]", instance, variable->name, term->element);
        else
            length = asprintf(&name, "%s%s", instance, variable->name);
    }
    if (length < 0)
        out_of_memory();
    return name;
}

static enum scalar_type type_of(const struct test *test, const struct term *term) {
    if (term->kind == TERM_REGISTER)
        return test->threads[term->thread].registers[term->reg].type;
    return term->kind == TERM_LOCATION ? test->variables[term->variable].type : TYPE_NONE;
}

// 0 for a constant.
static unsigned width_of(const struct test *test, const struct term *term) {
    switch (term->kind) {
    case TERM_REGISTER: return test->threads[term->thread].registers[term->reg].width;
    case TERM_LOCATION: return scalar_type_bits(test->variables[term->variable].type);
    case TERM_ADDRESS: return 64;
    default: return 0;
    }
}

static void add_term(struct shown_list *list, const struct term *term) {
    if (term->kind != TERM_REGISTER && term->kind != TERM_LOCATION)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (is_same_term(&list->terms[i].term, term))
            return;
    list->terms = reallocarray(list->terms, list->count + 1, sizeof *list->terms);
    if (!list->terms)
        out_of_memory();
    struct shown_term shown = {.term = *term,
                               .name = name_of(list->test, term),
                               .width = width_of(list->test, term),
                               .is_signed = scalar_type_is_signed(type_of(list->test, term))};
    list->terms[list->count++] = shown;
}

static void add_condition(struct shown_list *list, const struct condition *condition) {
    if (!condition)
        return;
    if (condition->kind == CONDITION_COMPARE) {
        add_term(list, &condition->lhs);
        add_term(list, &condition->rhs);
    }
    if (condition->kind == CONDITION_AND || condition->kind == CONDITION_OR ||
        condition->kind == CONDITION_NOT)
        add_condition(list, condition->left);
    if (condition->kind == CONDITION_AND || condition->kind == CONDITION_OR)
        add_condition(list, condition->right);
}

struct shown_list shown_find(const struct test *test) {
    struct shown_list list = {.test = test};
    add_condition(&list, test->condition);
    add_condition(&list, test->filter);
    for (size_t i = 0; i < test->location_count; i++)
        add_term(&list, &test->locations[i]);
    return list;
}

void shown_free(struct shown_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free((char *)list->terms[i].name);
    free(list->terms);
    list->terms = NULL;
}

struct extent shown_extent(const struct memory *memory, const struct term *term) {
    unsigned size = scalar_type_bits(memory->test->variables[term->variable].type) / 8;
    struct extent extent = {.offset = (unsigned)term->element * size, .size = size};
    if (term->has_instance) {
        extent.object = memory_object_in_cta(memory, term->instance_cta, term->variable);
        return extent;
    }
    extent.object = -1;
    for (size_t i = 0; i < memory->test->thread_count && extent.object < 0; i++)
        extent.object = memory_object_of(memory, (int)i, term->variable);
    return extent;
}

// --- Conditions ----------------------------------------------------------------------------------

static struct value value_of(const struct state *state, const struct term *term, unsigned width) {
    const struct test *test = state->memory->test;
    if (term->kind == TERM_CONSTANT)
        return value_of_constant(term->constant, width);
    if (term->kind == TERM_ADDRESS)
        return value_known(memory_address(state->memory, 0, term->variable), width);
    return value_extend(state->value(state->context, term), width_of(test, term), width,
                        scalar_type_is_signed(type_of(test, term)));
}

static bool is_signed(const struct test *test, const struct term *term) {
    return term->kind == TERM_CONSTANT ? term->negative
                                       : scalar_type_is_signed(type_of(test, term));
}

// In the wider of both widths; an order is that of signed numbers when one side is signed.
static enum truth compare(const struct state *state, const struct condition *condition) {
    const struct test *test = state->memory->test;
    unsigned width = width_of(test, &condition->lhs), other = width_of(test, &condition->rhs);
    width = other > width ? other : width;
    if (width == 0)
        width = 128;
    struct value a = value_of(state, &condition->lhs, width);
    struct value b = value_of(state, &condition->rhs, width);
    u128 unknown = a.unknown | b.unknown;
    bool equality = condition->compare == COMPARE_EQ || condition->compare == COMPARE_NE;
    if (unknown && !(equality && ((a.bits ^ b.bits) & ~unknown)))
        return NOT_KNOWN;
    bool sign = is_signed(test, &condition->lhs) || is_signed(test, &condition->rhs);
    s128 x = as_signed(a.bits, width), y = as_signed(b.bits, width);
    bool equal = a.bits == b.bits && !unknown, less = sign ? x < y : a.bits < b.bits;
    bool holds;
    switch (condition->compare) {
    case COMPARE_EQ: holds = equal; break;
    case COMPARE_NE: holds = !equal; break;
    case COMPARE_LT: holds = less; break;
    case COMPARE_LE: holds = less || equal; break;
    case COMPARE_GT: holds = !less && !equal; break;
    default: holds = !less; break; // COMPARE_GE
    }
    return holds ? TRUE_NOW : FALSE_NOW;
}

enum truth condition_truth(const struct state *state, const struct condition *condition) {
    if (!condition)
        return TRUE_NOW;
    enum truth left;
    switch (condition->kind) {
    case CONDITION_TRUE: return TRUE_NOW;
    case CONDITION_FALSE: return FALSE_NOW;
    case CONDITION_AND:
        return compute_combine(BOOL_AND, condition_truth(state, condition->left),
                               condition_truth(state, condition->right));
    case CONDITION_OR:
        return compute_combine(BOOL_OR, condition_truth(state, condition->left),
                               condition_truth(state, condition->right));
    case CONDITION_NOT:
        left = condition_truth(state, condition->left);
        return left == NOT_KNOWN ? NOT_KNOWN : left == TRUE_NOW ? FALSE_NOW : TRUE_NOW;
    default: return compare(state, condition);
    }
}
