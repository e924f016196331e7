// Tests of litmus/readers: Dat3M's dialect, how it is guessed, and Dat3M's own files where they are
// at hand.
#include "tests/unit/litmus/reading.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

// The only thread of a test with these statements, a line each.
static struct reading read_statements(const char *statements) {
    struct arena *arena = arena_new();
    struct reading reading =
        read_clean(arena_format(arena,
                                "PTX T\n{ x=0; t @ texture aliases x; s @ surface aliases x;\n"
                                "c @ constant aliases x; P0:r9=7; }\nP0@cta 0 ;\n%s\nexists 0==0",
                                statements));
    arena_free(arena);
    assert_int_equal(reading.test->dialect, DIALECT_DAT3M);
    return reading;
}

struct expected {
    const char *text;
    enum opcode opcode;
    enum access_order order;
    enum scope scope;
    enum proxy proxy;
    enum atomic_op atomic;
    enum barrier_kind barrier;
    enum scalar_type type;
    unsigned operands;
};

static void check_statement(const struct expected *expected) {
    struct arena *arena = arena_new();
    // the store decides the guess
    struct reading reading =
        read_statements(arena_format(arena, "%s ; st.weak x, 1 ; st.weak x, 2 ;", expected->text));
    const struct instruction *instruction = &reading.test->threads[0].instructions[0];
    assert_int_equal(instruction->opcode, expected->opcode);
    assert_int_equal(instruction->order, expected->order);
    assert_int_equal(instruction->scope, expected->scope);
    assert_int_equal(instruction->proxy, expected->proxy);
    assert_int_equal(instruction->atomic, expected->atomic);
    assert_int_equal(instruction->barrier, expected->barrier);
    assert_int_equal(instruction->type, expected->type);
    assert_int_equal(instruction->operand_count, expected->operands);
    assert_int_equal(instruction->guard, -1);
    assert_int_equal(instruction->vector, 1);
    struct span span = instruction->span;
    assert_int_equal(span.end - span.begin, strlen(expected->text));
    assert_memory_equal(span.source->text + span.begin, expected->text, strlen(expected->text));
    close_reading(&reading);
    arena_free(arena);
}

static void test_statements(void **state) {
    (void)state;
    static const struct expected cases[] = {
        {"ld r0, 5", OP_MOV, 0, 0, 0, 0, 0, TYPE_B32, 2},
        {"ld r0, r1", OP_MOV, 0, 0, 0, 0, 0, TYPE_B32, 2},
        {"add r0, r1, 5", OP_ADD, 0, 0, 0, 0, 0, TYPE_B32, 3},
        {"sub r0, r1, r2", OP_SUB, 0, 0, 0, 0, 0, TYPE_B32, 3},
        {"mul r0, 2, 5", OP_MUL, 0, 0, 0, 0, 0, TYPE_B32, 3},
        {"div r0, r1, -5", OP_DIV, 0, 0, 0, 0, 0, TYPE_S32, 3},
        {"ld.weak r0, x", OP_LD, ORDER_WEAK, 0, 0, 0, 0, TYPE_B32, 2},
        {"ld.relaxed.cluster r0, x", OP_LD, ORDER_RELAXED, SCOPE_CLUSTER, 0, 0, 0, TYPE_B32, 2},
        {"ld.acquire.gpu r0, x", OP_LD, ORDER_ACQUIRE, SCOPE_GPU, 0, 0, 0, TYPE_B32, 2},
        {"st.release.sys x, r1", OP_ST, ORDER_RELEASE, SCOPE_SYS, 0, 0, 0, TYPE_B32, 2},
        {"st x, -1", OP_ST, ORDER_WEAK, 0, 0, 0, 0, TYPE_B32, 2},
        {"tld.weak r0, t", OP_LD, ORDER_WEAK, 0, PROXY_TEXTURE, 0, 0, TYPE_B32, 2},
        {"suld.weak r0, s", OP_LD, ORDER_WEAK, 0, PROXY_SURFACE, 0, 0, TYPE_B32, 2},
        {"cold.weak r0, c", OP_LD, ORDER_WEAK, 0, PROXY_CONSTANT, 0, 0, TYPE_B32, 2},
        {"sust.weak s, 2", OP_ST, ORDER_WEAK, 0, PROXY_SURFACE, 0, 0, TYPE_B32, 2},
        {"atom.acq_rel.cta.add r0, x, 1", OP_ATOM, ORDER_ACQ_REL, SCOPE_CTA, 0, ATOMIC_ADD, 0,
         TYPE_B32, 3},
        {"atom.relaxed.gpu.exch r0, x, r1", OP_ATOM, ORDER_RELAXED, SCOPE_GPU, 0, ATOMIC_EXCH, 0,
         TYPE_B32, 3},
        {"atom.acquire.gpu.cas r0, x, 0, 1", OP_ATOM, ORDER_ACQUIRE, SCOPE_GPU, 0, ATOMIC_CAS, 0,
         TYPE_B32, 4},
        {"atom.add r0, x, 1", OP_ATOM, ORDER_RELAXED, SCOPE_GPU, 0, ATOMIC_ADD, 0, TYPE_B32, 3},
        {"suatom.relaxed.sys.sub r0, s, 1", OP_ATOM, ORDER_RELAXED, SCOPE_SYS, PROXY_SURFACE,
         ATOMIC_SUB, 0, TYPE_B32, 3},
        {"red.release.gpu.xor x, r1", OP_RED, ORDER_RELEASE, SCOPE_GPU, 0, ATOMIC_XOR, 0, TYPE_B32,
         2},
        {"sured.relaxed.gpu.div s, 2", OP_RED, ORDER_RELAXED, SCOPE_GPU, PROXY_SURFACE, ATOMIC_DIV,
         0, TYPE_S32, 2},
        {"fence.sc.sys", OP_FENCE, ORDER_SC, SCOPE_SYS, 0, 0, 0, TYPE_NONE, 0},
        {"fence.gpu", OP_FENCE, ORDER_ACQ_REL, SCOPE_GPU, 0, 0, 0, TYPE_NONE, 0},
        {"fence.proxy.alias", OP_FENCE_PROXY, 0, 0, PROXY_ALIAS, 0, 0, TYPE_NONE, 0},
        {"fence.proxy.surface", OP_FENCE_PROXY, 0, 0, PROXY_SURFACE, 0, 0, TYPE_NONE, 0},
        {"bar.cta.sync 1", OP_BAR, 0, 0, 0, 0, BARRIER_SYNC, TYPE_NONE, 1},
        {"bar.cta.sync 1, r2, 4", OP_BAR, 0, 0, 0, 0, BARRIER_SYNC, TYPE_NONE, 3},
        {"bar.cta.arrive 1, 2", OP_BAR, 0, 0, 0, 0, BARRIER_ARRIVE, TYPE_NONE, 2},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_statement(&cases[i]);
}

static void test_operands(void **state) {
    (void)state;
    struct reading reading =
        read_statements("atom.acquire.gpu.cas r1, x, -2, r2 ; st.weak x, 4294967295 ;");
    const struct thread *thread = &reading.test->threads[0];
    const struct operand *operands = thread->instructions[0].operands;
    assert_int_equal(operands[0].kind, OPERAND_REGISTER);
    assert_int_equal(operands[0].reg, reader_find_register(thread, "r1"));
    assert_int_equal(operands[1].kind, OPERAND_MEMORY);
    assert_int_equal(operands[1].variable, 0);
    assert_int_equal(operands[1].reg, -1);
    assert_int_equal(operands[2].kind, OPERAND_IMMEDIATE);
    assert_int_equal((int64_t)operands[2].immediate.low, -2);
    assert_int_equal((int64_t)operands[2].immediate.high, -1);
    assert_int_equal(operands[3].reg, reader_find_register(thread, "%r2"));
    assert_int_equal(thread->instructions[1].operands[1].immediate.low, 4294967295);
    close_reading(&reading);
}

// Every register has 32 bits and starts with 0, or with what the test says.
static void test_registers(void **state) {
    (void)state;
    struct reading reading = read_statements("ld.weak r1, x ; st.weak x, r9 ;");
    const struct thread *thread = &reading.test->threads[0];
    assert_int_equal(thread->register_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(thread->registers[i].has_initial);
        assert_int_equal(thread->registers[i].initial_variable, -1);
        assert_int_equal(thread->registers[i].width, 32);
    }
    assert_int_equal(thread->registers[reader_find_register(thread, "r1")].initial.low, 0);
    assert_int_equal(thread->registers[reader_find_register(thread, "r9")].initial.low, 7);
    close_reading(&reading);
}

static void test_branches(void **state) {
    (void)state;
    struct reading reading = read_statements("LC00: ; ld.weak r0, x ; LC01: ; LC02: ;\n"
                                             "bne r0, 1, LC00 ; goto LC03 ; blt r0, r1, LC02 ;\n"
                                             "LC03: ;");
    const struct thread *thread = &reading.test->threads[0];
    const struct instruction *all = thread->instructions;
    assert_int_equal(thread->instruction_count, 6);
    assert_int_equal(thread->label_count, 4);
    assert_int_equal(thread->labels[0].target, 0);
    assert_int_equal(thread->labels[1].target, 1);
    assert_int_equal(thread->labels[2].target, 1);
    assert_int_equal(thread->labels[3].target, 6);
    assert_int_equal(all[1].opcode, OP_SETP);
    assert_int_equal(all[1].compute.compare, COMPARE_NE);
    assert_int_equal(all[1].type, TYPE_S32);
    assert_int_equal(all[1].guard, -1);
    assert_int_equal(all[2].opcode, OP_BRA);
    assert_int_equal(all[2].guard, all[1].operands[0].reg);
    assert_int_equal(thread->registers[all[2].guard].type, TYPE_PRED);
    assert_int_equal(thread->registers[all[2].guard].width, 1);
    assert_int_equal(all[2].operands[0].label, 0);
    assert_int_equal(all[3].opcode, OP_BRA);
    assert_int_equal(all[3].guard, -1);
    assert_int_equal(all[3].operands[0].label, 3);
    assert_int_equal(all[4].compute.compare, COMPARE_LT);
    assert_int_equal(all[5].operands[0].label, 2);
    close_reading(&reading);
}

static enum dialect dialect_of(const char *statements, enum reader_syntax syntax) {
    struct arena *arena = arena_new();
    const char *text = arena_format(arena, "PTX T\nx=0;\nP0@cta 0 ;\n%s\nexists 0==0", statements);
    struct reading reading = read_bytes(text, strlen(text), syntax);
    assert_string_equal(messages(&reading), "");
    enum dialect dialect = reading.test->dialect;
    close_reading(&reading);
    arena_free(arena);
    return dialect;
}

static void test_guess(void **state) {
    (void)state;
    assert_int_equal(dialect_of("st.weak x, 1;", SYNTAX_GUESS), DIALECT_DAT3M);
    assert_int_equal(dialect_of("ld r0, 1;", SYNTAX_GUESS), DIALECT_DAT3M);
    assert_int_equal(dialect_of("L: goto L;", SYNTAX_GUESS), DIALECT_DAT3M);
    assert_int_equal(dialect_of("st.weak.u32 [x], 1;", SYNTAX_GUESS), DIALECT_PTX);
    assert_int_equal(dialect_of("fence.sc.gpu;", SYNTAX_GUESS), DIALECT_PTX);
    assert_int_equal(dialect_of("fence.sc.gpu;", SYNTAX_DAT3M), DIALECT_DAT3M);
    assert_int_equal(dialect_of("fence.sc.gpu;", SYNTAX_PTX), DIALECT_PTX);
    assert_int_equal(dialect_of("", SYNTAX_GUESS), DIALECT_PTX);
}

static void test_undeclared(void **state) {
    (void)state;
    struct reading reading = read_text("PTX T\nP0@cta 0 ;\n ld.weak r0, y ;\n st.weak y, 1 ;\n"
                                       "exists y=0");
    assert_string_equal(messages(&reading),
                        "t.litmus:3:14: warning: variable 'y' is not declared; it starts with 0\n"
                        " ld.weak r0, y ;\n"
                        "             ^\n");
    assert_non_null(reading.test);
    assert_int_equal(reading.test->variable_count, 1);
    assert_int_equal(reading.test->variables[0].type, TYPE_U32);
    close_reading(&reading);
}

static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *statement, *message, *hint;
    } cases[] = {
        {"ld.wek r0, x", "'.wek' is not allowed here in 'ld'", "did you mean '.weak'?"},
        {"lb r1, 2", "Dat3M's dialect has no instruction 'lb'", "did you mean 'ld'?"},
        {"ld.acquire r0, x", "'.acquire' needs a scope: .cta, .cluster, .gpu or .sys", NULL},
        {"ld.weak.gpu r0, x", "a weak access has no scope", NULL},
        {"ld.release.gpu r0, x", "'ld' cannot be '.release'",
         "it can be .weak, .relaxed, .acquire, .volatile"},
        {"fence", "'fence' needs a scope: .cta, .cluster, .gpu or .sys", NULL},
        {"fence.proxy.foo", "'.foo' is not allowed here in 'fence'", NULL},
        {"fence.proxy", "expected a proxy such as '.alias' at the end of the instruction", NULL},
        {"st.weak x, 4294967296", "'4294967296' does not fit 32 bits", NULL},
        {"st.weak x, -2147483649", "'-2147483649' does not fit 32 bits", NULL},
        {"st.weak x, y", "expected a register or a number, not 'y'", NULL},
        {"st.weak x, x", "expected a register or a number, not 'x'",
         "load the value of 'x' into a register first"},
        {"st.weak r0, 1", "expected the name of a variable, not 'r0'", NULL},
        {"st.weak [x], 1", "expected the name of a variable, not '['",
         "Dat3M's dialect has no brackets; '--syntax ptx' reads the file as PTX"},
        {"ld.weak a, x", "expected a register, not 'a'", "registers are named r0, r1 and so on"},
        {"add r0, r1", "expected ',' at the end of the instruction", NULL},
        {"add r0, r1, 1, 2", "unexpected ',' after the instruction", NULL},
        {"red.relaxed.gpu.cas x, 0, 1", "'red' does not return a value, so it cannot be '.cas'",
         NULL},
        {"atom.relaxed.gpu r0, x, 1", "expected an operation such as '.add', not 'r0'", NULL},
        {"goto L9", "there is no label 'L9' in P0", NULL},
        {"LC0: ; LC0:", "label 'LC0' is defined twice in P0", "the first one is on line 3"},
        {"bar.cta.sync", "expected a register or a number at the end of the instruction", NULL},
        {"bar.sync 1", "expected '.cta', not '.sync'", NULL},
        {"beq r0, 1", "expected ',' at the end of the instruction", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        const char *text =
            arena_format(arena, "PTX T\nx=0; P0@cta 0 ;\n%s ;\nexists 0==0", cases[i].statement);
        struct reading reading = read_bytes(text, strlen(text), SYNTAX_DAT3M);
        assert_null(reading.test);
        assert_int_equal(reading.diagnostics.count, 1);
        assert_string_equal(reading.diagnostics.items[0].message, cases[i].message);
        if (cases[i].hint)
            assert_string_equal(reading.diagnostics.items[0].hint, cases[i].hint);
        else
            assert_null(reading.diagnostics.items[0].hint);
        close_reading(&reading);
        arena_free(arena);
    }
}

static size_t read_folder(const char *path) {
    DIR *folder = opendir(path);
    size_t count = 0;
    char inner[1024];
    if (!folder)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name);
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".litmus") != 0) {
            count += read_folder(inner);
            continue;
        }
        struct reading reading = open_text("", 0);
        const struct source *source = source_read(reading.arena, inner, &reading.diagnostics);
        assert_non_null(source);
        reading.test = test_read(reading.arena, source, SYNTAX_GUESS, &reading.diagnostics);
        if (!reading.test)
            print_error("%s", messages(&reading));
        assert_non_null(reading.test);
        assert_int_equal(reading.test->dialect, DIALECT_DAT3M);
        close_reading(&reading);
        count++;
    }
    closedir(folder);
    return count;
}

static void test_dat3m_files(void **state) {
    (void)state;
    static const char path[] = "../shared/conformance/dat3m";
    struct stat status;
    if (stat(path, &status) != 0)
        skip();
    assert_int_equal(read_folder(path), 748);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements), cmocka_unit_test(test_operands),
        cmocka_unit_test(test_registers),  cmocka_unit_test(test_branches),
        cmocka_unit_test(test_guess),      cmocka_unit_test(test_undeclared),
        cmocka_unit_test(test_errors),     cmocka_unit_test(test_dat3m_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
