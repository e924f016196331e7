// Brute force over rf, sc and co.
//
// 1. Guess for every read whether it executes, which address it has and where each of its cells
//    comes from, and for every arrival at a barrier in which phase it is (barriers.c). Every value,
//    address and guard of the program follows from the guesses, because a value that depended on
//    itself would be a cycle of rf, addr, data and ctrl (axiom 4). A guess is dropped as soon as
//    what is known of the values contradicts it; nothing else is pruned.
// 2. For each sc, base causality and causality order follow: they do not look at co.
// 3. For each co, the axioms decide. It is enough to try the least partial orders: for each way to
//    orient the morally strong overlapping pairs (which axiom 1 wants related), the closure of
//    these with IW first and with what causality order demands. Every co of an allowed execution
//    includes one of them, and taking pairs away from co never forbids anything: co and fr, which
//    grows with it, occur in axioms 3, 5 and 6 only where something must not exist. Nor does it
//    lose outcomes: a write that is maximal in co is maximal in every part of co (D10).
//    `every_order` does without this argument.
// 4. Each choice of a maximal write for every cell is an outcome.
#include "tests/oracle/search_internal.h"

#include "tests/oracle/import.h"
#include "tests/oracle/orders.h"

#include <stdlib.h>

// --- Values --------------------------------------------------------------------------------------

enum truth truth_of(struct search *search, const struct expr *condition) {
    struct value value = evaluate(&search->evaluation, condition);
    if (!value.known)
        return NOT_KNOWN;
    return value.bits ? TRUE_NOW : FALSE_NOW;
}

void search_refuse(struct search *search, const char *reason) {
    search->result->unsupported = reason;
}

// The address of an event: a candidate whose condition holds, or NULL when it is not known (yet).
static const struct candidate *address_of(struct search *search, unsigned event) {
    const struct event *e = &search->program->events[event];
    if (e->kind == EVENT_READ)
        return search->guess[event].made ? search->guess[event].candidate : NULL;
    for (size_t i = 0; i < e->candidate_count; i++)
        if (truth_of(search, e->candidates[i].condition) == TRUE_NOW)
            return &e->candidates[i];
    return NULL;
}

// The low `size` bytes of `value` from byte `offset` on.
static struct value bytes_of(struct value value, uint64_t offset, unsigned size) {
    value.bits >>= 8 * offset;
    if (size < 16)
        value.bits &= ((u128)1 << 8 * size) - 1;
    return value;
}

// What a write put into a cell.
static struct value written_value(struct search *search, unsigned write, unsigned cell) {
    struct value unknown = {.known = false};
    const struct event *e = &search->program->events[write];
    if (e->kind == EVENT_INIT)
        return evaluate(&search->evaluation, program_initial_value(search->program, cell));
    const struct candidate *address = address_of(search, write);
    if (!address || !(import_cells(address) & bit(cell)))
        return unknown;
    const struct cell *place = &search->program->cells[cell];
    struct value value = evaluate(&search->evaluation, e->value);
    return value.known ? bytes_of(value, place->offset - address->offset, place->size) : unknown;
}

// Whether it is a value that nobody knows.
static struct value written_undef(struct search *search, unsigned write, unsigned cell) {
    const struct event *e = &search->program->events[write];
    if (e->kind == EVENT_INIT)
        return evaluate(&search->evaluation, program_initial_undef(search->program, cell));
    return evaluate(&search->evaluation, e->undef);
}

// The value that a read returns: its cells, the lowest at the low end. With `undef`, whether any of
// them is unknown.
static struct value read_value(struct search *search, unsigned read, bool undef) {
    struct value value = {.known = false};
    const struct guess *guess = &search->guess[read];
    if (!guess->made || !guess->executes)
        return value;
    value.known = true;
    for (unsigned i = 0; i < guess->candidate->cell_count && value.known; i++) {
        unsigned cell = guess->candidate->first_cell + i;
        const struct cell *place = &search->program->cells[cell];
        struct value part = undef ? written_undef(search, guess->source[i], cell)
                                  : written_value(search, guess->source[i], cell);
        value.known = part.known;
        value.bits |=
            undef ? part.bits : part.bits << 8 * (place->offset - guess->candidate->offset);
    }
    return value;
}

static struct value leaf_value(void *context, const struct expr *leaf) {
    struct search *search = context;
    struct value unknown = {.known = false};
    switch (leaf->op) {
    case EXPR_READ: return read_value(search, leaf->index, false);
    case EXPR_READ_UNDEF: return read_value(search, leaf->index, true);
    case EXPR_FINAL:
        return search->finals_chosen
                   ? written_value(search, search->final_source[leaf->index], leaf->index)
                   : unknown;
    case EXPR_FINAL_UNDEF:
        return search->finals_chosen
                   ? written_undef(search, search->final_source[leaf->index], leaf->index)
                   : unknown;
    case EXPR_UNKNOWN: return unknown; // an initial value that nobody knows
    default: return barriers_value(search, leaf);
    }
}

// --- Outcomes ------------------------------------------------------------------------------------

static bool collect_outcome(struct search *search) {
    const struct program *program = search->program;
    search->finals_chosen = true;
    evaluation_forget(&search->evaluation);
    enum truth filter = truth_of(search, program->filter);
    enum truth condition = truth_of(search, program->condition);
    bool all_known = filter != NOT_KNOWN && (filter == FALSE_NOW || condition != NOT_KNOWN);
    for (size_t i = 0; i < program->observed_count && filter == TRUE_NOW; i++) {
        struct value undef = evaluate(&search->evaluation, program->observed[i].undef);
        struct value value = evaluate(&search->evaluation, program->observed[i].value);
        struct shown shown = {.unknown = undef.bits != 0};
        all_known = all_known && undef.known && (shown.unknown || value.known);
        shown.bits = shown.unknown ? 0 : value.bits;
        search->shown[i] = shown;
    }
    search->finals_chosen = false;
    evaluation_forget(&search->evaluation);
    if (!all_known) {
        search_refuse(search, "an outcome that depends on an unknown initial value");
        return false;
    }
    if (filter == TRUE_NOW) {
        outcomes_add(&search->result->outcomes, search->shown);
        search->result->satisfied |= condition == TRUE_NOW;
        search->result->violated |= condition == FALSE_NOW;
    }
    return true;
}

// D10: "The final value of a location is that of any write maximal in co (with mixed sizes: byte by
// byte)." One choice for each cell of `cells`.
static bool choose_finals(struct search *search, const struct rel *co, uint64_t cells) {
    if (!cells)
        return collect_outcome(search);
    unsigned cell = (unsigned)__builtin_ctzll(cells);
    uint64_t writes = 0;
    for (unsigned e = 0; e < search->x.n; e++)
        if ((search->derived.writes & bit(e)) && (search->x.event[e].cells & bit(cell)))
            writes |= bit(e);
    for (uint64_t rest = writes; rest; rest &= rest - 1) {
        unsigned w = (unsigned)__builtin_ctzll(rest);
        if (co->row[w] & writes)
            continue;
        search->final_source[cell] = w;
        if (!choose_finals(search, co, cells & (cells - 1)))
            return false;
    }
    return true;
}

// --- co and sc -----------------------------------------------------------------------------------

// Whether another step is within the limit.
static bool count_step(struct search *search) {
    if (search->result->steps >= search->options->limit)
        search->result->complete = false;
    else
        search->result->steps++;
    return search->result->complete;
}

static bool count_candidate(struct search *search) {
    search->result->candidates++;
    return count_step(search);
}

// Flags are about the program: what the filter drops counts. Executions that stay in a spin loop
// are none, and of those that pass a loop's bound no more is known than that they exist (D16).
// Sets *counted when the execution has outcomes; returns false when nobody knows.
static bool note_allowed(struct search *search, bool *counted) {
    const struct program *program = search->program;
    struct search_result *result = search->result;
    enum truth left = truth_of(search, program->assumption);
    enum truth bound = truth_of(search, program->bound_reached);
    *counted = left == TRUE_NOW && bound == FALSE_NOW && !search->blocked && !search->bound_only;
    if (left == NOT_KNOWN || (left == TRUE_NOW && bound == NOT_KNOWN)) {
        search_refuse(search, "a loop that depends on an unknown value");
        return false;
    }
    result->executions += left == TRUE_NOW;
    result->ends |= *counted;
    result->hang |= left == TRUE_NOW && bound == FALSE_NOW && search->blocked;
    result->bound_reached |= left == TRUE_NOW && bound == TRUE_NOW;
    if (*counted && !(result->data_race && result->open_race)) {
        struct races found = races(&search->derived, search->causality.order);
        result->data_race |= !rel_is_empty(found.defined);
        result->mixed_size_race |= !rel_is_empty(found.mixed);
        result->open_race |= !rel_is_empty(found.open);
    }
    if (*counted && !result->barrier_misuse)
        result->barrier_misuse =
            barriers_misused(&search->x, &search->derived, search->causality.base);
    return true;
}

// Whether the execution is allowed; in any program, whatever races, only D46 holds.
static bool is_allowed(const struct search *search, struct rel co) {
    const struct derived *d = &search->derived;
    const struct version *version = search->options->version;
    struct rel fr = from_read(&search->x, co), cause = search->causality.order;
    bool in_turn = !version->atomics_in_turn || atomics_in_turn_hold(d, co, fr);
    if (version->any_program)
        return coherence_is_order(d, co) && in_turn;
    return coherence_holds(d, cause, co) && fence_sc_holds(d, search->causality.base, search->sc) &&
           atomicity_holds(&search->x, d, co, fr) && in_turn &&
           no_thin_air_holds(&search->x, d, search->causality.base) &&
           (!version->sc_per_location || sc_per_location_holds(d, co, fr)) &&
           causality_holds(d, cause, fr) &&
           (!version->whole_accesses || whole_accesses_hold(&search->x, d, co));
}

// Judges one candidate. `order` may relate writes that do not overlap, through others that do.
static bool try_coherence_order(void *context, struct rel order) {
    struct search *search = context;
    const struct derived *d = &search->derived;
    if (!count_candidate(search))
        return false;
    struct rel co = rel_and(order, d->loc);
    bool counted = false;
    if (!is_allowed(search, co))
        return true;
    if (!note_allowed(search, &counted))
        return false;
    return !counted || choose_finals(search, &co, search->final_cells);
}

static bool try_sc(void *context, struct rel order) {
    struct search *search = context;
    const struct derived *d = &search->derived;
    search->sc = order;
    search->causality = causality(d, search->options->version, rel_and(order, d->ms));
    bool any_program = search->options->version->any_program;
    // What no choice of co can mend.
    if (!any_program && (!fence_sc_holds(d, search->causality.base, order) ||
                         !causality_holds(d, search->causality.order, rel_empty(d->rf.n))))
        return count_candidate(search);
    struct rel overlapping = rel_within(d->loc, d->writes, d->writes);
    struct rel initial_first = rel_within(overlapping, d->initials, d->writes & ~d->initials);
    struct rel base = initial_first, total = d->others;
    if (!any_program) {
        base = rel_or(base, rel_and(search->causality.order, overlapping));
        total = rel_or(total, d->ms);
    }
    struct order_visitor visitor = {try_coherence_order, search};
    if (search->options->every_order)
        return orders_partial(base, rel_and(total, overlapping), overlapping, &visitor);
    return orders_orient(base, rel_and(total, overlapping), &visitor);
}

// Only the morally strong pairs of sc matter, so orienting these is enough; each orientation
// without cycles extends to a total order.
static bool try_execution(struct search *search) {
    search->derived = derive(&search->x, search->options->version);
    const struct derived *d = &search->derived;
    if (!search->options->version->any_program && !no_thin_air_holds(&search->x, d, d->po))
        return count_candidate(search);
    struct order_visitor visitor = {try_sc, search};
    if (search->options->every_order)
        return orders_total(search->x.n, d->sc_fences, &visitor);
    struct rel fences = rel_product(search->x.n, d->sc_fences, d->sc_fences);
    return orders_orient(rel_empty(search->x.n), rel_and(d->ms, fences), &visitor);
}

// --- rf ------------------------------------------------------------------------------------------

// addr, data or ctrl of an access. A dependency that holds on one path only counts when the path is
// taken.
static bool add_dependencies(struct search *search, unsigned event,
                             const struct dependency_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        enum truth holds = truth_of(search, list->items[i].condition);
        if (holds == NOT_KNOWN) {
            search_refuse(search, "a dependency on a path that depends on an unknown value");
            return false;
        }
        if (holds == TRUE_NOW)
            rel_add(&search->x.dependency, list->items[i].event, event);
    }
    return true;
}

// What an executed access does.
static bool complete_access(struct search *search, unsigned event) {
    const struct event *e = &search->program->events[event];
    const struct candidate *address = address_of(search, event);
    if (!address) {
        search_refuse(search, "an access whose address is unknown or outside every variable");
        return false;
    }
    search->x.event[event].cells = import_cells(address);
    search->x.event[event].range = address->range;
    for (unsigned k = 0; e->kind == EVENT_READ && k < address->cell_count; k++)
        search->x.source[event][k] = search->guess[event].source[k];
    return add_dependencies(search, event, &e->addr) && add_dependencies(search, event, &e->data) &&
           add_dependencies(search, event, &e->ctrl);
}

// "With an address operand, .acquire counts only for the 128 bytes it names" (section 5).
static bool complete_proxy_fence(struct search *search, unsigned event) {
    const struct event *e = &search->program->events[event];
    if (e->candidate_count == 0)
        return true;
    const struct candidate *address = address_of(search, event);
    if (!address) {
        search_refuse(search, "a proxy fence whose address is unknown or outside every variable");
        return false;
    }
    search->x.event[event].about = import_cells(address);
    return true;
}

// What bar.red computes from the predicates of other threads is no dependency of axiom 4. A value
// or a path that depends on itself that way comes out of thin air all the same: all has been
// guessed, and it does not follow.
static bool is_thin_air(struct search *search) {
    bool all_known = true;
    for (unsigned i = 0; i < search->x.n; i++) {
        const struct event *e = &search->program->events[i];
        enum truth executes = truth_of(search, e->executes);
        all_known = all_known && executes != NOT_KNOWN;
        if (executes == TRUE_NOW && e->value)
            all_known = evaluate(&search->evaluation, e->value).known && all_known;
        if (executes == TRUE_NOW && e->kind == EVENT_BARRIER)
            all_known = evaluate(&search->evaluation, e->barrier_id).known && all_known;
    }
    return !all_known && !search->evaluation.met_unknown;
}

// Fills the execution with what the guesses imply. Returns false, with `unsupported` set, when
// something does not follow from them.
static bool complete_execution(struct search *search) {
    struct execution *x = &search->x;
    x->executed = 0;
    x->dependency = rel_empty(x->n);
    for (unsigned i = 0; i < x->n; i++) {
        const struct event *e = &search->program->events[i];
        enum truth executes = truth_of(search, e->executes);
        if (executes == NOT_KNOWN) {
            search_refuse(search, "an event whose execution depends on an unknown value");
            return false;
        }
        if (executes == FALSE_NOW)
            continue;
        x->executed |= bit(i);
        bool is_access = e->kind == EVENT_READ || e->kind == EVENT_WRITE;
        if (is_access && !complete_access(search, i))
            return false;
        if (e->kind == EVENT_PROXY_FENCE && !complete_proxy_fence(search, i))
            return false;
    }
    return true;
}

// Whether the write may have written the cell, as far as is known.
static bool may_have_written(struct search *search, unsigned write, unsigned cell) {
    const struct event *e = &search->program->events[write];
    if (e->kind == EVENT_INIT)
        return true;
    if (truth_of(search, e->executes) == FALSE_NOW)
        return false;
    for (size_t i = 0; i < e->candidate_count; i++)
        if ((import_cells(&e->candidates[i]) & bit(cell)) &&
            truth_of(search, e->candidates[i].condition) != FALSE_NOW)
            return true;
    return false;
}

// Whether nothing that is known contradicts the guess about a read.
static bool is_plausible(struct search *search, unsigned read) {
    const struct event *e = &search->program->events[read];
    const struct guess *guess = &search->guess[read];
    if (e->kind == EVENT_BARRIER)
        return barriers_are_plausible(search, read);
    enum truth executes = truth_of(search, e->executes);
    if (executes == (guess->executes ? FALSE_NOW : TRUE_NOW))
        return false;
    if (!guess->executes)
        return true;
    if (truth_of(search, guess->candidate->condition) == FALSE_NOW)
        return false;
    for (unsigned i = 0; i < guess->candidate->cell_count; i++)
        if (!may_have_written(search, guess->source[i], guess->candidate->first_cell + i))
            return false;
    return true;
}

// A cycle of rf and of dependencies on paths that are taken (axiom 4): no value would follow.
static bool is_circular(struct search *search) {
    struct rel links = rel_empty(search->x.n);
    for (unsigned i = 0; i < search->x.n; i++) {
        const struct event *e = &search->program->events[i];
        const struct guess *guess = &search->guess[i];
        for (unsigned k = 0; guess->made && guess->candidate && k < guess->candidate->cell_count;
             k++)
            rel_add(&links, guess->source[k], i);
        const struct dependency_list *lists[] = {&e->addr, &e->data, &e->ctrl};
        for (size_t list = 0; list < 3; list++)
            for (size_t k = 0; k < lists[list]->count; k++)
                if (truth_of(search, lists[list]->items[k].condition) == TRUE_NOW)
                    rel_add(&links, lists[list]->items[k].event, i);
    }
    return !rel_is_acyclic(links);
}

static bool guess_from(struct search *search, unsigned read);

// Goes on with the next read if the guesses up to and with `read` can be true.
static bool accept_guess(struct search *search, unsigned read) {
    evaluation_forget(&search->evaluation);
    if (!count_step(search))
        return false;
    if (is_circular(search))
        return true;
    for (unsigned e = 0; e <= read; e++)
        if (search->guess[e].made && !is_plausible(search, e))
            return true;
    return guess_from(search, read + 1);
}

static bool guess_phase(struct search *search, unsigned event) {
    struct guess *guess = &search->guess[event];
    unsigned last = barriers_last_phase(search, event);
    bool go_on = true;
    guess->made = true;
    for (guess->phase = 0; go_on && guess->phase <= last; guess->phase++)
        go_on = accept_guess(search, event);
    guess->made = false;
    return go_on;
}

static bool guess_sources(struct search *search, unsigned read, unsigned index) {
    struct guess *guess = &search->guess[read];
    if (index == guess->candidate->cell_count)
        return accept_guess(search, read);
    for (uint64_t rest = search->writers[guess->candidate->first_cell + index]; rest;
         rest &= rest - 1) {
        guess->source[index] = (uint8_t)__builtin_ctzll(rest);
        if (!guess_sources(search, read, index + 1))
            return false;
    }
    return true;
}

static bool guess_read(struct search *search, unsigned read) {
    const struct event *e = &search->program->events[read];
    struct guess *guess = &search->guess[read];
    bool go_on = true;
    guess->made = true;
    guess->executes = false;
    guess->candidate = NULL;
    if (!expr_is_true(e->executes))
        go_on = accept_guess(search, read);
    guess->executes = true;
    for (size_t i = 0; go_on && i < e->candidate_count; i++) {
        guess->candidate = &e->candidates[i];
        go_on = guess_sources(search, read, 0);
    }
    guess->made = false;
    return go_on;
}

// Guesses for the reads from event `first` on. Returns false when the search is over before its
// end.
static bool guess_from(struct search *search, unsigned first) {
    for (unsigned e = first; e < search->x.n; e++)
        if (search->program->events[e].kind == EVENT_READ)
            return guess_read(search, e);
        else if (barriers_is_guessed(search->program, e))
            return guess_phase(search, e);
    evaluation_forget(&search->evaluation);
    if (search->program->meeting_count > 0 && is_thin_air(search))
        return count_candidate(search);
    if (!complete_execution(search))
        return false;
    switch (barriers_complete(search)) {
    case BARRIERS_WRONG: return count_candidate(search);
    case BARRIERS_UNKNOWN:
        search_refuse(search, "a barrier that depends on an unknown value");
        return false;
    default: break;
    }
    // Of executions that hang, it is only asked whether there are any, and whether any passes the
    // bound.
    bool bound_known =
        search->result->bound_reached || expr_is_false(search->program->bound_reached);
    return search->blocked && search->result->hang && bound_known ? count_candidate(search)
                                                                  : try_execution(search);
}

// --- The whole -----------------------------------------------------------------------------------

// `seen` keeps shared subexpressions from being walked twice.
static void find_final_cells(struct search *search, const struct expr *expr, bool *seen) {
    if (!expr || seen[expr->id])
        return;
    seen[expr->id] = true;
    if (expr->op == EXPR_FINAL || expr->op == EXPR_FINAL_UNDEF)
        search->final_cells |= bit(expr->index);
    for (int i = 0; i < 3; i++)
        find_final_cells(search, expr->args[i], seen);
}

static void prepare(struct search *search) {
    const struct program *program = search->program;
    import_execution(program, &search->x);
    for (unsigned e = 0; search->options->version->whole_accesses && e < search->x.n; e++)
        search->x.event[e].wide = false; // D41: a scalar like others
    for (unsigned e = 0; e < search->x.n; e++) {
        const struct event *event = &program->events[e];
        if (event->kind != EVENT_WRITE && event->kind != EVENT_INIT)
            continue;
        for (size_t i = 0; i < event->candidate_count; i++)
            for (uint64_t cells = import_cells(&event->candidates[i]); cells; cells &= cells - 1)
                search->writers[__builtin_ctzll(cells)] |= bit(e);
    }
    bool *seen = calloc(expr_pool_count(program->pool) + 1, sizeof *seen);
    search->shown = calloc(program->observed_count + 1, sizeof *search->shown);
    if (!seen || !search->shown)
        abort(); // out of memory
    find_final_cells(search, program->condition, seen);
    find_final_cells(search, program->filter, seen);
    for (size_t i = 0; i < program->observed_count; i++) {
        find_final_cells(search, program->observed[i].value, seen);
        find_final_cells(search, program->observed[i].undef, seen);
    }
    free(seen);
}

static void run(const struct program *program, const struct search_options *options,
                bool bound_only, struct search_result *result) {
    struct search_result empty = {.complete = true};
    *result = empty;
    outcomes_init(&result->outcomes, program->observed_count);
    result->unsupported = import_unsupported(program, options->version);
    if (result->unsupported)
        return;
    struct search *search = calloc(1, sizeof *search);
    if (!search)
        abort(); // out of memory
    search->program = program;
    search->options = options;
    search->bound_only = bound_only;
    search->result = result;
    search->evaluation.leaf = leaf_value;
    search->evaluation.context = search;
    prepare(search);
    // program_initial_value may add constants to the pool: ask for them all before it is measured.
    for (unsigned cell = 0; cell < program->cell_count; cell++) {
        (void)program_initial_value(program, cell);
        (void)program_initial_undef(program, cell);
    }
    evaluation_init(&search->evaluation, expr_pool_count(program->pool));
    guess_from(search, 0);
    evaluation_free(&search->evaluation);
    free(search->shown);
    free(search);
}

// A thread may spin for what another one writes only beyond the bound (D47): so whether the bound
// is passed is looked for where threads may stay in spin loops.
static void look_past_bound(const struct program *program, const struct search_options *options,
                            struct search_result *result) {
    struct search_result of_spinning;
    if (!program->spinning)
        return;
    run(program->spinning, options, true, &of_spinning);
    result->bound_reached |= of_spinning.bound_reached;
    result->complete &= of_spinning.complete;
    result->unsupported = result->unsupported ? result->unsupported : of_spinning.unsupported;
    search_result_free(&of_spinning);
}

void search_run(const struct program *program, const struct search_options *options,
                struct search_result *result) {
    run(program, options, false, result);
    look_past_bound(program, options, result);
}

void search_result_free(struct search_result *result) {
    outcomes_free(&result->outcomes);
}
