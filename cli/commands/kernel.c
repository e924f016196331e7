// Compiles a .cu file, and derives a launch for a kernel that no manifest launches.
#include "cli/commands/kernel.h"

#include "check/report/report.h"
#include "check/text/names.h"
#include "cli/input/compile_commands.h"
#include "cli/input/cuda.h"
#include "cli/jobs/child.h"
#include "cli/options/launching.h"
#include "cli/print/module.h"
#include "cli/print/terminal.h"
#include "litmus/ptx/target.h"
#include "litmus/readers/reader.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// What became of an input, a .cu file; NULL of other inputs.
static const struct compiled_file *compiled_of(const struct launch_options *launch,
                                               const char *path) {
    for (size_t i = 0; i < launch->compiled_count; i++)
        if (strcmp(launch->compiled[i].path, path) == 0)
            return &launch->compiled[i];
    return NULL;
}

// --- The compiler ------------------------------------------------------------------------------

static const char *compiler_of(const struct launch_options *launch) {
    const char *nvcc = getenv("NVCC"), *other = getenv("CUDACXX");
    return launch->compiler  ? launch->compiler
           : nvcc && *nvcc   ? nvcc
           : other && *other ? other
                             : "nvcc";
}

// What is compiled: a file, or a text that is to take its place, in a file without a name.
struct compilation {
    const struct launch_options *launch;
    const struct compiled_file *file;
    int text; // that file, or -1
    int out;  // where the module goes, in a file without a name
};

// The words that name what is compiled. Headers next to the file are found.
static size_t add_input(struct arena *arena, const struct compilation *compilation, bool is_clang,
                        const char **words) {
    const char *slash = strrchr(compilation->file->path, '/');
    if (compilation->text < 0) {
        words[0] = compilation->file->path;
        return 1;
    }
    words[0] = "-I";
    words[1] = slash ? arena_strndup(arena, compilation->file->path,
                                     (size_t)(slash - compilation->file->path) + 1)
                     : ".";
    words[2] = "-x";
    words[3] = is_clang ? "cuda" : "cu";
    words[4] = arena_format(arena, "/dev/fd/%d", compilation->text);
    return 5;
}

// The words of the command, which ends with a NULL. clang names its steps otherwise.
static char **command_of(struct arena *arena, const struct compilation *compilation) {
    const struct launch_options *launch = compilation->launch;
    const struct compiled_file *file = compilation->file;
    const char *compiler = compiler_of(launch), *slash = strrchr(compiler, '/');
    bool is_clang = strncmp(slash ? slash + 1 : compiler, "clang", 5) == 0;
    static const char *const nvcc[] = {"-ptx", "-lineinfo"};
    static const char *const clang[] = {"-S", "--cuda-device-only", "-gline-tables-only", "-O2"};
    const char *const *own = is_clang ? clang : nvcc;
    size_t count = 0, own_count = is_clang ? 4 : 2;
    const char **words =
        ARENA_ARRAY(arena, const char *, file->flag_count + launch->flag_count + own_count + 10);
    words[count++] = compiler;
    for (size_t i = 0; i < own_count; i++)
        words[count++] = own[i];
    for (size_t i = 0; i < file->flag_count; i++)
        words[count++] = file->flags[i];
    for (size_t i = 0; i < launch->flag_count; i++)
        words[count++] = launch->flags[i];
    if (file->architecture) {
        words[count++] = arena_format(arena, is_clang ? "--cuda-gpu-arch=sm_%s" : "-arch=sm_%s",
                                      file->architecture);
    }
    count += add_input(arena, compilation, is_clang, words + count);
    words[count++] = "-o";
    words[count++] = arena_format(arena, "/dev/fd/%d", compilation->out);
    return (char **)words;
}

// Runs the compiler, whose messages are not shown where a text takes the place of the file. Returns
// an error number, or 0.
static int call_compiler(struct arena *arena, const struct compilation *compilation,
                         bool *succeeded) {
    return child_run(command_of(arena, compilation), compilation->text >= 0, succeeded);
}

// Runs the compiler on a file; false after an error, above which its own messages are.
static bool run_compiler(struct arena *arena, const struct compilation *compilation,
                         struct diagnostics *diagnostics) {
    bool succeeded;
    const struct compiled_file *file = compilation->file;
    const char *path = escaped(arena, file->path);
    const char *compiler = escaped(arena, compiler_of(compilation->launch));
    int error = call_compiler(arena, compilation, &succeeded);
    if (error != 0) {
        diag_error_path(diagnostics, file->path, "cannot run '%s', which compiles it: %s", compiler,
                        strerror(error));
        diag_hint(diagnostics,
                  "where there is an nvcc, 'nvcc -ptx -lineinfo %s' makes a module, and "
                  "'ptxlitmus check %.*s.ptx' checks it; '--compiler' names another one",
                  path, (int)(strlen(path) - 3), path);
        return false;
    }
    if (succeeded)
        return true;
    diag_error_path(diagnostics, file->path, "'%s' did not compile it: its messages are above",
                    compiler);
    if (file->architecture) {
        diag_hint(diagnostics,
                  "it was compiled for sm_%s; '-- -arch=sm_80' compiles it for another target",
                  file->architecture);
    }
    return false;
}

// Takes over what was written into a file as what was compiled.
static void take_module(struct arena *arena, struct compiled_file *compiled, FILE *file) {
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    char *text = arena_alloc(arena, (size_t)(size > 0 ? size : 0) + 1);
    rewind(file);
    compiled->ptx_size = fread(text, 1, (size_t)(size > 0 ? size : 0), file);
    compiled->ptx = text;
}

// The target of a .cu file whose flags name none.
#define USUAL_ARCHITECTURE "90"

// Whether a flag says for which targets to compile.
static bool names_architecture(const struct launch_options *launch) {
    static const char *const flags[] = {"-arch",           "--gpu-arch",      "-gencode",
                                        "--generate-code", "--cuda-gpu-arch", "--offload-arch"};
    for (size_t i = 0; i < launch->flag_count; i++) {
        for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
            if (strncmp(launch->flags[i], flags[k], strlen(flags[k])) == 0)
                return true;
    }
    return false;
}

// The newest target, "90a", that has an instruction which the module's lacks; NULL: it lacks none.
static const char *lacked_by(struct arena *arena, const struct compiled_file *compiled) {
    const char *newest = NULL;
    for (const char *at = compiled->ptx; (at = strstr(at, PTX_LACKED_BEFORE)) != NULL;) {
        at += strlen(PTX_LACKED_BEFORE);
        const char *target = arena_strndup(arena, at, strcspn(at, "_"));
        unsigned long number = strtoul(target, NULL, 10);
        unsigned long other = newest ? strtoul(newest, NULL, 10) : 0;
        if (number > other || (number == other && strlen(target) > strlen(newest)))
            newest = target;
    }
    return newest;
}

// What the compiler has written into a file without a name, so that nothing is left of it however
// the program ends.
static bool compile_once(struct arena *arena, const struct launch_options *launch,
                         struct compiled_file *compiled, struct diagnostics *diagnostics) {
    FILE *file = tmpfile();
    if (!file) {
        diag_error_path(diagnostics, compiled->path, "cannot make a temporary file: %s",
                        strerror(errno));
        return false;
    }
    const struct compilation compilation = {launch, compiled, -1, fileno(file)};
    bool fine = run_compiler(arena, &compilation, diagnostics);
    take_module(arena, compiled, file);
    fclose(file);
    return fine;
}

static bool compile_usual(struct arena *arena, const struct launch_options *launch,
                          struct compiled_file *compiled, struct diagnostics *diagnostics) {
    compiled->architecture = USUAL_ARCHITECTURE;
    if (!compile_once(arena, launch, compiled, diagnostics))
        return false;
    const char *needed = lacked_by(arena, compiled);
    if (needed) {
        compiled->architecture = needed;
        compiled->is_needed = true;
        return compile_once(arena, launch, compiled, diagnostics);
    }
    return true;
}

// Takes what the project of a .cu file says of how it is compiled; false after an error.
static bool take_project(struct arena *arena, struct compiled_file *compiled,
                         struct diagnostics *diagnostics) {
    struct project_flags flags;
    bool fine = compile_commands_find(arena, compiled->path, &flags, diagnostics);
    compiled->flags = flags.flags;
    compiled->flag_count = flags.count;
    compiled->architecture = flags.architecture;
    compiled->has_project = flags.count > 0 || flags.architecture;
    return fine;
}

// Compiles a .cu file: where neither the flags nor the project names a target, for
// USUAL_ARCHITECTURE, or again for one that has what it uses. For the one that nvcc would choose,
// the oldest that it knows, headers of CUDA put plain loads and stores in the place of asynchronous
// copies. False after an error.
static bool compile(struct arena *arena, const struct launch_options *launch,
                    struct compiled_file *compiled, struct diagnostics *diagnostics) {
    if (!take_project(arena, compiled, diagnostics))
        return false;
    if (names_architecture(launch))
        compiled->architecture = NULL;
    else if (!compiled->architecture)
        return compile_usual(arena, launch, compiled, diagnostics);
    return compile_once(arena, launch, compiled, diagnostics);
}

bool kernel_compile_text(struct arena *arena, struct launch_options *launch, const char *path,
                         const char *text) {
    const struct compiled_file *before = compiled_of(launch, path);
    struct compiled_file compiled = before ? *before : (struct compiled_file){.path = path};
    FILE *in = tmpfile(), *out = tmpfile();
    bool fine = in && out && fputs(text, in) >= 0 && fflush(in) == 0;
    if (fine) {
        bool succeeded;
        const struct compilation compilation = {launch, &compiled, fileno(in), fileno(out)};
        fine = call_compiler(arena, &compilation, &succeeded) == 0 && succeeded;
        take_module(arena, &compiled, out);
        launch->compiled[0] = compiled;
        launch->compiled_count = 1;
    }
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return fine;
}

// --- The command line --------------------------------------------------------------------------

bool kernel_take(struct arena *arena, struct options *options, const char **error) {
    struct launch_options *launch = &options->launch;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    if (options->command->compiles_tests)
        return true;
    for (size_t i = 0; i < options->input_count; i++) {
        const char *path = options->inputs[i];
        if (!path_is_cuda(path) || compiled_of(launch, path))
            continue;
        if (options->command->kernels == 0) {
            *error = arena_format(arena,
                                  "'%s' does not compile '%s': 'ptxlitmus check' does, and 'nvcc "
                                  "-ptx -lineinfo' makes a module of it",
                                  options->command->name, escaped(arena, path));
            return false;
        }
        struct compiled_file compiled = {.path = path};
        bool fine = compile(arena, launch, &compiled, &diagnostics);
        for (size_t k = 0; k < diagnostics.count; k++)
            print_diagnostic(stderr, arena, &diagnostics.items[k], false);
        if (!fine)
            return false;
        diagnostics_init(&diagnostics, arena);
        launch->compiled[launch->compiled_count++] = compiled;
    }
    return true;
}

bool kernel_is_input(const struct options *options, const char *path) {
    for (size_t i = 0; i < options->input_count; i++)
        if (strcmp(options->inputs[i], path) == 0)
            return options->input_count <= options->command->kernels && launching_is_kernel(path);
    return false;
}

static const struct source *source_of(struct arena *arena, const struct compiled_file *compiled) {
    return source_from_text(arena, arena_format(arena, "PTX of %s", compiled->path), compiled->ptx,
                            compiled->ptx_size);
}

const struct source *kernel_module(struct arena *arena, const struct options *options,
                                   const char *path, struct diagnostics *diagnostics) {
    const struct compiled_file *compiled = compiled_of(&options->launch, path);
    return compiled ? source_of(arena, compiled) : source_read(arena, path, diagnostics);
}

// --- The launch --------------------------------------------------------------------------------

static bool is_marked(const struct source *source) {
    return source && strstr(source->text, "// PTXLITMUS") != NULL;
}

// The module with the manifest of a .cu file: lines in it, or a file next to it; without one, the
// module alone. NULL after errors.
static const struct source *with_manifest(struct arena *arena, const char *path,
                                          const struct source *module,
                                          struct diagnostics *diagnostics) {
    const char *beside = arena_format(arena, "%s.litmus", path);
    const struct source *text = source_read(arena, path, diagnostics);
    if (!text)
        return NULL;
    return is_marked(text)             ? module_with_manifest(arena, module, path, diagnostics)
           : access(beside, F_OK) == 0 ? module_with_manifest(arena, module, beside, diagnostics)
                                       : module;
}

const struct source *kernel_listed(struct arena *arena, const struct options *options,
                                   const char *path, struct diagnostics *diagnostics,
                                   struct compiled_file *compiled) {
    const struct source *text = source_read(arena, path, diagnostics);
    if (!text)
        return NULL;
    if (!is_marked(text) && access(arena_format(arena, "%s.litmus", path), F_OK) != 0) {
        diag_error_path(diagnostics, path, "nothing says how it is launched, nor what is expected");
        diag_hint(diagnostics,
                  "lines that begin with '// PTXLITMUS' do, or a file '%s.litmus': 'ptxlitmus "
                  "check %s --save' writes one",
                  escaped(arena, path), escaped(arena, path));
        return NULL;
    }
    *compiled = (struct compiled_file){.path = path};
    return compile(arena, &options->launch, compiled, diagnostics)
               ? with_manifest(arena, path, source_of(arena, compiled), diagnostics)
               : NULL;
}

// The names of the kernels of a module: "'a', 'b'".
static const char *names_of(struct arena *arena, const struct module *module) {
    const char *names = "";
    for (size_t i = 0; i < module->function_count; i++) {
        if (module->functions[i].is_kernel && module->functions[i].body) {
            names = arena_format(arena, "%s%s'%s'", names, *names ? ", " : "",
                                 escaped(arena, module->functions[i].demangled));
        }
    }
    return names;
}

// The kernel that is named, or the only one; NULL after an error.
static const struct module_function *find_kernel(struct arena *arena, const char *path,
                                                 const struct module *module, const char *name,
                                                 struct diagnostics *diagnostics) {
    const struct module_function *only = NULL;
    size_t count = 0;
    for (size_t i = 0; i < module->function_count && !name; i++) {
        if (module->functions[i].is_kernel && module->functions[i].body) {
            only = &module->functions[i];
            count++;
        }
    }
    only = name ? module_kernel(arena, module, name, &count) : count == 1 ? only : NULL;
    if (only && only->body)
        return only;
    const char *names = names_of(arena, module);
    if (!*names)
        diag_error_path(diagnostics, path, "there is no kernel in it");
    else if (name && count == 0)
        diag_error_path(diagnostics, path, "there is no kernel '%s'", escaped(arena, name));
    else
        diag_error_path(diagnostics, path, "%zu of its kernels may be meant", count);
    if (*names)
        diag_hint(diagnostics, "name one after the file: %s", names);
    return NULL;
}

static bool check_arguments(struct arena *arena, const char *path,
                            const struct launch_options *launch,
                            const struct module_function *kernel, struct diagnostics *diagnostics) {
    for (size_t i = 0; i < launch->argument_count; i++) {
        const char *argument = launch->arguments[i];
        size_t length = strcspn(argument, "=");
        if (module_parameter_index(kernel, argument, length) < kernel->parameter_count)
            continue;
        diag_error_path(diagnostics, path, "'--arg %s': kernel '%s' has no parameter '%.*s'",
                        escaped(arena, argument), kernel->demangled, (int)length, argument);
        const char *names = "";
        for (size_t k = 0; k < kernel->parameter_count; k++) {
            const struct module_parameter *parameter = &kernel->parameters[k];
            names = arena_format(arena, "%s%s%zu or '%s'", names, k ? ", " : "", k,
                                 parameter->source_name ? parameter->source_name : parameter->name);
        }
        diag_hint(diagnostics, "it has %s", *names ? names : "none");
        return false;
    }
    return true;
}

// Gives the parameters the names that they have in a .cu file, where its text shows them.
static void name_parameters(struct arena *arena, const char *path,
                            const struct module_function *kernel) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    const struct source *text = source_read(arena, path, &ignored);
    const char *name = module_bare_name(arena, kernel), *colons;
    while ((colons = strstr(name, "::")) != NULL)
        name = colons + 2;
    const char *const *names =
        text ? cuda_parameter_names(arena, text->text, name, kernel->parameter_count) : NULL;
    for (size_t i = 0; names && i < kernel->parameter_count; i++)
        kernel->parameters[i].source_name = names[i];
}

// Writes the manifest into a new file; false after an error.
static bool save(struct arena *arena, const struct launch_options *launch, const char *kernel,
                 const char *text, size_t size, struct diagnostics *diagnostics) {
    struct written_file file;
    const char *path = launch->saved ? launch->saved : arena_format(arena, "%s.litmus", kernel);
    const char *error = replace_begin(arena, &file, path, true);
    if (!error) {
        fwrite(text, 1, size, file.out); // what is not written is an error of the end
        error = replace_commit(arena, &file);
        if (error == REPLACE_EXISTS)
            replace_abandon(&file);
    }
    if (error)
        diag_error_path(diagnostics, path, "cannot save the launch: %s", error);
    return error == NULL;
}

// What the words of a launch say of how its kernel was compiled: "; compiled for sm_90".
static const char *how_compiled(struct arena *arena, const struct compiled_file *compiled) {
    const char *target = compiled ? compiled->architecture : NULL;
    const char *project =
        compiled && compiled->has_project ? " with flags of compile_commands.json" : "";
    if (!target)
        return *project ? arena_format(arena, "; compiled%s", project) : "";
    return arena_format(arena, "; compiled for sm_%s%s%s", target,
                        compiled->is_needed ? ", which it needs" : "", project);
}

// The module with a launch of a kernel of it that is derived.
static const struct source *derive(struct arena *arena, const struct launch_options *launch,
                                   const char *path, bool *unsaved, const struct source *source,
                                   struct diagnostics *diagnostics, const char **launched) {
    struct module *module = module_read_declarations(arena, source, diagnostics);
    const struct module_function *kernel =
        module ? find_kernel(arena, path, module, launch->kernel, diagnostics) : NULL;
    if (kernel && path_is_cuda(path))
        name_parameters(arena, path, kernel);
    if (!kernel || !check_arguments(arena, path, launch, kernel, diagnostics))
        return NULL;
    module_find_parts(arena, module, &module->functions[kernel - module->functions]);
    char *text;
    size_t size;
    FILE *out = text_open(&text, &size);
    *launched = print_module_launch(out, arena, module, kernel, launch);
    text_close(out);
    *launched =
        arena_format(arena, "%s%s", *launched, how_compiled(arena, compiled_of(launch, path)));
    struct source *with = arena_copy(arena, source, 1, sizeof *source);
    with->shares_sidecar = false;
    with->sidecar = source_from_text(arena, arena_format(arena, "launch of %s", path), text, size);
    bool fine = !unsaved || !launch->is_saved || save(arena, launch, path, text, size, diagnostics);
    free(text);
    if (!fine)
        *unsaved = true;
    return fine ? with : NULL;
}

const struct source *kernel_source(struct arena *arena, const struct options *options,
                                   const char *path, bool *unsaved, struct diagnostics *diagnostics,
                                   const char **launched) {
    const struct source *source = kernel_module(arena, options, path, diagnostics);
    bool is_compiled = compiled_of(&options->launch, path) != NULL;
    if (source && is_compiled)
        source = with_manifest(arena, path, source, diagnostics);
    if (!source || (!is_compiled && !module_recognise(source)))
        return source;
    if (!source->sidecar && !is_marked(source))
        return derive(arena, &options->launch, path, unsaved, source, diagnostics, launched);
    if (launching_is_given(&options->launch)) {
        diag_error_path(diagnostics, path,
                        "a manifest says how it is launched: '%s'; options may not change that",
                        source->sidecar ? source->sidecar->path : path);
        diag_hint(diagnostics, "edit the manifest, or check a copy of the kernel without it");
        return NULL;
    }
    return source;
}

struct test *kernel_test(struct arena *arena, const struct options *options, const char *path,
                         const struct derived_launch *derived) {
    struct options with = *options;
    struct diagnostics ignored;
    struct test_list tests = {0};
    const char *launched = NULL;
    diagnostics_init(&ignored, arena);
    with.launch.derived = *derived;
    const struct source *source = kernel_source(arena, &with, path, NULL, &ignored, &launched);
    bool fine = source && test_read_all(arena, source, with.check.syntax, &ignored, &tests);
    if (!fine || tests.count != 1)
        return NULL;
    test_ask_nothing(arena, tests.items[0]);
    if (launched)
        tests.items[0]->description = launched;
    return tests.items[0];
}
