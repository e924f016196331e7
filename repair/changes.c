// The places of a test: what its instructions are, and the points between them.
#include "repair/changes.h"

#include "litmus/readers/module/module.h"
#include "litmus/readers/module/origin.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "repair/forms.h"
#include "repair/places.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- The test ----------------------------------------------------------------------------------

// Which scopes contain threads that the next smaller one does not, for some thread of the test.
static void find_scopes(const struct test *test, bool *scopes) {
    memset(scopes, 0, (SCOPE_SYS + 1) * sizeof *scopes);
    scopes[SCOPE_CTA] = true;
    for (size_t a = 0; a < test->thread_count; a++)
        for (size_t b = 0; b < a; b++) {
            const struct place *p = &test->threads[a].place, *q = &test->threads[b].place;
            enum scope scope = SCOPE_CTA;
            while (scope < SCOPE_SYS && !test_scope_contains(scope, p, q))
                scope++;
            scopes[scope] = true;
        }
}

static const struct source *file_of(const struct source *source) {
    while (source->origin != NULL)
        source = source->origin;
    return source;
}

// --- Places ------------------------------------------------------------------------------------

// A fence whose strength may change: not one that is restricted to some memory.
static bool is_plain_fence(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_FENCE &&
           !opcode_is_proxy_fence(instruction->opcode) && instruction->fence.space == SPACE_GENERIC;
}

// The proxy of an access through a variable's name; GENERIC where its address is computed.
static enum proxy proxy_of(const struct test *test, const struct instruction *instruction) {
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const struct operand *operand = &instruction->operands[i];
        if (operand->kind != OPERAND_MEMORY || operand->variable < 0)
            continue;
        const struct variable *variable = &test->variables[operand->variable];
        if (variable->alias_of >= 0 && variable->alias_proxy != PROXY_GENERIC)
            return variable->alias_proxy;
    }
    return instruction->proxy;
}

// What is there already.
static void find_at(struct place_search *search, size_t thread, size_t index) {
    const struct instruction *instruction = &search->test->threads[thread].instructions[index];
    struct change_place place = place_at(search, CHANGE_ACCESS, thread, index);
    if (place.span.source != search->changes->file || place.span.begin == place.span.end)
        return;
    if (instruction_accesses(instruction)) {
        if (instruction->is_mmio || proxy_of(search->test, instruction) != PROXY_GENERIC)
            return;
        forms_of_access(search, &place, instruction);
    } else if (is_plain_fence(instruction)) {
        place.kind = CHANGE_FENCE;
        forms_of_fence(search, &place, instruction);
    } else if (opcode_is_proxy_fence(instruction->opcode)) {
        place.kind = CHANGE_PROXY_FENCE;
        forms_of_proxy_fence(search, &place, instruction);
    } else if (instruction->barrier == BARRIER_CLUSTER_ARRIVE) {
        place.kind = CHANGE_ARRIVAL;
        forms_of_arrival(search, &place, instruction);
    }
    place_add(search, &place);
}

// What a thread does around a point.
struct change_point {
    bool reads, writes; // some read (or wait) precedes, some write (or arrival) follows
    bool loops;         // the thread goes back somewhere: what precedes may follow too
    bool is_first;      // nothing precedes, unless another grid
};

// The proxies of what an asynchronous operation does (PTX ISA 8.6): of its accesses to other than
// tensor memory, and of a copy of a tensor, of the tensormap, too.
static void add_async_proxies(const struct instruction *instruction, bool *proxies) {
    if (opcode_has(instruction->opcode, TRAIT_MAPPED))
        proxies[PROXY_TENSORMAP] = true;
    if (opcode_family(instruction->opcode) != FAMILY_TENSOR ||
        instruction_has_descriptors(instruction))
        proxies[opcode_proxy(instruction->opcode)] = true;
}

// Which proxies a test accesses memory through, besides the generic one; PROXY_ALIAS: a variable
// has two names.
static void find_proxies(const struct test *test, bool *proxies) {
    memset(proxies, 0, PROXY_COUNT * sizeof *proxies);
    for (size_t i = 0; i < test->variable_count; i++)
        if (test->variables[i].alias_of >= 0 && test->variables[i].alias_proxy == PROXY_GENERIC)
            proxies[PROXY_ALIAS] = true;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (instruction_accesses(&test->threads[t].instructions[i])) {
                proxies[proxy_of(test, &test->threads[t].instructions[i])] = true;
                add_async_proxies(&test->threads[t].instructions[i], proxies);
            }
    proxies[PROXY_GENERIC] = false;
}

// What a fence that acquires a tensormap through this variable names: the object of a tensormap, or
// what a name of the tensormap proxy means; NULL for other variables.
static const char *tensormap_name(const struct test *test, const struct variable *variable) {
    if (variable->tensor != NULL)
        return variable->name;
    return variable->alias_of >= 0 && variable->alias_proxy == PROXY_TENSORMAP
               ? test->variables[variable->alias_of].name
               : NULL;
}

static void add_new_proxy_fence(struct place_search *search, struct change_place place,
                                enum proxy proxy, enum access_order order, const char *variable) {
    place.kind = CHANGE_NEW_PROXY_FENCE;
    place.proxy = proxy;
    forms_of_new_proxy_fence(search, &place, order, variable);
    place_add(search, &place);
}

// Fences of the fabric proxy lead one way each; between handles, where there are several.
static void add_fabric_fences(struct place_search *search, struct change_place place) {
    static const char *const kinds[] = {".generic::fabric.alias", ".fabric::generic.alias",
                                        ".fabric::fabric.alias"};
    size_t handles = 0;
    for (size_t i = 0; i < search->test->variable_count; i++)
        handles += search->test->variables[i].alias_of >= 0 &&
                   search->test->variables[i].alias_proxy == PROXY_FABRIC;
    for (size_t kind = 0; kind < (handles > 1 ? 3 : 2); kind++) {
        add_new_proxy_fence(search, place, PROXY_FABRIC, ORDER_RELEASE, kinds[kind]);
        add_new_proxy_fence(search, place, PROXY_FABRIC, ORDER_ACQUIRE, kinds[kind]);
    }
}

// The points before an instruction.
static void find_before(struct place_search *search, size_t thread, size_t index,
                        const struct change_point *point, const bool *proxies) {
    struct change_place place = place_at(search, CHANGE_NEW_FENCE, thread, index);
    place.span = place.statement;
    place.span.end = place.span.begin;
    if (place.span.source != search->changes->file)
        return;
    struct change_place fence = place;
    if (!point->is_first) {
        forms_of_new_fence(search, &fence, point->reads || point->loops,
                           point->writes || point->loops);
        place_add(search, &fence);
    }
    for (enum proxy proxy = 0; proxy < PROXY_COUNT; proxy++) {
        if (!proxies[proxy])
            continue;
        if (proxy == PROXY_FABRIC) {
            add_fabric_fences(search, place);
            continue;
        }
        if (proxy != PROXY_TENSORMAP) {
            add_new_proxy_fence(search, place, proxy, ORDER_NONE, NULL);
            continue;
        }
        add_new_proxy_fence(search, place, proxy, ORDER_RELEASE, NULL);
        for (size_t i = 0; i < search->test->variable_count; i++) {
            const char *name = tensormap_name(search->test, &search->test->variables[i]);
            if (name != NULL)
                add_new_proxy_fence(search, place, proxy, ORDER_ACQUIRE, name);
        }
    }
}

static bool writes_from(const struct thread *thread, size_t index) {
    assert(index <= thread->instruction_count);
    for (size_t i = index; i < thread->instruction_count; i++)
        if ((opcode_effects(thread->instructions[i].opcode) & (EFFECT_WRITES | EFFECT_BARRIER)) !=
            0)
            return true;
    return false;
}

static void find_in_thread(struct place_search *search, size_t t, const bool *proxies) {
    const struct thread *thread = &search->test->threads[t];
    struct change_point point = {.loops = thread_loops(thread), .is_first = true};
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *instruction = &thread->instructions[i];
        find_at(search, t, i);
        // What a product of matrices comes after has to precede the wgmma.fence before it.
        if (!instruction_accesses(instruction) && instruction->barrier == BARRIER_NONE &&
            !instruction_is_wgmma_fence(instruction))
            continue;
        point.writes = writes_from(thread, i);
        if ((!point.is_first || search->test->grid_order_count > 0) &&
            search->options->direction == CHANGES_UP)
            find_before(search, t, i, &point, proxies);
        point.reads = point.reads || instruction->barrier != BARRIER_NONE ||
                      (opcode_effects(instruction->opcode) & EFFECT_READS) != 0;
        point.is_first = false;
    }
}

static void find_in_threads(struct place_search *search, const bool *proxies) {
    struct changes *changes = search->changes;
    for (size_t t = 0; t < search->test->thread_count; t++) {
        size_t first = place_first_thread(search->test, t);
        if (first == t)
            find_in_thread(search, t, proxies);
        for (size_t i = 0; first != t && i < changes->count; i++)
            changes->places[i].is_shared |= changes->places[i].thread == (int)first;
    }
}

// Barriers, waits and corrections are PTX's, and only put in or made stronger.
static void find_apart(struct place_search *search) {
    if (search->options->direction != CHANGES_UP || search->test->dialect != DIALECT_PTX)
        return;
    barriers_find(search);
    waits_find(search);
    if (search->options->corrects)
        corrections_find(search);
}

static int compare_places(const void *left, const void *right) {
    const struct change_place *a = left, *b = right;
    if (a->span.begin != b->span.begin)
        return (a->span.begin > b->span.begin) - (a->span.begin < b->span.begin);
    if (a->kind != b->kind)
        return (a->kind > b->kind) - (a->kind < b->kind);
    if (a->proxy != b->proxy)
        return (a->proxy > b->proxy) - (a->proxy < b->proxy);
    enum access_order p = a->forms[1].order, q = b->forms[1].order;
    if (p != q)
        return (p > q) - (p < q);
    return strcmp(a->forms[1].text, b->forms[1].text);
}

// What changes.h says of places: in the order of the file, each with forms of which one is written.
static void assert_places(const struct changes *changes) {
    for (size_t i = 0; i < changes->count; i++) {
        const struct change_place *place = &changes->places[i];
        assert(place->thread >= 0 && (size_t)place->thread < changes->test->thread_count);
        assert(place->instruction <= changes->test->threads[place->thread].instruction_count);
        assert(place->written < place->form_count);
        assert(place->span.source == changes->file);
        assert(i == 0 || place[-1].span.begin <= place->span.begin);
        for (size_t k = 0; k < place->form_count; k++)
            assert(place->forms[k].is_present || *place->forms[k].text == '\0');
    }
}

// Where an instruction of a thread comes from, as text; NULL at the thread's end, or where that is
// not known.
static const char *origin_at(const struct place_search *search, int thread, size_t instruction) {
    const struct thread *t = &search->test->threads[thread];
    if (instruction >= t->instruction_count)
        return NULL;
    struct line_origin origin = origin_of(search->arena, &t->instructions[instruction]);
    return origin_text(search->arena, &origin);
}

// Where a module's instructions come from, by its .loc directives.
static void find_origins(const struct place_search *search) {
    struct changes *changes = search->changes;
    if (!module_recognise(changes->file))
        return;
    for (size_t i = 0; i < changes->count; i++) {
        struct change_place *place = &changes->places[i];
        place->origin = origin_at(search, place->thread, place->instruction);
        for (size_t f = 0; f < place->form_count; f++)
            for (size_t k = 0; k < place->forms[f].insert_count; k++) {
                struct change_insert *insert = &place->forms[f].inserts[k];
                insert->origin = origin_at(search, insert->thread, insert->instruction);
            }
    }
}

struct changes *changes_find(struct arena *arena, const struct test *test,
                             const struct change_options *options,
                             struct diagnostics *diagnostics) {
    bool proxies[PROXY_COUNT];
    struct change_options own = *options;
    if (test->dialect == DIALECT_CPP) {
        diag_error_path(diagnostics, test->source->path,
                        "changes are made to tests in PTX, not in C++");
        return NULL;
    }
    if (test->dialect == DIALECT_NVLITMUS && test->source->origin != NULL) {
        diag_error_path(diagnostics, test->source->path,
                        "a template makes this test: its rows share their instructions, and no "
                        "change is made to all of them");
        return NULL;
    }
    own.dialect = test->dialect;
    struct changes *changes = ARENA_NEW(arena, struct changes);
    *changes = (struct changes){
        .test = test, .file = file_of(test->source), .direction = options->direction};
    struct place_search search = {
        .arena = arena, .test = test, .options = &own, .changes = changes};
    find_scopes(test, search.scopes);
    find_proxies(test, proxies);
    find_in_threads(&search, proxies);
    find_apart(&search);
    if (changes->count > 0)
        qsort(changes->places, changes->count, sizeof *changes->places, compare_places);
    assert_places(changes);
    find_origins(&search);
    return changes;
}

bool change_is_apart(const struct change_place *place) {
    return place->kind == CHANGE_BARRIER || place->kind == CHANGE_WAIT ||
           place->kind == CHANGE_CORRECTION;
}

size_t *changes_as_written(struct arena *arena, const struct changes *changes) {
    size_t *choice = ARENA_ARRAY(arena, size_t, changes->count + 1);
    for (size_t i = 0; i < changes->count; i++)
        choice[i] = changes->places[i].written;
    return choice;
}

// --- Words -------------------------------------------------------------------------------------

static const char *where_of(struct arena *arena, const struct changes *changes, int thread,
                            bool is_shared, struct span span, const char *origin) {
    unsigned line = source_position(changes->file, span.begin).line;
    const char *number =
        is_shared ? "" : arena_format(arena, "P%u, ", changes->test->threads[thread].number);
    return origin == NULL ? arena_format(arena, "%sline %u", number, line)
                          : arena_format(arena, "%sline %u (%s)", number, line, origin);
}

const char *change_where(struct arena *arena, const struct changes *changes, size_t index) {
    assert(index < changes->count);
    const struct change_place *place = &changes->places[index];
    return where_of(arena, changes, place->thread, place->is_shared, place->span, place->origin);
}

const char *change_describe_insert(struct arena *arena, const struct changes *changes,
                                   const struct change_insert *insert) {
    assert(insert->where != INSERT_FOR || insert->was != NULL);
    const char *where =
        where_of(arena, changes, insert->thread, insert->is_shared, insert->span, insert->origin);
    switch (insert->where) {
    case INSERT_BEFORE: return arena_format(arena, "%s: '%s' before it", where, insert->text);
    case INSERT_AFTER: return arena_format(arena, "%s: '%s' after it", where, insert->text);
    case INSERT_FOR: break;
    }
    const char *note = insert->note ? arena_format(arena, " (%s)", insert->note) : "";
    return arena_format(arena, "%s: '%s' for '%s'%s", where, insert->text, insert->was, note);
}

static const char *describe_inserts(struct arena *arena, const struct changes *changes,
                                    const struct change_form *form) {
    const char *text = "";
    for (size_t i = 0; i < form->insert_count; i++)
        text = arena_format(arena, "%s%s%s", text, i > 0 ? "; " : "",
                            change_describe_insert(arena, changes, &form->inserts[i]));
    return text;
}

// The statements of a correction that are put in at one point, as one text.
static const char *describe_correction(struct arena *arena, const struct changes *changes,
                                       const struct change_form *form) {
    struct change_form joined = {.insert_count = 0};
    struct change_insert *inserts = ARENA_ARRAY(arena, struct change_insert, form->insert_count);
    for (size_t i = 0; i < form->insert_count; i++) {
        const struct change_insert *next = &form->inserts[i];
        struct change_insert *last = &inserts[joined.insert_count - (joined.insert_count > 0)];
        if (joined.insert_count > 0 && next->where == INSERT_BEFORE &&
            last->where == INSERT_BEFORE && last->span.begin == next->span.begin)
            last->text = arena_format(arena, "%s; %s", last->text, next->text);
        else
            inserts[joined.insert_count++] = *next;
    }
    joined.inserts = inserts;
    return describe_inserts(arena, changes, &joined);
}

const char *change_describe(struct arena *arena, const struct changes *changes, size_t index,
                            size_t form) {
    assert(index < changes->count);
    const struct change_place *place = &changes->places[index];
    assert(form < place->form_count);
    if (form == place->written)
        return NULL;
    if (place->kind == CHANGE_CORRECTION)
        return describe_correction(arena, changes, &place->forms[form]);
    if (change_is_apart(place))
        return describe_inserts(arena, changes, &place->forms[form]);
    const struct change_form *now = &place->forms[form], *was = &place->forms[place->written];
    const char *where = change_where(arena, changes, index);
    if (!was->is_present)
        return arena_format(arena, "%s: '%s' before it", where, now->text);
    if (!now->is_present)
        return arena_format(arena, "%s: without its '%s'", where, was->text);
    return arena_format(arena, "%s: '%s' for '%s'", where, now->text, was->text);
}
