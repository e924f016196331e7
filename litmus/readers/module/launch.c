// The launch of a kernel: its shape, what the kernel itself says of that, and its threads.
#include "litmus/readers/module/launch.h"

#include "litmus/source/arena.h"

#include <string.h>

enum { THREAD_NUMBERS = 1024 }; // that a block may have

static uint64_t volume(const unsigned extent[3]) {
    return (uint64_t)extent[0] * extent[1] * extent[2];
}

// --- The line ----------------------------------------------------------------------------------

// extent = integer ("," integer ("," integer)?)?
static bool parse_extent(struct frame *frame, unsigned extent[3]) {
    enum { EXTENT_MAX = 65535 };
    extent[0] = extent[1] = extent[2] = 1;
    for (unsigned i = 0; i < 3; i++) {
        struct span span = frame_current(frame)->span;
        if (!frame_parse_unsigned(frame, "a number", &extent[i]))
            return false;
        if (extent[i] < 1 || extent[i] > EXTENT_MAX)
            return diag_error(frame->diagnostics, span, "an extent is a number from 1 to %d",
                              EXTENT_MAX);
        if (i == 2 || !frame_accept_punct(frame, ','))
            return true;
    }
    return true;
}

static bool parse_kernel(struct frame *frame, const struct module *module,
                         struct module_launch *launch) {
    const struct token *token = frame_current(frame);
    size_t count;
    if (token->kind != TOKEN_WORD && token->kind != TOKEN_STRING)
        return frame_error_expected(frame, "the name of a kernel");
    frame_next(frame);
    const char *name = token_unquoted(frame->arena, token);
    launch->kernel = module_kernel(frame->arena, module, name, &count);
    if (launch->kernel && launch->kernel->body)
        return true;
    if (launch->kernel)
        diag_error(frame->diagnostics, token->span, "kernel '%.60s' has no body in this module",
                   name);
    else if (count > 0)
        diag_error(frame->diagnostics, token->span, "%zu kernels of this module are called '%.60s'",
                   count, name);
    else
        diag_error(frame->diagnostics, token->span, "there is no kernel '%.60s' in this module",
                   name);
    diag_hint(frame->diagnostics, "'ptxlitmus inspect' shows the kernels and their mangled names");
    return false;
}

// Whether an option of the launch is next, for the first time.
static bool accept_option(struct frame *frame, const char *name, bool *seen, bool *fine) {
    const struct token *token = frame_current(frame);
    if (!token_is(token, name))
        return false;
    if (*seen)
        *fine = diag_error(frame->diagnostics, token->span, "'%s' is given twice", name);
    *seen = true;
    frame_next(frame);
    return true;
}

// numbers = "auto" | integer ("," integer)*, as set of them
static bool parse_threads(struct frame *frame, struct module_launch *launch) {
    if (token_is(frame_current(frame), "auto")) {
        frame_next(frame);
        launch->shape->chooses = true;
        return true;
    }
    bool *chosen = ARENA_ARRAY(frame->arena, bool, THREAD_NUMBERS);
    unsigned *numbers, number;
    size_t count = 0;
    do {
        struct span span = frame_current(frame)->span;
        if (!frame_parse_unsigned(frame, "the number of a thread", &number))
            return false;
        if (number >= THREAD_NUMBERS || chosen[number])
            return diag_error(frame->diagnostics, span,
                              number < THREAD_NUMBERS ? "thread %u is given twice"
                                                      : "no block has a thread %u",
                              number);
        chosen[number] = true;
        count++;
    } while (frame_accept_punct(frame, ','));
    numbers = ARENA_ARRAY(frame->arena, unsigned, count);
    launch->shape->modelled = numbers;
    launch->shape->modelled_count = count;
    launch->threads_span = frame_after_previous(frame);
    for (number = 0; number < THREAD_NUMBERS; number++)
        if (chosen[number])
            *numbers++ = number;
    return true;
}

static bool parse_options(struct frame *frame, struct module_launch *launch) {
    bool grid = false, block = false, cluster = false, gpu = false, threads = false, fine = true;
    while (fine && frame_current(frame)->kind != TOKEN_END && !frame_accept_punct(frame, ';')) {
        if (accept_option(frame, "grid", &grid, &fine))
            fine = fine && parse_extent(frame, launch->shape->grid);
        else if (accept_option(frame, "block", &block, &fine))
            fine = fine && parse_extent(frame, launch->shape->block);
        else if (accept_option(frame, "cluster", &cluster, &fine))
            fine = fine && parse_extent(frame, launch->shape->cluster);
        else if (accept_option(frame, "gpu", &gpu, &fine))
            fine = fine && frame_parse_unsigned(frame, "the number of a GPU", &launch->gpu);
        else if (accept_option(frame, "threads", &threads, &fine))
            fine = fine && parse_threads(frame, launch);
        else if (!accept_option(frame, "programmatic", &launch->is_programmatic, &fine))
            fine = frame_error_expected(
                frame, "'grid', 'block', 'cluster', 'gpu', 'threads' or 'programmatic'");
    }
    launch->shape->has_clusters = cluster;
    launch->shape->kernel = module_bare_name(frame->arena, launch->kernel);
    return fine;
}

// --- What the kernel says ----------------------------------------------------------------------

static bool same_extent(const unsigned a[3], const unsigned b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool error_attribute(struct frame *frame, const struct module_launch *launch,
                            const char *name, const unsigned numbers[3], const char *what,
                            const unsigned given[3]) {
    return diag_error(frame->diagnostics, launch->span,
                      "the kernel says '%s %u, %u, %u', and this launch has %s of %u, %u, %u", name,
                      numbers[0], numbers[1], numbers[2], what, given[0], given[1], given[2]);
}

static bool check_attributes(struct frame *frame, struct module_launch *launch) {
    struct launch *shape = launch->shape;
    unsigned numbers[3];
    if (module_attribute(launch->kernel, ".reqntid", numbers) &&
        !same_extent(numbers, shape->block))
        return error_attribute(frame, launch, ".reqntid", numbers, "blocks", shape->block);
    if (module_attribute(launch->kernel, ".maxntid", numbers) &&
        volume(shape->block) > volume(numbers))
        return error_attribute(frame, launch, ".maxntid", numbers, "blocks", shape->block);
    if (module_attribute(launch->kernel, ".reqnctapercluster", numbers)) {
        if (!shape->has_clusters)
            memcpy(shape->cluster, numbers, sizeof numbers);
        shape->has_clusters = true;
        if (!same_extent(numbers, shape->cluster))
            return error_attribute(frame, launch, ".reqnctapercluster", numbers, "clusters",
                                   shape->cluster);
    }
    if (module_attribute(launch->kernel, ".maxclusterrank", numbers) &&
        volume(shape->cluster) > numbers[0])
        return diag_error(frame->diagnostics, launch->span,
                          "the kernel says '.maxclusterrank %u', and this launch has clusters "
                          "of %u CTAs",
                          numbers[0], (unsigned)volume(shape->cluster));
    if (module_attribute(launch->kernel, ".explicitcluster", numbers) && !shape->has_clusters)
        return diag_error(frame->diagnostics, launch->span,
                          "the kernel says '.explicitcluster', and this launch has no clusters");
    if (!module_attribute(launch->kernel, ".blocksareclusters", numbers))
        return true;
    return diag_error(frame->diagnostics, launch->span,
                      "'.blocksareclusters' of this kernel is not read");
}

static bool check_programmatic(struct frame *frame, const struct module_launch *launch) {
    if (!launch->is_programmatic || launch->follows)
        return true;
    diag_error(frame->diagnostics, launch->span,
               "'programmatic' is of a kernel that depends on the launch before it");
    diag_hint(frame->diagnostics, "'then kernel NAME programmatic' launches one");
    return false;
}

static uint64_t modelled_threads(const struct launch *shape) {
    return shape->modelled ? shape->modelled_count : volume(shape->block);
}

static bool check_shape(struct frame *frame, const struct module_launch *launch) {
    struct launch *shape = launch->shape;
    if (volume(shape->block) > THREAD_NUMBERS)
        return diag_error(frame->diagnostics, launch->span,
                          "a block of %u, %u, %u has %llu threads, and a GPU runs at most %d",
                          shape->block[0], shape->block[1], shape->block[2],
                          (unsigned long long)volume(shape->block), THREAD_NUMBERS);
    uint64_t threads = volume(shape->grid) * modelled_threads(shape);
    for (unsigned i = 0; i < 3; i++) {
        if (shape->grid[i] % shape->cluster[i] == 0)
            continue;
        return diag_error(frame->diagnostics, launch->span,
                          "a grid of %u, %u, %u CTAs does not consist of clusters of %u, %u, %u",
                          shape->grid[0], shape->grid[1], shape->grid[2], shape->cluster[0],
                          shape->cluster[1], shape->cluster[2]);
    }
    if (shape->modelled && shape->modelled[shape->modelled_count - 1] >= volume(shape->block))
        return diag_error(frame->diagnostics, launch->threads_span,
                          "the threads of a block of this launch are numbered from 0 to %llu",
                          (unsigned long long)volume(shape->block) - 1);
    if (shape->modelled && shape->modelled_count == volume(shape->block))
        shape->modelled = NULL;
    if (threads + launch->first.modelled <= LAUNCHED_MAX)
        return true;
    if (launch->first.modelled == 0)
        diag_error(frame->diagnostics, launch->span,
                   "this launch has %llu threads; at most %d are read", (unsigned long long)threads,
                   LAUNCHED_MAX);
    else
        diag_error(frame->diagnostics, launch->span,
                   "this launch has %llu threads, and those before it in this test have %zu; at "
                   "most %d are read",
                   (unsigned long long)threads, launch->first.modelled, LAUNCHED_MAX);
    diag_hint(frame->diagnostics, "'threads 0, 32' models these threads of each block");
    return false;
}

// CTAs are numbered on through all launches of a test. In those with clusters, the number of a
// cluster is that of its first CTA by its size, so that the ranks follow from the numbers.
static void take_numbers(struct module_launch *launch, struct launch_numbers *next) {
    const struct launch *shape = launch->shape;
    unsigned size = (unsigned)volume(shape->cluster), ctas = (unsigned)volume(shape->grid);
    launch->first = *next;
    if (shape->has_clusters) {
        unsigned above = (next->cta + size - 1) / size;
        launch->first.cluster = above > next->cluster ? above : next->cluster;
        launch->first.cta = launch->first.cluster * size;
        next->cluster = launch->first.cluster + ctas / size;
    }
    next->cta = launch->first.cta + ctas;
    next->grid++;
    next->thread += ctas * (unsigned)volume(shape->block);
    next->modelled += ctas * (size_t)modelled_threads(shape);
}

bool launch_parse(struct frame *frame, const struct module *module, struct launch_numbers *next,
                  bool follows, struct module_launch *launch) {
    const struct token *first = frame_next(frame);
    *launch = (struct module_launch){
        .shape = ARENA_NEW(frame->arena, struct launch), .first = *next, .follows = follows};
    *launch->shape = (struct launch){.grid = {1, 1, 1}, .block = {1, 1, 1}, .cluster = {1, 1, 1}};
    if (!parse_kernel(frame, module, launch) || !parse_options(frame, launch))
        return false;
    launch->span = span_join(first->span, frame_after_previous(frame));
    if (!check_attributes(frame, launch) || !check_programmatic(frame, launch) ||
        !check_shape(frame, launch))
        return false;
    launch->arguments = ARENA_ARRAY(frame->arena, const struct manifest_item *,
                                    launch->kernel->parameter_count + 1);
    take_numbers(launch, next);
    return true;
}

// --- Threads -----------------------------------------------------------------------------------

// The numbers of a place in a box, x first.
static void unfold(uint64_t number, const unsigned extent[3], unsigned at[3]) {
    at[0] = (unsigned)(number % extent[0]);
    at[1] = (unsigned)(number / extent[0] % extent[1]);
    at[2] = (unsigned)(number / extent[0] / extent[1]);
}

static unsigned fold(const unsigned at[3], const unsigned extent[3]) {
    return at[0] + extent[0] * (at[1] + extent[1] * at[2]);
}

// CTAs are numbered cluster by cluster, as a test numbers them: the ranks in a cluster follow.
static struct place place_of(const struct module_launch *launch, const unsigned cta[3]) {
    const struct launch *shape = launch->shape;
    unsigned cluster[3], rank[3], clusters[3];
    for (unsigned i = 0; i < 3; i++) {
        cluster[i] = cta[i] / shape->cluster[i];
        rank[i] = cta[i] % shape->cluster[i];
        clusters[i] = shape->grid[i] / shape->cluster[i];
    }
    unsigned number = fold(cluster, clusters);
    return (struct place){.gpu = launch->gpu,
                          .grid = launch->first.grid,
                          .has_cluster = shape->has_clusters,
                          .cluster = shape->has_clusters ? launch->first.cluster + number : 0,
                          .cta = launch->first.cta + number * (unsigned)volume(shape->cluster) +
                                 fold(rank, shape->cluster),
                          .span = launch->span};
}

void launch_add_threads(struct frame *frame, const struct module_launch *launch) {
    struct test *test = frame->test;
    const struct launch *shape = launch->shape;
    uint64_t threads = volume(shape->block), modelled = modelled_threads(shape);
    for (uint64_t i = 0; i < volume(shape->grid) * modelled; i++) {
        uint64_t own = shape->modelled ? shape->modelled[i % modelled] : i % modelled;
        struct thread thread = {.number =
                                    launch->first.thread + (unsigned)(i / modelled * threads + own),
                                .span = launch->span,
                                .launch = shape};
        unfold(i / modelled, shape->grid, thread.cta);
        unfold(own, shape->block, thread.tid);
        thread.place = place_of(launch, thread.cta);
        ARENA_APPEND(frame->arena, test->threads, test->thread_count, thread);
    }
}
