// What threads that a launch leaves out do at mbarriers (memory-model section 13), as they are
// run one by one by left_out.c, and what of it is refused.

#include "program/builder.h"
#include "program/left_out.h"

#include "litmus/source/arena.h"

// --- What a thread does ------------------------------------------------------------------------

static unsigned line_of(const struct instruction *instruction) {
    return source_position(instruction->span.source, instruction->span.begin).line;
}

static const char *reason_of(struct arena *arena, const struct event *event) {
    unsigned line = line_of(event->instruction);
    switch (event->mbarrier->kind) {
    case MBARRIER_KIND_INIT:
        return arena_format(arena,
                            "this mbarrier is initialised by a thread that the launch leaves out "
                            "(line %u): name that thread, too",
                            line);
    case MBARRIER_KIND_INVAL:
        return arena_format(arena,
                            "this mbarrier is made invalid by a thread that the launch leaves out "
                            "(line %u): name that thread, too",
                            line);
    case MBARRIER_KIND_ARRIVE:
        return arena_format(arena,
                            "threads that the launch leaves out do more at this mbarrier than to "
                            "arrive (line %u): they drop out, expect transactions, or have "
                            ".noComplete",
                            line);
    default:
        return arena_format(arena,
                            "threads that the launch leaves out change the transactions of this "
                            "mbarrier, or complete on it (line %u)",
                            line);
    }
}

static struct left_mbarrier *find(struct left_mbarriers *mbarriers, uint64_t address) {
    for (size_t i = 0; i < mbarriers->count; i++)
        if (mbarriers->items[i].address == address)
            return &mbarriers->items[i];
    return NULL;
}

struct left_mbarrier *left_mbarriers_find(struct left_mbarriers *mbarriers, struct arena *arena,
                                          const struct expr *address) {
    if (!expr_is_const(address))
        return &mbarriers->anywhere;
    struct left_mbarrier *found = find(mbarriers, address->value.low);
    if (found != NULL)
        return found;
    mbarriers->items = arena_grow(arena, mbarriers->items, mbarriers->count, sizeof *found);
    found = &mbarriers->items[mbarriers->count++];
    *found = (struct left_mbarrier){.address = address->value.low};
    return found;
}

static void refuse(struct left_mbarriers *mbarriers, struct left_mbarrier *at, struct arena *arena,
                   const struct event *event) {
    if (at->refused == NULL && at == &mbarriers->anywhere)
        at->refused = arena_format(arena,
                                   "which mbarriers threads that the launch leaves out use is not "
                                   "known (line %u)",
                                   line_of(event->instruction));
    else if (at->refused == NULL)
        at->refused = reason_of(arena, event);
}

static void note(struct left_mbarriers *mbarriers, struct arena *arena, const struct builder *ran,
                 const struct event *event) {
    bool waits = event_is_mbarrier(event, MBARRIER_KIND_WAIT) ||
                 event_is_mbarrier(event, MBARRIER_KIND_LOOK);
    if (expr_is_false(event->executes) || (!waits && event->kind != EVENT_WRITE))
        return;
    struct left_mbarrier *at = left_mbarriers_find(mbarriers, arena, event->address);
    bool arrives = event->mbarrier->arrivals > 0 && event->mbarrier->plain;
    bool unbounded = ran->loops.widened && event->id >= ran->loops.widened_from;
    if (waits)
        at->waits = true;
    else if (!arrives || at == &mbarriers->anywhere)
        refuse(mbarriers, at, arena, event);
    else if (unbounded && at->refused == NULL)
        at->refused = arena_format(arena,
                                   "how often threads that the launch leaves out arrive at this "
                                   "mbarrier is not known (line %u)",
                                   line_of(event->instruction));
    if (arrives)
        at->line = line_of(event->instruction);
}

void left_mbarriers_note(struct left_mbarriers *mbarriers, struct arena *arena,
                         const struct builder *ran) {
    const struct program *program = ran->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].mbarrier != NULL)
            note(mbarriers, arena, ran, &program->events[i]);
}

void left_mbarriers_give_up(struct left_mbarriers *mbarriers, struct arena *arena,
                            const char *reason) {
    mbarriers->anywhere.waits = true;
    if (mbarriers->anywhere.refused == NULL)
        mbarriers->anywhere.refused = arena_format(
            arena, "what threads that the launch leaves out do at mbarriers is not known%s%s",
            reason[0] != '\0' ? ": " : "", reason);
}

// --- What that means for the threads of the test -----------------------------------------------

static bool is_joined(const struct left_mbarrier *at) {
    return at->line != 0;
}

const char *left_mbarriers_refuse(const struct builder *builder, const struct expr *address) {
    if (builder->plan->left_stores == NULL)
        return NULL;
    const struct left_mbarriers *mbarriers = &builder->plan->left_stores->mbarriers;
    if (mbarriers->anywhere.refused != NULL)
        return mbarriers->anywhere.refused;
    for (size_t i = 0; i < mbarriers->count; i++) {
        const struct left_mbarrier *at = &mbarriers->items[i];
        if (at->refused != NULL && (!expr_is_const(address) || at->address == address->value.low))
            return at->refused;
        if (is_joined(at) && !expr_is_const(address))
            return "which mbarrier this is must not depend on memory, since threads that the "
                   "launch leaves out arrive at some";
    }
    return NULL;
}

const struct left_mbarrier *left_mbarriers_joined(const struct builder *builder,
                                                  const struct expr *address) {
    if (builder->plan->left_stores == NULL || !expr_is_const(address))
        return NULL;
    const struct left_mbarriers *mbarriers = &builder->plan->left_stores->mbarriers;
    for (size_t i = 0; i < mbarriers->count; i++)
        if (is_joined(&mbarriers->items[i]) && mbarriers->items[i].address == address->value.low)
            return &mbarriers->items[i];
    return NULL;
}

bool left_mbarriers_join_any(const struct builder *builder) {
    const struct left_stores *stores = builder->plan->left_stores;
    for (size_t i = 0; stores != NULL && i < stores->mbarriers.count; i++)
        if (is_joined(&stores->mbarriers.items[i]))
            return true;
    return false;
}

bool left_mbarriers_wait(const struct builder *builder, const struct expr *address) {
    if (builder->plan->left_stores == NULL)
        return false;
    const struct left_mbarriers *mbarriers = &builder->plan->left_stores->mbarriers;
    bool waits = mbarriers->anywhere.waits;
    for (size_t i = 0; i < mbarriers->count; i++)
        waits = waits ||
                (mbarriers->items[i].waits &&
                 (!expr_is_const(address) || mbarriers->items[i].address == address->value.low));
    return waits;
}
