// Statements are put into CUDA C++ outside of the blocks of `if` and loops, and arguments of calls
// are found.
#include "cli/input/cuda.h"
#include "cli/input/cuda_places.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const char text[] = "__device__ void wait(int *m, int phase) {\n" // 1
                           "    while (!try_wait(m, phase)) {\n"
                           "    }\n"
                           "}\n"
                           "__global__ void k(int *p, int n) {\n" // 5
                           "    for (int i = 0; i < n; i++) {\n"
                           "        if (i > 0) { // }\n"
                           "            p[i] = f(i,\n"
                           "                     \")\");\n"
                           "        } else {\n" // 10
                           "            g(p, (i, 1));\n"
                           "        }\n"
                           "        wait(p, i & 1);\n"
                           "    }\n"
                           "}\n"; // 15

static void expect_places(struct cuda_places places, const unsigned *lines, size_t count) {
    assert_int_equal(places.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(places.lines[i], lines[i]);
}

static void test_before(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *code = cuda_without_comments(arena, text);
    expect_places(cuda_places_before(code, 8), (const unsigned[]){8, 7, 6}, 3);
    expect_places(cuda_places_before(code, 11), (const unsigned[]){11, 6}, 2); // not before `else`
    expect_places(cuda_places_before(code, 2), (const unsigned[]){2}, 1);
    arena_free(arena);
}

static void test_after(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *code = cuda_without_comments(arena, text);
    expect_places(cuda_places_after(code, 8), (const unsigned[]){14, 15}, 2); // not before `else`
    expect_places(cuda_places_after(code, 11), (const unsigned[]){12, 13, 14, 15}, 4);
    expect_places(cuda_places_after(code, 13), (const unsigned[]){14, 15}, 2);
    expect_places(cuda_places_after(code, 99), NULL, 0);
    arena_free(arena);
}

static void test_functions(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *code = cuda_without_comments(arena, text);
    assert_string_equal(cuda_place_function(arena, code, 3), "wait");
    assert_string_equal(cuda_place_function(arena, code, 11), "k");
    assert_null(cuda_place_function(arena, code, 1));
    assert_null(cuda_place_function(arena, "{\n", 2));
    arena_free(arena);
}

static void test_calls(void **state) {
    (void)state;
    static const char *const names[] = {"wait", "g"};
    struct arena *arena = arena_new();
    const char *code = cuda_without_comments(arena, text);
    size_t count;
    const struct cuda_call *calls = cuda_calls(arena, code, names, 2, &count);
    assert_int_equal(count, 2); // a definition is not a call
    assert_int_equal(calls[0].line, 11);
    assert_memory_equal(text + calls[0].argument, "(i, 1)", calls[0].argument_size);
    assert_int_equal(calls[1].line, 13);
    assert_int_equal(calls[1].argument_size, strlen("i & 1"));
    assert_memory_equal(text + calls[1].argument, "i & 1", calls[1].argument_size);
    assert_string_equal(cuda_call_argument(arena, code, &calls[1], 0), "p");
    assert_null(cuda_call_argument(arena, code, &calls[1], 2));
    cuda_calls(arena, "wait(", names, 2, &count);
    assert_int_equal(count, 0);
    cuda_calls(arena, "wait()", names, 2, &count);
    assert_int_equal(count, 0);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before),
        cmocka_unit_test(test_after),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
