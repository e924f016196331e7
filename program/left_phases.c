// In which phases of mbarriers threads arrive that a launch leaves out (memory-model section
// 13): for each of their arrivals, a phase that it is in none before.
//
// A thread that has passed a wait knows that the phase which it has waited for is complete. By the
// parity of that phase, and by what it has passed before, it knows at least how many phases of the
// mbarrier are complete; and a number of phases are complete only after so many arrivals, each of
// them by a thread that knew something, too. What is known in this way holds in each execution:
// what follows a wait comes after what it waits for, and the operations on an mbarrier come one
// after the other.

#include "program/mbarrier_state.h"

#include "program/builder.h"
#include "program/left_out.h"
#include "program/thread/access.h"

#include "litmus/source/arena.h"

#include <string.h>

// An arrival or a wait of a thread.
struct step {
    uint64_t address;
    size_t object; // of the mbarriers, once all are known
    bool waits;
    int parity;            // of a wait; -1: for the phase of an arrival of the thread
    size_t arrival;        // which one
    unsigned arrivals;     // 0: of a wait
    const size_t *after;   // of an arrival: waits that have passed then, in program order
    size_t after_count;    //
    unsigned char *phases; // of an arrival, by object: so many phases are complete
};

struct left_thread {
    struct step *steps;
    size_t count;
    bool left_out;
    struct left_thread *next;
};

// --- What a thread does, in program order ------------------------------------------------------

struct collector {
    const struct builder *ran;
    struct arena *arena;
    struct left_thread *thread;
    const struct expr **conditions; // by step: it takes place; of a wait: and passes
    const struct expr **executes;   // by step: it takes place, whether or not it passes
    const struct expr **passed;     // by step: of a wait, it passes
    unsigned *events;               // by step
};

static bool is_arrival(const struct event *event) {
    return event->kind == EVENT_WRITE && event->mbarrier->arrivals > 0;
}

// What holds where an event takes place.
static const struct expr *premise_of(const struct builder *ran, const struct event *event) {
    return expr_and(ran->pool, event->executes, ran->loops.left[event->id]);
}

// The waits that have passed whenever the step that is added next takes place, an arrival.
static void find_passed(const struct collector *c, struct step *step, const struct expr *premise) {
    const struct left_thread *thread = c->thread;
    size_t from = 0;
    size_t *after = arena_alloc(c->arena, (thread->count + 1) * sizeof *after);
    for (size_t i = thread->count; i-- > 0 && from == 0;) {
        const struct step *before = &thread->steps[i];
        if (before->waits || !expr_implies(c->ran->pool, premise, c->conditions[i]))
            continue;
        if (before->after_count > 0)
            memcpy(after, before->after, before->after_count * sizeof *after);
        step->after_count = before->after_count;
        from = i + 1;
    }
    for (size_t i = from; i < thread->count; i++)
        if (thread->steps[i].waits && expr_implies(c->ran->pool, premise, c->conditions[i]))
            after[step->after_count++] = i;
    step->after = after;
}

// The phase that a wait asks for. Returns false where that is not known.
static bool find_asked(const struct collector *c, const struct event *wait, struct step *step) {
    const struct expr *asked = wait->mbarrier->asked;
    const struct event *events = c->ran->program->events;
    if (opcode_has(wait->instruction->opcode, TRAIT_PARITY)) {
        step->parity = (int)(asked->value.low & 1);
        return expr_is_const(asked) && asked->value.low <= 1;
    }
    step->parity = -1;
    for (size_t i = 0; i < c->thread->count; i++) {
        const struct event *event = &events[c->events[i]];
        if (c->thread->steps[i].waits || !mbarrier_has_state(c->ran->pool, wait, event) ||
            c->thread->steps[i].address != step->address)
            continue;
        step->arrival = i;
        return true;
    }
    return false;
}

// Whether a wait is for the phase of the one before it, as in another round of a loop: one of them
// has passed then.
static bool is_repeated(const struct left_thread *thread, const struct step *wait) {
    const struct step *last = thread->count > 0 ? &thread->steps[thread->count - 1] : NULL;
    return last != NULL && last->waits && last->address == wait->address &&
           last->parity == wait->parity && last->arrival == wait->arrival;
}

// Adds a further round to the last step. One that takes place if those before it have not passed
// need not be told from them.
static void add_round(struct collector *c, const struct event *event,
                      const struct expr *condition) {
    struct expr_pool *pool = c->ran->pool;
    size_t last = c->thread->count - 1;
    const struct expr *fails = expr_and(pool, c->executes[last], expr_not(pool, c->passed[last]));
    c->conditions[last] = expr_or(pool, c->conditions[last], condition);
    if (!expr_implies(pool, fails, event->executes))
        return;
    c->passed[last] = expr_or(pool, c->passed[last], event->mbarrier->passed);
    c->conditions[last] = expr_and(pool, c->executes[last], c->passed[last]);
}

static void add_step(struct collector *c, const struct event *event) {
    struct left_thread *thread = c->thread;
    struct step step = {.address = event->address->value.low,
                        .waits = event->kind == EVENT_READ,
                        .arrivals = event->kind == EVENT_READ ? 0 : event->mbarrier->arrivals};
    const struct expr *condition = premise_of(c->ran, event);
    if (step.waits && !find_asked(c, event, &step))
        return;
    if (step.waits)
        condition = expr_and(c->ran->pool, event->executes, event->mbarrier->passed);
    if (step.waits && is_repeated(thread, &step)) {
        add_round(c, event, condition);
        return;
    }
    if (!step.waits)
        find_passed(c, &step, condition);
    c->conditions[thread->count] = condition;
    c->executes[thread->count] = event->executes;
    c->passed[thread->count] = event->mbarrier->passed;
    c->events[thread->count] = event->id;
    thread->steps[thread->count++] = step;
}

// What a thread of the test makes of an mbarrier.
static void note_object(struct left_mbarriers *mbarriers, struct arena *arena,
                        const struct event *event) {
    bool init = event_is_mbarrier(event, MBARRIER_KIND_INIT);
    if (event->kind != EVENT_WRITE)
        return;
    mbarriers->blind |= !expr_is_const(event->address);
    struct left_mbarrier *at = left_mbarriers_find(mbarriers, arena, event->address);
    at->inits += init;
    if (init)
        at->count = (unsigned)(event->access->value->value.low & MBARRIER_COUNT_MAX);
    at->changes |= event->mbarrier->changes;
}

void left_phases_add(struct left_mbarriers *mbarriers, struct arena *arena,
                     const struct builder *ran, bool left_out) {
    const struct program *program = ran->program;
    struct left_thread *thread = ARENA_NEW(arena, struct left_thread);
    struct collector c = {.ran = ran, .arena = arena, .thread = thread};
    thread->steps = ARENA_ARRAY(arena, struct step, program->event_count + 1);
    c.conditions = ARENA_ARRAY(ran->arena, const struct expr *, program->event_count + 1);
    c.executes = ARENA_ARRAY(ran->arena, const struct expr *, program->event_count + 1);
    c.passed = ARENA_ARRAY(ran->arena, const struct expr *, program->event_count + 1);
    c.events = ARENA_ARRAY(ran->arena, unsigned, program->event_count + 1);
    thread->left_out = left_out;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->mbarrier == NULL || expr_is_false(event->executes))
            continue;
        if (!left_out)
            note_object(mbarriers, arena, event);
        bool arrives = is_arrival(event), waits = event_is_mbarrier(event, MBARRIER_KIND_WAIT);
        if (arrives && !left_out && ran->loops.widened && i >= ran->loops.widened_from)
            mbarriers->blind = true;
        if ((arrives || waits) && expr_is_const(event->address)) {
            left_mbarriers_find(mbarriers, arena, event->address); // it may only be waited for
            add_step(&c, event);
        }
    }
    thread->next = mbarriers->threads;
    mbarriers->threads = thread;
}

// --- What is known -----------------------------------------------------------------------------

struct finder {
    struct left_mbarriers *mbarriers;
    struct arena *arena;
    bool by_waits;
    unsigned char *known; // by object and phase: a row of objects, as in the phases of a step
};

static unsigned char *row(const struct finder *f, size_t object, unsigned phase) {
    size_t objects = f->mbarriers->count;
    return &f->known[(object * LEFT_PHASES + phase) * objects];
}

// Whether phases of an mbarrier are counted from one initialisation on.
static bool is_counted(const struct left_mbarrier *at) {
    return at->inits == 1 && !at->changes && at->count > 0;
}

static void raise(unsigned char *phases, const unsigned char *others, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (others[i] > phases[i])
            phases[i] = others[i];
}

// What is known where the first waits of an arrival have passed, and where one more has.
static void pass(const struct finder *f, const struct left_thread *thread, size_t wait,
                 unsigned char *phases) {
    const struct step *step = &thread->steps[wait];
    unsigned char *at = &phases[step->object];
    unsigned complete = *at;
    if (!f->by_waits || f->mbarriers->items[step->object].inits != 1)
        return;
    if (step->parity >= 0)
        complete += (complete & 1) == (unsigned)step->parity;
    else if (thread->steps[step->arrival].phases[step->object] >= complete)
        complete = thread->steps[step->arrival].phases[step->object] + 1U;
    if (complete >= LEFT_PHASES)
        complete = LEFT_PHASES - 1;
    *at = (unsigned char)complete;
    raise(phases, row(f, step->object, complete), f->mbarriers->count);
}

// Returns whether more is known than before.
static bool know_of_thread(const struct finder *f, struct left_thread *thread) {
    size_t objects = f->mbarriers->count;
    bool more = false;
    for (size_t i = 0; i < thread->count; i++) {
        struct step *step = &thread->steps[i];
        if (step->waits)
            continue;
        unsigned char *phases = ARENA_ARRAY(f->arena, unsigned char, objects);
        for (size_t k = 0; k < step->after_count; k++)
            pass(f, thread, step->after[k], phases);
        more = more || memcmp(phases, step->phases, objects) != 0;
        step->phases = phases;
    }
    return more;
}

// How many arrivals at an mbarrier there are, by how many phases of another one they know to be
// complete. Returns how many there are in all.
static unsigned long count_arrivals(const struct finder *f, size_t object, size_t other,
                                    unsigned long knowing[LEFT_PHASES]) {
    unsigned long all = 0;
    memset(knowing, 0, LEFT_PHASES * sizeof *knowing);
    for (const struct left_thread *t = f->mbarriers->threads; t != NULL; t = t->next)
        for (size_t i = 0; i < t->count; i++)
            if (!t->steps[i].waits && t->steps[i].object == object) {
                knowing[t->steps[i].phases[other]] += t->steps[i].arrivals;
                all += t->steps[i].arrivals;
            }
    return all;
}

// Where so many phases of an mbarrier are complete, that many arrivals have taken place; one of
// them knew of the other mbarrier what all but fewer know.
static void know_of_phases(const struct finder *f, size_t object, size_t other) {
    const struct left_mbarrier *at = &f->mbarriers->items[object];
    unsigned long knowing[LEFT_PHASES];
    unsigned long all = count_arrivals(f, object, other, knowing), fewer = knowing[0];
    unsigned known = 0;
    for (unsigned phase = 1; phase < LEFT_PHASES; phase++) {
        unsigned long needed = (unsigned long)phase * at->count;
        if (needed > all)
            return;
        while (known + 1 < LEFT_PHASES && fewer < needed)
            fewer += knowing[++known];
        row(f, object, phase)[other] = (unsigned char)known;
    }
}

static void know_all(const struct finder *f) {
    const struct left_mbarriers *mbarriers = f->mbarriers;
    for (unsigned round = 0; round < 2 * LEFT_PHASES; round++) {
        bool more = false;
        for (struct left_thread *t = mbarriers->threads; t != NULL; t = t->next)
            more = know_of_thread(f, t) || more;
        if (!more || mbarriers->blind)
            return;
        for (size_t i = 0; i < mbarriers->count; i++)
            for (size_t k = 0; k < mbarriers->count && is_counted(&mbarriers->items[i]); k++)
                know_of_phases(f, i, k);
    }
}

// --- Arrivals of threads that are left out -----------------------------------------------------

static size_t find_object(const struct left_mbarriers *mbarriers, uint64_t address) {
    size_t i = 0;
    while (mbarriers->items[i].address != address)
        i++;
    return i;
}

static void start(const struct finder *f) {
    struct left_mbarriers *mbarriers = f->mbarriers;
    for (struct left_thread *t = mbarriers->threads; t != NULL; t = t->next)
        for (size_t i = 0; i < t->count; i++) {
            t->steps[i].object = find_object(mbarriers, t->steps[i].address);
            t->steps[i].phases = ARENA_ARRAY(f->arena, unsigned char, mbarriers->count);
        }
}

static void join(struct left_mbarriers *mbarriers, const struct step *step) {
    struct left_mbarrier *at = &mbarriers->items[step->object];
    at->joins[at->inits == 1 ? step->phases[step->object] : 0] += step->arrivals;
}

// The phase of an mbarrier that threads which are left out could complete alone would be any.
static void check(struct left_mbarriers *mbarriers, struct arena *arena, struct left_mbarrier *at) {
    unsigned most = 0;
    for (unsigned i = 0; i < LEFT_PHASES; i++)
        if (at->joins[i] > most)
            most = at->joins[i];
    if (most == 0 || at->refused != NULL)
        return;
    if (mbarriers->blind || !is_counted(at))
        at->refused = arena_format(arena,
                                   "threads that the launch leaves out arrive at this mbarrier "
                                   "(line %u), and it is not known with which count the others "
                                   "use it: it needs one initialisation, no arrive_drop, and no "
                                   "cp.async.mbarrier.arrive but with .noinc",
                                   at->line);
    else if (at->joins[LEFT_PHASES - 1] > 0)
        at->refused = arena_format(arena,
                                   "threads that the launch leaves out arrive in more than %d "
                                   "phases of this mbarrier (line %u)",
                                   (int)LEFT_PHASES - 1, at->line);
    else if (most >= at->count)
        at->refused =
            arena_format(arena,
                         "threads that the launch leaves out may complete a phase of this mbarrier "
                         "alone, by %u arrivals of %u (line %u): name more of those that arrive",
                         most, at->count, at->line);
}

void left_phases_find(struct left_mbarriers *mbarriers, struct arena *arena, bool by_waits) {
    size_t objects = mbarriers->count;
    struct finder f = {mbarriers, arena, by_waits, NULL};
    if (objects == 0)
        return;
    f.known = ARENA_ARRAY(arena, unsigned char, objects *objects *LEFT_PHASES);
    start(&f);
    know_all(&f);
    for (struct left_thread *t = mbarriers->threads; t != NULL; t = t->next)
        for (size_t i = 0; i < t->count; i++)
            if (t->left_out && !t->steps[i].waits)
                join(mbarriers, &t->steps[i]);
    for (size_t i = 0; i < objects; i++)
        check(mbarriers, arena, &mbarriers->items[i]);
}
