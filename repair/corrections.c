// Numbers that may be wrong: how many arrivals and bytes an mbarrier expects, and which phase a
// thread waits for.
#include "repair/correcting.h"

#include "litmus/source/arena.h"

#include <inttypes.h>

enum { NUMBERS_MAX = 12, WARP = 32 };

// Numbers that may be right, the likely ones first.
struct likely_numbers {
    uint64_t items[NUMBERS_MAX];
    size_t count;
};

static void add_number(struct likely_numbers *numbers, uint64_t number) {
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->items[i] == number)
            return;
    if (number > 0 && numbers->count < NUMBERS_MAX)
        numbers->items[numbers->count++] = number;
}

// --- Instructions --------------------------------------------------------------------------------

static bool initialises(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_MBARRIER &&
           opcode_effects(instruction->opcode) == EFFECT_WRITES &&
           correction_memory(instruction) != NULL;
}

static bool waits_by_parity(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_MBARRIER &&
           opcode_has(instruction->opcode, TRAIT_PARITY) && correction_memory(instruction) != NULL;
}

// An edit that puts another text in the place of an operand. It shows the whole instruction.
static struct change_insert replace(const struct place_search *search,
                                    const struct change_place *place, const struct operand *operand,
                                    const char *text) {
    const struct instruction *instruction =
        &search->test->threads[place->thread].instructions[place->instruction];
    const struct span span = span_join(source_in_file(instruction->opcode_span), place->statement);
    const struct span other = source_in_file(operand->span);
    const char *file = span.source->text;
    return place_text_for(search, place, span,
                          arena_format(search->arena, "%.*s%s%.*s", (int)(other.begin - span.begin),
                                       file + span.begin, text, (int)(span.end - other.end),
                                       file + other.end));
}

// What a count of arrivals is where it is as many as the block has threads: who writes the number
// would have to change it with the block. NULL for others.
static const char *note_on_count(struct arena *arena, const struct thread *thread,
                                 uint64_t number) {
    const struct launch *launch = thread->launch;
    bool is_row = launch && launch->block[1] == 1 && launch->block[2] == 1;
    return is_row && number > 1 && number == launch->block[0]
               ? arena_format(arena,
                              "the block has %" PRIu64
                              " threads: %%ntid.x, or blockDim.x in CUDA C++",
                              number)
               : NULL;
}

// Adds a place with a form for each number but the one that is written, to which they are the
// alternatives.
static void add_numbers(struct place_search *search, struct change_place place,
                        const struct operand *operand, const struct likely_numbers *numbers) {
    const struct thread *thread = &search->test->threads[place.thread];
    const struct change_form form = {.cost = search->options->costs->weights[COST_WAIT]};
    uint64_t written = UINT64_MAX;
    register_constant(thread, operand, &written);
    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->items[i] == written)
            continue;
        struct change_insert edit = replace(
            search, &place, operand, arena_format(search->arena, "%" PRIu64, numbers->items[i]));
        if (place.correction == CORRECT_COUNT)
            edit.note = note_on_count(search->arena, thread, numbers->items[i]);
        place_add_edits(search, &place, form, &edit, 1);
    }
    place_add(search, &place);
}

// --- Counts of arrivals --------------------------------------------------------------------------

// Whether an instruction may arrive at this mbarrier; -1: it is not known which one it is.
static bool may_arrive_at(const struct thread *thread, const struct instruction *instruction,
                          int variable) {
    const struct operand *memory = correction_first_memory(instruction);
    int other = memory ? register_variable(thread, memory) : -1;
    return correction_arrives(instruction) && (variable < 0 || other < 0 || variable == other);
}

static size_t count_arrivals(const struct thread *thread, int variable) {
    size_t count = 0;
    for (size_t i = 0; i < thread->instruction_count; i++)
        count += may_arrive_at(thread, &thread->instructions[i], variable);
    return count;
}

// How many may arrive: the threads whose texts do so; all of the block, or one of it, or of each
// warp.
static struct likely_numbers counts_of(const struct place_search *search, size_t thread,
                                       int variable) {
    const struct test *test = search->test;
    const struct thread *own = &test->threads[thread];
    uint64_t threads = 0, arriving = 0, arrivals = 0, near = 0;
    for (size_t t = 0; t < test->thread_count; t++) {
        size_t count = count_arrivals(&test->threads[t], variable);
        bool is_of_block = test_same_cta(&own->place, &test->threads[t].place);
        near += count > 0 && test_same_cluster(&own->place, &test->threads[t].place);
        threads += is_of_block;
        arriving += is_of_block && count > 0;
        arrivals += is_of_block ? count : 0;
    }
    if (own->launch)
        threads = (uint64_t)own->launch->block[0] * own->launch->block[1] * own->launch->block[2];
    struct likely_numbers numbers = {.count = 0};
    add_number(&numbers, own->launch && own->launch->modelled ? threads : arriving);
    add_number(&numbers, arrivals);
    add_number(&numbers, 1);
    add_number(&numbers, threads);
    add_number(&numbers, near);
    add_number(&numbers, threads + 1);
    add_number(&numbers, threads - 1);
    add_number(&numbers, (threads + WARP - 1) / WARP);
    add_number(&numbers, threads > WARP ? threads - WARP : 0);
    return numbers;
}

static void find_count(struct place_search *search, size_t t, size_t index) {
    const struct thread *thread = &search->test->threads[t];
    const struct instruction *instruction = &thread->instructions[index];
    if (!initialises(instruction))
        return;
    const struct change_place place = correction_place(search, t, index, CORRECT_COUNT);
    if (place_is_known(search, &place))
        return;
    const struct operand *memory = correction_memory(instruction);
    const struct likely_numbers numbers = counts_of(search, t, register_variable(thread, memory));
    add_numbers(search, place, memory + 1, &numbers);
}

// --- Bytes that are expected ---------------------------------------------------------------------

// How many bytes a copy says that it writes; 0: none, or they are in a register.
static uint64_t bytes_of(const struct thread *thread, const struct instruction *instruction) {
    enum { SIZE = 2 };
    uint64_t bytes = 0;
    if (instruction_signals(instruction) && instruction->operand_count > SIZE)
        register_constant(thread, &instruction->operands[SIZE], &bytes);
    return bytes;
}

static uint64_t bytes_of_box(const struct tensor *tensor) {
    uint64_t bytes = tensor->element_size;
    for (unsigned i = 0; i < tensor->rank; i++)
        bytes *= tensor->box[i];
    return bytes;
}

// The boxes of tensormaps: what copies of tensors write.
static void add_boxes(const struct test *test, struct likely_numbers *numbers) {
    uint64_t all = 0;
    for (size_t i = 0; i < test->variable_count; i++) {
        const struct variable *variable = &test->variables[i];
        uint64_t bytes = variable->tensor ? bytes_of_box(variable->tensor) : 0;
        for (const struct tensor_part *part = variable->parts; part; part = part->next) {
            add_number(numbers, bytes_of_box(part->tensor));
            all += bytes_of_box(part->tensor);
        }
        add_number(numbers, bytes);
        all += bytes;
    }
    add_number(numbers, all);
}

static void find_bytes(struct place_search *search, size_t t, size_t index) {
    const struct thread *thread = &search->test->threads[t];
    const struct instruction *instruction = &thread->instructions[index];
    struct likely_numbers numbers = {.count = 0};
    uint64_t next = 0, all = 0;
    bool is_next = true;
    if (!correction_expects(search->arena, instruction))
        return;
    const struct change_place place = correction_place(search, t, index, CORRECT_BYTES);
    if (place_is_known(search, &place))
        return;
    for (size_t i = index + 1; i < thread->instruction_count; i++) {
        is_next = is_next && !correction_expects(search->arena, &thread->instructions[i]);
        next += is_next ? bytes_of(thread, &thread->instructions[i]) : 0;
    }
    add_number(&numbers, next);
    for (size_t i = 0; i < thread->instruction_count; i++) {
        add_number(&numbers, bytes_of(thread, &thread->instructions[i]));
        all += bytes_of(thread, &thread->instructions[i]);
    }
    add_number(&numbers, all);
    add_boxes(search->test, &numbers);
    add_numbers(search, place, correction_memory(instruction) + 1, &numbers);
}

// --- Parities ------------------------------------------------------------------------------------

// The other parity: a number, or what a new register holds.
static void find_parity(struct place_search *search, size_t t, size_t index) {
    const struct thread *thread = &search->test->threads[t];
    const struct instruction *instruction = &thread->instructions[index];
    if (!waits_by_parity(instruction))
        return;
    struct change_place place = correction_place(search, t, index, CORRECT_PARITY);
    if (place_is_known(search, &place))
        return;
    const struct operand *parity = correction_memory(instruction) + 1;
    struct register_copies copies = correction_copies(search, &place);
    const char *text = NULL;
    if (parity->kind == OPERAND_IMMEDIATE)
        text = parity->immediate.low == 0 ? "1" : "0";
    if (parity->kind == OPERAND_REGISTER)
        text = register_other_parity(&copies, thread->registers[parity->reg].name);
    if (!text)
        return;
    struct change_insert *edits = correction_edits(search, &place, &copies);
    edits[copies.count] = replace(search, &place, parity, text);
    place_add_edits(search, &place,
                    (struct change_form){.cost = search->options->costs->weights[COST_WAIT]}, edits,
                    copies.count + 1);
    place_add(search, &place);
}

void corrections_find(struct place_search *search) {
    const struct test *test = search->test;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            find_count(search, t, i);
            find_bytes(search, t, i);
            find_parity(search, t, i);
        }
    corrections_add_waits(search);
    corrections_add_barriers(search);
}
