// Random accesses and fences of a test, with the dependencies that lead to them.
#include "tests/oracle/sample.h"

#include <string.h>

const char *sample_scope(const struct sample_mood *mood, struct random *random) {
    static const char *const scopes[] = {"cta", "cluster", "gpu", "sys"};
    unsigned scope = random_chance(random, 88) ? mood->scope : random_below(random, 4);
    return scopes[scope == 1 && mood->before_9_1 ? 2 : scope];
}

// --- What an access depends on -------------------------------------------------------------------

// The pieces of an access that a dependency may replace.
struct parts {
    char guard[16];   // "@%p0 " or ""
    char address[40]; // "x", "%a1+4"
    char value[16];   // "1", "%r3"
    bool has_value;   // false for loads: no data dependency
};

const char *sample_loaded(const struct sample_thread *thread, struct random *random) {
    return thread->loaded[random_below(random, thread->loaded_count)];
}

// A zero that depends on what was read is added to the address.
static void depend_address(struct sample *sample, struct sample_thread *thread, const char *source,
                           struct parts *parts) {
    unsigned base = thread->next_register++;
    unsigned zero = thread->next_register++;
    const char *name = sample->is_array ? "m" : parts->address;
    unsigned offset = 0;
    if (sample->is_array)
        sscanf(parts->address, "m+%u", &offset);
    sample_line(thread, "mov.u64 %%a%u, %s", base, name);
    if (sample->bits == 64)
        sample_line(thread, "and.b64 %%a%u, %s, 0", zero, source);
    else
        sample_line(thread, "mul.wide.u32 %%a%u, %s, 0", zero, source);
    sample_line(thread, "add.u64 %%a%u, %%a%u, %%a%u", base, base, zero);
    if (offset)
        snprintf(parts->address, sizeof parts->address, "%%a%u+%u", base, offset);
    else
        snprintf(parts->address, sizeof parts->address, "%%a%u", base);
}

// The value written is what was read, or is computed from it, or from its name alone.
static void depend_data(struct sample *sample, struct sample_thread *thread, const char *source,
                        struct parts *parts, struct random *random) {
    unsigned bits = sample->bits;
    char value[sizeof parts->value];
    if (bits == 8 || random_chance(random, 30)) {
        snprintf(parts->value, sizeof parts->value, "%s", source);
        return;
    }
    snprintf(value, sizeof value, "%%r%u", thread->next_register++);
    switch (random_below(random, 7)) {
    case 0:
        sample_line(thread, "xor.b%u %s, %s, %s", bits, value, source, source);
        sample_line(thread, "add.u%u %s, %s, %s", bits, value, value, parts->value);
        break;
    case 1: sample_line(thread, "add.u%u %s, %s, 1", bits, value, source); break;
    case 2: sample_line(thread, "sub.s%u %s, 2, %s", bits, value, source); break;
    case 3:
        sample_line(thread, "not.b%u %s, %s", bits, value, source);
        sample_line(thread, "and.b%u %s, %s, 3", bits, value, value);
        break;
    case 4:
        sample_line(thread, "mul.lo.u%u %s, %s, 3", bits, value, source);
        sample_line(thread, "or.b%u %s, %s, 1", bits, value, value);
        break;
    case 5:
        sample_line(thread, "%s%u %s, %s, 1", random_chance(random, 50) ? "shl.b" : "shr.u", bits,
                    value, source);
        break;
    default:
        sample_line(thread, "setp.%s.u%u %%p%u, %s, 1", random_chance(random, 50) ? "eq" : "ge",
                    bits, thread->next_register, source);
        sample_line(thread, "selp.b%u %s, %s, 3, %%p%u", bits, value, parts->value,
                    thread->next_register++);
        break;
    }
    memcpy(parts->value, value, sizeof value);
}

// A predicate that what was read decides, or that only seems to.
static void depend_control(struct sample *sample, struct sample_thread *thread, const char *source,
                           struct parts *parts, struct random *random) {
    static const char *const compares[] = {"eq", "ne", "lt", "gt", "ge", "le"};
    unsigned predicate = thread->next_register++;
    bool always = random_chance(random, 20);
    const char *compare = always ? "ge" : compares[random_below(random, 6)];
    char sign = always || random_chance(random, 70) ? 'u' : 's';
    unsigned limit = always ? 0 : random_below(random, 3);
    sample_line(thread, "setp.%s.%c%u %%p%u, %s, %u", compare, sign, sample->bits, predicate,
                source, limit);
    snprintf(parts->guard, sizeof parts->guard, "@%s%%p%u ",
             !always && random_chance(random, 30) ? "!" : "", predicate);
}

static void depend(struct sample *sample, struct sample_thread *thread, struct parts *parts,
                   struct random *random) {
    const char *source = sample_loaded(thread, random);
    unsigned kind = random_below(random, 3);
    if (parts->has_value && (kind == 0 || sample->bits == 8))
        depend_data(sample, thread, source, parts, random);
    else if (kind == 1 && sample->bits >= 32)
        depend_address(sample, thread, source, parts);
    else if (sample->bits >= 16)
        depend_control(sample, thread, source, parts, random);
}

// --- Accesses ------------------------------------------------------------------------------------

static void location_text(const struct sample *sample, unsigned location, char *text, size_t size) {
    unsigned offset = location * sample->bits / 8;
    if (!sample->is_array)
        snprintf(text, size, "%c", "xyz"[location]);
    else if (offset)
        snprintf(text, size, "m+%u", offset);
    else
        snprintf(text, size, "m");
}

// A new register for what is read. A guarded load gives it a value on the other path too.
static const char *destination(struct sample *sample, struct sample_thread *thread,
                               const struct parts *parts, struct random *random) {
    char *name = thread->loaded[thread->loaded_count++];
    snprintf(name, sizeof thread->loaded[0], "%%r%u", thread->next_register++);
    if (sample->initialised)
        sample_first_line(thread, "mov.b%u %s, %u", sample->bits, name, random_below(random, 3));
    else if (parts->guard[0])
        sample_line(thread, "mov.b%u %s, %u", sample->bits, name, random_below(random, 3));
    return name;
}

void sample_order(char *text, size_t size, const char *stronger, const struct sample_mood *mood,
                  struct random *random) {
    if (!random_chance(random, mood->strong)) {
        snprintf(text, size, "%s", random_chance(random, 50) ? ".weak" : "");
        return;
    }
    const char *order = random_chance(random, mood->release) ? stronger : "relaxed";
    snprintf(text, size, ".%s.%s", order, sample_scope(mood, random));
}

static const char *space_text(struct random *random) {
    return random_chance(random, 80) ? ".global" : "";
}

static void plain_load(struct sample *sample, struct sample_thread *thread,
                       const struct parts *parts, unsigned location, const struct sample_mood *mood,
                       struct random *random) {
    char order[24];
    sample_order(order, sizeof order, "acquire", mood, random);
    const char *name = destination(sample, thread, parts, random);
    sample_line(thread, "%sld%s%s.%s %s, [%s]", parts->guard, order, space_text(random),
                sample->type[location], name, parts->address);
    sample->reads[location] += sample->repeats;
}

static void plain_store(struct sample *sample, struct sample_thread *thread,
                        const struct parts *parts, unsigned location,
                        const struct sample_mood *mood, struct random *random) {
    char order[24];
    sample_order(order, sizeof order, "release", mood, random);
    sample_line(thread, "%sst%s%s.%s [%s], %s", parts->guard, order, space_text(random),
                sample->type[location], parts->address, parts->value);
    sample->writes[location] += sample->repeats;
}

// Operations of atom and red that exist for a width; "cas" is for atom only and comes last.
static const struct {
    const char *name;
    const char *types[4]; // of 32 bits twice, of 64 bits twice; NULL: none
} atomics[] = {
    {"add", {"u32", "s32", "u64", "u64"}},  {"inc", {"u32", "u32", NULL, NULL}},
    {"dec", {"u32", "u32", NULL, NULL}},    {"min", {"u32", "s32", "u64", "s64"}},
    {"max", {"u32", "s32", "u64", "s64"}},  {"and", {"b32", "b32", "b64", "b64"}},
    {"or", {"b32", "b32", "b64", "b64"}},   {"xor", {"b32", "b32", "b64", "b64"}},
    {"exch", {"b32", "b32", "b64", "b64"}}, {"cas", {"b32", "b32", "b64", "b64"}},
};

enum {
    ATOMIC_COUNT = sizeof atomics / sizeof atomics[0],
    EXCH = ATOMIC_COUNT - 2,
    CAS = ATOMIC_COUNT - 1
};

static unsigned random_operation(const struct sample *sample, bool is_red, const char **type,
                                 struct random *random) {
    unsigned operation;
    do {
        // The usual ones more often than the others.
        operation = random_chance(random, 25)   ? 0
                    : random_chance(random, 35) ? EXCH + random_below(random, 2)
                                                : random_below(random, ATOMIC_COUNT);
        *type = atomics[operation].types[(sample->bits == 64 ? 2 : 0) + random_below(random, 2)];
    } while (!*type || (is_red && operation >= EXCH));
    return operation;
}

static void atomic_order(char *text, size_t size, bool is_red, const struct sample_mood *mood,
                         struct random *random) {
    static const char *const stronger[] = {"acquire", "acq_rel", "release"};
    const char *order = is_red ? "release" : stronger[random_below(random, 3)];
    if (!random_chance(random, mood->release))
        order = "relaxed";
    const char *scope = sample_scope(mood, random);
    if (random_chance(random, 8)) // the defaults: .relaxed.gpu
        text[0] = '\0';
    else
        snprintf(text, size, ".%s.%s", order, scope);
}

static void atomic_access(struct sample *sample, struct sample_thread *thread,
                          const struct parts *parts, unsigned location, bool is_red,
                          const struct sample_mood *mood, struct random *random) {
    char order[24];
    const char *type;
    unsigned operation = random_operation(sample, is_red, &type, random);
    atomic_order(order, sizeof order, is_red, mood, random);
    const char *space = space_text(random);
    const char *name = atomics[operation].name;
    sample->reads[location] += sample->repeats;
    sample->writes[location] += sample->repeats;
    if (is_red) {
        sample_line(thread, "%sred%s%s.%s.%s [%s], %s", parts->guard, order, space, name, type,
                    parts->address, parts->value);
        return;
    }
    const char *result = destination(sample, thread, parts, random);
    if (operation == CAS)
        sample_line(thread, "%satom%s%s.%s.%s %s, [%s], %u, %s", parts->guard, order, space, name,
                    type, result, parts->address, random_below(random, 3), parts->value);
    else
        sample_line(thread, "%satom%s%s.%s.%s %s, [%s], %s", parts->guard, order, space, name, type,
                    result, parts->address, parts->value);
}

void sample_access(struct sample *sample, struct sample_thread *thread,
                   enum sample_direction direction, unsigned location,
                   const struct sample_mood *mood, struct random *random) {
    bool is_atomic = sample->bits >= 32 && random_chance(random, mood->atomic);
    bool is_red = is_atomic && direction != SAMPLE_READ && random_chance(random, 50);
    is_red = is_red || (is_atomic && direction == SAMPLE_RED);
    struct parts parts = {.guard = "", .has_value = is_atomic || direction != SAMPLE_READ};
    location_text(sample, location, parts.address, sizeof parts.address);
    if (sample->aliased[location] && random_chance(random, 30))
        strcat(parts.address, "g");
    snprintf(parts.value, sizeof parts.value, "%u",
             random_chance(random, 85) ? sample->writes[location] + 1 : random_below(random, 3));
    if (thread->loaded_count > 0 && random_chance(random, mood->depend))
        depend(sample, thread, &parts, random);
    if (is_atomic)
        atomic_access(sample, thread, &parts, location, is_red, mood, random);
    else if (direction == SAMPLE_READ)
        plain_load(sample, thread, &parts, location, mood, random);
    else
        plain_store(sample, thread, &parts, location, mood, random);
}

// --- Fences --------------------------------------------------------------------------------------

static void fence_text(char *text, size_t size, bool is_sc, const char *scope,
                       const struct sample_mood *mood, struct random *random) {
    bool has_membar = strcmp(scope, "cluster") != 0;
    unsigned kind = random_below(random, 10);
    if (is_sc && has_membar && kind < 3)
        snprintf(text, size, "membar.%s", strcmp(scope, "gpu") == 0 ? "gl" : scope);
    else if (is_sc)
        snprintf(text, size, "fence.sc.%s", scope);
    else if (mood->before_9_1 || kind < 4)
        snprintf(text, size, "fence%s.%s", kind < 2 ? "" : ".acq_rel", scope);
    else
        snprintf(text, size, "fence.%s.%s", kind < 7 ? "acquire" : "release", scope);
}

void sample_fence(struct sample *sample, struct sample_thread *thread,
                  const struct sample_mood *mood, struct random *random) {
    char text[32];
    struct parts parts = {.guard = ""};
    bool is_sc = random_chance(random, mood->sc);
    fence_text(text, sizeof text, is_sc, sample_scope(mood, random), mood, random);
    if (sample->bits >= 16 && thread->loaded_count > 0 && random_chance(random, 5))
        depend_control(sample, thread, sample_loaded(thread, random), &parts, random);
    sample_line(thread, "%s%s", parts.guard, text);
    sample->sc_fences += is_sc;
}
