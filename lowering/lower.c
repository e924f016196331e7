// Writing a test in PTX: declarations, threads whose statements are those of the source one after
// the other, each with its words as a comment, and the condition.
#include "lowering/lowering.h"

#include "litmus/readers/reader.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "lowering/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    struct arena *arena;
    struct diagnostics *diagnostics;
    const struct test *test;
    const struct lowering *lowering;
    FILE *out;
    const struct thread *thread;
    unsigned count; // of lowered operations: {n}
};

// --- Operands -----------------------------------------------------------------------------------

static const char *register_name(const struct writer *writer, int reg) {
    return writer->thread->registers[reg].name;
}

static const char *constant(const struct writer *writer, struct bits128 value) {
    return value.high != 0 ? arena_format(writer->arena, "-%" PRIu64, ~value.low + 1)
                           : arena_format(writer->arena, "%" PRIu64, value.low);
}

static const char *operand_text(const struct writer *writer, const struct operand *operand) {
    switch (operand->kind) {
    case OPERAND_REGISTER: return register_name(writer, operand->reg);
    case OPERAND_IMMEDIATE: return constant(writer, operand->immediate);
    case OPERAND_MEMORY: return writer->test->variables[operand->variable].name;
    case OPERAND_LABEL:
        return arena_format(writer->arena, "$%s", writer->thread->labels[operand->label].name);
    default: bug("an operand of kind %d in a test in C++", (int)operand->kind);
    }
}

// --- Accesses and fences, by the table ----------------------------------------------------------

static enum lowered_operation operation_of(const struct instruction *instruction) {
    bool plain = instruction->order == ORDER_WEAK;
    switch (instruction->opcode) {
    case OP_LD: return plain ? LOWERED_PLAIN_LOAD : LOWERED_LOAD;
    case OP_ST: return plain ? LOWERED_PLAIN_STORE : LOWERED_STORE;
    case OP_FENCE: return LOWERED_FENCE;
    case OP_ATOM: return instruction->atomic == ATOMIC_CAS ? LOWERED_CAS : LOWERED_RMW;
    default: return LOWERED_COUNT;
    }
}

static bool is_row_for(const struct lowering_row *row, enum lowered_operation of,
                       const struct instruction *instruction) {
    return row->of == of &&
           (instruction->order == ORDER_WEAK || ((row->orders >> instruction->order & 1) != 0 &&
                                                 (row->scopes >> instruction->scope & 1) != 0));
}

// The row for an operation: one that names its scope, or one for all.
static const struct lowering_row *find_row(const struct lowering *lowering,
                                           const struct instruction *instruction) {
    enum lowered_operation of = operation_of(instruction);
    const struct lowering_row *found = NULL;
    for (size_t i = 0; i < lowering->row_count; i++)
        if (is_row_for(&lowering->rows[i], of, instruction) && (!found || !found->has_scopes))
            found = &lowering->rows[i];
    return found;
}

// PTX has each operation on some types only: add.u64, but not add.s64 (PTX ISA 9.7.13.5).
static const char *atomic_text(const struct writer *writer, const struct instruction *instruction) {
    unsigned bits = scalar_type_bits(instruction->type);
    const char *type = scalar_type_name(instruction->type);
    switch (instruction->atomic) {
    case ATOMIC_ADD: return bits == 64 ? "add.u64" : arena_format(writer->arena, "add.%s", type);
    case ATOMIC_MIN: return arena_format(writer->arena, "min.%s", type);
    case ATOMIC_MAX: return arena_format(writer->arena, "max.%s", type);
    case ATOMIC_AND: return arena_format(writer->arena, "and.b%u", bits);
    case ATOMIC_OR: return arena_format(writer->arena, "or.b%u", bits);
    case ATOMIC_XOR: return arena_format(writer->arena, "xor.b%u", bits);
    case ATOMIC_EXCH: return arena_format(writer->arena, "exch.b%u", bits);
    case ATOMIC_CAS: return arena_format(writer->arena, "cas.b%u", bits);
    default: return "";
    }
}

// The values that an operation stores, adds or compares, with commas.
static const char *values_text(const struct writer *writer, const struct instruction *instruction) {
    const char *text = "";
    for (unsigned i = instruction->opcode == OP_ST ? 1 : 2; i < instruction->operand_count; i++)
        text = arena_format(writer->arena, "%s%s%s", text, *text ? ", " : "",
                            operand_text(writer, &instruction->operands[i]));
    return text;
}

// What a word in braces is; NULL where the operation or its scope has none.
static const char *word_text(const struct writer *writer, const struct instruction *instruction,
                             const char *word) {
    bool accesses = instruction->opcode != OP_FENCE, stores = instruction->opcode == OP_ST;
    if (strcmp(word, "n") == 0)
        return arena_format(writer->arena, "%u", writer->count);
    for (size_t i = 0; i < writer->lowering->word_count; i++)
        if (strcmp(writer->lowering->words[i].name, word) == 0)
            return writer->lowering->words[i].texts[instruction->scope];
    if (!accesses)
        return NULL;
    const char *type = scalar_type_name(instruction->type);
    if (strcmp(word, "type") == 0)
        return type;
    if (strcmp(word, "bits") == 0)
        return arena_format(writer->arena, "b%u", scalar_type_bits(instruction->type));
    if (strcmp(word, "space") == 0)
        return state_space_name(instruction->space);
    if (strcmp(word, "address") == 0)
        return operand_text(writer, &instruction->operands[stores ? 0 : 1]);
    if (strcmp(word, "result") == 0)
        return stores ? NULL : operand_text(writer, &instruction->operands[0]);
    if (strcmp(word, "operation") == 0)
        return instruction->opcode == OP_ATOM ? atomic_text(writer, instruction) : NULL;
    return instruction->opcode == OP_LD ? NULL : values_text(writer, instruction);
}

static bool fail_word(struct writer *writer, const struct instruction *instruction,
                      const char *word) {
    const char *scope = lowering_scope_word(instruction->scope);
    return diag_error(writer->diagnostics, instruction->span,
                      "the table %s has no '{%s}' for this %s%s%s", writer->lowering->name, word,
                      lowering_operation_word(operation_of(instruction)), scope ? " of scope " : "",
                      scope ? scope : "");
}

static bool write_line(struct writer *writer, const struct instruction *instruction,
                       const char *line) {
    fputs("  ", writer->out);
    while (*line) {
        size_t plain = strcspn(line, "{");
        fprintf(writer->out, "%.*s", (int)plain, line);
        line += plain;
        size_t length = *line ? strcspn(line + 1, "} ") : 0;
        if (*line && (length == 0 || line[1 + length] != '}')) { // a brace of PTX
            fputc(*line++, writer->out);
        } else if (*line) {
            const char *word = arena_strndup(writer->arena, line + 1, length);
            const char *text = word_text(writer, instruction, word);
            if (!text)
                return fail_word(writer, instruction, word);
            fputs(text, writer->out);
            line += length + 2;
        }
    }
    fputs(";\n", writer->out);
    return true;
}

static bool write_lowered(struct writer *writer, const struct instruction *instruction) {
    static const char *const plain[] = {
        [LOWERED_PLAIN_LOAD] = "ld.weak{space}.{type} {result}, [{address}]",
        [LOWERED_PLAIN_STORE] = "st.weak{space}.{type} [{address}], {value}"};
    const struct lowering_row *row = find_row(writer->lowering, instruction);
    writer->count++;
    if (!row && instruction->order == ORDER_WEAK)
        return write_line(writer, instruction, plain[operation_of(instruction)]);
    if (!row)
        return diag_error(
            writer->diagnostics, instruction->span,
            "the table %s has no row for this: %s, %s, scope %s", writer->lowering->name,
            lowering_operation_word(operation_of(instruction)),
            lowering_order_word(instruction->order), lowering_scope_word(instruction->scope));
    for (size_t i = 0; i < row->line_count; i++)
        if (!write_line(writer, instruction, row->lines[i]))
            return false;
    return true;
}

// --- Everything else ----------------------------------------------------------------------------

static const char *compare_text(enum compare_op compare) {
    static const char *const texts[] = {
        [COMPARE_EQ] = "eq", [COMPARE_NE] = "ne", [COMPARE_LT] = "lt",
        [COMPARE_LE] = "le", [COMPARE_GT] = "gt", [COMPARE_GE] = "ge"};
    return texts[compare];
}

// The opcode with its qualifiers.
static const char *opcode_text(const struct writer *writer, const struct instruction *instruction) {
    const char *type = scalar_type_name(instruction->type);
    unsigned bits = scalar_type_bits(instruction->type);
    switch (instruction->opcode) {
    case OP_MOV: return arena_format(writer->arena, "mov.%s", type);
    case OP_ADD: return arena_format(writer->arena, "add.%s", type);
    case OP_SUB: return arena_format(writer->arena, "sub.%s", type);
    case OP_MUL: return arena_format(writer->arena, "mul.lo.%s", type);
    case OP_NEG: return arena_format(writer->arena, "neg.s%u", bits);
    case OP_NOT: return arena_format(writer->arena, "not.b%u", bits);
    case OP_AND: return arena_format(writer->arena, "and.b%u", bits);
    case OP_OR: return arena_format(writer->arena, "or.b%u", bits);
    case OP_XOR: return arena_format(writer->arena, "xor.b%u", bits);
    case OP_SELP: return arena_format(writer->arena, "selp.%s", type);
    case OP_SETP:
        return arena_format(writer->arena, "setp.%s.%s", compare_text(instruction->compute.compare),
                            type);
    case OP_BRA: return "bra";
    case OP_BAR: return "bar.sync";
    default: bug("an instruction with opcode %d in a test in C++", (int)instruction->opcode);
    }
}

static void write_plain(struct writer *writer, const struct instruction *instruction) {
    fputs("  ", writer->out);
    if (instruction->guard >= 0)
        fprintf(writer->out, "@%s%s ", instruction->guard_negated ? "!" : "",
                register_name(writer, instruction->guard));
    fputs(opcode_text(writer, instruction), writer->out);
    for (unsigned i = 0; i < instruction->operand_count; i++)
        fprintf(writer->out, "%s%s", i > 0 ? ", " : " ",
                operand_text(writer, &instruction->operands[i]));
    fputs(";\n", writer->out);
}

// --- Threads ------------------------------------------------------------------------------------

static void write_labels(const struct writer *writer, size_t at) {
    for (size_t i = 0; i < writer->thread->label_count; i++)
        if (writer->thread->labels[i].target == at)
            fprintf(writer->out, "$%s:\n", writer->thread->labels[i].name);
}

// The words of the source, once for all that they become, on one line.
static void write_comment(const struct writer *writer, size_t index) {
    const struct instruction *instructions = writer->thread->instructions;
    struct span span = instructions[index].span;
    if (index > 0 && instructions[index - 1].span.begin == span.begin)
        return;
    const char *text = span_text(writer->arena, span);
    fputs("  // ", writer->out);
    for (bool space = false; *text; text++) {
        bool is_space = strchr(" \t\r\n", *text) != NULL;
        if (!is_space && space)
            fputc(' ', writer->out);
        if (!is_space)
            fputc(*text, writer->out);
        space = is_space;
    }
    fputc('\n', writer->out);
}

static void write_place(const struct writer *writer, const struct place *place) {
    if (place->host) {
        fputs("host", writer->out);
        return;
    }
    fprintf(writer->out, "cta %u,", place->cta);
    if (place->has_cluster)
        fprintf(writer->out, "cluster %u,", place->cluster);
    fprintf(writer->out, "gpu %u", place->gpu);
}

// Whether an instruction uses a register: those that only carried a value to where it was wanted
// may be left.
static bool is_used(const struct thread *thread, int reg) {
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *instruction = &thread->instructions[i];
        if (instruction->guard == reg)
            return true;
        for (unsigned k = 0; k < instruction->operand_count; k++)
            if (instruction->operands[k].reg == reg)
                return true;
    }
    return false;
}

static bool write_thread(struct writer *writer) {
    const struct thread *thread = writer->thread;
    bool fine = true;
    fprintf(writer->out, "\nP%u@", thread->number);
    write_place(writer, &thread->place);
    fputs(" {\n", writer->out);
    for (size_t i = 0; i < thread->register_count; i++)
        if (is_used(thread, (int)i))
            fprintf(writer->out, "  .reg .%s %s;\n", scalar_type_name(thread->registers[i].type),
                    thread->registers[i].name);
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *instruction = &thread->instructions[i];
        write_labels(writer, i);
        write_comment(writer, i);
        if (operation_of(instruction) == LOWERED_COUNT)
            write_plain(writer, instruction);
        else
            fine = write_lowered(writer, instruction) && fine;
    }
    write_labels(writer, thread->instruction_count);
    fputs("}\n", writer->out);
    return fine;
}

// --- The whole ----------------------------------------------------------------------------------

static void write_variable(const struct writer *writer, const struct variable *variable) {
    fprintf(writer->out, "%s .%s %s", state_space_name(variable->space),
            scalar_type_name(variable->type), variable->name);
    if (variable->has_initial)
        fprintf(writer->out, " = %" PRIu64, variable->initial[0].value.low);
    fputs(";\n", writer->out);
}

static void write_tail(const struct writer *writer) {
    static const char *const quantifiers[] = {[QUANTIFIER_EXISTS] = "exists",
                                              [QUANTIFIER_NOT_EXISTS] = "~exists",
                                              [QUANTIFIER_FORALL] = "forall"};
    const struct test *test = writer->test;
    fputc('\n', writer->out);
    if (test->location_count > 0)
        fputs("locations [", writer->out);
    for (size_t i = 0; i < test->location_count; i++)
        fprintf(writer->out, "%s; ", span_text(writer->arena, test->locations[i].span));
    if (test->location_count > 0)
        fputs("]\n", writer->out);
    if (test->filter)
        fprintf(writer->out, "filter (%s)\n", span_text(writer->arena, test->filter->span));
    fprintf(writer->out, "%s (%s)\n", quantifiers[test->quantifier],
            test->is_unconditional ? "true" : span_text(writer->arena, test->condition->span));
    // What the source forbids or always does, the lowered test has to. What else the source expects
    // is about its own model.
    if (test_expects(test, EXPECT_FORBIDDEN))
        fputs("expect forbidden;\n", writer->out);
    if (test_expects(test, EXPECT_ALWAYS))
        fputs("expect always;\n", writer->out);
}

static bool write_test(struct writer *writer) {
    const struct test *test = writer->test;
    bool fine = true;
    fprintf(writer->out, "PTX %s+%s\n", test->name, writer->lowering->name);
    if (*test->description)
        fprintf(writer->out, "\"%s\"\n", test->description);
    fprintf(writer->out, "\"lowered from C++ by the table %s\"\n\n", writer->lowering->name);
    for (size_t i = 0; i < test->variable_count; i++)
        write_variable(writer, &test->variables[i]);
    if (test->is_cooperative)
        fputs("launch cooperative;\n", writer->out);
    if (test->no_timeouts)
        fputs("assume no timeouts;\n", writer->out);
    if (test->promise.progress != PROGRESS_OFF)
        fprintf(writer->out, "progress %s;\n",
                progress_text(writer->arena, test->promise.progress, &test->promise.schedule));
    for (size_t i = 0; i < test->thread_count; i++) {
        writer->thread = &test->threads[i];
        fine = write_thread(writer) && fine;
    }
    write_tail(writer);
    return fine;
}

const char *lowering_text(struct arena *arena, const struct test *test,
                          const struct lowering *lowering, struct diagnostics *diagnostics) {
    char *text;
    size_t size;
    if (test->dialect != DIALECT_CPP) {
        diag_error_path(diagnostics, test->source->path,
                        "a test in C++ is lowered, and this one is in PTX already");
        return NULL;
    }
    struct writer writer = {
        .arena = arena, .diagnostics = diagnostics, .test = test, .lowering = lowering};
    writer.out = text_open(&text, &size);
    bool fine = write_test(&writer);
    text_close(writer.out);
    const char *copy = fine ? arena_strndup(arena, text, size) : NULL;
    free(text);
    return copy;
}

struct test *lowering_test(struct arena *arena, const struct test *test,
                           const struct lowering *lowering, struct diagnostics *diagnostics) {
    const char *text = lowering_text(arena, test, lowering, diagnostics);
    if (!text)
        return NULL;
    const char *path = arena_format(arena, "%s lowered by %s", test->source->path, lowering->name);
    return test_read(arena, source_from_text(arena, path, text, strlen(text)), SYNTAX_PTX,
                     diagnostics);
}
