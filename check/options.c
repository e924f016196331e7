// Options of a check, set by their names.
#include "check/options.h"

#include "check/text/names.h"
#include "litmus/ptx/target.h"
#include "litmus/source/arena.h"

#include <stdint.h>
#include <string.h>

enum { UNROLL_DEFAULT = 2, UNROLL_MAX = 1000, MEMORY_MAX_MB = 1 << 24 }; // 16 TB

const struct option_text check_option_texts[CHECK_OPTION_COUNT] = {
#define OPTION(id, name, argument, help, set) {name, argument, help},
#include "check/options.def"
#undef OPTION
};

struct check_options check_options_default(void) {
    return (struct check_options){.program = {.unroll = UNROLL_DEFAULT},
                                  .solver = {.engine = solver_default_engine()}};
}

// version = digit "." digit
static unsigned ptx_version(struct setting *setting) {
    const char *text = setting->text;
    bool good = strlen(text) == 3 && strspn(text, "0123456789.") == 3 && text[1] == '.' &&
                text[0] != '.' && text[2] != '.';
    unsigned version = good ? (unsigned)((text[0] - '0') * 10 + (text[2] - '0')) : 0;
    if (!ptx_is_version(version)) {
        setting->error = arena_format(setting->arena,
                                      "'--ptx-version' takes a version of the PTX ISA, from %u.%u, "
                                      "the first with a memory model, to %u.%u, not '%s'",
                                      PTX_OLDEST / 10, PTX_OLDEST % 10, PTX_NEWEST / 10,
                                      PTX_NEWEST % 10, escaped(setting->arena, text));
    }
    return version;
}

static void add_include_folder(struct check_options *options, struct setting *setting) {
    ARENA_APPEND(setting->arena, options->include_folders, options->include_count, setting->text);
}

static void set_async_place(struct check_options *options, enum reading reading) {
    options->readings.async_place = reading;
    options->program.async_destination = reading == READING_OTHER;
}

static void set_multimem(struct check_options *options, enum reading reading) {
    options->readings.multimem = reading;
    options->program.multimem_variables = reading == READING_OTHER;
}

static void set_tearing(struct check_options *options, enum reading reading) {
    options->readings.tearing = reading;
    options->program.whole_accesses = reading == READING_OTHER;
}

static void need_cadical(struct setting *setting) {
    if (!solver_has_engine(ENGINE_CADICAL) && !setting->error)
        setting->error = "this ptxlitmus was built without CaDiCaL, the second engine";
}

// For those who ask for it by name: without a name, CaDiCaL decides where Z3 is not found.
static void need_z3(struct setting *setting) {
    if (solver_lacks_z3() && !setting->error)
        setting->error = solver_lacks_z3();
}

static void set_engine(struct check_options *options, struct setting *setting, enum engine engine) {
    options->solver.engine = engine;
    if (engine == ENGINE_CADICAL)
        need_cadical(setting);
    else
        need_z3(setting);
}

static void set_both_engines(struct check_options *options, struct setting *setting) {
    options->solver.both_engines = true;
    need_cadical(setting);
    need_z3(setting);
}

// progress = a name, or rules by level
static void set_progress(struct check_options *options, struct setting *setting) {
    struct solver_options *solver = &options->solver;
    solver->progress = progress_parse(setting->text, &solver->schedule);
    if (solver->progress == PROGRESS_OFF) {
        setting->error = arena_format(
            setting->arena,
            "'--progress' takes cuda, fair, hsa, hsa_obe, obe, lobe or unfair, or rules by level "
            "such as cluster=obe,thread=fair (levels: thread, warp, cta, cluster), not '%s'",
            escaped(setting->arena, setting->text));
    }
}

// A function for each option, which sets what its line of the table says.
#define OPTION(id, name, argument, help, set)                                                      \
    static void set_##id(struct check_options *options, struct setting *setting) {                 \
        (void)setting;                                                                             \
        set;                                                                                       \
    }
#include "check/options.def"
#undef OPTION

static void (*const setters[])(struct check_options *options, struct setting *setting) = {
#define OPTION(id, name, argument, help, set) set_##id,
#include "check/options.def"
#undef OPTION
};

const char *check_option_set(struct arena *arena, struct check_options *options, const char *name,
                             const char *value) {
    size_t i = 0;
    while (i < CHECK_OPTION_COUNT && strcmp(check_option_texts[i].name, name) != 0)
        i++;
    if (i == CHECK_OPTION_COUNT)
        return arena_format(arena, "'%s' is not an option of a check", name);
    struct setting setting = {.arena = arena, .option = &check_option_texts[i], .text = value};
    setting.error = setting_misses(&setting);
    if (!setting.error)
        setters[i](options, &setting);
    return setting.error;
}
