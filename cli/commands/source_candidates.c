// For each kind of fault, what is usually missing or wrong: a barrier, a fence, a wait, a count.
#include "cli/commands/source_candidates.h"

#include "check/text/names.h"
#include "cli/input/cuda.h"
#include "cli/input/cuda_places.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <stdlib.h>
#include <string.h>

struct proposing {
    struct arena *arena;
    const struct source *text;
    const char *code; // the text without comments
    const struct source_fault *fault;
    struct source_candidates found;
};

// --- Edits ---------------------------------------------------------------------------------------

static int compare_edits(const void *left, const void *right) {
    const struct source_edit *a = left, *b = right;
    return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
                              : (a->at > b->at) - (a->at < b->at);
}

static void add(struct proposing *proposing, struct source_candidate candidate) {
    struct source_candidates *found = &proposing->found;
    qsort(candidate.edits, candidate.edit_count, sizeof *candidate.edits, compare_edits);
    found->items = arena_grow(proposing->arena, found->items, found->count, sizeof *found->items);
    found->items[found->count++] = candidate;
}

static void add_lines(struct proposing *proposing, struct cuda_places places, size_t most,
                      const char *words) {
    for (size_t i = 0; i < places.count && i < most; i++)
        add(proposing, (struct source_candidate){{{.line = places.lines[i], .words = words}}, 1});
}

static const char *part_of(const struct proposing *proposing, size_t at, size_t size) {
    return arena_strndup(proposing->arena, proposing->text->text + at, size);
}

// Another last argument for a call.
static void add_argument(struct proposing *proposing, const struct cuda_call *call,
                         const char *argument) {
    const char *was = part_of(proposing, call->argument, call->argument_size);
    if (strcmp(was, argument) == 0)
        return;
    const char *head = part_of(proposing, call->name, call->argument - call->name);
    struct source_edit edit = {.line = call->line,
                               .at = call->argument,
                               .size = call->argument_size,
                               .words = argument,
                               .was = arena_format(proposing->arena, "%s%s)", head, was),
                               .now = arena_format(proposing->arena, "%s%s)", head, argument)};
    add(proposing, (struct source_candidate){{edit}, 1});
}

// --- What is put in ------------------------------------------------------------------------------

static bool includes(const struct proposing *proposing, const char *header) {
    const char *at = strstr(proposing->text->text, header);
    return at && strstr(proposing->text->text, "#include") != NULL;
}

static const char *proxy_fence(const struct proposing *proposing) {
    bool is_global = proposing->fault->is_in_global;
    if (includes(proposing, "<cuda/ptx>")) {
        return is_global ? "cuda::ptx::fence_proxy_async(cuda::ptx::space_global);"
                         : "cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);";
    }
    return is_global ? "asm volatile(\"fence.proxy.async.global;\" ::: \"memory\");"
                     : "asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");";
}

static const char *cluster_barrier(const struct proposing *proposing) {
    return includes(proposing, "<cooperative_groups.h>")
               ? "cooperative_groups::this_cluster().sync();"
               : "__cluster_barrier_arrive(); __cluster_barrier_wait();";
}

// --- Kinds of changes ----------------------------------------------------------------------------

#define COUNT(names) (sizeof(names) / sizeof *(names))

// Waits for groups of copies that leave some under way: for all of them.
static void propose_group_waits(struct proposing *proposing) {
    static const char *const names[] = {"__pipeline_wait_prior", "cp_async_wait_group",
                                        "cp_async_bulk_wait_group",
                                        "cp_async_bulk_wait_group_read"};
    size_t count;
    const struct cuda_call *calls =
        cuda_calls(proposing->arena, proposing->code, names, COUNT(names), &count);
    for (size_t i = count; i-- > 0;) {
        const char *was = part_of(proposing, calls[i].argument, calls[i].argument_size);
        const char *open = strchr(was, '<'), *close = open ? strchr(open, '>') : NULL;
        add_argument(
            proposing, &calls[i],
            close ? arena_format(proposing->arena, "%.*s<0>%s", (int)(open - was), was, close + 1)
                  : "0");
    }
}

static const char *const parity_waits[] = {"mbarrier_try_wait_parity", "mbarrier_test_wait_parity",
                                           "__mbarrier_try_wait_parity",
                                           "__mbarrier_test_wait_parity"};

// Waits for a phase: for the other one.
static void propose_parities(struct proposing *proposing) {
    size_t count;
    const struct cuda_call *calls =
        cuda_calls(proposing->arena, proposing->code, parity_waits, COUNT(parity_waits), &count);
    for (size_t i = 0; i < count; i++) {
        const char *was = part_of(proposing, calls[i].argument, calls[i].argument_size);
        add_argument(proposing, &calls[i],
                     strcmp(was, "0") == 0   ? "1"
                     : strcmp(was, "1") == 0 ? "0"
                                             : arena_format(proposing->arena, "(%s) ^ 1", was));
    }
}

// A function of the file that waits for a phase of an mbarrier, by its name; NULL without one.
static const char *waiting_function(const struct proposing *proposing) {
    size_t count;
    const struct cuda_call *calls =
        cuda_calls(proposing->arena, proposing->code, parity_waits, COUNT(parity_waits), &count);
    return count > 0 ? cuda_place_function(proposing->arena, proposing->code, calls[0].line) : NULL;
}

// The line at which a copy begins: of the arrival just before it that expects its bytes, if there
// is one.
static unsigned first_line_of_copy(const struct proposing *proposing, unsigned copied) {
    enum { FARTHEST = 5 };
    static const char *const names[] = {"mbarrier_arrive_expect_tx", "mbarrier_expect_tx",
                                        "barrier_arrive_tx"};
    size_t count;
    const struct cuda_call *calls =
        cuda_calls(proposing->arena, proposing->code, names, COUNT(names), &count);
    for (size_t i = 0; i < count; i++)
        if (calls[i].line < copied && calls[i].line + FARTHEST >= copied)
            return calls[i].line;
    return copied;
}

// A copy into memory that others may still read: before it, a wait for their arrivals, in the words
// of the waits that there are, and after their reads, a fence. An mbarrier begins with a phase
// whose predecessor counts as complete, so that the other parity waits for nothing in the first
// round.
static void propose_phase_waits(struct proposing *proposing, unsigned own, unsigned copied) {
    static const char *const arrivals[] = {"mbarrier_arrive", "__mbarrier_arrive"};
    const char *wait = waiting_function(proposing);
    size_t wait_count = 0, arrival_count;
    const struct cuda_call *waits =
        wait ? cuda_calls(proposing->arena, proposing->code, &wait, 1, &wait_count) : NULL;
    const struct cuda_call *calls =
        cuda_calls(proposing->arena, proposing->code, arrivals, COUNT(arrivals), &arrival_count);
    const struct cuda_places after = cuda_places_after(proposing->code, own);
    for (size_t i = 0; i < arrival_count && wait_count > 0 && after.count > 0; i++) {
        const struct cuda_call *like = &waits[wait_count - 1];
        const char *words =
            arena_format(proposing->arena, "%s(%s, (%s) ^ 1);", wait,
                         part_of(proposing, calls[i].argument, calls[i].argument_size),
                         part_of(proposing, like->argument, like->argument_size));
        const struct source_edit before = {.line = first_line_of_copy(proposing, copied),
                                           .words = words};
        const struct source_edit fence = {.line = after.lines[0], .words = proxy_fence(proposing)};
        add(proposing, (struct source_candidate){{before}, 1});
        add(proposing, (struct source_candidate){{before, fence}, 2});
    }
}

// A tensormap that is changed, and a copy by it: fences of its proxy after the one and before the
// other.
static void propose_map_fences(struct proposing *proposing) {
    static const char *const names[] = {
        "tensormap_replace_global_address", "tensormap_replace_global_dim",
        "tensormap_replace_global_stride",  "tensormap_replace_box_dim",
        "tensormap_replace_element_size",   "tensormap_replace_rank",
        "tensormap_replace_elemtype",       "tensormap_replace_fill_mode"};
    const struct source_fault *fault = proposing->fault;
    const char *scope = fault->is_of_block ? "cta" : "gpu";
    unsigned changed = fault->lines[fault->is_async[0] ? 1 : 0];
    unsigned copied = fault->lines[fault->is_async[0] ? 0 : 1];
    size_t count;
    const struct cuda_call *calls =
        cuda_calls(proposing->arena, proposing->code, names, COUNT(names), &count);
    const struct cuda_places after = cuda_places_after(proposing->code, changed);
    for (size_t i = 0; i < count && after.count > 0; i++) {
        const char *map = cuda_call_argument(proposing->arena, proposing->code, &calls[i], 1);
        if (calls[i].line != changed || !map)
            continue;
        const char *release = arena_format(proposing->arena,
                                           "cuda::ptx::fence_proxy_tensormap_generic("
                                           "cuda::ptx::sem_release, cuda::ptx::scope_%s);",
                                           scope);
        const char *acquire =
            arena_format(proposing->arena,
                         "cuda::ptx::fence_proxy_tensormap_generic(cuda::ptx::sem_acquire, "
                         "cuda::ptx::scope_%s, %s, cuda::ptx::n32_t<128>());",
                         scope, map);
        add(proposing, (struct source_candidate){
                           {{.line = after.lines[0], .words = release},
                            {.line = first_line_of_copy(proposing, copied), .words = acquire}},
                           2});
    }
}

// How many arrive in a phase of an mbarrier: all threads of the block, one, and some less likely
// numbers.
static void propose_counts(struct proposing *proposing) {
    static const char *const names[] = {"mbarrier_init", "__mbarrier_init", "init"};
    static const char *const arrivals[] = {"blockDim.x", "1", "blockDim.x + 1", "blockDim.x - 1",
                                           "blockDim.x / 32"};
    size_t count;
    const struct cuda_call *calls =
        cuda_calls(proposing->arena, proposing->code, names, COUNT(names), &count);
    for (size_t k = 0; k < COUNT(arrivals); k++)
        for (size_t i = 0; i < count; i++)
            add_argument(proposing, &calls[i], arrivals[k]);
}

// A fence between what a thread does itself and an asynchronous operation, and where the threads do
// not wait for each other, a barrier after it.
static void propose_proxy_fences(struct proposing *proposing, unsigned own, unsigned copied) {
    const char *fence = proxy_fence(proposing);
    const struct cuda_places after = cuda_places_after(proposing->code, own);
    add_lines(proposing, after, 2, fence);
    add_lines(proposing, cuda_places_before(proposing->code, copied), 1, fence);
    add_lines(proposing, after, 2, arena_format(proposing->arena, "%s __syncthreads();", fence));
}

// A barrier before the second access, after it, and before the first one.
static void propose_barriers(struct proposing *proposing, const char *barrier) {
    enum { BEFORE = 2, AFTER = 3 };
    const unsigned *lines = proposing->fault->lines;
    add_lines(proposing, cuda_places_before(proposing->code, lines[1]), BEFORE, barrier);
    add_lines(proposing, cuda_places_after(proposing->code, lines[1]), AFTER, barrier);
    if (lines[0] != lines[1])
        add_lines(proposing, cuda_places_before(proposing->code, lines[0]), BEFORE, barrier);
}

static void propose_grid_waits(struct proposing *proposing) {
    enum { BEFORE = 2 };
    for (unsigned i = 2; i-- > 0;) {
        add_lines(proposing, cuda_places_before(proposing->code, proposing->fault->lines[i]),
                  BEFORE, "cudaGridDependencySynchronize();");
    }
}

// Objects for the threads of a block: for those of the device.
static void propose_scopes(struct proposing *proposing) {
    static const char narrow[] = "thread_scope_block", wide[] = "thread_scope_device";
    struct source_candidate candidate = {.edit_count = 0};
    unsigned line = 1;
    for (const char *at = proposing->code; *at; at++) {
        line += *at == '\n';
        if (strncmp(at, narrow, sizeof narrow - 1) != 0)
            continue;
        if (candidate.edit_count == SOURCE_EDITS_MAX)
            return;
        candidate.edits[candidate.edit_count++] =
            (struct source_edit){.line = line,
                                 .at = (size_t)(at - proposing->code),
                                 .size = sizeof narrow - 1,
                                 .words = wide,
                                 .was = narrow,
                                 .now = wide};
    }
    if (candidate.edit_count > 0)
        add(proposing, candidate);
}

// --- Kinds of faults -----------------------------------------------------------------------------

static void propose_for_copies(struct proposing *proposing) {
    const struct source_fault *fault = proposing->fault;
    unsigned own = fault->lines[fault->is_async[0] ? 1 : 0];
    unsigned copied = fault->lines[fault->is_async[0] ? 0 : 1];
    propose_group_waits(proposing);
    if (!fault->is_async[0]) // stored, and then copied
        propose_proxy_fences(proposing, own, copied);
    propose_parities(proposing);
    if (fault->is_async[0]) // copied, and then read
        propose_phase_waits(proposing, own, copied);
    if (fault->is_of_block) {
        add_lines(proposing, cuda_places_before(proposing->code, own), 2, "__syncthreads();");
        add_lines(proposing, cuda_places_after(proposing->code, own), 2, "__syncthreads();");
    }
    if (fault->is_async[0])
        propose_proxy_fences(proposing, own, copied);
}

static void propose_for_race(struct proposing *proposing) {
    const struct source_fault *fault = proposing->fault;
    if (fault->lines[0] == 0 || fault->lines[1] == 0)
        return;
    if (fault->is_of_grids) {
        propose_grid_waits(proposing);
    } else if (fault->is_of_map) {
        propose_map_fences(proposing);
    } else if (fault->is_async[0] || fault->is_async[1]) {
        propose_for_copies(proposing);
    } else if (fault->is_of_block) {
        propose_barriers(proposing, "__syncthreads();");
        propose_barriers(proposing, "__syncwarp();");
    } else {
        propose_scopes(proposing);
    }
}

struct source_candidates source_candidates_of(struct arena *arena, const struct source *text,
                                              const struct source_fault *fault) {
    struct proposing proposing = {.arena = arena,
                                  .text = text,
                                  .code = cuda_without_comments(arena, text->text),
                                  .fault = fault};
    if (fault->is_of_exited && fault->lines[0] > 0) {
        add_lines(&proposing, cuda_places_after(proposing.code, fault->lines[0]), 3,
                  cluster_barrier(&proposing));
    } else if (fault->is_race) {
        propose_for_race(&proposing);
    }
    if (fault->is_of_mbarrier) {
        propose_counts(&proposing);
        propose_parities(&proposing);
    }
    return proposing.found;
}

// --- Text ----------------------------------------------------------------------------------------

const char *source_candidate_text(struct arena *arena, const struct source *text,
                                  const struct source_candidate *candidate) {
    const char *changed = arena_format(arena, "#line 1 \"%s\"\n", text->path);
    size_t done = 0;
    for (size_t i = 0; i < candidate->edit_count; i++) {
        const struct source_edit *edit = &candidate->edits[i];
        size_t at = edit->size > 0 ? edit->at : text->line_starts[edit->line - 1];
        const char *before = arena_strndup(arena, text->text + done, at - done);
        changed = edit->size > 0 ? arena_format(arena, "%s%s%s", changed, before, edit->words)
                                 : arena_format(arena, "%s%s%s\n#line %u \"%s\"\n", changed, before,
                                                edit->words, edit->line, text->path);
        done = at + edit->size;
    }
    return arena_format(arena, "%s%s", changed, text->text + done);
}

const char *source_edit_text(struct arena *arena, const struct source *text,
                             const struct source_edit *edit) {
    const char *slash = strrchr(text->path, '/');
    const char *name = escaped(arena, slash ? slash + 1 : text->path);
    return edit->size > 0
               ? arena_format(arena, "%s:%u: %s for %s", name, edit->line,
                              escaped(arena, edit->now), escaped(arena, edit->was))
               : arena_format(arena, "%s:%u: %s before it", name, edit->line, edit->words);
}
