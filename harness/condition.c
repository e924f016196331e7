// Conditions as expressions of C++, which compare as litmus-format.md section 1 says: the rules are
// in runtime/compare.h.
#include "harness/cuda.h"

#include "litmus/source/bug.h"

#include <inttypes.h>

static const char *compare_word(enum compare_op compare) {
    switch (compare) {
    case COMPARE_EQ: return "equal";
    case COMPARE_NE: return "differs";
    case COMPARE_LT: return "less";
    case COMPARE_LE: return "at_most";
    case COMPARE_GT: return "greater";
    case COMPARE_GE: return "at_least";
    default: bug("a condition compares otherwise: %d", (int)compare);
    }
}

static void write_term(FILE *out, const struct harness_plan *plan, const struct term *term) {
    if (term->kind == TERM_CONSTANT) {
        fprintf(out, "litmus::constant(0x%" PRIx64 "ull, %s)", term->constant.low,
                term->negative ? "true" : "false");
        return;
    }
    const struct harness_column *column = harness_column_of(plan, term);
    if (!column)
        bug("a condition is about what no state shows");
    fprintf(out, "litmus::value(v[%zu], %u, %s)", (size_t)(column - plan->columns), column->bits,
            column->is_signed ? "true" : "false");
}

void harness_write_condition(FILE *out, const struct harness_plan *plan,
                             const struct condition *condition) {
    switch (condition->kind) {
    case CONDITION_TRUE: fputs("true", out); return;
    case CONDITION_FALSE: fputs("false", out); return;
    case CONDITION_NOT:
        fputs("!(", out);
        harness_write_condition(out, plan, condition->left);
        fputc(')', out);
        return;
    case CONDITION_AND:
    case CONDITION_OR:
        fputc('(', out);
        harness_write_condition(out, plan, condition->left);
        fputs(condition->kind == CONDITION_AND ? " && " : " || ", out);
        harness_write_condition(out, plan, condition->right);
        fputc(')', out);
        return;
    case CONDITION_COMPARE:
        fprintf(out, "litmus::compares(litmus::%s, ", compare_word(condition->compare));
        write_term(out, plan, &condition->lhs);
        fputs(", ", out);
        write_term(out, plan, &condition->rhs);
        fputc(')', out);
        return;
    }
    bug("condition of kind %d", (int)condition->kind);
}
