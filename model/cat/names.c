// The names that every cat text starts with: base sets and relations from base.def, built-in
// functions, and what follows from them. Other tools' names for the same things belong here too, as
// definitions in the predefined text.
#include "model/cat/names.h"

static const struct {
    enum node_op op;
    unsigned base;
    const char *name;
} base_names[] = {
#define BASE_SET(id, name, doc) {NODE_BASE_SET, BASE_SET_##id, name},
#define BASE_RELATION(id, name, doc) {NODE_BASE_RELATION, BASE_REL_##id, name},
#include "model/cat/base.def"
#undef BASE_SET
#undef BASE_RELATION
};

static const struct {
    enum node_op op;
    const char *name;
} functions[] = {
    {NODE_DOMAIN, "domain"},
    {NODE_RANGE, "range"},
    {NODE_IDENTITY, "toid"},
};

void names_define_base(struct checker *checker) {
    for (size_t i = 0; i < sizeof base_names / sizeof *base_names; i++) {
        struct cat_value value = {.kind = base_names[i].op == NODE_BASE_SET ? VALUE_SET
                                                                            : VALUE_RELATION,
                                  .node = graph_base(&checker->graph, base_names[i].op,
                                                     base_names[i].base, base_names[i].name)};
        scope_define(&checker->scope, base_names[i].name, value);
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        scope_define(&checker->scope, functions[i].name,
                     (struct cat_value){.kind = VALUE_PRIMITIVE, .primitive = functions[i].op});
}

// As herd has them, but for the last one: what a model of an earlier version of PTX leaves out.
// model/README.md lists them.
const char names_predefined_text[] = "let po-loc = po & loc\n"
                                     "let rfi = rf & int\n"
                                     "let rfe = rf & ext\n"
                                     "let coi = co & int\n"
                                     "let coe = co & ext\n"
                                     "let fri = fr & int\n"
                                     "let fre = fr & ext\n"
                                     "let fencerel(S) = (po & (_ * S)) ; po\n"
                                     "let ptx-9.3 = {}\n";
