// Reads the words for edges.
#include "generate/edge.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <string.h>

// What is left of a word that is being read.
struct edge_text {
    const char *at, *end;
};

static const char *const nearness_words[] = {
    [NEAR_CTA] = "cta", [NEAR_CLUSTER] = "cluster", [NEAR_GPU] = "gpu", [NEAR_SYSTEM] = "sys"};

const char *nearness_word(enum nearness nearness) {
    assert(nearness != NEAR_UNSAID);
    return nearness_words[nearness];
}

enum nearness nearness_read(const char *text, size_t length) {
    for (unsigned i = NEAR_CTA; i <= NEAR_SYSTEM; i++)
        if (strlen(nearness_words[i]) == length && strncmp(nearness_words[i], text, length) == 0)
            return (enum nearness)i;
    return NEAR_UNSAID;
}

// Takes a text from the beginning of what is left, if it is there.
static bool skip(struct edge_text *word, const char *text) {
    size_t length = strlen(text);
    if ((size_t)(word->end - word->at) < length || strncmp(word->at, text, length) != 0)
        return false;
    word->at += length;
    return true;
}

static bool is_over(const struct edge_text *word) {
    return word->at == word->end;
}

// access = "R" | "W" | "*"
static bool read_access(struct edge_text *word, enum access_kind *access) {
    if (skip(word, "R"))
        *access = ACCESS_READ;
    else if (skip(word, "W"))
        *access = ACCESS_WRITE;
    else if (skip(word, "*"))
        *access = ACCESS_ANY;
    else
        return false;
    return true;
}

// ("s" | "d") access access
static bool read_ends(struct edge_text *word, struct edge *edge) {
    if (skip(word, "s"))
        edge->is_same = true;
    else if (!skip(word, "d"))
        return false;
    return read_access(word, &edge->from) && read_access(word, &edge->to);
}

// ("i" | "e" ["." near])
static bool read_communication(struct edge_text *word, struct edge *edge, enum edge_kind kind) {
    edge->kind = kind;
    edge->is_same = true;
    edge->from = kind == EDGE_FR ? ACCESS_READ : ACCESS_WRITE;
    edge->to = kind == EDGE_RF ? ACCESS_READ : ACCESS_WRITE;
    if (skip(word, "i"))
        return is_over(word);
    if (!skip(word, "e"))
        return false;
    edge->is_external = true;
    if (skip(word, ".")) {
        edge->nearness = nearness_read(word->at, (size_t)(word->end - word->at));
        return edge->nearness != NEAR_UNSAID;
    }
    return is_over(word);
}

// ["s" | "d"] [access]
static bool read_dependency(struct edge_text *word, struct edge *edge, enum edge_kind kind) {
    edge->kind = kind;
    edge->from = ACCESS_READ;
    edge->to = kind == EDGE_DATA ? ACCESS_WRITE : ACCESS_ANY;
    edge->is_same = skip(word, "s");
    if (!edge->is_same)
        skip(word, "d");
    enum access_kind to = edge->to;
    if (read_access(word, &to) && to != ACCESS_ANY) {
        if (edge->to != ACCESS_ANY && edge->to != to)
            return false;
        edge->to = to;
    }
    return is_over(word);
}

// kind "." scope, or kind alone for proxies, and ["." ends]
static bool read_fence(struct arena *arena, struct edge_text *word, struct edge *edge,
                       bool is_proxy) {
    static const char *const kinds[] = {"sc", "acq_rel", "acquire", "release"};
    static const char *const proxies[] = {"alias", "async", "texture", "surface", "constant"};
    const char *const *names = is_proxy ? proxies : kinds;
    size_t count = is_proxy ? sizeof proxies / sizeof *proxies : sizeof kinds / sizeof *kinds;
    const char *kind = NULL, *scope = NULL;
    for (size_t i = 0; i < count && kind == NULL; i++)
        if (skip(word, names[i]))
            kind = names[i];
    edge->kind = EDGE_FENCE;
    for (unsigned i = NEAR_CTA; !is_proxy && kind != NULL && i <= NEAR_SYSTEM && scope == NULL;
         i++) {
        const char *text = arena_format(arena, ".%s", nearness_words[i]);
        if (skip(word, text))
            scope = nearness_words[i];
    }
    if (kind == NULL || (!is_proxy && scope == NULL))
        return false;
    edge->between = is_proxy ? arena_format(arena, "fence.proxy.%s", kind)
                             : arena_format(arena, "fence.%s.%s", kind, scope);
    return is_over(word) || (skip(word, ".") && read_ends(word, edge) && is_over(word));
}

static bool read_edge(struct arena *arena, struct edge_text *word, struct edge *edge) {
    static const struct {
        const char *text;
        enum edge_kind kind;
    } communications[] = {{"Rf", EDGE_RF}, {"Fr", EDGE_FR}, {"Co", EDGE_CO}, {"Ws", EDGE_CO}},
      dependencies[] = {{"DpAddr", EDGE_ADDR}, {"DpData", EDGE_DATA}, {"DpCtrl", EDGE_CTRL}};
    for (size_t i = 0; i < sizeof communications / sizeof *communications; i++)
        if (skip(word, communications[i].text))
            return read_communication(word, edge, communications[i].kind);
    for (size_t i = 0; i < sizeof dependencies / sizeof *dependencies; i++)
        if (skip(word, dependencies[i].text))
            return read_dependency(word, edge, dependencies[i].kind);
    if (skip(word, "Fence."))
        return read_fence(arena, word, edge, false);
    if (skip(word, "ProxyFence."))
        return read_fence(arena, word, edge, true);
    if (skip(word, "BarSync")) {
        edge->kind = EDGE_BAR;
        edge->is_external = true;
        edge->nearness = NEAR_CTA;
        return is_over(word) || (skip(word, ".") && read_ends(word, edge) && is_over(word));
    }
    if (skip(word, "Rmw")) {
        *edge = (struct edge){
            .kind = EDGE_RMW, .is_same = true, .from = ACCESS_READ, .to = ACCESS_WRITE};
        return is_over(word);
    }
    edge->kind = EDGE_PO;
    return skip(word, "Po") && read_ends(word, edge) && is_over(word);
}

bool edge_read(struct arena *arena, struct span span, struct edge *edge,
               struct diagnostics *diagnostics) {
    const char *text = span.source->text + span.begin;
    struct edge_text word = {text, span.source->text + span.end};
    *edge = (struct edge){0};
    bool read = read_edge(arena, &word, edge);
    edge->word = arena_strndup(arena, text, (size_t)(word.end - text));
    edge->span = span;
    if (!read) {
        diag_error(diagnostics, span, "'%s' is not an edge", edge->word);
        diag_hint(diagnostics,
                  "edges are Rfe Fre Coe (Rfi Fri Coi), PodWR and the like, PosWR, DpAddr DpData "
                  "DpCtrl, Fence.sc.gpu, ProxyFence.alias, BarSync and Rmw");
    }
    return read;
}

static const char *access_letter(enum access_kind access) {
    return access == ACCESS_READ ? "R" : access == ACCESS_WRITE ? "W" : "*";
}

const char *edge_word(struct arena *arena, const struct edge *edge) {
    const char *location = edge->is_same ? "s" : "d";
    const char *from = access_letter(edge->from), *to = access_letter(edge->to);
    static const char *const dependencies[] = {
        [EDGE_ADDR] = "DpAddr", [EDGE_DATA] = "DpData", [EDGE_CTRL] = "DpCtrl"};
    const char *near = edge->nearness == NEAR_UNSAID
                           ? ""
                           : arena_format(arena, ".%s", nearness_word(edge->nearness));
    switch (edge->kind) {
    case EDGE_RF: return arena_format(arena, "Rf%s%s", edge->is_external ? "e" : "i", near);
    case EDGE_FR: return arena_format(arena, "Fr%s%s", edge->is_external ? "e" : "i", near);
    case EDGE_CO: return arena_format(arena, "Co%s%s", edge->is_external ? "e" : "i", near);
    case EDGE_PO: return arena_format(arena, "Po%s%s%s", location, from, to);
    case EDGE_ADDR:
    case EDGE_DATA:
    case EDGE_CTRL: return arena_format(arena, "%s%s%s", dependencies[edge->kind], location, to);
    case EDGE_FENCE: {
        const char *name = edge->between + strlen("fence.");
        bool is_proxy = strncmp(name, "proxy.", strlen("proxy.")) == 0;
        return arena_format(arena, "%s.%s.%s%s%s", is_proxy ? "ProxyFence" : "Fence",
                            is_proxy ? name + strlen("proxy.") : name, location, from, to);
    }
    case EDGE_BAR: return arena_format(arena, "BarSync.%s%s%s", location, from, to);
    case EDGE_RMW: return "Rmw";
    }
    return NULL;
}
