// From a cat text to a model: its statements in order, its includes, its axioms.
#include "model/cat/model.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/builtin.h"
#include "model/cat/check.h"
#include "model/cat/invariants.h"
#include "model/cat/load.h"
#include "model/cat/names.h"

#include <string.h>

enum { INCLUDE_DEPTH_MAX = 16, INCLUDE_MAX = 100, RECURSIVE_MAX = 64 };

// A text that is being read, and the one that includes it.
struct open_text {
    const struct source *source;
    const char *identity;
    unsigned depth;
    const struct open_text *parent;
};

struct model_builder {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct checker checker;
    struct model_axiom *axioms;
    size_t axiom_count;
    size_t given_axioms; // of those: the ones that come with Dat3M's names
    unsigned includes;
    struct load_folders folders; // of files that may be included
};

static const char *read_text(struct model_builder *builder, const struct open_text *text);

// --- Definitions -------------------------------------------------------------------------------

static void define(struct model_builder *builder, struct cat_name name, struct cat_value value) {
    struct graph *graph = &builder->checker.graph;
    if ((value.kind == VALUE_SET || value.kind == VALUE_RELATION) && !graph->nodes[value.node].name)
        graph->nodes[value.node].name = name.text;
    scope_define(&builder->checker.scope, name.text, value);
}

// Whether two of the names are the same; then an error.
static bool check_distinct(struct model_builder *builder, const struct cat_name *names,
                           size_t count, struct cat_name name, const char *what) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i].text, name.text) == 0) {
            diag_error(builder->diagnostics, name.span, "%s '%s' twice", what, name.text);
            return false;
        }
    }
    return true;
}

static struct cat_value check_binding(struct model_builder *builder,
                                      const struct cat_binding *binding) {
    struct cat_value error = {.kind = VALUE_ERROR};
    if (!binding->body)
        return error;
    if (!binding->is_function)
        return check_expr(&builder->checker, binding->body);
    for (size_t i = 0; i < binding->parameter_count; i++)
        if (!check_distinct(builder, binding->parameters, i, binding->parameters[i],
                            "this function has the parameter"))
            return error;
    return check_function(&builder->checker, binding);
}

// The names of one statement, which must differ.
static bool check_names(struct model_builder *builder, const struct cat_statement *statement) {
    struct cat_name *names = ARENA_ARRAY(builder->arena, struct cat_name, statement->binding_count);
    bool ok = true;
    if (statement->binding_count > RECURSIVE_MAX) {
        diag_error(builder->diagnostics, statement->span, "one 'let' with more than %d names",
                   RECURSIVE_MAX);
        return false;
    }
    for (size_t i = 0; i < statement->binding_count; i++) {
        names[i] = statement->bindings[i].name;
        ok = check_distinct(builder, names, i, names[i], "one 'let' defines") && ok;
    }
    return ok;
}

// let a = ... and b = ...: no body sees the new names.
static void build_let(struct model_builder *builder, const struct cat_statement *statement) {
    size_t count = statement->binding_count;
    struct cat_value *values = ARENA_ARRAY(builder->arena, struct cat_value, count);
    bool ok = check_names(builder, statement);
    for (size_t i = 0; ok && i < count; i++)
        values[i] = check_binding(builder, &statement->bindings[i]);
    for (size_t i = 0; i < count; i++)
        define(builder, statement->bindings[i].name, values[i]); // VALUE_ERROR is zero
}

// --- Recursion ---------------------------------------------------------------------------------

// Defines the names of a `let rec` by their kinds alone, for the search for those kinds.
static void define_kinds(struct model_builder *builder, const struct cat_statement *statement,
                         const enum value_kind *kinds) {
    struct graph *graph = &builder->checker.graph;
    for (size_t i = 0; i < statement->binding_count; i++) {
        struct cat_value value = {.kind = kinds[i]};
        if (kinds[i] != VALUE_ANY)
            value.node =
                graph_node(graph, NODE_EMPTY, kinds[i] == VALUE_SET, 0, 0, statement->span);
        scope_define(&builder->checker.scope, statement->bindings[i].name.text, value);
    }
}

// Whether the names of a `let rec` are sets or relations: what their bodies are while the names may
// be anything, again for as long as that decides more. A name that stays undecided is a relation.
static void find_kinds(struct model_builder *builder, const struct cat_statement *statement,
                       enum value_kind *kinds) {
    struct diagnostics ignored; // the real check says them again
    struct checker *checker = &builder->checker;
    size_t expanded = checker->expanded;
    diagnostics_init(&ignored, builder->arena);
    checker->diagnostics = &ignored;
    bool progress = true;
    for (size_t i = 0; i < statement->binding_count; i++)
        kinds[i] = VALUE_ANY;
    while (progress) {
        progress = false;
        define_kinds(builder, statement, kinds);
        for (size_t i = 0; i < statement->binding_count; i++) {
            if (kinds[i] != VALUE_ANY)
                continue;
            struct cat_value value = check_expr(checker, statement->bindings[i].body);
            if (value.kind == VALUE_SET || value.kind == VALUE_RELATION) {
                kinds[i] = value.kind;
                progress = true;
            }
        }
    }
    for (size_t i = 0; i < statement->binding_count; i++)
        if (kinds[i] == VALUE_ANY)
            kinds[i] = VALUE_RELATION;
    checker->diagnostics = builder->diagnostics;
    checker->expanded = expanded;
}

static void build_bodies(struct model_builder *builder, const struct cat_statement *statement,
                         const enum value_kind *kinds) {
    struct graph *graph = &builder->checker.graph;
    unsigned *recursions = ARENA_ARRAY(builder->arena, unsigned, statement->binding_count);
    graph_open_group(graph);
    for (size_t i = 0; i < statement->binding_count; i++) {
        struct cat_name name = statement->bindings[i].name;
        recursions[i] = graph_recursion(graph, kinds[i] == VALUE_SET, name.text, name.span);
        define(builder, name, (struct cat_value){.kind = kinds[i], .node = recursions[i]});
    }
    for (size_t i = 0; i < statement->binding_count; i++) {
        const struct cat_binding *binding = &statement->bindings[i];
        const char *user = arena_format(builder->arena, "recursive '%s'", binding->name.text);
        unsigned body = 0;
        if (check_wanted(&builder->checker, binding->body, kinds[i], user, &body))
            graph_set_body(graph, recursions[i], body);
    }
    graph_close_group(graph);
}

// let rec a = ... and b = ...: the least sets or relations that satisfy all equations.
static void build_rec(struct model_builder *builder, const struct cat_statement *statement) {
    bool ok = check_names(builder, statement);
    for (size_t i = 0; i < statement->binding_count; i++) {
        const struct cat_binding *binding = &statement->bindings[i];
        ok = ok && binding->body;
        if (binding->is_function) {
            diag_error(builder->diagnostics, binding->name.span,
                       "the subset of cat that is read here leaves out recursive functions");
            ok = false;
        }
    }
    if (ok) {
        enum value_kind kinds[RECURSIVE_MAX];
        find_kinds(builder, statement, kinds);
        build_bodies(builder, statement, kinds);
        return;
    }
    for (size_t i = 0; i < statement->binding_count; i++)
        define(builder, statement->bindings[i].name, (struct cat_value){.kind = VALUE_ERROR});
}

// --- Other statements --------------------------------------------------------------------------

static void build_axiom(struct model_builder *builder, const struct cat_statement *statement) {
    static const char *const words[] = {"acyclic", "irreflexive", "empty"};
    const char *word = words[statement->axiom];
    struct model_axiom axiom = {.kind = statement->axiom,
                                .use = statement->use,
                                .negated = statement->negated,
                                .race = statement->race,
                                .undefined = statement->undefined,
                                .at_once = statement->at_once,
                                .in_any_program = statement->in_any_program,
                                .name = statement->name.text,
                                .span = statement->span};
    enum value_kind kind = axiom.kind == AXIOM_EMPTY ? VALUE_ANY : VALUE_RELATION;
    if (!axiom.name)
        axiom.name = arena_format(builder->arena, "%s-%zu", word,
                                  builder->axiom_count - builder->given_axioms + 1);
    const char *user = arena_format(builder->arena, "'%s'", word);
    if (check_wanted(&builder->checker, statement->exprs[0], kind, user, &axiom.node))
        ARENA_APPEND(builder->arena, builder->axioms, builder->axiom_count, axiom);
}

static void build_include(struct model_builder *builder, const struct cat_statement *statement,
                          const struct open_text *from) {
    if (++builder->includes > INCLUDE_MAX || from->depth == INCLUDE_DEPTH_MAX) {
        diag_error(builder->diagnostics, statement->span, "too many includes: at most %d, %d deep",
                   INCLUDE_MAX, INCLUDE_DEPTH_MAX);
        return;
    }
    const struct source *source = load_include(builder->arena, &builder->folders, from->source,
                                               statement->name, builder->diagnostics);
    if (!source)
        return;
    struct open_text text = {.source = source,
                             .identity = load_identity(builder->arena, source),
                             .depth = from->depth + 1,
                             .parent = from};
    for (const struct open_text *open = from; open; open = open->parent) {
        if (strcmp(open->identity, text.identity) == 0) {
            diag_error(builder->diagnostics, statement->name.span, "'%s' includes itself%s",
                       open->source->path, open == from ? "" : ", through this file");
            return;
        }
    }
    read_text(builder, &text);
}

static void build_statement(struct model_builder *builder, const struct cat_statement *statement,
                            const struct open_text *text) {
    switch (statement->kind) {
    case CAT_STATEMENT_LET: build_let(builder, statement); break;
    case CAT_STATEMENT_REC: build_rec(builder, statement); break;
    case CAT_STATEMENT_AXIOM: build_axiom(builder, statement); break;
    case CAT_STATEMENT_INCLUDE: build_include(builder, statement, text); break;
    case CAT_STATEMENT_SHOW: // without effect, but what it names must exist
        for (size_t i = 0; i < statement->expr_count; i++)
            (void)check_expr(&builder->checker, statement->exprs[i]);
        break;
    }
}

// Reads a built-in text that defines names.
static void read_names(struct model_builder *builder, const char *path, const char *names) {
    size_t before = builder->diagnostics->error_count;
    const struct source *source = source_from_text(builder->arena, path, names, strlen(names));
    read_text(builder, &(struct open_text){.source = source, .identity = source->path});
    if (builder->diagnostics->error_count > before)
        bug("%s: %s", path, builder->diagnostics->items[builder->diagnostics->count - 1].message);
}

// Parses and checks one text. Returns its title.
static const char *read_text(struct model_builder *builder, const struct open_text *text) {
    if (!load_check_size(text->source, builder->diagnostics))
        return "";
    const struct cat_file *file = cat_parse(builder->arena, text->source, builder->diagnostics);
    if (file->is_bare_ptx && !text->parent) { // an included text has the names of the including one
        read_names(builder, "<built-in>/dat3m-names.cat", builtin_dat3m_names);
        builder->given_axioms = builder->axiom_count;
    }
    for (size_t i = 0; i < file->count; i++)
        build_statement(builder, &file->statements[i], text);
    return file->title;
}

// Reads a text that adds to the model before it.
static void read_further(struct model_builder *builder, const char *name) {
    const struct source *source = load_further(builder->arena, name);
    if (!source)
        bug("no text '%s' of a simulated memory system", name);
    read_text(builder, &(struct open_text){.source = source, .identity = source->path});
}

// --- The model ---------------------------------------------------------------------------------

bool model_tests_variant(const struct model *model, const char *variant) {
    return strcmp(variant, MODEL_WHOLE_ACCESSES) == 0 ||
           variants_have(model->variants, model->variant_count, variant);
}

const struct model *model_in_any_program(struct arena *arena, const struct model *model) {
    struct model *reduced = ARENA_NEW(arena, struct model);
    *reduced = *model;
    reduced->axioms = ARENA_ARRAY(arena, struct model_axiom, model->axiom_count);
    reduced->axiom_count = 0;
    for (size_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].in_any_program && model->axioms[i].use == AXIOM_REQUIRED)
            reduced->axioms[reduced->axiom_count++] = model->axioms[i];
    return reduced->axiom_count == 0 ? NULL : reduced;
}

// Which base relations a union is of.
static void collect_members(const struct model *model, unsigned node, bool *members) {
    const struct model_node *n = &model->nodes[node];
    if (n->op == NODE_UNION) {
        collect_members(model, n->left, members);
        collect_members(model, n->right, members);
    } else if (n->op == NODE_BASE_RELATION) {
        members[n->base] = true;
    }
}

bool model_forbids_thin_air(const struct model *model) {
    for (size_t i = 0; i < model->axiom_count; i++) {
        bool members[BASE_REL_COUNT] = {false};
        if (model->axioms[i].use != AXIOM_REQUIRED || model->axioms[i].kind != AXIOM_ACYCLIC)
            continue;
        collect_members(model, model->axioms[i].node, members);
        if (members[BASE_REL_RF] && members[BASE_REL_ADDR] && members[BASE_REL_DATA] &&
            members[BASE_REL_CTRL])
            return true;
    }
    return false;
}

static struct model *finish(struct model_builder *builder, const struct source *source,
                            const char *title) {
    struct graph *graph = &builder->checker.graph;
    graph_prune(graph, builder->axioms, builder->axiom_count);
    struct model *model = ARENA_NEW(builder->arena, struct model);
    model->name = load_model_name(builder->arena, source->path);
    model->title = title;
    model->is_of_cpp = strncmp(title, "C++", 3) == 0;
    model->variants = builder->checker.variants.tested;
    model->variant_count = builder->checker.variants.tested_count;
    model->nodes = graph->nodes;
    model->node_count = graph->count;
    model->axioms = builder->axioms;
    model->axiom_count = builder->axiom_count;
    return model;
}

struct model *model_parse_with(struct arena *arena, const struct source *source,
                               const struct model_options *options,
                               struct diagnostics *diagnostics) {
    size_t before = diagnostics->error_count;
    struct model_builder builder = {
        .arena = arena,
        .diagnostics = diagnostics,
        .checker = {
            .arena = arena,
            .diagnostics = diagnostics,
            .variants = {.chosen = options->variants, .chosen_count = options->variant_count}}};
    graph_init(&builder.checker.graph, arena);
    scope_init(&builder.checker.scope, arena);
    names_define_base(&builder.checker);
    read_names(&builder, "<predefined>", names_predefined_text);
    // First: the model may give its names another meaning.
    if (variants_have(options->variants, options->variant_count, MODEL_WHOLE_ACCESSES))
        read_names(&builder, "<built-in>/whole-accesses.cat", builtin_whole_accesses);
    builder.given_axioms = builder.axiom_count;
    struct open_text text = {.source = source, .identity = load_identity(arena, source)};
    const char *title = "";
    if (load_find_folders(arena, source, options->folders, options->folder_count, &builder.folders,
                          diagnostics))
        title = read_text(&builder, &text);
    for (size_t i = 0; i < options->further_count; i++)
        read_further(&builder, options->further[i]);
    bool ok = diagnostics->error_count == before;
    if (ok && builder.axiom_count == builder.given_axioms)
        diag_warning(diagnostics, (struct span){source, 0, 0},
                     "this model has no axiom: it allows every candidate execution");
    struct model *model = ok ? finish(&builder, source, title) : NULL;
    for (size_t i = 0; model && i < options->further_count; i++)
        model->name =
            arena_format(arena, "%s+%s", model->name, load_model_name(arena, options->further[i]));
    graph_free(&builder.checker.graph);
    scope_free(&builder.checker.scope);
    if (model)
        model_assert(model);
    return model;
}

struct model *model_parse(struct arena *arena, const struct source *source,
                          struct diagnostics *diagnostics) {
    return model_parse_with(arena, source, &(struct model_options){0}, diagnostics);
}

// --- By name -----------------------------------------------------------------------------------

static void fail_unknown(struct arena *arena, const char *name, struct diagnostics *diagnostics) {
    size_t count;
    const struct builtin_model *models = model_builtins(&count);
    const char **names = ARENA_ARRAY(arena, const char *, count);
    const char *list = "";
    for (size_t i = 0; i < count; i++) {
        names[i] = models[i].name;
        list = arena_format(arena, "%s%s%s", list, i > 0 ? ", " : "", names[i]);
    }
    diag_error_path(diagnostics, name, "no model has this name");
    const char *nearest = diag_nearest(name, strlen(name), names, count);
    if (nearest)
        diag_hint(diagnostics, "did you mean '%s'?", nearest);
    else
        diag_hint(diagnostics, "the built-in models are %s; a path has a '/' or ends in .cat",
                  list);
}

struct model *model_load_with(struct arena *arena, const char *name_or_path,
                              const struct model_options *options,
                              struct diagnostics *diagnostics) {
    bool is_path = load_is_path(name_or_path);
    const struct source *source =
        is_path ? source_read(arena, name_or_path, diagnostics) : load_builtin(arena, name_or_path);
    if (!source && !is_path)
        fail_unknown(arena, name_or_path, diagnostics);
    return source ? model_parse_with(arena, source, options, diagnostics) : NULL;
}

struct model *model_load(struct arena *arena, const char *name_or_path,
                         struct diagnostics *diagnostics) {
    return model_load_with(arena, name_or_path, &(struct model_options){0}, diagnostics);
}
