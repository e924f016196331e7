// Bodies as a whole: several errors in one, going on after an error, warnings, constants, and input
// that wants to do harm.
#include "tests/unit/litmus/ptx/messages.h"

#include "litmus/ptx/constant.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void test_several_errors(void **state) {
    (void)state;
    check_messages("PTX t\n"
                   "x = 0;\n"
                   "P0@cta 0 {\n"
                   "  ld.acquire.u32 %r0, [x];\n"
                   "  st.weak.u32 [x], 1;\n"
                   "  st.acquire.gpu.u32 [x], 1;\n"
                   "  st.u32 [x+1], 4294967296;\n"
                   "}\n"
                   "P1@cta 1 {\n"
                   "  fnce.gpu;\n"
                   "}\n"
                   "exists (x == 0)\n",
                   "t.litmus:4:5: error: '.acquire' needs a scope: .cta, .cluster, .gpu or .sys\n"
                   "  ld.acquire.u32 %r0, [x];\n"
                   "    ^^^^^^^^\n"
                   "t.litmus:6:5: error: 'st' takes .weak, .relaxed, .release or .volatile, but "
                   "not .acquire\n"
                   "  st.acquire.gpu.u32 [x], 1;\n"
                   "    ^^^^^^^^\n"
                   "hint: a store can release; acquiring is for loads, atomics and fences\n"
                   "t.litmus:7:10: error: this address is misaligned: '.u32' is accessed at "
                   "multiples of 4 bytes\n"
                   "  st.u32 [x+1], 4294967296;\n"
                   "         ^^^^^\n"
                   "hint: [x] or [x+4]\n"
                   "t.litmus:7:17: error: '4294967296' does not fit .u32\n"
                   "  st.u32 [x+1], 4294967296;\n"
                   "                ^^^^^^^^^^\n"
                   "hint: 32 bits hold -2147483648 to 4294967295\n"
                   "t.litmus:10:3: error: 'fnce' is not a PTX instruction\n"
                   "  fnce.gpu;\n"
                   "  ^^^^\n"
                   "hint: did you mean 'fence'?\n");
}

// A forgotten ';' costs one statement's message and leaves the next one whole.
static void test_missing_semicolon(void **state) {
    (void)state;
    check_messages("PTX t\n"
                   "x = 0;\n"
                   "P0@cta 0 {\n"
                   "  st.u32 [x], 1\n"
                   "  st.u32 [x], 2\n"
                   "  @%p0 bra L\n"
                   "L:\n"
                   "  .reg .b32 %r0\n"
                   "}\n"
                   "exists (x == 0)\n",
                   "t.litmus:4:16: error: a ';' is missing at the end of this statement\n"
                   "  st.u32 [x], 1\n"
                   "               ^\n"
                   "t.litmus:5:16: error: a ';' is missing at the end of this statement\n"
                   "  st.u32 [x], 2\n"
                   "               ^\n"
                   "t.litmus:6:13: error: a ';' is missing at the end of this statement\n"
                   "  @%p0 bra L\n"
                   "            ^\n"
                   "t.litmus:8:16: error: a ';' is missing at the end of this statement\n"
                   "  .reg .b32 %r0\n"
                   "               ^\n");
}

static void test_table_columns(void **state) {
    (void)state;
    check_messages("PTX t\n"
                   "x = 0;\n"
                   " P0@cta 0         | P1@cta 1          ;\n"
                   " st.u32 [x], 1, 2 | ld.u32 %r0, [x]   ;\n"
                   " st.u32 [x]       | ld.relaxed.u32 %r0, [x] ;\n"
                   "exists (x == 0)\n",
                   "t.litmus:4:17: error: 'st' takes 2 operands, [a], b; got 3\n"
                   " st.u32 [x], 1, 2 | ld.u32 %r0, [x]   ;\n"
                   "                ^\n"
                   "hint: a cache policy needs '.L2::cache_hint'\n"
                   "t.litmus:5:2: error: 'st' takes 2 operands, [a], b; got 1\n"
                   " st.u32 [x]       | ld.relaxed.u32 %r0, [x] ;\n"
                   " ^^^^^^\n"
                   "t.litmus:5:23: error: '.relaxed' needs a scope: .cta, .cluster, .gpu or .sys\n"
                   " st.u32 [x]       | ld.relaxed.u32 %r0, [x] ;\n"
                   "                      ^^^^^^^^\n");
}

// Undeclared registers are allowed among declared ones, but look misspelt.
// Threads of one kernel share what their bodies declare; a thread that does not declare a name does
// not know it.
static void test_variables_of_bodies(void **state) {
    (void)state;
    struct reading reading = read_clean("PTX t\nx = 0;\n"
                                        "P0@cta 0 {\n"
                                        "  .shared .align 8 .b8 buf[16], more[2];\n"
                                        "  .const .u64 c[2] = {7, x};\n"
                                        "  st.shared.u64 [buf+8], 1;\n"
                                        "}\n"
                                        "P1@cta 0 {\n"
                                        "  .const .u64 c[2] = {7, x};\n"
                                        "  .shared .align 8 .b8 buf[16];\n"
                                        "  { .local .u32 inner; st.local.u32 [inner], 1; }\n"
                                        "  ld.const.u64 %a, [c+8];\n"
                                        "}\n"
                                        "exists (x == 0)\n");
    const struct test *test = reading.test;
    static const char *const names[] = {"x", "buf", "more", "c", "inner"};
    assert_int_equal(test->variable_count, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(test->variables[i].name, names[i]);
    assert_int_equal(test->variables[1].space, SPACE_SHARED);
    assert_int_equal(test->variables[1].alignment, 8);
    assert_int_equal(test->variables[1].element_count, 16);
    assert_int_equal(test->variables[3].initial[0].value.low, 7);
    assert_int_equal(test->variables[3].initial[1].variable, 0);
    close_reading(&reading);
    check_messages("PTX t\nx = 0;\n"
                   "P0@cta 0 {\n"
                   "  .shared .u32 s; .const .u32 c = 1; .local .u32 only;\n"
                   "}\n"
                   "P1@cta 0 {\n"
                   "  .shared .u64 s;\n"
                   "  .const .u32 c = 2;\n"
                   "  ld.local.u32 %r0, [only];\n"
                   "}\n"
                   "exists (x == 0)\n",
                   "t.litmus:7:16: error: another thread declares 's' differently\n"
                   "  .shared .u64 s;\n"
                   "               ^\n"
                   "hint: its declaration is on line 4\n"
                   "t.litmus:8:15: error: another thread declares 'c' differently\n"
                   "  .const .u32 c = 2;\n"
                   "              ^\n"
                   "hint: its declaration is on line 4\n");
    check_messages("PTX t\nx = 0;\n"
                   "P0@cta 0 { .local .u32 only; }\n"
                   "P1@cta 0 { ld.local.u32 %r1, [only]; }\n"
                   "exists (x == 0)\n",
                   "t.litmus:4:31: error: 'only' is neither a variable nor a register that this "
                   "thread writes\n"
                   "P1@cta 0 { ld.local.u32 %r1, [only]; }\n"
                   "                              ^^^^\n"
                   "hint: the variable of that name is declared in another body\n");
}

static void test_warnings(void **state) {
    (void)state;
    struct reading reading = read_text("PTX t\n"
                                       "x = 0;\n"
                                       "P0@cta 0 {\n"
                                       "  .reg .b32 %count, %r<2>;\n"
                                       "  ld.u32 %cuont, [x];\n"
                                       "  mov.u32 %r2, 1;\n"
                                       "  mov.u32 %other, 1;\n"
                                       "}\n"
                                       "exists (x == 0)\n");
    assert_non_null(reading.test);
    assert_string_equal(messages(&reading), "t.litmus:5:10: warning: '%cuont' is not declared\n"
                                            "  ld.u32 %cuont, [x];\n"
                                            "         ^^^^^^\n"
                                            "hint: did you mean '%count'?\n"
                                            "t.litmus:6:11: warning: '%r2' is not declared\n"
                                            "  mov.u32 %r2, 1;\n"
                                            "          ^^^\n"
                                            "hint: '%r<2>' on line 4 declares %r0 to %r1\n");
    close_reading(&reading);
}

// --- Blocks ------------------------------------------------------------------------------------

// A block's registers and labels are its own; a condition means those of the body.
static void test_blocks(void **state) {
    (void)state;
    struct reading reading = read_clean("PTX t\n"
                                        "x = 0;\n"
                                        "P0@cta 0 {\n"
                                        "  .reg .b32 %r<4>;\n"
                                        "  {\n"
                                        "    .reg .b64 %r1; .reg .pred %q<2>;\n"
                                        "    mov.u64 %r1, x;\n"
                                        "    { .reg .b16 %r1; mov.u16 %r1, 1; bra L; }\n"
                                        "    ld.u32 %r0, [%r1];\n"
                                        "    setp.eq.u32 %q1, %r0, 0;\n"
                                        "    @%q1 bra end;\n"
                                        "    L:\n"
                                        "  }\n"
                                        "  { L: bra L; }\n"
                                        "  mov.u32 %r1, %r0;\n"
                                        "end:\n"
                                        "}\n"
                                        "exists (P0:%r1 == 0)\n");
    const struct thread *thread = &reading.test->threads[0];
    static const struct {
        unsigned instruction, width;
    } destinations[] = {{0, 64}, {1, 16}, {3, 32}, {4, 1}, {7, 32}};
    for (size_t i = 0; i < COUNT(destinations); i++) {
        int reg = thread->instructions[destinations[i].instruction].operands[0].reg;
        assert_int_equal(thread->registers[reg].width, destinations[i].width);
    }
    const struct instruction *instructions = thread->instructions;
    assert_int_equal(instructions[3].operands[1].reg, instructions[0].operands[0].reg);
    assert_int_equal(instructions[4].operands[1].reg, instructions[3].operands[0].reg);
    assert_int_equal(reading.test->condition->lhs.reg, instructions[7].operands[0].reg);
    static const struct { unsigned instruction, target; } branches[] = {{2, 6}, {5, 8}, {6, 6}};
    for (size_t i = 0; i < COUNT(branches); i++) {
        int label = instructions[branches[i].instruction].operands[0].label;
        assert_int_equal(thread->labels[label].target, branches[i].target);
    }
    close_reading(&reading);
}

static void test_block_errors(void **state) {
    (void)state;
    check_messages("PTX t\n"
                   "x = 0;\n"
                   "P0@cta 0 {\n"
                   "  { .reg .b32 %a, %a; L: exit; }\n"
                   "  bra L;\n"
                   "}\n"
                   "exists (x == 0)\n",
                   "t.litmus:4:19: error: register '%a' is declared twice\n"
                   "  { .reg .b32 %a, %a; L: exit; }\n"
                   "                  ^^\n"
                   "hint: the first declaration is on line 4, column 15\n"
                   "t.litmus:5:7: error: there is no label 'L'\n"
                   "  bra L;\n"
                   "      ^\n"
                   "hint: the label of that name belongs to another block\n");
    check_messages("PTX t\n"
                   "x = 0;\n"
                   " P0@cta 0 | P1@cta 1 ;\n"
                   " { exit   | exit }   ;\n"
                   "exists (x == 0)\n",
                   "t.litmus:4:2: error: this '{' is never closed\n"
                   " { exit   | exit }   ;\n"
                   " ^\n"
                   "t.litmus:4:17: error: a ';' is missing at the end of this statement\n"
                   " { exit   | exit }   ;\n"
                   "                ^\n"
                   "t.litmus:4:18: error: this '}' has no '{' before it\n"
                   " { exit   | exit }   ;\n"
                   "                 ^\n");
}

// --- Constants ---------------------------------------------------------------------------------

static void test_constants(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
        bool is_unsigned;
    } rows[] = {
        {"5", 5, false},
        {"5U", 5, true},
        {"0x7fffffffffffffff", INT64_MAX, false},
        {"0xffffffffffffffff", -1, true},
        {"-9223372036854775808", INT64_MIN, true},
        {"- - 3", 3, false},
        {"~0", -1, false},
        {"!7", 0, false},
        {"1 + 2 * 3", 7, false},
        {"(1 + 2) * 3", 9, false},
        {"10 - 4 - 3", 3, false},
        {"-7 / 2", -3, false},
        {"-7 % 2", -1, false},
        {"(-9223372036854775807 - 1) / -1", INT64_MIN, false},
        {"(-9223372036854775807 - 1) % -1", 0, false},
        {"1 << 4 | 1", 17, false},
        {"-16 >> 2", -4, false},
        {"-1 >> 64", -1, false},
        {"1 << 64", 0, false},
        {"0xffffffffffffffff >> 60", 15, true},
        {"6 & 3 ^ 1", 3, false},
        {"-1 < 0", 1, false},
        {"-1 < 0U", 0, false},
        {"2 >= 2 && 3 != 4 || 0", 1, false},
        {"1 ? 2 : 3", 2, false},
        {"0 ? 2 : 0 ? 3 : 4", 4, false},
        {"(.u64) -1", -1, true},
        {"(.s64) 0xffffffffffffffff", -1, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reading reading = open_text(rows[i].text, strlen(rows[i].text));
        size_t count;
        const struct token *at = lexer_tokens(reading.arena, reading.source, 0,
                                              reading.source->size, &reading.diagnostics, &count);
        struct ptx_constant constant;
        assert_true(ptx_parse_constant(reading.arena, &reading.diagnostics, &at, &constant));
        assert_int_equal(at->kind, TOKEN_END);
        assert_true((int64_t)constant.value == rows[i].value);
        assert_int_equal(constant.is_unsigned, rows[i].is_unsigned);
        assert_int_equal(constant.span.begin, 0);
        assert_int_equal(constant.span.end, strlen(rows[i].text));
        close_reading(&reading);
    }
}

// --- Harm --------------------------------------------------------------------------------------

// Text that repeats `piece`, between `before` and `after`.
static struct reading read_repeated(const char *before, const char *piece, size_t times,
                                    const char *after) {
    size_t length = strlen(piece);
    struct arena *arena = arena_new();
    char *middle = arena_alloc(arena, times * length + 1);
    for (size_t i = 0; i < times; i++)
        memcpy(middle + i * length, piece, length);
    struct reading reading = read_statement(arena_format(arena, "%s%s%s", before, middle, after));
    arena_free(arena);
    return reading;
}

static void test_harm(void **state) {
    (void)state;
    static const struct {
        const char *before, *piece, *after;
        bool reads;
    } rows[] = {
        {"mov.u32 %u0, ", "(", "1;", false},
        {"mov.u32 %u0, ", "-", "1;", false},
        {"mov.u32 %u0, ", "1 ? 1 : ", "1;", false},
        {"mov.u32 %u0, 0", " + 0", ";", true},
        {"ld", ".relaxed", ".u32 %u0, [x];", false},
        {"ld.u32 ", "%u0, ", "[x];", false},
        {"ld.v2.u32 {", "%u0, ", "%u1}, [x];", false},
        {"", "{", "}", false},
        {"", "{ .reg .b32 %a; mov.u32 %a, 1; }", "", false}, // more blocks than a body may have
        {"", "bra there;", "", false},
        {"", "@", " exit;", false},
        {"", "add.u32 %u0, %u0, 1;\n", "", true},
        {"", ".reg .b32 %zz<1>;", "", false},
        {"", "[", ";", false},
        {"", "exit\n", "", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t count = rows[i].piece[0] == '{' && rows[i].piece[1] != '\0' ? 11000 : 5000;
        struct reading reading = read_repeated(rows[i].before, rows[i].piece, count, rows[i].after);
        assert_int_equal(reading.test != NULL, rows[i].reads);
        close_reading(&reading);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_several_errors),
        cmocka_unit_test(test_missing_semicolon),
        cmocka_unit_test(test_table_columns),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_variables_of_bodies),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_block_errors),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
