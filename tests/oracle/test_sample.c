// The generator: the same tests for a seed everywhere, within its cap.
#include "tests/oracle/sample.h"

#include "litmus/source/hash.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

// The text of a test; the caller frees it.
static char *sample_text(const struct sample_options *options, uint64_t index) {
    struct sample sample;
    struct random random = random_stream(~options->seed, index);
    char *text = NULL;
    size_t size = 0;
    sample_make(&sample, options, index);
    FILE *file = open_memstream(&text, &size);
    sample_print(&sample, &random, file);
    fclose(file);
    return text;
}

// SplitMix64's first outputs for seed 1234567, from the reference implementation.
static void test_random_numbers(void **state) {
    (void)state;
    struct random random = {.state = 1234567};
    assert_int_equal(random_next(&random), 6457827717110365317u);
    assert_int_equal(random_next(&random), 3203168211198807973u);
}

static void test_a_test_depends_on_seed_and_index_alone(void **state) {
    (void)state;
    struct sample_options options = {.seed = 5, .cap = 20000};
    char *first = sample_text(&options, 17);
    free(sample_text(&options, 3));
    char *again = sample_text(&options, 17);
    assert_string_equal(first, again);
    free(again);
    options.seed = 6;
    again = sample_text(&options, 17);
    assert_string_not_equal(first, again);
    free(first);
    free(again);
}

// The fixed seeds of ctest mean fixed tests: when the generator changes, so does this number,
// and the new tests have not been compared with anything yet.
static void test_fixed_seed(void **state) {
    (void)state;
    struct sample_options options = {.seed = 1, .cap = 20000};
    uint64_t hash = HASH_START;
    for (uint64_t i = 0; i < 100; i++) {
        char *text = sample_text(&options, i);
        hash = hash_bytes(hash, text, strlen(text));
        free(text);
    }
    assert_int_equal(hash, 0xf8074e6a3f755b7au);
}

static void test_cap(void **state) {
    (void)state;
    for (enum sample_kind kind = SAMPLE_MIXED; kind < SAMPLE_KINDS; kind++) {
        struct sample_options options = {.seed = 2, .cap = 100, .kind = kind};
        for (uint64_t i = 0; i < 100; i++) {
            struct sample sample;
            sample_make(&sample, &options, i);
            assert_true(sample_cost(&sample) <= 100);
            for (unsigned t = 0; t < sample.thread_count; t++) {
                assert_true(sample.thread[t].line_count < SAMPLE_LINES);
                assert_true(sample.thread[t].loaded_count < SAMPLE_LOADS);
                assert_true(sample.thread[t].seen_count < SAMPLE_LOADS);
                assert_int_equal(sample.thread[t].open_count, 0);
            }
        }
    }
}

// Of every kind, so that the fixed seeds of ctest stay what they are.
static void test_fixed_seed_of_parts(void **state) {
    (void)state;
    static const uint64_t hashes[] = {
        [SAMPLE_PROXIES] = 0x61ee43133bcb1e04u,    [SAMPLE_BRANCHES] = 0xe04d3bd23117d3ceu,
        [SAMPLE_SIZES] = 0xd70c594f4e2637e9u,      [SAMPLE_BARRIERS] = 0x8e8451ef28ab0189u,
        [SAMPLE_RESTRICTED] = 0xa0b6df954e3746aeu, [SAMPLE_FLOATS] = 0xbf720a9582c550b1u,
        [SAMPLE_VALUES] = 0x26971cdbc8fa5c25u,     [SAMPLE_SECTIONS] = 0x0a79a3651146e184u,
        [SAMPLE_MBARRIERS] = 0xcd5ef529092179b9u,  [SAMPLE_ASYNC] = 0x1b1b8dfe59d131efu,
        [SAMPLE_WARPS] = 0xc0fcb23de635a30eu,      [SAMPLE_GRIDS] = 0x7d8475bab3a3cf53u,
        [SAMPLE_MULTIMEM] = 0x8c5c287854fa7fabu,   [SAMPLE_TENSOR] = 0x07e87acad0ac189bu,
        [SAMPLE_LATER] = 0x74980e0d5c4c62d5u,      [SAMPLE_PRODUCTS] = 0xa0769d225eb69d51u};
    for (enum sample_kind kind = SAMPLE_PROXIES; kind < SAMPLE_KINDS; kind++) {
        struct sample_options options = {.seed = 1, .cap = 1000, .kind = kind};
        uint64_t hash = HASH_START;
        for (uint64_t i = 0; i < 100; i++) {
            char *text = sample_text(&options, i);
            hash = hash_bytes(hash, text, strlen(text));
            free(text);
        }
        assert_int_equal(hash, hashes[kind]);
    }
}

static void test_before_9_1(void **state) {
    (void)state;
    struct sample_options options = {.seed = 3, .cap = 20000, .before_9_1 = true};
    for (uint64_t i = 0; i < 300; i++) {
        char *text = sample_text(&options, i);
        assert_null(strstr(text, "cluster"));
        assert_null(strstr(text, "fence.acquire"));
        assert_null(strstr(text, "fence.release"));
        free(text);
    }
    options.kind = SAMPLE_PROXIES;
    for (uint64_t i = 0; i < 300; i++) {
        char *text = sample_text(&options, i);
        assert_null(strstr(text, "async"));
        assert_null(strstr(text, "tensormap"));
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_a_test_depends_on_seed_and_index_alone),
        cmocka_unit_test(test_fixed_seed),
        cmocka_unit_test(test_fixed_seed_of_parts),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_before_9_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
