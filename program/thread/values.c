// Values of registers, made and joined: bits, whether they are known, and what they depend on.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/values.h"

#include <assert.h>

struct value program_value_const(struct builder *builder, unsigned width, struct bits128 bits) {
    assert(width > 0);
    return (struct value){.bits = expr_const(builder->pool, width, bits), .undef = builder->never};
}

struct value program_value_unknown(struct builder *builder, unsigned width) {
    assert(width > 0);
    return (struct value){
        .bits = expr_leaf(builder->pool, EXPR_UNKNOWN, width, builder->unknown_count++),
        .undef = builder->always};
}

struct value program_value_of(struct builder *builder, const struct expr *bits, struct value a,
                              struct value b) {
    // What folds to a constant is known, whatever it was computed from: r xor r is 0.
    const struct expr *undef =
        expr_is_const(bits) ? builder->never : expr_or(builder->pool, a.undef, b.undef);
    return (struct value){.bits = bits,
                          .undef = undef,
                          .dependencies =
                              dependencies_union(builder, a.dependencies, b.dependencies)};
}

static bool same_dependencies(struct dependency_list a, struct dependency_list b) {
    return a.count == b.count && (a.count == 0 || a.items == b.items);
}

// The values of a choice, with a and b both written; dependencies are the caller's.
static struct value choose_bits(struct builder *builder, const struct expr *condition,
                                struct value a, struct value b) {
    assert(condition->width == 1);
    if (a.bits == NULL)
        a = program_value_unknown(builder, b.bits->width);
    if (b.bits == NULL)
        b = program_value_unknown(builder, a.bits->width);
    return (struct value){.bits = expr_ite(builder->pool, condition, a.bits, b.bits),
                          .undef = expr_ite(builder->pool, condition, a.undef, b.undef)};
}

struct value program_value_choose(struct builder *builder, const struct expr *condition,
                                  struct value a, struct value b) {
    assert(condition->width == 1);
    if (expr_is_const(condition))
        return expr_is_true(condition) ? a : b;
    if (a.bits == NULL && b.bits == NULL)
        return a;
    const struct expr *otherwise = expr_not(builder->pool, condition);
    struct value value = choose_bits(builder, condition, a, b);
    value.dependencies =
        dependencies_union(builder, dependencies_when(builder, a.dependencies, condition),
                           dependencies_when(builder, b.dependencies, otherwise));
    return value;
}

// The dependencies where `path` holds. Lists that have this condition already are not traversed
// again: after a chain of branches that all lead to one place, that would take quadratic time.
static struct dependency_list
dependencies_on_path(struct builder *builder, const struct value *value, const struct expr *path) {
    return value->dependencies_path == path ? value->dependencies
                                            : dependencies_when(builder, value->dependencies, path);
}

struct value program_value_meet(struct builder *builder, const struct expr *way, struct value a,
                                const struct expr *path_a, struct value b,
                                const struct expr *path_b) {
    assert(way->width == 1);
    bool same_list = same_dependencies(a.dependencies, b.dependencies);
    if (same_list && a.bits == b.bits && a.undef == b.undef)
        return a;
    struct value value = choose_bits(builder, way, a, b);
    if (same_list) {
        value.dependencies = a.dependencies;
        return value;
    }
    value.dependencies = dependencies_union(builder, dependencies_on_path(builder, &a, path_a),
                                            dependencies_on_path(builder, &b, path_b));
    value.dependencies_path = expr_or(builder->pool, path_a, path_b);
    return value;
}
