// A manifest for a module, to be filled in: each kernel, its parameters, its dynamic shared memory.
#include "cli/print/module.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Whether a parameter can hold an address.
static bool is_address(const struct module_parameter *parameter) {
    return !parameter->is_array && parameter->size == 8 &&
           !scalar_type_is_float(module_scalar_type(parameter->type));
}

static const char *value_text(const struct module_parameter *parameter) {
    return parameter->is_array                                         ? "{0}"
           : scalar_type_is_float(module_scalar_type(parameter->type)) ? "0.0"
                                                                       : "0";
}

// Objects are there for all launches, so that each kernel's have its number in their names.
static void print_objects(FILE *out, const struct module_function *kernel, size_t number) {
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (is_address(&kernel->parameters[i]))
            fprintf(out, "global k%zu_arg%zu[16]\n", number, i);
}

static void print_arguments(FILE *out, const struct module_function *kernel, size_t number) {
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct module_parameter *parameter = &kernel->parameters[i];
        if (is_address(parameter))
            fprintf(out, "arg %zu = &k%zu_arg%zu", i, number, i);
        else
            fprintf(out, "arg %zu = %s", i, value_text(parameter));
        fprintf(out, " // %s%s, %" PRIu64 " bytes\n", parameter->type,
                parameter->is_array ? "[]" : "", parameter->size);
    }
}

static void print_extent(FILE *out, const char *name, const unsigned extent[3]) {
    fprintf(out, " %s %u,%u,%u", name, extent[0], extent[1], extent[2]);
}

static void print_shape(FILE *out, const struct module_function *kernel) {
    unsigned block[3], cluster[3];
    bool has_cluster = module_attribute(kernel, ".reqnctapercluster", cluster);
    module_attribute(kernel, ".reqntid", block);
    print_extent(out, "grid", cluster);
    print_extent(out, "block", block);
    if (has_cluster || module_attribute(kernel, ".explicitcluster", block))
        print_extent(out, "cluster", cluster);
    fputc('\n', out);
}

// Whether the launch gives a variable its size.
static bool is_dynamic(const struct module_variable *variable) {
    return variable->linkage && strcmp(variable->linkage, ".extern") == 0 &&
           variable->space == SPACE_SHARED && variable->is_array && variable->size == 0;
}

bool module_is_dynamic(const struct module *module, const char *name) {
    for (size_t i = 0; i < module->variable_count; i++)
        if (is_dynamic(&module->variables[i]) && strcmp(module->variables[i].name, name) == 0)
            return true;
    return false;
}

bool print_module_dynamic(FILE *out, const struct module *module, uint64_t bytes) {
    for (size_t i = 0; i < module->variable_count; i++) {
        if (is_dynamic(&module->variables[i])) {
            fprintf(out, "dynamic %" PRIu64 " // %s\n", bytes, module->variables[i].name);
            return true;
        }
    }
    return false;
}

static void print_kernel(FILE *out, struct arena *arena, const struct module *module,
                         const struct module_function *kernel, size_t number) {
    const char *first = NULL;
    fprintf(out, "\n// %s\n", kernel->demangled);
    print_objects(out, kernel, number);
    fprintf(out, "kernel %s", kernel->name);
    print_shape(out, kernel);
    print_arguments(out, kernel, number);
    print_module_dynamic(out, module, DERIVED_DYNAMIC_BYTES);
    for (size_t i = 0; i < kernel->parameter_count && !first; i++)
        if (is_address(&kernel->parameters[i]))
            first = arena_format(arena, "k%zu_arg%zu[0] == 0", number, i);
    fprintf(out, "exists (%s)\n", first ? first : "0 == 0");
}

void print_module_sidecar(FILE *out, struct arena *arena, const struct module *module,
                          const struct module_function *only) {
    const char *path = escaped(arena, module->source->path);
    fprintf(out,
            "// How kernels of %s are launched, and what is asked: to be filled in, in a file "
            "'%s.litmus'.\n",
            path, path);
    for (size_t i = 0, number = 0; i < module->function_count; i++) {
        const struct module_function *kernel = &module->functions[i];
        if (kernel->is_kernel && kernel->body && (!only || only == kernel))
            print_kernel(out, arena, module, kernel, number++);
    }
}
