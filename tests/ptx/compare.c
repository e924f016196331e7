// usage: compare_ptxas [SEED [COUNT]]
// Makes statements, asks both judges, prints where they differ for no known reason, and how many
// were compared. Exit status: 0 no such difference, 1 some, 77 no ptxas on this machine.
#include "tests/ptx/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where we differ from ptxas on purpose: statements whose text, or our message, or ptxas's error
// contains the words.
static const struct {
    const char *text, *message, *error;
    const char *reason;
} known[] = {
    {"membar.proxy", "", "State space", "the ISA's notes list it beside fence.proxy.async"},
    {"membar.proxy", "", "'.async'", "the ISA's notes list it beside fence.proxy.async"},
    {"fence.proxy", "", ".proxykind", "the proxies of ISCA'22 are ours"},
    {"fence.proxy", "", "Unknown modifier", "the proxies of ISCA'22 are ours"},
    {".volatile", "", "'.local' space", "PTX ISA 9.1, which this ptxas does not know"},
    {"bar", "", "multiple of warp size", "a thread of a litmus test stands for a warp"},
    {"barrier", "", "multiple of warp size", "a thread of a litmus test stands for a warp"},
    {"st.", "", "function input parameter", "parameters are modelled as the thread's own"},
    {".volatile", "takes no L2 eviction priority", "", "the ISA's syntax of .volatile has none"},
    {".wt", "takes no L2 eviction priority", "", "the ISA's syntax has no '.cop' beside it"},
    {".wb", "takes no L2 eviction priority", "", "the ISA's syntax has no '.cop' beside it"},
    {".c", "takes no L2 eviction priority", "", "the ISA's syntax has no '.cop' beside it"},
    {"", "is given twice", "", "ptxas does not mind where it is a flag"},
    {"lop3", "the table of 'lop3'", "", "ptxas cuts constants without a word"},
    {"fence.proxy.", "takes no restriction", "", "the ISA's syntax has none"},
    {"fence.proxy.", "takes only .async::generic", "", "the ISA's syntax has no restriction"},
    {"fence.proxy.", "takes no state space", "", "the ISA's syntax has none"},
    {"st.", "", "(ptxas failed)", "ptxas crashes on some st.param"},
    {"atom", "", "(ptxas failed)", "ptxas crashes on constants of 128 bits"},
    {"{-1", "of a vector", "", "ptxas checks vectors with constants less"},
    {"{7", "of a vector", "", "ptxas checks vectors with constants less"},
    {"{5", "of a vector", "", "ptxas checks vectors with constants less"},
    {"{0f", "of a vector", "", "ptxas checks vectors with constants less"},
    {", 5}", "of a vector", "", "ptxas checks vectors with constants less"},
    {"{", "'5' is an integer", "", "ptxas checks vectors with constants less"},
    {"{", "or wider", "", "ptxas checks vectors with constants less"},
    {"{", "takes no special register", "", "ptxas checks elements of vectors less"},
    {"{%", "must be a register, not '%", "", "ptxas checks elements of vectors less"},
    {"mov", "' has 32 bits, and", "", "ptxas checks elements of vectors less"},
    {"mov", "' is a predicate, and", "", "ptxas checks elements of vectors less"},
    {"atom", "takes 3 operands, d, [a], b: here are 4", "", "a policy needs .L2::cache_hint"},
    {"mov", "", "Incompatible elements", "beside a special register, which has no type for us"},
    {"mapa", "needs '.shared::cluster'", "", "generic addresses have 64 bits"},
    {"getctarank", "needs '.shared::cluster'", "", "generic addresses have 64 bits"},
    {"mapa", "takes .u64 or .u32", "", "the ISA has .u32 and .u64 alone"},
    {"mapa", "takes only .u64", "", "the ISA has .u32 and .u64 alone"},
    {"getctarank", "takes .u64 or .u32", "", "the ISA has .u32 and .u64 alone"},
    {"mov", "'V216' has .x and .y", "", "ptxas overlooks elements of 16 bits that are not there"},
    {"mov", "", "must be register or constant", "beside a special register of a vector"},
    {"bmsk", "", "Arguments mismatch", "its type is .b32, which every type of 32 bits agrees with"},
    {"createpolicy", "", "Arguments mismatch", "the ISA lets any type of 64 bits be .b64"},
    {".lu", "takes no L2 eviction priority", "", "the ISA's syntax has no '.cop' beside it"},
    {"{%fd", "", "elements of different types", "beside a constant, which has no type for us"},
    {"", "a predicate is 0 or 1", "", "ptxas takes any number for true"},
    {".pred", "not take .pred", "", "ptxas overlooks a .pred beside another type"},
    {".pred", "but not .pred", "", "ptxas overlooks a .pred beside another type"},
    {".v8", "but not .v8", "", "the ISA has .v8 of 32-bit types alone, in global memory"},
    {".v8", "'.v8' takes", "", "the ISA has .v8 of 32-bit types alone"},
    {"", "does not fit", "", "ptxas cuts constants without a word"},
};

static const char *known_reason(const struct statement_case *one) {
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strstr(one->text, known[i].text) && strstr(one->message, known[i].message) &&
            strstr(one->error, known[i].error))
            return known[i].reason;
    return NULL;
}

static bool differs(const struct statement_case *one) {
    return one->ours != VERDICT_OUTSIDE && one->ours != one->ptxas;
}

int main(int count, char **arguments) {
    uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    size_t random_count = count > 2 ? strtoull(arguments[2], NULL, 10) : 1000;
    struct arena *arena = arena_new();
    struct case_list list = {.arena = arena};
    const char *ptxas = find_ptxas(arena);
    if (!ptxas) {
        puts("skipped: there is no ptxas on this machine");
        arena_free(arena);
        return 77;
    }
    generate_all_forms(&list);
    generate_random(&list, seed, random_count);
    judge_ourselves(&list);
    if (!judge_by_ptxas(&list, ptxas)) {
        puts("ptxas could not be run");
        return 1;
    }
    size_t accepted = 0, refused = 0, expected = 0, different = 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct statement_case *one = &list.items[i];
        accepted += one->ptxas == VERDICT_ACCEPTED;
        refused += one->ptxas == VERDICT_REFUSED;
        if (!differs(one))
            continue;
        if (known_reason(one)) {
            expected++;
            continue;
        }
        different++;
        printf("%s\n  ours:  %s\n  ptxas: %s\n", one->text, one->message[0] ? one->message : "ok",
               one->error[0] ? one->error : "ok");
    }
    printf("%zu statements, of which ptxas accepts %zu and refuses %zu; %zu known differences, %zu "
           "others\n",
           list.count, accepted, refused, expected, different);
    arena_free(arena);
    return different != 0;
}
