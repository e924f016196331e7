// Reads the targets. The texts are our own and built in, so an error in one is a bug.
#include "model/targets/targets.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/builtin.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static char *copy(struct arena *arena, const char *text) {
    return arena_strndup(arena, text, strlen(text));
}

static void read_further(struct arena *arena, struct target *target, const json_t *simulated) {
    size_t index;
    json_t *value;
    json_array_foreach(simulated, index, value) {
        if (!json_is_string(value))
            bug("%s.json: 'simulated' is a list of names", target->ptx.name);
        ARENA_APPEND(arena, target->further, target->further_count,
                     copy(arena, json_string_value(value)));
    }
}

// "8.6": 86.
static unsigned read_version(const struct target *target, const char *text) {
    bool good = strlen(text) == 3 && strspn(text, "0123456789.") == 3 && text[1] == '.';
    unsigned version = good ? (unsigned)((text[0] - '0') * 10 + (text[2] - '0')) : 0;
    if (!ptx_is_version(version))
        bug("%s.json: there is no PTX ISA %s", target->ptx.name, text);
    return version;
}

static struct target read_target(struct arena *arena, const struct builtin_model *text) {
    json_error_t error;
    json_t *root = json_loads(text->text, JSON_REJECT_DUPLICATES, &error);
    struct target target = {.ptx = {.name = text->name}};
    const char *name, *title, *ptx, *model;
    int architecture, specific = 0, family = 0, ctas;
    json_t *simulated = NULL;
    if (!root)
        bug("%s.json:%d: %s", text->name, error.line, error.text);
    if (json_unpack_ex(root, &error, JSON_STRICT,
                       "{s:s, s:s, s:i, s?b, s?b, s:s, s:{s:i}, s:s, s?o}", "name", &name, "title",
                       &title, "architecture", &architecture, "specific", &specific, "family",
                       &family, "ptx", &ptx, "limits", "ctas-in-cluster", &ctas, "model", &model,
                       "simulated", &simulated) != 0)
        bug("%s.json: %s", text->name, error.text);
    target.title = copy(arena, title);
    target.model = copy(arena, model);
    target.ptx.architecture = (unsigned)architecture;
    target.ptx.specific = specific;
    target.ptx.family = family;
    target.ptx.ptx = read_version(&target, ptx);
    target.ptx.cluster_ctas = (unsigned)ctas;
    read_further(arena, &target, simulated);
    target.ptx.simulated = target_is_simulated(&target);
    if (strcmp(name, text->name) != 0 || architecture < PTX_FIRST_SM || ctas < 1)
        bug("%s.json contradicts itself", text->name);
    json_decref(root);
    return target;
}

const struct target *targets_load(struct arena *arena, size_t *count) {
    struct target *all = NULL;
    size_t total = 0;
    for (const struct builtin_model *text = builtin_targets; text->name; text++)
        ARENA_APPEND(arena, all, total, read_target(arena, text));
    struct target *targets = ARENA_ARRAY(arena, struct target, total);
    *count = 0;
    for (int simulated = 0; simulated <= 1; simulated++)
        for (size_t i = 0; i < total; i++)
            if (target_is_simulated(&all[i]) == (bool)simulated)
                targets[(*count)++] = all[i];
    return targets;
}

const struct target *targets_find(const struct target *targets, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(targets[i].ptx.name, name) == 0)
            return &targets[i];
    return NULL;
}
