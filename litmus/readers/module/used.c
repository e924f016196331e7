// Which variables and functions of the module the launched kernels use, and their declarations.
#include "litmus/readers/module/making.h"

#include "litmus/names/table.h"
#include "litmus/readers/declarations.h"
#include "litmus/source/arena.h"

#include <string.h>

// --- What the kernels use ----------------------------------------------------------------------

static void add_name(struct module_test *making, const char *name, bool is_function, size_t index) {
    int known = name_table_find(making->numbers, name);
    if (known >= 0) { // a prototype, and the function itself
        if (is_function && making->module->functions[index].body)
            making->names[known].index = index;
        return;
    }
    name_table_add(making->numbers, name, (int)making->name_count);
    ARENA_APPEND(making->arena, making->names, making->name_count,
                 (struct module_name){.is_function = is_function, .index = index});
}

void making_collect_names(struct module_test *making) {
    const struct module *module = making->module;
    making->numbers = name_table_new(making->arena);
    for (size_t i = 0; i < module->variable_count; i++)
        add_name(making, module->variables[i].name, false, i);
    for (size_t i = 0; i < module->function_count; i++)
        if (!module->functions[i].is_kernel)
            add_name(making, module->functions[i].name, true, i);
    making->pending =
        ARENA_ARRAY(making->arena, const struct module_name *, making->name_count + 1);
}

// Marks the names that are used. A function that is not called has its address taken.
static void use_words(struct module_test *making, const struct token *first,
                      const struct token *end) {
    bool calls = false; // the statement, which a ';' ends
    for (; first < end; first++) {
        calls = !token_is_punct(first, ';') && (calls || token_is(first, "call"));
        int number = first->kind == TOKEN_WORD
                         ? name_table_find(making->numbers, token_text(making->arena, first))
                         : -1;
        if (number >= 0 && !calls && making->names[number].is_function)
            making->names[number].is_taken = true;
        if (number < 0 || making->names[number].is_used)
            continue;
        making->names[number].is_used = true;
        making->pending[making->pending_count++] = &making->names[number];
    }
}

static const struct token *declaration_end(const struct module_variable *variable) {
    const struct token *at = variable->declaration;
    while (!token_is_punct(at, ';'))
        at++;
    return at;
}

// Marks what the bodies of the kernels name, what the manifest does, and what those name.
static void find_used(struct module_test *making) {
    const struct module *module = making->module;
    for (size_t i = 0; i < making->launch_count; i++) {
        const struct module_function *kernel = making->launches[i].kernel;
        use_words(making, kernel->body, kernel->body + kernel->body_count);
    }
    for (size_t i = 0; i < making->manifest->count; i++) {
        const struct manifest_item *item = &making->manifest->items[i];
        bool names = item->word == MANIFEST_TAIL || item->word == MANIFEST_ARG ||
                     item->word == MANIFEST_ENVREG || item->word == MANIFEST_WITH;
        if (item->word == MANIFEST_GLOBAL || (names && making_is_of_launches(making, i)))
            use_words(making, item->tokens + 1, item->tokens + item->count - 1);
    }
    while (making->pending_count > 0) {
        const struct module_name *name = making->pending[--making->pending_count];
        const struct module_function *function =
            name->is_function ? &module->functions[name->index] : NULL;
        if (function && function->body) // its own name is before that
            use_words(making, function->body, function->end);
        else if (!function)
            use_words(making, module->variables[name->index].declaration,
                      declaration_end(&module->variables[name->index]));
    }
}

// --- Variables and functions -------------------------------------------------------------------

// The size that all launches give the dynamic shared memory, with its place in the manifest; false
// after an error.
static bool find_dynamic(struct module_test *making, const struct module_variable *variable,
                         const struct manifest_item **item, uint64_t *bytes) {
    *item = making->launches[0].dynamic;
    *bytes = making->launches[0].dynamic_bytes;
    for (size_t i = 0; i < making->launch_count; i++) {
        const struct module_launch *launch = &making->launches[i];
        if (*item && launch->dynamic && launch->dynamic_bytes == *bytes)
            continue;
        if (*item && launch->dynamic)
            return diag_error(
                making->diagnostics, launch->dynamic->tokens->span,
                "kernels that run at the same time have dynamic shared memory of one size "
                "here: %llu bytes and %llu",
                (unsigned long long)*bytes, (unsigned long long)launch->dynamic_bytes);
        diag_error(making->diagnostics, variable->span,
                   "the size of '%s' is that of the dynamic shared memory, which "
                   "the manifest does not give%s%s%s",
                   variable->name, making->launch_count > 1 ? " for kernel '" : "",
                   making->launch_count > 1 ? launch->kernel->demangled : "",
                   making->launch_count > 1 ? "'" : "");
        diag_hint(making->diagnostics, "'dynamic 1024' gives it 1024 bytes");
        return false;
    }
    return true;
}

// Another array of the dynamic shared memory begins where the first one does.
static void share_dynamic(struct module_test *making, struct variable *declared) {
    struct variable *first =
        making->array >= 0 ? &making->frame.test->variables[making->array] : NULL;
    if (!first) {
        making->array = (int)making->frame.test->variable_count;
        return;
    }
    if (first->alignment < declared->alignment)
        first->alignment = declared->alignment;
    declared->alignment = first->alignment;
    declared->alias_of = making->array;
    declared->is_same_address = true;
}

// An array of shared memory whose size the launches give.
static bool declare_dynamic(struct module_test *making, const struct module_variable *variable) {
    const struct manifest_item *dynamic;
    uint64_t bytes;
    if (!find_dynamic(making, variable, &dynamic, &bytes))
        return false;
    uint64_t elements = bytes / variable->element_size;
    if (elements == 0 || elements * variable->element_size != bytes)
        return diag_error(
            making->diagnostics, dynamic->tokens->span,
            "%llu bytes of dynamic shared memory are not a whole number of elements of "
            "'%s', which have %llu each",
            (unsigned long long)bytes, variable->name, (unsigned long long)variable->element_size);
    struct variable declared = {.name = variable->name,
                                .span = variable->span,
                                .space = SPACE_SHARED,
                                .type = module_scalar_type(variable->type),
                                .element_count = (size_t)elements,
                                .is_array = true,
                                .alignment = variable->alignment,
                                .alias_of = -1};
    share_dynamic(making, &declared);
    making->frame.variable_bytes += declared.alias_of < 0 ? bytes : 0;
    reader_add_variable(&making->frame.reader, &declared);
    return true;
}

static bool declare_variable(struct module_test *making, const struct module_variable *variable) {
    struct token_list list = {0};
    bool is_extern = variable->linkage && strcmp(variable->linkage, ".extern") == 0;
    if (is_extern && variable->space == SPACE_SHARED && variable->is_array && variable->size == 0)
        return declare_dynamic(making, variable);
    if (is_extern)
        return diag_error(making->diagnostics, variable->span, "'%s' is defined in another module",
                          variable->name);
    if (reader_variable(&making->frame.reader, variable->name) >= 0 && !variable->is_alone)
        return true; // another variable of its declaration was used, too
    making_add_tokens(making, &list, variable->declaration, declaration_end(variable));
    making_read_list(making, &list);
    return frame_parse_ptx_declaration(&making->frame) && making_expect_end(&making->frame);
}

static bool declare_function(struct module_test *making, struct module_function *function) {
    struct token_list list = {0};
    if (function->body)
        making_add_body(making, &list, function, function->head, function->end);
    else
        making_add_tokens(making, &list, function->head, function->end);
    making_read_list(making, &list);
    return frame_parse_function(&making->frame);
}

static bool is_used(const struct module_test *making, const char *name) {
    int number = name_table_find(making->numbers, name);
    return number >= 0 && making->names[number].is_used;
}

// In the order of the module, prototypes as well: a call comes after the declaration of what it
// calls.
bool making_declare_used(struct module_test *making) {
    struct module *module = making->module;
    bool fine = true;
    find_used(making);
    for (size_t i = 0; i < module->function_count; i++)
        if (!module->functions[i].is_kernel && is_used(making, module->functions[i].name))
            fine = declare_function(making, &module->functions[i]) && fine;
    for (size_t i = 0; i < module->variable_count; i++) // whose values may be functions
        if (is_used(making, module->variables[i].name))
            fine = declare_variable(making, &module->variables[i]) && fine;
    for (size_t i = 0; fine && i < making->name_count; i++)
        if (making->names[i].is_taken)
            reader_function(&making->frame.reader, module->functions[making->names[i].index].name)
                ->is_taken = true;
    return fine;
}
