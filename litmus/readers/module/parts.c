// What a kernel takes the parts of its parameters for, by what becomes of them: addresses or
// numbers, and of these distances.
//
// The order of statements is left out, and each kind of statement gives on what its name says: a
// sum may be an address where its result is one. Of an address and an offset, the one that comes
// from a pointer is the address; where that is not known, both are.
#include "litmus/readers/module/module.h"

#include "litmus/names/table.h"
#include "litmus/ptx/constant.h"
#include "litmus/ptx/ptx.h"
#include "litmus/source/arena.h"

#include <string.h>

enum { POINTER_BYTES = 8, PASSES_MAX = 64 };

// A register.
struct holder {
    bool is_address;    // something accesses memory there, or may do so
    bool comes_of_some; // a pointer
    bool is_handle;     // of a texture or surface
    bool is_factor;     // of a product with another register
    bool is_compared;
};

struct tracing {
    struct arena *arena;
    const struct module_function *kernel;
    struct name_table *numbers; // of registers, by name
    struct holder *holders;
    size_t holder_count;
    bool has_changed;
};

static struct holder *holder_of(struct tracing *tracing, const struct token *token) {
    const char *name = token_text(tracing->arena, token);
    int number = name_table_find(tracing->numbers, name);
    if (number < 0) {
        tracing->holders = arena_grow(tracing->arena, tracing->holders, tracing->holder_count,
                                      sizeof *tracing->holders);
        number = (int)tracing->holder_count++;
        tracing->holders[number] = (struct holder){0};
        name_table_add(tracing->numbers, name, number);
    }
    return &tracing->holders[number];
}

static void set(struct tracing *tracing, bool *fact) {
    tracing->has_changed |= !*fact;
    *fact = true;
}

// --- Statements --------------------------------------------------------------------------------

static bool begins(const struct module_statement *statement, const char *name) {
    size_t length = strlen(name);
    const char *text = statement->opcode->text;
    return strncmp(text, name, length) == 0 && (text[length] == '.' || text[length] == '\0');
}

static bool is_of_parameters(const struct module_statement *statement) {
    return strncmp(statement->opcode->text, "ld.param", strlen("ld.param")) == 0;
}

// The operand of a number, from 0 on, where it is one word; else NULL.
static const struct token *operand(const struct module_statement *statement, unsigned number) {
    const struct token *at = statement->operands;
    for (; number > 0; number--, at++)
        while (at < statement->end && !token_is_punct(at, ','))
            at++;
    return at < statement->end && at->kind == TOKEN_WORD ? at : NULL;
}

// d = a: what d is, a is.
static void pass(struct tracing *tracing, const struct token *d, const struct token *a) {
    if (d == NULL || a == NULL)
        return;
    holder_of(tracing, d), holder_of(tracing, a); // which may move them
    struct holder *to = holder_of(tracing, d), *from = holder_of(tracing, a);
    if (to->is_address)
        set(tracing, &from->is_address);
    if (to->is_handle)
        set(tracing, &from->is_handle);
    if (to->is_factor)
        set(tracing, &from->is_factor);
    if (to->is_compared)
        set(tracing, &from->is_compared);
    if (from->comes_of_some)
        set(tracing, &to->comes_of_some);
}

// d = a + b: one of them is the address that d is.
static void pass_sum(struct tracing *tracing, const struct token *d, const struct token *a,
                     const struct token *b) {
    bool a_does = a != NULL && holder_of(tracing, a)->comes_of_some;
    bool b_does = b != NULL && holder_of(tracing, b)->comes_of_some;
    if (a_does || !b_does)
        pass(tracing, d, a);
    if (b_does || !a_does)
        pass(tracing, d, b);
}

// Registers in brackets are addresses, and so may be what functions are given.
static void note_addresses(struct tracing *tracing, const struct module_statement *statement) {
    bool gives = begins(statement, "st") && strstr(statement->opcode->text, ".param") != NULL;
    bool is_texture = ptx_reads_texture(statement->opcode->text) ||
                      ptx_stores_to_surface(statement->opcode->text);
    for (const struct token *at = statement->operands; at < statement->end; at++)
        if (at->kind == TOKEN_WORD &&
            (gives || (at > statement->operands && token_is_punct(at - 1, '[')))) {
            struct holder *holder = holder_of(tracing, at);
            set(tracing, is_texture ? &holder->is_handle : &holder->is_address);
        }
}

static bool is_register(const struct token *token) {
    return token != NULL && !ptx_starts_constant(token);
}

// What is multiplied by what else is not known before, and what is compared.
static void note_numbers(struct tracing *tracing, const struct module_statement *statement) {
    const struct token *a = operand(statement, 1), *b = operand(statement, 2);
    bool multiplies = begins(statement, "mul") || begins(statement, "mad");
    bool compares =
        begins(statement, "setp") || begins(statement, "min") || begins(statement, "max");
    if (multiplies && is_register(a) && is_register(b)) {
        set(tracing, &holder_of(tracing, a)->is_factor);
        set(tracing, &holder_of(tracing, b)->is_factor);
    }
    if (compares && is_register(a))
        set(tracing, &holder_of(tracing, a)->is_compared);
    if (compares && is_register(b))
        set(tracing, &holder_of(tracing, b)->is_compared);
}

static void trace(struct tracing *tracing, const struct module_statement *statement) {
    const struct token *d = operand(statement, 0), *a = operand(statement, 1),
                       *b = operand(statement, 2);
    if (is_of_parameters(statement))
        return;
    note_addresses(tracing, statement);
    note_numbers(tracing, statement);
    if (begins(statement, "cvta") && d != NULL && a != NULL) {
        set(tracing, &holder_of(tracing, a)->is_address);
        set(tracing, &holder_of(tracing, a)->comes_of_some);
    }
    if (begins(statement, "mov") || begins(statement, "cvta") || begins(statement, "cvt") ||
        begins(statement, "and") || begins(statement, "sub"))
        pass(tracing, d, a);
    else if (begins(statement, "add") || begins(statement, "selp") || begins(statement, "or"))
        pass_sum(tracing, d, a, b);
    else if (begins(statement, "mad"))
        pass(tracing, d, operand(statement, 3));
}

// --- Parameters --------------------------------------------------------------------------------

// ld.param.type d, [parameter{+offset}]: what is loaded.
struct part_load {
    const struct module_statement *statement;
    size_t parameter;
    uint64_t offset;
    const char *type; // ".u64"
};

static bool find_loaded(const struct tracing *tracing, const struct module_statement *statement,
                        struct part_load *loaded) {
    const struct module_function *kernel = tracing->kernel;
    const struct token *at = statement->operands;
    while (at < statement->end && !token_is_punct(at, '['))
        at++;
    if (!is_of_parameters(statement) || ++at >= statement->end || at->kind != TOKEN_WORD)
        return false;
    const char *name = token_text(tracing->arena, at),
               *type = strrchr(statement->opcode->text, '.');
    *loaded = (struct part_load){statement, 0, 0, type};
    while (loaded->parameter < kernel->parameter_count &&
           strcmp(kernel->parameters[loaded->parameter].name, name) != 0)
        loaded->parameter++;
    if (at + 2 < statement->end && token_is_punct(at + 1, '+') && at[2].kind == TOKEN_INTEGER)
        loaded->offset = at[2].value.low;
    return loaded->parameter < kernel->parameter_count;
}

static void add_part(struct arena *arena, struct module_parameter *parameter, uint64_t offset,
                     const char *type, const struct holder *holder) {
    bool is_address =
        scalar_type_bits(module_scalar_type(type)) / 8 == POINTER_BYTES && holder->is_address;
    for (size_t i = 0; i < parameter->part_count; i++) {
        struct module_part *part = &parameter->parts[i];
        if (part->offset == offset) { // it is loaded several times
            part->is_address |= is_address;
            part->is_compared |= holder->is_compared;
            part->is_distance = (part->is_distance || holder->is_factor) && !part->is_compared;
            return;
        }
    }
    parameter->parts =
        arena_grow(arena, parameter->parts, parameter->part_count, sizeof *parameter->parts);
    size_t at = parameter->part_count++;
    for (; at > 0 && parameter->parts[at - 1].offset > offset; at--)
        parameter->parts[at] = parameter->parts[at - 1];
    parameter->parts[at] = (struct module_part){offset,
                                                type,
                                                is_address,
                                                holder->is_handle,
                                                holder->is_factor && !holder->is_compared,
                                                holder->is_compared};
}

// Each register of a load takes as many bytes as the type has.
static void add_loaded(struct tracing *tracing, const struct part_load *loaded) {
    uint64_t bytes = scalar_type_bits(module_scalar_type(loaded->type)) / 8;
    struct module_parameter *parameter = &tracing->kernel->parameters[loaded->parameter];
    uint64_t offset = loaded->offset;
    for (const struct token *at = loaded->statement->operands; !token_is_punct(at, '['); at++) {
        if (at->kind != TOKEN_WORD)
            continue;
        if (bytes > 0 && offset + bytes <= parameter->size)
            add_part(tracing->arena, parameter, offset, loaded->type, holder_of(tracing, at));
        offset += bytes;
    }
}

// Registers that a parameter which is declared as a pointer is loaded to.
static void note_pointers(struct tracing *tracing) {
    struct part_load loaded;
    for (size_t i = 0; i < tracing->kernel->statement_count; i++) {
        const struct module_statement *statement = &tracing->kernel->statements[i];
        const struct token *d = operand(statement, 0);
        if (d != NULL && find_loaded(tracing, statement, &loaded) &&
            tracing->kernel->parameters[loaded.parameter].is_pointer)
            set(tracing, &holder_of(tracing, d)->comes_of_some);
    }
}

void module_find_parts(struct arena *arena, struct module *module, struct module_function *kernel) {
    struct tracing tracing = {
        .arena = arena, .kernel = kernel, .numbers = name_table_new(arena), .has_changed = true};
    struct part_load loaded;
    module_read_statements(module, kernel, NULL, 0);
    note_pointers(&tracing);
    for (unsigned pass = 0; tracing.has_changed && pass < PASSES_MAX; pass++) {
        tracing.has_changed = false;
        for (size_t i = 0; i < kernel->statement_count; i++)
            trace(&tracing, &kernel->statements[i]);
    }
    for (size_t i = 0; i < kernel->statement_count; i++)
        if (find_loaded(&tracing, &kernel->statements[i], &loaded))
            add_loaded(&tracing, &loaded);
}
