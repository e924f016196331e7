// ptxlitmus-judge: whether what `ptxlitmus explain --format json` says of executions is so, by the
// oracle's own reading of tests and rules. For each execution it runs the threads with the values
// that the execution gives them, takes the same rf, co, sc and phases, and evaluates the rules that
// are written by hand in axioms.c.
//
// usage: ptxlitmus-judge TEST.litmus <EXPLANATION
// Prints a line for each thing that is wrong, or for an execution that it cannot judge, and how
// much it has looked at. Status: 0, 1 when something is wrong, 2 for bad input.
#include "tests/oracle/judge.h"

#include "litmus/ptx/target.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "tests/oracle/axioms_async.h"
#include "tests/oracle/axioms_later.h"
#include "tests/oracle/axioms_mbarrier.h"
#include "tests/oracle/explore_internal.h"
#include "tests/oracle/mbarrier.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(struct claim *claim, const char *what, const char *a, const char *b) {
    printf("%s: wrong: %s %s %s\n", claim->where, what, a, b);
    claim->wrong++;
}

// --- Relations -----------------------------------------------------------------------------------

// What the oracle knows of the execution.
struct judged {
    const struct execution *x;
    const struct derived *d;
    const struct version *version;
    struct rel co, sc, fr;
    struct causality causality;
};

static struct rel pairs_of(const struct claim *claim, const char *field, unsigned n) {
    json_t *pairs = json_object_get(claim->execution, field);
    struct rel r = rel_empty(n);
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        json_t *pair = json_array_get(pairs, i);
        int a = judge_event_of(claim, json_string_value(json_array_get(pair, 0)));
        int b = judge_event_of(claim, json_string_value(json_array_get(pair, 1)));
        if (a > 0 && b > 0)
            rel_add(&r, (unsigned)a, (unsigned)b);
    }
    return r;
}

static bool is_release(enum access_order order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL;
}

static bool is_acquire(enum access_order order) {
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL;
}

static bool is_strong(const struct occurrence *event) {
    return event->order != ORDER_WEAK;
}

// PTX 8.8: a release write and itself or a later strong write there, or a release fence and a later
// strong write.
static bool is_release_pattern(const struct judged *judged, unsigned a, unsigned b) {
    const struct occurrence *x = &judged->x->event[a], *y = &judged->x->event[b];
    bool later = rel_has(&judged->d->po, a, b) && y->action == ACTION_WRITE && is_strong(y);
    if (x->action == ACTION_WRITE && is_release(x->order))
        return a == b || (later && rel_has(&judged->d->vloc, a, b));
    return x->action == ACTION_FENCE && !x->restricted &&
           (is_release(x->order) || x->order == ORDER_SC) && later;
}

static bool is_acquire_pattern(const struct judged *judged, unsigned a, unsigned b) {
    const struct occurrence *x = &judged->x->event[a], *y = &judged->x->event[b];
    bool reads = x->action == ACTION_READ && is_strong(x) && !x->red;
    bool later = rel_has(&judged->d->po, a, b);
    if (reads && y->action == ACTION_READ && is_acquire(y->order))
        return a == b || (later && rel_has(&judged->d->vloc, a, b));
    return reads && y->action == ACTION_FENCE && !y->restricted &&
           (is_acquire(y->order) || y->order == ORDER_SC) && later;
}

// Whether a pair is in a relation of that name. TRUE_NOW, FALSE_NOW, or NOT_KNOWN for a name that
// the oracle has no rule for.
static enum truth relates(const struct judged *judged, const char *name, unsigned a, unsigned b) {
    const struct derived *d = judged->d;
    const struct {
        const char *name;
        const struct rel *relation;
    } known[] = {{"po", &d->po},
                 {"rf", &d->rf},
                 {"co", &judged->co},
                 {"fr", &judged->fr},
                 {"sc", &judged->sc},
                 {"rmw", &d->rmw},
                 {"loc", &d->loc},
                 {"vloc", &d->vloc},
                 {"same-extent", &d->same_extent},
                 {"ext", &d->apart},
                 {"ms", &d->ms},
                 {"obs", &d->obs},
                 {"sync", &d->sync},
                 {"tensormap-sync", &d->tensormap},
                 {"restricted-sync", &d->restricted},
                 {"others", &d->others},
                 {"barrier", &d->barrier},
                 {"phase", &judged->x->meets},
                 {"issue", &judged->x->issues},
                 {"done", &judged->x->done},
                 {"next-grid", &judged->x->launches},
                 {"grid-waited", &judged->x->grid_waits},
                 {"grid-started", &judged->x->started},
                 {"grid-launch", &d->grid_starts},
                 {"bc", &judged->causality.base}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0)
            return rel_has(known[i].relation, a, b) ? TRUE_NOW : FALSE_NOW;
    // Through a bar.red or a warp, the oracle's dependencies go by its arrivals and waits.
    if (strcmp(name, "data") == 0 || strcmp(name, "addr") == 0 || strcmp(name, "ctrl") == 0 ||
        strcmp(name, "passed-dep") == 0) {
        struct rel depends = rel_closure(judged->x->dependency);
        return rel_has(&depends, a, b) ? TRUE_NOW : FALSE_NOW;
    }
    if (strcmp(name, "in-phase") == 0 || strcmp(name, "completed") == 0 ||
        strcmp(name, "mb") == 0 || strcmp(name, "begins") == 0) {
        struct rel relation = *name == 'i'   ? mbarrier_phases(judged->x, d)
                              : *name == 'c' ? mbarrier_completed(judged->x, d)
                              : *name == 'm'
                                  ? mbarrier_order(judged->x, d, judged->co, judged->fr)
                                  : mbarrier_initialised(judged->x, d, judged->causality.base);
        return rel_has(&relation, a, b) ? TRUE_NOW : FALSE_NOW;
    }
    if (strcmp(name, "within") == 0)
        return async_is_earlier(judged->x, a, b) ? TRUE_NOW : FALSE_NOW;
    if (strcmp(name, "exit-dep") == 0)
        return rel_has(&judged->x->exit_dependency, a, b) ? TRUE_NOW : FALSE_NOW;
    // Initial writes precede all: the oracle leaves them out of causality order.
    if (strcmp(name, "cause") == 0)
        return a == 0 || rel_has(&judged->causality.order, a, b) ? TRUE_NOW : FALSE_NOW;
    if (strcmp(name, "tensor-order") == 0)
        return rel_has(&judged->causality.order, a, b) && judged->x->event[a].tensor ? TRUE_NOW
                                                                                     : FALSE_NOW;
    if (strcmp(name, "same-shape") == 0)
        return judged->x->event[a].starts == OP_TENSOR_MMA &&
                       judged->x->event[a].starts == judged->x->event[b].starts &&
                       judged->x->event[a].matrix_shape == judged->x->event[b].matrix_shape
                   ? TRUE_NOW
                   : FALSE_NOW;
    if (strcmp(name, "same-proxy") == 0)
        return judged->x->event[a].proxy == judged->x->event[b].proxy ? TRUE_NOW : FALSE_NOW;
    if (strcmp(name, "release-pattern") == 0)
        return is_release_pattern(judged, a, b) ? TRUE_NOW : FALSE_NOW;
    if (strcmp(name, "acquire-pattern") == 0)
        return is_acquire_pattern(judged, a, b) ? TRUE_NOW : FALSE_NOW;
    return NOT_KNOWN;
}

static void judge_pair(struct claim *claim, const struct judged *judged, json_t *pair) {
    const char *name = judge_text(pair, "relation");
    int a = judge_event_of(claim, judge_text(pair, "from")),
        b = judge_event_of(claim, judge_text(pair, "to"));
    if (a < 0 || b < 0) {
        complain(claim, "there is no such event:", judge_text(pair, "from"),
                 judge_text(pair, "to"));
        return;
    }
    switch (relates(judged, name, (unsigned)a, (unsigned)b)) {
    case TRUE_NOW: claim->pairs++; break;
    case FALSE_NOW: complain(claim, name, judge_text(pair, "from"), judge_text(pair, "to")); break;
    case NOT_KNOWN:
        printf("%s: the oracle has no relation '%s'\n", claim->where, name);
        claim->unknown++;
        break;
    }
}

// That a pair is not in a relation.
static void judge_absence(struct claim *claim, const struct judged *judged, json_t *pair) {
    int a = judge_event_of(claim, judge_text(pair, "from")),
        b = judge_event_of(claim, judge_text(pair, "to"));
    if (a < 0 || b < 0 ||
        relates(judged, judge_text(pair, "relation"), (unsigned)a, (unsigned)b) != FALSE_NOW)
        complain(claim, "not absent:", judge_text(pair, "relation"), judge_text(pair, "sentence"));
    else
        claim->pairs++;
}

static bool has_scope(const struct occurrence *event, const char *name) {
    static const char *const names[] = {
        [SCOPE_CTA] = "CTA", [SCOPE_CLUSTER] = "CLUSTER", [SCOPE_GPU] = "GPU", [SCOPE_SYS] = "SYS"};
    return event->scope != SCOPE_NONE && strcmp(names[event->scope], name) == 0;
}

// Whether an event is in a base set of that name. NOT_KNOWN for a name that is not one here.
static enum truth is_in(const struct judged *judged, const char *name, unsigned e) {
    const struct occurrence *event = &judged->x->event[e];
    bool memory = event->action == ACTION_READ || event->action == ACTION_WRITE ||
                  event->action == ACTION_INIT;
    bool ordered = event->action != ACTION_INIT;
    const struct {
        const char *name;
        bool member;
    } known[] = {{"WEAK", memory && ordered && event->order == ORDER_WEAK},
                 {"RELAXED", ordered && event->order == ORDER_RELAXED},
                 {"ACQUIRE", ordered && event->order == ORDER_ACQUIRE},
                 {"RELEASE", ordered && event->order == ORDER_RELEASE},
                 {"ACQ_REL", ordered && event->order == ORDER_ACQ_REL},
                 {"SC", event->action == ACTION_FENCE && event->order == ORDER_SC},
                 {"CTA", has_scope(event, name)},
                 {"CLUSTER", has_scope(event, name)},
                 {"GPU", has_scope(event, name)},
                 {"SYS", has_scope(event, name)},
                 {"R", event->action == ACTION_READ},
                 {"W", event->action == ACTION_WRITE || event->action == ACTION_INIT},
                 {"M", memory},
                 {"IW", event->action == ACTION_INIT},
                 {"F", event->action == ACTION_FENCE && !event->restricted},
                 {"PF", event->action == ACTION_PROXY_FENCE},
                 {"GENERIC", event->action == ACTION_INIT || event->proxy == PROXY_GENERIC},
                 {"RED", event->red},
                 {"WIDE", event->wide}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].member ? TRUE_NOW : FALSE_NOW;
    return NOT_KNOWN;
}

// Whether two neighbours of a thread have no fence between them, which is all that a missing one
// claims.
static bool are_neighbours(const struct judged *judged, unsigned a, unsigned b) {
    const struct rel *po = &judged->d->po;
    for (unsigned c = 0; c < judged->x->n; c++)
        if (rel_has(po, a, c) && rel_has(po, c, b))
            return false;
    return rel_has(po, a, b);
}

// A claim of a nearest miss: something holds, or is missing.
static void judge_lack(struct claim *claim, const struct judged *judged, json_t *step) {
    const char *name = judge_text(step, "relation");
    int a = judge_event_of(claim, judge_text(step, "from")),
        b = judge_event_of(claim, judge_text(step, "to"));
    bool holds = !json_is_false(json_object_get(step, "holds"));
    if (a < 0 || b < 0) {
        complain(claim, "there is no such event:", judge_text(step, "from"),
                 judge_text(step, "to"));
        return;
    }
    if (json_object_get(step, "missing")) {
        if (holds || !are_neighbours(judged, (unsigned)a, (unsigned)b))
            complain(claim, "not missing:", judge_text(step, "missing"),
                     judge_text(step, "sentence"));
        else
            claim->pairs++;
        return;
    }
    enum truth member = a == b ? is_in(judged, name, (unsigned)a) : NOT_KNOWN;
    enum truth there =
        member == NOT_KNOWN ? relates(judged, name, (unsigned)a, (unsigned)b) : member;
    if (there == NOT_KNOWN) {
        printf("%s: the oracle has no relation '%s'\n", claim->where, name);
        claim->unknown++;
    } else if ((there == TRUE_NOW) != holds)
        complain(claim, holds ? "not so:" : "not absent:", name, judge_text(step, "sentence"));
    else
        claim->pairs++;
}

// What holds, what is missing, and what that consists of.
static void judge_lacking(struct claim *claim, const struct judged *judged, json_t *steps) {
    for (size_t i = 0; i < json_array_size(steps); i++) {
        json_t *step = json_array_get(steps, i), *notes = json_object_get(step, "notes");
        claim->steps++;
        judge_lack(claim, judged, step);
        for (size_t k = 0; k < json_array_size(notes); k++)
            if (json_object_get(json_array_get(notes, k), "relation"))
                judge_pair(claim, judged, json_array_get(notes, k));
        judge_lacking(claim, judged, json_object_get(step, "because"));
    }
}

// Flags that are about one event, as its relation to itself.
static struct rel misuses(const struct judged *judged, const char *flag) {
    const struct execution *x = judged->x;
    struct rel found = rel_empty(x->n);
    uint64_t events = 0;
    if (strcmp(flag, "exited-cta") == 0)
        events = async_outlives(x, judged->d, judged->causality.base,
                                mbarrier_order(x, judged->d, judged->co, judged->fr));
    if (strcmp(flag, "async-unwaited") == 0)
        events = async_underway(x, judged->d, judged->causality.base,
                                mbarrier_order(x, judged->d, judged->co, judged->fr));
    for (unsigned e = 0; e < x->n; e++)
        if ((events & bit(e)) ||
            (strcmp(flag, "wgmma-misuse") == 0 && x->event[e].product && x->event[e].undefined))
            rel_add(&found, e, e);
    return found;
}

// What an instruction does that touches no memory is not an event of the oracle: struct path has
// it.
static bool is_precondition(json_t *event) {
    return strcmp(judge_text(event, "kind"), "precondition") == 0;
}

// Whether a race is an instruction alone whose operands PTX does not define: that it is so.
static bool judge_broken(struct claim *claim, const struct judged *judged, const char *name) {
    json_t *events = json_object_get(claim->execution, "events");
    const char *flag = judge_text(claim->race, "flag");
    unsigned wanted = strcmp(flag, "mbarrier-misuse") == 0 ? BROKEN_COUNT
                      : strcmp(flag, "cancel-misuse") == 0 ? BROKEN_ANSWER
                                                           : BROKEN_MASK;
    for (size_t i = 0; i < json_array_size(events); i++) {
        json_t *event = json_array_get(events, i);
        if (!is_precondition(event) || strcmp(judge_text(event, "name"), name) != 0)
            continue;
        if (!(judged->x->broken & wanted))
            complain(claim, "defined:", name, flag);
        claim->pairs++;
        return true;
    }
    return false;
}

// Whether two events race as the flag says.
static void judge_race(struct claim *claim, const struct judged *judged) {
    json_t *pair = json_object_get(claim->race, "events");
    if (judge_broken(claim, judged, json_string_value(json_array_get(pair, 0))))
        return;
    const char *x = json_string_value(json_array_get(pair, 0));
    const char *y = json_string_value(json_array_get(pair, 1));
    struct races found = races(judged->d, judged->causality.order);
    if (strcmp(judge_text(claim->race, "flag"), "async-undefined") == 0)
        found.defined = async_conflicts(judged->x, judged->d, &judged->causality);
    if (strcmp(judge_text(claim->race, "flag"), "readonly-written") == 0)
        found.defined = later_written(judged->x, judged->d, judged->causality.base);
    if (strcmp(judge_text(claim->race, "flag"), "cancel-misuse") == 0)
        found.defined = async_cancels_again(judged->x, judged->d, judged->causality.base);
    if (strcmp(judge_text(claim->race, "flag"), "barrier-misuse") == 0)
        found.defined = barriers_misused(judged->x, judged->d, judged->causality.base);
    found.defined = rel_or(found.defined, misuses(judged, judge_text(claim->race, "flag")));
    bool mixed = strcmp(judge_text(claim->race, "flag"), "mixed-size-race") == 0;
    const struct rel *race = mixed ? &found.mixed : &found.defined;
    int a = judge_event_of(claim, x ? x : ""), b = judge_event_of(claim, y ? y : "");
    if (a < 0 || b < 0 || !rel_has(race, (unsigned)a, (unsigned)b))
        complain(claim, "no race:", x ? x : "", y ? y : "");
    claim->pairs++;
}

// Every step, what is below it, and the remarks on it that are about a pair.
static void judge_steps(struct claim *claim, const struct judged *judged, json_t *steps) {
    for (size_t i = 0; i < json_array_size(steps); i++) {
        json_t *step = json_array_get(steps, i), *notes = json_object_get(step, "notes");
        claim->steps++;
        judge_pair(claim, judged, step);
        for (size_t k = 0; k < json_array_size(notes); k++)
            if (json_object_get(json_array_get(notes, k), "relation"))
                judge_pair(claim, judged, json_array_get(notes, k));
        judge_steps(claim, judged, json_object_get(step, "because"));
    }
}

// Whether the steps of a reason lead from each event to the next, and the last one back to the
// first.
static void judge_cycle(struct claim *claim) {
    static const char *const cycles[] = {"Causality", "Fence-SC", "SC-per-Location", "No-Thin-Air"};
    bool is_cycle = false;
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++)
        is_cycle = is_cycle || strcmp(claim->axiom, cycles[i]) == 0;
    size_t count = json_array_size(claim->because);
    for (size_t i = 0; is_cycle && i < count; i++) {
        json_t *step = json_array_get(claim->because, i);
        json_t *next = json_array_get(claim->because, (i + 1) % count);
        if (strcmp(judge_text(step, "to"), judge_text(next, "from")) != 0)
            complain(claim, "the cycle has a gap after", judge_text(step, "sentence"), "");
    }
    if (count == 0 && is_cycle)
        complain(claim, "no cycle for", claim->axiom, "");
}

// --- Axioms --------------------------------------------------------------------------------------

static bool is_claimed(json_t *broken, const char *name) {
    for (size_t i = 0; i < json_array_size(broken); i++)
        if (strcmp(json_string_value(json_array_get(broken, i)), name) == 0)
            return true;
    return false;
}

// The oracle writes some of the model's axioms as one.
static void judge_axioms(struct claim *claim, const struct judged *judged) {
    const struct derived *d = judged->d;
    struct rel cause = judged->causality.order, co = judged->co;
    uint64_t plain = d->writes & ~d->mbarriers; // those take turns by axioms of their own
    struct rel overlapping = rel_within(d->loc, plain, plain);
    struct mbarrier_turns turns =
        mbarrier_turns(judged->x, d, judged->causality.base, co, judged->fr);
    const struct {
        const char *names[3];
        bool holds;
    } axioms[] = {
        {{"Coherence"}, rel_includes(co, rel_and(cause, overlapping))},
        {{"Coherence-ms"}, rel_includes(rel_or(co, rel_inverse(co)), rel_and(d->ms, overlapping))},
        {{"Fence-SC"}, fence_sc_holds(d, judged->causality.base, judged->sc)},
        {{"Atomicity", "Single-copy-atomicity"}, atomicity_holds(judged->x, d, co, judged->fr)},
        {{"Atomics-in-turn", "Atomics-complete", "Atomics-read-first"},
         atomics_in_turn_hold(d, co, judged->fr)},
        {{"No-Thin-Air"}, no_thin_air_holds(judged->x, d, judged->causality.base)},
        {{"SC-per-Location"}, sc_per_location_holds(d, co, judged->fr)},
        {{"Causality"}, causality_holds(d, cause, judged->fr)},
        {{"Mbarrier-order"}, turns.ordered},
        {{"Mbarrier-atomicity"}, turns.atomic},
        {{"Mbarrier-memory"}, turns.memory_ordered},
        {{"Mbarrier-memory-causality"}, turns.memory_causal},
        {{"Mbarrier-causality"}, turns.causal},
    };
    json_t *broken = json_object_get(claim->execution, "breaks");
    if (!coherence_is_order(d, co))
        complain(claim, "co is not a coherence order", "", "");
    for (size_t i = 0; i < sizeof axioms / sizeof axioms[0]; i++) {
        bool claimed = false, required = false;
        for (size_t k = 0; k < 3 && axioms[i].names[k]; k++) {
            claimed = claimed || is_claimed(broken, axioms[i].names[k]);
            required = required || is_claimed(claim->axioms, axioms[i].names[k]);
        }
        // The oracle follows the states that operations pass on, the model the order in which they
        // are performed: where that order contradicts itself, the two differ on what is
        // synchronised.
        if (required && !claimed && !axioms[i].holds && !turns.causal &&
            is_claimed(broken, "Mbarrier-causality"))
            claim->apart++;
        else if (required && claimed == axioms[i].holds)
            complain(claim, claimed ? "does not break" : "breaks", axioms[i].names[0], "");
    }
}

// --- The execution -------------------------------------------------------------------------------

static bool is_same(const struct rel *a, const struct rel *b) {
    for (unsigned i = 0; i < a->n; i++)
        if (a->row[i] != b->row[i])
            return false;
    return true;
}

// The candidate with the claim's rf; its phases may be others.
static bool judge(void *context, struct explorer *explorer) {
    struct claim *claim = context;
    unsigned n = explorer->x.n;
    struct rel phase = pairs_of(claim, "phase", n);
    if (!is_same(&phase, &explorer->x.meets))
        return true;
    struct judged judged = {
        .x = &explorer->x, .d = &explorer->derived, .version = explorer->options->version};
    uint64_t written = explorer->derived.writes & ~explorer->derived.initials;
    judged.co = rel_or(pairs_of(claim, "co", n),
                       rel_within(explorer->derived.loc, explorer->derived.initials, written));
    judged.sc = pairs_of(claim, "sc", n);
    judged.fr = from_read(&explorer->x, judged.co);
    judged.causality =
        causality(&explorer->x, judged.d, judged.version, rel_and(judged.sc, explorer->derived.ms));
    claim->found = true;
    judge_axioms(claim, &judged);
    json_t *edges = json_object_get(claim->execution, "edges");
    for (size_t i = 0; i < json_array_size(edges); i++)
        judge_pair(claim, &judged, json_array_get(edges, i));
    for (size_t i = 0; i < json_array_size(claim->lacks); i++)
        judge_absence(claim, &judged, json_array_get(claim->lacks, i));
    judge_steps(claim, &judged, claim->because);
    if (claim->race)
        judge_race(claim, &judged);
    judge_lacking(claim, &judged, json_object_get(claim->nearest, "because"));
    judge_lacking(claim, &judged, json_object_get(claim->why_not, "because"));
    if (claim->because)
        judge_cycle(claim);
    return false;
}

// --- All of them ---------------------------------------------------------------------------------

static size_t thread_of(const struct test *test, json_t *event) {
    json_int_t number = json_integer_value(json_object_get(event, "thread"));
    size_t t = 0;
    while (t + 1 < test->thread_count && test->threads[t].number != (unsigned)number)
        t++;
    return t;
}

// Puts the events of the claim in the oracle's order. False when they are too many.
static bool order_events(struct claim *claim) {
    json_t *events = json_object_get(claim->execution, "events");
    claim->count = 0;
    if (json_array_size(events) >= EVENTS_MAX || claim->test->thread_count > THREADS_MAX)
        return false;
    for (size_t t = 0; t < claim->test->thread_count; t++) {
        claim->first[t] = claim->count;
        for (size_t i = 0; i < json_array_size(events); i++)
            if (thread_of(claim->test, json_array_get(events, i)) == t &&
                !is_precondition(json_array_get(events, i)))
                claim->events[claim->count++] = json_array_get(events, i);
    }
    claim->first[claim->test->thread_count] = claim->count;
    return true;
}

// What has been judged of all executions.
struct tally {
    size_t tests, executions, open, stateless, unjudged, pairs, steps, unknown, apart, wrong;
};

// Whether an operation on an mbarrier finds what no operation has left: the bytes of several, or of
// an ordinary write, or something out of thin air that is not a state. Which bits a state has is
// left open by PTX, and differs here.
static bool finds_no_state(const struct claim *claim, json_t *event) {
    json_t *from = json_object_get(event, "from"), *state = json_object_get(event, "mbarrier");
    if (!state)
        return false;
    if (json_is_null(state) && json_is_string(json_object_get(event, "value")))
        return true;
    for (size_t i = 0; i < json_array_size(from); i++) {
        const char *first = judge_text(json_array_get(from, 0), "event");
        const char *name = judge_text(json_array_get(from, i), "event");
        int writer = judge_event_of(claim, name);
        if (strcmp(first, name) != 0 ||
            (writer > 0 && !json_object_get(claim->events[writer - 1], "mbarrier")))
            return true;
    }
    return false;
}

// Whether some access has an unknown value: what a thread does with it is not known either.
static bool has_open_value(const struct claim *claim) {
    for (unsigned i = 0; i < claim->count; i++)
        if (json_is_null(json_object_get(claim->events[i], "value")))
            return true;
    return false;
}

static bool some_find_no_state(const struct claim *claim) {
    for (unsigned i = 0; i < claim->count; i++)
        if (finds_no_state(claim, claim->events[i]))
            return true;
    return false;
}

// Judges one execution. `claim` has all that is said of it but its events.
static void judge_execution(struct claim claim, struct tally *tally) {
    struct explore_guide guide = {
        &claim, {&claim, judge_answer}, judge_takes_path, judge_takes_source, judge};
    struct explore_options options = {
        .guide = &guide,
        .version = version_find(ptx_version_of(claim.test, 0) > PTX_USUAL ? "9.3" : "9.1"),
        .dependencies = DEPENDENCIES_SEMANTIC,
        .rounds = 2,
        .limit = 5000000};
    struct explored result = {0};
    struct shown_list shown = shown_find(claim.test);
    bool fits = order_events(&claim);
    if (fits)
        explore_test(claim.test, &shown, &options, &result);
    tally->executions++;
    if (!claim.found && has_open_value(&claim)) {
        tally->open++;
    } else if (!claim.found && some_find_no_state(&claim)) {
        tally->stateless++;
    } else if (!claim.found) {
        tally->unjudged++;
        printf("%s: not judged: %s\n", claim.where,
               !fits                ? "more than 64 events"
               : result.unsupported ? result.unsupported
               : !result.complete   ? "too many steps"
                                    : "the oracle has no such execution");
    }
    tally->pairs += claim.pairs;
    tally->steps += claim.steps;
    tally->unknown += claim.unknown;
    tally->apart += claim.apart;
    tally->wrong += claim.wrong;
    if (fits)
        explored_free(&result);
    shown_free(&shown);
}

// The executions of flags: those in which two events race, or a thread never leaves a barrier.
static void judge_flags(const struct test *test, json_t *explanation, struct tally *tally) {
    json_t *flagged = json_object_get(explanation, "races");
    json_t *hang = json_object_get(explanation, "hang");
    struct claim claim = {.test = test,
                          .axioms = json_object_get(explanation, "axioms"),
                          .axiom = "",
                          .where = "a race"};
    for (size_t i = 0; i < json_array_size(flagged); i++) {
        claim.race = json_array_get(flagged, i);
        claim.execution = json_object_get(claim.race, "example");
        if (json_is_object(claim.execution))
            judge_execution(claim, tally);
    }
    claim.race = NULL;
    claim.where = "the hang";
    claim.execution = hang;
    bool waits = false;
    for (size_t i = 0; i < json_array_size(json_object_get(hang, "events")); i++)
        waits |= json_is_false(
            json_object_get(json_array_get(json_object_get(hang, "events"), i), "passes"));
    if (hang && !waits)
        complain(&claim, "no thread waits for ever", "", "");
    tally->wrong += claim.wrong;
    claim.wrong = 0;
    if (hang)
        judge_execution(claim, tally);
}

static struct tally judge_all(const struct test *test, json_t *explanation) {
    struct tally tally = {0};
    json_t *example = json_object_get(explanation, "example");
    json_t *core = json_object_get(explanation, "core");
    struct claim claim = {.test = test,
                          .axioms = json_object_get(explanation, "axioms"),
                          .execution = example,
                          .lacks = json_object_get(explanation, "lacks"),
                          .nearest = json_object_get(explanation, "nearest"),
                          .why_not = json_object_get(explanation, "why_not"),
                          .axiom = "",
                          .where = "the example"};
    if (json_is_object(example))
        judge_execution(claim, &tally);
    for (size_t i = 0; i < json_array_size(core); i++) {
        json_t *breach = json_array_get(core, i);
        claim.execution = json_object_get(breach, "execution");
        claim.because = json_object_get(breach, "because");
        claim.axiom = claim.where = judge_text(breach, "axiom");
        claim.lacks = claim.nearest = NULL;
        claim.why_not = i == 0 ? json_object_get(explanation, "why_not") : NULL;
        for (size_t k = 0; k < json_array_size(core); k++)
            if (is_claimed(json_object_get(claim.execution, "breaks"),
                           judge_text(json_array_get(core, k), "axiom")) != (k == i)) {
                printf("the execution of %s is wrong about %s\n", claim.axiom,
                       judge_text(json_array_get(core, k), "axiom"));
                tally.wrong++;
            }
        judge_execution(claim, &tally);
    }
    judge_flags(test, explanation, &tally);
    return tally;
}

// Judges a line of the input. False when it is not an explanation of a test.
static bool judge_line(const char *line, struct tally *all) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    json_t *explanation = json_loads(line, 0, NULL);
    const char *path = explanation ? judge_text(explanation, "file") : "";
    const struct source *source = source_read(arena, path, &diagnostics);
    const struct test *test = source ? test_read(arena, source, SYNTAX_GUESS, &diagnostics) : NULL;
    if (test) {
        struct tally tally = judge_all(test, explanation);
        if (tally.wrong + tally.unknown + tally.unjudged > 0)
            printf("^ %s\n", path);
        if (tally.open + tally.apart > 0)
            printf("%zu with unknown values, %zu axioms apart: %s\n", tally.open, tally.apart,
                   path);
        all->tests++;
        all->executions += tally.executions;
        all->open += tally.open;
        all->stateless += tally.stateless;
        all->unjudged += tally.unjudged;
        all->pairs += tally.pairs;
        all->steps += tally.steps;
        all->unknown += tally.unknown;
        all->apart += tally.apart;
        all->wrong += tally.wrong;
    }
    json_decref(explanation);
    arena_free(arena);
    return test != NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    struct tally all = {0};
    char *line = NULL;
    size_t capacity = 0;
    bool good = argc == 1;
    while (good && getline(&line, &capacity, stdin) > 0)
        good = judge_line(line, &all);
    free(line);
    if (!good) {
        fputs("usage: ptxlitmus explain --format json FILE... | ptxlitmus-judge\n", stderr);
        return 2;
    }
    printf("%zu tests, %zu executions, %zu with unknown values, %zu with mbarriers in no state, "
           "%zu not judged, %zu pairs, %zu steps, %zu of unknown relations, %zu axioms broken by "
           "the oracle's order of mbarriers "
           "alone, %zu wrong\n",
           all.tests, all.executions, all.open, all.stateless, all.unjudged, all.pairs, all.steps,
           all.unknown, all.apart, all.wrong);
    return all.wrong + all.unknown + all.unjudged > 0;
}
