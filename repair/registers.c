// Follows registers to the instructions that write to them.
#include "repair/registers.h"

#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <inttypes.h>
#include <string.h>

enum { DEPTH_MAX = 4 }; // of what is computed again

const char *register_text(struct arena *arena, struct span span) {
    return span_text(arena, source_in_file(span));
}

// --- What writes to a register -------------------------------------------------------------------

static bool writes_to(const struct instruction *instruction, int reg) {
    const struct operand *to = &instruction->operands[0];
    if (!instruction_defines(instruction) || instruction->operand_count == 0)
        return false;
    for (size_t i = 0; to->kind == OPERAND_VECTOR && i < to->element_count; i++)
        if (to->elements[i].kind == OPERAND_REGISTER && to->elements[i].reg == reg)
            return true;
    return to->kind == OPERAND_REGISTER && to->reg == reg;
}

// Returns how many instructions write to a register, and in `*first` the index of the first one.
static size_t count_writers(const struct thread *thread, int reg, size_t *first) {
    size_t count = 0;
    for (size_t i = 0; i < thread->instruction_count; i++)
        if (writes_to(&thread->instructions[i], reg) && count++ == 0)
            *first = i;
    return count;
}

// The source of the only instruction that writes to a register, where that moves it there; or NULL.
static const struct operand *moved_to(const struct thread *thread, int reg) {
    size_t at = 0;
    if (reg < 0 || count_writers(thread, reg, &at) != 1)
        return NULL;
    const struct instruction *writer = &thread->instructions[at];
    bool moves = opcode_family(writer->opcode) == FAMILY_COMPUTE && writer->operand_count == 2 &&
                 writer->guard < 0;
    return moves ? &writer->operands[1] : NULL;
}

bool register_constant(const struct thread *thread, const struct operand *operand,
                       uint64_t *value) {
    if (operand->kind == OPERAND_REGISTER)
        operand = moved_to(thread, operand->reg);
    if (!operand || operand->kind != OPERAND_IMMEDIATE || operand->immediate.high != 0)
        return false;
    *value = operand->immediate.low;
    return true;
}

int register_variable(const struct thread *thread, const struct operand *operand) {
    if (operand->kind == OPERAND_MEMORY && operand->variable < 0 && operand->reg >= 0)
        operand = moved_to(thread, operand->reg);
    return operand && (operand->kind == OPERAND_MEMORY || operand->kind == OPERAND_ADDRESS)
               ? operand->variable
               : -1;
}

// --- Copies --------------------------------------------------------------------------------------

const char *register_unused_name(struct arena *arena, const struct source *file, const char *stem) {
    const char *name = stem;
    for (unsigned number = 2; strstr(file->text, name); number++)
        name = arena_format(arena, "%s%u", stem, number);
    return name;
}

void register_add(struct register_copies *copies, const char *statement) {
    ARENA_APPEND(copies->arena, copies->statements, copies->count, statement);
}

const char *register_new(struct register_copies *copies, unsigned width) {
    const char *stem = width == 1 ? "%waited" : "%value", *numbered = stem;
    if (copies->names++ > 0)
        numbered = arena_format(copies->arena, "%s_%u", stem, copies->names);
    const char *name = register_unused_name(copies->arena, copies->file, numbered);
    if (copies->declares) {
        register_add(copies, width == 1 ? arena_format(copies->arena, ".reg .pred %s", name)
                                        : arena_format(copies->arena, ".reg .b%u %s", width, name));
    }
    return name;
}

const char *register_other_parity(struct register_copies *copies, const char *parity) {
    const char *other = register_new(copies, 32);
    register_add(copies, arena_format(copies->arena, "xor.b32 %s, %s, 1", other, parity));
    return other;
}

static const char *copy(struct register_copies *copies, int reg, unsigned depth);

// The text of a source of an instruction that is computed again; NULL: it cannot be.
static const char *source_text(struct register_copies *copies, const struct operand *operand,
                               unsigned depth) {
    switch (operand->kind) {
    case OPERAND_IMMEDIATE:
    case OPERAND_ADDRESS:
    case OPERAND_SPECIAL: return register_text(copies->arena, operand->span);
    case OPERAND_REGISTER: return operand->negated ? NULL : copy(copies, operand->reg, depth + 1);
    default: return NULL;
    }
}

static const char *compute_again(struct register_copies *copies, const struct instruction *writer,
                                 int reg, unsigned depth) {
    unsigned width = copies->thread->registers[reg].width;
    const char *sources = "";
    if (opcode_family(writer->opcode) != FAMILY_COMPUTE || writer->guard >= 0 ||
        writer->operands[0].kind != OPERAND_REGISTER || depth > DEPTH_MAX || width < 16)
        return NULL;
    for (unsigned i = 1; i < writer->operand_count; i++) {
        const char *source = source_text(copies, &writer->operands[i], depth);
        if (!source)
            return NULL;
        sources = arena_format(copies->arena, "%s, %s", sources, source);
    }
    const char *name = register_new(copies, width);
    register_add(copies,
                 arena_format(copies->arena, "%s %s%s",
                              register_text(copies->arena, writer->opcode_span), name, sources));
    return name;
}

static const char *copy(struct register_copies *copies, int reg, unsigned depth) {
    size_t first = copies->point;
    size_t count = count_writers(copies->thread, reg, &first);
    if (count == 0 || first < copies->point)
        return copies->thread->registers[reg].name;
    return count > 1 ? NULL
                     : compute_again(copies, &copies->thread->instructions[first], reg, depth);
}

const char *register_at(struct register_copies *copies, int reg) {
    return copy(copies, reg, 0);
}

const char *register_memory(struct register_copies *copies, const struct operand *operand) {
    const struct operand *moved = moved_to(copies->thread, operand->reg);
    if (operand->reg < 0)
        return register_text(copies->arena, operand->span);
    if (moved && moved->kind == OPERAND_ADDRESS && operand->offset == 0)
        return arena_format(copies->arena, "[%s]", register_text(copies->arena, moved->span));
    const char *base = register_at(copies, operand->reg);
    if (!base || operand->offset == 0)
        return base ? arena_format(copies->arena, "[%s]", base) : NULL;
    return arena_format(copies->arena, "[%s+%" PRId64 "]", base, operand->offset);
}
