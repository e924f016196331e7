// Random tests of mixed sizes: accesses of one to four units, and vectors, in an array of bytes.
#include "tests/oracle/sample.h"

#include <string.h>

// V and U write and read a part of `x`; other letters as in sample.c and
// sample_barriers.c.
static const char *const shapes[] = {
    "Vx|Ux",
    "Vx Ux",
    "Vx Vx|Ux",
    "Vx|Ux Ux",
    "Vx Ly|Qy Ux",
    "Vx Vx Ly|Qy Ux",
    "Vx|Vx|Ux",
    "Vx|Vx Ux",
    "Vx Ly|Qy Ux Ux",
    "Vx F wy|ry F Ux",
    "Vx Ly|Qy Vx",
    "Vx Ly|Qy Vx Ux",
    "Vx Ux|Vx Ux",
    "Vx Ly|Vx|Qy Ux",
    "Ux Wy|Ry Vx",
    "Ux Ly|Qy Vx",
    "Vx F Ry|Wy F Ux",
    "Vx F Ry|Wy F Vx",
    "Vx Ly|Qy Lz|Qz Ux",
    "Vx Vx|Ux Ux",
    "Vx Ly|Qy Vx Lz|Qz Ux",
    "Vx Qy Vx|Ux Ly",
    "Vx B|B Ux",
    "Vx B Vx|B Ux",
    "Vx B|Vx B Ux",
    "Vx B Ux|B Vx",
    "Vx N|B Ux",
};

// A part of the array: elements of a vector one after the other.
struct part {
    unsigned offset, size; // of the first element, in units
    unsigned vector;       // elements
};

enum { UNITS = 4 };

static struct part random_part(struct random *random) {
    static const struct part parts[] = {
        {0, 1, 1}, {1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {0, 2, 1}, {0, 2, 1}, {2, 2, 1}, {2, 2, 1},
        {0, 4, 1}, {0, 4, 1}, {0, 4, 1}, {0, 1, 2}, {2, 1, 2}, {0, 2, 2}, {0, 2, 2}, {0, 1, 4},
    };
    return parts[random_below(random, sizeof parts / sizeof parts[0])];
}

// The first byte of each unit is the store's number, or one more in the store's upper half; seldom
// the last byte is so too. A byte that varies can be read apart from the others (torn accesses),
// and each doubles what there is to try.
static void value_text(const struct sample *sample, unsigned bytes, char *text, size_t size,
                       struct random *random) {
    uint64_t value = 0;
    unsigned other = random_chance(random, 20) ? bytes / 2 : bytes, unit = sample->sizes.unit;
    bool has_last = random_chance(random, 10);
    for (unsigned i = 0; i < bytes; i++)
        if (i % unit == 0 || (has_last && i % unit == unit - 1))
            value |= (uint64_t)(sample->sizes.stores + (i >= other)) << 8 * i;
    snprintf(text, size, "0x%llx", (unsigned long long)value);
}

static void count_part(struct sample *sample, struct part part, bool is_write) {
    unsigned *counts = is_write ? sample->sizes.writes : sample->sizes.reads;
    for (unsigned i = 0; i < part.size * part.vector; i++)
        counts[part.offset + i]++;
    if (is_write)
        sample->writes[0]++;
}

static const char *new_register(struct sample_thread *thread) {
    char *name = thread->seen[thread->seen_count++];
    snprintf(name, sizeof thread->seen[0], "%%s%u", thread->next_register++);
    return name;
}

// "[x+4]", or a register that holds that address or the next one, as a read value says.
static void address_text(struct sample *sample, struct sample_thread *thread, struct part *part,
                         char *text, size_t size, struct random *random) {
    unsigned unit = sample->sizes.unit, offset = part->offset * unit;
    const char *base = sample->sizes.has_alias && random_chance(random, 40) ? "xg" : "x";
    if (thread->loaded_count == 0 || part->offset + 2 * part->size > UNITS || part->vector > 1 ||
        !random_chance(random, 25)) {
        snprintf(text, size, offset ? "%s+%u" : "%s", base, offset);
        return;
    }
    unsigned index = thread->next_register++;
    sample_line(thread, "and.b32 %%i%u, %s, 1", index, sample_loaded(thread, random));
    sample_line(thread, "mul.wide.u32 %%z%u, %%i%u, %u", index, index, part->size * unit);
    sample_line(thread, "mov.u64 %%a%u, %s", index, base);
    sample_line(thread, "add.u64 %%a%u, %%a%u, %%z%u", index, index, index);
    snprintf(text, size, offset ? "%%a%u+%u" : "%%a%u", index, offset);
    part->vector = 2; // for the cost: either place
}

static void atomic_access(struct sample *sample, struct sample_thread *thread, bool is_write,
                          struct part part, const char *address, const struct sample_mood *mood,
                          struct random *random) {
    unsigned bytes = part.size * sample->sizes.unit;
    char value[24];
    const char *scope = sample_scope(mood, random);
    value_text(sample, bytes, value, sizeof value, random);
    unsigned operation = random_below(random, 3);
    if (is_write && operation == 0)
        sample_line(thread, "red.relaxed.%s.global.or.b%u [%s], %s", scope, 8 * bytes, address,
                    value);
    else if (operation == 1)
        sample_line(thread, "atom.acq_rel.%s.global.cas.b%u %s, [%s], 0, %s", scope, 8 * bytes,
                    new_register(thread), address, value);
    else
        sample_line(thread, "atom.relaxed.%s.global.exch.b%u %s, [%s], %s", scope, 8 * bytes,
                    new_register(thread), address, value);
    count_part(sample, part, false);
    count_part(sample, part, true);
}

static void vector_access(struct sample *sample, struct sample_thread *thread, bool is_write,
                          struct part part, const char *order, const char *address,
                          struct random *random) {
    unsigned bytes = part.size * sample->sizes.unit;
    char list[120] = "", value[24];
    for (unsigned i = 0; i < part.vector; i++) {
        value_text(sample, bytes, value, sizeof value, random);
        strcat(list, i ? ", " : "");
        strcat(list, is_write ? value : new_register(thread));
        sample->sizes.stores += is_write;
    }
    if (is_write)
        sample_line(thread, "st%s.global.v%u.u%u [%s], {%s}", order, part.vector, 8 * bytes,
                    address, list);
    else
        sample_line(thread, "ld%s.global.v%u.u%u {%s}, [%s]", order, part.vector, 8 * bytes, list,
                    address);
    count_part(sample, part, is_write);
}

static void sized_access(struct sample *sample, struct sample_thread *thread, bool is_write,
                         const struct sample_mood *mood, struct random *random) {
    struct part part = random_part(random);
    if (part.size * sample->sizes.unit > 8)
        part = (struct part){0, 2, 2};
    unsigned bytes = part.size * sample->sizes.unit;
    bool is_vector = part.vector > 1;
    char order[24], address[24], value[24];
    sample_order(order, sizeof order, is_write ? "release" : "acquire", mood, random);
    address_text(sample, thread, &part, address, sizeof address, random);
    sample->sizes.stores += is_write;
    value_text(sample, bytes, value, sizeof value, random);
    if (is_vector) {
        vector_access(sample, thread, is_write, part, order, address, random);
    } else if (bytes >= 4 && random_chance(random, 12)) {
        atomic_access(sample, thread, is_write, part, address, mood, random);
    } else {
        if (is_write)
            sample_line(thread, "st%s.global.u%u [%s], %s", order, 8 * bytes, address, value);
        else
            sample_line(thread, "ld%s.global.u%u %s, [%s]", order, 8 * bytes, new_register(thread),
                        address);
        count_part(sample, part, is_write);
    }
}

static void make_special(struct sample *sample, struct sample_thread *thread, char letter,
                         int location, const struct sample_mood *mood, struct random *random) {
    if (letter == 'V' || letter == 'U')
        sized_access(sample, thread, letter == 'V', mood, random);
    else
        sample_barrier(sample, thread, letter, location, mood, random);
}

void sample_sizes(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    static const char *const types[] = {[1] = "b8", [2] = "u16", [4] = "b32"};
    struct sample_mood lean = *mood;
    lean.strong = random_chance(random, 50) ? 90 : mood->strong;
    unsigned size = random_below(random, 10);
    sample->sizes.unit = size < 5 ? 1 : size < 8 ? 2 : 4;
    sample->location_count = 1;
    snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
             ".global .align 16 .%s x[4]", types[sample->sizes.unit]);
    sample->sizes.has_alias = !mood->before_9_1 && random_chance(random, 15);
    if (sample->sizes.has_alias)
        snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
                 "xg @ generic aliases x");
    for (unsigned i = 0; i < UNITS; i += 1 + random_below(random, 2))
        snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], "x[%u]", i);
    sample_shape(sample, shapes[random_below(random, sizeof shapes / sizeof shapes[0])], &lean,
                 make_special, random);
}
