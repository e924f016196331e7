// ptxlitmus-plain-run FILE: executes each thread of a test from its beginning to its end, with the
// registers, the decoded instructions and the arithmetic that whole launches are run with, and with
// nothing that says what is ordered: barriers are passed, memory is bytes. What `check --method
// run` costs beyond this is what it knows of order.
//
// Prints how many instructions were executed, and the processor time in seconds. For kernels of
// plain loads and stores, barriers and arithmetic, whose branches do not depend on other threads.
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "litmus/source/allocate.h"
#include "program/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct plain {
    struct stepper *stepper;
    const struct program_memory *memory;
    unsigned char **bytes; // by object
    int thread;
    struct step_value *registers;
    size_t pc;
    unsigned long long executed;
};

static void stop(const char *why) {
    fprintf(stderr, "ptxlitmus-plain-run: %s\n", why);
    exit(1);
}

// Where an address is.
static unsigned char *place_of(struct plain *plain, uint64_t address) {
    size_t low = 0, high = plain->memory->virtual_range_count;
    while (low < high) { // the first range that begins after the address
        size_t middle = low + (high - low) / 2;
        if (plain->memory->virtual_ranges[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        stop("an access is outside of every variable");
    const struct virtual_range *range = &plain->memory->virtual_ranges[low - 1];
    return plain->bytes[range->object] + (address - range->address);
}

static void access_memory(struct plain *plain, const struct thread *thread,
                          const struct instruction *instruction) {
    bool loads = instruction->opcode == OP_LD;
    unsigned bits = scalar_type_bits(instruction->type);
    if ((!loads && instruction->opcode != OP_ST) || instruction->vector > 1 || bits > 64)
        stop("an access of this kind is not executed");
    struct step_value address =
        stepper_address(plain->stepper, plain->thread, plain->registers,
                        &instruction->operands[loads ? 1 : 0], instruction->space);
    unsigned char *place = place_of(plain, address.bits.low);
    struct step_value word = {{0, 0}, KNOWN};
    if (loads) {
        memcpy(&word.bits.low, place, bits / 8);
        stepper_write(thread, plain->registers, &instruction->operands[0], word, bits,
                      scalar_type_is_signed(instruction->type));
        return;
    }
    word = stepper_value(plain->stepper, plain->thread, plain->registers, &instruction->operands[1],
                         bits, false);
    memcpy(place, &word.bits.low, bits / 8);
}

static void execute(struct plain *plain, const struct thread *thread,
                    const struct instruction *instruction) {
    switch (opcode_family(instruction->opcode)) {
    case FAMILY_COMPUTE:
        if (!stepper_compute(plain->stepper, plain->thread, plain->registers, instruction))
            stop("an instruction of this kind is not executed");
        break;
    case FAMILY_FLOW:
        plain->pc = instruction->opcode == OP_BRA ? instruction_target(thread, instruction)
                                                  : thread->instruction_count;
        return;
    case FAMILY_ACCESS: access_memory(plain, thread, instruction); break;
    case FAMILY_BARRIER: break;
    default: stop("an instruction of this kind is not executed");
    }
    plain->pc++;
}

static void run_thread(struct plain *plain, const struct thread *thread) {
    for (plain->pc = 0; plain->pc < thread->instruction_count; plain->executed++) {
        const struct instruction *instruction = &thread->instructions[plain->pc];
        bool is_taken = instruction->guard < 0 || (plain->registers[instruction->guard].bits.low !=
                                                   0) != instruction->guard_negated;
        if (is_taken)
            execute(plain, thread, instruction);
        else
            plain->pc++;
    }
}

static struct test *read_test(struct arena *arena, const char *path,
                              struct diagnostics *diagnostics) {
    const struct source *source = source_read(arena, path, diagnostics);
    struct test_list tests = {0};
    if (source == NULL || !test_read_all(arena, source, SYNTAX_GUESS, diagnostics, &tests) ||
        tests.count != 1)
        stop("the file cannot be read");
    return tests.items[0];
}

static void make_memory(struct plain *plain, struct arena *arena) {
    plain->memory = stepper_memory(plain->stepper);
    plain->bytes = ARENA_ARRAY(arena, unsigned char *, plain->memory->object_count + 1);
    for (unsigned i = 0; i < plain->memory->object_count; i++) {
        size_t size = (size_t)plain->memory->objects[i].size;
        plain->bytes[i] = arena_alloc(arena, size + 1);
        for (size_t at = 0; at < size; at++)
            plain->bytes[i][at] = (unsigned char)stepper_initial(plain->stepper, i, at, 1).bits.low;
    }
}

int main(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct plain plain = {0};
    if (argc != 2)
        stop("usage: ptxlitmus-plain-run FILE");
    diagnostics_init(&diagnostics, arena);
    const struct test *test = read_test(arena, argv[1], &diagnostics);
    const struct program_options options = {0};
    plain.stepper = stepper_new(arena, test, &options, &diagnostics);
    if (plain.stepper == NULL)
        stop("there is an error in the test");
    make_memory(&plain, arena);
    clock_t start = clock();
    for (size_t i = 0; i < test->thread_count; i++) {
        plain.thread = (int)i;
        plain.registers =
            ARENA_ARRAY(arena, struct step_value, test->threads[i].register_count + 1);
        stepper_start(plain.stepper, plain.thread, plain.registers);
        run_thread(&plain, &test->threads[i]);
    }
    printf("%llu %.3f\n", plain.executed, (double)(clock() - start) / CLOCKS_PER_SEC);
    stepper_free(plain.stepper);
    arena_free(arena);
    return 0;
}
