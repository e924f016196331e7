// Reasons: one execution with the outcome, in the test that is weaker by one form, tells what keeps
// it out of the one that is not.
#include "repair/work.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "repair/strength.h"

#include <assert.h>
#include <string.h>

// --- Why it does -------------------------------------------------------------------------------

struct reason_search {
    struct change_work *work;
    const size_t *choice;
    const char *sentence;
};

// "P0's st.release.gpu (line 8)"; of a fence that is new, the line that it precedes.
static const char *event_words(const struct reason_search *search, unsigned e) {
    const struct change_work *work = search->work;
    const struct change_variants *variants = variants_with(work->variants, search->choice);
    assert(variants != NULL);
    assert(e < variants->program->event_count);
    const struct event *event = &variants->program->events[e];
    unsigned number = work->test->threads[event->thread].number;
    if (variants->places[e] < 0) {
        struct span span = event->instruction->opcode_span;
        return arena_format(work->arena, "P%u's '%.*s'", number, (int)(span.end - span.begin),
                            span.source->text + span.begin);
    }
    const struct change_place *place = &work->changes->places[variants->places[e]];
    const char *text = place->forms[search->choice[variants->places[e]]].text;
    unsigned line = source_position(work->changes->file, place->span.begin).line;
    bool is_new = place->kind == CHANGE_NEW_FENCE || place->kind == CHANGE_NEW_PROXY_FENCE;
    return arena_format(work->arena, "P%u's '%s' (%s%u)", number, text,
                        is_new ? "before line " : "line ", line);
}

static const char *axiom_words(struct arena *arena, const struct model_axiom *axiom) {
    static const struct {
        const char *name, *words;
    } known[] = {
        {"Causality", "a read would have to miss, or foresee, a write that is ordered with it"},
        {"Fence-SC", "the order of the fence.sc would contradict what happens before what"},
        {"SC-per-Location",
         "morally strong accesses of one location would contradict program order"},
        {"Coherence", "a write would have to precede one that happens before it"},
        {"Coherence-ms", "morally strong writes of one location would have no order"},
        {"Atomicity", "a morally strong write would come between the two halves of an atomic"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, axiom->name) == 0)
            return arena_format(arena, "%s (axiom %s)", known[i].words, axiom->name);
    return arena_format(arena, "the axiom %s excludes it", axiom->name);
}

static void compare(void *context, struct held_execution *found) {
    struct reason_search *search = context;
    struct change_work *work = search->work;
    const struct program *changed = variants_program(work->arena, work->variants, search->choice);
    struct found_break broken = found_compare(found, changed, "sync", work->arena);
    if (broken.axiom == NULL)
        return;
    const char *axiom = axiom_words(work->arena, broken.axiom);
    search->sentence =
        broken.pair_count == 0
            ? arena_format(work->arena, "with the outcome, %s", axiom)
            : arena_format(work->arena, "%s now synchronises with %s: with the outcome, %s",
                           event_words(search, broken.pairs[0][0]),
                           event_words(search, broken.pairs[0][1]), axiom);
}

// A choice that is weaker by one form in one place, with the same barriers; false when there is
// none.
static bool weaker(const struct change_work *work, const size_t *choice, size_t *other) {
    memcpy(other, choice, work->changes->count * sizeof *other);
    for (size_t i = 0; i < work->changes->count; i++) {
        const struct change_form *forms = work->changes->places[i].forms;
        bool leaves = choice[i] == work->first[i] ||
                      change_is_apart(&work->changes->places[i]); // events of its own
        for (size_t f = choice[i]; !leaves && f-- > 0;)
            if (change_covers(&forms[choice[i]], &forms[f]) &&
                change_covers(&forms[f], &forms[work->first[i]])) {
                other[i] = f;
                return true;
            }
    }
    return false;
}

// Of a choice that puts in barriers, or makes waits stronger, and nothing else.
static const char *reason_of_apart(const struct change_work *work, const size_t *choice) {
    for (size_t i = 0; i < work->changes->count; i++) {
        const struct change_place *place = &work->changes->places[i];
        const struct change_form *form = &place->forms[choice[i]];
        if (choice[i] == work->first[i] || !change_is_apart(place))
            continue;
        if (place->kind == CHANGE_BARRIER)
            return "what a thread does before the barrier happens before what the others do after "
                   "it";
        return form->is_full ? "what the operations write is written before what follows the wait"
               : form->groups > 0
                   ? "the operations of the groups are complete before what follows the wait"
               : strncmp(form->text, "griddepcontrol", 14) == 0
                   ? "the grid before is complete before what follows the wait"
                   : "what precedes the wgmma.fence comes before what the products read";
    }
    return NULL;
}

const char *reason_of_remedy(struct change_work *work, const size_t *choice) {
    struct reason_search search = {work, choice, NULL};
    size_t *other = ARENA_ARRAY(work->arena, size_t, work->changes->count + 1);
    if (work->options->goal != REPAIR_FORBID)
        return NULL;
    if (!weaker(work, choice, other))
        return reason_of_apart(work, choice);
    work_find(work, work->arena, variants_program(work->arena, work->variants, other),
              work->options->model, &work->questions[0], compare, &search);
    return search.sentence;
}

// --- Why none does -----------------------------------------------------------------------------

static bool has_vector(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (instruction_accesses(&test->threads[t].instructions[i]) &&
                test->threads[t].instructions[i].vector > 1)
                return true;
    return false;
}

// Whether two accesses of different threads overlap in part.
static bool overlap_in_part(const struct event *a, const struct event *b) {
    for (size_t i = 0; i < a->candidate_count; i++)
        for (size_t k = 0; k < b->candidate_count; k++) {
            const struct candidate *p = &a->candidates[i], *q = &b->candidates[k];
            bool meet = p->object == q->object && p->offset < q->offset + b->size &&
                        q->offset < p->offset + a->size;
            if (meet && (p->offset != q->offset || a->size != b->size))
                return true;
        }
    return false;
}

static bool has_mixed_sizes(const struct program *program) {
    for (size_t a = 0; a < program->event_count; a++)
        for (size_t b = 0; b < a; b++) {
            const struct event *x = &program->events[a], *y = &program->events[b];
            if (event_is_access(x) && event_is_access(y) && x->thread != y->thread &&
                overlap_in_part(x, y))
                return true;
        }
    return false;
}

static bool has_wide(const struct program *program) {
    for (size_t e = 0; e < program->event_count; e++)
        if (event_is_wide(&program->events[e]))
            return true;
    return false;
}

// Whether the outcome is there when all threads take turns, one instruction at a time.
static bool is_sequential(struct change_work *work) {
    static const char *const further[] = {"sc.cat"};
    const struct model_options model_options = {.further = further, .further_count = 1};
    struct diagnostics ignored;
    diagnostics_init(&ignored, work->arena);
    const struct model *model = model_load_with(work->arena, "ptx-9.1", &model_options, &ignored);
    return model != NULL && work->options->goal == REPAIR_FORBID && !work_is_over(work) &&
           work_find(work, work->arena, work->repair->before, model, &work->questions[0], NULL,
                     NULL) == TRUTH_YES;
}

// What is at fault where a flag leaves the test undefined; NULL where none does.
static const char *undefined_words(const struct outcomes *outcomes) {
    static const struct {
        const char *flag, *words;
    } known[] = {
        {"async-undefined",
         "memory of an asynchronous operation is used before it is known to be complete, which PTX "
         "leaves undefined (flag async-undefined): it takes a wait for its mbarrier or its group, "
         "or, before its issue, one for those who still use the memory"},
        {"mbarrier-misuse",
         "an mbarrier is used in a way that PTX leaves undefined (flag mbarrier-misuse), which no "
         "order, scope or fence mends"},
        {"wgmma-misuse",
         "registers of a product of matrices are used before it is complete, which PTX leaves "
         "undefined (flag wgmma-misuse): it takes a wgmma.wait_group"},
        {"cancel-misuse",
         "a launch is to be cancelled after the CTA has observed that this failed, which is "
         "undefined (flag cancel-misuse): it takes a branch on the answer"},
        {"readonly-written",
         "memory is written that a kernel loads with .nc or .proxy::readonly, which is undefined "
         "(flag readonly-written): it takes an ordinary load"},
        {"exited-cta",
         "the shared memory of a CTA that may have exited is accessed, which is undefined (flag "
         "exited-cta): it takes a barrier of the cluster before that CTA exits"},
        {"async-unwaited",
         "a CTA may end while an asynchronous operation of its own uses its shared memory, which "
         "is "
         "undefined (flag async-unwaited): it takes a wait for its group (.read where memory is "
         "only read) or for its mbarrier before the CTA ends"},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (size_t i = 0; i < outcomes->flag_count; i++)
            if (outcomes->flags[i].kind == FLAG_MODEL && outcomes->flags[i].holds == TRUTH_YES &&
                outcomes->flags[i].undefined && strcmp(outcomes->flags[i].name, known[k].flag) == 0)
                return known[k].words;
    return NULL;
}

// Whether an instruction starts an operation that is complete when a wait says so: tcgen05 ones
// have more ways.
static bool starts_copy(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_STARTS) && !instruction_is_tensor(instruction);
}

// What it takes where the threads may take turns and have the outcome all the same.
static const char *sequential_words(const struct test *test) {
    for (size_t i = 0; i < test->grid_order_count; i++)
        if (test->grid_orders[i].is_programmatic)
            return "the outcome is there even when the threads take turns, one instruction at a "
                   "time, so no order, scope or fence is at fault: what a grid needs of the one "
                   "that it depends on comes after its griddepcontrol.wait";
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (starts_copy(&test->threads[t].instructions[i]))
                return "the outcome is there even when the threads take turns, one instruction at "
                       "a time, and each asynchronous operation takes effect between its issue and "
                       "its completion, so no order, scope or fence is at fault: it takes a wait "
                       "for the operation, a barrier, a lock, or another flag";
    return "the outcome is there even when the threads take turns, one instruction at a time, so "
           "no order, scope or fence is at fault: it takes a barrier, a lock, or another flag";
}

const char *reason_of_none(struct change_work *work) {
    const struct program *program = work->variants->program;
    if (has_mixed_sizes(program))
        return "accesses of different sizes overlap, and no order or scope makes them morally "
               "strong: give them one size";
    if (has_wide(program))
        return "the model gives no guarantees for accesses of 128 bits: use smaller ones";
    const char *undefined = undefined_words(work->repair->outcomes);
    if (undefined != NULL)
        return undefined;
    if (has_vector(work->test))
        return "the elements of a vector access have no order among them, and nothing can come "
               "between them: use several accesses, or one that is wide enough";
    if (is_sequential(work))
        return sequential_words(work->test);
    if (work->changes->count == 0)
        return "the test has no access, fence or point between two that could be stronger";
    return "even with every order and scope at its strongest and fences everywhere, nothing that "
           "the threads read orders their accesses";
}
