// usage: compare_ptxas [--all | --of NAMES] [SEED [COUNT]]
// Makes statements, asks both judges, prints where they differ for no known reason, and how many
// were compared. COUNT random statements are of the instructions that access memory or order
// accesses, a quarter as many of any; those of all forms are added, for one target and version, or
// with --all for every target and for every version. With --of all COUNT statements are of these
// instructions, "mbarrier,cp.async", over all targets and versions that have them. `--reasons`
// lists the known reasons instead. Exit status: 0 no such difference, 1 some, 77 no ptxas on this
// machine.
#include "tests/ptx/compare.h"

#include "litmus/ptx/instructions.h"
#include "model/targets/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *message, *error;
    const char *reason;
} known[] = {
#define DIFFERS(text, message, error, reason) {text, message, error, reason},
#include "tests/ptx/differences.def"
#undef DIFFERS
};
enum { KNOWN_COUNT = sizeof(known) / sizeof(known[0]) };

// The index of a known difference, or KNOWN_COUNT.
static size_t find_known(const struct statement_case *one) {
    size_t i = 0;
    while (i < KNOWN_COUNT &&
           !(strstr(one->text, known[i].text) && strstr(one->message, known[i].message) &&
             strstr(one->error, known[i].error)))
        i++;
    return i;
}

static bool differs(const struct statement_case *one) {
    return one->ours != VERDICT_OUTSIDE && one->ours != one->ptxas;
}

// --- Settings ----------------------------------------------------------------------------------

// The targets that both know, and the newest version of PTX that this ptxas reads.
struct common {
    const struct ptx_target **targets;
    size_t target_count;
    unsigned newest;
};

static struct common find_common(struct arena *arena, const char *ptxas) {
    struct common common = {0};
    size_t count;
    const struct target *all = targets_load(arena, &count);
    common.targets = ARENA_ARRAY(arena, const struct ptx_target *, count);
    for (size_t i = 0; i < count; i++)
        if (!target_is_simulated(&all[i]) && ptxas_knows_target(ptxas, all[i].ptx.name))
            common.targets[common.target_count++] = &all[i].ptx;
    if (common.target_count == 0)
        return common;
    const struct ptx_target *oldest = common.targets[0];
    for (common.newest = PTX_NEWEST; common.newest > PTX_OLDEST; common.newest--)
        if (ptx_is_version(common.newest) &&
            ptxas_takes(arena, ptxas, (struct setting){oldest, common.newest}))
            break;
    return common;
}

// One of the versions that have the target; the newest as often as all others.
static unsigned random_version(struct random *random, const struct common *common,
                               const struct ptx_target *target) {
    unsigned span = common->newest - target->ptx + 1, version;
    if (random_below(random, 2))
        return common->newest;
    do
        version = target->ptx + (unsigned)random_below(random, span);
    while (!ptx_is_version(version));
    return version;
}

// Statements of one setting follow each other, so that ptxas reads them as one module.
static void generate_over_settings(struct case_list *list, const struct common *common,
                                   uint64_t seed, size_t count) {
    enum { TOGETHER = 40 };
    struct random random = {seed};
    for (size_t made = 0, i = 0; made < count; made += TOGETHER, i++) {
        const struct ptx_target *target = common->targets[i % common->target_count];
        struct setting setting = {target, random_version(&random, common, target)};
        generate_random(list, &random, setting, SET_MEMORY, NULL, TOGETHER);
        generate_random(list, &random, setting, SET_ALL, NULL, TOGETHER / 4);
    }
}

static const struct ptx_target *newest_of(const struct common *common, unsigned version) {
    const struct ptx_target *best = NULL;
    for (size_t i = 0; i < common->target_count; i++)
        if (common->targets[i]->ptx <= version &&
            (!best || common->targets[i]->architecture >= best->architecture))
            best = common->targets[i];
    return best;
}

static void generate_forms(struct case_list *list, const struct common *common, bool everywhere) {
    generate_all_forms(list, (struct setting){newest_of(common, common->newest), common->newest});
    if (!everywhere)
        return;
    for (size_t i = 0; i < common->target_count; i++)
        generate_all_forms(list, (struct setting){common->targets[i], common->newest});
    for (unsigned version = PTX_OLDEST; version < common->newest; version++)
        if (ptx_is_version(version) && newest_of(common, version))
            generate_all_forms(list, (struct setting){newest_of(common, version), version});
}

// --- Results -----------------------------------------------------------------------------------

static void print_difference(const struct statement_case *one) {
    printf("%s  (%s, PTX %u.%u)\n  ours:  %s\n  ptxas: %s\n", one->text, one->setting.target->name,
           one->setting.version / 10, one->setting.version % 10,
           one->message[0] ? one->message : "ok", one->error[0] ? one->error : "ok");
}

// Each known reason with how often it was met, and the shortest statement that met it.
static void print_known(const size_t *times, const struct statement_case *const *shortest) {
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        if (times[i])
            printf("%7zu  %s: %s  (ours: %s)\n", times[i], known[i].reason, shortest[i]->text,
                   shortest[i]->message[0] ? shortest[i]->message : "ok");
}

// Returns how many differences have no known reason.
static size_t print_results(const struct case_list *list) {
    size_t verdicts[3] = {0}, times[KNOWN_COUNT + 1] = {0}, memory = 0, expected = 0;
    const struct statement_case *shortest[KNOWN_COUNT + 1] = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct statement_case *one = &list->items[i];
        verdicts[one->ptxas]++;
        memory += statement_is_memory(one->text);
        if (!differs(one))
            continue;
        size_t reason = find_known(one);
        if (times[reason]++ == 0 || strlen(one->text) < strlen(shortest[reason]->text))
            shortest[reason] = one;
        expected += reason < KNOWN_COUNT;
        if (reason == KNOWN_COUNT)
            print_difference(one);
    }
    print_known(times, shortest);
    printf("%zu statements, %zu of them on memory, of which ptxas accepts %zu and refuses %zu; %zu "
           "known differences, %zu others\n",
           list->count, memory, verdicts[VERDICT_ACCEPTED], verdicts[VERDICT_REFUSED], expected,
           times[KNOWN_COUNT]);
    return times[KNOWN_COUNT];
}

// Whether some form of these instructions is there for a setting.
static bool has_forms_of(const char *names, struct setting setting) {
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++)
        if (!forms[i].outside && statement_is_of(forms[i].name, names) &&
            forms[i].ptx <= setting.version && ptx_offers(setting.target, forms[i].sm))
            return true;
    return false;
}

// Random statements of some instructions. Settings that have none of them are tried, too, but less.
static void generate_of(struct case_list *list, const struct common *common, const char *names,
                        uint64_t seed, size_t count) {
    enum { TOGETHER = 40, OTHERWISE = 2 };
    struct random random = {seed};
    for (size_t made = 0, i = 0; made < count; i++) {
        const struct ptx_target *target = common->targets[i % common->target_count];
        struct setting setting = {target, random_version(&random, common, target)};
        size_t more = has_forms_of(names, setting) ? TOGETHER : OTHERWISE;
        generate_random(list, &random, setting, SET_ALL, names, more);
        made += more;
    }
}

static bool names_forms(const char *names) {
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++)
        if (!forms[i].outside && statement_is_of(forms[i].name, names))
            return true;
    return false;
}

static int compare(struct arena *arena, bool everywhere, const char *names, uint64_t seed,
                   size_t count) {
    const char *ptxas = find_ptxas(arena);
    if (!ptxas) {
        puts("skipped: there is no ptxas on this machine");
        return 77;
    }
    struct case_list list = {.arena = arena};
    struct common common = find_common(arena, ptxas);
    if (common.target_count == 0) {
        puts("ptxas could not be run, or knows no target of ours");
        return 1;
    }
    if (names) {
        generate_of(&list, &common, names, seed, count);
    } else {
        generate_forms(&list, &common, everywhere);
        generate_over_settings(&list, &common, seed, count);
    }
    judge_ourselves(&list);
    if (!judge_by_ptxas(&list, ptxas)) {
        puts("ptxas could not be run");
        return 1;
    }
    printf("%zu targets, up to PTX %u.%u\n", common.target_count, common.newest / 10,
           common.newest % 10);
    return print_results(&list) != 0;
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "--reasons") == 0) {
        for (size_t i = 0; i < KNOWN_COUNT; i++)
            puts(known[i].reason);
        return 0;
    }
    bool everywhere = count > 1 && strcmp(arguments[1], "--all") == 0;
    const char *names = count > 2 && strcmp(arguments[1], "--of") == 0 ? arguments[2] : NULL;
    int first = names ? 3 : everywhere ? 2 : 1;
    if (names && !names_forms(names)) {
        printf("no form of '%s' is read\n", names);
        return 1;
    }
    uint64_t seed = count > first ? strtoull(arguments[first], NULL, 10) : 1;
    size_t random_count = count > first + 1 ? strtoull(arguments[first + 1], NULL, 10) : 1000;
    struct arena *arena = arena_new();
    int status = compare(arena, everywhere, names, seed, random_count);
    arena_free(arena);
    return status;
}
