// Places of corrections, and the instructions that they are about.
#include "repair/correcting.h"

#include "litmus/readers/module/module.h"
#include "litmus/source/arena.h"

#include <string.h>

struct change_place correction_place(const struct place_search *search, size_t thread, size_t index,
                                     enum change_correction correction) {
    struct change_place place = place_before(search, CHANGE_CORRECTION, thread, index);
    place.correction = correction;
    return place;
}

struct register_copies correction_copies(const struct place_search *search,
                                         const struct change_place *place) {
    const struct source *file = search->changes->file;
    return (struct register_copies){.arena = search->arena,
                                    .file = file,
                                    .thread = &search->test->threads[place->thread],
                                    .point = place->instruction,
                                    .declares = module_recognise(file)};
}

struct change_insert *correction_edits(const struct place_search *search,
                                       const struct change_place *place,
                                       const struct register_copies *copies) {
    struct change_insert *edits =
        ARENA_ARRAY(search->arena, struct change_insert, copies->count + 1);
    for (size_t i = 0; i < copies->count; i++)
        edits[i] = place_text_before(place, copies->statements[i]);
    return edits;
}

const struct operand *correction_first_memory(const struct instruction *instruction) {
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_MEMORY)
            return &instruction->operands[i];
    return NULL;
}

const struct operand *correction_memory(const struct instruction *instruction) {
    const struct operand *memory = correction_first_memory(instruction);
    return memory && memory + 1 < instruction->operands + instruction->operand_count ? memory
                                                                                     : NULL;
}

bool correction_arrives(const struct instruction *instruction) {
    unsigned effects = opcode_effects(instruction->opcode);
    return opcode_family(instruction->opcode) == FAMILY_MBARRIER && (effects & EFFECT_DEFINES) &&
           (effects & EFFECT_WRITES);
}

bool correction_expects(struct arena *arena, const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_MBARRIER &&
           strstr(register_text(arena, instruction->opcode_span), "expect_tx") != NULL &&
           correction_memory(instruction) != NULL;
}
