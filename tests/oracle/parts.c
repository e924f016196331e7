#include "tests/oracle/paths_internal.h"

#include <stdlib.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b) {
    return b && b < a ? b : a;
}

// Whether the type of an instruction says how large its accesses are.
static bool has_own_size(const struct instruction *at) {
    return instruction_is_multimem(at) || at->opcode == OP_LD || at->opcode == OP_ST ||
           at->opcode == OP_ST_ASYNC || at->opcode == OP_ATOM || at->opcode == OP_RED ||
           at->opcode == OP_CP_REDUCE || at->opcode == OP_CP_TENSOR || at->opcode == OP_RED_ASYNC ||
           at->opcode == OP_TENSOR_LD || at->opcode == OP_TENSOR_ST ||
           at->opcode == OP_TENSOR_ALLOC;
}

static unsigned own_size(const struct instruction *at) {
    bool packed = at->type == TYPE_F16X2 || at->type == TYPE_BF16X2;
    return has_own_size(at) ? scalar_type_bits(at->type) / (packed ? 16 : 8) : 0;
}

static unsigned element_size(const struct test *test, size_t variable) {
    return test->threads[0].launch || test->variables[variable].is_mbarrier
               ? 0
               : scalar_type_bits(test->variables[variable].type) / 8;
}

unsigned parts_smallest_of_test(const struct test *test) {
    unsigned part = 8;
    for (size_t v = 0; v < test->variable_count; v++)
        part = least(part, element_size(test, v));
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            part = least(part, own_size(&test->threads[t].instructions[i]));
    return part;
}

bool parts_are_needed(const struct test *test) {
    static const enum opcode many[] = {OP_ST_BULK,    OP_CP_ASYNC, OP_CP_BULK,    OP_CP_TENSOR,
                                       OP_CANCEL_TRY, OP_WGMMA,    OP_TENSOR_MMA, OP_TENSOR_CP};
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            for (size_t k = 0; k < sizeof many / sizeof many[0]; k++)
                if (test->threads[t].instructions[i].opcode == many[k])
                    return true;
    return false;
}

void parts_init(struct parts *parts, const struct memory *memory) {
    const struct test *test = memory->test;
    *parts = (struct parts){.memory = memory};
    parts->smallest = paths_allocate(test->variable_count, 1);
    memset(parts->smallest, 8, test->variable_count);
    for (size_t v = 0; v < test->variable_count; v++) {
        size_t owner = v;
        while (test->variables[owner].alias_of >= 0)
            owner = (size_t)test->variables[owner].alias_of;
        parts->smallest[owner] =
            (unsigned char)least(parts->smallest[owner], element_size(test, v));
    }
    parts->touches = paths_allocate(test->thread_count, sizeof *parts->touches);
    for (size_t t = 0; t < test->thread_count; t++)
        parts->touches[t] =
            paths_allocate(test->threads[t].instruction_count * test->variable_count, sizeof(bool));
}

void parts_free(struct parts *parts) {
    for (size_t t = 0; parts->memory && t < parts->memory->test->thread_count; t++) {
        free(parts->touches[t]);
        if (parts->sizes)
            free(parts->sizes[t]);
    }
    free(parts->touches);
    free(parts->sizes);
    free(parts->smallest);
}

void parts_note(struct parts *parts, int thread, const struct step *step) {
    if (!parts->touches || !step->has_spot || step->spot.object < 0)
        return;
    const struct test *test = parts->memory->test;
    size_t variable = (size_t)parts->memory->objects[step->spot.object].variable;
    bool divided =
        step->at->opcode == OP_ST_BULK || (step->operation > 0 && step->stage != STAGE_COMPLETES);
    if (own_size(step->at))
        parts->smallest[variable] = (unsigned char)least(parts->smallest[variable], step->size);
    else if (divided)
        parts->touches[thread][step->instruction * test->variable_count + variable] = true;
}

static unsigned size_of(const struct parts *parts, int thread, size_t instruction) {
    const struct test *test = parts->memory->test;
    unsigned size = 8;
    for (size_t o = 0; o < parts->memory->count; o++) {
        const struct object *object = &parts->memory->objects[o];
        if (!parts->touches[thread][instruction * test->variable_count + (size_t)object->variable])
            continue;
        size = least(size, parts->smallest[object->variable]);
        while (object->size % size)
            size /= 2;
    }
    return size;
}

bool parts_settle(struct parts *parts) {
    const struct test *test = parts->memory->test;
    unsigned before = parts_smallest_of_test(test);
    bool differs = false;
    parts->sizes = paths_allocate(test->thread_count, sizeof *parts->sizes);
    for (size_t t = 0; t < test->thread_count; t++) {
        parts->sizes[t] = paths_allocate(test->threads[t].instruction_count, 1);
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            bool any = false;
            for (size_t v = 0; v < test->variable_count; v++)
                any = any || parts->touches[t][i * test->variable_count + v];
            parts->sizes[t][i] = (unsigned char)(any ? size_of(parts, (int)t, i) : before);
            differs = differs || parts->sizes[t][i] != before;
        }
    }
    return differs;
}
