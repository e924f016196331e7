// What flags mean, in sentences; the only place that knows the names of the models' flags.
#include "check/report/flags.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/model.h"

#include <string.h>

// A flag of a model that leaves the program undefined, for the reason that it says.
#define UNDEFINED(name, why)                                                                       \
    { name, why ": the program is undefined", why }

// What flags say: ours, and those of the models that ship.
static const struct sentence {
    const char *name, *meaning;
    const char *undefines; // of those that leave the program undefined
} sentences[] = {
    {"data-race", "two accesses conflict, and neither synchronisation nor strength orders them",
     NULL},
    {"mixed-size-race",
     "two racing accesses overlap in part: the model leaves the program undefined",
     "racing accesses overlap in part"},
    UNDEFINED("barrier-misuse", "a barrier is used in a way that PTX does not define"),
    UNDEFINED("async-undefined", "memory is accessed while an asynchronous operation uses it"),
    UNDEFINED("readonly-written",
              "memory is written that a kernel reads through the read-only proxy"),
    UNDEFINED("exited-cta", "shared or tensor memory of a CTA is accessed that may have exited"),
    UNDEFINED("async-unwaited",
              "a CTA may end while an asynchronous operation of its own uses its shared memory"),
    UNDEFINED("mbarrier-misuse", "an mbarrier is used in a way that PTX does not define"),
    UNDEFINED("cancel-misuse", "a launch is to be cancelled after a CTA has observed that this "
                               "failed, or a failed answer is asked for a CTA"),
    {"wgmma-misuse",
     "registers of a product of matrices are used without a wgmma.fence, or before a wait for the "
     "product: the program is undefined",
     "registers of a product of matrices are used without a wgmma.fence, or before a wait for it"},
    UNDEFINED("tensor-misuse",
              "tensor memory is allocated, accessed or deallocated as PTX does not define"),
#define FLAG(id, name, meaning) {name, meaning, NULL},
#include "solver/flags.def"
#undef FLAG
};

static const struct sentence *sentence_of(const char *name) {
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        if (strcmp(sentences[i].name, name) == 0)
            return &sentences[i];
    return NULL;
}

const char *flag_meaning(const char *name) {
    const struct sentence *sentence = sentence_of(name);
    return sentence ? sentence->meaning : "the model flags some execution so";
}

const char *flag_undefines(struct arena *arena, const char *name) {
    const struct sentence *sentence = sentence_of(name);
    return sentence && sentence->undefines
               ? sentence->undefines
               : arena_format(arena, "the model flags some execution as %s", name);
}

static bool ends_with(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

// "incomplete" and "simulated" mean other things in the log, and "-unknown" or "-possible" after
// the name of a flag says that it is not known.
static bool is_taken(const char *name) {
    return strcmp(name, "incomplete") == 0 || strcmp(name, "simulated") == 0 ||
           ends_with(name, "-unknown") || ends_with(name, "-possible");
}

bool flags_check_names(const struct model *model, struct diagnostics *diagnostics) {
    bool good = true;
    for (size_t i = 0; i < model->axiom_count; i++) {
        const struct model_axiom *axiom = &model->axioms[i];
        if (axiom->use == AXIOM_FLAG && is_taken(axiom->name)) {
            diag_error(diagnostics, axiom->span, "a flag cannot be named '%s'", axiom->name);
            diag_hint(diagnostics, "in a log, 'Flag %s' has another meaning", axiom->name);
            good = false;
        }
    }
    return good;
}

struct shown_flags flags_shown(struct arena *arena, const struct outcomes *outcomes) {
    struct shown_flags shown = {.items =
                                    ARENA_ARRAY(arena, struct shown_flag, outcomes->flag_count)};
    for (size_t i = 0; i < outcomes->flag_count; i++) {
        const struct flag *flag = &outcomes->flags[i];
        size_t k = 0;
        while (k < shown.count && strcmp(shown.items[k].name, flag_name(flag)) != 0)
            k++;
        if (flag->holds == TRUTH_NO)
            continue;
        if (k == shown.count) {
            shown.items[shown.count++] =
                (struct shown_flag){flag_name(flag), flag->holds, flag->possible};
        } else if (flag->holds == TRUTH_YES) {
            shown.items[k].possible =
                flag->possible && (shown.items[k].possible || shown.items[k].holds != TRUTH_YES);
            shown.items[k].holds = TRUTH_YES;
        }
    }
    return shown;
}
