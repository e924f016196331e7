// What a run says besides its outcomes: programs that the model or the test leaves undefined, and
// flags. Both are about the program, so the test's filter does not count.

#include "solver/run.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

// --- Undefined programs ------------------------------------------------------------------------

static struct span span_of_event(const struct run *run, unsigned event) {
    const struct event *e = &run->program->events[event];
    if (e->instruction != NULL)
        return e->instruction->opcode_span;
    const struct object *object = &run->program->objects[e->candidates[0].object];
    return run->program->test->variables[object->variable].span;
}

// Names the instructions of an execution in which the axiom is broken.
static void report_undefined(struct run *run, const struct model_axiom *axiom) {
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

static bool check_axiom(struct run *run, const struct model_axiom *axiom) {
    literal broken = encode_axiom(run->encoder, axiom, false);
    literal assumptions[] = {broken, run->bounded, run->complete, run->inside};
    if (broken == LITERAL_FALSE)
        return true;
    enum answer answer = run_check(run, assumptions, 4, axiom, false);
    if (answer == ANSWER_UNKNOWN)
        run_undecided(run);
    if (answer != ANSWER_SAT)
        return true;
    report_undefined(run, axiom);
    return false;
}

// --- Addresses ---------------------------------------------------------------------------------

// Which base relations a union is of.
static void collect_members(const struct model *model, unsigned node, bool *members) {
    const struct model_node *n = &model->nodes[node];
    if (n->op == NODE_UNION) {
        collect_members(model, n->left, members);
        collect_members(model, n->right, members);
    } else if (n->op == NODE_BASE_RELATION) {
        members[n->base] = true;
    }
}

// Whether values out of thin air are ruled out, through addresses and guards too.
static bool has_no_thin_air(const struct model *model) {
    for (size_t i = 0; i < model->axiom_count; i++) {
        bool members[BASE_REL_COUNT] = {false};
        if (model->axioms[i].use != AXIOM_REQUIRED || model->axioms[i].kind != AXIOM_ACYCLIC)
            continue;
        collect_members(model, model->axioms[i].node, members);
        if (members[BASE_REL_RF] && members[BASE_REL_ADDR] && members[BASE_REL_DATA] &&
            members[BASE_REL_CTRL])
            return true;
    }
    return false;
}

// The places of an access were found from what loads can return when no value depends on itself.
static bool check_addresses(struct run *run) {
    const struct instruction *access = run->program->computed_access;
    bool dropped = run->program->dependencies_dropped;
    bool open = run->program->dependencies_open;
    if (access == NULL || (has_no_thin_air(run->model) && !dropped && !open))
        return true;
    if (open) {
        diag_error(run->diagnostics, access->opcode_span,
                   "this address depends on a load, and it could not be decided which "
                   "dependencies the test has");
        diag_hint(run->diagnostics, "--deps=syntactic takes all of them as they are written");
        return false;
    }
    diag_error(run->diagnostics, access->opcode_span,
               "this address depends on a load, and %s allows values out of thin air",
               dropped ? "--deps=none" : run->model->name);
    diag_hint(run->diagnostics, "which places it may reach is known only where an axiom "
                                "'acyclic rf | addr | data | ctrl' holds with dependencies");
    return false;
}

// --- Bounds ------------------------------------------------------------------------------------

// Whether the event executes outside every variable in the last model.
static bool is_outside(struct run *run, const struct event *event) {
    if (event->candidate_count == 0 ||
        !backend_literal_value(run->backend, encode_condition(run->encoder, event->executes)))
        return false;
    for (size_t i = 0; i < event->candidate_count; i++)
        if (backend_literal_value(run->backend,
                                  encode_condition(run->encoder, event->candidates[i].condition)))
            return false;
    return true;
}

static bool check_bounds(struct run *run) {
    literal outside = -run->inside;
    if (outside == LITERAL_FALSE)
        return true;
    enum answer answer = run_check(run, &outside, 1, NULL, false);
    if (answer == ANSWER_UNKNOWN)
        run_undecided(run);
    if (answer != ANSWER_SAT) {
        backend_clause(run->backend, &run->inside, 1);
        return true;
    }
    for (size_t i = 0; i < run->program->event_count; i++) {
        const struct event *event = &run->program->events[i];
        if (!is_outside(run, event))
            continue;
        diag_error(run->diagnostics, span_of_event(run, event->id),
                   "this access lies outside every variable in some execution");
        return false;
    }
    diag_error(run->diagnostics, (struct span){.source = run->program->test->source},
               "some execution accesses memory outside every variable");
    return false;
}

bool run_is_defined(struct run *run) {
    if (!check_addresses(run) || !check_bounds(run))
        return false;
    for (size_t i = 0; i < run->model->axiom_count; i++)
        if (run->model->axioms[i].use == AXIOM_DEFINED && !check_axiom(run, &run->model->axioms[i]))
            return false;
    return !encoder_failed(run->encoder);
}

// --- Flags -------------------------------------------------------------------------------------

static void add_flag(struct run *run, const char *name) {
    struct outcomes *outcomes = run->outcomes;
    const char **flags = ARENA_ARRAY(run->arena, const char *, outcomes->flag_count + 1);
    for (size_t i = 0; i < outcomes->flag_count; i++)
        flags[i] = outcomes->flags[i];
    flags[outcomes->flag_count++] = name;
    outcomes->flags = flags;
}

// memory-model.md section 7: a race between accesses that overlap in part leaves the program
// undefined, so that what the axioms exclude may happen all the same. What they allow may.
static void leave_undefined(struct run *run, enum answer answer) {
    struct outcomes *outcomes = run->outcomes;
    if (outcomes->verdict != VERDICT_FORBIDDEN && outcomes->verdict != VERDICT_ALWAYS)
        return;
    outcomes->verdict = VERDICT_UNKNOWN;
    if (answer == ANSWER_SAT)
        outcomes->reason = REASON_UNDEFINED;
}

// memory-model.md section 6: executions that hang have no outcome, but the run says that they may.
static void find_hangs(struct run *run) {
    run->hang = encode_hang(run->encoder);
    literal assumptions[] = {run->hang, run->bounded, run->inside};
    if (run->hang == LITERAL_FALSE)
        return;
    enum answer answer = run_check(run, assumptions, 3, NULL, false);
    if (answer == ANSWER_SAT)
        add_flag(run, "hang");
    if (answer == ANSWER_UNKNOWN)
        run_undecided(run);
}

static bool has_flag(const struct run *run, const char *name) {
    for (size_t i = 0; i < run->outcomes->flag_count; i++)
        if (strcmp(run->outcomes->flags[i], name) == 0)
            return true;
    return false;
}

// A test without any execution that ends says nothing, though "never" sounds so: some loop waits
// for what nobody writes.
static void find_endless(struct run *run) {
    literal assumptions[] = {run->bounded, run->complete, run->inside};
    if (!run->outcomes->none || has_flag(run, "hang") || has_flag(run, "bound"))
        return;
    if (run_check(run, assumptions, 3, NULL, false) == ANSWER_UNSAT)
        add_flag(run, "endless");
}

void run_find_flags(struct run *run) {
    find_hangs(run);
    find_endless(run);
    for (size_t i = 0; i < run->model->axiom_count; i++) {
        const struct model_axiom *axiom = &run->model->axioms[i];
        if (axiom->use != AXIOM_FLAG)
            continue;
        literal holds = encode_axiom(run->encoder, axiom, true);
        literal assumptions[] = {holds, run->bounded, run->complete, run->inside};
        if (holds == LITERAL_FALSE)
            continue;
        enum answer answer = run_check(run, assumptions, 4, axiom, true);
        bool undefines = strcmp(axiom->name, "mixed-size-race") == 0;
        if (answer == ANSWER_SAT)
            add_flag(run, axiom->name);
        if (answer == ANSWER_UNKNOWN)
            run_undecided(run);
        if (answer != ANSWER_UNSAT && undefines)
            leave_undefined(run, answer);
        if (answer == ANSWER_SAT && (undefines || run->options->races))
            run_find_races(run, axiom, run->options->races);
    }
}
