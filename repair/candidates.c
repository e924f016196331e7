// A queue of choices by cost. A choice that some rejected one covers is replaced by those that are
// just strong enough, in one place, not to be covered; so none is tried of which the answer is
// known, and every choice that does is reached from a weaker one.
#include "repair/candidates.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/containers.h"
#include "repair/strength.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 500000, FORMS_MAX = 255 };

struct candidate_node {
    unsigned cost, rank;
    UT_hash_handle hh;
    unsigned char forms[];
};

struct choice_list {
    unsigned char **items;
    size_t count;
};

struct candidates {
    struct arena *arena; // that owns what follows, but for the queue
    const struct changes *changes;
    size_t n;
    unsigned char *first;
    bool *monotone;
    bool **covers;                 // by place: a matrix of its forms, row covers column
    struct candidate_node *known;  // all that were ever queued
    struct candidate_node **queue; // a heap, the cheapest first
    size_t count, capacity;
    struct choice_list rejected, accepted;
    struct candidate_node *last;
    unsigned char *forms; // of the choice at hand
    bool cut;
};

// --- Forms -------------------------------------------------------------------------------------

static bool covers(const struct candidates *c, size_t place, unsigned form, unsigned other) {
    assert(place < c->n);
    return c->covers[place][form * c->changes->places[place].form_count + other];
}

// Whether a choice is covered by another one in every place.
static bool is_within(const struct candidates *c, const unsigned char *choice,
                      const unsigned char *other) {
    for (size_t i = 0; i < c->n; i++)
        if (!covers(c, i, other[i], choice[i]))
            return false;
    return true;
}

// As is_within for one that does: a place that it leaves alone is covered by every form.
static bool includes(const struct candidates *c, const unsigned char *choice,
                     const unsigned char *accepted) {
    for (size_t i = 0; i < c->n; i++)
        if (accepted[i] != c->first[i] && !covers(c, i, choice[i], accepted[i]))
            return false;
    return true;
}

static void fill_covers(struct candidates *c, size_t place) {
    assert(place < c->n);
    const struct change_place *p = &c->changes->places[place];
    // A wait for more groups has no execution that one for fewer has not.
    bool ordered = c->monotone[place] || p->kind == CHANGE_WAIT;
    c->covers[place] = ARENA_ARRAY(c->arena, bool, p->form_count * p->form_count);
    for (size_t a = 0; a < p->form_count; a++)
        for (size_t b = 0; b < p->form_count; b++)
            c->covers[place][a * p->form_count + b] =
                a == b || (ordered && change_covers(&p->forms[a], &p->forms[b]));
}

// What the form of a place costs beyond another one.
static unsigned cost_of_form(const struct change_place *place, size_t form, size_t first) {
    unsigned now = place->forms[form].cost, was = place->forms[first].cost;
    return now > was ? now - was : 0;
}

unsigned candidates_cost(const struct changes *changes, const size_t *first, const size_t *choice) {
    unsigned cost = 0;
    for (size_t i = 0; i < changes->count; i++)
        cost += cost_of_form(&changes->places[i], choice[i], first[i]);
    return cost;
}

// --- The queue ---------------------------------------------------------------------------------

static bool precedes(const struct candidates *c, const struct candidate_node *a,
                     const struct candidate_node *b) {
    if (a->cost != b->cost)
        return a->cost < b->cost;
    if (a->rank != b->rank)
        return a->rank < b->rank;
    return memcmp(a->forms, b->forms, c->n) < 0;
}

static void push(struct candidates *c, struct candidate_node *node) {
    if (c->count == c->capacity) {
        c->capacity = c->capacity == 0 ? 64 : 2 * c->capacity;
        c->queue = reallocate(c->queue, c->capacity, sizeof *c->queue);
    }
    size_t at = c->count++;
    while (at > 0 && precedes(c, node, c->queue[(at - 1) / 2])) {
        c->queue[at] = c->queue[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    c->queue[at] = node;
}

static struct candidate_node *pop(struct candidates *c) {
    if (c->count == 0)
        return NULL;
    struct candidate_node *top = c->queue[0], *moved = c->queue[--c->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= c->count)
            break;
        if (child + 1 < c->count && precedes(c, c->queue[child + 1], c->queue[child]))
            child++;
        if (!precedes(c, c->queue[child], moved))
            break;
        c->queue[at] = c->queue[child];
        at = child;
    }
    if (c->count > 0)
        c->queue[at] = moved;
    return top;
}

static void add_node(struct candidates *c, const unsigned char *forms) {
    struct candidate_node *node = NULL;
    HASH_FIND(hh, c->known, forms, c->n + 1, node);
    if (node != NULL)
        return;
    if (HASH_COUNT(c->known) >= NODES_MAX) {
        c->cut = true;
        return;
    }
    node = arena_alloc(c->arena, sizeof *node + c->n + 1);
    memcpy(node->forms, forms, c->n);
    for (size_t i = 0; i < c->n; i++) {
        const struct change_place *place = &c->changes->places[i];
        node->cost += cost_of_form(place, forms[i], c->first[i]);
        node->rank += change_rank(&place->forms[forms[i]]);
    }
    HASH_ADD(hh, c->known, forms[0], c->n + 1, node);
    push(c, node);
}

// --- The search --------------------------------------------------------------------------------

// Whether a form is the least that covers one form and is not covered by another: no form between
// does as well.
static bool is_least(const struct candidates *c, size_t place, unsigned form, unsigned from,
                     unsigned most) {
    size_t count = c->changes->places[place].form_count;
    for (unsigned f = 0; f < count; f++)
        if (f != form && covers(c, place, form, f) && covers(c, place, f, from) &&
            !covers(c, place, most, f))
            return false;
    return true;
}

// Queues the choices that are just strong enough not to be covered by a rejected one.
static void expand(struct candidates *c, const struct candidate_node *node,
                   const unsigned char *most) {
    unsigned char *forms = memcpy(c->forms, node->forms, c->n);
    for (size_t i = 0; i < c->n; i++) {
        unsigned from = node->forms[i];
        bool open = !c->monotone[i] && from == c->first[i];
        for (unsigned f = 0; f < c->changes->places[i].form_count; f++) {
            bool more = open ? f != from : f != from && covers(c, i, f, from);
            if (!more || covers(c, i, most[i], f) || (!open && !is_least(c, i, f, from, most[i])))
                continue;
            forms[i] = (unsigned char)f;
            add_node(c, forms);
        }
        forms[i] = node->forms[i];
    }
}

// Keeps the forms of a choice in a list, and returns them.
static const unsigned char *keep(struct candidates *c, struct choice_list *list,
                                 const unsigned char *forms) {
    unsigned char *copy = arena_copy(c->arena, forms, c->n + 1, 1);
    ARENA_APPEND(c->arena, list->items, list->count, copy);
    return copy;
}

bool candidates_next(struct candidates *c, size_t *choice) {
    for (struct candidate_node *node; (node = pop(c)) != NULL;) {
        bool known = false;
        for (size_t i = 0; i < c->accepted.count && !known; i++)
            known = includes(c, node->forms, c->accepted.items[i]);
        for (size_t i = 0; i < c->rejected.count && !known; i++)
            if (is_within(c, node->forms, c->rejected.items[i])) {
                known = true;
                expand(c, node, c->rejected.items[i]);
            }
        if (known)
            continue;
        for (size_t i = 0; i < c->n; i++)
            choice[i] = node->forms[i];
        c->last = node;
        return true;
    }
    return false;
}

// The forms of a choice.
static const unsigned char *forms_of(const struct candidates *c, const size_t *choice) {
    for (size_t i = 0; i < c->n; i++)
        c->forms[i] = (unsigned char)choice[i];
    return c->forms;
}

void candidates_reject(struct candidates *c, const size_t *most) {
    const unsigned char *forms = keep(c, &c->rejected, forms_of(c, most));
    if (c->last != NULL) {
        assert(is_within(c, c->last->forms, forms));
        expand(c, c->last, forms);
    }
    c->last = NULL;
}

void candidates_accept(struct candidates *c) {
    keep(c, &c->accepted, c->last->forms);
    c->last = NULL;
}

void candidates_skip(struct candidates *c) {
    expand(c, c->last, c->last->forms);
    c->last = NULL;
}

void candidates_again(struct candidates *c) {
    if (c->last != NULL)
        push(c, c->last);
    c->last = NULL;
}

void candidates_include(struct candidates *c, const size_t *choice) {
    keep(c, &c->accepted, forms_of(c, choice));
}

bool candidates_refute(const struct candidates *c, const size_t *choice) {
    const unsigned char *forms = forms_of(c, choice);
    for (size_t i = 0; i < c->rejected.count; i++)
        if (is_within(c, forms, c->rejected.items[i]))
            return true;
    return false;
}

bool candidates_cut(const struct candidates *c) {
    return c->cut;
}

struct candidates *candidates_new(const struct changes *changes, const size_t *first,
                                  const bool *monotone) {
    struct arena *arena = arena_new();
    struct candidates *c = ARENA_NEW(arena, struct candidates);
    *c = (struct candidates){.arena = arena, .changes = changes, .n = changes->count};
    c->first = ARENA_ARRAY(arena, unsigned char, c->n + 1);
    c->forms = ARENA_ARRAY(arena, unsigned char, c->n + 1);
    c->monotone = arena_copy(arena, monotone, c->n, sizeof *monotone);
    c->covers = ARENA_ARRAY(arena, bool *, c->n + 1);
    for (size_t i = 0; i < c->n; i++) {
        assert(changes->places[i].form_count <= FORMS_MAX);
        c->first[i] = (unsigned char)first[i];
        fill_covers(c, i);
    }
    add_node(c, c->first);
    return c;
}

void candidates_free(struct candidates *c) {
    if (c == NULL)
        return;
    HASH_CLEAR(hh, c->known);
    free(c->queue);
    arena_free(c->arena);
}
