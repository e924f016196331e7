// Random tests of branches: accesses that only some paths make, exits, loops.
#include "tests/oracle/sample.h"

#include <string.h>

// '(' '/' ')' are a branch on what was read, its other side and its end; X leaves the thread on a
// condition, S spins on a location, K and k begin and end a loop; G is a store under a guard, g an
// instruction under a guard that changes no memory, C stores what was read last. Other letters as
// in sample.c.
static const char *const shapes[] = {
    "Wx Ly|Qy ( Rx )",
    "Wx Ly|Sy Rx",
    "Rx ( Wy )|Ry ( Wx )",
    "Rx ( Wy / Wy )|Ry Wx",
    "Wx F wy|ry ( F Rx / Rx )",
    "Rx X Wy|Ry X Wx",
    "Wx Ly|Qy ( Lz / Wx )|Qz Rx",
    "Wx Wy|Ry X F Rx",
    "Wx Wy|Ry ( F ) Rx",
    "Ax ( Wy )|Ax ( Wy )",
    "Wx|Rx ( Ly )|Qy Rx",
    "Wx F Ry ( Wz )|Wy F Rx ( Wz )",
    "Wx Ly|Sy Lz|Sz Rx",
    "Sx Wy|Ry Wx",
    "Rx K Wy k|Wx Ry",
    "Wx Ly|K Qy k Rx",
    "Sx Ry Wy Lx|Sx Wy Lx",
    "Rx ( Ry ( Wz ) )|Wx Wy|Rz",
    "Rx ( Dy / X ) Wz|Wx Ry",
    "Wx Ly|Qy ( Rx / F Rx )|Wx",
    "Rx ( Wx )|Rx ( Wx )",
    "Rx ( Ly / Wy ) |Qy ( Wx )",
    "Wx Ly|Sy ( Rx )",
    "Ax X Wy Lx|Ax X Ry Lx",
    "Rx Rz ( g ) Gy|Ry Cx",
    "Rx Rz ( g ) Gy|Ry Cx",
    "Rz Rx ( g ) g Wy|Ry Cx",
    "Rx Ry ( Gz / g ) Gz|Rz Cx",
    "Rx g Gy|Ry ( g ) Gx",
};

static const char *new_label(struct sample_thread *thread, char *label, size_t size) {
    snprintf(label, size, "L%u", thread->next_label++ % 100);
    return label;
}

// Perhaps joined with an earlier one. A thread that has not read yet reads first.
void sample_predicate(struct sample *sample, struct sample_thread *thread, char *predicate,
                      size_t size, const struct sample_mood *mood, struct random *random) {
    static const char *const compares[] = {"eq", "ne", "lt", "gt", "ge", "le"};
    static const char *const joins[] = {"and", "or", "xor"};
    if (thread->loaded_count == 0)
        sample_access(sample, thread, SAMPLE_READ, 1, mood, random);
    const char *source = sample_loaded(thread, random);
    const char *compare = compares[random_below(random, random_chance(random, 70) ? 2 : 6)];
    const char *type = random_chance(random, 80) ? "u32" : "s32";
    unsigned limit = random_chance(random, 90) ? random_below(random, 2) : 2;
    snprintf(predicate, size, "%%p%u", thread->next_register++ % 100);
    if (thread->predicate[0] && random_chance(random, 25))
        sample_line(thread, "setp.%s.%s.%s %s, %s, %u, %s%s", compare,
                    joins[random_below(random, 3)], type, predicate, source, limit,
                    random_chance(random, 30) ? "!" : "", thread->predicate);
    else if (random_chance(random, 10))
        sample_line(thread, "setp.%s.%s %s|%%q%u, %s, %u", compare, type, predicate,
                    thread->next_register++ % 100, source, limit);
    else
        sample_line(thread, "setp.%s.%s %s, %s, %u", compare, type, predicate, source, limit);
    if (thread->open_count == 0)
        memcpy(thread->predicate, predicate, sizeof thread->predicate);
}

static const char *random_sign(struct random *random) {
    return random_chance(random, 40) ? "!" : "";
}

static void begin_branch(struct sample *sample, struct sample_thread *thread,
                         const struct sample_mood *mood, struct random *random) {
    char predicate[8];
    sample_predicate(sample, thread, predicate, sizeof predicate, mood, random);
    struct sample_block *block = &thread->open[thread->open_count++];
    new_label(thread, block->label, sizeof block->label);
    sample_line(thread, "@%s%s bra %s", random_sign(random), predicate, block->label);
}

static void other_side(struct sample_thread *thread) {
    struct sample_block *block = &thread->open[thread->open_count - 1];
    char begin[8];
    memcpy(begin, block->label, sizeof begin);
    sample_line(thread, "bra.uni %s", new_label(thread, block->label, sizeof block->label));
    sample_label(thread, begin);
}

static void leave(struct sample *sample, struct sample_thread *thread,
                  const struct sample_mood *mood, struct random *random) {
    char predicate[8];
    sample_predicate(sample, thread, predicate, sizeof predicate, mood, random);
    sample_line(thread, "@%s%s %s", random_sign(random), predicate,
                random_chance(random, 70) ? "exit" : "ret");
}

// A loop that goes on until a read returns something: another value than 0, or one value.
static void spin(struct sample *sample, struct sample_thread *thread, unsigned location,
                 const struct sample_mood *mood, struct random *random) {
    char label[8], predicate[8];
    struct sample_mood strong = *mood;
    strong.strong = random_chance(random, 85) ? 100 : 0;
    strong.release = random_chance(random, 60) ? 100 : 0;
    strong.atomic = random_chance(random, 20) ? 100 : 0;
    strong.depend = 0;
    if (location >= sample->location_count)
        sample->location_count = location + 1;
    sample->repeats *= 2;
    sample_label(thread, new_label(thread, label, sizeof label));
    sample_access(sample, thread, SAMPLE_READ, location, &strong, random);
    if (random_chance(random, 15))
        sample_fence(sample, thread, mood, random);
    snprintf(predicate, sizeof predicate, "%%p%u", thread->next_register++ % 100);
    bool any = random_chance(random, 70);
    sample_line(thread, "setp.%s.u32 %s, %s, %u", any ? "eq" : "ne", predicate,
                thread->loaded[thread->loaded_count - 1], any ? 0 : 1);
    sample_line(thread, "@%s bra %s", predicate, label);
    sample->repeats /= 2;
}

// A loop that counts, to a number or to what was read.
static void begin_loop(struct sample *sample, struct sample_thread *thread, struct random *random) {
    struct sample_block *block = &thread->open[thread->open_count++];
    snprintf(block->counter, sizeof block->counter, "%%c%u", thread->next_register++);
    if (thread->loaded_count > 0 && random_chance(random, 70))
        snprintf(block->limit, sizeof block->limit, "%s", sample_loaded(thread, random));
    else
        snprintf(block->limit, sizeof block->limit, "%u", 1 + random_below(random, 3));
    sample_line(thread, "mov.u32 %s, 0", block->counter);
    sample_label(thread, new_label(thread, block->label, sizeof block->label));
    sample->repeats *= 3;
}

static void end_loop(struct sample *sample, struct sample_thread *thread) {
    const struct sample_block *block = &thread->open[--thread->open_count];
    unsigned predicate = thread->next_register++;
    sample_line(thread, "add.u32 %s, %s, 1", block->counter, block->counter);
    sample_line(thread, "setp.lt.u32 %%p%u, %s, %s", predicate, block->counter, block->limit);
    sample_line(thread, "@%%p%u bra %s", predicate, block->label);
    sample->repeats /= 3;
}

// An instruction under a guard that asks for what was read, perhaps once more.
static void guarded(struct sample *sample, struct sample_thread *thread, int location,
                    const struct sample_mood *mood, struct random *random) {
    char predicate[8], order[24];
    sample_predicate(sample, thread, predicate, sizeof predicate, mood, random);
    const char *sign = random_sign(random);
    if (location < 0) {
        sample_line(thread, "@%s%s mov.u32 %%g%u, 1", sign, predicate, thread->next_register++);
        return;
    }
    sample_order(order, sizeof order, "release", mood, random);
    sample->writes[location] += sample->repeats;
    sample_line(thread, "@%s%s st%s.global.u32 [%c], 1", sign, predicate, order, "xyz"[location]);
}

static void copy(struct sample *sample, struct sample_thread *thread, unsigned location,
                 const struct sample_mood *mood, struct random *random) {
    char order[24];
    sample_order(order, sizeof order, "release", mood, random);
    sample->writes[location] += sample->repeats;
    sample_line(thread, "st%s.global.u32 [%c], %s", order, "xyz"[location],
                thread -> loaded[thread->loaded_count - 1]);
}

void sample_branch(struct sample *sample, struct sample_thread *thread, char letter, int location,
                   const struct sample_mood *mood, struct random *random) {
    switch (letter) {
    case '(': begin_branch(sample, thread, mood, random); break;
    case '/': other_side(thread); break;
    case ')': sample_label(thread, thread->open[--thread->open_count].label); break;
    case 'X': leave(sample, thread, mood, random); break;
    case 'S': spin(sample, thread, (unsigned)location, mood, random); break;
    case 'K': begin_loop(sample, thread, random); break;
    case 'k': end_loop(sample, thread); break;
    case 'G':
    case 'g': guarded(sample, thread, location, mood, random); break;
    case 'C': copy(sample, thread, (unsigned)location, mood, random); break;
    default: break;
    }
}

static void random_accesses(char *shape, unsigned count, struct random *random) {
    static const char *const parts[] = {"Rx", "Ry", "Wx", "Wy", "Ly", "Qy",
                                        "F",  "Rz", "Wz", "Ax", "Dy", "X"};
    for (unsigned i = 0; i < count; i++)
        strcat(shape, parts[random_below(random, sizeof parts / sizeof parts[0])]);
}

// Two or three threads of anything, with a branch each.
static void random_shape(char *shape, struct random *random) {
    unsigned threads = 2 + random_below(random, 2);
    shape[0] = '\0';
    for (unsigned t = 0; t < threads; t++) {
        strcat(shape, t ? "|" : "");
        random_accesses(shape, 1 + random_below(random, 2), random);
        bool has_branch = random_chance(random, 80), has_other = random_chance(random, 40);
        strcat(shape, has_branch ? "(" : "");
        random_accesses(shape, 1, random);
        strcat(shape, has_branch && has_other ? "/" : "");
        random_accesses(shape, has_other, random);
        strcat(shape, has_branch ? ")" : "");
        random_accesses(shape, random_below(random, 2), random);
    }
}

void sample_branches(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    char shape[80];
    sample->initialised = true;
    if (random_chance(random, 35))
        random_shape(shape, random);
    else
        snprintf(shape, sizeof shape, "%s",
                 shapes[random_below(random, sizeof shapes / sizeof shapes[0])]);
    if (sample->location_count < 2)
        sample->location_count = 2; // what a thread reads that has read nothing
    sample_shape(sample, shape, mood, sample_branch, random);
}
