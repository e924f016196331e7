// How a place of a change begins.
#include "repair/places.h"

#include "litmus/source/arena.h"
#include "litmus/source/source.h"

struct change_place change_place_at(struct arena *arena, const struct test *test,
                                    enum change_kind kind, size_t thread, size_t instruction) {
    const struct instruction *at = &test->threads[thread].instructions[instruction];
    struct change_place place = {.kind = kind, .thread = (int)thread, .instruction = instruction};
    place.statement = source_in_file(at->span);
    place.span = source_in_file(at->opcode_span);
    place.span.end = place.span.begin;
    place.forms = arena_grow(arena, NULL, 0, sizeof *place.forms);
    place.forms[place.form_count++] = (struct change_form){.text = ""};
    return place;
}
