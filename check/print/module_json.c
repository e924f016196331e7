// A module as JSON.
#include "check/print/module.h"

#include "check/text/json.h"
#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <jansson.h>
#include <string.h>

static json_t *json_count(uint64_t number) {
    return json_integer((json_int_t)number);
}

static json_t *variable_json(struct arena *arena, const struct module_variable *variable) {
    json_t *object = json_object();
    json_field(object, "name", text_json(arena, variable->name));
    json_field(object, "line", json_count(span_line(variable->span)));
    json_field(object, "linkage", text_json(arena, variable->linkage));
    json_field(object, "space", text_json(arena, state_space_name(variable->space)));
    json_field(object, "type", text_json(arena, variable->type));
    json_field(object, "alignment", json_count(variable->alignment));
    json_field(object, "size", variable->size > 0 ? json_count(variable->size) : json_null());
    return object;
}

static json_t *variables_json(struct arena *arena, const struct module_variable *variables,
                              size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (variables[i].space != SPACE_PARAM)
            json_item(array, variable_json(arena, &variables[i]));
    return array;
}

static json_t *parameters_json(struct arena *arena, const struct module_function *function) {
    json_t *array = json_array();
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct module_parameter *parameter = &function->parameters[i];
        json_t *object = json_object();
        json_field(object, "name", text_json(arena, parameter->name));
        json_field(object, "type", text_json(arena, parameter->type));
        json_field(object, "size", json_count(parameter->size));
        json_field(object, "offset", json_count(parameter->offset));
        json_field(object, "alignment", json_count(parameter->alignment));
        json_field(object, "pointer", json_boolean(parameter->is_pointer));
        json_item(array, object);
    }
    return array;
}

static json_t *place_json(struct arena *arena, const struct module *module,
                          const struct module_place *place) {
    if (place->file < 0)
        return json_null();
    json_t *object = json_object();
    json_field(object, "file", text_json(arena, module->files[place->file]));
    json_field(object, "line", json_count(place->line));
    return object;
}

static json_t *statements_json(struct arena *arena, const struct module *module,
                               const struct module_function *function) {
    json_t *array = json_array();
    for (size_t i = 0; i < function->statement_count; i++) {
        const struct module_statement *statement = &function->statements[i];
        if (!statement_is_listed(statement))
            continue;
        json_t *object = json_object();
        json_field(object, "line", json_count(span_line(statement->first->span)));
        json_field(object, "kind", text_json(arena, module_kind_name(statement->opcode->kind)));
        json_field(object, "opcode", text_json(arena, statement->opcode->text));
        json_field(object, "text", text_json(arena, module_statement_text(arena, statement)));
        json_field(object, "source", place_json(arena, module, &statement->place));
        json_field(object, "inlined_at", place_json(arena, module, &statement->inlined_at));
        json_item(array, object);
    }
    return array;
}

static json_t *missing_json(struct arena *arena, const struct module_function *function) {
    size_t count;
    const struct missing_group *groups = missing_groups(arena, function, &count);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        json_field(object, "line", json_count(span_line(groups[i].first->first->span)));
        json_field(object, "opcode", text_json(arena, groups[i].first->opcode->text));
        json_field(object, "count", json_count(groups[i].count));
        json_field(object, "why", text_json(arena, groups[i].why));
        json_field(object, "matters", json_boolean(groups[i].matters));
        json_item(array, object);
    }
    return array;
}

static json_t *counts_json(const struct module_function *function) {
    struct kind_counts counts = count_kinds(function);
    json_t *object = json_object();
    for (int kind = MODULE_OTHER; kind < MODULE_KIND_COUNT; kind++)
        json_field(object, module_kind_name((enum module_kind)kind), json_count(counts.of[kind]));
    return object;
}

static json_t *function_json(struct arena *arena, const struct module *module,
                             const struct module_function *function) {
    json_t *object = json_object();
    json_field(object, "name", text_json(arena, function->name));
    json_field(object, "demangled", text_json(arena, function->demangled));
    json_field(object, "kernel", json_boolean(function->is_kernel));
    json_field(object, "line", json_count(span_line(function->span)));
    json_field(object, "attributes", text_json(arena, function->attributes));
    json_field(object, "parameters", parameters_json(arena, function));
    json_field(object, "body", json_boolean(function->body != NULL));
    json_field(object, "variables",
               variables_json(arena, function->variables, function->variable_count));
    json_field(object, "counts", counts_json(function));
    json_field(object, "instructions", statements_json(arena, module, function));
    json_field(object, "missing", missing_json(arena, function));
    return object;
}

void print_module_json(FILE *out, struct arena *arena, const struct module *module,
                       const struct module_function *only) {
    json_t *object = json_object(), *functions = json_array();
    for (size_t i = 0; i < module->function_count; i++)
        if (only ? only == &module->functions[i] : !module->functions[i].is_prototype)
            json_item(functions, function_json(arena, module, &module->functions[i]));
    json_field(object, "file", text_json(arena, module->source->path));
    json_field(
        object, "version",
        text_json(arena, arena_format(arena, "%u.%u", module->version / 10, module->version % 10)));
    json_field(object, "target", text_json(arena, module->target));
    json_field(object, "address_size", json_count(module->address_size));
    json_field(object, "variables",
               variables_json(arena, module->variables, module->variable_count));
    json_field(object, "functions", functions);
    print_json_line(out, object);
}
