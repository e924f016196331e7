// Writes a thread of a test as a function with one asm statement: what the compiler of CUDA sees is
// a block of PTX that it leaves as it is. Addresses come in, and the registers that are shown go
// out at its end.
#include "harness/role.h"

#include "litmus/ptx/emit/emit.h"
#include "litmus/source/arena.h"

#include <string.h>

struct role_writer {
    struct arena *arena;
    FILE *out;
    const struct harness_plan *plan;
    const struct thread *thread;
    size_t thread_index;
    unsigned operands; // of the asm statement, so far
};

// --- What a thread uses ------------------------------------------------------------------------

// Whether a register holds the address of a variable at first, or an instruction names it.
static bool uses_variable(const struct thread *thread, int variable) {
    for (size_t i = 0; i < thread->register_count; i++)
        if (thread->registers[i].has_initial && thread->registers[i].initial_variable == variable)
            return true;
    return harness_names_variable(thread, variable);
}

// --- Lines of PTX ------------------------------------------------------------------------------

// A line of the asm statement as a string literal. In a body each '%' begins a register; what is
// around it has operands of the statement, too, and is written with them.
static void line(struct role_writer *w, const char *text, size_t length, bool is_body) {
    fputs("        \"", w->out);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '%' && is_body)
            fputs("%%", w->out);
        else if (text[i] == '"' || text[i] == '\\')
            fprintf(w->out, "\\%c", text[i]);
        else
            fputc(text[i], w->out);
    fputs("\\n\\t\"\n", w->out);
}

static void put_line(struct role_writer *w, const char *text) {
    line(w, text, strlen(text), false);
}

static void put_body(struct role_writer *w, const char *body) {
    while (*body) {
        const char *end = strchr(body, '\n');
        size_t length = end ? (size_t)(end - body) : strlen(body);
        size_t indent = strspn(body, " ");
        indent = indent < length ? indent : length;
        line(w, body + indent, length - indent, true);
        body += length + (end != NULL);
    }
}

// --- Operands ----------------------------------------------------------------------------------

static const struct test_register *column_register(const struct role_writer *w,
                                                   const struct harness_column *column) {
    bool mine = column->thread == (int)w->thread_index;
    return mine ? &w->thread->registers[column->reg] : NULL;
}

// What is shown comes first among the operands, then whether a loop was left, the addresses, and
// the bound of loops.
static void declare_outputs(struct role_writer *w) {
    for (size_t i = 0; i < w->plan->column_count; i++) {
        const struct test_register *reg = column_register(w, &w->plan->columns[i]);
        if (reg)
            fprintf(w->out, "    %s shown%zu;\n",
                    reg->width > 32 ? "unsigned long long" : "unsigned", i);
    }
    if (thread_loops(w->thread))
        fputs("    unsigned ran_out;\n", w->out);
}

static void put_result(struct role_writer *w, const struct test_register *reg) {
    struct arena *arena = w->arena;
    const char *key = test_register_key(reg->name);
    unsigned operand = w->operands++;
    if (reg->width == 1)
        put_line(w, arena_format(arena, "selp.b32 %%%u, 1, 0, %%%%%s;", operand, key));
    else if (reg->type != TYPE_NONE && reg->width == 8)
        put_line(w, arena_format(arena, "cvt.u32.u8 %%%u, %%%%%s;", operand, key));
    else if (reg->width <= 16)
        put_line(w, arena_format(arena,
                                 "{ .reg .b16 %%%%shown_16; mov.b16 %%%%shown_16, %%%%%s; "
                                 "cvt.u32.u16 %%%u, %%%%shown_16; }",
                                 key, operand));
    else
        put_line(w, arena_format(arena, "mov.b%u %%%u, %%%%%s;", reg->width, operand, key));
}

static void put_results(struct role_writer *w) {
    w->operands = 0;
    for (size_t i = 0; i < w->plan->column_count; i++) {
        const struct test_register *reg = column_register(w, &w->plan->columns[i]);
        if (reg)
            put_result(w, reg);
    }
    if (thread_loops(w->thread))
        put_line(w,
                 arena_format(w->arena, "selp.b32 %%%u, 1, 0, %%%%loop_ran_out;", w->operands++));
}

static unsigned output_count(const struct role_writer *w) {
    unsigned count = thread_loops(w->thread);
    for (size_t i = 0; i < w->plan->column_count; i++)
        count += column_register(w, &w->plan->columns[i]) != NULL;
    return count;
}

// The registers that the body takes for granted.
static void put_inputs(struct role_writer *w) {
    unsigned operand = output_count(w);
    for (size_t i = 0; i < w->plan->test->variable_count; i++) {
        const char *name = w->plan->test->variables[i].name;
        if (!uses_variable(w->thread, (int)i))
            continue;
        put_line(w, arena_format(w->arena, ".reg .b64 %%%%at_%s;", name));
        put_line(w, arena_format(w->arena, "mov.b64 %%%%at_%s, %%%u;", name, operand++));
        if (w->plan->variables[i].is_shared) {
            put_line(w, arena_format(w->arena, ".reg .b32 %%%%at32_%s;", name));
            put_line(w, arena_format(w->arena, "cvt.u32.u64 %%%%at32_%s, %%%%at_%s;", name, name));
        }
    }
    if (!thread_loops(w->thread))
        return;
    put_line(w, ".reg .pred %%loop_left, %%loop_again, %%loop_stuck, %%loop_ran_out;");
    put_line(w, ".reg .b32 %%loop_rounds, %%loop_limit;");
    put_line(w, arena_format(w->arena, "mov.b32 %%%%loop_limit, %%%u;", operand));
    put_line(w, "mov.b32 %%loop_rounds, 0;");
    put_line(w, "setp.ne.b32 %%loop_ran_out, %%loop_rounds, %%loop_rounds;");
}

// The ends of the asm statement: outputs, inputs and what it may change.
static void put_operands(struct role_writer *w) {
    const char *comma = "";
    fputs("        : ", w->out);
    for (size_t i = 0; i < w->plan->column_count; i++) {
        const struct test_register *reg = column_register(w, &w->plan->columns[i]);
        if (!reg)
            continue;
        fprintf(w->out, "%s\"=%c\"(shown%zu)", comma, reg->width > 32 ? 'l' : 'r', i);
        comma = ", ";
    }
    fprintf(w->out,
            thread_loops(w->thread) ? "%s\"=r\"(ran_out)\n        : " : "\n        : ", comma);
    comma = "";
    for (size_t i = 0; i < w->plan->test->variable_count; i++) {
        const struct harness_variable *variable = &w->plan->variables[i];
        if (!uses_variable(w->thread, (int)i))
            continue;
        if (variable->is_shared)
            fprintf(w->out, "%s\"l\"(litmus::shared(l, s, %u))", comma, variable->offset);
        else
            fprintf(w->out, "%s\"l\"(litmus::global(l, s.instance, %u))", comma, variable->number);
        comma = ", ";
    }
    if (thread_loops(w->thread))
        fprintf(w->out, "%s\"r\"(l.limit)", comma);
    else if (*comma == '\0' && output_count(w) == 0)
        fputs("\"r\"(0)", w->out); // without any operand, "%%" would stay as it is
    fputs("\n        : \"memory\");\n", w->out);
}

static void keep_results(struct role_writer *w) {
    for (size_t i = 0; i < w->plan->column_count; i++)
        if (column_register(w, &w->plan->columns[i]))
            fprintf(w->out, "    litmus::keep(l, s.instance, %zu, shown%zu);\n", i, i);
    if (thread_loops(w->thread))
        fputs("    litmus::note_end(l, s.instance, ran_out);\n", w->out);
}

// --- The function ------------------------------------------------------------------------------

void harness_write_role(struct arena *arena, FILE *out, const struct harness_item *item,
                        size_t index, size_t thread, bool is_control) {
    const struct harness_plan *plan = &item->plan;
    struct role_writer w = {.arena = arena,
                            .out = out,
                            .plan = plan,
                            .thread = &plan->test->threads[thread],
                            .thread_index = thread};
    const struct emit_role role = {
        .slots = plan->slots, .counts = plan->cta_threads, .is_control = is_control};
    fprintf(out,
            "static __device__ __forceinline__ void %s%zu_P%u(const litmus::launch &l, "
            "const litmus::seat &s) {\n",
            is_control ? "control" : "test", index, w.thread->number);
    declare_outputs(&w);
    fputs("    asm volatile(\n", out);
    put_line(&w, "{");
    put_line(&w, arena_format(arena, "// litmus %s%s P%u", item->name, is_control ? " control" : "",
                              w.thread->number));
    put_inputs(&w);
    put_body(&w, ptx_emit_role(arena, plan->test, thread, &role));
    put_results(&w);
    put_line(&w, "}");
    put_operands(&w);
    keep_results(&w);
    if (plan->copies)
        fputs("    litmus::wait_for_copies();\n", out);
    fputs("}\n\n", out);
}

// --- Opcodes -----------------------------------------------------------------------------------

static bool is_compared(const struct instruction *instruction, bool is_control) {
    unsigned matters = EFFECT_READS | EFFECT_WRITES | EFFECT_ORDERS | EFFECT_BARRIER;
    return (opcode_effects(instruction->opcode) & matters) && ptx_role_has(instruction, is_control);
}

static void write_opcodes(struct arena *arena, FILE *out, const struct harness_item *item,
                          bool is_control) {
    const struct test *test = item->plan.test;
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct thread *thread = &test->threads[i];
        if (thread->place.host)
            continue; // not in PTX
        fprintf(out, "%s%s P%u:", item->name, is_control ? " control" : "", thread->number);
        for (size_t k = 0; k < thread->instruction_count; k++) {
            const struct instruction *instruction = &thread->instructions[k];
            if (is_compared(instruction, is_control))
                fprintf(out, " %s", ptx_role_opcode(arena, instruction, is_control));
        }
        fputc('\n', out);
    }
}

void harness_write_opcodes(struct arena *arena, FILE *out, const struct harness_item *items,
                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        write_opcodes(arena, out, &items[i], false);
        if (ptx_role_has_control(items[i].plan.test))
            write_opcodes(arena, out, &items[i], true);
    }
}
