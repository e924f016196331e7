// What a check of a test depends on, and how that is said by name: the options that the program and
// the library share.
#ifndef PTXLITMUS_CHECK_OPTIONS_H
#define PTXLITMUS_CHECK_OPTIONS_H

#include "check/setting.h"
#include "litmus/readers/reader.h"
#include "program/program.h"
#include "solver/solver.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;

// How a rule is read that the ISA leaves open (docs/readings.md): as usual, with a flag where the
// other reading decides otherwise; as usual; or in the other reading.
enum reading { READING_BOTH, READING_USUAL, READING_OTHER };

// How each of these rules is read; each option names its two readings in this order.
struct reading_choices {
    enum reading proxy_fences;         // where they count: local, path
    enum reading relaxed_waits;        // what they show: nothing, copies
    enum reading async_proxies;        // one per CTA, or one for all: cta, one
    enum reading async_place;          // the CTA of a copy to another one: issuer, destination
    enum reading st_async;             // its completion from PTX 9.3 on: relaxed, release
    enum reading tearing;              // what may be torn: bytes, none
    enum reading mbarrier_observation; // what a wait acquires from: phase, chain
    enum reading grid_waits;           // what they order: generic, proxies
    enum reading multimem;             // the address of an access: alias, variable
};

struct check_options {
    const char **models; // names or paths; several are compared. None: what each
                         // target names, or the default
    size_t model_count;
    const char **include_folders; // from which a model may include texts, besides its own folder
    size_t include_count;
    const char **targets; // names; several are compared
    size_t target_count;
    const char *cpp_model; // of tests in C++, with `both_languages`; NULL: the default
    bool both_languages;   // a model for each: tests in C++ are compared with tests in PTX
    unsigned ptx_version;  // 78 for 7.8; 0: each test tells, or the newest
    struct reading_choices readings;
    enum reader_syntax syntax;
    struct program_options program;
    struct solver_options solver;
    bool asks_clean; // whether the test is free of races, hangs and undefined uses, not whether
                     // its condition holds
    bool hex;        // values are shown in hexadecimal
};

// Returns the options of a check of which nothing is said.
struct check_options check_options_default(void);

// The options that can be set by name.
enum check_option_id {
#define OPTION(id, ...) CHECK_OPTION_##id,
#include "check/options.def"
#undef OPTION
    CHECK_OPTION_COUNT
};

// What they are called, in the order of check/options.def.
extern const struct option_text check_option_texts[CHECK_OPTION_COUNT];

// Sets one option by its name without dashes. `value` is NULL for an option that takes none, and is
// borrowed. Returns NULL, or a message, owned by the arena, that says what is wrong; then `options`
// must not be used.
const char *check_option_set(struct arena *arena, struct check_options *options, const char *name,
                             const char *value);

#endif
