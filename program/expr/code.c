// Expressions as lists of operations. Most have 64 bits or fewer: those take the short way.
#include "program/expr/code.h"

#include "program/expr/internal.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

enum { STEPS_MAX = 32, NARROW_BITS = 64, NO_STEP = -1 };

// One operation, a constant or an input. Its operands are earlier steps.
struct code_step {
    enum expr_op op;
    unsigned width, index;
    unsigned first_width; // of the first operand
    unsigned arguments[3];
    uint64_t mask, constant; // of up to 64 bits
    struct expr expr;        // for what is not done the short way; its operands are such copies
};

struct expr_code {
    unsigned count;
    bool is_narrow; // nothing in it has more than 64 bits
    struct code_step steps[];
};

// --- Making --------------------------------------------------------------------------------------

struct code_list {
    const struct expr *items[STEPS_MAX];
    unsigned count;
};

static int find(const struct code_list *list, const struct expr *expr) {
    for (unsigned i = 0; i < list->count; i++)
        if (list->items[i] == expr)
            return (int)i;
    return NO_STEP;
}

// Adds an expression after its operands. Returns false where the code cannot have it.
static bool add(struct code_list *list, const struct expr *expr, unsigned inputs) {
    if (find(list, expr) != NO_STEP)
        return true;
    bool is_input = expr->op == EXPR_UNKNOWN && expr->index < inputs;
    if ((expr_is_leaf(expr) && !is_input) || expr->width > BITS_MAX)
        return false;
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        if (!add(list, expr->args[i], inputs))
            return false;
    if (list->count == STEPS_MAX)
        return false;
    list->items[list->count++] = expr;
    return true;
}

static struct code_step step_of(const struct code_list *list, unsigned at,
                                struct code_step *steps) {
    const struct expr *expr = list->items[at];
    struct code_step step = {.op = expr->op,
                             .width = expr->width,
                             .index = expr->index,
                             .mask = (uint64_t)bits_mask(expr->width),
                             .constant = expr->value.low,
                             .expr = *expr};
    for (unsigned i = 0; i < expr_arity(expr->op); i++) {
        step.arguments[i] = (unsigned)find(list, expr->args[i]);
        step.expr.args[i] = &steps[step.arguments[i]].expr;
    }
    step.first_width = expr_arity(expr->op) > 0 ? expr->args[0]->width : 0;
    return step;
}

const struct expr_code *expr_code_new(struct arena *arena, const struct expr *expr,
                                      unsigned inputs) {
    struct code_list list = {.count = 0};
    if (!add(&list, expr, inputs))
        return NULL;
    size_t size = sizeof(struct expr_code) + list.count * sizeof(struct code_step);
    struct expr_code *code = arena_alloc(arena, size);
    code->count = list.count;
    code->is_narrow = true;
    for (unsigned i = 0; i < list.count; i++) {
        code->steps[i] = step_of(&list, i, code->steps);
        code->is_narrow &= list.items[i]->width <= NARROW_BITS;
    }
    return code;
}

// --- Evaluating ----------------------------------------------------------------------------------

static uint64_t key_of(uint64_t value, unsigned width) {
    return value ^ UINT64_C(1) << (width - 1);
}

static uint64_t sign_extend(uint64_t value, unsigned width) {
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (value ^ sign) - sign;
}

// The value of a step whose operands have up to 64 bits, as expr_apply says; bits above its width
// may be set.
static uint64_t apply_narrow(const struct code_step *step, const uint64_t *values) {
    uint64_t a = values[step->arguments[0]], b = values[step->arguments[1]];
    unsigned width = step->first_width;
    switch (step->op) {
    case EXPR_NOT: return ~a;
    case EXPR_NEG: return 0 - a;
    case EXPR_AND: return a & b;
    case EXPR_OR: return a | b;
    case EXPR_XOR: return a ^ b;
    case EXPR_ADD: return a + b;
    case EXPR_SUB: return a - b;
    case EXPR_MUL: return a * b;
    case EXPR_SHL: return b >= width ? 0 : a << b;
    case EXPR_LSHR: return b >= width ? 0 : a >> b;
    case EXPR_EQ: return a == b;
    case EXPR_ULT: return a < b;
    case EXPR_ULE: return a <= b;
    case EXPR_SLT: return key_of(a, width) < key_of(b, width);
    case EXPR_SLE: return key_of(a, width) <= key_of(b, width);
    case EXPR_ITE: return a != 0 ? b : values[step->arguments[2]];
    case EXPR_EXTRACT: return a >> step->index;
    case EXPR_ZEXT: return a;
    case EXPR_SEXT: return sign_extend(a, width);
    default: break;
    }
    uint128 wide[3] = {a, b, values[step->arguments[2]]};
    struct expr_operation operation = expr_operation_of(&step->expr);
    return (uint64_t)expr_apply(&operation, wide);
}

static struct bits128 narrow_value(const struct expr_code *code, const struct bits128 *inputs) {
    uint64_t values[STEPS_MAX];
    values[0] = 0; // which steps without operands name
    for (unsigned i = 0; i < code->count; i++) {
        const struct code_step *step = &code->steps[i];
        if (step->op == EXPR_CONST)
            values[i] = step->constant;
        else if (step->op == EXPR_UNKNOWN)
            values[i] = inputs[step->index].low;
        else
            values[i] = apply_narrow(step, values) & step->mask;
    }
    return (struct bits128){.low = values[code->count - 1]};
}

static uint128 wide_step(const struct code_step *step, const uint128 *values,
                         const struct bits128 *inputs) {
    if (step->op == EXPR_CONST)
        return bits_to_wide(step->expr.value);
    if (step->op == EXPR_UNKNOWN)
        return bits_to_wide(inputs[step->index]);
    uint128 operands[3] = {0};
    struct expr_operation operation = expr_operation_of(&step->expr);
    for (unsigned k = 0; k < expr_arity(step->op); k++)
        operands[k] = values[step->arguments[k]];
    return expr_apply(&operation, operands);
}

struct bits128 expr_code_value(const struct expr_code *code, const struct bits128 *inputs) {
    uint128 values[STEPS_MAX];
    if (code->is_narrow)
        return narrow_value(code, inputs);
    for (unsigned i = 0; i < code->count; i++)
        values[i] = wide_step(&code->steps[i], values, inputs);
    return bits_from_wide(values[code->count - 1]);
}
