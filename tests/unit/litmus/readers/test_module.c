// Modules as `inspect` reads them: every form of the instruction table is read, and said to be
// modelled where it is.
#include "tests/unit/litmus/reading.h"

#include "litmus/ptx/instructions.h"
#include "litmus/readers/module/module.h"

// Which alternative of each slot is written: the first, but for one slot.
struct choice {
    bool optional;        // slots that may be left out are filled
    size_t slot, instead; // of this slot, so many alternatives are skipped
};

// The form's opcode with these alternatives; NULL where the slot has no such one.
static const char *spell(struct arena *arena, const struct form *form,
                         const struct choice *choice) {
    const char *text = form->name, *cursor = form->qualifiers;
    struct slot slot;
    bool found = choice->instead == 0;
    for (size_t i = 0; ptx_next_slot(&cursor, &slot); i++) {
        struct piece rest = slot.alternatives, one;
        bool chosen = i == choice->slot && choice->instead > 0;
        if (slot.implied || (slot.optional && !choice->optional && !chosen))
            continue;
        for (size_t skipped = 0; ptx_next_alternative(&rest, &one); skipped++)
            if (skipped == (chosen ? choice->instead : 0)) {
                text = arena_format(arena, "%s%.*s", text, (int)one.length, one.text);
                found = found || chosen;
                break;
            }
    }
    return found ? text : NULL;
}

static void check_opcode(const char *opcode, bool is_read) {
    struct arena *arena = arena_new();
    const char *text =
        arena_format(arena, ".version 9.4\n.target sm_100a\n.entry k() {\n %s;\n}\n", opcode);
    struct reading reading = open_text(text, strlen(text));
    const struct module *module = module_read(reading.arena, reading.source, &reading.diagnostics);
    if (module == NULL)
        fail_msg("%s", messages(&reading));
    assert_int_equal(module->functions[0].statement_count, 1);
    const struct module_opcode *found = module->functions[0].statements[0].opcode;
    assert_string_equal(found->text, opcode);
    if ((found->missing == NULL) != is_read)
        fail_msg("%s: %s", opcode, is_read ? found->missing : "is read");
    close_reading(&reading);
    arena_free(arena);
}

static size_t slots_of(const struct form *form) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    size_t count = 0;
    while (ptx_next_slot(&cursor, &slot))
        count++;
    return count;
}

// A form is written in the shortest way, in the longest one, and with each alternative of a slot.
static size_t check_form(const struct form *form) {
    struct arena *arena = arena_new();
    size_t checked = 2;
    check_opcode(spell(arena, form, &(struct choice){0}), form->outside == NULL);
    check_opcode(spell(arena, form, &(struct choice){.optional = true}), form->outside == NULL);
    for (size_t slot = 0, count = slots_of(form); slot < count; slot++)
        for (struct choice choice = {.slot = slot, .instead = 1};; choice.instead++, checked++) {
            const char *opcode = spell(arena, form, &choice);
            if (opcode == NULL)
                break;
            check_opcode(opcode, form->outside == NULL);
        }
    arena_free(arena);
    return checked;
}

// What one form of a name takes another one may, too; then it is read.
static void test_every_form(void **state) {
    (void)state;
    size_t count, checked = 0;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++)
        if (forms[i].outside == NULL)
            checked += check_form(&forms[i]);
    assert_true(checked > 2 * count);
}

// What is not read passes as well, and is named.
static void test_unread(void **state) {
    (void)state;
    size_t count;
    const struct unread *rows = ptx_unread_rows(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].qualifiers == NULL && strcmp(rows[i].names, "call") != 0)
            check_opcode(rows[i].names, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form),
        cmocka_unit_test(test_unread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
