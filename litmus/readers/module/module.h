// A PTX module as it is in its file: kernels, functions, variables, and the statements of each
// body.
//
// Nothing is resolved here, and what is not modelled is read like all else: any module that ptxas
// takes is. Of what ptxas refuses, what shows in a statement by itself is an error: punctuation,
// directives, opcodes and qualifiers, and names that nothing declares. Types and the number of
// operands are not checked.
#ifndef PTXLITMUS_READERS_MODULE_MODULE_H
#define PTXLITMUS_READERS_MODULE_MODULE_H

#include "litmus/source/lexer.h"
#include "litmus/vocabulary.h"

struct arena;
struct diagnostics;
struct test_list;

// What an instruction does, as far as one looks at it by itself (kinds.def).
enum module_kind {
    MODULE_OTHER,   // computes, jumps, gives a hint
    MODULE_ACCESS,  // to memory
    MODULE_FENCE,   // fence, membar
    MODULE_BARRIER, // of a CTA, a cluster, a warp; or an mbarrier
    MODULE_CALL,
    MODULE_ASYNC, // done by another than the thread, at another time
    MODULE_WARP,  // values go from lane to lane
    MODULE_END,   // the thread, not by a branch: trap
    MODULE_KIND_COUNT,
};

// "access", "asynchronous": as the output calls it.
const char *module_kind_name(enum module_kind kind);

// An opcode with its qualifiers, which is here once, however often the module writes it.
struct module_opcode {
    const char *text; // "ld.acquire.gpu.global.u32"
    enum module_kind kind;
    const char *missing; // "asynchronous operations are not modelled"; NULL: it is modelled
    bool has_effect;     // beyond its destination: on memory, on other threads, on where the thread
                         // goes on
    bool is_open;        // it is missing, and its result may be anything in a test
    bool stores_outside; // it is missing, and what it stores is not followed in a test
    bool is_concrete;    // and it is computed where its operands are constants
    bool is_together;    // all lanes of a warp execute it, which matters without its result, too
    bool has_destination; // the first operand is one, unless it is in brackets
};

// A place in the source that the module was made of (.loc): index of `files` and line; no file: -1.
struct module_place {
    int file;
    unsigned line;
};

struct module_statement {
    const struct module_opcode *opcode;
    const struct token *first; // of the statement: a guard, or its opcode
    const struct token *operands;
    const struct token *end; // its ';'
    struct module_place place;
    struct module_place
        inlined_at;      // the outermost function's line, where others were put in its place
    const char *unknown; // what else about it is not modelled: a callee; or NULL
    bool reaches; // what it gives reaches an address, a branch, a stored value or another effect
};

struct module_variable {
    const char *name;
    struct span span;
    const struct token *declaration; // the first token of its declaration, which ends with a ';'
    bool is_alone;                   // no other variable is in it
    const char *linkage;             // ".extern", ".visible"; NULL without
    enum state_space space;
    const char *type;            // ".u32", ".texref"
    unsigned alignment;          // bytes
    uint64_t element_size, size; // bytes; `size` is 0 where the declaration leaves it open
    bool is_array;
};

// What a kernel loads of a parameter.
struct module_part {
    uint64_t offset;  // bytes
    const char *type; // ".u64"
    bool is_address;  // it accesses memory there, or may do so
    bool is_handle;   // of a texture or surface
    bool is_distance; // other values are multiplied by it, and nothing is compared with it
    bool is_compared;
};

struct module_parameter {
    const char *name;
    const char *source_name; // in the source of the module, where that is known; else NULL
    struct span span;
    const struct token *declaration, *end; // its first token, and what follows its last one
    const char *type;
    unsigned alignment;
    uint64_t size, offset; // bytes; the offset in the kernel's parameters
    bool is_array, is_pointer;
    struct module_part *parts; // ascending; none before module_find_parts
    size_t part_count;
};

struct module_function {
    const char *name, *demangled; // the same where the name is not mangled
    struct span span;
    bool is_kernel, is_extern;
    bool is_prototype;              // it has no body here, and another declaration of the name has
    const struct token *head, *end; // its first token, and what follows its last one
    struct module_parameter *parameters;
    size_t parameter_count;
    uint64_t parameter_bytes;
    const char *attributes;             // ".maxntid 128, 1, 1", or ""
    const struct token *parameter_list; // after its '('; NULL: there is none
    size_t parameter_tokens;
    const struct token *body; // after its '{'; NULL: it has none
    size_t body_count;        // tokens up to its '}'
    struct module_statement *statements;
    size_t statement_count;
    bool is_followed;                  // by module_read_statements
    struct module_variable *variables; // declared in the body
    size_t variable_count;
};

struct module {
    const struct source *source;
    unsigned version; // 91 for 9.1, 120 for 12.0
    struct span version_span;
    struct span target_span;
    const char *target; // "sm_90a", with options "sm_90, debug"
    unsigned address_size;
    const char **files; // names by the index that .loc uses here
    size_t file_count;
    struct module_variable *variables;
    size_t variable_count;
    struct module_function *functions; // kernels and others, in the order of the module
    size_t function_count;
    struct module_reading *reading; // of the readers
};

// Returns the module with another file as what says how it is launched: its lines that begin with
// `// PTXLITMUS`, `; PTXLITMUS` or `# PTXLITMUS`, or where there are none, all of it. NULL after
// errors in `diagnostics`. The arena owns it.
const struct source *module_with_manifest(struct arena *arena, const struct source *module,
                                          const char *path, struct diagnostics *diagnostics);

// Returns the same with a text that was read before.
const struct source *module_with_manifest_text(struct arena *arena, const struct source *module,
                                               const struct source *text);

// Whether a text is a module, by what it begins with: `.version`, after comments.
bool module_recognise(const struct source *source);

// Returns how many bytes of a module's file are its text: some write NULs after it.
uint32_t module_text_size(const struct source *source);

// Reads a module. Returns NULL after errors in `diagnostics`; what is worth knowing otherwise, such
// as a version that is newer than the newest known, is a note there. All lives in `arena`. Time and
// memory are linear in the text.
struct module *module_read(struct arena *arena, const struct source *source,
                           struct diagnostics *diagnostics);

// The same without the statements of the bodies.
struct module *module_read_declarations(struct arena *arena, const struct source *source,
                                        struct diagnostics *diagnostics);

// Reads the tests of a module: one for each condition of its manifest, which is in its comments
// or in its sidecar (docs/modules.md). After errors, all of them in `diagnostics`, the list is not
// to be used.
void module_read_tests(struct arena *arena, const struct source *source,
                       struct diagnostics *diagnostics, struct test_list *tests);

// Reads the statements of a function with a body, where that is not done yet. `matters`: words of
// the body whose values matter besides what reaches an effect, `count` of them. Errors are not
// reported; after one in a statement, false is returned and what reaches what is not known. Names
// that the module does not declare may be those of objects.
bool module_read_statements(struct module *module, struct module_function *function,
                            const char *const *matters, size_t count);

// Finds what a kernel with a body loads of its parameters, and takes for addresses; reads its
// statements where that is not done yet. `arena` owns what is found.
void module_find_parts(struct arena *arena, struct module *module, struct module_function *kernel);

// Whether a statement only gives registers values that reach no effect of its function.
bool module_is_idle(const struct module_statement *statement);

// The kernel of this name: mangled, or as in C++, with or without its parameters and template
// arguments. `*count` is how many there are; of several, none is returned.
const struct module_function *module_kernel(struct arena *arena, const struct module *module,
                                            const char *name, size_t *count);

// The name of a kernel in C++ without parameters and template arguments, owned by the arena.
const char *module_bare_name(struct arena *arena, const struct module_function *kernel);

// The type that a module spells with its dot, TYPE_NONE for textures and the like.
enum scalar_type module_scalar_type(const char *spelling);

// Whether a kernel has a directive such as ".reqntid" (PTX ISA 11.4), and the numbers that follow
// it, 1 for each that is left out.
bool module_attribute(const struct module_function *kernel, const char *name, unsigned numbers[3]);

// A statement as it is written, on one line and without comments, owned by the arena.
const char *module_statement_text(struct arena *arena, const struct module_statement *statement);

// Why an instruction is not modelled and what that means for a test, as a sentence; NULL where it
// is modelled.
const char *module_missing(struct arena *arena, const struct module_statement *statement);

#endif
