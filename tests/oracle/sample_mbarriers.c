// Random tests of mbarriers: arrivals of all forms, waits by parity and by state, some for a type
// of phases and for reports, initialisation in the test or before it in either layout, several
// phases, two objects, several CTAs of a cluster, misuse.
#include "tests/oracle/sample.h"

#include <string.h>

// M is an arrival at `m` and N at `n`, T and U are waits there by parity, after which the thread
// may exit where they return 0; K is an arrival that keeps its state, H a wait for it; E and J are
// an arrival that expects a transaction, and the transaction; O is mbarrier.init, V
// mbarrier.inval, Y any operation; other letters as in sample_barriers.c.
static const char *const shapes[] = {
    "Wx M|T Rx",
    "Wx M|M T Rx",
    "Wx M|Wy M|T Rx Ry",
    "Wx K H Ry|Wy K H Rx",
    "Wx M|T M Wy|U Ry Rx",
    "Wx M U Wx M|T Rx N T Rx",
    "Wx M|T N|U Rx",
    "Rx M|T Wx",
    "T N|U M",
    "T Wx N|U Ry M",
    "Wx E J|T Rx",
    "Wx E|J|T Rx",
    "E Wx J|T Rx",
    "O B Wx M|B T Rx",
    "O Wx M|T Rx",
    "O F B Wx M|B T Rx",
    "O C G Wx M|C G T Rx",
    "O Z C G|C G M T",
    "O Z C G Wx M|C G T Rx",
    "O Z Ly|Qy M",
    "M M Wx|T Rx",
    "Wx M M|T T Rx",
    "Wx P|M T M T Rx",
    "M V Wx|T Rx",
    "O M V O T",
    "Wx Y|Y Rx Y",
    "Wx Y Y|Y T Rx",
    "K H Y|Y Rx",
    "Wx F M|T F Rx",
    "Wx M F|T Rx F",
    "Wx N|U M|T Rx",
    "Wx M|M|T Rx",
    "K M H|T Rx",
};

// Where the object of another CTA is, if the threads are of several.
static const char *home_of(struct sample *sample, struct sample_thread *thread, char object,
                           char *address, size_t size) {
    unsigned home = sample->thread[sample->thread_count - 1].cta;
    snprintf(address, size, "%c", object);
    if (thread->cta == home || !thread->has_cluster)
        return NULL;
    unsigned number = thread->next_register++;
    sample_line(thread, "mapa.shared::cluster.u32 %%a%u, %c, %u", number, object, home);
    snprintf(address, size, "%%a%u", number);
    return ".shared::cluster";
}

// ".release.cta", or nothing.
static void semantics(const struct sample *sample, char *text, size_t size, const char *stronger,
                      struct random *random) {
    bool apart = sample->thread[0].cta != sample->thread[sample->thread_count - 1].cta;
    bool cluster = random_chance(random, apart ? 80 : 15);
    text[0] = '\0';
    if (random_chance(random, cluster ? 100 : 60))
        snprintf(text, size, ".%s.%s", random_chance(random, 75) ? stronger : "relaxed",
                 cluster ? "cluster" : "cta");
}

static void arrival(struct sample *sample, struct sample_thread *thread, char object,
                    const char *operation, const char *count, struct random *random) {
    char order[24], address[16];
    semantics(sample, order, sizeof order, "release", random);
    const char *space = home_of(sample, thread, object, address, sizeof address);
    sample_line(thread, "mbarrier.%s%s%s.b64 _, [%s]%s", operation, order,
                space ? space : ".shared", address, count);
}

static char *new_register(struct sample_thread *thread) {
    char *name = thread->loaded[thread->loaded_count++];
    snprintf(name, sizeof thread->loaded[0], "%%r%u", thread->next_register++);
    sample_first_line(thread, "mov.b32 %s, 2", name);
    return name;
}

// A type of phases for a wait, by parity or not, with the predicate of its report where it has one.
static const char *phase_type(bool parity, struct random *random, bool *reports) {
    *reports = random_chance(random, 12);
    if (*reports || random_chance(random, 8))
        return ".phase_type::primary";
    return parity && random_chance(random, 10) ? ".phase_type::conditional" : "";
}

// `asked` is a parity or a register with a state.
static void wait_for(struct sample *sample, struct sample_thread *thread, char object,
                     const char *asked, bool parity, struct random *random) {
    char order[24];
    if (thread->loaded_count == SAMPLE_LOADS)
        return;
    unsigned number = thread->next_register++;
    semantics(sample, order, sizeof order, "acquire", random);
    bool reports;
    const char *phases = phase_type(parity, random, &reports);
    char report[16] = "";
    if (reports)
        snprintf(report, sizeof report, "|%%v%u", number);
    sample_line(thread, "mbarrier.%s%s%s%s.shared.b64 %%w%u%s, [%c], %s",
                random_chance(random, 50) ? "test_wait" : "try_wait", parity ? ".parity" : "",
                phases, order, number, report, object, asked);
    sample_line(thread, "selp.b32 %s, 1, 0, %%w%u", new_register(thread), number);
    if (!random_chance(random, 60))
        return;
    sample_line(thread, "@!%%w%u exit", number);
    if (reports && thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "selp.b32 %s, 1, 0, %%v%u", new_register(thread), number);
}

static void look(struct sample_thread *thread, struct random *random) {
    if (thread->loaded_count == SAMPLE_LOADS)
        return;
    unsigned number = thread->next_register++;
    sample_line(thread, "mbarrier.check_layout.layout::v%u.shared::cta.b64 %%w%u, [m]",
                random_below(random, 2), number);
    sample_line(thread, "selp.b32 %s, 1, 0, %%w%u", new_register(thread), number);
}

static void any_operation(struct sample *sample, struct sample_thread *thread,
                          struct random *random) {
    switch (random_below(random, 7)) {
    case 0: arrival(sample, thread, 'm', "arrive", ", 2", random); break;
    case 1: arrival(sample, thread, 'm', "arrive_drop", "", random); break;
    case 2: sample_line(thread, "mbarrier.arrive.noComplete.shared.b64 _, [m], 1"); break;
    case 3: sample_line(thread, "mbarrier.expect_tx.shared.b64 [m], 8"); break;
    case 5: look(thread, random); break;
    case 4: sample_line(thread, "mbarrier.complete_tx.shared.b64 [m], 8"); break;
    default: arrival(sample, thread, 'm', "arrive", "", random); break;
    }
}

static void keep_state(struct sample_thread *thread) {
    sample_first_line(thread, "mov.b64 %%t, 0");
    sample_line(thread, "mbarrier.arrive.shared.b64 %%t, [m]");
}

static void special(struct sample *sample, struct sample_thread *thread, char letter, int location,
                    const struct sample_mood *mood, struct random *random) {
    const char *parity = random_chance(random, thread->open_count == 0 ? 80 : 50) ? "0" : "1";
    sample->barriers.arrivals += strchr("MNTUKHEJPY", letter) != NULL && random_chance(random, 60);
    switch (letter) {
    case 'M': arrival(sample, thread, 'm', "arrive", "", random); break;
    case 'N': arrival(sample, thread, 'n', "arrive", "", random); break;
    case 'P': arrival(sample, thread, 'm', "arrive_drop", "", random); break;
    case 'E': arrival(sample, thread, 'm', "arrive.expect_tx", ", 16", random); break;
    case 'J': sample_line(thread, "mbarrier.complete_tx.shared.b64 [m], 16"); break;
    case 'T': wait_for(sample, thread, 'm', parity, true, random); break;
    case 'U': wait_for(sample, thread, 'n', parity, true, random); break;
    case 'K': keep_state(thread); break;
    case 'H': wait_for(sample, thread, 'm', "%t", false, random); break;
    case 'O':
        sample_line(thread, "mbarrier.init%s.shared.b64 [m], %u",
                    random_chance(random, 25) ? ".layout::v1" : "", sample->barriers.count);
        break;
    case 'V': sample_line(thread, "mbarrier.inval.shared.b64 [m]"); break;
    case 'Z': sample_line(thread, "fence.mbarrier_init.release.cluster"); break;
    case 'Y': any_operation(sample, thread, random); break;
    default: sample_barrier(sample, thread, letter, location, mood, random); break;
    }
}

// How many arrivals the first thread's letters ask for, more or less.
static unsigned count_for(const char *shape, struct random *random) {
    unsigned arrivals = 0;
    for (const char *at = shape; *at; at++)
        arrivals += strchr("MKEP", *at) != NULL;
    bool phases = strstr(shape, "T M") || strstr(shape, "M T M") || strstr(shape, "M U");
    if (phases || arrivals == 0 || random_chance(random, 20))
        return 1 + random_below(random, 2);
    return arrivals;
}

void sample_mbarriers(struct sample *sample, const struct sample_mood *mood,
                      struct random *random) {
    const char *shape = shapes[random_below(random, sizeof shapes / sizeof shapes[0])];
    unsigned count = count_for(shape, random);
    sample->initialised = true;
    sample->location_count = 2;
    sample->thread_count = sample_shape_threads(shape);
    sample_place(sample,
                 strchr(shape, 'C') && random_chance(random, 60) ? 1
                 : random_chance(random, 75)                     ? 0
                                                                 : 1,
                 false, random);
    for (unsigned t = 0; t < sample->thread_count; t++)
        sample->thread[t].has_cluster = true;
    if (strchr(shape, 'O') && random_chance(random, 95))
        snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
                 ".shared .b64 m = 0");
    else
        snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
                 "mbarrier m = %u", count);
    snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
             "mbarrier n = 1");
    snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
             ".global .%s x = 0", sample->type[0]);
    sample->barriers.counted = true;
    sample->barriers.count = strchr(shape, 'B') ? sample->thread_count : count;
    sample_shape(sample, shape, mood, special, random);
}
