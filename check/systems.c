// Models and targets by their names.
#include "check/systems.h"

#include "litmus/ptx/match.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const default_model = "ptx-9.1", *const default_cpp_model = "scoped-rc11",
                         *const default_later_model = "ptx-9.3";

// --- Targets -----------------------------------------------------------------------------------

// All that there are, read when they are first asked for.
struct all_targets {
    struct arena *arena;
    const struct target *items; // NULL until then
    size_t count;
};

const struct target *systems_targets(const struct system_list *list, size_t *count) {
    struct all_targets *all = list->targets;
    if (!all->items)
        all->items = targets_load(all->arena, &all->count);
    *count = all->count;
    return all->items;
}

static const struct target *find(const struct system_list *list, const char *name) {
    size_t count;
    const struct target *targets = systems_targets(list, &count);
    return targets_find(targets, count, name);
}

const struct target *systems_target_of(const struct system_list *list, const struct test *test) {
    return test->directives.target ? find(list, test->directives.target) : NULL;
}

// "sm_61": 61. 0 for what is not the name of an architecture.
static unsigned long architecture(const char *name) {
    return strncmp(name, "sm_", 3) == 0 ? strtoul(name + 3, NULL, 10) : 0;
}

static void error_unknown(struct arena *arena, const struct system_list *list, const char *name,
                          struct span span, struct diagnostics *diagnostics) {
    assert(span.begin <= span.end);
    unsigned long number = architecture(name);
    const char *message = number > 0 && number < PTX_FIRST_SM
                              ? "the memory model does not apply to it: it starts with sm_70"
                              : "no target has this name";
    if (span.source)
        diag_error(diagnostics, span, "'%s': %s", name, message);
    else
        diag_error_path(diagnostics, name, "%s", message);
    const char *all = "";
    size_t count;
    const struct target *targets = systems_targets(list, &count);
    for (size_t i = 0; i < count; i++)
        all = arena_format(arena, "%s%s%s", all, i > 0 ? ", " : "", targets[i].ptx.name);
    diag_hint(diagnostics, "the targets are %s", all);
}

const struct target *systems_find_target(struct arena *arena, const struct system_list *list,
                                         const char *name, struct span span,
                                         struct diagnostics *diagnostics) {
    assert(span.begin <= span.end);
    const struct target *target = find(list, name);
    if (!target)
        error_unknown(arena, list, name, span, diagnostics);
    return target;
}

// --- The command line --------------------------------------------------------------------------

static void add_system(struct arena *arena, const struct check_options *options,
                       struct system_list *list, const struct target *target, const char *model,
                       struct diagnostics *diagnostics) {
    struct system system = {.target = target};
    system.readings = readings_load(arena, model, target, options, diagnostics);
    ARENA_APPEND(arena, list->items, list->count, system);
}

static void add_target(struct arena *arena, const struct check_options *options,
                       struct system_list *list, const char *name,
                       struct diagnostics *diagnostics) {
    const struct target *target =
        systems_find_target(arena, list, name, (struct span){0}, diagnostics);
    if (!target)
        return;
    if (options->ptx_version != 0 && options->ptx_version < target->ptx.ptx) {
        diag_error_path(diagnostics, name, "this target needs PTX ISA %u.%u, not %u.%u",
                        target->ptx.ptx / 10, target->ptx.ptx % 10, options->ptx_version / 10,
                        options->ptx_version % 10);
        return;
    }
    const char *model = options->model_count > 0 ? options->models[0] : target->model;
    add_system(arena, options, list, target, model, diagnostics);
}

// Makes room for what tests in later versions of PTX are run on instead, where the options name no
// model.
static void add_later(struct system_list *list) {
    list->later = arena_alloc_array(list->arena, list->count, sizeof *list->later);
    for (size_t i = 0; i < list->count; i++)
        list->later[i] = (struct system){.target = list->items[i].target};
}

// The default models: of PTX, and of C++ for tests that are in it.
static void add_defaults(struct system_list *list, struct diagnostics *diagnostics) {
    add_system(list->arena, list->options, list, NULL, default_model, diagnostics);
    list->defaults[0] = &list->items[0];
    list->defaults[1] = ARENA_NEW(list->arena, struct system);
    *list->defaults[1] = (struct system){0};
}

// A model for each language, to compare a test in C++ with one in PTX.
static void add_both(struct system_list *list, struct diagnostics *diagnostics) {
    const struct check_options *options = list->options;
    const char *cpp = options->cpp_model ? options->cpp_model : default_cpp_model;
    if (options->target_count == 0) {
        add_system(list->arena, options, list, NULL,
                   options->model_count > 0 ? options->models[0] : default_model, diagnostics);
    }
    add_system(list->arena, options, list, NULL, cpp, diagnostics);
    if (list->count == 2) {
        list->defaults[0] = &list->items[0];
        list->defaults[1] = &list->items[1];
        list->count = 1;
    }
}

bool systems_load(struct arena *arena, const struct check_options *options,
                  struct system_list *list, struct diagnostics *diagnostics) {
    struct check_options *own = arena_copy(arena, options, 1, sizeof *options);
    *list = (struct system_list){.arena = arena, .options = own};
    options = own;
    list->targets = ARENA_NEW(arena, struct all_targets);
    *list->targets = (struct all_targets){.arena = arena};
    for (size_t i = 0; i < options->target_count; i++)
        add_target(arena, options, list, options->targets[i], diagnostics);
    bool both = options->both_languages;
    for (size_t i = 0; options->target_count == 0 && !both && i < options->model_count; i++)
        add_system(arena, options, list, NULL, options->models[i], diagnostics);
    if (both)
        add_both(list, diagnostics);
    else if (options->target_count == 0 && options->model_count == 0)
        add_defaults(list, diagnostics);
    if (options->model_count == 0)
        add_later(list);
    own->include_count = 0; // what is loaded later is built in, and includes no files
    return !diag_has_errors(diagnostics);
}

// Loads a built-in model that no test has asked for yet.
static void load_when_asked(const struct system_list *list, struct system *system,
                            const char *model) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, list->arena);
    if (system->readings.model)
        return;
    system->readings =
        readings_load(list->arena, model, system->target, list->options, &diagnostics);
    if (!system->readings.model)
        bug("the built-in model %s has errors", model);
}

struct system_list systems_of(const struct system_list *list, const struct test *test) {
    struct system_list own = *list;
    bool is_cpp = test->dialect == DIALECT_CPP;
    if (list->defaults[0]) {
        own.items = list->defaults[is_cpp];
        load_when_asked(list, own.items, is_cpp ? default_cpp_model : default_model);
    }
    if (list->later && !is_cpp && ptx_version_of(test, 0) > PTX_USUAL) {
        own.items = list->later;
        for (size_t i = 0; i < list->count; i++)
            load_when_asked(list, &own.items[i], default_later_model);
    }
    return own;
}

bool systems_forbid_thin_air(const struct system_list *list, const struct check_options *options) {
    bool forbid = options->program.dependencies != DEPENDENCIES_NONE;
    for (size_t i = 0; i < list->count; i++)
        forbid = forbid && model_forbids_thin_air(list->items[i].readings.model);
    return forbid;
}

// --- Tests -------------------------------------------------------------------------------------

// The version that the test is written in.
static unsigned version_of(const struct check_options *options, const struct test *test) {
    return ptx_version_of(test, options->ptx_version);
}

static bool check_version(const struct check_options *options, const struct test *test,
                          struct diagnostics *diagnostics) {
    unsigned most = options->ptx_version;
    if (most == 0 || test->directives.version <= most)
        return true;
    diag_error(diagnostics, test->directives.version_span,
               "this test is written in PTX ISA %u.%u, and --ptx-version is %u.%u",
               test->directives.version / 10, test->directives.version % 10, most / 10, most % 10);
    return false;
}

// Whether the version knows the target.
static bool check_age(const struct target *target, unsigned version, struct span span,
                      struct diagnostics *diagnostics) {
    assert(span.begin <= span.end);
    if (target->ptx.ptx <= version)
        return true;
    diag_error(diagnostics, span, "'%s' needs PTX ISA %u.%u or later, not %u.%u", target->ptx.name,
               target->ptx.ptx / 10, target->ptx.ptx % 10, version / 10, version % 10);
    return false;
}

// The promise of the command line takes the place of the test's.
static void note_progress(struct arena *arena, const struct check_options *options,
                          const struct test *test, struct diagnostics *diagnostics) {
    const struct solver_options *chosen = &options->solver;
    if (chosen->progress == PROGRESS_OFF || test->promise.progress == PROGRESS_OFF)
        return;
    const char *text = progress_text(arena, chosen->progress, &chosen->schedule);
    if (strcmp(text, progress_text(arena, test->promise.progress, &test->promise.schedule)) == 0)
        return;
    diag_note(diagnostics, test->promise.span, "'--progress %s' takes the place of this", text);
}

// A model is about tests in one language, and targets run PTX.
static bool check_language(const struct system_list *list, const struct test *test,
                           struct diagnostics *diagnostics) {
    bool is_cpp = test->dialect == DIALECT_CPP;
    for (size_t i = 0; i < list->count; i++) {
        const struct system *system = &list->items[i];
        if (is_cpp && system->target) {
            diag_error_path(diagnostics, test->source->path,
                            "a test in C++ runs on no target such as %s", system->target->ptx.name);
            diag_hint(diagnostics, "'ptxlitmus lower' makes a test in PTX of it");
            return false;
        }
        if (system->readings.model->is_of_cpp != is_cpp) {
            diag_error_path(diagnostics, test->source->path,
                            "this test is in %s, and the model %s is for tests in %s",
                            is_cpp ? "C++" : "PTX", system->readings.model->name,
                            is_cpp ? "PTX" : "C++");
            return false;
        }
    }
    return true;
}

bool systems_check_test(struct arena *arena, const struct system_list *list,
                        const struct check_options *options, const struct test *test,
                        struct diagnostics *diagnostics) {
    unsigned version = version_of(options, test);
    const struct target *target = NULL;
    if (!check_language(list, test, diagnostics))
        return false;
    bool good = check_version(options, test, diagnostics);
    if (test->directives.target) {
        target = systems_find_target(arena, list, test->directives.target,
                                     test->directives.target_span, diagnostics);
        if (target && target_is_simulated(target)) {
            diag_error(diagnostics, test->directives.target_span,
                       "'%s' is a simulated memory, not a target of PTX", test->directives.target);
            diag_hint(diagnostics, "run the test with '--target %s'", test->directives.target);
            return false;
        }
        good =
            target && check_age(target, version, test->directives.target_span, diagnostics) && good;
    }
    note_progress(arena, options, test, diagnostics);
    return ptx_check_needs(test, target ? &target->ptx : NULL, version, diagnostics) && good;
}

bool systems_take_test(const struct system_list *list, const struct system *system,
                       const struct test *test, struct diagnostics *diagnostics) {
    const struct target *target = system->target;
    if (!target)
        return true;
    if (test->directives.target) {
        const struct target *written = systems_target_of(list, test);
        if (!ptx_runs_on(&written->ptx, &target->ptx)) {
            diag_error(diagnostics, test->directives.target_span, "code for %s does not run on %s",
                       test->directives.target, target->ptx.name);
            return false;
        }
    } else if (test->directives.version != 0 &&
               !check_age(target, test->directives.version, test->directives.version_span,
                          diagnostics)) {
        return false;
    }
    return ptx_check_needs(test, &target->ptx, PTX_NEWEST, diagnostics);
}

// The first target that is real and has what the test needs.
static const struct target *first_target(const struct system_list *list, const struct test *test) {
    struct arena *arena = arena_new();
    const struct target *found = NULL;
    size_t count;
    const struct target *targets = systems_targets(list, &count);
    for (size_t i = 0; i < count && !found; i++) {
        struct diagnostics unmet;
        diagnostics_init(&unmet, arena);
        if (ptx_check_needs(test, &targets[i].ptx, PTX_NEWEST, &unmet))
            found = &targets[i];
    }
    arena_free(arena);
    return found ? found : &targets[0];
}

struct emit_head systems_head(const struct system_list *list, const struct check_options *options,
                              const struct test *test) {
    const struct target *target = list->items[0].target;
    if (test->directives.target)
        target = systems_target_of(list, test);
    else if (!target || target_is_simulated(target))
        target = first_target(list, test);
    struct emit_head head = {.version = test->directives.version, .target = target->ptx.name};
    if (head.version == 0)
        head.version = options->ptx_version;
    if (head.version == 0) {
        head.version = target->ptx.ptx;
        for (size_t i = 0; i < test->need_count; i++)
            head.version = test->needs[i].ptx > head.version ? test->needs[i].ptx : head.version;
    }
    return head;
}

// --- The list ----------------------------------------------------------------------------------

enum { FEATURE_QUALIFIERS_MAX = 3 };

// What tests can use and older targets lack, each with an instruction that needs it: the table of
// instructions says since when.
static const struct {
    const char *name, *opcode, *qualifiers[FEATURE_QUALIFIERS_MAX];
    size_t count;
} features[] = {
    {"one-directional fences", "fence", {".acquire", ".gpu"}, 2},
    {"async proxy", "fence.proxy", {".async"}, 1},
    {"tensormap proxy", "fence.proxy", {".tensormap::generic", ".release", ".gpu"}, 3},
    {"256-bit vectors", "ld", {".global", ".v8", ".u32"}, 3},
};

// Returns "clusters of up to 16 CTAs, async proxy", owned by the arena, or "".
static const char *features_text(struct arena *arena, const struct target *target) {
    const char *text =
        target->ptx.cluster_ctas == 1
            ? ""
            : arena_format(arena, "clusters of up to %u CTAs", target->ptx.cluster_ctas);
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        unsigned first =
            ptx_first_target(features[i].opcode, features[i].qualifiers, features[i].count);
        if (ptx_offers(&target->ptx, first))
            text = arena_format(arena, "%s%s%s", text, *text ? ", " : "", features[i].name);
    }
    return text;
}

void systems_print_targets(FILE *out, struct arena *arena) {
    size_t count;
    const struct target *targets = targets_load(arena, &count);
    for (size_t i = 0; i < count; i++) {
        const struct target *target = &targets[i];
        const char *offers = features_text(arena, target);
        fprintf(out, "%-9s PTX %u.%u  %s  ", target->ptx.name, target->ptx.ptx / 10,
                target->ptx.ptx % 10, target->model);
        if (target_is_simulated(target)) {
            fprintf(out, "simulated memory on sm_%u: %s\n", target->ptx.architecture,
                    target->title);
        } else {
            fprintf(out, "%s%s%s\n", target->title, *offers ? "; " : "", offers);
        }
    }
}
