// Instructions, by the table of opcodes: each is given to the function that makes events or values
// of it.
#include "program/builder.h"
#include "program/thread/access.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"

// The flow of a thread takes jumps itself.
void run_jump(struct thread_builder *thread, const struct instruction *instruction) {
    (void)thread;
    bug("opcode %d goes elsewhere", (int)instruction->opcode);
}

// What the reader has put others in the place of.
void run_taken_apart(struct thread_builder *thread, const struct instruction *instruction) {
    (void)thread;
    bug("opcode %d is not taken apart", (int)instruction->opcode);
}

void execute_instruction(struct thread_builder *thread, const struct instruction *instruction) {
    static void (*const run[])(struct thread_builder *, const struct instruction *) = {
#define OPCODE(id, family, proxy, effects, traits, run) [OP_##id] = (run),
#include "litmus/opcodes.def"
    };
    _Static_assert(sizeof run / sizeof run[0] == OPCODE_COUNT, "every opcode has a function");
    bool is_float = scalar_type_is_float(instruction->type);
    if (access_refused(thread, instruction))
        return;
    if (is_float && (opcode_effects(instruction->opcode) & EFFECT_FLOATS) != 0)
        compute_float(thread, instruction);
    else
        run[instruction->opcode](thread, instruction);
}
