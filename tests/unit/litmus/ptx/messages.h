// What the tests of litmus/ptx share: a statement in a test around it, and an instruction as text.
#ifndef PTXLITMUS_TESTS_UNIT_LITMUS_PTX_MESSAGES_H
#define PTXLITMUS_TESTS_UNIT_LITMUS_PTX_MESSAGES_H

#include "tests/unit/litmus/reading.h"

// The statement is on line PTX_TEST_LINE, at its first column.
enum { PTX_TEST_LINE = 10 };

#define PTX_TEST_HEAD                                                                              \
    "PTX t\n"                                                                                      \
    ".global .u32 x; .global .u64 x64; .global .u16 x16; .global .u8 x8;\n"                        \
    ".global .u32 flag; .global .u32 arr[8]; .global .align 32 .b8 buf[64];\n"                     \
    ".const .u32 c; .local .u32 l; .param .u64 k;\n"                                               \
    ".shared .u32 s; .shared .align 16 .b8 sbuf[64];\n"                                            \
    "P0@cta 0 {\n"                                                                                 \
    ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %b<4>; .reg .b64 %d<4>; .reg .b128 %q<4>;\n"     \
    ".reg .u32 %u<4>; .reg .s32 %s<4>; .reg .u64 %ud<4>; .reg .f32 %f<4>; .reg .f64 %fd<4>;\n"     \
    "done:\n"
#define PTX_TEST_TAIL "\n}\nexists (x == 0)\n"

static inline struct reading read_statement(const char *statement) {
    struct arena *arena = arena_new();
    const char *text = arena_format(arena, "%s%s%s", PTX_TEST_HEAD, statement, PTX_TEST_TAIL);
    struct reading reading = read_bytes(text, strlen(text), SYNTAX_PTX);
    arena_free(arena);
    return reading;
}

// --- Messages ----------------------------------------------------------------------------------

struct ptx_bad_statement {
    const char *statement;
    unsigned column, carets; // of the only message
    const char *message;
    const char *hint; // NULL when there is none
};

static inline void ptx_check_messages(const struct ptx_bad_statement *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct reading reading = read_statement(rows[i].statement);
        assert_null(reading.test);
        assert_int_equal(reading.diagnostics.count, 1);
        const struct diagnostic *item = &reading.diagnostics.items[0];
        struct position begin = source_position(reading.source, item->span.begin);
        struct position end = source_position(reading.source, item->span.end);
        assert_string_equal(item->message, rows[i].message);
        assert_int_equal(begin.line, PTX_TEST_LINE);
        assert_int_equal(begin.column, rows[i].column);
        assert_int_equal(end.column - begin.column, rows[i].carets);
        assert_string_equal(item->hint ? item->hint : "", rows[i].hint ? rows[i].hint : "");
        close_reading(&reading);
    }
}

// --- An instruction as text --------------------------------------------------------------------

static inline const char *operand_text(struct arena *arena, const struct test *test,
                                       const struct thread *thread, const struct operand *operand) {
    const char *name = operand->reg >= 0        ? thread->registers[operand->reg].name
                       : operand->variable >= 0 ? test->variables[operand->variable].name
                                                : "";
    const char *offset =
        operand->offset ? arena_format(arena, "%+lld", (long long)operand->offset) : "";
    const char *text = "";
    switch (operand->kind) {
    case OPERAND_REGISTER: return arena_format(arena, "%s%s", operand->negated ? "!" : "", name);
    case OPERAND_IMMEDIATE:
        if (operand->immediate.high)
            return arena_format(arena, "%lld", (long long)operand->immediate.low);
        return arena_format(arena, "%llu", (unsigned long long)operand->immediate.low);
    case OPERAND_ADDRESS: return arena_format(arena, "&%s%s", name, offset);
    case OPERAND_MEMORY: return arena_format(arena, "[%s%s]", name, offset);
    case OPERAND_SINK: return "_";
    case OPERAND_LABEL: return thread->labels[operand->label].name;
    case OPERAND_SPECIAL:
        return arena_format(arena, "special%d.%c", (int)operand->special, "xyzw"[operand->member]);
    case OPERAND_VECTOR: break;
    }
    for (size_t i = 0; i < operand->element_count; i++)
        text = arena_format(arena, "%s%s%s", text, i ? " " : "",
                            operand_text(arena, test, thread, &operand->elements[i]));
    return arena_format(arena, "{%s}", text);
}

// Adds `names[value]` after a space, unless the name is empty.
static inline const char *add_name(struct arena *arena, const char *text, const char *const *names,
                                   unsigned value) {
    return names[value][0] ? arena_format(arena, "%s %s", text, names[value]) : text;
}

// All that an instruction says except its spans: "ld relaxed gpu .global u32 %u0 [x+4]".
static inline const char *instruction_text(struct arena *arena, const struct test *test,
                                           const struct thread *thread,
                                           const struct instruction *instruction) {
    static const char *const opcodes[] = {[OP_LD] = "ld",
                                          [OP_ST] = "st",
                                          [OP_ATOM] = "atom",
                                          [OP_RED] = "red",
                                          [OP_FENCE] = "fence",
                                          [OP_FENCE_PROXY] = "fence.proxy",
                                          [OP_MOV] = "mov",
                                          [OP_ADD] = "add",
                                          [OP_SUB] = "sub",
                                          [OP_MUL] = "mul",
                                          [OP_MAD] = "mad",
                                          [OP_DIV] = "div",
                                          [OP_REM] = "rem",
                                          [OP_MIN] = "min",
                                          [OP_MAX] = "max",
                                          [OP_ABS] = "abs",
                                          [OP_NEG] = "neg",
                                          [OP_SAD] = "sad",
                                          [OP_AND] = "and",
                                          [OP_OR] = "or",
                                          [OP_XOR] = "xor",
                                          [OP_NOT] = "not",
                                          [OP_CNOT] = "cnot",
                                          [OP_LOP3] = "lop3",
                                          [OP_SHL] = "shl",
                                          [OP_SHR] = "shr",
                                          [OP_SHF_L] = "shf.l",
                                          [OP_SHF_R] = "shf.r",
                                          [OP_BFE] = "bfe",
                                          [OP_BFI] = "bfi",
                                          [OP_BFIND] = "bfind",
                                          [OP_BMSK] = "bmsk",
                                          [OP_SZEXT] = "szext",
                                          [OP_BREV] = "brev",
                                          [OP_CLZ] = "clz",
                                          [OP_POPC] = "popc",
                                          [OP_PRMT] = "prmt",
                                          [OP_SETP] = "setp",
                                          [OP_SET] = "set",
                                          [OP_SELP] = "selp",
                                          [OP_SLCT] = "slct",
                                          [OP_BRA] = "bra",
                                          [OP_EXIT] = "exit",
                                          [OP_BAR] = "bar",
                                          [OP_CVT] = "cvt",
                                          [OP_CVTA] = "cvta",
                                          [OP_HINT] = "hint",
                                          [OP_SETMAXNREG] = "setmaxnreg",
                                          [OP_CREATEPOLICY] = "createpolicy",
                                          [OP_CVTA_TO] = "cvta.to",
                                          [OP_ISSPACEP] = "isspacep",
                                          [OP_MAPA] = "mapa",
                                          [OP_GETCTARANK] = "getctarank"};
    static const char *const orders[] = {"",        "weak", "relaxed",  "acquire", "release",
                                         "acq_rel", "sc",   "volatile", "mmio"};
    static const char *const scopes[] = {"", "cta", "cluster", "gpu", "sys"};
    static const char *const spaces[] = {"",       ".const", ".global", ".local",
                                         ".param", ".tmem",  ".shared", ".shared::cluster"};
    static const char *const proxies[PROXY_COUNT] = {
        [PROXY_GENERIC] = "",        [PROXY_ASYNC] = "async",     [PROXY_TENSORMAP] = "tensormap",
        [PROXY_SURFACE] = "surface", [PROXY_TEXTURE] = "texture", [PROXY_CONSTANT] = "constant",
        [PROXY_ALIAS] = "alias"};
    static const char *const atomics[] = {"",    "add", "sub", "mul", "div", "inc",  "dec",
                                          "min", "max", "and", "or",  "xor", "exch", "cas"};
    static const char *const compares[] = {"",    "eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                           "lo",  "ls",  "hi",  "hs",  "equ", "neu", "ltu",
                                           "leu", "gtu", "geu", "num", "nan"};
    static const char *const bools[] = {"", "&", "|", "^"};
    static const char *const parts[] = {"", "hi", "wide"};
    static const char *const permutes[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    static const char *const saturates[] = {"", "sat"}, *const wraps[] = {"", "wrap"};
    static const char *const amounts[] = {"", "shiftamt"}, *const flushes[] = {"", "ftz"};
    static const char *const barriers[] = {
        "", "sync", "arrive", "red", "cluster.arrive", "cluster.wait", "warp.sync"};
    const char *text = opcodes[instruction->opcode];
    if (instruction->guard >= 0)
        text = arena_format(arena, "@%s%s %s", instruction->guard_negated ? "!" : "",
                            thread->registers[instruction->guard].name, text);
    text = add_name(arena, text, orders, instruction->order);
    text = add_name(arena, text, scopes, instruction->scope);
    text = add_name(arena, text, spaces, instruction->space);
    text = add_name(arena, text, proxies, instruction->proxy);
    text = add_name(arena, text, spaces, instruction->fence.space);
    text = add_name(arena, text, orders, instruction->fence.order);
    text = add_name(arena, text, barriers, instruction->barrier);
    text = add_name(arena, text, atomics, instruction->atomic);
    text = add_name(arena, text, compares, instruction->compute.compare);
    text = add_name(arena, text, bools, instruction->bool_op);
    text = add_name(arena, text, parts, instruction->compute.mul_part);
    text = add_name(arena, text, permutes, instruction->compute.permute);
    text = add_name(arena, text, saturates, instruction->compute.saturate);
    text = add_name(arena, text, wraps, instruction->compute.wraps);
    text = add_name(arena, text, amounts, instruction->compute.shift_amount);
    text = add_name(arena, text, flushes, instruction->compute.flushes);
    if (instruction->vector != 1)
        text = arena_format(arena, "%s v%u", text, instruction->vector);
    if (instruction->type != TYPE_NONE)
        text = arena_format(arena, "%s %s", text, scalar_type_name(instruction->type));
    if (instruction->source_type != TYPE_NONE)
        text = arena_format(arena, "%s<-%s", text, scalar_type_name(instruction->source_type));
    for (unsigned i = 0; i < instruction->operand_count; i++)
        text = arena_format(arena, "%s %s", text,
                            operand_text(arena, test, thread, &instruction->operands[i]));
    return text;
}

#endif
