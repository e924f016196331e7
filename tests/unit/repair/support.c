#include "support.h"

struct test *test_of(struct arena *arena, const char *text) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "test.litmus", text, strlen(text));
    struct test *test = test_read(arena, source, SYNTAX_GUESS, &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        print_error("%s", diag_render(arena, &diagnostics.items[i]));
    assert_non_null(test);
    return test;
}

struct changes *changes_of(struct arena *arena, const struct test *test,
                           enum change_direction direction, const struct ptx_target *target) {
    struct diagnostics diagnostics;
    struct costs costs = costs_default();
    struct change_limit limit = {target != NULL ? target->ptx : PTX_NEWEST, target};
    struct change_options options = {
        .direction = direction, .limits = &limit, .limit_count = 1, .costs = &costs};
    diagnostics_init(&diagnostics, arena);
    struct changes *changes = changes_find(arena, test, &options, &diagnostics);
    assert_non_null(changes);
    return changes;
}

size_t place_in_line(const struct changes *changes, enum change_kind kind, unsigned line) {
    for (size_t i = 0; i < changes->count; i++)
        if (changes->places[i].kind == kind &&
            source_position(changes->file, changes->places[i].span.begin).line == line)
            return i;
    fail_msg("no place of kind %d in line %u", (int)kind, line);
    return 0;
}

size_t form_with_text(const struct changes *changes, size_t place, const char *text) {
    for (size_t i = 0; i < changes->places[place].form_count; i++)
        if (strcmp(changes->places[place].forms[i].text, text) == 0)
            return i;
    fail_msg("place %zu has no form '%s'", place, text);
    return 0;
}

const char *forms_text(struct arena *arena, const struct changes *changes, size_t place) {
    const char *text = "";
    for (size_t i = 0; i < changes->places[place].form_count; i++)
        text = arena_format(
            arena, "%s%s%s", text, i > 0 ? " " : "",
            *changes->places[place].forms[i].text ? changes->places[place].forms[i].text : "-");
    return text;
}
