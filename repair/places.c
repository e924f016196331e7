// How places begin, get forms, and are added to the changes.
#include "repair/places.h"

#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <string.h>

struct change_place place_at(const struct place_search *search, enum change_kind kind,
                             size_t thread, size_t index) {
    const struct instruction *at = &search->test->threads[thread].instructions[index];
    return (struct change_place){.kind = kind,
                                 .thread = (int)thread,
                                 .instruction = index,
                                 .statement = source_in_file(at->span),
                                 .span = source_in_file(at->opcode_span)};
}

struct change_place place_before(const struct place_search *search, enum change_kind kind,
                                 size_t thread, size_t index) {
    struct change_place place = place_at(search, kind, thread, index);
    place.span.end = place.span.begin;
    place_add_form(search, &place, (struct change_form){.text = ""});
    return place;
}

void place_add_form(const struct place_search *search, struct change_place *place,
                    struct change_form form) {
    ARENA_APPEND(search->arena, place->forms, place->form_count, form);
}

// --- Edits -------------------------------------------------------------------------------------

struct change_insert place_text_before(const struct change_place *place, const char *text) {
    return (struct change_insert){.where = INSERT_BEFORE,
                                  .thread = place->thread,
                                  .is_shared = place->is_shared,
                                  .instruction = place->instruction,
                                  .span = place->statement,
                                  .text = text};
}

struct change_insert place_text_for(const struct place_search *search,
                                    const struct change_place *place, struct span span,
                                    const char *text) {
    struct change_insert edit = place_text_before(place, text);
    edit.where = INSERT_FOR;
    edit.span = span;
    edit.was = span_text(search->arena, span);
    return edit;
}

void place_add_edits(const struct place_search *search, struct change_place *place,
                     struct change_form form, const struct change_insert *edits, size_t count) {
    form.is_present = true;
    form.text = edits[0].text;
    form.inserts = arena_copy(search->arena, edits, count, sizeof *edits);
    form.insert_count = count;
    place_add_form(search, place, form);
}

// --- Places that are known ---------------------------------------------------------------------

static bool is_same(const struct change_place *a, const struct change_place *b) {
    if (a->kind != b->kind || a->span.begin != b->span.begin || a->proxy != b->proxy ||
        a->correction != b->correction)
        return false;
    switch (a->kind) {
    case CHANGE_BARRIER: // threads of several kernels, or CTAs of one, may share their texts
        return a->form_count == b->form_count && strcmp(a->forms[1].text, b->forms[1].text) == 0;
    case CHANGE_NEW_PROXY_FENCE:
    case CHANGE_WAIT: return strcmp(a->forms[1].text, b->forms[1].text) == 0;
    default: return true;
    }
}

// Notes that several threads run the text of a place.
static void share(struct change_place *place) {
    place->is_shared = true;
    for (size_t f = 1; f < place->form_count; f++)
        for (size_t i = 0; i < place->forms[f].insert_count; i++)
            place->forms[f].inserts[i].is_shared = true;
}

bool place_is_known(struct place_search *search, const struct change_place *place) {
    for (size_t i = 0; i < search->changes->count; i++) {
        struct change_place *known = &search->changes->places[i];
        if (!is_same(known, place))
            continue;
        if (known->thread != place->thread && place->kind != CHANGE_BARRIER)
            share(known); // edits of a barrier are of several threads, and say so themselves
        return true;
    }
    return false;
}

void place_add(struct place_search *search, const struct change_place *place) {
    struct changes *changes = search->changes;
    if (place->form_count < 2 || place->span.source != changes->file ||
        place_is_known(search, place))
        return;
    ARENA_APPEND(search->arena, changes->places, changes->count, *place);
}

// --- Texts that several threads run ------------------------------------------------------------

static bool run_one_text(const struct thread *a, const struct thread *b) {
    return a->instruction_count == b->instruction_count && a->instruction_count > 0 &&
           source_in_file(a->instructions[0].span).begin ==
               source_in_file(b->instructions[0].span).begin;
}

size_t place_first_thread(const struct test *test, size_t thread) {
    size_t first = 0;
    while (first < thread && !run_one_text(&test->threads[first], &test->threads[thread]))
        first++;
    return first;
}
