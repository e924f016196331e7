// Random tests of floating-point atomics: sums, least and greatest numbers, packed ones and
// vectors, in an array of four numbers of one format.
#include "tests/oracle/sample.h"

#include <string.h>

// V and U write and read a part of `x`; other letters as in sample.c.
static const char *const shapes[] = {
    "Vx|Vx",    "Vx|Vx|Vx",    "Vx|Vx|Ux",        "Vx|Ux Ux",    "Vx Vx|Vx",
    "Vx|Vx Ux", "Vx Ly|Qy Vx", "Vx F wy|ry F Ux", "Vx Ly|Qy Ux", "Vx Ly|Vx|Qy Ux",
};

struct format {
    const char *name, *packed; // "f16", "f16x2" or NULL
    unsigned bytes;
    // Zeros, ones, a number to which 1 adds half of its last digit, subnormal ones, and the
    // greatest. There is no infinity: its opposite would make NaNs, which are unknown values.
    uint64_t numbers[10];
};

enum { NUMBERS = 10, UNITS = 4 };

static const struct format formats[] = {
    {"f32",
     NULL,
     4,
     {0, 0x80000000, 0x3f800000, 0xbf800000, 0x4b800000, 0x4b800001, 0xcb800000, 1, 0x80000001,
      0x7f7fffff}},
    {"f64",
     NULL,
     8,
     {0, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x4340000000000000,
      0x4340000000000001, 0xc340000000000000, 1, 0x8000000000000001, 0x7fefffffffffffff}},
    {"f16", "f16x2", 2, {0, 0x8000, 0x3c00, 0xbc00, 0x6800, 0x6801, 0xe800, 1, 0x8001, 0x7bff}},
    {"bf16", "bf16x2", 2, {0, 0x8000, 0x3f80, 0xbf80, 0x4380, 0x4381, 0xc380, 1, 0x8001, 0x7f7f}},
};

// What an access is to: `vector` elements of `packed` numbers each, from number `offset` on.
struct part {
    unsigned offset, packed, vector;
};

static uint64_t random_number(const struct format *format, struct random *random) {
    return format->numbers[random_below(random, NUMBERS)];
}

static struct part random_part(const struct format *format, struct random *random) {
    static const struct part wide[] = {{0, 1, 2}, {2, 1, 2}, {0, 1, 4}, {0, 2, 1},
                                       {2, 2, 1}, {0, 2, 1}, {2, 2, 1}, {0, 2, 2}};
    struct part part = {random_below(random, 2) * 2, 1, 1};
    unsigned choices = format->packed ? 8 : format->bytes == 4 ? 3 : 0;
    if (choices > 0 && random_chance(random, 60))
        part = wide[random_below(random, choices)];
    return part;
}

static void count_part(struct sample *sample, struct part part, bool is_write) {
    unsigned *counts = is_write ? sample->sizes.writes : sample->sizes.reads;
    for (unsigned i = 0; i < part.packed * part.vector; i++)
        counts[part.offset + i]++;
    sample->writes[0] += is_write;
}

// Elements in braces where there are several.
static void add_element(char *list, size_t size, const struct part *part, unsigned i,
                        const char *element) {
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s%s",
             i                  ? ", "
             : part->vector > 1 ? "{"
                                : "",
             element, part->vector > 1 && i + 1 == part->vector ? "}" : "");
}

static void new_registers(struct sample_thread *thread, const struct part *part, char *list,
                          size_t size) {
    for (unsigned i = 0; i < part->vector; i++) {
        bool sink = part->vector > 1 && i > 0 && thread->seen_count % 3 == 2;
        char *name = sink ? "_" : thread->seen[thread->seen_count++];
        if (!sink)
            snprintf(name, sizeof thread->seen[0], "%%s%u", thread->next_register++);
        add_element(list, size, part, i, name);
    }
}

// What was read, changed by an instruction on registers: .f32 and .f64 have them.
static void computed(struct sample_thread *thread, const struct format *format, const char *name,
                     struct random *random) {
    static const char *const operations[] = {"add", "add.rn", "sub", "min", "max", "neg", "abs"};
    unsigned operation = random_below(random, 7);
    const char *source = thread->seen[random_below(random, thread->seen_count)];
    uint64_t number = random_number(format, random);
    if (operation >= 5)
        sample_line(thread, "%s.%s %s, %s", operations[operation], format->name, name, source);
    else
        sample_line(thread, "%s.%s %s, %s, 0%c%0*llx", operations[operation], format->name, name,
                    source, format->bytes == 4 ? 'f' : 'd', (int)(2 * format->bytes),
                    (unsigned long long)number);
}

// Registers that hold numbers: those of 16 bits have no constants.
static void operands(struct sample_thread *thread, const struct format *format,
                     const struct part *part, char *list, size_t size, struct random *random) {
    for (unsigned i = 0; i < part->vector; i++) {
        char name[16];
        uint64_t number = random_number(format, random);
        if (part->packed == 2)
            number |= random_number(format, random) << 16;
        snprintf(name, sizeof name, "%%v%u", thread->next_register++);
        if (!format->packed && thread->seen_count > 0 && random_chance(random, 40))
            computed(thread, format, name, random);
        else
            sample_line(thread, "mov.b%u %s, 0x%llx", 8 * format->bytes * part->packed, name,
                        (unsigned long long)number);
        add_element(list, size, part, i, name);
    }
}

static const char *operation_text(const struct format *format, const struct part *part,
                                  struct random *random) {
    static const char *const halves[] = {"add.noftz", "add.noftz", "min.noftz", "max.noftz"};
    if (!format->packed)
        return "add";
    return halves[part->vector > 1 ? random_below(random, 4) : 0];
}

static void atomic(struct sample *sample, struct sample_thread *thread, bool is_red,
                   const struct format *format, struct part part, const struct sample_mood *mood,
                   struct random *random) {
    static const char *const orders[] = {"acquire", "acq_rel", "relaxed", "release"};
    const char *order = orders[is_red ? 2 + random_below(random, 2) : random_below(random, 4)];
    const char *scope = sample_scope(mood, random),
               *space = random_chance(random, 60) ? ".global" : "";
    const char *operation = operation_text(format, &part, random);
    const char *type = part.packed == 2 ? format->packed : format->name;
    char values[64] = "", results[64] = "", vector[16] = "";
    operands(thread, format, &part, values, sizeof values, random);
    if (part.vector > 1)
        snprintf(vector, sizeof vector, ".v%u", part.vector);
    if (!is_red) {
        new_registers(thread, &part, results, sizeof results);
        strcat(results, ", ");
    }
    sample_line(thread, "%s.%s.%s%s.%s%s.%s %s[x+%u], %s", is_red ? "red" : "atom", order, scope,
                space, operation, vector, type, results, part.offset * format->bytes, values);
    count_part(sample, part, false);
    count_part(sample, part, true);
}

// Plain accesses are to numbers, packed ones too: two sizes at one place would race.
static void plain(struct sample *sample, struct sample_thread *thread, bool is_write,
                  const struct format *format, struct part part, const struct sample_mood *mood,
                  struct random *random) {
    char order[24], list[64] = "", vector[16] = "";
    sample_order(order, sizeof order, is_write ? "release" : "acquire", mood, random);
    part.packed = 1;
    if (part.vector > 1)
        snprintf(vector, sizeof vector, ".v%u", part.vector);
    if (is_write) {
        operands(thread, format, &part, list, sizeof list, random);
        sample_line(thread, "st%s.global%s.b%u [x+%u], %s", order, vector, 8 * format->bytes,
                    part.offset * format->bytes, list);
    } else {
        new_registers(thread, &part, list, sizeof list);
        sample_line(thread, "ld%s.global%s.b%u %s, [x+%u]", order, vector, 8 * format->bytes, list,
                    part.offset * format->bytes);
    }
    count_part(sample, part, is_write);
}

static void make_special(struct sample *sample, struct sample_thread *thread, char letter,
                         int location, const struct sample_mood *mood, struct random *random) {
    const struct format *format = &formats[sample->sizes.unit];
    struct part part = random_part(format, random);
    (void)location;
    if (random_chance(random, letter == 'V' ? 85 : 40))
        atomic(sample, thread, letter == 'V' && random_chance(random, 60), format, part, mood,
               random);
    else
        plain(sample, thread, letter == 'V', format, part, mood, random);
}

void sample_floats(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    sample->sizes.unit = random_below(random, sizeof formats / sizeof formats[0]);
    const struct format *format = &formats[sample->sizes.unit];
    uint64_t initial[2];
    for (unsigned i = 0; i < 2; i++)
        initial[i] = random_number(format, random);
    sample->location_count = 1;
    snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
             ".global .align 16 .b%u x[4] = {0x%llx, 0, 0x%llx}", 8 * format->bytes,
             (unsigned long long)initial[0], (unsigned long long)initial[1]);
    for (unsigned i = 0; i < UNITS; i++)
        snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], "x[%u]", i);
    sample_shape(sample, shapes[random_below(random, sizeof shapes / sizeof shapes[0])], mood,
                 make_special, random);
}
