// The words of CUDA C++ for changes of PTX, where it has any.
#include "cli/print/mending.h"

#include "cli/print/findings.h"
#include "cli/print/source_line.h"
#include "cli/report/added.h"
#include "check/report/races.h"
#include "check/text/json.h"
#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <string.h>

static const char *order_word(enum access_order order) {
    switch (order) {
    case ORDER_RELAXED: return "memory_order_relaxed";
    case ORDER_ACQUIRE: return "memory_order_acquire";
    case ORDER_RELEASE: return "memory_order_release";
    case ORDER_ACQ_REL: return "memory_order_acq_rel";
    case ORDER_SC: return "memory_order_seq_cst";
    default: return NULL;
    }
}

static const char *scope_word(enum scope scope) {
    switch (scope) {
    case SCOPE_CTA: return "thread_scope_block";
    case SCOPE_GPU: return "thread_scope_device";
    case SCOPE_SYS: return "thread_scope_system";
    default: return NULL;
    }
}

// The instruction of a place or an edit; NULL at a thread's end.
static const struct instruction *instruction_at(const struct changes *changes, int thread,
                                                size_t instruction) {
    const struct thread *t = &changes->test->threads[thread];
    return instruction < t->instruction_count ? &t->instructions[instruction] : NULL;
}

// "flag.cu:10"
static const char *place_at(struct arena *arena, const struct report *report,
                            const struct changes *changes, int thread, size_t instruction) {
    const struct instruction *at = instruction_at(changes, thread, instruction);
    return at ? race_line_text(arena, report, at) : "the end";
}

// An order that the source's line names, and no scope, changes: that one word.
static const char *access_words(struct arena *arena, const struct report *report,
                                const struct changes *changes, const struct change_place *place,
                                const struct change_form *now) {
    const struct change_form *was = &place->forms[place->written];
    const struct instruction *at = instruction_at(changes, place->thread, place->instruction);
    const char *line = at ? source_line_text(arena, report, at) : NULL;
    const char *from = order_word(was->order), *to = order_word(now->order);
    if (!line || !from || !to || now->scope != was->scope || !strstr(line, from))
        return NULL;
    return arena_format(arena, "%s for %s", to, from);
}

static const char *fence_words(struct arena *arena, const struct change_form *now) {
    const char *order = order_word(now->order), *scope = scope_word(now->scope);
    return order && scope
               ? arena_format(arena, "cuda::atomic_thread_fence(cuda::%s, cuda::%s); before it",
                              order, scope)
               : NULL;
}

static const char *insert_words(struct arena *arena, const struct report *report,
                                const struct changes *changes, const struct change_insert *insert) {
    if (strncmp(insert->text, "bar.sync", 8) != 0 || insert->where == INSERT_FOR)
        return NULL;
    return arena_format(arena, "%s: __syncthreads(); %s it",
                        place_at(arena, report, changes, insert->thread, insert->instruction),
                        insert->where == INSERT_BEFORE ? "before" : "after");
}

// In the words of CUDA C++, or NULL.
static const char *cuda_words(struct arena *arena, const struct report *report,
                              const struct changes *changes, size_t index, size_t form) {
    const struct change_place *place = &changes->places[index];
    const struct change_form *now = &place->forms[form];
    const char *words = NULL;
    switch (place->kind) {
    case CHANGE_ACCESS:
    case CHANGE_FENCE: words = access_words(arena, report, changes, place, now); break;
    case CHANGE_NEW_FENCE: words = fence_words(arena, now); break;
    case CHANGE_BARRIER:
        return now->insert_count == 1 ? insert_words(arena, report, changes, &now->inserts[0])
                                      : NULL;
    default: break;
    }
    return words ? arena_format(arena, "%s: %s",
                                place_at(arena, report, changes, place->thread, place->instruction),
                                words)
                 : NULL;
}

static const char *const *mending_words(struct arena *arena, const struct report *report,
                                        const struct mend *mend, size_t *count) {
    const struct changes *changes = mend->changes;
    const char **words = ARENA_ARRAY(arena, const char *, changes->count + 1);
    *count = 0;
    for (size_t i = 0; i < changes->count; i++) {
        size_t form = mend->choice[i];
        if (form == mend->first[i])
            continue;
        const char *cuda =
            report_is_of_cuda(report) ? cuda_words(arena, report, changes, i, form) : NULL;
        words[(*count)++] = cuda ? cuda : escaped(arena, change_describe(arena, changes, i, form));
    }
    return words;
}

// What a fix changes, `*count` texts; none where there is no fix.
static const char *const *fix_words(struct arena *arena, const struct report *report,
                                    size_t *count) {
    const struct mending *mending = report->added->mending;
    const struct mend *mend = mending->mend;
    *count = mending->source ? mending->source->count : 0;
    return mending->source                     ? mending->source->words
           : mend && mend->state == MEND_FOUND ? mending_words(arena, report, mend, count)
                                               : NULL;
}

const char *fix_text(struct arena *arena, const struct report *report) {
    size_t count = 0;
    const char *text = NULL;
    const char *const *words = report->added->mending ? fix_words(arena, report, &count) : NULL;
    for (size_t i = 0; words && i < count; i++)
        text = arena_format(arena, "%s%s", text ? arena_format(arena, "%s; ", text) : "", words[i]);
    return text;
}

// How many threads were run or searched, where that is not what found the fault: " by running all
// 128 threads"
static const char *confirmed_how(struct arena *arena, const struct mending *mending) {
    bool is_run = !mending->source && mending->mend && mending->mend->is_run;
    size_t all = mending->source ? mending->source->threads : is_run ? mending->run_threads : 0;
    return all > 0 ? arena_format(arena, " by running all %zu threads", all)
           : mending->searched_threads > 0
               ? arena_format(arena,
                              is_run ? " by running %zu threads" : " by a search of %zu threads",
                              mending->searched_threads)
               : "";
}

void fix_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct mending *mending = report->added->mending;
    size_t count;
    if (!mending)
        return;
    const char *const *words = fix_words(arena, report, &count);
    if (!words) {
        fprintf(out, "  %-*s  %s\n", FINDING_LABEL, "fix",
                mending->mend->state == MEND_NONE
                    ? "none found by making orders and scopes stronger, or by putting in fences, "
                      "barriers or waits"
                    : arena_format(arena, "none found within %g s", mending->seconds));
        return;
    }
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  %-*s  %s\n", FINDING_LABEL, i == 0 ? "fix" : "", words[i]);
    fprintf(out, "  %-*s  confirmed%s: with %s, free of data races, hangs and undefined uses\n",
            FINDING_LABEL, "", confirmed_how(arena, mending), count == 1 ? "it" : "these");
    if (!mending->source && mend_strengthens_weak(mending->mend)) {
        fprintf(out,
                "  %-*s  such accesses do not race, but nothing orders them: what they read "
                "may be old\n",
                FINDING_LABEL, "");
    }
}

json_t *fix_json(struct arena *arena, const struct report *report) {
    size_t count;
    const char *const *words = fix_words(arena, report, &count);
    const struct mend *mend = report->added->mending->mend;
    bool is_stopped = mend && mend->state == MEND_STOPPED;
    json_t *changes = json_array();
    for (size_t i = 0; i < count; i++)
        json_item(changes, text_json(arena, words[i]));
    return json_of("{s:o, s:o}", "found",
                   words        ? json_true()
                   : is_stopped ? json_null()
                                : json_false(),
                   "changes", changes);
}
