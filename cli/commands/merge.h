// Joins the JSON results of a run that was spread over several with --shard.
#ifndef PTXLITMUS_CLI_COMMANDS_MERGE_H
#define PTXLITMUS_CLI_COMMANDS_MERGE_H

#include "check/report/exit_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct input_list;
struct options;

// What a shard says about itself on the last line of its results.
struct shard {
    size_t number, count;    // I and N of --shard I/N
    size_t inputs;           // files of all shards together
    uint64_t list;           // a hash of their paths, in their order
    size_t not_run;          // files of this shard that an interrupt left out
    bool is_complete;        // every file of the shard that was run has a line
    enum exit_status status; // of the run
    bool is_suite;           // the run was one of `suite`
};

// Leaves of a list of inputs those of the shard of the options, and returns what is known about it.
// Where the options have none, nothing changes, and its count is 0.
struct shard shard_take(const struct options *options, struct input_list *inputs);

// Prints the last line of a shard's results.
void print_shard(FILE *out, const struct shard *shard);

// Reads the results of every shard of one run from files ("-": the standard input), in any order,
// and prints them as the whole run would have: in the order of its inputs, without what --shard
// added. Shards that are missing, occur twice or belong to different runs are errors, after which
// no results are printed. Messages go to `err`. Returns the status of the whole run.
enum exit_status merge_files(const char *const *paths, size_t count, FILE *err);

#endif
