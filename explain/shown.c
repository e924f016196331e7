// The edges that are worth showing.
#include "explain/shown.h"

#include "explain/words.h"
#include "litmus/source/arena.h"

static void add_all(struct arena *arena, struct shown_edges *edges, const char *name,
                    const struct relation *relation) {
    for (unsigned a = 0; a < relation->n; a++)
        for (unsigned b = 0; b < relation->n; b++)
            if (relation_has(relation, a, b))
                ARENA_APPEND(arena, edges->items, edges->count, (struct shown_edge){name, a, b});
}

// The pairs of an order that follow from no two others, those of initial writes left out.
static void add_order(struct arena *arena, struct shown_edges *edges, const char *name,
                      const struct found_execution *execution, const struct relation *order) {
    for (unsigned a = 0; a < order->n; a++)
        for (unsigned b = 0; b < order->n; b++) {
            bool shown =
                relation_has(order, a, b) && execution->program->events[a].kind != EVENT_INIT;
            for (unsigned c = 0; shown && c < order->n; c++)
                shown = !relation_has(order, a, c) || !relation_has(order, c, b);
            if (shown)
                ARENA_APPEND(arena, edges->items, edges->count, (struct shown_edge){name, a, b});
        }
}

struct shown_edges shown_edges_of(struct arena *arena, const struct model *model,
                                  const struct found_execution *execution) {
    static const char *const named[] = {"sync", "tensormap-sync", "restricted-sync"};
    const struct relation *base = execution->facts->relations;
    struct shown_edges edges = {0};
    add_all(arena, &edges, "rf", &base[BASE_REL_RF]);
    add_order(arena, &edges, "co", execution, &base[BASE_REL_CO]);
    add_order(arena, &edges, "sc", execution, &base[BASE_REL_SC_ORDER]);
    for (size_t i = 0; i < model->node_count; i++) {
        const struct model_node *node = &model->nodes[i];
        for (size_t k = 0; k < sizeof named / sizeof named[0]; k++)
            if (words_is_relation(node, named[k]))
                add_all(arena, &edges, named[k], &execution->nodes[i].relation);
    }
    add_all(arena, &edges, "barrier", &base[BASE_REL_BARRIER]);
    return edges;
}
