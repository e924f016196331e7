// The arguments of a launch: the parameters of its kernel as variables with first values.
#include "litmus/readers/module/making.h"

#include "litmus/names/table.h"
#include "litmus/readers/declarations.h"

// argument = "arg" integer "=" value
bool making_parse_argument(struct module_test *making, struct module_launch *launch,
                           const struct manifest_item *item) {
    struct frame *frame = &making->frame;
    unsigned number;
    frame_next(frame); // the word
    struct span span = frame_current(frame)->span;
    if (!frame_parse_unsigned(frame, "the number of an argument", &number))
        return false;
    size_t count = launch->kernel->parameter_count;
    if (number >= count)
        return diag_error(making->diagnostics, span,
                          "kernel '%s' has %zu parameter%s, numbered from 0 on",
                          launch->kernel->demangled, count, count == 1 ? "" : "s");
    if (launch->arguments[number])
        return diag_error(making->diagnostics, span, "argument %u is given twice", number);
    if (!token_is_punct(frame_current(frame), '='))
        return frame_error_expected(frame, "'='");
    launch->arguments[number] = item;
    return true;
}

// parameter "=" "tensormap" tensor: a CUtensorMap by value, whose tensor is in an object
static bool declare_map(struct module_test *making, const struct module_parameter *parameter,
                        const struct token *value, const struct token *end) {
    struct frame *frame = &making->frame;
    struct variable map;
    size_t taken;
    if (!parameter->is_array || parameter->size != TENSOR_MAP_BYTES)
        return diag_error(making->diagnostics, value->span,
                          "a tensormap has 128 bytes, and parameter '%s' has %llu", parameter->name,
                          (unsigned long long)parameter->size);
    if (!making_parse_tensor(making, value->span, value + 1, end, &map, &taken) ||
        !making_expect_end(frame))
        return false;
    map.name = parameter->name;
    map.space = SPACE_PARAM;
    return frame_add_variable(frame, map) >= 0;
}

// parameter "=" value, as the declaration of a variable that has a first value
static bool declare_parameter(struct module_test *making, const struct module_launch *launch,
                              size_t number) {
    const struct module_parameter *parameter = &launch->kernel->parameters[number];
    const struct manifest_item *argument = launch->arguments[number];
    struct frame *frame = &making->frame;
    struct token_list list = {0};
    const struct tensor_part *parts = NULL;
    if (!argument) {
        diag_error(making->diagnostics, launch->span,
                   "argument %zu of kernel '%s', a %s of %llu bytes, is missing", number,
                   launch->kernel->demangled, parameter->type, (unsigned long long)parameter->size);
        diag_hint(making->diagnostics, "'arg %zu = 0', or '= &NAME' for the address of an object",
                  number);
        return false;
    }
    const struct token *end = argument->tokens + argument->count - 1;
    if (token_is_punct(end - 1, ';'))
        end--;
    const struct token *value = argument->tokens + 3; // after 'arg', its number and the '='
    if (token_is(value, "tensormap") && end - value > 1)
        return declare_map(making, parameter, value, end);
    if (making_has_fields(making, parameter, value, end)) {
        if (!making_add_fields(making, &list, parameter, value, end, &parts))
            return false;
    } else {
        making_add_tokens(making, &list, parameter->declaration, parameter->end);
        making_add_tokens(making, &list, value - 1, end);
    }
    making_read_list(making, &list);
    if (!frame_parse_ptx_declaration(frame) || !making_expect_end(frame))
        return false;
    struct variable *variable = &frame->test->variables[frame->test->variable_count - 1];
    variable->parts = parts;
    for (size_t i = 0; i < variable->element_count; i++)
        variable->initial[i].is_generic = true;
    return true;
}

// An argument is the address of what all threads share.
static bool check_argument(struct module_test *making, const struct module_launch *launch,
                           const struct variable *parameter, size_t number) {
    const struct test *test = making->frame.test;
    for (size_t i = 0; i < parameter->element_count; i++) {
        int target = parameter->initial[i].variable;
        if (target < 0 || test->variables[target].space == SPACE_GLOBAL ||
            test->variables[target].space == SPACE_CONST)
            continue;
        return diag_error(making->diagnostics, launch->arguments[number]->tokens->span,
                          "an argument cannot be the address of '%s', which is in %s memory",
                          test->variables[target].name,
                          state_space_name(test->variables[target].space));
    }
    return true;
}

// The names that a body knows: its kernel's parameters, those from `first` on, hide objects, and
// those of other launches are not known; nor are variables of a thread.
static void set_names(struct module_test *making, size_t first) {
    struct reader *reader = &making->frame.reader;
    const struct test *test = reader->test;
    reader->variable_names = name_table_new(making->arena);
    for (size_t i = first; i < test->variable_count; i++)
        name_table_add(reader->variable_names, test->variables[i].name, (int)i);
    for (size_t i = 0; i < first; i++) {
        const struct variable *variable = &test->variables[i];
        bool is_own = variable->space == SPACE_PARAM || variable->space == SPACE_LOCAL;
        if (!is_own && name_table_find(reader->variable_names, variable->name) < 0)
            name_table_add(reader->variable_names, variable->name, (int)i);
    }
}

// The parameters are declared where no object is known, and the addresses in their values found
// where only objects are: both may have one name.
static bool declare_all(struct module_test *making, const struct module_launch *launch) {
    struct frame *frame = &making->frame;
    size_t errors = making->diagnostics->error_count;
    bool fine = true;
    making_forget_parameters(making);
    making->object_names = frame->reader.variable_names;
    frame->reader.variable_names = name_table_new(making->arena);
    for (size_t i = 0; i < launch->kernel->parameter_count; i++)
        fine = declare_parameter(making, launch, i) && fine;
    for (size_t i = 0; i < launch->environment_count; i++)
        fine = making_declare_environment(making, launch->shape, launch->environment[i]) && fine;
    making_forget_parameters(making);
    frame_resolve_address_initials(frame);
    return fine && making->diagnostics->error_count == errors;
}

bool making_declare_parameters(struct module_test *making, const struct module_launch *launch) {
    struct test *test = making->frame.test;
    size_t first = test->variable_count;
    if (!declare_all(making, launch))
        return false;
    for (size_t i = 0; i < launch->kernel->parameter_count; i++)
        if (!check_argument(making, launch, &test->variables[first + i], i))
            return false;
    set_names(making, first);
    return true;
}

void making_forget_parameters(struct module_test *making) {
    set_names(making, making->frame.test->variable_count);
}
