// Fuzz target: any bytes as a cat text. It parses or is refused with messages that render, and a
// model that was made is well-formed and can be evaluated.
#include "tests/fuzz/fuzz.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/model.h"

enum { EVENTS = 5 };

#define require(condition) ((condition) ? (void)0 : bug("not so: %s", #condition))

static void check_form(const struct model *model) {
    for (size_t i = 0; i < model->node_count; i++) {
        const struct model_node *node = &model->nodes[i];
        bool binary = node->op == NODE_UNION || node->op == NODE_INTERSECTION ||
                      node->op == NODE_DIFFERENCE || node->op == NODE_SEQUENCE ||
                      node->op == NODE_PRODUCT;
        if (node->op == NODE_RECURSION)
            require(node->left > i && node->left < model->node_count && node->recursive &&
                    model->nodes[node->left].is_set == node->is_set);
        else if (node->op >= NODE_UNION)
            require(node->left < i && (!binary || node->right < i));
    }
    for (size_t i = 0; i < model->axiom_count; i++) {
        require(model->axioms[i].node < model->node_count && model->axioms[i].name);
        require(model->axioms[i].kind == AXIOM_EMPTY ||
                !model->nodes[model->axioms[i].node].is_set);
    }
}

// A fixed point is one: a recursion has the value of its body.
static void check_values(const struct model *model, const struct node_value *values) {
    for (size_t i = 0; i < model->node_count; i++) {
        const struct model_node *node = &model->nodes[i];
        if (node->op == NODE_RECURSION && !node->is_set)
            require(relation_equal(&values[i].relation, &values[node->left].relation));
    }
    for (size_t i = 0; i < model->axiom_count; i++)
        (void)model_axiom_holds(&model->axioms[i], values);
}

static void evaluate(struct arena *arena, const struct model *model) {
    struct model_facts facts = {.n = EVENTS, .executed = event_set_new(arena, EVENTS)};
    uint32_t bits = 0x2545f491;
    for (unsigned a = 0; a + 1 < EVENTS; a++)
        event_set_add(&facts.executed, a);
    for (unsigned i = 0; i < BASE_SET_COUNT; i++) {
        facts.sets[i] = event_set_new(arena, EVENTS);
        event_set_add(&facts.sets[i], i % EVENTS);
    }
    for (unsigned i = 0; i < BASE_REL_COUNT; i++) {
        facts.relations[i] = relation_new(arena, EVENTS);
        for (unsigned edge = 0; edge < 4; edge++, bits = bits * 1664525 + 1013904223)
            relation_add(&facts.relations[i], bits >> 8 & 3, bits >> 16 & 3);
    }
    check_values(model, model_evaluate(arena, model, &facts));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "fuzz.cat", (const char *)data, size);
    const struct model *model = model_parse(arena, source, &diagnostics);
    require((model == NULL) == diag_has_errors(&diagnostics));
    for (size_t i = 0; i < diagnostics.count; i++)
        (void)diag_render(arena, &diagnostics.items[i]);
    if (model) {
        check_form(model);
        evaluate(arena, model);
    }
    arena_free(arena);
    return 0;
}
