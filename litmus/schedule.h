// What a schedule promises to threads: which of them go on (memory-model section 12).
#ifndef PTXLITMUS_LITMUS_SCHEDULE_H
#define PTXLITMUS_LITMUS_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

// Groups of threads, from the smallest on. A grid is all threads.
enum schedule_level { LEVEL_THREAD, LEVEL_WARP, LEVEL_CTA, LEVEL_CLUSTER, LEVEL_GRID, LEVEL_COUNT };

// Which of the groups that are chosen from are served again and again, as long as they have threads
// that have not come to their end (Sorensen et al., OOPSLA 2021).
enum schedule_rule {
    RULE_NONE,    // no rule of its own: all of them
    RULE_FAIR,    // all of them
    RULE_HSA,     // the lowest
    RULE_OBE,     // those that have begun
    RULE_HSA_OBE, // both
    RULE_LOBE,    // those that have begun, and all below
    RULE_UNFAIR,  // none
};

struct schedule {
    enum schedule_rule rules[LEVEL_COUNT]; // of groups that are in one group of the next level
                                           // above that has a rule; none for LEVEL_GRID
    bool serves_hosts;                     // threads of the host are always served
};

// A promise of forward progress by name; PROGRESS_OFF: it is not asked whether the test ends.
enum promise {
    PROGRESS_OFF,
    PROGRESS_CUDA, // what CUDA C++ promises
    PROGRESS_FAIR,
    PROGRESS_HSA,
    PROGRESS_HSA_OBE,
    PROGRESS_OBE,
    PROGRESS_LOBE,
    PROGRESS_UNFAIR,
    PROGRESS_LEVELS, // rules by level
    PROGRESS_COUNT,
};

// The schedule of a promise by name, not PROGRESS_LEVELS. `cooperative`: all CTAs of the grid run
// at once.
struct schedule schedule_of(enum promise progress, bool cooperative);

// Returns a name as --progress takes it: "cuda", "fair", ...
const char *progress_name(enum promise progress);
// Returns a name as --progress takes it: "thread", "warp", ...
const char *schedule_level_name(enum schedule_level level);

// Returns the promise of this name; PROGRESS_OFF when there is none.
enum promise progress_find(const char *text, size_t length);
// Returns the rule of this name, RULE_NONE when there is none: "cuda" is not the name of a rule.
enum schedule_rule schedule_find_rule(const char *text, size_t length);
// Returns the level of this name that can have a rule; LEVEL_GRID when there is none.
enum schedule_level schedule_find_level(const char *text, size_t length);

// Reads a name, or rules by level: "cluster=obe,thread=fair". Returns PROGRESS_OFF for what is
// neither; `schedule` is set for PROGRESS_LEVELS.
enum promise progress_parse(const char *text, struct schedule *schedule);

// Returns a promise as --progress takes it, the rules from the highest level on; the arena owns it.
const char *progress_text(struct arena *arena, enum promise progress,
                          const struct schedule *schedule);

#endif
