// The targets: what their files say, and that the instruction table agrees with it.
#include "litmus/ptx/match.h"
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

enum { COUNT_OF_TARGETS = 22 };

static void test_list(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned architecture, ptx, ctas;
    } rows[COUNT_OF_TARGETS] = {
        {"sm_70", 70, 60, 1},     {"sm_72", 72, 61, 1},      {"sm_75", 75, 63, 1},
        {"sm_80", 80, 70, 1},     {"sm_86", 86, 71, 1},      {"sm_87", 87, 74, 1},
        {"sm_89", 89, 78, 1},     {"sm_90", 90, 78, 16},     {"sm_90a", 90, 80, 16},
        {"sm_100", 100, 86, 16},  {"sm_100a", 100, 86, 16},  {"sm_103", 103, 88, 16},
        {"sm_103a", 103, 88, 16}, {"sm_110", 110, 90, 8},    {"sm_110a", 110, 90, 8},
        {"sm_120", 120, 87, 16},  {"sm_120a", 120, 87, 16},  {"sm_121", 121, 88, 8},
        {"sm_121a", 121, 88, 8},  {"in-order", 121, 91, 16}, {"mca", 121, 91, 16},
        {"sc", 121, 91, 16},
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
        assert_int_equal(targets[i].ptx.specific, suffix);
        assert_int_equal(target_is_simulated(&targets[i]), i >= 19);
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

// The first architecture of an instruction.
static unsigned first_architecture(const char *text) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "text", text, strlen(text));
    size_t count;
    const struct token *tokens = lexer_tokens(arena, source, 0, source->size, &diagnostics, &count);
    struct opcode_text opcode = {.name = token_text(arena, &tokens[0]), .span = tokens[0].span};
    for (size_t at = 1; tokens[at].kind == TOKEN_QUALIFIER; at++) {
        const char *spelling = token_text(arena, &tokens[at]);
        const char *longer = arena_format(arena, "%s%s", opcode.name, spelling);
        size_t forms;
        if (opcode.count == 0 && ptx_forms_named(longer, &forms))
            opcode.name = longer;
        else
            opcode.written[opcode.count++] = (struct written){&tokens[at], spelling};
    }
    struct match match;
    assert_true(ptx_match(arena, &diagnostics, &opcode, &match));
    unsigned result = ptx_since(&match).sm;
    arena_free(arena);
    return result;
}

// A target has a feature exactly when its architecture has the instructions that need it.
static void test_features(void **state) {
    (void)state;
    static const char *const instructions[FEATURE_COUNT] = {
        [FEATURE_CLUSTERS] = "ld.relaxed.cluster.u32",
        [FEATURE_ONE_DIRECTIONAL_FENCES] = "fence.acquire.gpu",
        [FEATURE_ASYNC_PROXY] = "fence.proxy.async",
        [FEATURE_TENSORMAP_PROXY] = "fence.proxy.tensormap::generic.release.gpu",
        [FEATURE_256_BIT_VECTORS] = "ld.global.v8.u32",
    };
    struct arena *arena = arena_new();
    size_t count;
    const struct target *targets = targets_load(arena, &count);
    for (unsigned f = 0; f < FEATURE_COUNT; f++) {
        unsigned first = first_architecture(instructions[f]);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(targets[i].features[f], targets[i].ptx.architecture >= first);
    }
    arena_free(arena);
}

static void test_versions(void **state) {
    (void)state;
    static const unsigned good[] = {60, 65, 70, 78, 80, 88, 90, 91};
    static const unsigned bad[] = {0, 10, 59, 66, 79, 89, 92, 100, 200};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(ptx_is_version(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(ptx_is_version(bad[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
