// Tests of litmus/readers: variables, initial values, aliases, registers' initial values.
#include "tests/unit/litmus/reading.h"

// A test with these declarations and one thread that reads and writes x.
static const char *with_thread(struct arena *arena, const char *declarations) {
    return arena_format(
        arena,
        "PTX T\n%s\nP1@cta 0 {\n .reg .b64 %%rd1; .reg .b32 %%r1; ld.weak.u32 %%r1, [x];\n}\n"
        "exists true",
        declarations);
}

static struct reading read_declarations(const char *declarations) {
    struct arena *arena = arena_new();
    struct reading reading = read_clean(with_thread(arena, declarations));
    arena_free(arena);
    return reading;
}

static void check_declaration_messages(const char *declarations, const char *expected) {
    struct arena *arena = arena_new();
    check_messages(with_thread(arena, declarations), expected);
    arena_free(arena);
}

static const struct variable *variable(const struct reading *reading, const char *name) {
    for (size_t i = 0; i < reading->test->variable_count; i++)
        if (strcmp(reading->test->variables[i].name, name) == 0)
            return &reading->test->variables[i];
    fail_msg("no variable %s", name);
    return NULL;
}

static void check_variable(const struct variable *variable, enum state_space space,
                           enum scalar_type type, size_t count, unsigned alignment) {
    assert_int_equal(variable->space, space);
    assert_int_equal(variable->type, type);
    assert_int_equal(variable->element_count, count);
    assert_int_equal(variable->alignment, alignment);
    assert_int_equal(variable->alias_of, -1);
}

static void test_spaces_and_types(void **state) {
    (void)state;
    struct reading reading = read_declarations("{ .global .u32 x; .shared .align 8 .b8 s[3];\n"
                                               ".const.f64 c; .local .s16 l, m[2][3];\n"
                                               ".visible .global .v4 .u32 v; .param .b64 p;\n"
                                               ".shared::cta .u8 t;\n"
                                               ".global .v2 .u32 d[1][1][1][1][1][1][2][3] }");
    check_variable(variable(&reading, "x"), SPACE_GLOBAL, TYPE_U32, 1, 4);
    check_variable(variable(&reading, "s"), SPACE_SHARED, TYPE_B8, 3, 8);
    check_variable(variable(&reading, "c"), SPACE_CONST, TYPE_F64, 1, 8);
    check_variable(variable(&reading, "l"), SPACE_LOCAL, TYPE_S16, 1, 2);
    check_variable(variable(&reading, "m"), SPACE_LOCAL, TYPE_S16, 6, 2);
    check_variable(variable(&reading, "v"), SPACE_GLOBAL, TYPE_U32, 4, 16);
    check_variable(variable(&reading, "p"), SPACE_PARAM, TYPE_B64, 1, 8);
    check_variable(variable(&reading, "t"), SPACE_SHARED, TYPE_U8, 1, 1);
    check_variable(variable(&reading, "d"), SPACE_GLOBAL, TYPE_U32, 12, 8);
    assert_false(variable(&reading, "x")->is_array);
    assert_true(variable(&reading, "m")->is_array);
    assert_false(variable(&reading, "x")->has_initial);
    close_reading(&reading);
}

static void check_element(const struct variable *variable, size_t index, uint64_t low) {
    assert_true(variable->has_initial);
    assert_int_equal(variable->initial[index].variable, -1);
    assert_int_equal(variable->initial[index].value.low, low);
    assert_int_equal(variable->initial[index].value.high, 0);
}

static void test_initial_values(void **state) {
    (void)state;
    struct reading reading =
        read_declarations("x = 7;\ny = -1;\na[2] = {1, 0x2};\nz;\n"
                          ".global .u8 b[2][3] = {{1, 2}, {3, 4, 5}};\n"
                          ".global .u16 o[] = {1, 2, 3,};\n"
                          ".global .f32 f[2] = {1.0, -0f40000000};\n"
                          ".global .f64 g = 0.5;\n"
                          ".global .b128 w = 0x123456789abcdef00000000000000001;\n"
                          ".global .u64 p[3] = {q, generic(x)+4, &y};\n"
                          ".global .u32 q;");
    check_element(variable(&reading, "x"), 0, 7);
    check_variable(variable(&reading, "x"), SPACE_GLOBAL, TYPE_U32, 1, 4);
    check_element(variable(&reading, "y"), 0, 0xFFFFFFFF);
    check_element(variable(&reading, "a"), 1, 2);
    assert_false(variable(&reading, "z")->has_initial);
    static const unsigned bytes[] = {1, 2, 0, 3, 4, 5};
    for (size_t i = 0; i < 6; i++)
        check_element(variable(&reading, "b"), i, bytes[i]);
    assert_int_equal(variable(&reading, "o")->element_count, 3);
    check_element(variable(&reading, "f"), 0, 0x3F800000);
    check_element(variable(&reading, "f"), 1, 0xC0000000);
    check_element(variable(&reading, "g"), 0, UINT64_C(0x3FE0000000000000));
    assert_int_equal(variable(&reading, "w")->initial[0].value.high, 0x123456789abcdef0);
    const struct variable *p = variable(&reading, "p");
    assert_string_equal(reading.test->variables[p->initial[0].variable].name, "q");
    assert_string_equal(reading.test->variables[p->initial[1].variable].name, "x");
    assert_int_equal(p->initial[1].value.low, 4);
    assert_string_equal(reading.test->variables[p->initial[2].variable].name, "y");
    close_reading(&reading);
}

// Constant expressions, and floating-point numbers as bits (PTX ISA 4.5, 5.4.4).
static void test_initial_expressions(void **state) {
    (void)state;
    struct reading reading =
        read_declarations("a = 1 + 2*3;\nb = (1<<4)|3;\nc[3] = {5 > 3 ? 7 : 8, -7 % 3, ~0};\n"
                          ".global .u64 d = (.u64)-1 >> 60;\n"
                          ".global .u8 e = WARP_SZ;\n"
                          ".global .s16 f[2] = {!5, -WARP_SZ * 2};\n"
                          ".global .b32 g = -0f3F800000;\n"
                          ".global .b64 h = 0.5;");
    check_element(variable(&reading, "a"), 0, 7);
    check_element(variable(&reading, "b"), 0, 19);
    check_element(variable(&reading, "c"), 0, 7);
    check_element(variable(&reading, "c"), 1, 0xFFFFFFFF);
    check_element(variable(&reading, "c"), 2, 0xFFFFFFFF);
    check_element(variable(&reading, "d"), 0, 15);
    check_element(variable(&reading, "e"), 0, 32);
    check_element(variable(&reading, "f"), 0, 0);
    check_element(variable(&reading, "f"), 1, 0xFFC0);
    check_element(variable(&reading, "g"), 0, 0xBF800000);
    check_element(variable(&reading, "h"), 0, UINT64_C(0x3FE0000000000000));
    close_reading(&reading);
}

// What a compiler's module has besides variables and functions.
static void test_skipped_directives(void **state) {
    (void)state;
    struct reading reading = read_declarations(
        ".file 1 \"a.cu\"\n.file 2 \"b.h\", 1234, 56\nx = 1;\n.pragma \"nounroll\";\n"
        ".section .debug_str { info:\n .b8 95,95\n .b64 .debug_abbrev\n}\ny = 2;");
    check_element(variable(&reading, "x"), 0, 1);
    check_element(variable(&reading, "y"), 0, 2);
    close_reading(&reading);
    check_messages(
        "PTX t\nx=0;\n.section .debug { .b8 1\n",
        "t.litmus:3:17: error: this '{' is never closed\n"
        ".section .debug { .b8 1\n"
        "                ^\n"
        "t.litmus:3:24: error: the test has no threads\n"
        ".section .debug { .b8 1\n"
        "                       ^\n"
        "hint: a thread starts with its name and place: 'P0@cta 0,gpu 0'\n"
        "t.litmus:3:24: error: the test has no condition\n"
        ".section .debug { .b8 1\n"
        "                       ^\n"
        "hint: write one after the threads: exists (...), ~exists (...) or forall (...)\n");
    check_declaration_messages("x=0;\n.section .debug;",
                               "t.litmus:3:16: error: expected the name of a section and '{', not "
                               "';'\n"
                               ".section .debug;\n"
                               "               ^\n");
}

// What kernels and old modules declare: pointers, banks, textures, prototypes.
static void test_parameters_banks_textures(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *text =
        with_thread(arena, ".global .u32 x; .param .u32 .ptr.global.align 16 p;\n"
                           ".param .u64 .ptr .const .align 8 q = 3; .param .align 8 .b8 b[64];\n"
                           ".param .u32 .ptr.align 16 g; .extern .global .u32 e;\n"
                           ".tex .u32 t, u; .global .texref r; .param .surfref f;\n"
                           ".visible .align 16 .global .attribute(.managed) .v2 .u32 v;\n"
                           ".param .u64 .align 16 w;\n"
                           ".extern .const[2] .b32 bank[]; .const[10] .u64 last = 5;\n"
                           ".shared .u32 s; .global .u64 a[2] = {s, generic(s)};");
    struct reading reading = read_bytes(text, strlen(text), SYNTAX_PTX);
    assert_non_null(reading.test);
    assert_int_equal(reading.diagnostics.count, 2); // the warnings about banks
    check_variable(variable(&reading, "p"), SPACE_PARAM, TYPE_U32, 1, 4);
    check_variable(variable(&reading, "q"), SPACE_PARAM, TYPE_U64, 1, 8);
    check_variable(variable(&reading, "b"), SPACE_PARAM, TYPE_B8, 64, 8);
    check_variable(variable(&reading, "g"), SPACE_PARAM, TYPE_U32, 1, 4);
    check_variable(variable(&reading, "v"), SPACE_GLOBAL, TYPE_U32, 2, 16);
    check_variable(variable(&reading, "w"), SPACE_PARAM, TYPE_U64, 1, 16);
    assert_true(variable(&reading, "f")->is_opaque);
    check_variable(variable(&reading, "bank"), SPACE_CONST, TYPE_B32, 16384, 4);
    assert_int_equal(variable(&reading, "bank")->bank, 2);
    assert_int_equal(variable(&reading, "last")->bank, 10);
    assert_true(variable(&reading, "t")->is_opaque && variable(&reading, "u")->is_opaque);
    assert_true(variable(&reading, "r")->is_opaque && !variable(&reading, "e")->is_opaque);
    assert_false(variable(&reading, "a")->initial[0].is_generic);
    assert_true(variable(&reading, "a")->initial[1].is_generic);
    close_reading(&reading);
    arena_free(arena);
}

static void test_wrong_parameters_banks_textures(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {".global .u32 .ptr.global p;",
         "'.ptr' describes what a parameter points to: this variable is not a .param"},
        {".param .u32 .ptr.param p;", "a pointer is to .const, .global, .local or .shared memory"},
        {".param .u32 .ptr.global.const p;",
         "'.const' after '.global': a variable has one state space of a pointer"},
        {".param .u32 .ptr.align 3 p;", "an alignment is a power of two, not '3'"},
        {".const[11] .u32 c;", "the banks of constant memory are 0 to 10"},
        {".const[2 .u32 c;", "expected ']', not '.u32'"},
        {".extern .shared .b8 s[];", "array 's' has neither a size nor a list of initial values"},
        {".tex .f32 t;", "a texture is .u32 or .u64"},
        {".u32 .global a;", "'.global' cannot follow '.u32'"},
        {".global .u32 .v4 a;", "'.v4' cannot follow '.u32'"},
        {".global .v4 .align 16 .u32 a;", "'.align' cannot follow '.v4'"},
        {".global .u32 .align 8 a;", "'.align' cannot follow '.u32'"},
        {".global .visible .u32 a;", "'.visible' cannot follow '.global'"},
        {".visible .weak .global .u32 a;", "'.weak' cannot follow '.visible'"},
        {".param .ptr .u64 a;", "'.u64' cannot follow '.ptr'"},
        {".param .u64 .ptr .align 4 .global a;", "'.global' cannot follow '.align'"},
        {".global .align 4 .align 8 .u32 a;",
         "'.align' after '.align': a variable has one alignment"},
        {".param .u64 .ptr .align 4 .align 8 a;",
         "'.align' after '.align': a variable has one alignment"},
        {".global .v2 .v4 .u32 a;", "'.v4' after '.v2': a variable has one vector size"},
        {".global .attribute(.managed) .attribute(.managed) .u32 a;",
         "'.attribute' after '.attribute': a variable has one list of attributes"},
        {".shared .attribute(.managed) .u32 a;", "attributes are only for .global variables"},
        {".const .attribute(.unified(1, 2)) .u32 a;", "attributes are only for .global variables"},
        {".common .shared .u32 a;", "'.common' is only for .global variables"},
        {".extern .global .u32 a = 1;",
         "'.extern' says that 'a' is defined elsewhere, with its value"},
        {".param .u64 .ptr.shared p = x;", "'p' points to .shared memory, but 'x' is .global"},
        {".param .u64 .ptr.global.align 8 p = x;",
         "'p' points to what is aligned to 8 bytes, and this is not"},
        {".param .u64 .ptr.global.align 4 p = x + 2;",
         "'p' points to what is aligned to 4 bytes, and this is not"},
        {".global .u32 a[1][1][1][1][1][1][1][1][1];", "an array has at most 8 dimensions"},
        {".shared .texref t;",
         "textures, samplers and surfaces are declared in .global, or are parameters"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        const char *text =
            with_thread(arena, arena_format(arena, ".global .u32 x; %s", rows[i][0]));
        struct reading reading = read_bytes(text, strlen(text), SYNTAX_PTX);
        assert_null(reading.test);
        assert_string_equal(reading.diagnostics.items[0].message, rows[i][1]);
        close_reading(&reading);
        arena_free(arena);
    }
}

static void test_aliases(void **state) {
    (void)state;
    struct reading reading = read_declarations(".global .s32 x[4] = {1};\n"
                                               "y @ generic aliases x; t @ texture aliases y;\n"
                                               "s @ surface aliases x; c @ constant aliases x;");
    const struct variable *y = variable(&reading, "y"), *t = variable(&reading, "t");
    assert_int_equal(y->alias_of, 0);
    assert_int_equal(y->alias_proxy, PROXY_GENERIC);
    assert_int_equal(y->type, TYPE_S32);
    assert_int_equal(y->element_count, 4);
    assert_false(y->has_initial);
    assert_int_equal(t->alias_of, 1);
    assert_int_equal(t->alias_proxy, PROXY_TEXTURE);
    assert_int_equal(variable(&reading, "s")->alias_proxy, PROXY_SURFACE);
    assert_int_equal(variable(&reading, "c")->alias_proxy, PROXY_CONSTANT);
    close_reading(&reading);
}

static void test_registers(void **state) {
    (void)state;
    struct reading reading =
        read_declarations("x=0;\nP1:r1=-3;\n1:%rd1=x;\nP1:%r7=5; P1:r8=0x100000000;");
    const struct thread *thread = &reading.test->threads[0];
    const struct test_register *r1 = &thread->registers[reader_find_register(thread, "r1")];
    assert_true(r1->has_initial);
    assert_string_equal(r1->name, "%r1");
    assert_int_equal(r1->initial.low, 0xFFFFFFFD);
    assert_int_equal(r1->initial.high, 0);
    assert_int_equal(r1->initial_variable, -1);
    const struct test_register *rd1 = &thread->registers[reader_find_register(thread, "%rd1")];
    assert_int_equal(rd1->initial_variable, 0);
    assert_int_equal(rd1->width, 64);
    // registers that the thread never uses
    assert_int_equal(thread->registers[reader_find_register(thread, "r7")].width, 32);
    assert_int_equal(thread->registers[reader_find_register(thread, "r8")].width, 64);
    assert_int_equal(reader_find_register(thread, "r9"), -1);
    close_reading(&reading);
}

static void test_declaration_errors(void **state) {
    (void)state;
    check_declaration_messages(".global .u32 x = 0\n.global .u32 y;",
                               "t.litmus:2:19: error: a ';' is missing at the end of this "
                               "declaration\n"
                               ".global .u32 x = 0\n"
                               "                  ^\n");
    check_declaration_messages(".globl .u32 x;", "t.litmus:2:1: error: '.globl' does not belong in "
                                                 "a declaration\n"
                                                 ".globl .u32 x;\n"
                                                 "^^^^^^\n"
                                                 "hint: did you mean '.global'?\n");
    check_declaration_messages(".u32 x;", "t.litmus:2:1: error: this declaration has no state "
                                          "space\n"
                                          ".u32 x;\n"
                                          "^^^^\n"
                                          "hint: write .global, .shared, .const, .local or "
                                          ".param\n");
    check_declaration_messages(".global x;", "t.litmus:2:1: error: this declaration has no type\n"
                                             ".global x;\n"
                                             "^^^^^^^\n"
                                             "hint: write a type such as .u32 before the name\n");
    check_declaration_messages(".global .bf16 x;",
                               "t.litmus:2:9: error: a variable cannot be declared '.bf16'\n"
                               ".global .bf16 x;\n"
                               "        ^^^^^\n"
                               "hint: declare it '.b16'\n");
    check_declaration_messages(
        ".global .v4 .b64 x;",
        "t.litmus:2:9: error: this vector has 256 bits; at most 128 are allowed\n"
        ".global .v4 .b64 x;\n"
        "        ^^^^^^^^\n");
    check_declaration_messages(".param .v2 .b32 x;",
                               "t.litmus:2:8: error: a parameter cannot be a vector\n"
                               ".param .v2 .b32 x;\n"
                               "       ^^^\n");
    check_declaration_messages(".global .shared .u32 x;",
                               "t.litmus:2:9: error: '.shared' after '.global': a variable has one "
                               "state space\n"
                               ".global .shared .u32 x;\n"
                               "        ^^^^^^^\n");
    check_declaration_messages("int x = 0;",
                               "t.litmus:2:1: error: a declaration cannot start with 'int'\n"
                               "int x = 0;\n"
                               "^^^\n"
                               "hint: variables have PTX types: .global .u32 x = "
                               "0;\n");
    check_declaration_messages("x=0;\n.global .u32 x;",
                               "t.litmus:3:14: error: variable 'x' is declared twice\n"
                               ".global .u32 x;\n"
                               "             ^\n"
                               "hint: the first declaration is on line 2\n");
    check_declaration_messages("{ x=0;", "t.litmus:2:1: error: this '{' is never closed\n"
                                         "{ x=0;\n"
                                         "^\n"
                                         "hint: a '}' ends the declarations, before the first "
                                         "thread\n");
    check_declaration_messages("x=0; }", "t.litmus:2:6: error: this '}' has no '{' before it\n"
                                         "x=0; }\n"
                                         "     ^\n");
}

static void test_initial_errors(void **state) {
    (void)state;
    check_declaration_messages("x=0;\n.global .u8 s[2] = {256, -129, 3};\nx2=4294967296;",
                               "t.litmus:3:21: error: '256' does not fit type .u8 of 's'\n"
                               ".global .u8 s[2] = {256, -129, 3};\n"
                               "                    ^^^\n"
                               "t.litmus:3:26: error: '-129' does not fit type .u8 of 's'\n"
                               ".global .u8 s[2] = {256, -129, 3};\n"
                               "                         ^^^^\n"
                               "t.litmus:3:32: error: more initial values than the 2 elements of "
                               "'s'\n"
                               ".global .u8 s[2] = {256, -129, 3};\n"
                               "                               ^\n"
                               "t.litmus:4:4: error: '4294967296' does not fit type .u32 of 'x2'\n"
                               "x2=4294967296;\n"
                               "   ^^^^^^^^^^\n");
    check_declaration_messages("x=0;\ny=x;", "t.litmus:3:3: error: an address has 64 bits, but 'y' "
                                             "has type .u32\n"
                                             "y=x;\n"
                                             "  ^\n"
                                             "hint: declare it as '.global .u64 y = x;'\n");
    check_declaration_messages("x=0;\n.global .u64 y = xx;",
                               "t.litmus:3:18: error: there is no variable 'xx'\n"
                               ".global .u64 y = xx;\n"
                               "                 ^^\n"
                               "hint: declare it before the threads: .global .u32 xx;\n");
    check_declaration_messages("x = 1 / 0;", "t.litmus:2:9: error: division by zero\n"
                                             "x = 1 / 0;\n"
                                             "        ^\n");
    check_declaration_messages("x = 65536 * 65536;",
                               "t.litmus:2:5: error: '65536 * 65536' does not fit type .u32 of "
                               "'x'\n"
                               "x = 65536 * 65536;\n"
                               "    ^^^^^^^^^^^^^\n");
    check_declaration_messages("x[0];", "t.litmus:2:3: error: an array needs at least one element\n"
                                        "x[0];\n"
                                        "  ^\n");
    check_declaration_messages("x[];", "t.litmus:2:1: error: array 'x' has neither a size nor a "
                                       "list of initial values\n"
                                       "x[];\n"
                                       "^\n");
    check_declaration_messages(
        "x=0;\n.extern .shared .b8 s[];",
        "t.litmus:3:21: error: array 's' has neither a size nor a list of "
        "initial values\n"
        ".extern .shared .b8 s[];\n"
        "                    ^\n"
        "hint: its size, which a launch gives, has to be written in a test: 's[64]'\n");
    check_declaration_messages(".shared .u32 x[1000][1000];",
                               "t.litmus:2:14: error: the variables of a test "
                               "have at most 1048576 bytes together\n"
                               ".shared .u32 x[1000][1000];\n"
                               "             ^\n");
    check_declaration_messages("x[100000][100000];",
                               "t.litmus:2:1: error: the variables of a test that begin as zeros "
                               "have at most 1073741824 bytes together\n"
                               "x[100000][100000];\n"
                               "^\n");
    check_declaration_messages("x=340282366920938463463374607431768211456;",
                               "t.litmus:2:3: error: '340282366920938463463374607431768211456' "
                               "does not fit 128 bits\n"
                               "x=340282366920938463463374607431768211456;\n"
                               "  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n");
}

static void test_alias_errors(void **state) {
    (void)state;
    check_declaration_messages("x=0;\ny @ textur aliases x;",
                               "t.litmus:3:5: error: expected the proxy of an alias, not 'textur'\n"
                               "y @ textur aliases x;\n"
                               "    ^^^^^^\n"
                               "hint: did you mean 'texture'?\n");
    check_declaration_messages("x=0;\ny @ generic aliases z;",
                               "t.litmus:3:21: error: there is no variable 'z'\n"
                               "y @ generic aliases z;\n"
                               "                    ^\n"
                               "hint: declare it before the threads: .global .u32 z;\n");
}

static void test_register_errors(void **state) {
    (void)state;
    check_declaration_messages("x=0;\nP1:r1=4294967296;\nP1:r1=1;\nP2:r0=0;\nP1:r1=2;",
                               "t.litmus:3:7: error: '4294967296' does not fit the 32 bits of "
                               "register '%r1'\n"
                               "P1:r1=4294967296;\n"
                               "      ^^^^^^^^^^\n"
                               "t.litmus:4:4: error: register 'r1' of P1 has two initial values\n"
                               "P1:r1=1;\n"
                               "   ^^\n"
                               "t.litmus:5:1: error: there is no thread 'P2'\n"
                               "P2:r0=0;\n"
                               "^^\n"
                               "hint: the only thread is P1\n"
                               "t.litmus:6:4: error: register 'r1' of P1 has two initial values\n"
                               "P1:r1=2;\n"
                               "   ^^\n");
    check_declaration_messages("x=0;\nP1:r1=x;", "t.litmus:3:7: error: an address has 64 bits, but "
                                                 "register '%r1' has 32\n"
                                                 "P1:r1=x;\n"
                                                 "      ^\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spaces_and_types),
        cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_parameters_banks_textures),
        cmocka_unit_test(test_wrong_parameters_banks_textures),
        cmocka_unit_test(test_initial_expressions),
        cmocka_unit_test(test_skipped_directives),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_declaration_errors),
        cmocka_unit_test(test_initial_errors),
        cmocka_unit_test(test_alias_errors),
        cmocka_unit_test(test_register_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
