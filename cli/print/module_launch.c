// The launch of a kernel of which no manifest says how it is launched.
#include "cli/print/module.h"

#include "litmus/source/arena.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DERIVED_BLOCK = 64, DERIVED_INTEGER = 3, POINTER_BYTES = 8, ELEMENT_BYTES = 4 };

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
    bool has_cluster;
};

// "2, 1" and "0": "2, 1, 0".
static const char *listed(struct arena *arena, const char *list, const char *item) {
    return arena_format(arena, "%s%s%s", list, *list ? ", " : "", item);
}

static void assume(struct derivation *derivation, const char *what) {
    derivation->assumed = listed(derivation->arena, derivation->assumed, what);
}

// Adds to the words.
__attribute__((format(printf, 2, 3))) static void say(struct derivation *derivation,
                                                      const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *more = arena_vformat(derivation->arena, format, args);
    va_end(args);
    derivation->words = arena_format(derivation->arena, "%s%s", derivation->words, more);
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
    say(derivation, "%s%s %s", *derivation->words ? ", " : "", name, text);
    if (!given && !is_known)
        assume(derivation, name);
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
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strncmp(text, words[k], strlen(words[k])) == 0)
                return true;
    }
    return false;
}

// Whether threads ask for a coordinate in their block: "%tid.y".
static bool asks_for(const struct module_function *kernel, const char *coordinate) {
    for (size_t i = 0; i + 1 < kernel->body_count; i++)
        if (token_is(&kernel->body[i], "%tid") && token_is(&kernel->body[i + 1], coordinate))
            return true;
    return false;
}

// The block where nothing says how large it is: of 64 threads, or of two dimensions where the
// kernel asks for the second one; or another usual one.
static void usual_block(const struct derivation *derivation, unsigned shape, unsigned block[3]) {
    static const unsigned lines[][3] = {{DERIVED_BLOCK, 1, 1}, {32, 1, 1},  {128, 1, 1},
                                        {256, 1, 1},           {512, 1, 1}, {1024, 1, 1}},
                          squares[][3] = {{16, 16, 1}, {32, 32, 1}, {8, 8, 1},
                                          {64, 1, 1},  {32, 8, 1},  {16, 8, 1}};
    enum { SHAPES = sizeof lines / sizeof *lines };
    shape %= SHAPES;
    // Who asks for all three numbers the threads of any block.
    bool is_square = asks_for(derivation->kernel, ".y") && !asks_for(derivation->kernel, ".z");
    memcpy(block, is_square ? squares[shape] : lines[shape], sizeof lines[shape]);
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
        usual_block(derivation, options->derived.shape, block);
    }
    if (options->cluster && !has_cluster)
        cluster[0] = (unsigned)strtoul(options->cluster, NULL, 10);
    memcpy(grid, cluster, sizeof grid);
    bool are_alike = !tells_blocks_apart(derivation->arena, kernel);
    grid[0] *= are_alike || options->derived.is_single ? 1 : 2;
    derive_extent(derivation, "grid", options->grid, grid, false);
    if (are_alike && !options->grid)
        say(derivation, " (all blocks would do the same)");
    derive_extent(derivation, "block", options->block, block, is_known);
    derivation->has_cluster = has_cluster || options->cluster;
    if (has_cluster || options->cluster || module_attribute(kernel, ".explicitcluster", none))
        derive_extent(derivation, "cluster", options->cluster, cluster, has_cluster);
    if (options->threads)
        fprintf(derivation->out, " threads %s", options->threads);
    say(derivation, " (%s%s)", options->threads ? "threads " : "all threads",
        options->threads ? options->threads : "");
    fputc('\n', derivation->out);
}

// The value that the last option gives for a parameter, or NULL.
static const char *given_value(const struct derivation *derivation, size_t parameter) {
    const char *value = NULL;
    for (size_t i = 0; i < derivation->options->argument_count; i++) {
        const char *argument = derivation->options->arguments[i], *equal = strchr(argument, '=');
        if (module_parameter_index(derivation->kernel, argument, (size_t)(equal - argument)) ==
            parameter)
            value = equal + 1;
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
    for (size_t i = 0; i < module->variable_count; i++)
        if (strcmp(module->variables[i].name, name) == 0)
            return true;
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

// The first tensormap in a parameter from an offset on; NULL: there is none.
static const struct launch_map *map_from(const struct derivation *derivation, size_t index,
                                         uint64_t offset) {
    const struct derived_launch *derived = &derivation->options->derived;
    const struct launch_map *first = NULL;
    for (size_t i = 0; i < derived->objects.map_count && !given_value(derivation, index); i++) {
        const struct launch_map *map = &derived->objects.maps[i].map;
        bool is_here = strcmp(derived->objects.maps[i].parameter,
                              derivation->kernel->parameters[index].name) == 0;
        if (is_here && map->offset >= offset && (!first || map->offset < first->offset))
            first = map;
    }
    return first;
}

// The tensormap that a parameter is; NULL: it is none.
static const struct launch_map *whole_map(const struct derivation *derivation, size_t index) {
    bool has_size = derivation->kernel->parameters[index].size == TENSOR_MAP_BYTES;
    return has_size ? map_from(derivation, index, 0) : NULL;
}

// Whether a parameter is a struct with parts that the kernel loads, or with tensormaps.
static bool gets_parts(const struct derivation *derivation, size_t index) {
    const struct module_parameter *parameter = &derivation->kernel->parameters[index];
    bool has_parts = parameter->part_count > 0 || map_from(derivation, index, 0);
    return parameter->is_array && has_parts && !whole_map(derivation, index) &&
           !given_value(derivation, index);
}

// --- Sizes ---------------------------------------------------------------------------------------

// How many objects parameters are given.
static size_t count_objects(const struct derivation *derivation) {
    size_t count = derivation->options->derived.objects.map_count;
    for (size_t i = 0; i < derivation->kernel->parameter_count; i++) {
        const struct module_parameter *parameter = &derivation->kernel->parameters[i];
        count += gets_object(derivation, i);
        for (size_t k = 0; k < parameter->part_count && gets_parts(derivation, i); k++)
            count += parameter->parts[k].is_address;
    }
    return count;
}

// How many bytes an object is given, by its name.
static uint64_t object_bytes(const struct derivation *derivation, const char *name) {
    enum { MEASURED = 1 << 26, ALIGNMENT = 16 };
    const struct derived_launch *derived = &derivation->options->derived;
    if (derived->measured > 0) {
        uint64_t share = derived->measured / count_objects(derivation) / ALIGNMENT * ALIGNMENT;
        return share < MEASURED ? share : MEASURED;
    }
    for (size_t i = 0; i < derived->objects.size_count; i++)
        if (strcmp(derived->objects.sizes[i].name, name) == 0)
            return derived->objects.sizes[i].bytes;
    return DERIVED_BYTES;
}

static uint64_t bytes_of_pointer(const struct derivation *derivation, size_t index) {
    return object_bytes(derivation, object_of(derivation, index));
}

// --- Arguments -----------------------------------------------------------------------------------

static const char *derived_integer(struct derivation *derivation, bool is_distance) {
    const struct derived_launch *derived = &derivation->options->derived;
    derivation->others = derived->others;
    derivation->open = derived->open;
    return is_distance && derived->distance ? derived->distance
           : derived->integer               ? derived->integer
                              : arena_format(derivation->arena, "%d", DERIVED_INTEGER);
}

// The object that an address in a struct is given, by its offset.
static const char *object_of_part(const struct derivation *derivation, size_t index,
                                  const struct module_part *part) {
    return arena_format(derivation->arena, "%s_%" PRIu64, object_of(derivation, index),
                        part->offset);
}

// --- Tensormaps ----------------------------------------------------------------------------------

// The object that the tensor of a map is.
static const char *object_of_map(const struct derivation *derivation, size_t index,
                                 const struct launch_map *map) {
    return whole_map(derivation, index) ? object_of(derivation, index)
                                        : arena_format(derivation->arena, "%s_%" PRIu64,
                                                       object_of(derivation, index), map->offset);
}

// "{8, 4}"
static const char *list_of(struct arena *arena, const unsigned *numbers, unsigned count) {
    const char *list = "";
    for (unsigned i = 0; i < count; i++)
        list = arena_format(arena, "%s%s%u", list, i > 0 ? ", " : "", numbers[i]);
    return arena_format(arena, "{%s}", list);
}

// "tensormap k0_arg0, {64, 128}, {32, 64}"
static const char *map_text(const struct derivation *derivation, size_t index,
                            const struct launch_map *map) {
    struct arena *arena = derivation->arena;
    return arena_format(arena, "tensormap %s, %s, %s", object_of_map(derivation, index, map),
                        list_of(arena, map->tensor.extents, map->rank),
                        list_of(arena, map->tensor.box, map->rank));
}

// "a tensormap with tiles of 8192 bytes, as the kernel expects"
static const char *map_in_words(const struct derivation *derivation, const struct launch_map *map) {
    static const char *const reasons[] = {
        [LAUNCH_MAP_UNKNOWN] = "",
        [LAUNCH_MAP_EXPECTED] = ", as the kernel expects",
        [LAUNCH_MAP_DIVIDED] = ", a part of what the kernel expects",
        [LAUNCH_MAP_STORED] = ", as many as threads store there",
        [LAUNCH_MAP_LOADED] = ", as many as are loaded there",
    };
    return arena_format(derivation->arena, "a tensormap with tiles of %" PRIu64 " bytes%s",
                        map->bytes, reasons[map->source]);
}

static void declare_tensor(const struct derivation *derivation, size_t index,
                           const struct launch_map *map) {
    const struct tensor *tensor = &map->tensor;
    uint64_t elements = 1;
    for (unsigned i = 0; i < map->rank; i++)
        elements *= tensor->extents[i];
    // What is added up are integers: no fault depends on what comes of that.
    fprintf(derivation->out, "global .align 16 .%c%u %s[%" PRIu64 "]\n",
            map->is_reduced ? 'u' : 'b', 8 * tensor->element_size,
            object_of_map(derivation, index, map), elements);
}

static void declare_tensors(const struct derivation *derivation, size_t index) {
    const struct launch_map *map = map_from(derivation, index, 0);
    for (; map; map = map_from(derivation, index, map->offset + TENSOR_MAP_BYTES))
        declare_tensor(derivation, index, map);
}

// --- Structs -------------------------------------------------------------------------------------

// Bytes of a struct that the kernel does not load.
static const char *fill(struct arena *arena, const char *fields, uint64_t from, uint64_t to) {
    for (; from < to; from++)
        fields = listed(arena, fields, ".u8 0");
    return fields;
}

// Adds the tensormaps of a struct that come before an offset.
static const char *add_maps(const struct derivation *derivation, size_t index, const char *fields,
                            uint64_t *at, uint64_t end) {
    const struct launch_map *map = map_from(derivation, index, *at);
    for (; map && map->offset < end; map = map_from(derivation, index, *at)) {
        fields = fill(derivation->arena, fields, *at, map->offset);
        fields = listed(derivation->arena, fields, map_text(derivation, index, map));
        *at = map->offset + TENSOR_MAP_BYTES;
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
        fields = add_maps(derivation, index, fields, &at, part->offset);
        if (part->offset < at || part->offset % bytes != 0)
            continue;
        fields = fill(derivation->arena, fields, at, part->offset);
        const char *field =
            part->is_address
                ? arena_format(derivation->arena, "&%s", object_of_part(derivation, index, part))
                : arena_format(
                      derivation->arena, ".u%" PRIu64 " %s", 8 * bytes,
                      is_float(part->type) ? "0" : derived_integer(derivation, part->is_distance));
        fields = listed(derivation->arena, fields, field);
        at = part->offset + bytes;
    }
    fields = add_maps(derivation, index, fields, &at, parameter->size);
    fields = fill(derivation->arena, fields, at, parameter->size);
    return arena_format(derivation->arena, "{%s}", fields);
}

// "4096 bytes, 3, 3": the parts of a struct.
static const char *parts_in_words(struct derivation *derivation, size_t index) {
    enum { SHOWN = 8 };
    const struct module_parameter *parameter = &derivation->kernel->parameters[index];
    const char *words = "";
    for (size_t i = 0; i < parameter->part_count && i < SHOWN; i++) {
        const struct module_part *part = &parameter->parts[i];
        const char *word =
            part->is_address
                ? arena_format(derivation->arena, "%" PRIu64 " bytes",
                               object_bytes(derivation, object_of_part(derivation, index, part)))
            : is_float(part->type) ? "0.0"
                                   : derived_integer(derivation, part->is_distance);
        words = listed(derivation->arena, words, word);
    }
    if (parameter->part_count > SHOWN)
        words = arena_format(derivation->arena, "%s and %zu more", words,
                             parameter->part_count - SHOWN);
    const struct launch_map *map = map_from(derivation, index, 0);
    for (; map; map = map_from(derivation, index, map->offset + TENSOR_MAP_BYTES))
        words = listed(derivation->arena, words, map_in_words(derivation, map));
    return words;
}

static bool is_handle(const struct module_parameter *parameter) {
    return parameter->part_count == 1 && parameter->parts[0].is_handle;
}

static const char *value_text(const struct module_parameter *parameter) {
    return parameter->is_array         ? "{0}"
           : is_float(parameter->type) ? "0.0"
           : is_handle(parameter)      ? "1"
                                       : "0";
}

static void derive_argument(struct derivation *derivation, size_t index) {
    const struct module_parameter *parameter = &derivation->kernel->parameters[index];
    const char *value = given_value(derivation, index);
    if (!value)
        assume(derivation, called(derivation, index));
    const struct launch_map *map = whole_map(derivation, index);
    if (gets_object(derivation, index)) {
        value = arena_format(derivation->arena, "&%s", object_of(derivation, index));
    } else if (map) {
        value = map_text(derivation, index, map);
        say(derivation, ", %s = %s", called(derivation, index), map_in_words(derivation, map));
    } else if (gets_parts(derivation, index)) {
        value = fields_of(derivation, index);
        say(derivation, ", %s = {%s}", called(derivation, index),
            parts_in_words(derivation, index));
    } else {
        bool is_integer = strcmp(value_text(parameter), "0") == 0;
        bool is_texture = !value && is_handle(parameter);
        bool is_distance = parameter->part_count == 1 && parameter->parts[0].is_distance;
        value = value        ? value
                : is_integer ? derived_integer(derivation, is_distance)
                             : value_text(parameter);
        say(derivation, ", %s = %s", called(derivation, index),
            is_texture ? "a texture or surface" : value);
    }
    fprintf(derivation->out, "arg %zu = %s // %s\n", index, value,
            parameter->source_name ? parameter->source_name : parameter->name);
}

// "data, ready and out = 4096 bytes each": those of one size.
static void say_objects_of(struct derivation *derivation, uint64_t bytes) {
    size_t count = 0, said = 0;
    for (size_t i = 0; i < derivation->kernel->parameter_count; i++)
        count += gets_object(derivation, i) && bytes_of_pointer(derivation, i) == bytes;
    for (size_t i = 0; i < derivation->kernel->parameter_count; i++) {
        if (gets_object(derivation, i) && bytes_of_pointer(derivation, i) == bytes) {
            said++;
            say(derivation, "%s%s", said > 1 && said == count ? " and " : ", ",
                called(derivation, i));
        }
    }
    say(derivation, " = %" PRIu64 " bytes%s", bytes, count > 1 ? " each" : "");
}

// Whether a pointer before this one has an object of its size.
static bool is_said(const struct derivation *derivation, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (gets_object(derivation, i) &&
            bytes_of_pointer(derivation, i) == bytes_of_pointer(derivation, index))
            return true;
    return false;
}

// "in and out = 4096 bytes each, table = 65536 bytes, zero at first"
static void say_objects(struct derivation *derivation) {
    bool are_some = false;
    for (size_t i = 0; i < derivation->kernel->parameter_count; i++) {
        if (gets_object(derivation, i)) {
            are_some = true;
            if (!is_said(derivation, i))
                say_objects_of(derivation, bytes_of_pointer(derivation, i));
        }
    }
    if (are_some)
        say(derivation, ", zero at first");
}

// The objects of a parameter, a multiple of 16 bytes apart from each other.
static void declare_objects(const struct derivation *derivation, size_t index) {
    const struct module_parameter *parameter = &derivation->kernel->parameters[index];
    const char *format = "global %s[%" PRIu64 "]\n";
    declare_tensors(derivation, index);
    if (gets_object(derivation, index)) {
        fprintf(derivation->out, format, object_of(derivation, index),
                bytes_of_pointer(derivation, index) / ELEMENT_BYTES);
    }
    for (size_t i = 0; i < parameter->part_count && gets_parts(derivation, index); i++) {
        if (parameter->parts[i].is_address) {
            const char *name = object_of_part(derivation, index, &parameter->parts[i]);
            fprintf(derivation->out, format, name, object_bytes(derivation, name) / ELEMENT_BYTES);
        }
    }
}

size_t module_parameter_index(const struct module_function *kernel, const char *name,
                              size_t length) {
    char *end;
    size_t index = (size_t)strtoul(name, &end, 10);
    if (length > 0 && name[0] >= '0' && name[0] <= '9' && end == name + length)
        return index < kernel->parameter_count ? index : SIZE_MAX;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct module_parameter *parameter = &kernel->parameters[i];
        const char *names[] = {parameter->name, parameter->source_name};
        for (size_t k = 0; k < 2; k++)
            if (names[k] && strlen(names[k]) == length && strncmp(names[k], name, length) == 0)
                return i;
    }
    return SIZE_MAX;
}

// The dynamic shared memory, if the module has any: all of its arrays are at one address.
static void derive_dynamic(struct derivation *derivation) {
    enum { MEASURED = 227 << 10, KIB = 1024 };
    const struct derived_launch *derived = &derivation->options->derived;
    uint64_t bytes = derived->measured > 0 ? MEASURED : DERIVED_DYNAMIC_BYTES;
    for (size_t i = 0; i < derived->objects.size_count; i++) {
        bool is_larger = module_is_dynamic(derivation->module, derived->objects.sizes[i].name) &&
                         derived->objects.sizes[i].bytes > bytes;
        bytes = is_larger ? (derived->objects.sizes[i].bytes + KIB - 1) / KIB * KIB : bytes;
    }
    if (print_module_dynamic(derivation->out, derivation->module, bytes)) {
        say(derivation, ", %" PRIu64 " bytes of dynamic shared memory", bytes);
        assume(derivation, "dynamic shared memory");
    }
}

// The workspace of a grid of cooperative groups, whose address is in %envreg1 and %envreg2: zeros,
// as it is after a launch.
static void derive_workspace(struct derivation *derivation) {
    const struct module_function *kernel = derivation->kernel;
    enum { WORDS = 16 };
    unsigned halves = 0;
    for (size_t i = 0; i < kernel->body_count; i++) {
        const char *text = kernel->body[i].kind == TOKEN_WORD
                               ? token_text(derivation->arena, &kernel->body[i])
                               : "";
        halves |= strcmp(text, "%envreg1") == 0 ? 1 : strcmp(text, "%envreg2") == 0 ? 2 : 0;
    }
    if (halves == 3 && !is_taken(derivation->module, DERIVED_WORKSPACE)) {
        fprintf(derivation->out,
                "global " DERIVED_WORKSPACE "[%d]\nenvreg 1, 2 = &" DERIVED_WORKSPACE "\n", WORDS);
        say(derivation, ", a workspace of the grid, of zeros");
        assume(derivation, "workspace");
    }
}

// Adds what of it is derived, and what other launches have shown.
static void say_rest(struct derivation *derivation) {
    const struct derived_launch *derived = &derivation->options->derived;
    if (*derivation->assumed)
        say(derivation, "; assumed: %s", derivation->assumed);
    if (derived->objects.map_count > 0)
        say(derivation, "; that tiles have a wrong number of bytes, or overlap in global memory, "
                        "would not be found");
    if (derivation->larger)
        say(derivation, "; larger blocks: %s", derivation->larger);
    if (derivation->others) {
        say(derivation, "; %s free where integers are %s", derived->is_faulty ? "but" : "also",
            derivation->others);
    }
    if (derived->is_single_free)
        say(derivation, "; but free with one %s", derivation->has_cluster ? "cluster" : "block");
    if (derived->free_shape > 0) {
        unsigned block[3];
        usual_block(derivation, derived->free_shape - 1, block);
        say(derivation, "; but free with block %u,%u,%u%s%s", block[0], block[1], block[2],
            derived->free_integer ? " and integers of " : "",
            derived->free_integer ? derived->free_integer : "");
    }
    if (derived->contents && count_objects(derivation) > 0)
        say(derivation, "; %s", derived->contents);
    if (derivation->open)
        say(derivation, "; not decided in time where they are %s", derivation->open);
}

const char *print_module_launch(FILE *out, struct arena *arena, const struct module *module,
                                const struct module_function *kernel,
                                const struct launch_options *options) {
    struct derivation derivation = {.out = out,
                                    .arena = arena,
                                    .options = options,
                                    .module = module,
                                    .kernel = kernel,
                                    .words = "",
                                    .assumed = ""};
    for (size_t i = 0; i < kernel->parameter_count; i++)
        declare_objects(&derivation, i);
    fprintf(out, "kernel %s", kernel->name);
    derive_shape(&derivation);
    say_objects(&derivation);
    for (size_t i = 0; i < kernel->parameter_count; i++)
        derive_argument(&derivation, i);
    derive_dynamic(&derivation);
    derive_workspace(&derivation);
    if (options->asked)
        fprintf(out, "%s\n", options->asked);
    say_rest(&derivation);
    return derivation.words;
}
