// Writes files of CUDA: the frame of a file, and for each test its kernels, its condition and its
// shape.
#include "harness/cuda.h"

#include "harness/role.h"
#include "litmus/ptx/emit/emit.h"
#include "litmus/source/arena.h"

#include <ctype.h>
#include <inttypes.h>

// A text as a string literal. Trigraphs aside, only quotes, backslashes and control characters have
// to be written otherwise.
void harness_write_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ' || c == '?' || c >= 127)
            fprintf(out, "\\%03o", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

// --- Kernels -----------------------------------------------------------------------------------

static void write_kernel(FILE *out, const struct harness_plan *plan, size_t index,
                         const char *kind) {
    fprintf(out,
            "static __global__ void %s%zu(litmus::launch l) {\n"
            "    const litmus::seat s = litmus::enter(l);\n",
            kind, index);
    const char *before = "";
    for (size_t i = 0; i < plan->test->thread_count; i++) {
        const struct harness_seat *seat = &plan->seats[i];
        if (seat->is_host)
            continue;
        fprintf(out, "    %sif (s.unit == %u && s.rank == %u && s.part == %u) {\n", before,
                seat->unit, seat->rank, seat->part);
        fprintf(out, "        %s%zu_P%u(l, s);\n", kind, index, plan->test->threads[i].number);
        before = "} else ";
    }
    fputs("    }\n    litmus::leave(l, s);\n}\n\n", out);
}

// --- Memory ------------------------------------------------------------------------------------

static void set_byte(uint32_t *words, size_t at, unsigned byte) {
    words[at / 4] |= (uint32_t)byte << (8 * (at % 4));
}

// The initial bytes of a variable, as words that the arena owns.
static const uint32_t *initial_words(struct arena *arena, const struct harness_plan *plan,
                                     size_t index) {
    const struct variable *variable = &plan->test->variables[index];
    unsigned bytes = scalar_type_bits(variable->type) / 8;
    uint32_t *words = ARENA_ARRAY(arena, uint32_t, plan->variables[index].size / 4 + 1);
    for (size_t i = 0; variable->has_initial && i < variable->element_count; i++)
        for (unsigned k = 0; k < bytes; k++) {
            const struct bits128 value = variable->initial[i].value;
            uint64_t half = k < 8 ? value.low : value.high;
            set_byte(words, i * bytes + k, (unsigned)(half >> (8 * (k % 8))) & 0xff);
        }
    return words;
}

// Returns how many words there are.
static unsigned write_initial(struct arena *arena, FILE *out, const struct harness_plan *plan,
                              size_t index) {
    unsigned count = 0;
    fprintf(out, "static const uint32_t initial%zu[] = {", index);
    for (size_t i = 0; i < plan->test->variable_count; i++) {
        const uint32_t *words = initial_words(arena, plan, i);
        for (unsigned k = 0; !plan->variables[i].is_shared && k < plan->variables[i].size / 4; k++)
            fprintf(out, "%s%" PRIu32 "u", count++ > 0 ? ", " : "", words[k]);
    }
    fputs(count > 0 ? "};\n" : "0u};\n", out);
    return count;
}

// Whether the thread is the first one of its CTA.
static bool is_first(const struct harness_plan *plan, size_t thread) {
    return !plan->seats[thread].is_host && plan->seats[thread].part == 0;
}

// Returns how many words are written in shared memory, of all CTAs.
static unsigned write_shared(struct arena *arena, FILE *out, const struct harness_plan *plan,
                             size_t index) {
    unsigned count = 0;
    fprintf(out, "static const litmus::shared_word shared%zu[] = {", index);
    for (size_t t = 0; t < plan->test->thread_count; t++)
        for (size_t i = 0; is_first(plan, t) && i < plan->test->variable_count; i++) {
            const struct variable *variable = &plan->test->variables[i];
            const struct harness_variable *place = &plan->variables[i];
            const uint32_t *words = initial_words(arena, plan, i);
            unsigned size = !place->is_shared || !variable->has_initial ? 0
                            : variable->is_mbarrier                     ? 1
                                                                        : place->size / 4;
            for (unsigned k = 0; k < size; k++)
                fprintf(out, "%s{%u, %u, %u, %s, %" PRIu32 "u}", count++ > 0 ? ", " : "",
                        plan->seats[t].unit, plan->seats[t].rank, place->offset + 4 * k,
                        variable->is_mbarrier ? "true" : "false", words[k]);
        }
    fputs(count > 0 ? "};\n" : "{}};\n", out);
    return count;
}

// --- What a state shows ------------------------------------------------------------------------

static void write_columns(FILE *out, const struct harness_plan *plan, size_t index) {
    fprintf(out, "static const char *const names%zu[] = {", index);
    for (size_t i = 0; i < plan->column_count; i++) {
        harness_write_string(out, plan->columns[i].name);
        fputs(", ", out);
    }
    fprintf(out, "nullptr};\nstatic const unsigned bits%zu[] = {", index);
    for (size_t i = 0; i < plan->column_count; i++)
        fprintf(out, "%u, ", plan->columns[i].bits);
    fprintf(out, "0};\nstatic const bool is_signed%zu[] = {", index);
    for (size_t i = 0; i < plan->column_count; i++)
        fprintf(out, "%s, ", plan->columns[i].is_signed ? "true" : "false");
    fputs("false};\n", out);
}

static void write_condition(FILE *out, const struct harness_plan *plan, const char *name,
                            size_t index, const struct condition *condition) {
    fprintf(out,
            "static bool %s%zu(const unsigned long long *v) {\n    static_cast<void>(v);\n"
            "    return ",
            name, index);
    if (condition)
        harness_write_condition(out, plan, condition);
    else
        fputs("true", out);
    fputs(";\n}\n", out);
}

// The condition as it is written in the test, in one line.
static const char *condition_text(struct arena *arena, const struct test *test) {
    static const char *const words[] = {"exists", "~exists", "forall"};
    const struct span span = test->condition->span;
    if (test->is_unconditional)
        return "exists (true)";
    char *text = span_text(arena, span);
    for (char *at = text; *at; at++)
        *at = isspace((unsigned char)*at) ? ' ' : *at;
    return arena_format(arena, "%s (%s)", words[test->quantifier], text);
}

// --- The table ---------------------------------------------------------------------------------

static void write_column_kinds(FILE *out, const struct harness_plan *plan) {
    fputc('{', out);
    for (size_t i = 0; i < plan->column_count; i++) {
        const struct harness_column *column = &plan->columns[i];
        const struct harness_variable *variable =
            column->variable < 0 ? NULL : &plan->variables[column->variable];
        if (!variable)
            fputs("{litmus::column_register, 0, 0, 0, 0, 0}", out);
        else if (variable->is_shared)
            fprintf(out, "{litmus::column_shared, 0, %u, %u, %u, %u}", column->seat.unit,
                    column->seat.rank, variable->offset + column->offset, column->bytes);
        else
            fprintf(out, "{litmus::column_global, %u, 0, 0, %u, %u}", variable->number,
                    column->offset, column->bytes);
        fputs(i + 1 < plan->column_count ? ", " : "", out);
    }
    fputc('}', out);
}

static void write_shape(FILE *out, const struct harness_plan *plan, unsigned shared_words) {
    fprintf(out, "{%u, %u, %u, %u, %s, %u,\n     {", plan->units, plan->cluster, plan->parts,
            plan->slots, plan->copies ? "true" : "false", plan->variable_count);
    unsigned at = 0;
    for (size_t i = 0; i < plan->test->variable_count; i++)
        if (!plan->variables[i].is_shared)
            fprintf(out, "%s%u", plan->variables[i].number > 0 ? ", " : "",
                    plan->variables[i].size);
    fputs("}, {", out);
    for (size_t i = 0; i < plan->test->variable_count; i++)
        if (!plan->variables[i].is_shared) {
            fprintf(out, "%s%u", plan->variables[i].number > 0 ? ", " : "", at);
            at += plan->variables[i].size / 4;
        }
    fprintf(out, "}, %u, %u, %zu, %u,\n     ", plan->alignment, plan->shared_bytes,
            plan->column_count, shared_words);
    write_column_kinds(out, plan);
    fputc('}', out);
}

// The variables of a test that are of C++, and its row of the table.
static void write_data(struct arena *arena, FILE *out, const struct harness_item *item,
                       size_t index) {
    static const char *const claims[] = {"exists", "not_exists", "forall"};
    const struct harness_plan *plan = &item->plan;
    bool has_control = ptx_role_has_control(plan->test);
    write_condition(out, plan, "holds", index, plan->test->condition);
    write_condition(out, plan, "counts", index, plan->test->filter);
    write_columns(out, plan, index);
    unsigned words = write_initial(arena, out, plan, index);
    unsigned shared_words = write_shared(arena, out, plan, index);
    fprintf(out, "static const litmus::test entry%zu = {\n    ", index);
    harness_write_string(out, item->name);
    fprintf(out, ", litmus::%s,\n    ", claims[plan->test->quantifier]);
    harness_write_string(out, condition_text(arena, plan->test));
    fprintf(out, ",\n    %u, test%zu, ", plan->ptx, index);
    fprintf(out, has_control ? "control%zu" : "nullptr", index);
    fprintf(out, ", holds%zu, counts%zu,\n    ", index, index);
    write_shape(out, plan, shared_words);
    fprintf(out, ",\n    names%zu, bits%zu, is_signed%zu, initial%zu, %u, shared%zu,\n", index,
            index, index, index, words, index);
    fprintf(out, "    test_host%zu, %s_host%zu};\n\n", index, has_control ? "control" : "test",
            index);
}

// The threads of a test or its control, their kernel, and the list of those of the host.
static void write_program(struct arena *arena, FILE *out, const struct harness_item *item,
                          size_t index, bool is_control) {
    const struct harness_plan *plan = &item->plan;
    const char *kind = is_control ? "control" : "test";
    for (size_t i = 0; i < plan->test->thread_count; i++)
        if (plan->seats[i].is_host)
            harness_write_host(out, item, index, i, is_control);
        else
            harness_write_role(arena, out, item, index, i, is_control);
    write_kernel(out, plan, index, kind);
    fprintf(out, "static const litmus::host_thread %s_host%zu[] = {", kind, index);
    for (size_t i = 0; i < plan->test->thread_count; i++)
        if (plan->seats[i].is_host)
            fprintf(out, "%s%zu_P%u, ", kind, index, plan->test->threads[i].number);
    fputs("nullptr};\n", out);
}

static void write_test(struct arena *arena, FILE *out, const struct harness_item *item,
                       size_t index) {
    const struct harness_plan *plan = &item->plan;
    fprintf(out, "// --- %s\n\n", item->name);
    if (plan->ptx > 0)
        fprintf(out, "#if PTXLITMUS_PTX >= %u\n\n", plan->ptx);
    write_program(arena, out, item, index, false);
    if (ptx_role_has_control(plan->test))
        write_program(arena, out, item, index, true);
    write_data(arena, out, item, index);
    if (plan->ptx > 0) {
        fprintf(out, "#else\n\nstatic const litmus::test entry%zu = litmus::left_out(", index);
        harness_write_string(out, item->name);
        fprintf(out, ", %u);\n\n#endif\n\n", plan->ptx);
    }
}

void harness_write_cuda(struct arena *arena, FILE *out, const struct harness_item *items,
                        size_t count) {
    fputs("// Litmus tests for the GPU, written by ptxlitmus harness: see run.sh.\n"
          "#include \"run.h\"\n\n"
          "#ifndef PTXLITMUS_PTX\n"
          "#error \"compile with -DPTXLITMUS_PTX=90 where the compiler writes PTX 9.0\"\n"
          "#endif\n\n",
          out);
    for (size_t i = 0; i < count; i++)
        write_test(arena, out, &items[i], i);
    fputs("int main(int argc, char **argv) {\n    const litmus::test tests[] = {", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%sentry%zu", i > 0 ? ", " : "", i);
    fputs("};\n    return litmus::run(tests, sizeof tests / sizeof *tests, PTXLITMUS_PTX, argc, "
          "argv);\n"
          "}\n",
          out);
}
