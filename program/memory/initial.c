// Initial values: the bits with which a piece of an object starts.

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/mbarrier_state.h"
#include "program/thread/shapes.h"

#include <assert.h>

// An element's initial value; a variable's name means its address.
static uint128 element_value(const struct builder *builder, const struct variable *variable,
                             size_t element) {
    const struct initial_element *initial = &variable->initial[element];
    if (variable->is_mbarrier)
        return mbarrier_initial_state(initial->value.low);
    uint128 value = bits_to_wide(initial->value);
    if (variable->tensor != NULL && element == 0)
        value |= shapes_initial(builder, (int)(variable - builder->test->variables));
    if (initial->variable >= 0) {
        int range = builder->ranges.first[memory_virtual(builder->test, initial->variable)];
        const struct virtual_range *r = &builder->program->memory.virtual_ranges[range];
        value += r->address;
        if (!initial->is_generic)
            value -= program_window(builder->program->memory.objects[r->object].space);
    }
    return value;
}

uint64_t cells_initial_number(const struct builder *builder, int variable) {
    assert(variable >= 0 && (size_t)variable < builder->test->variable_count);
    return (uint64_t)element_value(builder, &builder->test->variables[variable], 0);
}

bool cells_initial_bits(const struct builder *builder, unsigned object, uint64_t offset,
                        unsigned size, struct bits128 *bits) {
    assert(object < builder->program->memory.object_count);
    const struct variable *variable =
        &builder->test->variables[builder->program->memory.objects[object].variable];
    unsigned element_size = memory_element_size(variable);
    uint128 value = 0;
    for (unsigned i = size; variable->has_initial && i-- > 0;) {
        uint64_t byte = offset + i;
        uint128 element = element_value(builder, variable, byte / element_size);
        value = value << 8 | (element >> 8 * (byte % element_size) & 0xff);
    }
    *bits = bits_from_wide(value);
    return !memory_is_unknown(variable);
}
