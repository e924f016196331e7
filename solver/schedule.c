// Promises of forward progress, as schedules.

#include "solver/schedule.h"

#include <string.h>

static const char *const progress_names[PROGRESS_COUNT] = {
    [PROGRESS_OFF] = "off",   [PROGRESS_CUDA] = "cuda",     [PROGRESS_FAIR] = "fair",
    [PROGRESS_HSA] = "hsa",   [PROGRESS_OBE] = "obe",       [PROGRESS_HSA_OBE] = "hsa_obe",
    [PROGRESS_LOBE] = "lobe", [PROGRESS_UNFAIR] = "unfair", [PROGRESS_LEVELS] = "by level",
};

static const enum schedule_rule rules[PROGRESS_COUNT] = {
    [PROGRESS_FAIR] = RULE_FAIR, [PROGRESS_HSA] = RULE_HSA,         [PROGRESS_OBE] = RULE_OBE,
    [PROGRESS_LOBE] = RULE_LOBE, [PROGRESS_HSA_OBE] = RULE_HSA_OBE, [PROGRESS_UNFAIR] = RULE_UNFAIR,
};

// CUDA C++ (execution model): once a thread makes progress, all threads of its cluster do, and in a
// cooperative launch all of the grid.
static struct schedule cuda(bool cooperative) {
    struct schedule schedule = {.serves_hosts = true};
    if (!cooperative)
        schedule.rules[LEVEL_CLUSTER] = RULE_OBE;
    return schedule;
}

struct schedule schedule_of(enum promise progress, bool cooperative) {
    return rules[progress] == RULE_NONE
               ? cuda(cooperative)
               : (struct schedule){.rules = {[LEVEL_THREAD] = rules[progress]}};
}

const char *progress_name(enum promise progress) {
    return progress_names[progress];
}

const char *schedule_level_name(enum schedule_level level) {
    static const char *const names[LEVEL_COUNT] = {"thread", "warp", "cta", "cluster", "grid"};
    return names[level];
}

static bool is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static enum promise find_name(const char *text, size_t length) {
    for (int i = PROGRESS_CUDA; i < PROGRESS_LEVELS; i++)
        if (is_word(text, length, progress_names[i]))
            return (enum promise)i;
    return PROGRESS_OFF;
}

// level = ("thread" | "warp" | "cta" | "cluster") "=" rule
static bool parse_level(const char *text, size_t length, struct schedule *schedule) {
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : 0;
    for (int i = 0; equals && i < LEVEL_GRID; i++) {
        if (!is_word(text, name_length, schedule_level_name((enum schedule_level)i)))
            continue;
        enum schedule_rule rule = rules[find_name(equals + 1, length - name_length - 1)];
        bool is_new = schedule->rules[i] == RULE_NONE;
        schedule->rules[i] = rule;
        return is_new && rule != RULE_NONE;
    }
    return false;
}

enum promise progress_parse(const char *text, struct schedule *schedule) {
    enum promise progress = find_name(text, strlen(text));
    if (progress != PROGRESS_OFF)
        return progress;
    *schedule = (struct schedule){.serves_hosts = true};
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (!parse_level(at, length, schedule))
            return PROGRESS_OFF;
        at += length;
        if (*at == '\0')
            return PROGRESS_LEVELS;
    }
}
