// Prints what `inspect` shows of a module for people, and manifests of it.
#ifndef PTXLITMUS_CLI_PRINT_MODULE_H
#define PTXLITMUS_CLI_PRINT_MODULE_H

#include "check/print/module.h"
#include "cli/options/options.h"
#include "litmus/readers/module/module.h"

#include <stdio.h>

// With `only`, of the functions that one alone; NULL: all.
void print_module_text(FILE *out, struct arena *arena, const struct module *module,
                       const struct module_function *only);

// A manifest that launches each kernel, or `only` that one, with one thread, to be filled in.
void print_module_sidecar(FILE *out, struct arena *arena, const struct module *module,
                          const struct module_function *only);

// What a derived launch gives a pointer, and dynamic shared memory, of which no more is accessed.
enum { DERIVED_BYTES = 4096, DERIVED_DYNAMIC_BYTES = 1024 };

// The workspace of a grid of cooperative groups, in a derived launch.
#define DERIVED_WORKSPACE "grid_workspace"

// Whether the dynamic shared memory has a variable's name.
bool module_is_dynamic(const struct module *module, const char *name);

// Prints the dynamic shared memory of a module's kernels in a manifest, of so many bytes. Returns
// whether there is any.
bool print_module_dynamic(FILE *out, const struct module *module, uint64_t bytes);

// Prints a manifest that launches a kernel as the options say, and where they say nothing as is
// derived: the block that the kernel requires or allows, else 64 threads; two blocks, or clusters,
// or one where blocks would all do the same; 4 KiB of zeros for each pointer, in structs, too, or
// as much as has been measured; 3 for an integer, and zero for what else there is. The kernel's
// parts are found (module_find_parts). Returns the launch in words, with what was derived, owned by
// the arena.
const char *print_module_launch(FILE *out, struct arena *arena, const struct module *module,
                                const struct module_function *kernel,
                                const struct launch_options *options);

// Returns the number of the parameter that `length` bytes name: its number, or its name in the
// source or in the module. SIZE_MAX: there is none.
size_t module_parameter_index(const struct module_function *kernel, const char *name,
                              size_t length);

#endif
