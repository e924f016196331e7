// Lists of dependencies: which reads a value, an address or a path comes from, and on which
// condition, as they are written (memory-model: syntactic dependencies).

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/threads.h"

#include <assert.h>

static bool is_always(const struct dependency *dependency) {
    return expr_is_true(dependency->condition);
}

void dependencies_add(const struct builder *builder, struct dependency_list *list, unsigned event,
                      const struct expr *condition) {
    assert(condition->width == 1);
    if (expr_is_false(condition))
        return;
    list->items = arena_grow(builder->arena, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = (struct dependency){event, condition};
}

// Whether every dependency of `b` is in `a` without a condition, so that a union is just `a`.
static bool contains(struct dependency_list a, struct dependency_list b) {
    size_t i = 0;
    for (size_t j = 0; j < b.count; j++) {
        while (i < a.count && a.items[i].event < b.items[j].event)
            i++;
        if (i == a.count || a.items[i].event != b.items[j].event || !is_always(&a.items[i]))
            return false;
    }
    return true;
}

struct dependency_list dependencies_union(struct builder *builder, struct dependency_list a,
                                          struct dependency_list b) {
    if (b.count == 0 || (a.items == b.items && a.count == b.count) || contains(a, b))
        return a;
    if (a.count == 0 || contains(b, a))
        return b;
    struct dependency *items = ARENA_ARRAY(builder->arena, struct dependency, a.count + b.count);
    size_t count = 0, i = 0, j = 0;
    while (i < a.count || j < b.count) {
        if (j == b.count || (i < a.count && a.items[i].event < b.items[j].event)) {
            items[count++] = a.items[i++];
        } else if (i == a.count || b.items[j].event < a.items[i].event) {
            items[count++] = b.items[j++];
        } else {
            items[count] = a.items[i++];
            items[count].condition =
                expr_or(builder->pool, items[count].condition, b.items[j++].condition);
            count++;
        }
    }
    return (struct dependency_list){items, count};
}

struct dependency_list dependencies_when(struct builder *builder, struct dependency_list list,
                                         const struct expr *condition) {
    assert(condition->width == 1);
    if (list.count == 0 || expr_is_true(condition))
        return list;
    struct dependency *items = ARENA_ARRAY(builder->arena, struct dependency, list.count);
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct expr *both = expr_and(builder->pool, list.items[i].condition, condition);
        if (!expr_is_false(both))
            items[count++] = (struct dependency){list.items[i].event, both};
    }
    return (struct dependency_list){items, count};
}

struct dependency_list dependencies_of_read(struct builder *builder, unsigned event) {
    assert(event < builder->program->event_count);
    if (builder->plan->options->dependencies == DEPENDENCIES_NONE)
        return (struct dependency_list){NULL, 0};
    struct dependency *item = ARENA_NEW(builder->arena, struct dependency);
    *item = (struct dependency){event, builder->always};
    return (struct dependency_list){item, 1};
}

// Older events keep the prefix of the array that they were given: what is added never moves or
// changes what is before.
void dependencies_control(struct thread_builder *thread, struct dependency_list list,
                          const struct expr *condition) {
    assert(condition->width == 1);
    bool *always = thread->builder->always_control;
    for (size_t i = 0; i < list.count; i++) {
        struct dependency dependency = list.items[i];
        dependency.condition = expr_and(thread->builder->pool, dependency.condition, condition);
        if (expr_is_false(dependency.condition) || always[dependency.event])
            continue;
        always[dependency.event] = is_always(&dependency);
        dependencies_add(thread->builder, &thread->ctrl, dependency.event, dependency.condition);
    }
}
