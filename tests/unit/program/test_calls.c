// Functions and calls: what they compute, how parameters are passed, and what is wrong with them.
#include "tests/unit/program/program_fixture.h"
#include "tests/unit/litmus/reading.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const functions =
    ".extern .func (.reg .b32 out) add1 (.reg .b32 in);\n"
    ".func (.reg .b32 out) add1 (.reg .b32 in) {\n"
    "  .reg .b32 t; mov.u32 t, in; add.u32 out, t, 1; ret;\n}\n"
    ".func (.reg .b32 out) add2 (.reg .b32 in) {\n"
    "  call (out), add1, (in);\n  call.uni (out), add1, (out);\n}\n"
    ".func store (.reg .b64 to, .reg .b32 value) { st.relaxed.gpu.global.u32 [to], value; }\n"
    ".func last () { exit; }\n"
    ".func (.reg .pred out) even (.reg .b32 in) {\n"
    "  and.b32 %low, in, 1; setp.eq.u32 out, %low, 0;\n}\n";

// The value of %v after the code.
static uint64_t result(const char *code) {
    struct arena *arena = arena_new();
    uint64_t value = fixture_result(
        arena_format(
            arena,
            "PTX t\n.global .u32 x;\n%sP0@cta 0 {\n"
            ".reg .b32 %%v, %%w, t; .reg .pred %%p, %%q; mov.u32 %%v, 1; mov.u32 t, 77;\n%s\n}\n"
            "exists (P0:%%v == 0)\n",
            functions, code),
        0);
    arena_free(arena);
    return value;
}

static void results(void **state) {
    (void)state;
    static const struct {
        const char *code;
        uint64_t expected;
    } rows[] = {
        {"call (%v), add1, (7);", 8},
        {"call.uni (%v), add1, (%v);", 2},
        {"call (%v), add2, (7);", 9},
        {"call (_), add1, (7);", 1},
        {"call (%w), add1, (7); mov.u32 %v, t;", 77}, // the function's t is another one
        {"setp.eq.u32 %p, %v, 1; @%p call (%v), add1, (7);", 8},
        {"setp.eq.u32 %p, %v, 1; @!%p call (%v), add1, (7);", 1},
        {"call (%p), even, (6); selp.u32 %v, 3, 4, %p;", 3},
        {"call last; mov.u32 %v, 9;", 1}, // exit is the thread's
        {"call last, (); mov.u32 %v, 9;", 1},
        {"call (), last, (); mov.u32 %v, 9;", 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (result(rows[i].code) != rows[i].expected)
            fail_msg("%s: %llu", rows[i].code, (unsigned long long)result(rows[i].code));
}

// Accesses in functions are the thread's events.
static void events(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct program_fixture *f =
        fixture_build(arena_format(arena,
                                   "PTX t\n.global .u32 x;\n%s"
                                   "P0@cta 0 { mov.u64 %%rd0, x; call store, (%%rd0, 3); }\n"
                                   "P1@cta 1 { mov.u64 %%rd0, x; call store, (%%rd0, 4); }\n"
                                   "exists (x == 3)\n",
                                   functions));
    for (int thread = 0; thread < 2; thread++) {
        assert_int_equal(fixture_event_count(f, thread), 1);
        const struct event *write = fixture_event(f, thread, EVENT_WRITE, 0);
        assert_int_equal(write->order, ORDER_RELAXED);
        assert_int_equal(fixture_value(f, write->access->value), 3 + thread);
    }
    fixture_free(f);
    arena_free(arena);
}

// --- Messages ----------------------------------------------------------------------------------

// Code that is wrong, and the first line of what is said about it.
struct wrong_call {
    const char *function, *code, *message;
};

static void check_wrong_call(const struct wrong_call *row) {
    struct arena *arena = arena_new();
    const char *text = arena_format(arena,
                                    "PTX t\nx = 0;\n%s\nP0@cta 0 {\n.reg .b64 %%d0; .reg .b32 "
                                    "%%u0; .reg .pred %%p0;\n%s\n}\nexists (x == 0)\n",
                                    row->function, row->code);
    struct reading reading = read_bytes(text, strlen(text), SYNTAX_PTX);
    assert_null(reading.test);
    bool found = false;
    for (size_t k = 0; k < reading.diagnostics.count; k++)
        found |= strcmp(reading.diagnostics.items[k].message, row->message) == 0;
    if (!found)
        fail_msg("%s %s: %s", row->function, row->code,
                 reading.diagnostics.count ? reading.diagnostics.items[0].message : "nothing");
    close_reading(&reading);
    arena_free(arena);
}

static void wrong_arguments(void **state) {
    (void)state;
    static const struct wrong_call rows[] = {
        {"", "call nothing;", "there is no function 'nothing'"},
        {".func f (.reg .b32 a);", "call f, (1);", "function 'f' has no body"},
        {".func f () { } .func f () { }", "call f;", "function 'f' is defined twice"},
        {".func f (.reg .b32 a) { }", "call f;", "'f' takes 1 argument, got 0"},
        {".func (.reg .b32 a) f () { mov.u32 a, 1; }", "call f;", "'f' returns 1 result, got 0"},
        {".func f (.reg .b32 a) { }", "call f, (%d0);",
         "'%d0' is declared .b64, and this operand is .b32"},
        {".func f (.reg .b32 a) { }", "call f, (x);", "'x' is not a .param variable of this body"},
        {".func f (.param .b64 a) { }", ".param .b32 p; call f, (p);",
         "'p' has 4 bytes, and parameter 'a' has 8"},
        {".func f (.param .b32 a) { st.param.b32 [a], 1; }", "call f, (1);",
         "'a' is an input parameter, which a function only reads"},
        {".func (.param .b32 a) f () { ld.param.b32 t, [a]; }", "call (%u0), f;",
         "'a' is a return parameter, which a function only writes"},
        {".func f (.param .align 8 .b8 a[8]) { }", ".param .b8 p[8]; call f, (p);",
         "'p' is aligned to 1 bytes, and parameter 'a' to 8"},
        {".func f (.param .align 4 .align 8 .b8 a[8]) { }", "call f, (1);",
         "expected one alignment alone, not '.align'"},
        {".func f (.param .align 3 .b8 a[8]) { }", "call f, (1);",
         "expected a power of two, not '3'"},
        {".func f (.param .align 4294967304 .b8 a[8]) { }", "call f, (1);",
         "expected a power of two, not '4294967304'"},
        {".func f (.reg .align 4 .b32 a) { }", "call f, (1);",
         "expected a type, as registers are not aligned, not '.align'"},
        {".func f (.param .f32 a) { }", ".param .u32 p; call f, (p);",
         "'p' is .u32, and parameter 'a' is .f32"},
        {".func (.param .b32 a, .param .b32 b) f () { }", "call (%u0, %u0), f;",
         "a function that returns several values returns them in .reg"},
        {".func (.reg .b32 a) f (.reg .b32 a) { }", "call (%u0), f, (1);",
         "two parameters are named 'a'"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        check_wrong_call(&rows[i]);
}

static void wrong_functions(void **state) {
    (void)state;
    static const struct wrong_call rows[] = {
        {".func g () { call f; } .func f () { }", "call g;",
         "function 'f' is declared after this call"},
        {".func f (.param .b32 a); .func f (.param .b64 a) { }", "call f, (1);",
         "this prototype has other parameters or results than function 'f'"},
        {".func f (.reg .b32 a); .func f () { }", "call f;",
         "this prototype has other parameters or results than function 'f'"},
        {".extern .func f () { }", "call f;",
         "'.extern' says that 'f' is defined elsewhere, but it has a body here"},
        {".func x () { }", "", "'x' is a variable, too"},
        {".func f () { }", "mov.u64 %d0, f;",
         "'f' is a function: addresses of functions are not read"},
        {".func f () { } .global .u64 p = f;", "",
         "'f' is a function: addresses of functions are not read"},
        {".func f () { call f; }", "call f;", "calls are nested more than 32 deep"},
        {".func f () { bra Out; }", "call f; Out:", "there is no label 'Out'"},
        {".func f () { mov.u32 %u0, t; .shared .u32 s; }", "call f;",
         "functions can only declare .reg, .local and .param variables"},
        {".func f (.reg a) { }", "call f, (1);", "expected a type, not 'a'"},
        {".func f (.local .b32 a) { }", "call f, (1);",
         "expected '.reg' or '.param', not '.local'"},
        {".func f () { }", "call %u0, f;", "calls through a register are not read: '%u0'"},
        {".func f () { }", "call f, () x;", "expected ';', not 'x'"},
        {".func f () {", "", "this '{' is never closed"},
        {".func ( f () { }", "", "this '(' is never closed"},
        {".func 5 () { }", "", "expected the name of a function, not '5'"},
        {"", ".param .b32 p; mov.u32 %u0, p;",
         "'p' is a .param variable of a body, which has no address"},
        {"", ".param .b32 p; @%p0 st.param.b32 [p], 1;",
         "'st.param' of what a call passes cannot be predicated"},
        {".func f (.param .b32 a) { mov.u32 %r, a; }", ".param .b32 p; call f, (p); call f, (p);",
         "'p' was a parameter whose address was taken: it is not passed again"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        check_wrong_call(&rows[i]);
}

// Calls that double with each function do not make a huge program.
static void limits(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *text = "PTX t\nx = 0;\n.func f0 () { st.global.u32 [x], 1; }\n";
    for (int i = 1; i < 30; i++)
        text =
            arena_format(arena, "%s.func f%d () { call f%d; call f%d; }\n", text, i, i - 1, i - 1);
    text = arena_format(arena, "%sP0@cta 0 { call f29; }\nexists (x == 0)\n", text);
    struct reading reading = read_bytes(text, strlen(text), SYNTAX_PTX);
    assert_null(reading.test);
    close_reading(&reading);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results),         cmocka_unit_test(events),
        cmocka_unit_test(wrong_arguments), cmocka_unit_test(wrong_functions),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
