// Numbers that may be wrong: how many arrivals and bytes an mbarrier expects, and which phase a
// thread waits for.
#include "repair/corrections.h"

#include "litmus/readers/module/module.h"
#include "litmus/source/arena.h"
#include "repair/correcting.h"
#include "repair/registers.h"

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

// Whether the file has the place already, of another thread that runs the same text, which is then
// said.
static bool is_known(struct correction_search *search, size_t thread,
                     const struct instruction *instruction, enum change_correction correction) {
    uint32_t begin = source_in_file(instruction->opcode_span).begin;
    for (size_t i = 0; i < search->count; i++) {
        struct change_place *known = &search->places[i];
        if (known->span.begin != begin || known->correction != correction)
            continue;
        if (known->thread != (int)thread && !known->is_shared)
            correction_share(known);
        return true;
    }
    return false;
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
static struct change_insert replace(const struct correction_search *search,
                                    const struct instruction *instruction,
                                    const struct operand *operand, const char *text) {
    struct span span = source_in_file(instruction->opcode_span),
                other = source_in_file(operand->span);
    const char *file = span.source->text;
    span.end = source_in_file(instruction->span).end;
    return (struct change_insert){
        .where = INSERT_FOR,
        .span = span,
        .text =
            arena_format(search->arena, "%.*s%s%.*s", (int)(other.begin - span.begin),
                         file + span.begin, text, (int)(span.end - other.end), file + other.end),
        .was = arena_strndup(search->arena, file + span.begin, span.end - span.begin)};
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
static void add_numbers(struct correction_search *search, size_t thread, size_t index,
                        enum change_correction correction, const struct operand *operand,
                        const struct likely_numbers *numbers) {
    const struct thread *runs = &search->test->threads[thread];
    struct change_place place = correction_place(search, thread, index, correction);
    uint64_t written = UINT64_MAX;
    register_constant(runs, operand, &written);
    for (size_t i = 0; i < numbers->count; i++) {
        struct change_insert *insert = ARENA_NEW(search->arena, struct change_insert);
        if (numbers->items[i] == written)
            continue;
        *insert = replace(search, &runs->instructions[index], operand,
                          arena_format(search->arena, "%" PRIu64, numbers->items[i]));
        if (correction == CORRECT_COUNT)
            insert->note = note_on_count(search->arena, runs, numbers->items[i]);
        correction_add_form(search, &place, insert, 1, cost_of_wait(search->options->costs));
    }
    correction_add_place(search, &place);
}

// --- Counts of arrivals --------------------------------------------------------------------------

// Whether an instruction may arrive at this mbarrier; -1: it is not known which one it is.
static bool may_arrive_at(const struct thread *thread, const struct instruction *instruction,
                          int variable) {
    const struct operand *memory = NULL;
    for (unsigned i = 0; i < instruction->operand_count && !memory; i++)
        memory = instruction->operands[i].kind == OPERAND_MEMORY ? &instruction->operands[i] : NULL;
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
static struct likely_numbers counts_of(const struct correction_search *search, size_t thread,
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

static void find_count(struct correction_search *search, size_t t, size_t index) {
    const struct thread *thread = &search->test->threads[t];
    const struct instruction *instruction = &thread->instructions[index];
    if (!initialises(instruction) || is_known(search, t, instruction, CORRECT_COUNT))
        return;
    const struct operand *memory = correction_memory(instruction);
    const struct likely_numbers numbers = counts_of(search, t, register_variable(thread, memory));
    add_numbers(search, t, index, CORRECT_COUNT, memory + 1, &numbers);
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

static void find_bytes(struct correction_search *search, size_t t, size_t index) {
    const struct thread *thread = &search->test->threads[t];
    const struct instruction *instruction = &thread->instructions[index];
    struct likely_numbers numbers = {.count = 0};
    uint64_t next = 0, all = 0;
    bool is_next = true;
    if (!correction_expects(search->arena, instruction) ||
        is_known(search, t, instruction, CORRECT_BYTES))
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
    add_numbers(search, t, index, CORRECT_BYTES, correction_memory(instruction) + 1, &numbers);
}

// --- Parities ------------------------------------------------------------------------------------

// The other parity: a number, or what a new register holds.
static void find_parity(struct correction_search *search, size_t t, size_t index) {
    const struct thread *thread = &search->test->threads[t];
    const struct instruction *instruction = &thread->instructions[index];
    if (!waits_by_parity(instruction) || is_known(search, t, instruction, CORRECT_PARITY))
        return;
    const struct operand *parity = correction_memory(instruction) + 1;
    struct change_place place = correction_place(search, t, index, CORRECT_PARITY);
    struct register_copies copies = {.arena = search->arena,
                                     .file = search->file,
                                     .thread = thread,
                                     .point = index,
                                     .declares = module_recognise(search->file)};
    struct change_insert *inserts = ARENA_ARRAY(search->arena, struct change_insert, 3);
    size_t count = 0;
    const char *text =
        parity->kind == OPERAND_IMMEDIATE ? (parity->immediate.low == 0 ? "1" : "0") : NULL;
    if (parity->kind == OPERAND_REGISTER) {
        text = register_new(&copies, 32);
        register_add(&copies, arena_format(search->arena, "xor.b32 %s, %s, 1", text,
                                           thread->registers[parity->reg].name));
    }
    for (size_t i = 0; i < copies.count; i++) {
        inserts[count++] = (struct change_insert){
            .where = INSERT_BEFORE, .span = place.statement, .text = copies.statements[i]};
    }
    if (!text)
        return;
    inserts[count++] = replace(search, instruction, parity, text);
    correction_add_form(search, &place, inserts, count, cost_of_wait(search->options->costs));
    correction_add_place(search, &place);
}

struct change_place *corrections_find(struct arena *arena, const struct test *test,
                                      const struct source *file,
                                      const struct change_options *options, size_t *count) {
    struct correction_search search = {
        .arena = arena, .test = test, .file = file, .options = options};
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            find_count(&search, t, i);
            find_bytes(&search, t, i);
            find_parity(&search, t, i);
        }
    corrections_add_waits(&search);
    corrections_add_barriers(&search);
    *count = search.count;
    return search.places;
}
