// Prints conditions in herd's grammar and in ours.
#include "check/text/condition.h"

#include "check/text/names.h"
#include "check/text/values.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/containers.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct printer {
    FILE *out;
    const struct program *program;
    enum condition_style style;
    const struct observed **shown; // with a term, in the order of terms
    size_t shown_count;
};

bool term_same(const struct term *a, const struct term *b) {
    if (a->kind != b->kind || a->kind == TERM_CONSTANT)
        return false;
    if (a->kind == TERM_REGISTER)
        return a->thread == b->thread && a->reg == b->reg;
    return a->variable == b->variable && a->element == b->element &&
           a->has_instance == b->has_instance &&
           (!a->has_instance || a->instance_cta == b->instance_cta);
}

static int order(long long a, long long b) {
    return (a > b) - (a < b);
}

// An order of registers and locations in which those that term_same takes for one are equal.
static int term_order(const struct term *a, const struct term *b) {
    int by_kind = order(a->kind, b->kind);
    if (by_kind != 0 || a->kind == TERM_REGISTER) {
        int by_thread = by_kind != 0 ? by_kind : order(a->thread, b->thread);
        return by_thread != 0 ? by_thread : order(a->reg, b->reg);
    }
    int by_variable = order(a->variable, b->variable);
    int by_element = by_variable != 0          ? by_variable
                     : a->element < b->element ? -1
                                               : a->element > b->element;
    int by_instance = by_element != 0 ? by_element : order(a->has_instance, b->has_instance);
    return by_instance != 0 || !a->has_instance ? by_instance
                                                : order(a->instance_cta, b->instance_cta);
}

static int by_term(const void *a, const void *b) {
    const struct observed *x = *(const struct observed *const *)a;
    const struct observed *y = *(const struct observed *const *)b;
    int by = term_order(x->term, y->term);
    return by != 0 ? by : order(x - y, 0); // the first one represents all
}

// Sorts what the states show: a condition may have thousands of terms, each of which is looked up.
static void sort_shown(struct printer *printer, const struct program *program) {
    printer->shown = allocate(program->observed_count, sizeof(const struct observed *));
    for (size_t i = 0; i < program->observed_count; i++)
        if (program->observed[i].term)
            printer->shown[printer->shown_count++] = &program->observed[i];
    qsort(printer->shown, printer->shown_count, sizeof *printer->shown, by_term);
}

// What the states show of a register or location, or NULL (terms of a constant condition).
static const struct observed *observed_of(const struct printer *printer, const struct term *term) {
    size_t low = 0, high = printer->shown_count; // the first one that is not before the term
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (term_order(printer->shown[middle]->term, term) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < printer->shown_count && term_same(printer->shown[low]->term, term);
    return found ? printer->shown[low] : NULL;
}

static bool is_constant(const struct term *term) {
    return term->kind == TERM_CONSTANT || term->kind == TERM_ADDRESS;
}

// Prints a constant as the values of `other`, the other side of the comparison, are printed.
static void print_constant(struct printer *printer, const struct term *term,
                           const struct observed *other) {
    char text[VALUE_TEXT_SIZE];
    bool herd = printer->style == CONDITION_HERD;
    constant_text(text, term->constant, term->negative, other ? other->width : 128,
                  other ? other->is_signed : term->negative, herd ? VALUE_HERD : VALUE_DECIMAL);
    // herd reads integers of 64 bits and fails beyond. PTX's suffix makes it decline the condition.
    enum { HEX_64_BITS = 2 + 16 };
    bool too_wide = herd && strlen(text) > HEX_64_BITS && strncmp(text, "0x", 2) == 0;
    fprintf(printer->out, "%s%s", text, too_wide ? "U" : "");
}

static void print_name(struct printer *printer, const char *name) {
    if (printer->style == CONDITION_HERD)
        herd_location_print(printer->out, name);
    else
        fputs(name, printer->out);
}

// A name for what no state shows.
static void print_unobserved(struct printer *printer, const struct term *term) {
    const struct test *test = printer->program->test;
    bool herd = printer->style == CONDITION_HERD;
    if (term->kind == TERM_REGISTER) {
        const struct thread *thread = &test->threads[term->thread];
        const char *name = thread->registers[term->reg].name;
        fprintf(printer->out, "%s%u:", herd ? "" : "P", thread->number);
        print_name(printer, herd ? test_register_key(name) : name);
        return;
    }
    const struct variable *variable = &test->variables[term->variable];
    bool brackets = herd && !variable->is_array;
    fputs(brackets ? "[" : "", printer->out);
    print_name(printer, variable->name);
    fputs(brackets ? "]" : "", printer->out);
    if (variable->is_array)
        fprintf(printer->out, "[%zu]", term->element);
}

static void print_term(struct printer *printer, const struct term *term, const struct term *other) {
    const struct observed *observed = observed_of(printer, term);
    if (term->kind == TERM_CONSTANT) {
        print_constant(printer, term, observed_of(printer, other));
    } else if (term->kind == TERM_ADDRESS) { // herd's has no sign
        fputs(printer->style == CONDITION_HERD ? "" : "&", printer->out);
        print_name(printer, printer->program->test->variables[term->variable].name);
    } else if (observed) {
        print_name(printer,
                   printer->style == CONDITION_HERD ? observed->log_name : observed->json_name);
    } else {
        print_unobserved(printer, term);
    }
}

static const char *compare_text(enum compare_op compare, enum condition_style style) {
    bool herd = style == CONDITION_HERD;
    switch (compare) {
    case COMPARE_EQ: return herd ? "=" : " == ";
    case COMPARE_NE: return herd ? "=" : " != "; // herd: not (a=b)
    case COMPARE_LT: return herd ? "<" : " < ";
    case COMPARE_LE: return herd ? "<=" : " <= ";
    case COMPARE_GT: return herd ? ">" : " > ";
    case COMPARE_GE: return herd ? ">=" : " >= ";
    default: return "?";
    }
}

// The comparison with its sides exchanged.
static enum compare_op flipped(enum compare_op compare) {
    switch (compare) {
    case COMPARE_LT: return COMPARE_GT;
    case COMPARE_LE: return COMPARE_GE;
    case COMPARE_GT: return COMPARE_LT;
    case COMPARE_GE: return COMPARE_LE;
    default: return compare;
    }
}

// herd wants the register or location on the left, and would read an element on the right as an
// address; in brackets it declines it.
static void print_compare(struct printer *printer, const struct condition *condition) {
    bool herd = printer->style == CONDITION_HERD;
    bool flip = herd && is_constant(&condition->lhs) && !is_constant(&condition->rhs);
    const struct term *left = flip ? &condition->rhs : &condition->lhs;
    const struct term *right = flip ? &condition->lhs : &condition->rhs;
    enum compare_op compare = flip ? flipped(condition->compare) : condition->compare;
    bool negate = herd && compare == COMPARE_NE;
    const struct test *test = printer->program->test;
    bool element =
        herd && right->kind == TERM_LOCATION && test->variables[right->variable].is_array;
    fputs(negate ? "not (" : "", printer->out);
    print_term(printer, left, right);
    fputs(compare_text(compare, printer->style), printer->out);
    fputs(element ? "[" : "", printer->out);
    print_term(printer, right, left);
    fputs(element ? "]" : "", printer->out);
    fputs(negate ? ")" : "", printer->out);
}

static void print_condition(struct printer *printer, const struct condition *condition,
                            enum condition_kind above);

// Prints a chain of one connective without recursion along it: chains may be long.
static void print_chain(struct printer *printer, const struct condition *condition) {
    static const UT_icd icd = {sizeof(const struct condition *), NULL, NULL, NULL};
    enum condition_kind kind = condition->kind;
    UT_array *pending;
    utarray_new(pending, &icd);
    utarray_push_back(pending, &condition);
    bool first = true;
    while (utarray_len(pending) > 0) {
        const struct condition *next = *(const struct condition **)utarray_back(pending);
        utarray_pop_back(pending);
        if (next->kind == kind) {
            utarray_push_back(pending, &next->right);
            utarray_push_back(pending, &next->left);
            continue;
        }
        fputs(first ? "" : kind == CONDITION_AND ? " /\\ " : " \\/ ", printer->out);
        first = false;
        print_condition(printer, next, kind);
    }
    utarray_free(pending);
}

// Only an `or` within an `and` needs parentheses: `not` has its own.
static void print_condition(struct printer *printer, const struct condition *condition,
                            enum condition_kind above) {
    bool parentheses = above == CONDITION_AND && condition->kind == CONDITION_OR;
    switch (condition->kind) {
    case CONDITION_TRUE: fputs("true", printer->out); break;
    case CONDITION_FALSE: fputs("false", printer->out); break;
    case CONDITION_NOT:
        fputs(printer->style == CONDITION_HERD ? "not (" : "~(", printer->out);
        print_condition(printer, condition->left, CONDITION_NOT);
        fputc(')', printer->out);
        break;
    case CONDITION_AND:
    case CONDITION_OR:
        fputs(parentheses ? "(" : "", printer->out);
        print_chain(printer, condition);
        fputs(parentheses ? ")" : "", printer->out);
        break;
    case CONDITION_COMPARE: print_compare(printer, condition); break;
    }
}

void condition_print(FILE *out, const struct program *program, enum condition_style style) {
    struct printer printer = {.out = out, .program = program, .style = style};
    sort_shown(&printer, program);
    print_condition(&printer, program->test->condition, CONDITION_TRUE);
    free(printer.shown);
}

const char *condition_to_text(struct arena *arena, const struct program *program,
                              enum condition_style style) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    condition_print(out, program, style);
    text_close(out);
    const char *copy = arena_strndup(arena, text, size);
    free(text);
    return copy;
}

const char *quantifier_text(enum quantifier quantifier) {
    static const char *const texts[] = {[QUANTIFIER_EXISTS] = "exists",
                                        [QUANTIFIER_NOT_EXISTS] = "~exists",
                                        [QUANTIFIER_FORALL] = "forall"};
    return texts[quantifier];
}
