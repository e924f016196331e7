// The command line's options: parsed, never printed.
#ifndef PTXLITMUS_CLI_OPTIONS_OPTIONS_H
#define PTXLITMUS_CLI_OPTIONS_OPTIONS_H

#include "check/explaining.h"
#include "check/options.h"
#include "cli/options/derived.h"
#include "repair/faults.h"

#include <stdbool.h>

struct arena;

enum output_format {
#define FORMAT(id, ...) FORMAT_##id,
#include "cli/print/formats.def"
#undef FORMAT
    FORMAT_RECORD, // as processes hand results on: not one of --format
    FORMAT_NOTICE, // as the language server shows them: neither
};

enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

// What `explain` explains.
struct explain_options {
    bool asked; // the command is `explain`
    struct explain_question question;
    bool is_body;       // print only what shows the outcome
    bool is_drawn;      // as a picture: --format svg
    const char **shown; // of --show: relations that pictures show, too
    size_t shown_count;
};

// Which of the commands that change a test.
enum changing {
    CHANGING_NONE,
    CHANGING_REPAIR,
    CHANGING_RELAX,
    CHANGING_RELAX_OUTCOMES, // relax --keep-outcomes
};

// What commands do that change a test.
struct changing_options {
    enum changing what;
    bool all;                 // --all: not only the cheapest
    bool any;                 // --any: not even the cheapest
    unsigned max_cost;        // UINT_MAX: any
    const char *costs;        // path; NULL: the weights of the program
    const char *write;        // path for the text of the cheapest change; NULL: none
    struct fault_goal faults; // what is to go in place of the outcome that is asked about
};

// What is printed of results, and how.
struct print_options {
    enum output_format format; // the log by default, text when several models are compared
    bool format_is_given;      // by --format, or because several models are compared
    enum colour_choice colour;
    bool colour_out, colour_err; // what is printed on stdout and stderr has colours:
                                 // terminal_settle says so
    bool quiet;
    bool stats;
    bool executions; // `check` shows one for each race
    bool no_fix;     // and looks for no fix
    bool is_sarif;   // `check` reports for code scanning; processes hand on records
    bool is_advice;  // an editor: that a launch cannot be tried is not a mistake in the text
};

// What a suite prints.
enum suite_format {
    SUITE_TEXT,
    SUITE_JSON,
    SUITE_JUNIT,
    SUITE_TAP,
    SUITE_GITHUB,
    SUITE_SARIF,
};

// A further report of a suite, into a file.
struct suite_report {
    enum suite_format format;
    const char *path;
};

// What `suite` does, besides running tests.
struct suite_options {
    bool asked; // the command is `suite`
    enum suite_format format;
    struct suite_report *reports; // of --report
    size_t report_count;
    const char **filters; // only tests that one of these names; none: all
    size_t filter_count;
    bool fail_fast;       // stop after the first test that did not pass
    bool update;          // rewrite expectations that failed
    bool lists;           // print the names of the tests, and run none
    const char *results;  // read from this file instead of running tests; NULL: run them
    const char *module;   // of --module: this input is a module; NULL: none is named so
    const char *manifest; // of --manifest: how that module is launched, in lines of this file
};

// What `compare` compares.
struct compare_options {
    bool asked; // the command is `compare`
    bool is_json;
    bool no_new;         // the second may have fewer outcomes
    const char **map[2]; // of --map: names of the first and of the second that correspond
    size_t map_count;
    const char *test; // only the tests of this name; NULL: all
};

// What `lower` lowers tests by, and whether it compares what they may do before and after.
struct lower_options {
    bool asked; // the command is `lower`
    bool checks;
    bool lists;          // --list-tables
    const char **tables; // names or paths
    size_t table_count;
};

enum { GENERATE_MOST_MAX = 20000 };

// What `generate` makes tests of, and where they go.
struct generate_options {
    const char *edges;     // words, or a file of them; NULL: the inputs are cycles
    size_t size;           // edges of a cycle, at most
    const char *placement; // how near threads are: words with commas between them, or "all"
    const char *access;    // how accesses are written: words with commas between them
    const char *axiom;     // only cycles that it forbids; NULL: all
    bool mutants;          // also the nearest tests that are allowed
    bool expects;          // each test expects its verdict
    size_t most;           // tests, at most
    const char *folder;    // for a file of each; NULL: the standard output
    bool overwrites;       // files that are there
};

// What `harness` writes, and for which GPU.
struct harness_options {
    const char *folder;    // that it writes
    const char *target;    // "sm_90a"
    unsigned architecture; // 90
    bool is_specific;      // of sm_90a: with what it alone has
    bool overwrites;       // a folder that it wrote before
};

// How `check` finds faults: by running the test once where one run says what all executions do,
// else by searching all executions; by one of the two alone; or by both, which have to agree.
enum check_method { METHOD_RUN_FIRST, METHOD_RUN, METHOD_SEARCH, METHOD_BOTH };

// What the compiler made of a .cu file.
struct compiled_file {
    const char *path;         // of the .cu file
    const char *architecture; // "90a", that it was compiled for; NULL: what flags say
    bool is_needed;           // for nothing older has what it uses
    const char **flags;       // that its project has for it
    size_t flag_count;
    bool has_project; // that has something to say of how it is compiled
    const char *ptx;
    size_t ptx_size;
};

enum { KERNELS_MAX = 2 }; // that a command takes at once

// How a kernel is launched whose module says nothing of it, and what it is compiled with. Texts are
// NULL where the command line says nothing.
struct launch_options {
    const char *kernel;
    const char *grid, *block, *cluster; // "2" or "2,1,1"
    const char *threads;                // those of each block that are modelled: "0,1"
    struct derived_launch derived;      // where neither an option nor the kernel says it
    const char **arguments;             // "NAME=VALUE"
    size_t argument_count;
    const char *asked;    // of --ask: a condition; NULL: none
    bool is_saved;        // --save,
    const char *saved;    // into this file; NULL: next to the kernel
    const char *compiler; // --compiler
    const char **flags;   // for it
    size_t flag_count;
    struct compiled_file compiled[KERNELS_MAX]; // inputs that are .cu files
    size_t compiled_count;
};

struct cli_command;

struct options {
    const struct cli_command *command; // which it is; `run` without a word for one
    const struct cli_command *helped;  // on OPTIONS_HELP: whose help is asked for; NULL: of all
    const char *old_name, *new_name;   // of an option that was given by an old name; or NULL
    struct generate_options generate;
    struct harness_options harness;
    struct lower_options lower;
    struct changing_options change;
    struct compare_options compare;
    struct suite_options suite;
    struct print_options print;
    struct check_options check; // of each test
    size_t jobs;                // how many tests run at once; 0: as many as there are processors
    size_t shard,
        shard_count;      // of the inputs, every `shard_count`-th from the `shard`-th on; 0: all
    const char *emit_ptx; // path, "-" for the standard output; NULL: run the tests
    struct explain_options explain;
    const char *report_folder; // of `report`, for its pages
    struct launch_options launch;
    enum check_method method;
    bool sidecar;        // `inspect` prints a manifest to fill in
    const char **inputs; // files, folders and "-", as the user gave them
    size_t input_count;
};

enum options_action {
#define ACTION(id, ...) OPTIONS_##id,
#include "cli/options/actions.def"
    OPTIONS_BAD, // `error` says what is wrong
};

// Parses the command line into `options`, whose strings point into argv or the arena. Returns what
// to do; on OPTIONS_BAD, `*error` is a message of one or more lines without a final newline, owned
// by the arena. Options may follow files; argv is permuted as getopt does.
enum options_action options_parse(struct arena *arena, int argc, char **argv,
                                  struct options *options, const char **error);

// Returns the options of a command line that is not parsed yet, as far as they matter to reading
// the lists of files in it: limits. What is wrong is not said here.
struct options options_glance(int argc, char *const *argv);

// Returns why the options allow one test only, since they write one file: "'--dump-smt2' writes the
// query of one test", which lives for ever. NULL without such an option.
const char *options_writes_one(const struct options *options);

// Whether a suite reports in a format, on the standard output or into a file.
bool options_suite_reports(const struct suite_options *suite, enum suite_format format);

// Returns the options of a run in the order of the help, and sets *count. They live for ever.
const struct option_text *const *options_texts(size_t *count);

// Returns the help of an option of a run in this build, which lives for ever: a build may lack an
// engine.
const char *options_help(const struct option_text *option);

#endif
