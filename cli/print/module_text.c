// A module for people.
#include "cli/print/module.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <inttypes.h>
#include <string.h>

// "2 accesses, 1 fence".
static const char *counts_text(struct arena *arena, const struct kind_counts *counts) {
    static const char *const nouns[MODULE_KIND_COUNT][2] = {
        [MODULE_ACCESS] = {"access", "accesses"},
        [MODULE_FENCE] = {"fence", "fences"},
        [MODULE_BARRIER] = {"barrier", "barriers"},
        [MODULE_CALL] = {"call", "calls"},
        [MODULE_ASYNC] = {"asynchronous operation", "asynchronous operations"},
        [MODULE_WARP] = {"warp operation", "warp operations"},
        [MODULE_END] = {"trap", "traps"},
    };
    const char *text = "";
    for (int kind = MODULE_ACCESS; kind < MODULE_KIND_COUNT; kind++) {
        if (counts->of[kind] > 0) {
            text = arena_format(arena, "%s%s%zu %s", text, *text ? ", " : "", counts->of[kind],
                                nouns[kind][counts->of[kind] != 1]);
        }
    }
    return *text ? text : "no accesses";
}

// The name of a file without its folders.
static const char *short_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// "mp.cu:5", with " in " where that line was inlined; "" where the module does not say.
static const char *place_text(struct arena *arena, const struct module *module,
                              const struct module_statement *statement) {
    const struct module_place *place = &statement->place, *outer = &statement->inlined_at;
    if (place->file < 0)
        return "";
    const char *text =
        arena_format(arena, "%s:%u", short_name(module->files[place->file]), place->line);
    if (outer->file >= 0) {
        text = arena_format(arena, "%s in %s:%u", text, short_name(module->files[outer->file]),
                            outer->line);
    }
    return escaped(arena, text);
}

static void print_parameters(FILE *out, const struct module_function *function) {
    if (function->parameter_count == 0)
        return;
    fprintf(out, "  parameters, %" PRIu64 " bytes\n", function->parameter_bytes);
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct module_parameter *parameter = &function->parameters[i];
        fprintf(out, "    %zu  at %-4" PRIu64 " %s%s, %" PRIu64 " bytes%s  %s\n", i,
                parameter->offset, parameter->type, parameter->is_array ? "[]" : "",
                parameter->size, parameter->is_pointer ? ", a pointer" : "", parameter->name);
    }
}

static void print_statements(FILE *out, struct arena *arena, const struct module *module,
                             const struct module_function *function) {
    for (size_t i = 0; i < function->statement_count; i++) {
        const struct module_statement *statement = &function->statements[i];
        if (!statement_is_listed(statement))
            continue;
        const char *place = place_text(arena, module, statement);
        fprintf(out, "    line %-5u %-12s %s%s%s\n", span_line(statement->first->span),
                module_kind_name(statement->opcode->kind), module_statement_text(arena, statement),
                *place ? "  // " : "", place);
    }
}

static void print_missing(FILE *out, struct arena *arena, const struct module_function *function) {
    size_t count;
    const struct missing_group *groups = missing_groups(arena, function, &count);
    if (count > 0)
        fputs("  not modelled\n", out);
    for (size_t i = 0; i < count; i++) {
        const char *more =
            groups[i].count > 1 ? arena_format(arena, " and %zu more", groups[i].count - 1) : "";
        fprintf(out, "    line %u%s  %s: %s\n", span_line(groups[i].first->first->span), more,
                groups[i].first->opcode->text, groups[i].why);
    }
}

static void print_function(FILE *out, struct arena *arena, const struct module *module,
                           const struct module_function *function) {
    struct kind_counts counts = count_kinds(function);
    fprintf(out, "\n%s %s\n  line %u", function->is_kernel ? "kernel" : "function",
            function->demangled, span_line(function->span));
    if (strcmp(function->name, function->demangled) != 0)
        fprintf(out, ", %s", function->name);
    fprintf(out, "%s%s\n", *function->attributes ? ", " : "", function->attributes);
    print_parameters(out, function);
    if (!function->body) {
        fputs("  no body\n", out);
        return;
    }
    for (size_t i = 0; i < function->variable_count; i++)
        if (function->variables[i].space != SPACE_PARAM)
            fprintf(out, "  variable  %s\n", variable_text(arena, &function->variables[i]));
    fprintf(out, "  %s\n", counts_text(arena, &counts));
    print_statements(out, arena, module, function);
    print_missing(out, arena, function);
}

static void print_head(FILE *out, struct arena *arena, const struct module *module) {
    size_t kernels = 0;
    for (size_t i = 0; i < module->function_count; i++)
        kernels += module->functions[i].is_kernel;
    fprintf(out, "%s: PTX %u.%u for %s, %zu %s\n", escaped(arena, module->source->path),
            module->version / 10, module->version % 10, module->target, kernels,
            kernels == 1 ? "kernel" : "kernels");
    for (size_t i = 0; i < module->variable_count; i++)
        fprintf(out, "  variable  %s\n", variable_text(arena, &module->variables[i]));
}

void print_module_text(FILE *out, struct arena *arena, const struct module *module,
                       const struct module_function *only) {
    print_head(out, arena, module);
    for (size_t i = 0; i < module->function_count; i++)
        if (only ? only == &module->functions[i] : !module->functions[i].is_prototype)
            print_function(out, arena, module, &module->functions[i]);
}
