// Promises of forward progress, as schedules.

#include "litmus/schedule.h"

#include "litmus/source/arena.h"

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

enum promise progress_find(const char *text, size_t length) {
    for (int i = PROGRESS_CUDA; i < PROGRESS_LEVELS; i++)
        if (is_word(text, length, progress_names[i]))
            return (enum promise)i;
    return PROGRESS_OFF;
}

enum schedule_rule schedule_find_rule(const char *text, size_t length) {
    return rules[progress_find(text, length)];
}

enum schedule_level schedule_find_level(const char *text, size_t length) {
    for (int i = 0; i < LEVEL_GRID; i++)
        if (is_word(text, length, schedule_level_name((enum schedule_level)i)))
            return (enum schedule_level)i;
    return LEVEL_GRID;
}

// level = ("thread" | "warp" | "cta" | "cluster") "=" rule
static bool parse_level(const char *text, size_t length, struct schedule *schedule) {
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : 0;
    enum schedule_level level = schedule_find_level(text, name_length);
    if (level == LEVEL_GRID || schedule->rules[level] != RULE_NONE)
        return false;
    schedule->rules[level] = schedule_find_rule(equals + 1, length - name_length - 1);
    return schedule->rules[level] != RULE_NONE;
}

enum promise progress_parse(const char *text, struct schedule *schedule) {
    enum promise progress = progress_find(text, strlen(text));
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

static const char *rule_name(enum schedule_rule rule) {
    for (int i = PROGRESS_CUDA; i < PROGRESS_LEVELS; i++)
        if (rules[i] == rule)
            return progress_names[i];
    return "";
}

const char *progress_text(struct arena *arena, enum promise progress,
                          const struct schedule *schedule) {
    const char *text = "";
    if (progress != PROGRESS_LEVELS)
        return progress_name(progress);
    for (int i = LEVEL_GRID - 1; i >= 0; i--)
        if (schedule->rules[i] != RULE_NONE)
            text = arena_format(arena, "%s%s%s=%s", text, *text ? "," : "",
                                schedule_level_name((enum schedule_level)i),
                                rule_name(schedule->rules[i]));
    return text;
}
