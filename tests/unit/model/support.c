// Helpers of the model room's tests.
#include "support.h"

struct model *parse_cat(struct arena *arena, const char *text, struct diagnostics *diagnostics) {
    diagnostics_init(diagnostics, arena);
    const struct source *source = source_from_text(arena, "test.cat", text, strlen(text));
    return model_parse(arena, source, diagnostics);
}

const char *messages_of(struct arena *arena, const struct diagnostics *diagnostics) {
    const char *all = "";
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *item = &diagnostics->items[i];
        const char *place = item->path;
        if (item->span.source) {
            struct position at = source_position(item->span.source, item->span.begin);
            place = arena_format(arena, "%u:%u", at.line, at.column);
        }
        all = arena_format(arena, "%s%s%s: %s%s", all, i > 0 ? "\n" : "", place,
                           item->severity == SEVERITY_WARNING ? "warning: " : "", item->message);
        if (item->hint)
            all = arena_format(arena, "%s (%s)", all, item->hint);
    }
    return all;
}

struct model *parse_good(struct arena *arena, const char *text) {
    struct diagnostics diagnostics;
    struct model *model = parse_cat(arena, text, &diagnostics);
    assert_string_equal(messages_of(arena, &diagnostics), "");
    assert_non_null(model);
    return model;
}

struct model *load_good(struct arena *arena, const char *name) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct model *model = model_load(arena, name, &diagnostics);
    assert_string_equal(messages_of(arena, &diagnostics), "");
    assert_non_null(model);
    return model;
}

struct model *load_variant(struct arena *arena, const char *name, const char *variant) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct model_options options = {.variants = &variant, .variant_count = 1};
    struct model *model = model_load_with(arena, name, &options, &diagnostics);
    assert_string_equal(messages_of(arena, &diagnostics), "");
    assert_non_null(model);
    return model;
}

// --- Executions --------------------------------------------------------------------------------

static const char *const set_names[] = {
#define BASE_SET(id, name, doc) name,
#define BASE_RELATION(id, name, doc)
#include "model/cat/base.def"
#undef BASE_SET
#undef BASE_RELATION
};

void sketch_init(struct sketch *sketch, struct arena *arena) {
    *sketch = (struct sketch){.arena = arena, .facts = {.n = SKETCH_EVENTS}};
    for (unsigned i = 0; i < BASE_SET_COUNT; i++)
        sketch->facts.sets[i] = event_set_new(arena, SKETCH_EVENTS);
    for (unsigned i = 0; i < BASE_REL_COUNT; i++)
        sketch->facts.relations[i] = relation_new(arena, SKETCH_EVENTS);
    sketch->facts.executed = event_set_new(arena, SKETCH_EVENTS);
    for (int i = 0; i < SKETCH_THREADS; i++)
        sketch->cta[i] = i;
}

void sketch_place(struct sketch *sketch, int thread, int cta, int cluster, int gpu) {
    sketch->cta[thread] = cta;
    sketch->cluster[thread] = cluster;
    sketch->gpu[thread] = gpu;
}

static bool in_set(const struct sketch *sketch, enum base_set set, unsigned event) {
    return event_set_has(&sketch->facts.sets[set], event);
}

static void add_to_set(struct sketch *sketch, unsigned event, const char *name, size_t length) {
    for (unsigned i = 0; i < BASE_SET_COUNT; i++) {
        if (strlen(set_names[i]) == length && memcmp(set_names[i], name, length) == 0) {
            event_set_add(&sketch->facts.sets[i], event);
            return;
        }
    }
    fail_msg("no base set '%.*s'", (int)length, name);
}

static const enum base_set proxies[] = {BASE_SET_GENERIC, BASE_SET_ASYNC,   BASE_SET_TENSORMAP,
                                        BASE_SET_SURFACE, BASE_SET_TEXTURE, BASE_SET_CONSTANT,
                                        BASE_SET_ALIAS};
enum { PROXIES = sizeof proxies / sizeof *proxies };

static bool in_some(const struct sketch *sketch, const enum base_set *sets, size_t count,
                    unsigned event) {
    for (size_t i = 0; i < count; i++)
        if (in_set(sketch, sets[i], event))
            return true;
    return false;
}

// The sets that a test leaves out.
static void add_default_sets(struct sketch *sketch, unsigned event) {
    static const enum base_set spaces[] = {BASE_SET_GLOBAL_SPACE, BASE_SET_SHARED_SPACE};
    struct event_set *sets = sketch->facts.sets;
    bool proxy_fence = in_set(sketch, BASE_SET_PF, event);
    bool memory = in_set(sketch, BASE_SET_R, event) || in_set(sketch, BASE_SET_W, event);
    if (memory)
        event_set_add(&sets[BASE_SET_M], event);
    if (!proxy_fence && !in_some(sketch, proxies, PROXIES, event))
        event_set_add(&sets[BASE_SET_GENERIC], event);
    bool spaced = in_some(sketch, spaces, 2, event);
    if (!spaced && (memory || proxy_fence))
        event_set_add(&sets[BASE_SET_GLOBAL_SPACE], event);
    if (!spaced && proxy_fence)
        event_set_add(&sets[BASE_SET_SHARED_SPACE], event);
}

unsigned sketch_event(struct sketch *sketch, int thread, const char *sets, const char *place) {
    assert_true(sketch->count < SKETCH_EVENTS);
    unsigned event = sketch->count++;
    while (*sets) {
        size_t length = strcspn(sets, " ");
        add_to_set(sketch, event, sets, length);
        sets += length + strspn(sets + length, " ");
    }
    add_default_sets(sketch, event);
    event_set_add(&sketch->facts.executed, event);
    sketch->thread[event] = thread;
    sketch->place[event] = place;
    return event;
}

void sketch_edge(struct sketch *sketch, enum base_relation relation, unsigned a, unsigned b) {
    relation_add(&sketch->facts.relations[relation], a, b);
}

// "x" overlaps "x", "x.lo" and "x@y".
static bool overlap(const char *a, const char *b) {
    size_t length = strcspn(a, ".@");
    if (length != strcspn(b, ".@") || memcmp(a, b, length) != 0)
        return false;
    a += strcspn(a, ".");
    b += strcspn(b, ".");
    return *a == '\0' || *b == '\0' || strcmp(a, b) == 0;
}

static bool same_address(const char *a, const char *b) {
    const char *p = strchr(a, '@'), *q = strchr(b, '@');
    return p && q ? strcmp(p, q) == 0 : p == q;
}

static void add_places(struct sketch *sketch, unsigned a, unsigned b) {
    bool range = in_set(sketch, BASE_SET_PF, a) && in_set(sketch, BASE_SET_M, b);
    bool memory = in_set(sketch, BASE_SET_M, a) && in_set(sketch, BASE_SET_M, b);
    if (range && (!sketch->place[a] || overlap(sketch->place[a], sketch->place[b])))
        sketch_edge(sketch, BASE_REL_APPLIES_TO, a, b);
    if (!memory || !sketch->place[a] || !sketch->place[b] ||
        !overlap(sketch->place[a], sketch->place[b]))
        return;
    sketch_edge(sketch, BASE_REL_LOC, a, b);
    if (same_address(sketch->place[a], sketch->place[b]))
        sketch_edge(sketch, BASE_REL_VLOC, a, b);
    if (strcmp(sketch->place[a], sketch->place[b]) == 0)
        sketch_edge(sketch, BASE_REL_SAME_EXTENT, a, b);
    if (a != b && in_set(sketch, BASE_SET_IW, a) && in_set(sketch, BASE_SET_W, b))
        sketch_edge(sketch, BASE_REL_CO, a, b);
}

static void add_proxies(struct sketch *sketch, unsigned a, unsigned b) {
    for (size_t i = 0; i < PROXIES; i++)
        if (in_set(sketch, proxies[i], a) && in_set(sketch, proxies[i], b))
            sketch_edge(sketch, BASE_REL_SAME_PROXY, a, b);
}

static void add_threads(struct sketch *sketch, unsigned a, unsigned b) {
    int s = sketch->thread[a], t = sketch->thread[b];
    if (s < 0 || t < 0)
        return;
    if (s == t && a < b)
        sketch_edge(sketch, BASE_REL_PO, a, b);
    if (a != b)
        sketch_edge(sketch, s == t ? BASE_REL_INT : BASE_REL_EXT, a, b);
    if (sketch->gpu[s] != sketch->gpu[t])
        return;
    sketch_edge(sketch, BASE_REL_SAME_GPU, a, b);
    if (sketch->cluster[s] != sketch->cluster[t])
        return;
    sketch_edge(sketch, BASE_REL_SAME_CLUSTER, a, b);
    if (sketch->cta[s] == sketch->cta[t])
        sketch_edge(sketch, BASE_REL_SAME_CTA, a, b);
}

void sketch_finish(struct sketch *sketch) {
    struct relation *relations = sketch->facts.relations;
    for (unsigned a = 0; a < sketch->count; a++) {
        sketch_edge(sketch, BASE_REL_ID, a, a);
        for (unsigned b = 0; b < sketch->count; b++) {
            add_proxies(sketch, a, b);
            add_places(sketch, a, b);
            add_threads(sketch, a, b);
        }
    }
    relation_close(&relations[BASE_REL_CO]);
    struct relation read_by = relation_new(sketch->arena, SKETCH_EVENTS);
    relation_inverse(&read_by, &relations[BASE_REL_RF]);
    relation_sequence(&relations[BASE_REL_FR], &read_by, &relations[BASE_REL_CO]);
    relation_intersection(&relations[BASE_REL_FR], &relations[BASE_REL_FR],
                          &relations[BASE_REL_LOC]);
}

static const char *names_of(struct sketch *sketch, const struct model *model, enum axiom_use use,
                            bool holds) {
    struct node_value *values = model_evaluate(sketch->arena, model, &sketch->facts);
    const char *names = "";
    for (size_t i = 0; i < model->axiom_count; i++) {
        const struct model_axiom *axiom = &model->axioms[i];
        if (axiom->use == use && model_axiom_holds(axiom, values) == holds)
            names = arena_format(sketch->arena, "%s%s%s", names, names[0] ? " " : "", axiom->name);
    }
    return names;
}

const char *failing(struct sketch *sketch, const struct model *model, enum axiom_use use) {
    return names_of(sketch, model, use, false);
}

const char *raised(struct sketch *sketch, const struct model *model) {
    return names_of(sketch, model, AXIOM_FLAG, true);
}
