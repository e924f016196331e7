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
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        if (is_address(&kernel->parameters[i])) {
            fprintf(out, "global k%zu_arg%zu[16]\n", number, i);
        }
    }
}

static void print_arguments(FILE *out, const struct module_function *kernel, size_t number) {
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct module_parameter *parameter = &kernel->parameters[i];
        if (is_address(parameter)) {
            fprintf(out, "arg %zu = &k%zu_arg%zu", i, number, i);
        } else {
            fprintf(out, "arg %zu = %s", i, value_text(parameter));
        }
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
    if (has_cluster || module_attribute(kernel, ".explicitcluster", block)) {
        print_extent(out, "cluster", cluster);
    }
    fputc('\n', out);
}

// Whether the launch gives a variable its size.
static bool is_dynamic(const struct module_variable *variable) {
    return variable->linkage && strcmp(variable->linkage, ".extern") == 0 &&
           variable->space == SPACE_SHARED && variable->is_array && variable->size == 0;
}

static void print_dynamic(FILE *out, const struct module *module) {
    for (size_t i = 0; i < module->variable_count; i++) {
        if (is_dynamic(&module->variables[i])) {
            fprintf(out, "dynamic 1024 // %s\n", module->variables[i].name);
            break;
        }
    }
}

static void print_kernel(FILE *out, struct arena *arena, const struct module *module,
                         const struct module_function *kernel, size_t number) {
    const char *first = NULL;
    fprintf(out, "\n// %s\n", kernel->demangled);
    print_objects(out, kernel, number);
    fprintf(out, "kernel %s", kernel->name);
    print_shape(out, kernel);
    print_arguments(out, kernel, number);
    print_dynamic(out, module);
    for (size_t i = 0; i < kernel->parameter_count && !first; i++) {
        if (is_address(&kernel->parameters[i])) {
            first = arena_format(arena, "k%zu_arg%zu[0] == 0", number, i);
        }
    }
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
        if (kernel->is_kernel && kernel->body && (!only || only == kernel)) {
            print_kernel(out, arena, module, kernel, number++);
        }
    }
}

// --- A launch that is derived --------------------------------------------------------------------

enum { DERIVED_BLOCK = 64, DERIVED_BYTES = 4096, DERIVED_INTEGER = 3 };

// What is derived, as a manifest and in words, which the arena owns.
struct derivation {
    FILE *out;
    struct arena *arena;
    const struct launch_options *options;
    const struct module *module;
    const struct module_function *kernel;
    const char *words, *assumed;
    const char *larger; // why no larger block, or NULL
    const char *others; // what integers were besides, without a fault, or NULL
    const char *open;   // what they were, which was not decided in time, or NULL
};

static void assume(struct derivation *derivation, const char *what) {
    const char *before = derivation->assumed;
    derivation->assumed =
        arena_format(derivation->arena, "%s%s%s", before, *before ? ", " : "", what);
}

// The extent that an option gives, or one that is derived; the words name both.
static void derive_extent(struct derivation *derivation, const char *name, const char *given,
                          const unsigned extent[3], bool is_known) {
    const char *text =
        given ? given
        : extent[1] == 1 && extent[2] == 1
            ? arena_format(derivation->arena, "%u", extent[0])
            : arena_format(derivation->arena, "%u,%u,%u", extent[0], extent[1], extent[2]);
    fprintf(derivation->out, " %s %s", name, text);
    derivation->words = arena_format(derivation->arena, "%s%s%s %s", derivation->words,
                                     *derivation->words ? ", " : "", name, text);
    if (!given && !is_known) {
        assume(derivation, name);
    }
}

static void derive_shape(struct derivation *derivation) {
    const struct launch_options *options = derivation->options;
    const struct module_function *kernel = derivation->kernel;
    unsigned grid[3], block[3], cluster[3], none[3];
    bool has_cluster = module_attribute(kernel, ".reqnctapercluster", cluster);
    bool is_known = module_attribute(kernel, ".reqntid", block);
    bool is_bounded = !is_known && module_attribute(kernel, ".maxntid", block);
    unsigned most = block[0] * block[1] * block[2];
    if (!is_known && options->derived.threads > 0 &&
        (!is_bounded || options->derived.threads < most)) {
        memcpy(block, (unsigned[3]){options->derived.threads, 1, 1}, sizeof block);
        derivation->larger = options->derived.why;
    } else if (!is_known && !is_bounded) {
        block[0] = DERIVED_BLOCK;
    }
    if (options->cluster && !has_cluster) {
        cluster[0] = (unsigned)strtoul(options->cluster, NULL, 10);
    }
    memcpy(grid, cluster, sizeof grid);
    grid[0] *= 2;
    derive_extent(derivation, "grid", options->grid, grid, false);
    derive_extent(derivation, "block", options->block, block, is_known);
    if (has_cluster || options->cluster || module_attribute(kernel, ".explicitcluster", none)) {
        derive_extent(derivation, "cluster", options->cluster, cluster, has_cluster);
    }
    if (options->threads) {
        fprintf(derivation->out, " threads %s", options->threads);
    }
    derivation->words = arena_format(derivation->arena, "%s (%s%s)", derivation->words,
                                     options->threads ? "threads " : "all threads",
                                     options->threads ? options->threads : "");
    fputc('\n', derivation->out);
}

// The value that the last option gives for a parameter, or NULL.
static const char *given_value(const struct derivation *derivation, size_t parameter) {
    const char *value = NULL;
    for (size_t i = 0; i < derivation->options->argument_count; i++) {
        const char *argument = derivation->options->arguments[i], *equal = strchr(argument, '=');
        if (module_parameter_index(derivation->kernel, argument, (size_t)(equal - argument)) ==
            parameter) {
            value = equal + 1;
        }
    }
    return value;
}

// What a parameter is called: as the source does, else by its number.
static const char *called(const struct derivation *derivation, size_t index) {
    const char *name = derivation->kernel->parameters[index].source_name;
    return name ? name : arena_format(derivation->arena, "arg %zu", index);
}

// Whether a variable of the module has a name.
static bool is_taken(const struct module *module, const char *name) {
    for (size_t i = 0; i < module->variable_count; i++) {
        if (strcmp(module->variables[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// The object that a pointer is given, by the name of its parameter.
static const char *object_of(const struct derivation *derivation, size_t index) {
    const char *name = derivation->kernel->parameters[index].source_name;
    return name && !is_taken(derivation->module, name)
               ? name
               : arena_format(derivation->arena, "k0_arg%zu", index);
}

static bool gets_object(const struct derivation *derivation, size_t index) {
    return is_address(&derivation->kernel->parameters[index]) && !given_value(derivation, index);
}

static const char *derived_integer(struct derivation *derivation) {
    const struct derived_launch *derived = &derivation->options->derived;
    derivation->others = derived->others;
    derivation->open = derived->open;
    return derived->integer ? derived->integer
                            : arena_format(derivation->arena, "%d", DERIVED_INTEGER);
}

static void derive_argument(struct derivation *derivation, size_t index) {
    const struct module_parameter *parameter = &derivation->kernel->parameters[index];
    const char *value = given_value(derivation, index);
    if (!value) {
        assume(derivation, called(derivation, index));
    }
    if (gets_object(derivation, index)) {
        value = arena_format(derivation->arena, "&%s", object_of(derivation, index));
    } else {
        bool is_integer = strcmp(value_text(parameter), "0") == 0;
        value = value ? value : is_integer ? derived_integer(derivation) : value_text(parameter);
        derivation->words = arena_format(derivation->arena, "%s, %s = %s", derivation->words,
                                         called(derivation, index), value);
    }
    fprintf(derivation->out, "arg %zu = %s // %s\n", index, value,
            parameter->source_name ? parameter->source_name : parameter->name);
}

// "data, ready and out = 4096 bytes each, zero at first"
static void say_objects(struct derivation *derivation) {
    size_t count = 0, said = 0;
    for (size_t i = 0; i < derivation->kernel->parameter_count; i++) {
        count += gets_object(derivation, i);
    }
    for (size_t i = 0; i < derivation->kernel->parameter_count; i++) {
        if (gets_object(derivation, i)) {
            said++;
            derivation->words =
                arena_format(derivation->arena, "%s%s%s", derivation->words,
                             said > 1 && said == count ? " and " : ", ", called(derivation, i));
        }
    }
    if (count > 0) {
        derivation->words =
            arena_format(derivation->arena, "%s = %d bytes%s, zero at first", derivation->words,
                         DERIVED_BYTES, count > 1 ? " each" : "");
    }
}

size_t module_parameter_index(const struct module_function *kernel, const char *name,
                              size_t length) {
    char *end;
    size_t index = (size_t)strtoul(name, &end, 10);
    if (length > 0 && name[0] >= '0' && name[0] <= '9' && end == name + length) {
        return index < kernel->parameter_count ? index : SIZE_MAX;
    }
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct module_parameter *parameter = &kernel->parameters[i];
        const char *names[] = {parameter->name, parameter->source_name};
        for (size_t k = 0; k < 2; k++) {
            if (names[k] && strlen(names[k]) == length && strncmp(names[k], name, length) == 0) {
                return i;
            }
        }
    }
    return SIZE_MAX;
}

const char *print_module_launch(FILE *out, struct arena *arena, const struct module *module,
                                const struct module_function *kernel,
                                const struct launch_options *options) {
    struct derivation derivation = {out, arena, options, module, kernel, "", "", NULL, NULL, NULL};
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        if (gets_object(&derivation, i)) {
            fprintf(out, "global %s[%d]\n", object_of(&derivation, i), DERIVED_BYTES / 4);
        }
    }
    fprintf(out, "kernel %s", kernel->name);
    derive_shape(&derivation);
    say_objects(&derivation);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        derive_argument(&derivation, i);
    }
    for (size_t i = 0; i < module->variable_count; i++) {
        if (is_dynamic(&module->variables[i])) {
            derivation.words =
                arena_format(arena, "%s, 1024 bytes of dynamic shared memory", derivation.words);
            assume(&derivation, "dynamic shared memory");
            break;
        }
    }
    print_dynamic(out, module);
    if (options->asked) {
        fprintf(out, "%s\n", options->asked);
    }
    return arena_format(arena, "%s%s%s%s%s%s%s%s%s", derivation.words,
                        *derivation.assumed ? "; assumed: " : "", derivation.assumed,
                        derivation.larger ? "; larger blocks: " : "",
                        derivation.larger ? derivation.larger : "",
                        derivation.others ? "; also free where integers are " : "",
                        derivation.others ? derivation.others : "",
                        derivation.open ? "; not decided in time where they are " : "",
                        derivation.open ? derivation.open : "");
}
