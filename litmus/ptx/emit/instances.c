// What is different in a body that is in an asm statement: opcodes, rounds of loops, and how
// many threads a barrier counts.
#include "litmus/ptx/emit/internal.h"

#include "litmus/source/arena.h"

#include <ctype.h>
#include <string.h>

// --- Opcodes -----------------------------------------------------------------------------------

// `text` with the first occurrence of a qualifier replaced.
static const char *with_qualifier(struct arena *arena, const char *text, const char *qualifier,
                                  const char *replacement) {
    size_t length = strlen(qualifier);
    for (const char *at = strstr(text, qualifier); at; at = strstr(at + 1, qualifier))
        if (at[length] == '.' || at[length] == '\0')
            return arena_format(arena, "%.*s%s%s", (int)(at - text), text, replacement,
                                at + length);
    return text;
}

static bool is_plain_access(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_ACCESS &&
           !opcode_has(instruction->opcode, TRAIT_OWN);
}

static bool is_ordered(const struct instruction *instruction) {
    return is_plain_access(instruction) &&
           (instruction->order == ORDER_ACQUIRE || instruction->order == ORDER_RELEASE ||
            instruction->order == ORDER_ACQ_REL);
}

static bool only_orders(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_FENCE;
}

// The opcode as the test has it; in a table there may be blanks in it.
static const char *opcode_text(struct arena *arena, const struct instruction *instruction) {
    char *text = span_text(arena, instruction->opcode_span), *to = text;
    for (const char *from = text; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
    *to = '\0';
    return text;
}

// The threads of a warp are in different instances, so that they need not go the same way.
const char *ptx_role_opcode(struct arena *arena, const struct instruction *instruction,
                            bool is_control) {
    static const char *const orders[] = {".acquire", ".release", ".acq_rel"};
    const char *text = opcode_text(arena, instruction);
    if (instruction->barrier != BARRIER_NONE) {
        text = strncmp(text, "bar.", 4) == 0 ? arena_format(arena, "barrier.%s", text + 4) : text;
        return with_qualifier(arena, text, ".aligned", "");
    }
    if (instruction_branches(instruction))
        return with_qualifier(arena, text, ".uni", "");
    for (size_t i = 0; is_control && is_ordered(instruction) && i < 3; i++)
        text = with_qualifier(arena, text, orders[i], ".relaxed");
    return text;
}

bool ptx_role_has(const struct instruction *instruction, bool is_control) {
    return !is_control || !only_orders(instruction);
}

bool ptx_role_has_control(const struct test *test) {
    for (size_t i = 0; i < test->thread_count; i++)
        for (size_t k = 0; k < test->threads[i].instruction_count; k++)
            if (only_orders(&test->threads[i].instructions[k]) ||
                is_ordered(&test->threads[i].instructions[k]))
                return true;
    return false;
}

// --- Loops and barriers ------------------------------------------------------------------------

bool emit_role_counts(const struct emitter *emitter, const struct thread *thread,
                      const struct instruction *jump) {
    size_t index = (size_t)(jump - thread->instructions);
    if (instruction_target(thread, jump) > index)
        return false;
    FILE *out = emitter->out;
    fputs("    setp.lt.u32 %loop_left, %loop_rounds, %loop_limit;\n    add.u32 %loop_rounds, "
          "%loop_rounds, 1;\n"
          "    not.pred %loop_stuck, %loop_left;\n",
          out);
    if (jump->guard >= 0) {
        const char *guard = test_register_key(thread->registers[jump->guard].name);
        fprintf(out, "    %s.pred %%loop_again, %%%s;\n", jump->guard_negated ? "not" : "mov",
                guard);
        fputs("    and.pred %loop_stuck, %loop_stuck, %loop_again;\n    and.pred %loop_again, "
              "%loop_left, %loop_again;\n",
              out);
    } else {
        fputs("    mov.pred %loop_again, %loop_left;\n", out);
    }
    fputs("    or.pred %loop_ran_out, %loop_ran_out, %loop_stuck;\n    @%loop_again", out);
    return true;
}

size_t emit_role_barrier_count(const struct emitter *emitter, const struct thread *thread) {
    return emitter->role->counts[thread - emitter->test->threads] * emitter->role->slots;
}
