// A memory model as the checker leaves it: names are gone, every expression is a node of a graph.
//
// The text of the language (a subset of herd's cat) is described in model/README.md. model_parse
// reads, checks and resolves it; solver/ and model_evaluate work on the graph.
#ifndef PTXLITMUS_MODEL_H
#define PTXLITMUS_MODEL_H

#include "litmus/source/source.h"
#include "model/cat/relation.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;

enum base_set {
#define BASE_SET(id, name, doc) BASE_SET_##id,
#define BASE_RELATION(id, name, doc)
#include "model/cat/base.def"
#undef BASE_SET
#undef BASE_RELATION
    BASE_SET_COUNT
};

enum base_relation {
#define BASE_SET(id, name, doc)
#define BASE_RELATION(id, name, doc) BASE_REL_##id,
#include "model/cat/base.def"
#undef BASE_SET
#undef BASE_RELATION
    BASE_REL_COUNT
};

// Operands are nodes with smaller indices, except that of NODE_RECURSION, whose `left` (the body)
// is larger. The recursions of one `let rec` are neighbours; their equations follow immediately,
// and end with the largest `left`. Each expression occurs once. Set nodes and relation nodes share
// the operators UNION to COMPLEMENT and EMPTY.
enum node_op {
    NODE_BASE_SET,      // `base`
    NODE_BASE_RELATION, // `base`
    NODE_EMPTY,
    NODE_UNIVERSE, // `_`: all events
    NODE_UNION,
    NODE_INTERSECTION,
    NODE_DIFFERENCE,
    NODE_COMPLEMENT,
    NODE_SEQUENCE,  // r ; s
    NODE_PRODUCT,   // A * B
    NODE_INVERSE,   // r^-1
    NODE_PLUS,      // r+
    NODE_STAR,      // r*  (reflexive over all events)
    NODE_OPTION,    // r?  (reflexive over all events)
    NODE_IDENTITY,  // [A]
    NODE_DOMAIN,    // set
    NODE_RANGE,     // set
    NODE_RECURSION, // the least fixed point of a `let rec` name; `left` is its body
};

struct model_node {
    enum node_op op;
    bool is_set;
    unsigned base; // enum base_set or enum base_relation
    unsigned left, right;
    struct span span; // where it is first written; without a source for a base name
    const char *name; // the `let` name that it is the value of, or the base name, or NULL
    bool recursive;   // a NODE_RECURSION, or part of the equations of its `let rec` and dependent
                      // on it; users of the closed fixed point are not
};

enum axiom_kind { AXIOM_ACYCLIC, AXIOM_IRREFLEXIVE, AXIOM_EMPTY };

// What an axiom's failure means.
enum axiom_use {
    AXIOM_REQUIRED, // the execution is not allowed
    AXIOM_FLAG,     // `flag ~empty r as name`: the run reports the name, and what else it says
    AXIOM_DEFINED,  // `undefined_unless empty r as name`: the model does not describe the program
};

struct model_axiom {
    enum axiom_kind kind;
    enum axiom_use use;
    bool negated;   // `~empty r`; only with AXIOM_FLAG, as the next three
    bool race;      // `flag race`: the pairs are races
    bool undefined; // `flag undefined`: what the axioms exclude may happen in such a program
    // `flag at_once`: what it is about is there as soon as its events are, so that an execution has
    // it which never ends, too. (Others are about what a thread does before its end.)
    bool at_once;
    // `in_any_program`: of AXIOM_REQUIRED, it holds where a flag leaves the program undefined; of
    // such a flag, that is so for the program that it is about.
    bool in_any_program;
    unsigned node;
    const char *name; // of `as name`; never NULL ("acyclic-3" when the text gives none)
    struct span span;
};

struct model {
    const char *name;  // "ptx-9.1": the file's name without folder and .cat; "ptx-9.1+sc" with a
                       // further text
    const char *title; // the text's first line or quoted string
    bool is_of_cpp;    // the title begins with "C++": it is about tests in C++, not in PTX
    const char **variants; // that the text tests with `if`, each once, chosen or not
    size_t variant_count;
    struct model_node *nodes;
    size_t node_count;
    struct model_axiom *axioms;
    size_t axiom_count;
};

// A variant of every model: under it, the axioms of whole-accesses.cat are added (memory-model:
// torn accesses).
#define MODEL_WHOLE_ACCESSES "whole-accesses"

// What a text may be read with. Zero is the default: no variant is chosen.
struct model_options {
    const char *const *variants; // the names for which `if "name" then a else b` is a
    size_t variant_count;        // names that no text knows have no effect
    const char *const *further;  // built-in texts of simulated memory systems ("sc.cat"), which are
    size_t further_count;        // read after the model with its names, and whose axioms are added
    const char *const *folders;  // from which texts may be included besides the model's own folder
    size_t folder_count;
};

// Parses and checks a cat text (the language is that of model/README.md). Included files are looked
// for in the folder of `source`, in the options' folders and among the built-in texts, and must be
// in the model's folder or one of those. Returns NULL after errors in `diagnostics`. The model
// lives in `arena`, and so must `source`.
struct model *model_parse(struct arena *arena, const struct source *source,
                          struct diagnostics *diagnostics);

// Loads a model by its name (a built-in one: "ptx-9.1") or by its path (anything with '/' or ending
// in .cat). Returns NULL after errors in `diagnostics`. The model lives in `arena`.
struct model *model_load(struct arena *arena, const char *name_or_path,
                         struct diagnostics *diagnostics);

// As model_parse, with options, which are only read during the call.
struct model *model_parse_with(struct arena *arena, const struct source *source,
                               const struct model_options *options,
                               struct diagnostics *diagnostics);

// As model_load, with options, which are only read during the call.
struct model *model_load_with(struct arena *arena, const char *name_or_path,
                              const struct model_options *options, struct diagnostics *diagnostics);

// Whether the text tests the variant, or every model has it: only then does choosing it make a
// difference.
bool model_tests_variant(const struct model *model, const char *variant);

// Returns a model with only those axioms that hold in any program, whatever flags leave undefined;
// NULL when there are none. It lives in `arena` and shares the model's memory.
const struct model *model_in_any_program(struct arena *arena, const struct model *model);

// Whether values out of thin air are ruled out, through addresses and guards too: by an axiom
// `acyclic rf | addr | data | ctrl`, or of a larger relation (memory-model section 4).
bool model_forbids_thin_air(const struct model *model);

// A built-in text with its name.
struct builtin_model {
    const char *name;
    const char *title;
    const char *text;
};

// Returns the `*count` built-in models in the order in which --list-models shows them. They live
// for ever.
const struct builtin_model *model_builtins(size_t *count);

// One concrete execution's base sets and relations.
struct model_facts {
    unsigned n; // events
    struct event_set sets[BASE_SET_COUNT];
    struct relation relations[BASE_REL_COUNT];
    struct event_set
        executed; // the universe: what `_`, id, complements and reflexive closures range over
};

// The value of a node: for set nodes `set` is valid, for relation nodes `relation`.
struct node_value {
    struct event_set set;
    struct relation relation;
};

// Returns the value of every node in one execution, an array by node that the arena owns.
struct node_value *model_evaluate(struct arena *arena, const struct model *model,
                                  const struct model_facts *facts);

// Whether an axiom holds (negation included), given the values of model_evaluate.
bool model_axiom_holds(const struct model_axiom *axiom, const struct node_value *values);

#endif
