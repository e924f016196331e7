// The launch of a kernel of which no manifest says how it is launched.
#include "cli/print/module.h"

#include "litmus/source/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DERIVED_BLOCK = 64, DERIVED_BYTES = 4096, DERIVED_INTEGER = 3, POINTER_BYTES = 8 };

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

// Whether blocks may do different things. Those that do not ask which one they are, or on what they
// run, and take no numbers from memory, would all do the same in the same place.
static bool tells_blocks_apart(struct arena *arena, const struct module_function *kernel) {
    static const char *const words[] = {"%ctaid",  "%clusterid",     "%cluster_ctaid",
                                        "%smid",   "%clock",         "%global",
                                        "%envreg", "atom",           "red",
                                        "call",    "griddepcontrol", "clusterlaunchcontrol"};
    for (size_t i = 0; i < kernel->body_count; i++) {
        const char *text =
            kernel->body[i].kind == TOKEN_WORD ? token_text(arena, &kernel->body[i]) : "";
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            if (strncmp(text, words[k], strlen(words[k])) == 0) {
                return true;
            }
        }
    }
    return false;
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
    bool are_alike = !tells_blocks_apart(derivation->arena, kernel);
    grid[0] *= are_alike ? 1 : 2;
    derive_extent(derivation, "grid", options->grid, grid, false);
    if (are_alike && !options->grid) {
        derivation->words =
            arena_format(derivation->arena, "%s (all blocks would do the same)", derivation->words);
    }
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

static bool is_float(const char *type) {
    return scalar_type_is_float(module_scalar_type(type));
}

// Whether a parameter holds an address: what a kernel does not load may be one.
static bool is_address(const struct module_parameter *parameter) {
    bool may_be =
        !parameter->is_array && parameter->size == POINTER_BYTES && !is_float(parameter->type);
    return may_be &&
           (parameter->is_pointer || parameter->part_count != 1 || parameter->parts[0].is_address);
}

static bool gets_object(const struct derivation *derivation, size_t index) {
    return is_address(&derivation->kernel->parameters[index]) && !given_value(derivation, index);
}

// Whether a parameter is a struct with parts that the kernel loads.
static bool gets_parts(const struct derivation *derivation, size_t index) {
    const struct module_parameter *parameter = &derivation->kernel->parameters[index];
    return parameter->is_array && parameter->part_count > 0 && !given_value(derivation, index);
}

static const char *derived_integer(struct derivation *derivation) {
    const struct derived_launch *derived = &derivation->options->derived;
    derivation->others = derived->others;
    derivation->open = derived->open;
    return derived->integer ? derived->integer
                            : arena_format(derivation->arena, "%d", DERIVED_INTEGER);
}

// The object that an address in a struct is given, by its offset.
static const char *object_of_part(const struct derivation *derivation, size_t index,
                                  const struct module_part *part) {
    return arena_format(derivation->arena, "%s_%" PRIu64, object_of(derivation, index),
                        part->offset);
}

// Bytes of a struct that the kernel does not load.
static const char *fill(struct arena *arena, const char *fields, uint64_t from, uint64_t to) {
    for (; from < to; from++) {
        fields = arena_format(arena, "%s%s.u8 0", fields, *fields ? ", " : "");
    }
    return fields;
}

// "{&k0_arg0_0, .u32 3}": what is loaded twice, in other sizes, has the first one.
static const char *fields_of(struct derivation *derivation, size_t index) {
    const struct module_parameter *parameter = &derivation->kernel->parameters[index];
    const char *fields = "";
    uint64_t at = 0;
    for (size_t i = 0; i < parameter->part_count; i++) {
        const struct module_part *part = &parameter->parts[i];
        uint64_t bytes = scalar_type_bits(module_scalar_type(part->type)) / 8;
        if (part->offset < at || part->offset % bytes != 0) {
            continue;
        }
        fields = fill(derivation->arena, fields, at, part->offset);
        const char *field =
            part->is_address
                ? arena_format(derivation->arena, "&%s", object_of_part(derivation, index, part))
                : arena_format(derivation->arena, ".u%" PRIu64 " %s", 8 * bytes,
                               is_float(part->type) ? "0" : derived_integer(derivation));
        fields = arena_format(derivation->arena, "%s%s%s", fields, *fields ? ", " : "", field);
        at = part->offset + bytes;
    }
    fields = fill(derivation->arena, fields, at, parameter->size);
    return arena_format(derivation->arena, "{%s}", fields);
}

// "4096 bytes, 3, 3": the parts of a struct.
static const char *parts_in_words(struct derivation *derivation,
                                  const struct module_parameter *parameter) {
    enum { SHOWN = 8 };
    const char *words = "";
    for (size_t i = 0; i < parameter->part_count && i < SHOWN; i++) {
        const struct module_part *part = &parameter->parts[i];
        const char *word = part->is_address
                               ? arena_format(derivation->arena, "%d bytes", DERIVED_BYTES)
                           : is_float(part->type) ? "0.0"
                                                  : derived_integer(derivation);
        words = arena_format(derivation->arena, "%s%s%s", words, i > 0 ? ", " : "", word);
    }
    return parameter->part_count <= SHOWN ? words
                                          : arena_format(derivation->arena, "%s and %zu more",
                                                         words, parameter->part_count - SHOWN);
}

static const char *value_text(const struct module_parameter *parameter) {
    return parameter->is_array ? "{0}" : is_float(parameter->type) ? "0.0" : "0";
}

static void derive_argument(struct derivation *derivation, size_t index) {
    const struct module_parameter *parameter = &derivation->kernel->parameters[index];
    const char *value = given_value(derivation, index);
    if (!value) {
        assume(derivation, called(derivation, index));
    }
    if (gets_object(derivation, index)) {
        value = arena_format(derivation->arena, "&%s", object_of(derivation, index));
    } else if (gets_parts(derivation, index)) {
        value = fields_of(derivation, index);
        derivation->words =
            arena_format(derivation->arena, "%s, %s = {%s}", derivation->words,
                         called(derivation, index), parts_in_words(derivation, parameter));
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

// The objects of a parameter, a multiple of 16 bytes apart from each other.
static void declare_objects(const struct derivation *derivation, size_t index) {
    const struct module_parameter *parameter = &derivation->kernel->parameters[index];
    const char *format = "global %s[%d]\n";
    if (gets_object(derivation, index)) {
        fprintf(derivation->out, format, object_of(derivation, index), DERIVED_BYTES / 4);
    }
    for (size_t i = 0; i < parameter->part_count && gets_parts(derivation, index); i++) {
        if (parameter->parts[i].is_address) {
            fprintf(derivation->out, format,
                    object_of_part(derivation, index, &parameter->parts[i]), DERIVED_BYTES / 4);
        }
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
        declare_objects(&derivation, i);
    }
    fprintf(out, "kernel %s", kernel->name);
    derive_shape(&derivation);
    say_objects(&derivation);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        derive_argument(&derivation, i);
    }
    if (print_module_dynamic(out, module)) {
        derivation.words =
            arena_format(arena, "%s, 1024 bytes of dynamic shared memory", derivation.words);
        assume(&derivation, "dynamic shared memory");
    }
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
