// Brute force over paths, rf, sc and co.
//
// 1. paths.c finds every path of every thread, each with the values that its reads return. One path
//    is chosen for each thread. A path is given up as soon as nothing that is chosen, or can be,
//    writes what one of its reads returns.
// 2. The arrivals at barriers are put into phases (phases.c).
// 3. Each read takes each of its units (bytes, or pieces) from some write of the chosen paths that
//    wrote what it returns there. A unit takes the same write as an earlier unit of the same read
//    when that write has the right value for it, and whatever writes to the one writes to the
//    other, too. Nothing is missed: with the write of the other unit, rf and fr have fewer edges,
//    and they occur in the axioms only where something must not exist; and races are more.
//    For the same reason a choice is given up when the events without the reads that are still open
//    violate an axiom: sources that are added later add to rf, fr and causality, and take nothing
//    away.
// 4. For each sc, base causality and causality order follow: they do not look at co.
// 5. For each co, the axioms decide. It is enough to try the least partial orders: for each way to
//    orient the morally strong overlapping pairs (which axiom 1 wants related), the closure of
//    these with IW first and with what causality order demands. Every co of an allowed execution
//    includes one of them, and taking pairs away from co never forbids anything: co and fr, which
//    grows with it, occur in axioms 3, 5 and 6 only where something must not exist. Nor does it
//    lose outcomes: a write that is maximal in co is maximal in every part of co.
//    `every_order` does without this argument.
// 6. Each choice of a maximal write for every cell is an outcome.
#include "tests/oracle/explore_internal.h"

#include "tests/oracle/axioms_async.h"
#include "tests/oracle/axioms_later.h"
#include "tests/oracle/axioms_mbarrier.h"
#include "tests/oracle/axioms_tensor.h"
#include "tests/oracle/orders.h"
#include "tests/oracle/thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

void explore_refuse(struct explorer *explorer, const char *reason) {
    explorer->result->unsupported = reason;
}

bool explore_count_step(struct explorer *explorer) {
    if (explorer->result->steps >= explorer->options->limit)
        explorer->result->complete = false;
    else
        explorer->result->steps++;
    return explorer->result->complete;
}

static bool count_candidate(struct explorer *explorer) {
    explorer->result->candidates++;
    return explore_count_step(explorer);
}

// --- Outcomes ------------------------------------------------------------------------------------

// The value of a location, from the writes that are chosen as the last ones of its cells.
static struct value final_value(const struct explorer *explorer, const struct term *term) {
    struct extent extent = shown_extent(&explorer->memory, term);
    struct value value = {0, 0};
    for (unsigned k = 0; k < explorer->cell_count; k++) {
        const struct extent *cell = &explorer->cells[k];
        if (cell->object != extent.object || cell->offset < extent.offset ||
            cell->offset >= extent.offset + extent.size)
            continue;
        struct value part = explorer->final_values[k];
        value = value_join(value, 8 * (cell->offset - extent.offset), part);
    }
    return thread_map_shown(explorer->test, term->variable, value);
}

static struct value term_value(void *context, const struct term *term) {
    const struct explorer *explorer = context;
    if (term->kind == TERM_REGISTER)
        return explorer->chosen[term->thread]->path.registers[term->reg];
    return final_value(explorer, term);
}

static bool collect_outcome(struct explorer *explorer) {
    struct state state = {&explorer->memory, term_value, explorer};
    enum truth filter = condition_truth(&state, explorer->test->filter);
    enum truth condition = condition_truth(&state, explorer->test->condition);
    if (filter == FALSE_NOW)
        return true;
    if (filter == NOT_KNOWN || condition == NOT_KNOWN) {
        explore_refuse(explorer, "an outcome that depends on an unknown value");
        return false;
    }
    for (size_t i = 0; i < explorer->shown->count; i++) {
        struct value value = term_value(explorer, &explorer->shown->terms[i].term);
        explorer->values[i].unknown = !value_is_known(value);
        explorer->values[i].bits = explorer->values[i].unknown ? 0 : value.bits;
    }
    outcomes_add(&explorer->result->outcomes, explorer->values);
    explorer->result->satisfied |= condition == TRUE_NOW;
    explorer->result->violated |= condition == FALSE_NOW;
    return !(explorer->options->until_allowed && explorer->result->satisfied &&
             explorer->result->violated);
}

static bool have_same_accesses(const struct explorer *explorer, unsigned a, unsigned b) {
    for (unsigned e = 1; e < explorer->x.n; e++)
        if ((explorer->x.event[e].cells >> a & 1) != (explorer->x.event[e].cells >> b & 1))
            return false;
    return true;
}

// The shown cell from which this one is cut only by what is shown, since the same accesses touch
// all from that one to this one; or the cell itself.
static unsigned first_of_piece(const struct explorer *explorer, unsigned cell) {
    unsigned first = cell;
    for (unsigned k = cell; k-- > 0;) {
        const struct extent *before = &explorer->cells[k], *after = &explorer->cells[k + 1];
        if (before->object != after->object || before->offset + before->size != after->offset ||
            !have_same_accesses(explorer, k, cell))
            break;
        if (explorer->final_cells & bit(k))
            first = k;
    }
    return first;
}

static bool choose_finals(struct explorer *explorer, const struct rel *co, uint64_t cells);

// Chooses the bytes of a cell from `byte` on, all together or each separately, from the writes of
// which none in the cell comes later.
static bool choose_bytes(struct explorer *explorer, const struct rel *co, uint64_t cells,
                         unsigned byte, uint64_t writes) {
    unsigned cell = (unsigned)__builtin_ctzll(cells), size = explorer->cells[cell].size;
    const struct memory *memory = &explorer->memory;
    int variable = memory->objects[explorer->cells[cell].object].variable;
    bool opaque = memory->test->variables[variable].tensor != NULL; // a tensormap
    bool whole = explorer->paths.tearing == TEARING_NONE || opaque || (writes & (writes - 1)) == 0;
    unsigned count = whole ? size : 1;
    struct value before = value_slice(explorer->final_values[cell], 0, 8 * byte);
    struct value tried[EVENTS_MAX];
    unsigned tried_count = 0;
    if (byte == size)
        return choose_finals(explorer, co, cells & (cells - 1));
    for (uint64_t rest = writes; rest; rest &= rest - 1) {
        struct value part =
            value_slice(candidate_written(explorer, (unsigned)__builtin_ctzll(rest), cell),
                        8 * byte, 8 * count);
        bool known = false;
        for (unsigned i = 0; i < tried_count; i++)
            known = known || value_equal(tried[i], part);
        if (known && explorer->paths.tearing == TEARING_BYTES)
            continue;
        tried[tried_count++] = part;
        explorer->final_source[cell] = (unsigned)__builtin_ctzll(rest);
        explorer->final_values[cell] = value_join(before, 8 * byte, part);
        if (!choose_bytes(explorer, co, cells, byte + count, writes))
            return false;
    }
    return true;
}

// "The final value of a location is, byte by byte, that of any write with none after it in
// coherence order", for each cell of `cells`.
static bool choose_finals(struct explorer *explorer, const struct rel *co, uint64_t cells) {
    if (!cells)
        return collect_outcome(explorer);
    unsigned cell = (unsigned)__builtin_ctzll(cells);
    uint64_t writes = 0, last = 0;
    for (unsigned e = 0; e < explorer->x.n; e++)
        if ((explorer->derived.writes & bit(e)) && (explorer->x.event[e].cells & bit(cell)))
            writes |= bit(e);
    for (uint64_t rest = writes; rest; rest &= rest - 1)
        if (!(co->row[__builtin_ctzll(rest)] & writes))
            last |= rest & -rest;
    unsigned first = first_of_piece(explorer, cell);
    if (explorer->paths.tearing == TEARING_NONE && first < cell)
        last = bit(explorer->final_source[first]);
    return choose_bytes(explorer, co, cells, 0, last);
}

// --- What an allowed execution is ----------------------------------------------------------------

static const char *why_unknown(const struct explorer *explorer) {
    for (size_t t = 0; t < explorer->test->thread_count; t++) {
        if (explorer->chosen[t]->path.end == PATH_UNKNOWN)
            return "what a thread does depends on an unknown value";
        if (explorer->chosen[t]->path.end == PATH_OUTSIDE)
            return "an access that may lie outside every variable";
        if (explorer->chosen[t]->path.end == PATH_TOO_LONG)
            return "more than 64 events";
    }
    return NULL;
}

// Flags are about the program: what the filter drops counts. What is undefined at once is so in
// executions that hang, too (memory-model section 6). Sets *counted when the execution has
// outcomes; returns false when the search is over.
static bool note_allowed(struct explorer *explorer, struct rel co, bool *counted) {
    struct explored *result = explorer->result;
    const struct derived *d = &explorer->derived;
    const char *reason = why_unknown(explorer);
    if (reason) {
        explore_refuse(explorer, reason);
        return false;
    }
    *counted = !explorer->blocked && !explorer->trapped;
    result->executions++;
    result->trap |= explorer->trapped;
    if (explorer->trapped)
        return true;
    result->ends |= *counted;
    result->hang |= explorer->blocked;
    if (*counted && !(result->data_race && result->open_race)) {
        struct races found = races(&explorer->derived, explorer->causality.order);
        result->data_race |= !rel_is_empty(found.defined);
        result->mixed_size_race |= !rel_is_empty(found.mixed);
        result->open_race |= !rel_is_empty(found.open);
    }
    if (!result->barrier_misuse)
        result->barrier_misuse = !rel_is_empty(
            barriers_misused(&explorer->x, &explorer->derived, explorer->causality.base));
    if (!result->async_undefined)
        result->async_undefined =
            !rel_is_empty(async_conflicts(&explorer->x, d, &explorer->causality));
    if (!result->cancel_misuse)
        result->cancel_misuse =
            !rel_is_empty(async_cancels_again(&explorer->x, d, explorer->causality.base));
    if (*counted && !result->exited_cta && explorer->x.exited)
        result->exited_cta =
            async_outlives(&explorer->x, d, explorer->causality.base,
                           mbarrier_order(&explorer->x, d, co, from_read(&explorer->x, co))) != 0;
    if (*counted && !result->async_unwaited && explorer->x.exited)
        result->async_unwaited =
            async_underway(&explorer->x, d, explorer->causality.base,
                           mbarrier_order(&explorer->x, d, co, from_read(&explorer->x, co))) != 0;
    if (!result->readonly_written)
        result->readonly_written =
            !rel_is_empty(later_written(&explorer->x, d, explorer->causality.base));
    result->mbarrier_misuse |= (explorer->x.broken & BROKEN_COUNT) != 0;
    result->cancel_misuse |= (explorer->x.broken & BROKEN_ANSWER) != 0;
    result->barrier_misuse |= (explorer->x.broken & BROKEN_MASK) != 0;
    result->product_misuse |= async_products_misused(&explorer->x);
    if (*counted && !result->tensor_misuse)
        result->tensor_misuse = tensors_misused(&explorer->x, d, explorer->causality.threads);
    if (!result->mbarrier_misuse)
        result->mbarrier_misuse =
            mbarriers_misused(&explorer->x, &explorer->derived, explorer->causality.base, co);
    return true;
}

// --- co and sc -----------------------------------------------------------------------------------

// Whether the execution is allowed. With `any_program`, atomics have to take turns, and no other
// axiom counts.
static bool is_allowed(const struct explorer *explorer, struct rel co) {
    const struct derived *d = &explorer->derived;
    const struct version *version = explorer->options->version;
    struct rel fr = from_read(&explorer->x, co), cause = explorer->causality.order;
    bool in_turn = !version->atomics_in_turn || atomics_in_turn_hold(d, co, fr);
    if (version->any_program)
        return coherence_is_order(d, co) && in_turn;
    return coherence_holds(d, cause, co) &&
           fence_sc_holds(d, explorer->causality.base, explorer->sc) &&
           atomicity_holds(&explorer->x, d, co, fr) && in_turn &&
           no_thin_air_holds(&explorer->x, d, explorer->causality.base) &&
           (!version->sc_per_location || sc_per_location_holds(d, co, fr)) &&
           causality_holds(d, cause, fr) &&
           mbarriers_in_turn(&explorer->x, d, explorer->causality.base, co, fr) &&
           (!version->whole_accesses || whole_accesses_hold(&explorer->x, d, co));
}

static bool answers_differ(const struct explorer *explorer) {
    unsigned grids[THREADS_MAX] = {0};
    for (size_t t = 0; t < explorer->test->thread_count; t++) {
        const struct place *place = &explorer->test->threads[t].place;
        grids[t] = place->gpu << 16 | place->grid;
    }
    return async_answers_differ(&explorer->x, grids);
}

// Judges one candidate. `order` may relate writes that do not overlap, through others that do.
static bool try_coherence_order(void *context, struct rel order) {
    struct explorer *explorer = context;
    struct rel co = rel_and(order, explorer->derived.loc);
    bool counted = false;
    if (!count_candidate(explorer))
        return false;
    if (!is_allowed(explorer, co) || !answers_differ(explorer))
        return true;
    if (!note_allowed(explorer, co, &counted))
        return false;
    return !counted || choose_finals(explorer, &co, explorer->final_cells);
}

// The pairs of co that every coherence order has: IW first, and what causality order demands.
static struct rel least_coherence(const struct derived *d, struct rel cause) {
    struct rel overlapping = rel_within(d->loc, d->writes, d->writes);
    struct rel initial_first = rel_within(overlapping, d->initials, d->writes & ~d->initials);
    return rel_or(initial_first, rel_and(cause, overlapping));
}

// With the pairs that axioms 1 and 3 demand together: a write that comes after what an atomic
// reads, and is morally strong to its read and its write, comes after its write, too; for it comes
// before it or after it, and before it must not be.
static struct rel with_atomics(const struct execution *x, const struct derived *d, struct rel co) {
    bool grew = true;
    while (grew) {
        struct rel fr = from_read(x, rel_and(co, d->loc));
        grew = false;
        for (uint64_t reads = d->memory & ~d->writes; reads; reads &= reads - 1) {
            unsigned r = (unsigned)__builtin_ctzll(reads);
            if (x->event[r].rmw < 0)
                continue;
            unsigned own = (unsigned)x->event[r].rmw;
            uint64_t later = fr.row[r] & d->ms.row[r] & d->ms.row[own] & ~bit(own);
            grew = grew || (later & ~co.row[own]);
            co.row[own] |= later;
        }
        co = grew ? rel_closure(co) : co;
    }
    return co;
}

static bool try_sc(void *context, struct rel order) {
    struct explorer *explorer = context;
    const struct derived *d = &explorer->derived;
    bool any_program = explorer->options->version->any_program;
    explorer->sc = order;
    explorer->causality =
        causality(&explorer->x, d, explorer->options->version, rel_and(order, d->ms));
    // What no choice of co can mend.
    if (!any_program && (!fence_sc_holds(d, explorer->causality.base, order) ||
                         !causality_holds(d, explorer->causality.order, rel_empty(d->rf.n))))
        return count_candidate(explorer);
    struct rel overlapping = rel_within(d->loc, d->writes, d->writes), total = d->others;
    struct rel cause = any_program ? rel_empty(d->rf.n) : explorer->causality.order;
    struct rel base = least_coherence(d, cause);
    if (!any_program && d->mbarriers)
        base = rel_or(base, mbarrier_least_coherence(&explorer->x, d, explorer->causality.base));
    if (!any_program)
        total = rel_or(total, d->ms);
    total = rel_or(total, rel_product(d->rf.n, d->mbarriers, d->mbarriers));
    if (!any_program && !explorer->options->every_order)
        base = with_atomics(&explorer->x, d, rel_closure(base));
    struct order_visitor visitor = {try_coherence_order, explorer};
    if (explorer->options->every_order)
        return orders_partial(base, rel_and(total, overlapping), overlapping, &visitor);
    return orders_orient(base, rel_and(total, overlapping), &visitor);
}

static struct derived derive_candidate(struct explorer *explorer) {
    const struct execution *x = &explorer->x;
    const struct version *version = explorer->options->version;
    size_t size = x->n * sizeof x->event[0];
    if (explorer->given_count != x->n || memcmp(explorer->given_by, x->event, size) != 0) {
        explorer->given = given(x, version);
        explorer->given_count = x->n;
        memcpy(explorer->given_by, x->event, size);
    }
    return derive_from(x, version, &explorer->given);
}

// Only the morally strong pairs of sc matter, so orienting these is enough; each orientation
// without cycles extends to a total order.
static bool try_execution(struct explorer *explorer) {
    const struct explore_guide *guide = explorer->options->guide;
    explorer->derived = derive_candidate(explorer);
    const struct derived *d = &explorer->derived;
    struct order_visitor visitor = {try_sc, explorer};
    if (guide)
        return guide->judge(guide->context, explorer);
    if (explorer->options->every_order)
        return orders_total(explorer->x.n, d->sc_fences, &visitor);
    struct rel fences = rel_product(explorer->x.n, d->sc_fences, d->sc_fences);
    return orders_orient(rel_empty(explorer->x.n), rel_and(d->ms, fences), &visitor);
}

// --- rf ------------------------------------------------------------------------------------------

// Whether the reads that have their sources violate an axiom already, whatever sc and the rest of
// co and rf may be.
static bool is_hopeless(struct explorer *explorer) {
    const struct version *version = explorer->options->version;
    if (version->any_program || explorer->options->guide)
        return false;
    struct derived d = derive_candidate(explorer);
    struct causality c = causality(&explorer->x, &d, version, rel_empty(explorer->x.n));
    if (!no_thin_air_holds(&explorer->x, &d, c.base))
        return true;
    struct rel least = rel_closure(least_coherence(&d, c.order));
    struct rel co = rel_and(with_atomics(&explorer->x, &d, least), d.loc);
    struct rel fr = from_read(&explorer->x, co);
    return !rel_is_irreflexive(co) || !causality_holds(&d, c.order, fr) ||
           !atomicity_holds(&explorer->x, &d, co, fr) ||
           (version->sc_per_location && !sc_per_location_holds(&d, co, fr));
}

// Whether some source is to be chosen next. Where none is, the axioms are looked at later, with
// more of the reads.
static bool is_choice_next(const struct explorer *explorer, unsigned index) {
    if (index == explorer->unit_count)
        return false;
    uint64_t sources = explorer->units[index].sources;
    return (sources & (sources - 1)) != 0;
}

static bool take_units(struct explorer *explorer, unsigned index);

// The read of the unit before `index` has all its sources.
static bool finish_read(struct explorer *explorer, unsigned index) {
    uint64_t read = bit(explorer->units[index - 1].read);
    if (!explore_count_step(explorer))
        return false;
    explorer->unread &= ~read;
    bool go_on = true;
    if (!candidate_complete(explorer)) {
        explore_refuse(explorer, "more than 64 cells of memory");
        go_on = false;
    } else if (!is_choice_next(explorer, index) || !is_hopeless(explorer)) {
        go_on = take_units(explorer, index);
    }
    explorer->unread |= read;
    return go_on;
}

// The source of an earlier unit of the same read that this one may as well take, or -1.
static int source_to_follow(const struct explorer *explorer, unsigned index) {
    const struct unit *unit = &explorer->units[index];
    for (unsigned i = index; i-- > 0 && explorer->units[i].read == unit->read;) {
        const struct unit *other = &explorer->units[i];
        if ((unit->sources & bit(other->source)) && !(unit->writers & ~other->writers))
            return (int)other->source;
    }
    return -1;
}

static bool take_unit(struct explorer *explorer, unsigned index, unsigned source) {
    explorer->units[index].source = source;
    bool last = index + 1 == explorer->unit_count ||
                explorer->units[index + 1].read != explorer->units[index].read;
    return last ? finish_read(explorer, index + 1) : take_units(explorer, index + 1);
}

// Takes the units from `index` on. Returns false when the search is over.
static bool take_units(struct explorer *explorer, unsigned index) {
    if (index == explorer->unit_count)
        return try_execution(explorer);
    const struct explore_guide *guide = explorer->options->guide;
    int followed = guide ? -1 : source_to_follow(explorer, index);
    if (followed >= 0)
        return take_unit(explorer, index, (unsigned)followed);
    for (uint64_t rest = explorer->units[index].sources; rest; rest &= rest - 1) {
        unsigned source = (unsigned)__builtin_ctzll(rest);
        if (guide && !guide->takes_source(guide->context, explorer, index, source))
            continue;
        if (!take_unit(explorer, index, source))
            return false;
    }
    return true;
}

// The phases of all barriers are chosen.
static bool try_sources(struct explorer *explorer) {
    // Of executions with a trap, it is only asked whether there are any.
    if (explorer->trapped && explorer->result->trap)
        return true;
    if (explorer->unit_count > 0)
        return take_units(explorer, 0);
    if (candidate_complete(explorer))
        return try_execution(explorer);
    explore_refuse(explorer, "more than 64 cells of memory");
    return false;
}

// --- Paths ---------------------------------------------------------------------------------------

static bool meet(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t i = 0; i < words; i++)
        if (a[i] & b[i])
            return true;
    return false;
}

// Whether what each chosen path reads is written by a chosen one, or may be by one that is still to
// be chosen.
static bool are_provided(const struct explorer *explorer, size_t chosen) {
    size_t words = paths_words(&explorer->paths);
    for (size_t t = 0; t < chosen; t++)
        for (size_t i = 0; i < explorer->chosen[t]->need_count; i++) {
            bool found = false;
            for (size_t u = 0; u < explorer->test->thread_count && !found; u++)
                found = meet(explorer->chosen[t]->needs[i],
                             u < chosen ? explorer->chosen[u]->provides
                                        : explorer->paths.threads[u].provides,
                             words);
            if (!found)
                return false;
        }
    return true;
}

static bool has_loop(const struct thread *thread) {
    for (size_t i = 0; i < thread->instruction_count; i++)
        if (thread->instructions[i].opcode == OP_BRA &&
            thread->labels[thread->instructions[i].operands[0].label].target <= i)
            return true;
    return false;
}

static bool has_loops(const struct test *test) {
    bool loops = false;
    for (size_t t = 0; t < test->thread_count; t++)
        loops = loops || has_loop(&test->threads[t]);
    return loops;
}

// Whether an answer on the chosen paths says that the cluster of a thread was cancelled.
static bool is_cancelled(const struct explorer *explorer, size_t thread) {
    const struct test *test = explorer->test;
    for (size_t t = 0; t < test->thread_count; t++) {
        const struct path *path = &explorer->chosen[t]->path;
        if (!paths_may_cancel(test, (int)t, (int)thread))
            continue;
        for (unsigned i = 0; i < path->count; i++) {
            const struct step *step = &path->steps[i];
            if (step->action == ACTION_ISSUE && step->at->opcode == OP_CANCEL_TRY &&
                (step->value.bits & 1) &&
                step->value.bits >> 32 == paths_first_cta(test, (int)thread))
                return true;
        }
    }
    return false;
}

// A CTA that is cancelled does not run, and each other one does.
static bool run_unless_cancelled(const struct explorer *explorer) {
    for (size_t t = 0; t < explorer->test->thread_count; t++)
        if (explorer->chosen[t]->cancelled != is_cancelled(explorer, t))
            return false;
    return true;
}

static bool try_paths(struct explorer *explorer) {
    if (!run_unless_cancelled(explorer))
        return true;
    explorer->blocked = false;
    for (size_t t = 0; t < explorer->test->thread_count; t++)
        explorer->blocked |= explorer->chosen[t]->path.end == PATH_BLOCKED;
    if (!candidate_begin(explorer)) {
        explorer->result->bounded = true;
        if (!has_loops(explorer->test))
            explore_refuse(explorer, "more than 64 events");
        return !explorer->result->unsupported;
    }
    if (!candidate_find_units(explorer))
        return true;
    return barriers_each(explorer, try_sources);
}

// Which executions are looked for: those with an outcome, those that hang, and those with a trap,
// of which the other threads may do anything.
enum search { SEARCH_OUTCOMES, SEARCH_HANG, SEARCH_TRAP };

static bool fits(const struct explorer *explorer, enum search search) {
    bool blocked = false, trapped = false;
    for (size_t t = 0; t < explorer->test->thread_count; t++) {
        blocked |= explorer->chosen[t]->path.end == PATH_BLOCKED;
        trapped |= explorer->chosen[t]->path.end == PATH_TRAPPED;
    }
    return search == SEARCH_TRAP ? trapped : blocked == (search == SEARCH_HANG);
}

static bool may_end_so(const struct explorer *explorer, size_t thread, enum path_end end,
                       enum search search) {
    switch (end) {
    case PATH_TOO_LONG: return !has_loop(&explorer->test->threads[thread]);
    case PATH_BEYOND:
    case PATH_TRAPPED: return search == SEARCH_TRAP;
    case PATH_BLOCKED: return search != SEARCH_OUTCOMES;
    default: return true;
    }
}

static bool is_found(const struct explorer *explorer, enum search search) {
    return search == SEARCH_TRAP && explorer->result->trap;
}

static bool choose_paths(struct explorer *explorer, size_t thread, enum search search) {
    if (!explore_count_step(explorer))
        return false;
    if (thread == explorer->test->thread_count) {
        explorer->trapped = search == SEARCH_TRAP;
        return !fits(explorer, search) || try_paths(explorer);
    }
    const struct path_list *list = &explorer->paths.threads[thread];
    const struct explore_guide *guide = explorer->options->guide;
    for (size_t i = 0; i < list->count && !is_found(explorer, search); i++) {
        if (!may_end_so(explorer, thread, list->paths[i]->path.end, search))
            continue;
        if (guide && !guide->takes_path(guide->context, thread, &list->paths[i]->path))
            continue;
        explorer->chosen[thread] = list->paths[i];
        if ((guide || are_provided(explorer, thread + 1)) &&
            !choose_paths(explorer, thread + 1, search))
            return false;
    }
    return true;
}

// --- What cannot be judged -----------------------------------------------------------------------

// Section 8: 6.0 has no proxies, and 7.5 neither an async nor a tensormap one. What is loaded
// through the read-only one is not to be written in any (section 5).
static bool has_proxy(const struct version *version, enum proxy proxy) {
    bool is_async = proxy == PROXY_ASYNC || proxy == PROXY_TENSORMAP || proxy == PROXY_FABRIC;
    return proxy == PROXY_GENERIC || proxy == PROXY_READONLY ||
           (version->proxies && (!is_async || version->async_proxies));
}

static const char *unsupported_step(const struct explorer *explorer, const struct step *step) {
    const struct version *version = explorer->options->version;
    if (!version->async_proxies && (step->action == ACTION_ISSUE || step->operation > 0))
        return "an asynchronous operation, which this version of the model does not have";
    if (!has_proxy(version, step->proxy))
        return "a proxy that this version of the model does not have";
    if (step->scope == SCOPE_CLUSTER && step->action != ACTION_BARRIER && !version->cluster_scope)
        return "a scope that this version of the model does not have";
    if (step->action == ACTION_FENCE && !version->one_directional_fences &&
        (step->order == ORDER_ACQUIRE || step->order == ORDER_RELEASE))
        return "a one-directional fence, which this version of the model does not have";
    bool is_access = step->action == ACTION_READ || step->action == ACTION_WRITE;
    if (is_access && !version->proxies &&
        step->spot.range != explorer->memory.objects[step->spot.object].variable)
        return "an access through an alias";
    return NULL;
}

// Whether an operation writes to shared memory of another CTA than that of the thread that issues
// it.
static bool writes_elsewhere(const struct memory *memory, int thread, const struct step *step) {
    if (step->stage != STAGE_WRITES || !step->has_spot)
        return false;
    const struct object *object = &memory->objects[step->spot.object];
    const struct thread *threads = memory->test->threads;
    return memory->test->variables[object->variable].space == SPACE_SHARED &&
           !test_same_cta(&threads[object->thread].place, &threads[thread].place);
}

// What the readings ask of a test.
static void note_step(struct explored *result, const struct memory *memory, int thread,
                      const struct step *step) {
    bool accesses = step->action == ACTION_READ || step->action == ACTION_WRITE;
    result->has_proxy_fence |= step->action == ACTION_PROXY_FENCE;
    result->has_mbarriers |= step->mbarrier != MBARRIER_NONE;
    result->waits_at_mbarrier |= step->mbarrier == MBARRIER_WAITS;
    result->has_async_accesses |= accesses && step->proxy == PROXY_ASYNC;
    result->writes_elsewhere |= writes_elsewhere(memory, thread, step);
    if (accesses && step->size > 8) {
        result->wide_threads |= bit((unsigned)thread);
        result->wide_write |= step->action == ACTION_WRITE;
    }
}

static void look_at_steps(struct explorer *explorer) {
    for (size_t t = 0; t < explorer->test->thread_count; t++)
        for (size_t i = 0; i < explorer->paths.threads[t].count; i++) {
            const struct path *path = &explorer->paths.threads[t].paths[i]->path;
            bool long_loop = path->end == PATH_TOO_LONG && has_loop(&explorer->test->threads[t]);
            explorer->result->bounded |= path->end == PATH_BEYOND || long_loop;
            for (unsigned k = 0; k < path->count && !explorer->result->unsupported; k++) {
                explorer->result->unsupported = unsupported_step(explorer, &path->steps[k]);
                note_step(explorer->result, &explorer->memory, (int)t, &path->steps[k]);
                explorer->result->dependencies_differ |=
                    path->steps[k].exchanges ||
                    path->steps[k].sources != explorer->paths.threads[t].paths[i]->depends[k];
            }
        }
}

// --- The whole -----------------------------------------------------------------------------------

static void find_extents(struct explorer *explorer) {
    explorer->extents = allocate(explorer->shown->count, sizeof *explorer->extents);
    for (size_t i = 0; i < explorer->shown->count; i++)
        if (explorer->shown->terms[i].term.kind == TERM_LOCATION)
            explorer->extents[explorer->extent_count++] =
                shown_extent(&explorer->memory, &explorer->shown->terms[i].term);
}

static void explore_paths(struct explorer *explorer) {
    look_at_steps(explorer);
    for (int search = SEARCH_OUTCOMES; search <= SEARCH_TRAP; search++)
        if (explorer->result->unsupported || !choose_paths(explorer, 0, (enum search)search))
            return;
}

void known_paths_free(struct known_paths *known) {
    if (!known->found)
        return;
    paths_free(&known->paths);
    memory_free(&known->memory);
    known->found = false;
}

// What is to be found, in memory that is known.
static struct paths paths_wanted(const struct explore_options *options, struct memory *memory) {
    const struct explore_guide *guide = options->guide;
    bool thin_air = options->dependencies == DEPENDENCIES_NONE; // who writes is open
    return (struct paths){
        .memory = memory,
        .guide = guide ? &guide->values : NULL,
        .tearing = options->version->whole_accesses ? TEARING_NONE : TEARING_BYTES,
        .dependencies = options->dependencies,
        .reads_own_last = !guide && !thin_air && options->version->po_in_base_causality,
        .limit = 20000};
}

static bool are_same(const struct paths *found, const struct paths *wanted) {
    return found->tearing == wanted->tearing && found->dependencies == wanted->dependencies &&
           found->reads_own_last == wanted->reads_own_last;
}

// Finds the paths unless they are known, with fewer rounds of loops where more make too many.
static void find_paths(const struct test *test, const struct explore_options *options,
                       struct known_paths *known) {
    struct paths wanted = paths_wanted(options, &known->memory);
    if (known->found && are_same(&known->paths, &wanted))
        return;
    known_paths_free(known);
    known->memory = memory_new(test);
    known->found = true;
    for (known->rounds = options->rounds;; known->rounds--) {
        known->paths = wanted;
        known->paths.options.rounds = known->rounds;
        paths_find(&known->paths);
        if (!known->paths.too_many || known->rounds == 0)
            return;
        paths_free(&known->paths);
    }
}

void explore_test(const struct test *test, const struct shown_list *shown,
                  const struct explore_options *options, struct explored *result) {
    struct explored empty = {.complete = true};
    *result = empty;
    outcomes_init(&result->outcomes, shown->count);
    if (test->thread_count > THREADS_MAX) {
        result->unsupported = "more than 64 threads";
        return;
    }
    for (size_t t = 0; t < test->thread_count; t++)
        if (test->threads[t].launch && test->threads[t].launch->modelled) {
            result->unsupported = "threads of the launch that are left out";
            return;
        }
    struct explorer *explorer = allocate(1, sizeof *explorer);
    struct known_paths own = {0}, *known = options->known ? options->known : &own;
    explorer->test = test;
    explorer->shown = shown;
    explorer->options = options;
    explorer->result = result;
    explorer->values = allocate(shown->count, sizeof *explorer->values);
    find_paths(test, options, known);
    explorer->memory = known->memory;
    explorer->paths = known->paths;
    result->rounds = known->rounds;
    find_extents(explorer);
    result->complete = !explorer->paths.too_many;
    if (explorer->paths.varies && explorer->paths.dependencies == DEPENDENCIES_NONE)
        result->unsupported = "writes that depend on reads, where no dependency counts";
    else if (result->complete)
        explore_paths(explorer);
    influence_free_lanes(&explorer->known_lanes);
    known_paths_free(&own);
    free(explorer->extents);
    free(explorer->values);
    free(explorer);
}

void explored_free(struct explored *result) {
    outcomes_free(&result->outcomes);
}
