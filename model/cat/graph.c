// Building the graph of a model: hash-consing, recursion groups, pruning.
#include "model/cat/graph.h"

#include "litmus/source/arena.h"
#include "litmus/source/containers.h"
#include "model/cat/walk.h"

#include <assert.h>

struct key {
    enum node_op op;
    unsigned is_set, base, left, right; // no padding: the key is compared as bytes
};

struct graph_entry {
    struct key key;
    unsigned node;
    UT_hash_handle hh;
};

void graph_init(struct graph *graph, struct arena *arena) {
    *graph = (struct graph){.arena = arena};
}

void graph_free(struct graph *graph) {
    HASH_CLEAR(hh, graph->entries); // the entries are the arena's
}

static unsigned append(struct graph *graph, struct model_node node) {
    ARENA_APPEND(graph->arena, graph->nodes, graph->count, node);
    return (unsigned)(graph->count - 1);
}

static bool has_left(enum node_op op) {
    return model_operand_count(op) > 0;
}

static bool has_right(enum node_op op) {
    return model_operand_count(op) > 1;
}

bool graph_is_open(const struct graph *graph, unsigned node) {
    return graph->group_open && node >= graph->group_first && graph->nodes[node].recursive;
}

static unsigned cons(struct graph *graph, struct model_node node) {
    struct key key = {node.op, node.is_set, node.base, node.left, node.right};
    struct graph_entry *entry = NULL;
    HASH_FIND(hh, graph->entries, &key, sizeof key, entry);
    if (entry)
        return entry->node;
    node.recursive = (has_left(node.op) && graph_is_open(graph, node.left)) ||
                     (has_right(node.op) && graph_is_open(graph, node.right));
    entry = ARENA_NEW(graph->arena, struct graph_entry);
    entry->key = key;
    entry->node = append(graph, node);
    HASH_ADD(hh, graph->entries, key, sizeof key, entry);
    return entry->node;
}

// What is left of an operator where an operand is empty: nothing, the other operand, or the
// operator as it is.
enum rest { REST_NOTHING, REST_LEFT, REST_RIGHT, REST_ALL };

static enum rest rest_of(enum node_op op, bool left_empty, bool right_empty) {
    switch (op) {
    case NODE_UNION: return left_empty ? REST_RIGHT : right_empty ? REST_LEFT : REST_ALL;
    case NODE_DIFFERENCE: return left_empty || right_empty ? REST_LEFT : REST_ALL;
    case NODE_INTERSECTION:
    case NODE_SEQUENCE:
    case NODE_PRODUCT: return left_empty || right_empty ? REST_NOTHING : REST_ALL;
    case NODE_INVERSE:
    case NODE_PLUS:
    case NODE_IDENTITY:
    case NODE_DOMAIN:
    case NODE_RANGE: return left_empty ? REST_NOTHING : REST_ALL;
    default: return REST_ALL;
    }
}

unsigned graph_node(struct graph *graph, enum node_op op, bool is_set, unsigned left,
                    unsigned right, struct span span) {
    assert(span.begin <= span.end);
    if (op >= NODE_UNION) {
        enum rest rest =
            rest_of(op, graph->nodes[left].op == NODE_EMPTY, graph->nodes[right].op == NODE_EMPTY);
        if (rest == REST_LEFT || rest == REST_RIGHT)
            return rest == REST_LEFT ? left : right;
        if (rest == REST_NOTHING)
            return graph_node(graph, NODE_EMPTY, is_set, 0, 0, span);
    }
    return cons(graph, (struct model_node){
                           .op = op, .is_set = is_set, .left = left, .right = right, .span = span});
}

unsigned graph_base(struct graph *graph, enum node_op op, unsigned base, const char *name) {
    return cons(graph, (struct model_node){
                           .op = op, .is_set = op == NODE_BASE_SET, .base = base, .name = name});
}

void graph_open_group(struct graph *graph) {
    graph->group_open = true;
    graph->group_first = (unsigned)graph->count;
}

unsigned graph_recursion(struct graph *graph, bool is_set, const char *name, struct span span) {
    assert(span.begin <= span.end);
    return append(
        graph,
        (struct model_node){
            .op = NODE_RECURSION, .is_set = is_set, .name = name, .span = span, .recursive = true});
}

void graph_set_body(struct graph *graph, unsigned recursion, unsigned body) {
    if (body <= recursion) {
        struct model_node copy = {.op = NODE_UNION,
                                  .is_set = graph->nodes[body].is_set,
                                  .left = body,
                                  .right = body,
                                  .span = graph->nodes[body].span,
                                  .recursive = graph_is_open(graph, body)};
        body = append(graph, copy);
    }
    graph->nodes[recursion].left = body;
}

void graph_close_group(struct graph *graph) {
    graph->group_open = false;
}

// --- Pruning -----------------------------------------------------------------------------------

struct worklist {
    unsigned *items;
    size_t count;
};

static void need(struct worklist *work, bool *needed, unsigned node) {
    if (!needed[node]) {
        needed[node] = true;
        work->items[work->count++] = node;
    }
}

static bool *find_needed(const struct graph *graph, const struct model_axiom *axioms,
                         size_t axiom_count) {
    bool *needed = ARENA_ARRAY(graph->arena, bool, graph->count);
    struct worklist work = {ARENA_ARRAY(graph->arena, unsigned, graph->count), 0};
    for (size_t i = 0; i < axiom_count; i++)
        need(&work, needed, axioms[i].node);
    while (work.count > 0) {
        const struct model_node *node = &graph->nodes[work.items[--work.count]];
        if (has_left(node->op))
            need(&work, needed, node->left);
        if (has_right(node->op))
            need(&work, needed, node->right);
    }
    return needed;
}

void graph_prune(struct graph *graph, struct model_axiom *axioms, size_t axiom_count) {
    const bool *needed = find_needed(graph, axioms, axiom_count);
    unsigned *renumbered = ARENA_ARRAY(graph->arena, unsigned, graph->count);
    size_t count = 0;
    for (size_t i = 0; i < graph->count; i++) {
        renumbered[i] = (unsigned)count;
        if (needed[i])
            graph->nodes[count++] = graph->nodes[i];
    }
    graph->count = count;
    for (size_t i = 0; i < count; i++) {
        struct model_node *node = &graph->nodes[i];
        if (has_left(node->op))
            node->left = renumbered[node->left];
        if (has_right(node->op))
            node->right = renumbered[node->right];
    }
    for (size_t i = 0; i < axiom_count; i++)
        axioms[i].node = renumbered[axioms[i].node];
}
