// The calling thread's handlers of failures jump back to where the work began.
#include "api/breakdown.h"

#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <locale.h>
#include <setjmp.h>
#include <stdio.h>

struct protected_work {
    struct breakdown *breakdown;
    jmp_buf begun;
};

static _Thread_local struct protected_work *in_work; // of this thread; NULL for none

static void on_no_memory(void) {
    in_work->breakdown->kind = BREAKDOWN_MEMORY;
    longjmp(in_work->begun, 1);
}

static void on_bug(const char *text) {
    in_work->breakdown->kind = BREAKDOWN_BUG;
    snprintf(in_work->breakdown->text, sizeof in_work->breakdown->text, "%s", text);
    longjmp(in_work->begun, 1);
}

static void run_protected(struct protected_work *protected, void (*work)(void *context),
                          void *context) {
    in_work = protected;
    out_of_memory_handler no_memory_before = out_of_memory_calls(on_no_memory);
    bug_handler bug_before = bug_calls(on_bug);
    if (setjmp(protected->begun) == 0)
        work(context);
    else
        texts_abandon();
    out_of_memory_calls(no_memory_before);
    bug_calls(bug_before);
    in_work = NULL;
}

bool protect(struct breakdown *breakdown, void (*work)(void *context), void *context) {
    struct protected_work protected = {.breakdown = breakdown};
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *breakdown = (struct breakdown){.kind = plain ? BREAKDOWN_NONE : BREAKDOWN_MEMORY};
    if (plain) {
        locale_t before = uselocale(plain);
        run_protected(&protected, work, context);
        uselocale(before);
        freelocale(plain);
    }
    return breakdown->kind == BREAKDOWN_NONE;
}
