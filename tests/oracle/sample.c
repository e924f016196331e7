// Random tests: a shape or free form, a placement and a mood. Accesses are made in access.c, the
// kinds for a part of the program in sample_proxies.c and its like.
#include "tests/oracle/sample.h"

#include <stdarg.h>
#include <string.h>

// Shapes: threads between '|', accesses as what is wanted and where. R and W are any read and
// write; r and w relaxed ones, Q an acquire read, L a release write, A an atom, D a red, F a fence.
// Those up to Z6.5 are the classic shapes, the others single out a part of the model.
static const struct {
    const char *name;
    const char *threads;
} shapes[] = {
    {"MP", "Wx Wy|Ry Rx"},
    {"SB", "Wx Ry|Wy Rx"},
    {"LB", "Rx Wy|Ry Wx"},
    {"S", "Wx Wy|Ry Wx"},
    {"R", "Wx Wy|Wy Rx"},
    {"2+2W", "Wx Wy|Wy Wx"},
    {"CoRR", "Wx|Rx Rx"},
    {"CoRR2", "Wx|Wx|Rx Rx|Rx Rx"},
    {"CoRW", "Wx|Rx Wx"},
    {"CoWR", "Wx Rx|Wx"},
    {"CoWW", "Wx Wx|Rx Rx"},
    {"CoRWR", "Wx|Rx Wx Rx"},
    {"WRC", "Wx|Rx Wy|Ry Rx"},
    {"WRW+WR", "Wx|Rx Wy|Wy Rx"},
    {"RWC", "Wx|Rx Ry|Wy Rx"},
    {"ISA2", "Wx Wy|Ry Wz|Rz Rx"},
    {"IRIW", "Wx|Rx Ry|Wy|Ry Rx"},
    {"IRWIW", "Wx|Rx Wy|Wy|Ry Wx"},
    {"WWC", "Wx|Rx Wy|Ry Wx"},
    {"W+RWC", "Wx Wy|Ry Rz|Wz Rx"},
    {"3.SB", "Wx Ry|Wy Rz|Wz Rx"},
    {"3.LB", "Rx Wy|Ry Wz|Rz Wx"},
    {"3.2W", "Wx Wy|Wy Wz|Wz Wx"},
    {"Z6.0", "Wx Wy|Ry Wz|Wz Rx"},
    {"Z6.1", "Wx Wy|Wy Wz|Rz Wx"},
    {"Z6.2", "Wx Wy|Ry Wz|Rz Wx"},
    {"Z6.3", "Wx Wy|Wy Wz|Rz Rx"},
    {"Z6.4", "Wx Wy|Wy Rz|Wz Rx"},
    {"Z6.5", "Wx Wy|Wy Wz|Wz Rx"},
    {"MP+co", "Wx Wy Wy|Ry Rx"},
    {"MP+2W", "Wx Wy|Wy|Ry Rx"},
    {"MP+later.W", "Wx Ly wy|Qy Rx"},
    {"MP+later.R", "Wx Ly|ry Qy Rx|wy"},
    {"MP+other.W", "Wx Lz wy|Qy Rx"},
    {"MP+other.R", "Wx Ly|ry Qz Rx"},
    {"MP+weak.R", "Wx Ly|Ry F Rx"},
    {"MP+weak.W", "Wx F Wy|Qy Rx"},
    {"MP+atom", "Wx Ly|Ay F Rx"},
    {"MP+red", "Wx Ly|Dy F Rx"},
    {"MP+red.W", "Wx F Dy|Qy Rx"},
    {"MP+chain", "Wx Ly|Ay|Qy Rx"},
    {"MP+chain.red", "Wx Ly|Dy|Qy Rx"},
    {"MP+chain2", "Wx Ly|Ay|Dy|Qy Rx"},
    {"S+chain", "Wx Ly|Ay|Qy Wx"},
    {"ISA2+F", "Wx F wy|ry F wz|rz F Rx"},
    {"CoAA", "Ax|Ax|Wx"},
    {"CoAD", "Ax Rx|Dx|Wx"},
    {"SB+F", "Wx F Ry|Wy F Rx"},
    {"R+F", "Wx F Wy|Wy F Rx"},
    {"2+2W+F", "Wx F Wy|Wy F Wx"},
    {"IRIW+F", "Wx|Rx F Ry|Wy|Ry F Rx"},
    {"RWC+F", "Wx|Rx F Ry|Wy F Rx"},
    {"Z6.3+F", "Wx F Wy|Wy F Wz|Rz F Rx"},
};

enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

void sample_line(struct sample_thread *thread, const char *format, ...) {
    if (thread->line_count == SAMPLE_LINES)
        return;
    va_list args;
    va_start(args, format);
    char *line = thread->line[thread->line_count++];
    size_t used = (size_t)snprintf(line, SAMPLE_LINE, "%s", thread->pending);
    vsnprintf(line + used, SAMPLE_LINE - used, format, args);
    va_end(args);
    thread->pending[0] = '\0';
}

void sample_first_line(struct sample_thread *thread, const char *format, ...) {
    if (thread->line_count == SAMPLE_LINES)
        return;
    va_list args;
    va_start(args, format);
    memmove(thread->line + 1, thread->line, thread->line_count * sizeof thread->line[0]);
    vsnprintf(thread->line[0], SAMPLE_LINE, format, args);
    thread->line_count++;
    va_end(args);
}

void sample_label(struct sample_thread *thread, const char *label) {
    sample_end(thread);
    snprintf(thread->pending, sizeof thread->pending, "%s: ", label);
}

void sample_end(struct sample_thread *thread) {
    if (thread->pending[0])
        sample_line(thread, "mov.u32 %%l%u, 0", thread->next_register++);
}

// Little that distracts from what a shape singles out.
static const struct sample_mood quiet = {.strong = 40, .sc = 60};

static struct sample_mood make_mood(struct random *random) {
    static const struct sample_mood moods[] = {
        {.strong = 30, .release = 40, .atomic = 10, .fence = 20, .sc = 30, .depend = 20},
        {.strong = 95, .release = 20, .atomic = 10, .fence = 10, .sc = 20, .depend = 10},
        {.strong = 90, .release = 85, .atomic = 10, .fence = 5, .sc = 30, .depend = 5},
        {.strong = 50, .release = 50, .atomic = 5, .fence = 5, .sc = 50, .depend = 5},
        {.strong = 70, .release = 20, .atomic = 10, .fence = 85, .sc = 70, .depend = 5},
        {.strong = 80, .release = 10, .atomic = 10, .fence = 85, .sc = 15, .depend = 5},
        {.strong = 80, .release = 50, .atomic = 70, .fence = 25, .sc = 40, .depend = 15},
        {.strong = 40, .release = 30, .atomic = 15, .fence = 10, .sc = 40, .depend = 80},
    };
    return moods[random_below(random, sizeof moods / sizeof moods[0])];
}

// Alone or in pairs.
void sample_place(struct sample *sample, unsigned pattern, bool before_9_1, struct random *random) {
    bool clusters = !before_9_1 && random_chance(random, 70);
    bool in_pairs = random_chance(random, 40);
    for (unsigned t = 0; t < sample->thread_count; t++) {
        struct sample_thread *thread = &sample->thread[t];
        unsigned apart = pattern < 4 ? pattern : random_below(random, 4);
        unsigned group = in_pairs ? t / 2 : t;
        thread->has_cluster = clusters;
        thread->cta = apart == 1 || apart == 3 || (apart == 2 && !clusters) ? group : 0;
        thread->cluster = apart == 2 ? group : 0;
        thread->gpu = apart == 3 ? group % 2 : 0;
    }
}

static const char *random_type(unsigned bits, struct random *random) {
    static const char *const types[4][3] = {
        {"u8", "s8", "b8"}, {"u16", "s16", "b16"}, {"u32", "s32", "b32"}, {"u64", "s64", "b64"}};
    unsigned row = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
    return types[row][random_below(random, 3)];
}

static void make_locations(struct sample *sample, struct random *random) {
    static const unsigned widths[] = {32, 32, 32, 32, 32, 32, 32, 64, 16, 8};
    sample->bits = widths[random_below(random, 10)];
    sample->is_array = random_chance(random, 12);
    const char *element = random_type(sample->bits, random);
    for (unsigned l = 0; l < SAMPLE_LOCATIONS; l++) {
        sample->type[l] = sample->is_array ? element : random_type(sample->bits, random);
        sample->initial[l] = random_chance(random, 15) ? random_below(random, 3) : 0;
    }
}

// The mood in which an access is what its letter wants.
static struct sample_mood mood_for(char letter, const struct sample_mood *mood) {
    struct sample_mood wanted = *mood;
    if (letter == 'R' || letter == 'W')
        return wanted;
    wanted.atomic = letter == 'A' || letter == 'D' ? 100 : 0;
    if (wanted.atomic)
        return wanted;
    wanted.strong = 100;
    wanted.release = letter == 'Q' || letter == 'L' ? 100 : 0;
    return wanted;
}

unsigned sample_shape_threads(const char *shape) {
    unsigned count = 1;
    for (const char *at = shape; *at; at++)
        count += *at == '|';
    return count;
}

void sample_shape(struct sample *sample, const char *shape, const struct sample_mood *mood,
                  sample_special *special, struct random *random) {
    struct sample_thread *thread = &sample->thread[0];
    bool first = true; // in its thread
    for (const char *at = shape; *at; at++) {
        if (*at == '|') {
            thread++;
            first = true;
        } else if (*at == 'F') {
            sample_fence(sample, thread, mood, random);
            first = true; // no second fence after it
        } else if (strchr("RWrwQLAD", *at)) {
            struct sample_mood wanted = mood_for(*at, mood);
            unsigned location = (unsigned)(*++at - 'x');
            if (location >= sample->location_count)
                sample->location_count = location + 1;
            if (!first && random_chance(random, mood->fence))
                sample_fence(sample, thread, mood, random);
            enum sample_direction direction = at[-1] == 'D'           ? SAMPLE_RED
                                              : strchr("WwL", at[-1]) ? SAMPLE_WRITE
                                                                      : SAMPLE_READ;
            sample_access(sample, thread, direction, location, &wanted, random);
            first = false;
        } else if (*at != ' ') {
            char letter = *at;
            bool has_location = at[1] >= 'x' && at[1] <= 'z';
            at += has_location;
            special(sample, thread, letter, has_location ? *at - 'x' : -1, mood, random);
            first = !has_location;
        }
    }
    sample->thread_count = (unsigned)(thread - sample->thread) + 1;
    for (unsigned t = 0; t < sample->thread_count; t++)
        sample_end(&sample->thread[t]);
}

static void make_free(struct sample *sample, const struct sample_mood *mood,
                      struct random *random) {
    sample->thread_count = 2 + random_below(random, 3);
    sample->location_count = 1 + random_below(random, SAMPLE_LOCATIONS);
    for (unsigned t = 0; t < sample->thread_count; t++) {
        unsigned accesses = 1 + random_below(random, sample->thread_count == 2 ? 4 : 3);
        for (unsigned i = 0; i < accesses; i++) {
            if (i > 0 && random_chance(random, mood->fence))
                sample_fence(sample, &sample->thread[t], mood, random);
            enum sample_direction direction =
                random_chance(random, 50) ? SAMPLE_READ : SAMPLE_WRITE;
            unsigned location = random_below(random, sample->location_count);
            sample_access(sample, &sample->thread[t], direction, location, mood, random);
        }
    }
}

// A test of a kind for a part: `y` and `z` are words, `x` may be something else.
static void make_part(struct sample *sample, const struct sample_options *options, uint64_t index,
                      struct random *random) {
    static const char *const names[] = {
        [SAMPLE_PROXIES] = "proxies",       [SAMPLE_BRANCHES] = "branches",
        [SAMPLE_SIZES] = "sizes",           [SAMPLE_BARRIERS] = "barriers",
        [SAMPLE_RESTRICTED] = "restricted", [SAMPLE_FLOATS] = "floats",
        [SAMPLE_VALUES] = "values",         [SAMPLE_SECTIONS] = "sections",
        [SAMPLE_MBARRIERS] = "mbarriers",   [SAMPLE_ASYNC] = "async",
        [SAMPLE_WARPS] = "warps",           [SAMPLE_GRIDS] = "grids",
        [SAMPLE_MULTIMEM] = "multimem",     [SAMPLE_TENSOR] = "tensor",
        [SAMPLE_LATER] = "later",           [SAMPLE_PRODUCTS] = "products"};
    struct sample_mood mood = random_chance(random, 70) ? quiet : make_mood(random);
    unsigned pattern = random_below(random, 5);
    sample->bits = 32;
    for (unsigned l = 0; l < SAMPLE_LOCATIONS; l++)
        sample->type[l] = random_type(32, random);
    mood.before_9_1 = options->before_9_1;
    mood.scope = pattern < 4 && random_chance(random, 85) ? pattern : 3;
    snprintf(sample->name, sizeof sample->name, "%s-%05u", names[options->kind],
             (unsigned)(index % 100000));
    switch (options->kind) {
    case SAMPLE_PROXIES: sample_proxies(sample, &mood, random); break;
    case SAMPLE_BRANCHES: sample_branches(sample, &mood, random); break;
    case SAMPLE_BARRIERS: sample_barriers(sample, &mood, random); return;     // places the threads
    case SAMPLE_RESTRICTED: sample_restricted(sample, &mood, random); return; // also there
    case SAMPLE_MBARRIERS: sample_mbarriers(sample, &mood, random); return;   // also there
    case SAMPLE_ASYNC: sample_async(sample, &mood, random); return;           // also there
    case SAMPLE_TENSOR: sample_tensor(sample, &mood, random); return;         // also there
    case SAMPLE_WARPS: sample_warps(sample, &mood, random); return;
    case SAMPLE_GRIDS: sample_grids(sample, &mood, random); return;       // also there
    case SAMPLE_LATER: sample_later(sample, &mood, random); return;       // also there
    case SAMPLE_PRODUCTS: sample_products(sample, &mood, random); return; // also there
    case SAMPLE_MULTIMEM: sample_multimem(sample, &mood, random); break;
    case SAMPLE_FLOATS: sample_floats(sample, &mood, random); break;
    case SAMPLE_VALUES: sample_values(sample, &mood, random); break;
    case SAMPLE_SECTIONS: sample_sections(sample, &mood, random); break;
    default: sample_sizes(sample, &mood, random); break;
    }
    sample_place(sample, pattern, options->before_9_1, random);
}

static void make_once(struct sample *sample, const struct sample_options *options, uint64_t index,
                      struct random *random) {
    memset(sample, 0, sizeof *sample);
    sample->kind = options->kind;
    sample->repeats = 1;
    if (options->kind >= SAMPLE_PROXIES) {
        make_part(sample, options, index, random);
        return;
    }
    make_locations(sample, random);
    bool is_free = options->kind == SAMPLE_FREE ||
                   (options->kind == SAMPLE_MIXED && random_chance(random, 30));
    unsigned shape = random_below(random, SHAPE_COUNT);
    bool is_quiet =
        !is_free && strpbrk(shapes[shape].threads, "rwQLADF") != NULL && random_chance(random, 70);
    struct sample_mood mood = is_quiet ? quiet : make_mood(random);
    mood.before_9_1 = options->before_9_1;
    unsigned pattern = random_below(random, 5);
    mood.scope = random_below(random, 4);
    if (mood.scope < pattern && (is_quiet || random_chance(random, 75)))
        mood.scope = pattern < 4 ? pattern : 3; // large enough to synchronise everybody
    snprintf(sample->name, sizeof sample->name, "%s-%05u", is_free ? "free" : shapes[shape].name,
             (unsigned)(index % 100000));
    if (is_free)
        make_free(sample, &mood, random);
    else
        sample_shape(sample, shapes[shape].threads, &mood, NULL, random);
    sample_place(sample, pattern, options->before_9_1, random);
}

static uint64_t factorial(unsigned n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

uint64_t sample_cost(const struct sample *sample) {
    uint64_t cost = factorial(sample->sc_fences);
    for (unsigned l = 0; l < sample->location_count; l++) {
        cost *= factorial(sample->writes[l] < 8 ? sample->writes[l] : 8);
        for (unsigned r = 0; r < sample->reads[l] && cost < UINT32_MAX; r++)
            cost *= sample->writes[l] + 1;
    }
    for (unsigned a = 0; a < sample->barriers.arrivals && cost < UINT32_MAX; a++)
        cost *= 3;
    for (unsigned u = 0; u < 4; u++)
        for (unsigned r = 0; r < sample->sizes.reads[u] && cost < UINT32_MAX; r++)
            cost *= sample->sizes.writes[u] + 1;
    return cost;
}

void sample_make(struct sample *sample, const struct sample_options *options, uint64_t index) {
    struct random random = random_stream(options->seed, index);
    do {
        make_once(sample, options, index, &random);
    } while (sample_cost(sample) > options->cap);
}
