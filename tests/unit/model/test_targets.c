// The targets: what their files say.
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/model.h"
#include "model/targets/targets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

enum { COUNT_OF_TARGETS = 30 };

static void test_list(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned architecture, ptx, ctas;
    } rows[COUNT_OF_TARGETS] = {
        {"sm_70", 70, 60, 1},      {"sm_72", 72, 61, 1},     {"sm_75", 75, 63, 1},
        {"sm_80", 80, 70, 1},      {"sm_86", 86, 71, 1},     {"sm_87", 87, 74, 1},
        {"sm_89", 89, 78, 1},      {"sm_90", 90, 78, 16},    {"sm_90a", 90, 80, 16},
        {"sm_100", 100, 86, 16},   {"sm_100a", 100, 86, 16}, {"sm_100f", 100, 88, 16},
        {"sm_103", 103, 88, 16},   {"sm_103a", 103, 88, 16}, {"sm_103f", 103, 88, 16},
        {"sm_107", 107, 94, 16},   {"sm_107a", 107, 94, 16}, {"sm_107f", 107, 94, 16},
        {"sm_110", 110, 90, 8},    {"sm_110a", 110, 90, 8},  {"sm_110f", 110, 90, 8},
        {"sm_120", 120, 87, 16},   {"sm_120a", 120, 87, 16}, {"sm_120f", 120, 88, 16},
        {"sm_121", 121, 88, 8},    {"sm_121a", 121, 88, 8},  {"sm_121f", 121, 88, 8},
        {"in-order", 121, 91, 16}, {"mca", 121, 91, 16},     {"sc", 121, 91, 16},
    };
    struct arena *arena = arena_new();
    size_t count;
    const struct target *targets = targets_load(arena, &count);
    assert_int_equal(count, COUNT_OF_TARGETS);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(targets[i].ptx.name, rows[i].name);
        assert_int_equal(targets[i].ptx.architecture, rows[i].architecture);
        assert_int_equal(targets[i].ptx.ptx, rows[i].ptx);
        assert_int_equal(targets[i].ptx.cluster_ctas, rows[i].ctas);
        bool suffix = strncmp(rows[i].name, "sm_", 3) == 0 && strchr(rows[i].name, 'a');
        bool family = strncmp(rows[i].name, "sm_", 3) == 0 && strchr(rows[i].name, 'f');
        assert_int_equal(targets[i].ptx.specific, suffix);
        assert_int_equal(targets[i].ptx.family, family);
        assert_int_equal(target_is_simulated(&targets[i]), i >= COUNT_OF_TARGETS - 3);
        assert_ptr_equal(targets_find(targets, count, rows[i].name), &targets[i]);
    }
    assert_null(targets_find(targets, count, "sm_60"));
    arena_free(arena);
}

// Every target's model loads, and a simulated one's has more axioms and the same flags.
static void test_models(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    size_t count;
    const struct target *targets = targets_load(arena, &count);
    for (size_t i = 0; i < count; i++) {
        struct model_options options = {.further = targets[i].further,
                                        .further_count = targets[i].further_count};
        struct model *plain = model_load(arena, targets[i].model, &diagnostics);
        struct model *model = model_load_with(arena, targets[i].model, &options, &diagnostics);
        assert_non_null(plain);
        assert_non_null(model);
        if (!target_is_simulated(&targets[i])) {
            assert_int_equal(model->axiom_count, plain->axiom_count);
            assert_string_equal(model->name, plain->name);
            continue;
        }
        assert_string_equal(model->name,
                            arena_format(arena, "%s+%s", plain->name, targets[i].ptx.name));
        assert_true(model->axiom_count > plain->axiom_count);
        for (size_t j = 0; j < plain->axiom_count; j++) {
            assert_string_equal(model->axioms[j].name, plain->axioms[j].name);
            assert_int_equal(model->axioms[j].use, plain->axioms[j].use);
        }
        for (size_t j = plain->axiom_count; j < model->axiom_count; j++)
            assert_int_equal(model->axioms[j].use, AXIOM_REQUIRED);
    }
    arena_free(arena);
}

static void test_versions(void **state) {
    (void)state;
    static const unsigned good[] = {60, 65, 70, 78, 80, 88, 90, 91, 92, 93, 94};
    static const unsigned bad[] = {0, 10, 59, 66, 79, 89, 95, 100, 200};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(ptx_is_version(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(ptx_is_version(bad[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
