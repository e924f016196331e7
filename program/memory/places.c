// Places: the ranges that contain addresses, and which of them an instruction may touch.

#include "program/memory/memory.h"
#include "program/builder.h"

// --- Ranges ------------------------------------------------------------------------------------

const struct virtual_range *places_range_before(const struct program_memory *memory,
                                                uint64_t address) {
    size_t low = 0, high = memory->virtual_range_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (memory->virtual_ranges[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &memory->virtual_ranges[low - 1];
}

const struct virtual_range *places_nearest(const struct program *program, uint64_t address) {
    const struct virtual_range *before = places_range_before(&program->memory, address);
    const struct virtual_range *end =
        program->memory.virtual_ranges + program->memory.virtual_range_count;
    const struct virtual_range *after =
        before == NULL ? program->memory.virtual_ranges : before + 1;
    if (after == end)
        return before;
    if (before == NULL)
        return after;
    uint64_t past = address - before->address, size = program->memory.objects[before->object].size;
    uint64_t distance = past < size ? 0 : past - size;
    return distance <= after->address - address ? before : after;
}

const struct virtual_range *places_range_of(const struct program_memory *memory, uint64_t address,
                                            uint64_t size) {
    const struct virtual_range *range = places_range_before(memory, address);
    if (range == NULL)
        return NULL;
    uint64_t offset = address - range->address, all = memory->objects[range->object].size;
    return offset <= all && size <= all - offset ? range : NULL;
}

// --- What an instruction may touch -------------------------------------------------------------

// Threads initialise, end, look at and wait for mbarriers of their own CTA only (PTX
// ISA 9.7.13.15.8).
static bool is_of_own_mbarrier(const struct event *event) {
    return event->mbarrier != NULL && event->mbarrier->kind != MBARRIER_KIND_ARRIVE &&
           event->mbarrier->kind != MBARRIER_KIND_TX &&
           event->mbarrier->kind != MBARRIER_KIND_RAISE &&
           event->mbarrier->kind != MBARRIER_KIND_COMPLETE;
}

// Instructions that write to the shared memory of their CTA, with generic addresses too.
static bool is_shared_alone(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_OWN);
}

// .shared::cta reaches the CTA's own instance, .shared::cluster and generic addresses those of the
// cluster (PTX ISA 5.1.7).
static bool can_reach_shared(const struct builder *builder, const struct event *event,
                             const struct object *object) {
    enum state_space space = event_state_space(event);
    const struct thread *threads = builder->test->threads;
    bool own = is_of_own_mbarrier(event) || is_shared_alone(event->instruction);
    if (space == SPACE_GENERIC && own)
        return object->instance == builder->cta_leader[event->thread];
    if (object->instance == builder->cta_leader[event->thread])
        return state_space_is_shared(space) || space == SPACE_GENERIC;
    return (space == SPACE_SHARED_CLUSTER || space == SPACE_GENERIC) &&
           test_same_cluster(&threads[object->instance].place, &threads[event->thread].place);
}

// Whether an event is what an operation writes that completes on an mbarrier beside it: st.async,
// red.async and try_cancel, for shared memory alone (PTX ISA 9.7.9.12, 9.7.13.7, 9.7.13.17).
static bool is_beside_mbarrier(const struct event *event) {
    const struct instruction *instruction = event->instruction;
    enum opcode_family family = opcode_family(instruction->opcode);
    bool stores = family == FAMILY_COPY && opcode_has(instruction->opcode, TRAIT_VALUE);
    bool may_be = stores || family == FAMILY_CANCEL;
    return may_be && event_is_detached(event) && instruction->order != ORDER_RELEASE;
}

// Nothing but global and constant memory is loaded through the read-only proxy, with generic
// addresses, too (PTX ISA 9.7.10.8 of 9.4).
static bool is_not_read_only(const struct event *event, const struct object *object) {
    return event->instruction->proxy == PROXY_READONLY &&
           (opcode_effects(event->instruction->opcode) & EFFECT_READS) != 0 &&
           (state_space_is_shared(object->space) || object->space == SPACE_LOCAL);
}

bool places_can_reach(const struct builder *builder, const struct event *event,
                      const struct object *object) {
    enum state_space space = event_state_space(event);
    if (is_not_read_only(event, object) ||
        !instruction_may_access(event->instruction, object->space))
        return false;
    // "The address specified by the operand addr must fall within the .global state space" (PTX ISA
    // 9.7.13.4), in whose window kernel parameters are, too.
    if (event->kind == EVENT_PROXY_FENCE)
        return object->space == SPACE_GLOBAL || object->space == SPACE_GENERIC ||
               object->space == SPACE_PARAM;
    if (state_space_is_shared(object->space))
        return can_reach_shared(builder, event, object);
    if (object->space == SPACE_TENSOR || space == SPACE_TENSOR)
        return object->space == space &&
               object->instance == builder->cta_leader[event_place(event)];
    if (event->mbarrier != NULL || is_shared_alone(event->instruction) || is_beside_mbarrier(event))
        return false;
    if (object->instance >= 0 && object->instance != event->thread)
        return false;
    if (space == SPACE_PARAM && builder->test->variables[object->variable].is_parameter)
        return true;
    // Kernel parameters are in the window of .global (PTX ISA 5.1.6).
    if (space == SPACE_GLOBAL && object->space == SPACE_PARAM)
        return event->kind == EVENT_READ;
    return space == SPACE_GENERIC || space == object->space || object->space == SPACE_GENERIC;
}

bool places_has_address(const struct event *event) {
    return event->kind == EVENT_READ || event->kind == EVENT_WRITE ||
           (event->kind == EVENT_PROXY_FENCE && event->address != NULL);
}

bool places_is_read_only_store(const struct builder *builder, const struct event *event,
                               const struct object *object) {
    bool parameter =
        object->space == SPACE_PARAM && builder->test->variables[object->variable].body == 0;
    return event->kind == EVENT_WRITE && (object->space == SPACE_CONST || parameter);
}

uint64_t places_alignment(const struct builder *builder, const struct event *event) {
    return (uint64_t)event->size * builder->accesses[event->id].element_count;
}

bool places_is_aligned(const struct builder *builder, const struct event *event, uint64_t offset) {
    uint64_t before = (uint64_t)event->size * builder->accesses[event->id].element;
    return (offset - before) % places_alignment(builder, event) == 0;
}

bool places_is_of_kind(const struct builder *builder, const struct event *event,
                       const struct virtual_range *range) {
    return builder->test->variables[range->variable].is_multimem == event_is_multimem(event);
}

static bool may_touch(const struct builder *builder, const struct event *event,
                      const struct virtual_range *range, uint64_t offset) {
    const struct object *object = &builder->program->memory.objects[range->object];
    return places_is_of_kind(builder, event, range) && places_can_reach(builder, event, object) &&
           !places_is_read_only_store(builder, event, object) &&
           places_is_aligned(builder, event, offset);
}

// --- Candidates --------------------------------------------------------------------------------

static void add_place(const struct builder *builder, struct event *event,
                      const struct virtual_range *range, uint64_t offset) {
    if (event->candidates != NULL)
        event->candidates[event->candidate_count] =
            (struct candidate){.range = (unsigned)(range - builder->program->memory.virtual_ranges),
                               .object = range->object,
                               .offset = offset};
    event->candidate_count++;
}

// Every aligned place of every range up to an address, or just their number while `candidates` is
// NULL.
static void add_all_places(const struct builder *builder, struct event *event, uint128 most) {
    const struct program *program = builder->program;
    uint64_t step = places_alignment(builder, event);
    uint64_t first = (uint64_t)event->size * builder->accesses[event->id].element;
    event->candidate_count = 0;
    for (size_t i = 0; i < program->memory.virtual_range_count; i++) {
        const struct virtual_range *range = &program->memory.virtual_ranges[i];
        uint64_t size = program->memory.objects[range->object].size;
        if (!may_touch(builder, event, range, first))
            continue;
        for (uint64_t offset = first;
             offset + event->size <= size && range->address + offset <= most; offset += step) {
            if (event->candidate_count > PROGRAM_MAX_CANDIDATES)
                return;
            add_place(builder, event, range, offset);
        }
    }
}

bool places_find(struct builder *builder, struct arena *arena, struct event *event,
                 struct value_set addresses) {
    event->candidates = NULL;
    if (addresses.any) {
        add_all_places(builder, event, addresses.most);
        event->candidates = ARENA_ARRAY(arena, struct candidate, event->candidate_count + 1);
        add_all_places(builder, event, addresses.most);
        return false;
    }
    event->candidate_count = 0;
    event->candidates = ARENA_ARRAY(arena, struct candidate, addresses.count);
    for (unsigned i = 0; i < addresses.count; i++) {
        uint64_t address = (uint64_t)addresses.values[i];
        const struct virtual_range *range =
            places_range_of(&builder->program->memory, address, event->size);
        if (range != NULL && may_touch(builder, event, range, address - range->address))
            add_place(builder, event, range, address - range->address);
    }
    return addresses.count != 0 && event->candidate_count == addresses.count;
}
