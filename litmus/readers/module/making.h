// Inside litmus/readers/module: a test in the making, of a module and its manifest. making.c cuts
// tokens and bodies, used.c declares what the kernels use, arguments.c their parameters, test.c
// reads the manifest and puts the test together.
#ifndef PTXLITMUS_READERS_MODULE_MAKING_H
#define PTXLITMUS_READERS_MODULE_MAKING_H

#include "litmus/readers/module/launch.h"
#include "litmus/readers/module/manifest.h"

struct name_table;

// What a name of the module is: a variable or a function, by its index there.
struct module_name {
    bool is_function, is_used;
    bool is_taken; // the address of a function
    size_t index;
};

// The module and its manifest, read once, and the test that is being made of them.
struct module_test {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct module *module;
    const struct manifest *manifest;
    const struct token *extra;  // ".global .align 16 .u32", for objects that do not say so
    struct name_table *numbers; // of names
    struct module_name *names;
    size_t name_count;
    const struct module_name **pending; // used, and not looked at
    size_t pending_count;
    const char **matters; // registers that the conditions may name
    size_t matters_count;
    struct name_table *idle;         // opcodes that were said to be ignored
    struct name_table *object_names; // while parameters are declared
    struct frame frame;
    struct module_launch *launches; // that run at the same time
    size_t launch_count;
    const struct manifest_item **hosts; // the bodies of threads of the host
    size_t host_count;
    struct launch_numbers numbers_free; // after all launches so far
    size_t first_item, items_end;       // of the launches
    int array;                          // the variable that the dynamic shared memory is, or -1
};

// --- making.c ----------------------------------------------------------------------------------

// A list of tokens in the making, of the arena.
struct token_list {
    struct token *items;
    size_t count;
};

// Has the frame read other tokens (borrowed), which end with a TOKEN_END.
void making_set_tokens(struct frame *frame, const struct token *tokens, size_t count);

// Adds copies of the tokens from `first` up to `end` to a list.
void making_add_tokens(struct module_test *making, struct token_list *list,
                       const struct token *first, const struct token *end);

// Adds the tokens of a text, which messages say is of the file at `path`.
void making_add_text(struct module_test *making, struct token_list *list, const char *text,
                     const char *path);

// Whether a value that begins with a token is an address.
bool making_is_address(const struct token *token);

// Ends a list, which is not empty, and has the frame read it.
void making_read_list(struct module_test *making, struct token_list *list);

// Adds the tokens of a body, or of a whole function, from `first` on. Where some statement is not
// modelled and has no effect, statements that have none are left out, as are those that would read
// its result: a note says so once for each opcode.
void making_add_body(struct module_test *making, struct token_list *list,
                     struct module_function *function, const struct token *first,
                     const struct token *end);

// Moves past the end of a line of the manifest, with a ';' or without. Returns false after an error
// where something else is there.
bool making_expect_end(struct frame *frame);

// Whether an item is among those of the launches at hand.
bool making_is_of_launches(const struct module_test *making, size_t item);

// --- used.c ------------------------------------------------------------------------------------

// Collects the names of the module.
void making_collect_names(struct module_test *making);

// Declares the variables and functions that the kernels, what is said of their launches and the
// objects name, and what those name, in the order of the module. Returns false after an error.
bool making_declare_used(struct module_test *making);

// --- fields.c ----------------------------------------------------------------------------------

// Whether the argument from `first` up to `end` gives the fields of a struct, one of which is an
// address or has a type, to a parameter that is an array.
bool making_has_fields(struct module_test *making, const struct module_parameter *parameter,
                       const struct token *first, const struct token *end);

// Adds the tokens that declare the parameter with these fields, each at the next multiple of its
// size, as C does, and sets the list of the tensormaps among them. Returns false after an error.
bool making_add_fields(struct module_test *making, struct token_list *list,
                       const struct module_parameter *parameter, const struct token *first,
                       const struct token *end, const struct tensor_part **parts);

// Reads what a tensormap describes from `first` on, where names are those of objects, as a variable
// without a name; `*taken` is how many tokens that is. Returns false after an error.
bool making_parse_tensor(struct module_test *making, struct span span, const struct token *first,
                         const struct token *end, struct variable *map, size_t *taken);

// --- environment.c ------------------------------------------------------------------------------

// Reads an `envreg` item, and says in the launch which variable, which is added to the test, has
// the value. An address in it is resolved with those of other initial values. Returns
// false after an error.
//
//   envreg = "envreg" integer ("," integer)? "=" value
//
// With two numbers, the first register holds the upper half of 64 bits, and the second one the
// lower half: so cooperative groups find the workspace of a grid, in %envreg1 and %envreg2.
bool making_declare_environment(struct module_test *making, struct launch *launch,
                                const struct manifest_item *item);

// --- arguments.c -------------------------------------------------------------------------------

// Reads an `arg` item, at which the frame's tokens begin, as one of a launch. Returns false after
// an error.
bool making_parse_argument(struct module_test *making, struct module_launch *launch,
                           const struct manifest_item *item);

// Declares the parameters of a launch, whose first values are its arguments; those of other
// launches are not known by their names from then on, nor are objects that have the name of one of
// them. Returns false after an error.
bool making_declare_parameters(struct module_test *making, const struct module_launch *launch);

// Forgets the names of parameters and of variables of a thread, where a kernel's body has ended.
void making_forget_parameters(struct module_test *making);

#endif
