// Programs that the model or the test leaves undefined: errors, and no outcomes. They are about the
// program, so the test's filter does not count.

#include "solver/answer/run.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

// --- Undefined programs ------------------------------------------------------------------------

static struct span span_of_event(const struct solver_run *run, unsigned event) {
    const struct event *e = &run->program->events[event];
    if (e->instruction != NULL)
        return e->instruction->opcode_span;
    const struct object *object = &run->program->memory.objects[e->candidates[0].object];
    return run->program->test->variables[object->variable].span;
}

// Names the instructions of an execution in which the axiom is broken.
static void report_undefined(struct solver_run *run, const struct model_axiom *axiom) {
    unsigned a = 0, b = 0;
    bool is_set = run->model->nodes[axiom->node].is_set;
    if (!encode_find_pair(run->encoder, axiom, &a, &b)) {
        diag_error(run->diagnostics, axiom->span, "the model leaves the program undefined: '%s'",
                   axiom->name);
        return;
    }
    diag_error(run->diagnostics, span_of_event(run, a),
               "the model '%s' leaves the program undefined: '%s'", run->model->name, axiom->name);
    if (is_set || a == b)
        return;
    struct span other = span_of_event(run, b);
    struct position position = source_position(other.source, other.begin);
    diag_hint(run->diagnostics, "together with the instruction in line %u", position.line);
    diag_error(run->diagnostics, other, "'%s': this is the other one", axiom->name);
}

static enum truth keeps_axiom(struct solver_run *run, const struct model_axiom *axiom) {
    literal broken = encode_axiom(run->encoder, axiom, false);
    switch (
        run_ask(run, LITERALS(broken, run->bounded, run->complete, run->inside), axiom, false)) {
    case TRUTH_NO: return TRUTH_YES;
    case TRUTH_UNKNOWN: return TRUTH_UNKNOWN;
    case TRUTH_YES: break;
    }
    report_undefined(run, axiom);
    return TRUTH_NO;
}

// --- Addresses ---------------------------------------------------------------------------------

// The places of an access were found from what loads can return when no value depends on itself.
static bool check_addresses(struct solver_run *run) {
    const struct instruction *access = run->program->dependencies.computed_access;
    bool dropped = run->program->dependencies.dropped;
    if (access == NULL || (model_forbids_thin_air(run->model) && !dropped))
        return true;
    diag_error(run->diagnostics, access->opcode_span,
               "this address depends on a load, and %s allows values out of thin air",
               dropped ? "--deps=none" : run->model->name);
    diag_hint(run->diagnostics, "which places it may reach is known only where an axiom "
                                "'acyclic rf | addr | data | ctrl' holds with dependencies");
    return false;
}

// --- What models need not speak of --------------------------------------------------------------

// What a program may do, and a base name that each model uses which says what that does.
struct topic {
    enum node_op op;
    unsigned base;
    const char *name;
};

static const struct topic mbarriers = {NODE_BASE_SET, BASE_SET_MBARRIER, "mbarriers"};
static const struct topic products = {NODE_BASE_SET, BASE_SET_WGMMA, "products of matrices"};
static const struct topic tensors = {NODE_BASE_SET, BASE_SET_TMEM, "accesses to tensor memory"};
static const struct topic operations = {NODE_BASE_RELATION, BASE_REL_ISSUED,
                                        "asynchronous operations"};

static bool speaks_of(const struct model *model, const struct topic *topic) {
    for (size_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].op == topic->op && model->nodes[i].base == topic->base)
            return true;
    return false;
}

// What an event does that a model may not speak of, of mbarriers or apart from them; or NULL.
static const struct topic *topic_of(const struct event *event, bool of_mbarriers) {
    if (of_mbarriers)
        return event->mbarrier != NULL ? &mbarriers : NULL;
    if (event->async == NULL)
        return NULL;
    return event_starts(event, FAMILY_WGMMA)  ? &products
           : event_is_in_tensor_memory(event) ? &tensors
                                              : &operations;
}

// Such events are neither reads nor writes of a model, so that one which does not speak of them
// would take no notice of what they order.
static bool check_topics(struct solver_run *run, bool of_mbarriers) {
    for (size_t i = 0; i < run->program->event_count; i++) {
        const struct event *event = &run->program->events[i];
        const struct topic *topic = topic_of(event, of_mbarriers);
        if (topic == NULL || speaks_of(run->model, topic))
            continue;
        diag_error(run->diagnostics, event->instruction->opcode_span,
                   "the model '%s' does not say what %s do", run->model->name, topic->name);
        diag_hint(run->diagnostics, "ptx-9.1 does, and so does a model that includes it");
        return false;
    }
    return true;
}

// --- Bounds ------------------------------------------------------------------------------------

// Whether the event executes outside every variable in the last model.
static bool is_outside(struct solver_run *run, const struct event *event) {
    if ((event->candidate_count == 0 && !event_is_access(event)) ||
        !backend_literal_value(run->backend, encode_condition(run->encoder, event->executes)))
        return false;
    for (size_t i = 0; i < event->candidate_count; i++)
        if (backend_literal_value(run->backend,
                                  encode_condition(run->encoder, event->candidates[i].condition)))
            return false;
    return true;
}

static enum truth stays_inside(struct solver_run *run) {
    literal outside = -run->inside;
    switch (run_ask(run, &outside, 1, NULL, false)) {
    case TRUTH_NO: backend_clause(run->backend, &run->inside, 1); return TRUTH_YES;
    case TRUTH_UNKNOWN: return TRUTH_UNKNOWN;
    case TRUTH_YES: break;
    }
    for (size_t i = 0; i < run->program->event_count; i++) {
        const struct event *event = &run->program->events[i];
        if (!is_outside(run, event))
            continue;
        diag_error(run->diagnostics, span_of_event(run, event->id),
                   "this access lies outside every variable in some execution");
        if (expr_has_leaf(run->program->pool, event->address, EXPR_UNKNOWN))
            diag_hint(run->diagnostics, "its address depends on a value that is not known: of a "
                                        "register that any value may be in, such as a clock, of a "
                                        "function without a body, or of an instruction that is "
                                        "not modelled");
        else if (run->program->memory.tears)
            diag_hint(run->diagnostics, "bytes of an address that races may come from several "
                                        "writes; --tearing=none reads accesses as whole");
        return TRUTH_NO;
    }
    diag_error(
        run->diagnostics, (struct span){.source = run->program->test->source},
        "some execution has a number from memory that is not modelled: a count of an mbarrier "
        "above 65535, or coordinates of a tile that no write is known to give, or that no store "
        "may have");
    return TRUTH_NO;
}

enum truth run_is_defined(struct solver_run *run) {
    enum truth defined = check_addresses(run) && check_topics(run, true) && check_topics(run, false)
                             ? stays_inside(run)
                             : TRUTH_NO;
    for (size_t i = 0; i < run->model->axiom_count && defined == TRUTH_YES; i++)
        if (run->model->axioms[i].use == AXIOM_DEFINED)
            defined = keeps_axiom(run, &run->model->axioms[i]);
    return encoder_failed(run->encoder) ? TRUTH_NO : defined;
}
