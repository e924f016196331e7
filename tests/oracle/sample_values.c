// Random tests of what instructions compute: one thread loads numbers that another may change,
// computes with them in registers of 16, 32, 64 and 128 bits, and shows what comes out. Some values
// are unknown: quotients by zero, shared memory that was not written; they may be guarded, and
// stored by atomics that fail.
#include "tests/oracle/sample.h"

#include <string.h>

enum { REGISTERS = 16, NAME = 8, WORDS = 4 };

// Registers that hold known numbers, and those that may hold unknown ones.
struct pool {
    char name[REGISTERS][NAME];
    unsigned count;
};

struct values {
    struct sample *sample;
    struct sample_thread *thread;
    struct random *random;
    struct pool halves, words, longs, predicates, unknown;
    unsigned next;
};

static const char *of(struct values *values, const struct pool *pool) {
    return pool->name[random_below(values->random, pool->count)];
}

static const char *named(struct values *values, struct pool *pool, const char *prefix) {
    unsigned slot =
        pool->count < REGISTERS ? pool->count++ : random_below(values->random, REGISTERS);
    snprintf(pool->name[slot], NAME, "%%%s%u", prefix, values->next++ % 1000);
    return pool->name[slot];
}

// A name that is in no pool yet: results are added when they are there.
static void fresh(struct values *values, char *name, const char *prefix) {
    snprintf(name, NAME, "%%%s%u", prefix, values->next++ % 1000);
}

static void keep(struct values *values, struct pool *pool, const char *name) {
    unsigned slot =
        pool->count < REGISTERS ? pool->count++ : random_below(values->random, REGISTERS);
    snprintf(pool->name[slot], NAME, "%s", name);
}

static uint64_t random_constant(struct random *random, unsigned bits) {
    static const uint64_t usual[] = {
        0, 1, 2, 3, 5, 7, 31, 32, 33, 255, 256, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    uint64_t value = usual[random_below(random, sizeof usual / sizeof usual[0])];
    if (random_chance(random, 40))
        value = random_next(random);
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

// A register of the pool, or a constant.
static void operand(struct values *values, const struct pool *pool, unsigned bits, char *text) {
    if (random_chance(values->random, 70))
        snprintf(text, 24, "%s", of(values, pool));
    else
        snprintf(text, 24, "0x%llx", (unsigned long long)random_constant(values->random, bits));
}

// "@%p " or "@!%p ", now and then; then the destination has to be one that is there.
static bool guard(struct values *values, char *text) {
    text[0] = '\0';
    if (values->predicates.count == 0 || !random_chance(values->random, 20))
        return false;
    const char *sign = random_chance(values->random, 50) ? "!" : "";
    snprintf(text, 16, "@%s%s ", sign, of(values, &values->predicates));
    return true;
}

// An instruction with `sources` operands of one type, `late` of them of 32 bits.
struct instruction_kind {
    const char *name; // with its type
    unsigned sources, late;
};

static const struct instruction_kind on_words[] = {
    {"add.u32", 2, 0},          {"sub.s32", 2, 0},        {"add.sat.s32", 2, 0},
    {"sub.sat.s32", 2, 0},      {"mul.lo.u32", 2, 0},     {"mul.hi.u32", 2, 0},
    {"mul.hi.s32", 2, 0},       {"mad.lo.s32", 3, 0},     {"mad.hi.u32", 3, 0},
    {"mad.hi.sat.s32", 3, 0},   {"min.u32", 2, 0},        {"min.s32", 2, 0},
    {"max.s32", 2, 0},          {"max.u32", 2, 0},        {"abs.s32", 1, 0},
    {"neg.s32", 1, 0},          {"sad.u32", 3, 0},        {"sad.s32", 3, 0},
    {"and.b32", 2, 0},          {"or.b32", 2, 0},         {"xor.b32", 2, 0},
    {"not.b32", 1, 0},          {"cnot.b32", 1, 0},       {"shl.b32", 1, 1},
    {"shr.u32", 1, 1},          {"shr.s32", 1, 1},        {"shf.l.wrap.b32", 2, 1},
    {"shf.l.clamp.b32", 2, 1},  {"shf.r.wrap.b32", 2, 1}, {"shf.r.clamp.b32", 2, 1},
    {"bfind.u32", 1, 0},        {"bfind.s32", 1, 0},      {"bfind.shiftamt.u32", 1, 0},
    {"bmsk.clamp.b32", 2, 0},   {"bmsk.wrap.b32", 2, 0},  {"szext.clamp.s32", 1, 1},
    {"szext.wrap.u32", 1, 1},   {"brev.b32", 1, 0},       {"clz.b32", 1, 0},
    {"popc.b32", 1, 0},         {"prmt.b32", 2, 1},       {"prmt.b32.f4e", 2, 1},
    {"prmt.b32.b4e", 2, 1},     {"prmt.b32.rc8", 2, 1},   {"prmt.b32.ecl", 2, 1},
    {"prmt.b32.ecr", 2, 1},     {"prmt.b32.rc16", 2, 1},  {"mul24.lo.u32", 2, 0},
    {"mul24.hi.s32", 2, 0},     {"mad24.lo.s32", 3, 0},   {"mad24.hi.u32", 3, 0},
    {"mad24.hi.sat.s32", 3, 0}, {"mul24.hi.u32", 2, 0},   {"dp4a.u32.u32", 3, 0},
    {"dp4a.s32.u32", 3, 0},     {"dp4a.s32.s32", 3, 0},   {"dp2a.lo.u32.s32", 3, 0},
    {"dp2a.hi.s32.s32", 3, 0},  {"add.cc.u32", 2, 0},     {"sub.cc.u32", 2, 0},
    {"addc.u32", 2, 0},         {"addc.cc.s32", 2, 0},    {"subc.u32", 2, 0},
    {"subc.cc.u32", 2, 0},      {"mad.lo.cc.u32", 3, 0},  {"madc.hi.u32", 3, 0},
    {"madc.lo.cc.s32", 3, 0},   {"mad.hi.cc.s32", 3, 0},
};

static const struct instruction_kind on_longs[] = {
    {"add.u64", 2, 0},    {"sub.s64", 2, 0},     {"mul.lo.u64", 2, 0}, {"mul.hi.u64", 2, 0},
    {"mul.hi.s64", 2, 0}, {"mad.hi.s64", 3, 0},  {"mad.hi.u64", 3, 0}, {"min.s64", 2, 0},
    {"max.u64", 2, 0},    {"abs.s64", 1, 0},     {"neg.s64", 1, 0},    {"sad.s64", 3, 0},
    {"and.b64", 2, 0},    {"or.b64", 2, 0},      {"xor.b64", 2, 0},    {"not.b64", 1, 0},
    {"shl.b64", 1, 1},    {"shr.u64", 1, 1},     {"shr.s64", 1, 1},    {"brev.b64", 1, 0},
    {"add.cc.u64", 2, 0}, {"addc.cc.u64", 2, 0}, {"subc.u64", 2, 0},   {"madc.hi.cc.s64", 3, 0},
};

// Field instructions take positions and lengths of 8 bits.
static void field(struct values *values, const char *name, bool wide) {
    char result[NAME], a[24], b[24];
    struct pool *pool = wide ? &values->longs : &values->words;
    unsigned bits = wide ? 64 : 32;
    unsigned first = random_below(values->random, bits + 8),
             length = random_below(values->random, 40);
    operand(values, pool, bits, a);
    operand(values, pool, bits, b);
    fresh(values, result, wide ? "d" : "r");
    if (strncmp(name, "bfi", 3) == 0)
        sample_line(values->thread, "%s %s, %s, %s, %u, %u", name, result, a, b, first, length);
    else
        sample_line(values->thread, "%s %s, %s, %u, %u", name, result, a, first, length);
    keep(values, pool, result);
}

static void one_of(struct values *values, const struct instruction_kind *kind, bool wide) {
    char text[SAMPLE_LINE], result[NAME], prefix[16], item[24];
    struct pool *pool = wide ? &values->longs : &values->words;
    bool guarded = guard(values, prefix);
    if (guarded)
        snprintf(result, NAME, "%s", of(values, pool));
    else
        fresh(values, result, wide ? "d" : "r");
    int used = snprintf(text, sizeof text, "%s%s %s", prefix, kind->name, result);
    for (unsigned i = 0; i < kind->sources + kind->late; i++) {
        if (i < kind->sources)
            operand(values, pool, wide ? 64 : 32, item);
        else
            operand(values, &values->words, 32, item);
        used += snprintf(text + used, sizeof text - (size_t)used, ", %s", item);
    }
    sample_line(values->thread, "%s", text);
    if (!guarded)
        keep(values, pool, result);
}

// Between the widths.
static void convert(struct values *values) {
    static const char *const down[] = {"cvt.u32.u64", "cvt.s32.s64", "cvt.sat.s32.s64",
                                       "cvt.sat.u32.s64", "cvt.sat.u32.u64"};
    static const char *const up[] = {"cvt.s64.s32", "cvt.u64.u32", "cvt.s64.s32", "cvt.u64.s32"};
    static const char *const narrow[] = {"cvt.s32.s8", "cvt.u32.u8", "cvt.s32.s16", "cvt.u32.u16"};
    char result[NAME];
    unsigned kind = random_below(values->random, 4);
    fresh(values, result, kind == 1 ? "d" : "r");
    if (kind == 0)
        sample_line(values->thread, "%s %s, %s", down[random_below(values->random, 5)], result,
                    of(values, &values->longs));
    else if (kind == 1)
        sample_line(values->thread, "%s %s, %s", up[random_below(values->random, 4)], result,
                    of(values, &values->words));
    else
        sample_line(values->thread, "%s %s, %s", narrow[random_below(values->random, 4)], result,
                    of(values, &values->words));
    keep(values, kind == 1 ? &values->longs : &values->words, result);
}

// Products of twice the width, and values of 128 bits put together and taken apart again.
static void widen(struct values *values) {
    char a[24], b[24];
    unsigned kind = random_below(values->random, 3);
    if (kind == 0) {
        operand(values, &values->words, 32, a);
        operand(values, &values->words, 32, b);
        const char *result = named(values, &values->longs, "d");
        sample_line(values->thread, "mul.wide.%s32 %s, %s, %s",
                    random_chance(values->random, 50) ? "s" : "u", result, a, b);
        return;
    }
    snprintf(a, sizeof a, "%s", of(values, &values->longs));
    snprintf(b, sizeof b, "%s", of(values, &values->longs));
    if (kind == 1) { // the sign of a long number ends where its 64 bits end
        char wide[NAME], zero[NAME];
        fresh(values, wide, "q");
        fresh(values, zero, "z");
        sample_line(values->thread, "mov.b64 %s, 0", zero);
        sample_line(values->thread, "cvt.s64.s32 %s, %s", a, of(values, &values->words));
        sample_line(values->thread, "mov.b128 %s, {%s, %s}", wide, a,
                    random_chance(values->random, 60) ? zero : b);
        const char *low = named(values, &values->longs, "d");
        const char *high = named(values, &values->longs, "d");
        if (low != high)
            sample_line(values->thread, "mov.b128 {%s, %s}, %s", low, high, wide);
        return;
    }
    const char *low = named(values, &values->words, "r"),
               *high = named(values, &values->words, "r");
    if (low != high)
        sample_line(values->thread, "mov.b64 {%s, %s}, %s", low, high, a);
}

static void decide(struct values *values) {
    static const char *const compares[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    char a[24], b[24];
    bool wide = random_chance(values->random, 30);
    const struct pool *pool = wide ? &values->longs : &values->words;
    snprintf(a, sizeof a, "%s", of(values, pool));
    operand(values, pool, wide ? 64 : 32, b);
    const char *type = random_chance(values->random, 50) ? "s" : "u";
    const char *result = named(values, &values->predicates, "p");
    sample_line(values->thread, "setp.%s.%s%u %s, %s, %s",
                compares[random_below(values->random, 6)], type, wide ? 64 : 32, result, a, b);
}

static void choose(struct values *values) {
    char a[24], b[24], c[24];
    operand(values, &values->words, 32, a);
    operand(values, &values->words, 32, b);
    unsigned kind = random_below(values->random, 3);
    snprintf(c, sizeof c, "%s", of(values, &values->words));
    char result[NAME];
    fresh(values, result, "r");
    if (kind == 0 && values->predicates.count > 0)
        sample_line(values->thread, "selp.b32 %s, %s, %s, %s", result, a, b,
                    of(values, &values->predicates));
    else if (kind == 1)
        sample_line(values->thread, "slct.s32.s32 %s, %s, %s, %s", result, a, b, c);
    else
        sample_line(values->thread, "lop3.b32 %s, %s, %s, %s, 0x%x", result, a, b, c,
                    random_below(values->random, 256));
    keep(values, &values->words, result);
}

static void compute(struct values *values) {
    static const char *const fields[] = {"bfe.u32", "bfe.s32", "bfi.b32"};
    static const char *const long_fields[] = {"bfe.u64", "bfe.s64", "bfi.b64"};
    unsigned kind = random_below(values->random, 12);
    if (kind < 4)
        one_of(values,
               &on_words[random_below(values->random, sizeof on_words / sizeof on_words[0])],
               false);
    else if (kind < 6)
        one_of(values,
               &on_longs[random_below(values->random, sizeof on_longs / sizeof on_longs[0])], true);
    else if (kind < 7)
        convert(values);
    else if (kind < 9)
        widen(values);
    else if (kind < 10)
        decide(values);
    else if (kind < 11)
        choose(values);
    else if (random_chance(values->random, 60))
        field(values, fields[random_below(values->random, 3)], false);
    else
        field(values, long_fields[random_below(values->random, 3)], true);
}

// A quotient that is unknown where the divisor is zero; under a guard that may be that it is not.
static void divide(struct values *values) {
    char result[NAME], divisor[NAME], predicate[NAME], dividend[NAME];
    fresh(values, result, "u");
    fresh(values, divisor, "r");
    fresh(values, predicate, "p");
    snprintf(dividend, NAME, "%s", of(values, &values->words));
    sample_line(values->thread, "and.b32 %s, %s, 1", divisor, of(values, &values->words));
    sample_line(values->thread, "mov.b32 %s, 9", result);
    sample_line(values->thread, "setp.%s.u32 %s, %s, 0",
                random_chance(values->random, 50) ? "eq" : "ne", predicate, divisor);
    sample_line(values->thread, "@%s%s %s.u32 %s, %s, %s",
                random_chance(values->random, 50) ? "!" : "", predicate,
                random_chance(values->random, 70) ? "div" : "rem", result, dividend, divisor);
    keep(values, &values->unknown, result);
}

// An unknown value that a cas stores, if it succeeds; and one that a predicate depends on.
static void use_unknown(struct values *values) {
    char old[NAME], unknown[NAME], seen[NAME];
    fresh(values, old, "r");
    fresh(values, unknown, "u");
    fresh(values, seen, "r");
    if (random_chance(values->random, 50) && values->unknown.count > 0)
        snprintf(unknown, NAME, "%s", of(values, &values->unknown));
    else
        sample_line(values->thread, "ld.shared.u32 %s, [s]", unknown);
    if (random_chance(values->random, 25)) {
        sample_line(values->thread, "setp.eq.u32 %%pu, %s, 3", unknown);
        sample_line(values->thread, "mov.b32 %s, 1", seen);
        sample_line(values->thread, "@%%pu mov.b32 %s, 2", seen);
        keep(values, &values->unknown, seen);
        return;
    }
    char few[NAME]; // taken for known by mistake, it is a list of values that are soon all named
    fresh(values, few, "u");
    sample_line(values->thread, "and.b32 %s, %s, %u", few, unknown,
                1 + random_below(values->random, 3));
    sample_line(values->thread, "atom.relaxed.gpu.global.cas.b32 %s, [y], %u, %s", old,
                random_below(values->random, 2), few);
    keep(values, &values->unknown, old);
}

static void show(struct values *values) {
    const struct pool *pools[] = {&values->words, &values->longs, &values->unknown};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < (i == 2 ? 2 : 3); k++) {
            if (pools[i]->count <= k || values->sample->shown_count == SAMPLE_SHOWN)
                break;
            snprintf(values->sample->shown[values->sample->shown_count++], 16, "P0:%s",
                     pools[i]->name[pools[i]->count - 1 - k]);
            values->sample->uncertain += i == 2;
        }
}

void sample_values(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    struct values values = {.sample = sample, .thread = &sample->thread[0], .random = random};
    (void)mood;
    sample->location_count = 2;
    sample->thread_count = 2;
    snprintf(sample->declaration[sample->declaration_count++], 80,
             ".global .b64 x[2] = {0x%llx, 0x%llx}",
             (unsigned long long)random_constant(random, 64),
             (unsigned long long)random_constant(random, 64));
    snprintf(sample->declaration[sample->declaration_count++], 80, ".shared .b32 s");
    for (unsigned i = 0; i < 2; i++) {
        const char *value = named(&values, &values.longs, "d");
        sample_line(values.thread, "ld.relaxed.gpu.global.b64 %s, [x+%u]", value, 8 * i);
        if (random_chance(random, 70))
            sample_line(&sample->thread[1], "st.relaxed.gpu.global.b64 [x+%u], 0x%llx", 8 * i,
                        (unsigned long long)random_constant(random, 64));
    }
    if (random_chance(random, 50))
        sample_line(&sample->thread[1], "st.relaxed.gpu.global.b32 [y], 1");
    const char *low = named(&values, &values.words, "r"),
               *high = named(&values, &values.words, "r");
    sample_line(values.thread, "mov.b64 {%s, %s}, %s", low, high, values.longs.name[0]);
    sample_line(values.thread, "add.cc.u32 %%carry, %s, %s", low, high);
    unsigned steps = 3 + random_below(random, 10);
    for (unsigned i = 0; i < steps; i++)
        compute(&values);
    if (random_chance(random, 50))
        divide(&values);
    if (random_chance(random, 50))
        use_unknown(&values);
    if (sample->thread[1].line_count == 0)
        sample_line(&sample->thread[1], "st.relaxed.gpu.global.b32 [y], 1");
    show(&values);
}
