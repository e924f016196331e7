// The program with every fence that may be there, and which event is which place.
#include "repair/variants.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "repair/edit.h"

#include <assert.h>
#include <string.h>

static bool is_fence(const struct change_place *place) {
    return place->kind == CHANGE_FENCE || place->kind == CHANGE_NEW_FENCE ||
           place->kind == CHANGE_PROXY_FENCE || place->kind == CHANGE_NEW_PROXY_FENCE;
}

// Every fence at its strongest, every access at its weakest, and the barriers of a choice (NULL:
// none).
static size_t *widest(struct arena *arena, const struct changes *changes, const size_t *barriers) {
    size_t *choice = ARENA_ARRAY(arena, size_t, changes->count + 1);
    for (size_t i = 0; i < changes->count; i++) {
        const struct change_place *place = &changes->places[i];
        if (change_is_apart(place) && barriers != NULL)
            choice[i] = barriers[i];
        else
            choice[i] = is_fence(place) ? place->form_count - 1 : 0;
    }
    return choice;
}

static bool reads_well(struct changes *changes, const size_t *choice, size_t index) {
    struct arena *arena = arena_new();
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    bool good = edit_apply(arena, changes, choice, NULL, index, &ignored, NULL) != NULL;
    arena_free(arena);
    return good;
}

// Drops the places that cannot be changed alone.
static void drop_refused(struct arena *arena, struct changes *changes, size_t index) {
    const size_t *all = widest(arena, changes, NULL);
    size_t kept = 0;
    size_t *choice = changes_as_written(arena, changes);
    bool *good = ARENA_ARRAY(arena, bool, changes->count + 1);
    for (size_t i = 0; i < changes->count; i++) {
        choice[i] = all[i];
        good[i] = reads_well(changes, choice, index);
        choice[i] = changes->places[i].written;
    }
    for (size_t i = 0; i < changes->count; i++)
        if (good[i])
            changes->places[kept++] = changes->places[i];
    changes->count = kept;
}

// The place whose opcode begins at a byte of the changed text, or -1.
static int place_of(const struct changes *changes, const size_t *choice, const uint32_t *at,
                    const struct instruction *instruction) {
    struct span span = source_origin(instruction->opcode_span);
    for (size_t i = 0; i < changes->count; i++)
        if (at[i] == span.begin && !change_is_apart(&changes->places[i]) &&
            changes->places[i].forms[choice[i]].is_present)
            return (int)i;
    return -1;
}

// The variants with the barriers of a choice (NULL: none), made of what others are; without a
// program after errors.
static struct change_variants *build(const struct change_variants *others, const size_t *barriers,
                                     struct diagnostics *diagnostics) {
    struct arena *arena = others->arena;
    uint32_t *at;
    struct change_variants *variants = ARENA_NEW(arena, struct change_variants);
    *variants = (struct change_variants){.changes = others->changes,
                                         .barriers = widest(arena, others->changes, barriers),
                                         .arena = arena,
                                         .options = others->options,
                                         .index = others->index};
    struct test *test = edit_apply(arena, variants->changes, variants->barriers, NULL,
                                   variants->index, diagnostics, &at);
    struct program *program =
        test == NULL ? NULL : program_build(arena, test, variants->options, diagnostics);
    if (program == NULL)
        return variants;
    variants->program = program;
    variants->places = ARENA_ARRAY(arena, int, program->event_count + 1);
    for (size_t e = 0; e < program->event_count; e++) {
        const struct instruction *instruction = program->events[e].instruction;
        variants->places[e] =
            instruction == NULL ? -1
                                : place_of(variants->changes, variants->barriers, at, instruction);
    }
    return variants;
}

struct change_variants *variants_new(struct arena *arena, struct changes *changes, size_t index,
                                     const struct program_options *options,
                                     struct diagnostics *diagnostics) {
    const struct change_variants made_of = {
        .changes = changes, .arena = arena, .options = options, .index = index};
    if (!reads_well(changes, widest(arena, changes, NULL), index))
        drop_refused(arena, changes, index);
    struct change_variants *variants = build(&made_of, NULL, diagnostics);
    return variants->program == NULL ? NULL : variants;
}

static bool same_barriers(const struct changes *changes, const size_t *a, const size_t *b) {
    for (size_t i = 0; i < changes->count; i++)
        if (change_is_apart(&changes->places[i]) && a[i] != b[i])
            return false;
    return true;
}

struct change_variants *variants_with(struct change_variants *variants, const size_t *choice) {
    struct change_variants *first = variants, *last = variants;
    for (; variants != NULL; last = variants, variants = variants->next)
        if (same_barriers(variants->changes, variants->barriers, choice))
            return variants->program == NULL ? NULL : variants;
    struct diagnostics ignored;
    diagnostics_init(&ignored, first->arena);
    struct change_variants *more = build(first, choice, &ignored);
    last->next = more;
    return more->program == NULL ? NULL : more;
}

static void set_form(const struct program *program, struct event *event,
                     const struct change_form *form) {
    if (!form->is_present) {
        event->executes = expr_bool(program->pool, false);
        return;
    }
    event->order = form->order;
    event->scope = form->scope;
    if (event->kind == EVENT_PROXY_FENCE)
        event->space = form->space;
}

const struct program *variants_program(struct arena *arena, struct change_variants *variants,
                                       const size_t *choice) {
    variants = variants_with(variants, choice);
    if (variants == NULL)
        return NULL;
    const struct program *program = variants->program;
    struct program *changed = arena_copy(arena, program, 1, sizeof *program);
    changed->events =
        arena_copy(arena, program->events, program->event_count, sizeof *program->events);
    for (size_t e = 0; e < program->event_count; e++)
        if (variants->places[e] >= 0) {
            const struct change_place *place = &variants->changes->places[variants->places[e]];
            set_form(program, &changed->events[e], &place->forms[choice[variants->places[e]]]);
        }
    return changed;
}
