// The kernel that a command is given: a .cu file, which is compiled, or a module that no manifest
// is of.
#ifndef PTXLITMUS_CLI_COMMANDS_KERNEL_H
#define PTXLITMUS_CLI_COMMANDS_KERNEL_H

#include "cli/options/options.h"

struct arena;
struct diagnostics;
struct source;
struct test;

// Compiles the inputs that are .cu files, but for a command that compiles them one by one. Returns
// false after an error: `*error`, owned by the arena, is why the command takes none; NULL:
// messages, such as those of the compiler, are printed.
bool kernel_take(struct arena *arena, struct options *options, const char **error);

// Whether an input is a kernel of which kernel_source knows more than its file says.
bool kernel_is_input(const struct options *options, const char *path);

// Returns the module of an input: what a .cu file was compiled to, or the text of another file.
// The arena owns it. NULL after errors in `diagnostics`.
const struct source *kernel_module(struct arena *arena, const struct options *options,
                                   const char *path, struct diagnostics *diagnostics);

// Returns the module of an input, with its manifest. Where there is none, one is derived:
// `*launched` is that launch in words, owned by the arena, else NULL. Where `unsaved` is not NULL,
// it is written if the options ask for it, and `*unsaved` set if it cannot be. NULL after errors in
// `diagnostics`.
const struct source *kernel_source(struct arena *arena, const struct options *options,
                                   const char *path, bool *unsaved, struct diagnostics *diagnostics,
                                   const char **launched);

// Returns the test of a launch of an input that is derived as `derived` says, of which nothing is
// asked, with the launch in words as its description; the arena owns it. NULL where it cannot be
// read.
struct test *kernel_test(struct arena *arena, const struct options *options, const char *path,
                         const struct derived_launch *derived);

// Compiles a .cu file that is one of many tests, sets `*compiled` to what comes of it, and returns
// its module with its manifest; the arena owns it. NULL after errors in `diagnostics`, such as that
// it has no manifest; what the compiler says is printed.
const struct source *kernel_listed(struct arena *arena, const struct options *options,
                                   const char *path, struct diagnostics *diagnostics,
                                   struct compiled_file *compiled);

// Compiles a text that takes the place of a .cu file, with the compiler and the flags of the
// launch, and makes what comes of it the only compiled file of the launch. False where the compiler
// does not take it; nothing is printed. The arena owns the module.
bool kernel_compile_text(struct arena *arena, struct launch_options *launch, const char *path,
                         const char *text);

#endif
