// Where barriers may be put. A barrier that some thread of its group may miss, or pass more often
// than others, hangs or orders nothing: points in branches and loops are left out, and what else
// may hang is found by the run of each form.
#include "repair/places.h"

#include "litmus/source/arena.h"
#include "repair/forms.h"

#include <assert.h>
#include <string.h>

// A text that threads of a group run, and the points at which a barrier may be put in.
struct barrier_body {
    size_t thread; // the first one that runs it
    bool is_shared;
    struct change_point_at {
        struct span span; // of the statement that it precedes or follows
        size_t instruction;
        bool is_after;
    } * points;
    size_t point_count;
};

static struct span statement_of(const struct thread *thread, size_t index) {
    return source_in_file(thread->instructions[index].span);
}

static const struct thread *thread_of(const struct place_search *search, size_t index) {
    assert(index < search->test->thread_count);
    return &search->test->threads[index];
}

// --- Points ------------------------------------------------------------------------------------

// Whether some path of the thread passes by the point before an instruction, or passes it twice.
static bool is_crossed(const struct thread *thread, size_t index) {
    for (size_t i = 0; i < thread->instruction_count; i++) {
        if (!instruction_branches(&thread->instructions[i]))
            continue;
        size_t target = instruction_target(thread, &thread->instructions[i]);
        if (target > i ? i < index && index < target : target <= index && index <= i)
            return true;
    }
    return false;
}

static void add_point(const struct place_search *search, struct barrier_body *body,
                      struct change_point_at point) {
    if (point.span.source != search->changes->file || point.span.begin == point.span.end)
        return;
    ARENA_APPEND(search->arena, body->points, body->point_count, point);
}

static bool has_effect(const struct instruction *instruction) {
    return instruction_accesses(instruction) || instruction->barrier != BARRIER_NONE;
}

static struct change_point_at point_before(const struct thread *thread, size_t index) {
    return (struct change_point_at){.span = statement_of(thread, index), .instruction = index};
}

// The points before the instructions that access memory or meet others at a barrier, and the end.
// Of those in a branch or a loop, with `parted`, the point before that: no path leads past it.
static struct barrier_body body_of(const struct place_search *search, size_t t, bool parted) {
    const struct thread *thread = thread_of(search, t);
    struct barrier_body body = {.thread = t};
    size_t end = thread->instruction_count, spare = end; // the last point since such an instruction
    for (size_t i = 0; i < end; i++) {
        bool crossed = is_crossed(thread, i);
        if (!has_effect(&thread->instructions[i])) {
            spare = crossed ? spare : i;
            continue;
        }
        if (!crossed)
            add_point(search, &body, point_before(thread, i));
        else if (parted && spare < end)
            add_point(search, &body, point_before(thread, spare));
        spare = end;
    }
    bool leaves = end > 0 && instruction_exits(&thread->instructions[end - 1]);
    if (end > 0 && !is_crossed(thread, leaves ? end - 1 : end))
        add_point(search, &body,
                  (struct change_point_at){.span = statement_of(thread, end - 1),
                                           .instruction = end - 1,
                                           .is_after = !leaves});
    return body;
}

// --- Groups ------------------------------------------------------------------------------------

static bool is_in_group(const struct place *a, const struct place *b, bool cluster) {
    return cluster ? test_same_cluster(a, b) : test_same_cta(a, b);
}

// The body of the thread, if another thread runs the same text; NULL otherwise.
static struct barrier_body *known_body(const struct place_search *search,
                                       struct barrier_body *bodies, size_t count,
                                       const struct barrier_body *body) {
    for (size_t i = 0; i < count; i++)
        if (bodies[i].points[0].span.begin == body->points[0].span.begin &&
            thread_of(search, bodies[i].thread)->instruction_count ==
                thread_of(search, body->thread)->instruction_count)
            return &bodies[i];
    return NULL;
}

// The texts of the threads in the group of one; 0 where a thread has no point for a barrier, or no
// other one is in the group.
static size_t find_bodies(const struct place_search *search, size_t t, bool cluster, bool parted,
                          struct barrier_body *bodies) {
    const struct place *place = &thread_of(search, t)->place;
    size_t count = 0, members = 0;
    bool several_ctas = false;
    for (size_t other = 0; other < search->test->thread_count; other++) {
        const struct place *its = &thread_of(search, other)->place;
        if (!is_in_group(place, its, cluster))
            continue;
        if (other < t) // the group of that one
            return 0;
        struct barrier_body body = body_of(search, other, parted);
        if (body.point_count == 0)
            return 0;
        struct barrier_body *known = known_body(search, bodies, count, &body);
        members++;
        several_ctas = several_ctas || !test_same_cta(place, its);
        if (known != NULL)
            known->is_shared = true;
        else
            bodies[count++] = body;
    }
    return members > 1 && several_ctas == cluster ? count : 0;
}

static bool has_cluster_barrier(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            enum barrier_kind barrier = test->threads[t].instructions[i].barrier;
            if (barrier == BARRIER_CLUSTER_ARRIVE || barrier == BARRIER_CLUSTER_WAIT)
                return true;
        }
    return false;
}

int barriers_free_number(const struct test *test) {
    unsigned used = 0;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *instruction = &test->threads[t].instructions[i];
            if (instruction->barrier != BARRIER_SYNC && instruction->barrier != BARRIER_ARRIVE &&
                instruction->barrier != BARRIER_RED)
                continue;
            const struct operand *number =
                &instruction->operands[instruction->barrier == BARRIER_RED];
            if (number->kind != OPERAND_IMMEDIATE || number->immediate.high != 0 ||
                number->immediate.low > 15)
                return -1;
            used |= 1U << number->immediate.low;
        }
    for (int number = 0; number < 16; number++)
        if ((used & 1U << number) == 0)
            return number;
    return -1;
}

// --- Forms -------------------------------------------------------------------------------------

// One way to put the barrier in: a point of each text.
static void add_way(const struct place_search *search, struct change_place *place,
                    const struct barrier_body *bodies, const size_t *at, size_t count,
                    const char *const *texts, unsigned cost) {
    struct change_insert *edits = ARENA_ARRAY(search->arena, struct change_insert, 2 * count + 1);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct change_point_at *point = &bodies[i].points[at[i]];
        for (size_t k = 0; k < 2 && texts[k] != NULL; k++)
            edits[used++] =
                (struct change_insert){.where = point->is_after ? INSERT_AFTER : INSERT_BEFORE,
                                       .thread = (int)bodies[i].thread,
                                       .is_shared = bodies[i].is_shared,
                                       .instruction = point->instruction,
                                       .span = point->span,
                                       .text = texts[k]};
    }
    place_add_edits(search, place, (struct change_form){.cost = cost}, edits, used);
}

static bool next_way(const struct barrier_body *bodies, size_t count, size_t *at) {
    for (size_t i = 0; i < count; i++) {
        if (++at[i] < bodies[i].point_count)
            return true;
        at[i] = 0;
    }
    return false;
}

// A barrier comes before the guard of an instruction.
static struct change_place place_of(const struct place_search *search, size_t thread,
                                    size_t instruction) {
    struct change_place place = place_before(search, CHANGE_BARRIER, thread, instruction);
    place.span.begin = place.span.end = place.statement.begin;
    return place;
}

// How many ways there are to choose a point in each text, or more than BARRIER_FORMS_MAX.
static size_t ways_of(const struct barrier_body *bodies, size_t count) {
    size_t ways = 1;
    for (size_t i = 0; i < count && ways <= BARRIER_FORMS_MAX; i++)
        ways *= bodies[i].point_count;
    return ways;
}

static void add_group(struct place_search *search, size_t thread, bool cluster) {
    size_t threads = search->test->thread_count;
    struct barrier_body *bodies = ARENA_ARRAY(search->arena, struct barrier_body, threads + 1);
    size_t *at = ARENA_ARRAY(search->arena, size_t, threads + 1);
    size_t count = find_bodies(search, thread, cluster, true, bodies);
    if (ways_of(bodies, count) > BARRIER_FORMS_MAX) {
        search->changes->barriers_cut = true;
        count = find_bodies(search, thread, cluster, false, bodies);
    }
    int number = count > 0 ? barriers_free_number(search->test) : -1;
    if (count == 0 || (!cluster && number < 0))
        return;
    const char *texts[2] = {arena_format(search->arena, "bar.sync %d", number), NULL};
    if (cluster) {
        texts[0] = "barrier.cluster.arrive";
        texts[1] = "barrier.cluster.wait";
        if (has_cluster_barrier(search->test) || !forms_are_legal(texts[0], search->options))
            return;
    }
    if (ways_of(bodies, count) > BARRIER_FORMS_MAX)
        return;
    struct change_place place = place_of(search, thread, bodies[0].points[0].instruction);
    unsigned cost = cost_of_barrier(search->options->costs, cluster ? SCOPE_CLUSTER : SCOPE_CTA);
    do
        add_way(search, &place, bodies, at, count, texts, cost);
    while (next_way(bodies, count, at));
    place_add(search, &place);
}

// bar.arrive, whose thread goes on, may become bar.sync, whose thread waits.
static void add_arrival(struct place_search *search, size_t t, size_t index) {
    const struct instruction *instruction = &thread_of(search, t)->instructions[index];
    struct span span = source_in_file(instruction->opcode_span);
    if (instruction->barrier != BARRIER_ARRIVE || span.source != search->changes->file)
        return;
    const char *text = span_text(search->arena, span), *arrive = strstr(text, ".arrive");
    if (arrive == NULL)
        return;
    struct change_place place = place_of(search, t, index);
    const char *sync = arena_format(search->arena, "%.*s.sync%s", (int)(arrive - text), text,
                                    arrive + strlen(".arrive"));
    const struct change_insert edit = place_text_for(search, &place, span, sync);
    unsigned cost = cost_of_barrier(search->options->costs, SCOPE_CTA);
    place_add_edits(search, &place, (struct change_form){.cost = cost}, &edit, 1);
    place_add(search, &place);
}

void barriers_find(struct place_search *search) {
    for (size_t t = 0; t < search->test->thread_count; t++) {
        add_group(search, t, false);
        add_group(search, t, true);
        for (size_t i = 0; i < search->test->threads[t].instruction_count; i++)
            add_arrival(search, t, i);
    }
}
