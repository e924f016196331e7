// wmma.load and wmma.store in a module's kernel. Which elements of a matrix a lane has in its
// registers is not specified ("Matrix fragments for WMMA"), so that here each lane accesses an
// equal part of the matrix, the parts being in the order of the lanes; what registers hold may be
// anything, and the test lists that as an assumption.
//
// A matrix is lines that are contiguous in memory, rows or columns, as far from each other as the
// stride says. Lines and parts are powers of two, and a line has a whole number of parts.
#include "litmus/ptx/apart.h"
#include "litmus/ptx/open.h"

#include "litmus/source/arena.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 32, WHOLE_BYTES = 16 };

struct matrix {
    char name;        // 'a' to 'd'
    bool of_columns;  // .col
    unsigned m, n, k; // the shape
    unsigned bits;    // of an element
    enum state_space space;
};

// --- The opcode --------------------------------------------------------------------------------

static bool begins(const char *text, const char *name) {
    return strncmp(text, name, strlen(name)) == 0;
}

bool ptx_is_wmma_access(const char *opcode) {
    return begins(opcode, "wmma.load.") || begins(opcode, "wmma.store.");
}

static unsigned bits_of(const char *type) {
    static const struct {
        const char *type;
        unsigned bits;
    } rows[] = {{"b1", 1},    {"u4", 4},    {"s4", 4},   {"u8", 8},   {"s8", 8},  {"f16", 16},
                {"bf16", 16}, {"tf32", 32}, {"f32", 32}, {"s32", 32}, {"f64", 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, type) == 0)
            return rows[i].bits;
    return 0;
}

// The shapes that wmma has.
static bool is_shape(const struct matrix *matrix) {
    static const unsigned shapes[][3] = {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}, {16, 16, 8},
                                         {8, 8, 4},    {8, 8, 32},  {8, 8, 128}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (matrix->m == shapes[i][0] && matrix->n == shapes[i][1] && matrix->k == shapes[i][2])
            return true;
    return false;
}

// wmma.load.a.sync.aligned.row.m16n16k16{.shared}.f16; returns false for anything else.
static bool parse_opcode(const char *opcode, struct matrix *matrix) {
    char layout[8], rest[32], shape[16], space[16] = "", type[8];
    *matrix = (struct matrix){.space = SPACE_GENERIC};
    const char *at = opcode + strlen(begins(opcode, "wmma.load.") ? "wmma.load." : "wmma.store.");
    if (sscanf(at, "%c.sync.aligned.%7[a-z].%15[a-z0-9].%31s", &matrix->name, layout, shape,
               rest) != 4 ||
        sscanf(shape, "m%un%uk%u", &matrix->m, &matrix->n, &matrix->k) != 3)
        return false;
    char *dot = strrchr(rest, '.');
    snprintf(type, sizeof type, "%.7s", dot ? dot + 1 : rest);
    if (dot)
        snprintf(space, sizeof space, "%.*s", (int)(dot - rest), rest);
    matrix->bits = bits_of(type);
    matrix->of_columns = strcmp(layout, "col") == 0;
    matrix->space = strcmp(space, "global") == 0 ? SPACE_GLOBAL
                    : strcmp(space, "shared") == 0 || strcmp(space, "shared::cta") == 0
                        ? SPACE_SHARED
                        : SPACE_GENERIC;
    bool has_space = *space == '\0' || matrix->space != SPACE_GENERIC;
    bool has_layout = matrix->of_columns || strcmp(layout, "row") == 0;
    bool has_name = begins(opcode, "wmma.store.") ? matrix->name == 'd'
                                                  : matrix->name >= 'a' && matrix->name <= 'c';
    return has_space && has_layout && has_name && matrix->bits > 0 && is_shape(matrix);
}

// The elements of a line, and how many lines there are.
static void measure(const struct matrix *matrix, unsigned *length, unsigned *lines) {
    unsigned rows = matrix->name == 'b' ? matrix->k : matrix->m;
    unsigned columns = matrix->name == 'a' ? matrix->k : matrix->n;
    *length = matrix->of_columns ? rows : columns;
    *lines = matrix->of_columns ? columns : rows;
}

// --- Addresses ---------------------------------------------------------------------------------

struct wmma {
    struct body *body;
    const struct instruction *like;
    struct matrix matrix;
    unsigned line, part;  // bytes
    struct operand base;  // a register
    struct operand bytes; // between the beginnings of lines
    int64_t offset;
};

static unsigned log_of(unsigned power) {
    unsigned log = 0;
    while (power >> log > 1)
        log++;
    return log;
}

// d = a op b. Returns d.
static struct operand add_to(const struct wmma *wmma, enum opcode opcode, struct operand d,
                             struct operand a, struct operand b) {
    enum scalar_type type = wmma->body->thread->registers[d.reg].type;
    struct instruction instruction = apart_start(wmma->like, opcode, type);
    instruction_add(&instruction, d);
    apart_add(wmma->body, &instruction, a, b);
    return d;
}

static struct operand number_register(const struct wmma *wmma, const char *name) {
    return apart_operand(wmma->like, apart_register(wmma->body, wmma->like, name, TYPE_U32));
}

// How many bytes after the matrix the lane's part begins.
static struct operand add_distance(const struct wmma *wmma) {
    const struct instruction *like = wmma->like;
    struct operand lane = number_register(wmma, ".lane"), line = number_register(wmma, ".line"),
                   part = number_register(wmma, ".part");
    unsigned parts = wmma->line / wmma->part;
    apart_add_lane(wmma->body, like, lane.reg);
    add_to(wmma, OP_SHR, line, lane, apart_number(like, log_of(parts)));
    add_to(wmma, OP_AND, part, lane, apart_number(like, parts - 1));
    add_to(wmma, OP_SHL, part, part, apart_number(like, log_of(wmma->part)));
    add_to(wmma, OP_MUL, line, line, wmma->bytes);
    return add_to(wmma, OP_ADD, line, line, part);
}

// Where the lane's part begins, as an operand [a] without its offset.
static struct operand add_address(const struct wmma *wmma) {
    struct body *body = wmma->body;
    bool is_wide = body->thread->registers[wmma->base.reg].width == 64;
    enum scalar_type type = is_wide ? TYPE_U64 : TYPE_U32;
    struct operand distance = add_distance(wmma),
                   address = apart_operand(
                       wmma->like, apart_register(body, wmma->like,
                                                  is_wide ? ".address64" : ".address32", type));
    struct instruction convert = apart_start(wmma->like, is_wide ? OP_CVT : OP_MOV, type);
    convert.source_type = TYPE_U32;
    apart_add(body, &convert, address, distance);
    add_to(wmma, OP_ADD, address, address, wmma->base);
    address.kind = OPERAND_MEMORY;
    return address;
}

// --- Accesses ----------------------------------------------------------------------------------

static enum scalar_type type_of(unsigned bytes) {
    return bytes == 4 ? TYPE_B32 : bytes == 8 ? TYPE_B64 : TYPE_B128;
}

static unsigned size_of(const struct wmma *wmma) {
    return wmma->part < WHOLE_BYTES ? wmma->part : WHOLE_BYTES;
}

static int word_register(const struct wmma *wmma, unsigned number) {
    enum scalar_type type = type_of(size_of(wmma));
    return apart_register(wmma->body, wmma->like,
                          arena_format(wmma->body->arena, ".word%u.%u", number, size_of(wmma)),
                          type);
}

// The accesses to the lane's part, of at most 16 bytes each.
static void add_accesses(const struct wmma *wmma, enum opcode opcode) {
    struct operand address = add_address(wmma);
    for (unsigned i = 0; i * size_of(wmma) < wmma->part; i++) {
        struct operand word = apart_operand(wmma->like, word_register(wmma, i));
        struct instruction access = apart_start(wmma->like, opcode, type_of(size_of(wmma)));
        access.order = ORDER_WEAK;
        access.space = wmma->matrix.space;
        address.offset = wmma->offset + (int64_t)i * size_of(wmma);
        apart_add(wmma->body, &access, opcode == OP_LD ? word : address,
                  opcode == OP_LD ? address : word);
    }
}

// A register that may hold anything, and is taken to depend on others.
static void add_open(const struct wmma *wmma, struct operand result, struct operand sources) {
    struct instruction open =
        apart_start(wmma->like, OP_OPEN, wmma->body->thread->registers[result.reg].type);
    apart_add(wmma->body, &open, result, sources);
}

static bool error_operands(const struct wmma *wmma, bool loads) {
    return diag_error(
        wmma->body->diagnostics, wmma->like->opcode_span,
        loads ? "a 'wmma.load' has its registers in braces, the address in a register in "
                "brackets, and maybe a stride: '{%%r1, %%r2}, [%%rd1], %%r3'"
              : "a 'wmma.store' has the address in a register in brackets, its registers in "
                "braces, and maybe a stride: '[%%rd1], {%%r1, %%r2}, %%r3'");
}

// The registers of the lane. Returns false where one is not a declared register.
static bool take_registers(const struct wmma *wmma, const struct raw_operand *raw, bool is_written,
                           struct operand *vector) {
    *vector = operand_new(OPERAND_VECTOR, raw->span);
    vector->elements = ARENA_ARRAY(wmma->body->arena, struct operand, raw->element_count + 1);
    for (size_t i = 0; i < raw->element_count; i++)
        if (!ptx_take_declared(wmma->body, &raw->elements[i], is_written,
                               &vector->elements[vector->element_count++]))
            return false;
    return raw->element_count > 0;
}

// The bytes between the beginnings of lines: of the stride, which counts elements, or of a line.
static bool take_stride(struct wmma *wmma, const struct raw_operand *raw) {
    unsigned bits = wmma->matrix.bits;
    struct operand stride;
    if (!raw) {
        wmma->bytes = apart_number(wmma->like, wmma->line);
        return true;
    }
    if (raw->kind == RAW_CONSTANT) {
        wmma->bytes = apart_number(wmma->like, ptx_constant_bits(&raw->constant).low * bits / 8);
        return true;
    }
    if (!ptx_take_declared(wmma->body, raw, false, &stride) ||
        wmma->body->thread->registers[stride.reg].width != 32)
        return false;
    unsigned log = log_of(bits < 8 ? 8 / bits : bits / 8);
    wmma->bytes = add_to(wmma, bits < 8 ? OP_SHR : OP_SHL, number_register(wmma, ".bytes"), stride,
                         apart_number(wmma->like, log));
    return true;
}

static bool take_base(struct wmma *wmma, const struct raw_operand *raw) {
    struct raw_operand word = {.kind = RAW_WORD, .span = raw->span, .word = raw->word};
    if (raw->kind != RAW_MEMORY || raw->coordinates || raw->unified || !raw->word ||
        !ptx_take_declared(wmma->body, &word, false, &wmma->base))
        return false;
    wmma->offset = (int64_t)raw->constant.value;
    return wmma->body->thread->registers[wmma->base.reg].width >= 32;
}

static void load(const struct wmma *wmma, struct operand registers) {
    struct operand sources = operand_new(OPERAND_VECTOR, wmma->like->opcode_span);
    sources.element_count = wmma->part / size_of(wmma);
    sources.elements = ARENA_ARRAY(wmma->body->arena, struct operand, sources.element_count);
    for (unsigned i = 0; i < sources.element_count; i++)
        sources.elements[i] = apart_operand(wmma->like, word_register(wmma, i));
    add_accesses(wmma, OP_LD);
    for (size_t i = 0; i < registers.element_count; i++)
        add_open(wmma, registers.elements[i], sources);
}

static void store(const struct wmma *wmma, struct operand registers) {
    for (unsigned i = 0; i * size_of(wmma) < wmma->part; i++)
        add_open(wmma, apart_operand(wmma->like, word_register(wmma, i)), registers);
    add_accesses(wmma, OP_ST);
}

bool ptx_parse_wmma(struct body *body, struct instruction *instruction, const char *opcode) {
    struct instruction like = *instruction;
    struct wmma wmma = {.body = body, .like = &like};
    struct raw_operand *operands;
    struct operand registers;
    size_t count;
    bool loads = begins(opcode, "wmma.load.");
    if (!ptx_parse_operands(body, &operands, &count))
        return false;
    if (!parse_opcode(opcode, &wmma.matrix))
        return diag_error(body->diagnostics, instruction->opcode_span,
                          "this form of '%s' is not one of PTX, as "
                          "'wmma.load.a.sync.aligned.row.m16n16k16.shared.f16' is",
                          loads ? "wmma.load" : "wmma.store");
    unsigned length, lines;
    measure(&wmma.matrix, &length, &lines);
    wmma.line = length * wmma.matrix.bits / 8;
    wmma.part = wmma.line * lines / LANES;
    like.span = span_join(like.span, body->end[-1].span);
    int after = apart_skip(body, &like);
    bool fine = (count == 2 || count == 3) && take_base(&wmma, &operands[loads ? 1 : 0]) &&
                operands[loads ? 0 : 1].kind == RAW_VECTOR &&
                take_registers(&wmma, &operands[loads ? 0 : 1], loads, &registers) &&
                take_stride(&wmma, count == 3 ? &operands[2] : NULL);
    if (!fine)
        return error_operands(&wmma, loads);
    reader_assume(body->reader,
                  "it does not matter which lanes of a warp access which elements of a matrix of "
                  "wmma, which PTX does not say");
    (loads ? load : store)(&wmma, registers);
    instruction->operands[1] = wmma.base;
    instruction->operands[2] = wmma.bytes;
    instruction->operand_count = 3;
    if (after >= 0)
        ptx_place_label(body, after);
    return true;
}
