// Places of corrections, and the instructions that they are about.
#include "repair/correcting.h"

#include "litmus/source/arena.h"
#include "repair/registers.h"
#include "repair/places.h"

#include <string.h>

// --- Places --------------------------------------------------------------------------------------

struct change_place correction_place(const struct correction_search *search, size_t thread,
                                     size_t index, enum change_correction correction) {
    struct change_place place =
        change_place_at(search->arena, search->test, CHANGE_CORRECTION, thread, index);
    place.correction = correction;
    return place;
}

void correction_add_form(const struct correction_search *search, struct change_place *place,
                         struct change_insert *inserts, size_t count, unsigned cost) {
    for (size_t i = 0; i < count; i++) {
        inserts[i].thread = place->thread;
        inserts[i].instruction = place->instruction;
    }
    place->forms = arena_grow(search->arena, place->forms, place->form_count, sizeof *place->forms);
    place->forms[place->form_count++] = (struct change_form){.is_present = true,
                                                             .text = inserts[0].text,
                                                             .cost = cost,
                                                             .inserts = inserts,
                                                             .insert_count = count};
}

void correction_share(struct change_place *place) {
    place->is_shared = true;
    for (size_t f = 1; f < place->form_count; f++)
        for (size_t i = 0; i < place->forms[f].insert_count; i++)
            place->forms[f].inserts[i].is_shared = true;
}

void correction_add_place(struct correction_search *search, const struct change_place *place) {
    if (place->form_count < 2 || place->span.source != search->file)
        return;
    for (size_t i = 0; i < search->count; i++) {
        struct change_place *known = &search->places[i];
        if (known->span.begin == place->span.begin && known->correction == place->correction) {
            if (known->thread != place->thread)
                correction_share(known);
            return;
        }
    }
    search->places =
        arena_grow(search->arena, search->places, search->count, sizeof *search->places);
    search->places[search->count++] = *place;
}

// --- Instructions --------------------------------------------------------------------------------

const struct operand *correction_memory(const struct instruction *instruction) {
    for (unsigned i = 0; i + 1 < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_MEMORY)
            return &instruction->operands[i];
    return NULL;
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
