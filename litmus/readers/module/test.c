// A module as a test: for each condition of its manifest, the launched kernel's body as that of
// each thread, its arguments as the values of its parameters, and of the module what the kernel
// uses.
#include "litmus/readers/module/test.h"

#include "litmus/names/table.h"
#include "litmus/ptx/ptx.h"
#include "litmus/ptx/target.h"
#include "litmus/readers/module/environment.h"
#include "litmus/readers/module/launch.h"
#include "litmus/readers/module/manifest.h"
#include "litmus/source/arena.h"

#include <string.h>

enum { LAUNCH_EVENTS_MAX = 4096 };

// What a name of the module is: a variable or a function, by its index there.
struct module_name {
    bool is_function, is_used;
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
    struct name_table *idle; // opcodes that were said to be ignored
    struct frame frame;
    struct module_launch launch;
    const struct manifest_item **arguments; // by parameter; NULL: none yet
    const struct manifest_item *dynamic;
    size_t first_item, items_end;        // of the launch
    const struct module_variable *array; // the one that the dynamic shared memory is
    uint64_t dynamic_bytes;
};

// --- Tokens ------------------------------------------------------------------------------------

// Has the frame read other tokens, which end with a TOKEN_END.
static void set_tokens(struct frame *frame, const struct token *tokens, size_t count) {
    frame->tokens = tokens;
    frame->count = count;
    frame->at = 0;
}

// A list of tokens in the making.
struct token_list {
    struct token *items;
    size_t count;
};

static void add_tokens(struct module_test *making, struct token_list *list,
                       const struct token *first, const struct token *end) {
    for (; first < end; first++) {
        list->items = arena_grow(making->arena, list->items, list->count, sizeof *list->items);
        list->items[list->count++] = *first;
    }
}

// Ends a list and has the frame read it.
static void read_list(struct module_test *making, struct token_list *list) {
    struct span span = list->items[list->count - 1].span;
    span.begin = span.end;
    struct token end = {.kind = TOKEN_END, .span = span, .line_start = true};
    add_tokens(making, list, &end, &end + 1);
    set_tokens(&making->frame, list->items, list->count);
}

// Says that a statement is left out, once for each opcode.
static void note_idle(struct module_test *making, const struct module_statement *statement) {
    const char *text = statement->opcode->text;
    if (!statement->opcode->missing || name_table_find(making->idle, text) >= 0)
        return;
    name_table_add(making->idle, text, 0);
    struct span span = span_join(statement->first->span, statement->end[-1].span);
    diag_note(making->diagnostics, span,
              "'%s' is not modelled, and ignored: its result reaches no address, branch, stored "
              "value or condition",
              text);
}

// Says that the result of a statement is left open, once for each opcode.
static void note_open(struct module_test *making, const struct module_statement *statement) {
    const char *text = statement->opcode->text;
    if (!statement->opcode->missing || !statement->opcode->is_open || module_is_idle(statement) ||
        name_table_find(making->idle, text) >= 0)
        return;
    name_table_add(making->idle, text, 0);
    diag_note(making->diagnostics, span_join(statement->first->span, statement->end[-1].span),
              "'%s' is not modelled: its result may be anything", text);
}

static bool has_unread_idle(const struct module_function *function) {
    for (size_t i = 0; i < function->statement_count; i++)
        if (module_is_idle(&function->statements[i]) && function->statements[i].opcode->missing)
            return true;
    return false;
}

// Adds the tokens of a body from `first` on. Where some statement is not modelled and has no
// effect, statements that have none are left out, as are those that would read its result.
static void add_body(struct module_test *making, struct token_list *list,
                     struct module_function *function, const struct token *first,
                     const struct token *end) {
    bool is_read =
        module_read_statements(making->module, function, making->matters, making->matters_count);
    for (size_t i = 0; is_read && i < function->statement_count; i++)
        note_open(making, &function->statements[i]);
    if (is_read && has_unread_idle(function))
        for (size_t i = 0; i < function->statement_count; i++) {
            const struct module_statement *statement = &function->statements[i];
            if (!module_is_idle(statement))
                continue;
            note_idle(making, statement);
            add_tokens(making, list, first, statement->first);
            first = statement->end + 1;
        }
    add_tokens(making, list, first, end);
}

static bool expect_end(struct frame *frame) {
    frame_accept_punct(frame, ';');
    if (frame_current(frame)->kind == TOKEN_END)
        return true;
    frame_error_expected(frame, "the end of the line");
    return false;
}

// --- The manifest ------------------------------------------------------------------------------

static bool parse_launch(struct module_test *making) {
    if (!launch_parse(&making->frame, making->module, &making->launch))
        return false;
    size_t count = making->launch.kernel->parameter_count;
    making->arguments = ARENA_ARRAY(making->arena, const struct manifest_item *, count + 1);
    return true;
}

// object = "global" qualifier* name dimensions ("=" value)?: a declaration of a .global .u32 that
// is aligned as allocations are, where it does not say otherwise
static bool parse_object(struct module_test *making, const struct manifest_item *item) {
    struct token_list list = {0};
    const struct token *first = item->tokens + 1, *end = item->tokens + item->count - 1,
                       *at = first;
    bool has_alignment = false, has_type = false;
    for (; at < end && (at->kind == TOKEN_QUALIFIER || at->kind == TOKEN_INTEGER); at++) {
        has_alignment = has_alignment || token_is(at, ".align");
        has_type = has_type || (at->kind == TOKEN_QUALIFIER && !token_is(at, ".align"));
    }
    if (end > first && token_is_punct(end - 1, ';'))
        end--;
    add_tokens(making, &list, making->extra, making->extra + 1);
    if (!has_alignment)
        add_tokens(making, &list, making->extra + 1, making->extra + 3);
    add_tokens(making, &list, first, at);
    if (!has_type)
        add_tokens(making, &list, making->extra + 3, making->extra + 4);
    add_tokens(making, &list, at, end);
    read_list(making, &list);
    return frame_parse_ptx_declaration(&making->frame) && expect_end(&making->frame);
}

// argument = "arg" integer "=" value
static bool parse_argument(struct module_test *making, const struct manifest_item *item) {
    struct frame *frame = &making->frame;
    unsigned number;
    frame_next(frame); // the word
    struct span span = frame_current(frame)->span;
    if (!frame_parse_unsigned(frame, "the number of an argument", &number))
        return false;
    size_t count = making->launch.kernel->parameter_count;
    if (number >= count) {
        diag_error(making->diagnostics, span, "kernel '%s' has %zu parameter%s, numbered from 0 on",
                   making->launch.kernel->demangled, count, count == 1 ? "" : "s");
        return false;
    }
    if (making->arguments[number]) {
        diag_error(making->diagnostics, span, "argument %u is given twice", number);
        return false;
    }
    if (!token_is_punct(frame_current(frame), '=')) {
        frame_error_expected(frame, "'='");
        return false;
    }
    making->arguments[number] = item;
    return true;
}

// dynamic = "dynamic" integer
static bool parse_dynamic(struct module_test *making, const struct manifest_item *item) {
    struct frame *frame = &making->frame;
    unsigned bytes;
    const struct token *word = frame_next(frame);
    if (making->dynamic) {
        diag_error(making->diagnostics, word->span, "the dynamic shared memory is given twice");
        return false;
    }
    struct span span = frame_current(frame)->span;
    if (!frame_parse_unsigned(frame, "a number of bytes", &bytes) || !expect_end(frame))
        return false;
    if (bytes > VARIABLE_BYTES_MAX) {
        diag_error(making->diagnostics, span,
                   "the variables of a test have at most %d bytes together", VARIABLE_BYTES_MAX);
        return false;
    }
    making->dynamic = item;
    making->dynamic_bytes = bytes;
    return true;
}

static bool parse_item(struct module_test *making, const struct manifest_item *item) {
    set_tokens(&making->frame, item->tokens, item->count);
    switch (item->word) {
    case MANIFEST_KERNEL: return parse_launch(making);
    case MANIFEST_GLOBAL: return parse_object(making, item);
    case MANIFEST_ARG: return parse_argument(making, item);
    case MANIFEST_DYNAMIC: return parse_dynamic(making, item);
    case MANIFEST_ENVREG: return true; // read when all objects are known
    case MANIFEST_TEST:
    case MANIFEST_TAIL: return true; // read for each test
    }
    return false;
}

static bool is_asked(const struct manifest_item *item) {
    return item->word == MANIFEST_TEST || item->word == MANIFEST_TAIL;
}

// Finds the launch whose condition is at the item `tail`: the last one before it, or there itself.
// Its arguments come before the condition or after it.
static void find_launch(struct module_test *making, size_t tail) {
    const struct manifest *manifest = making->manifest;
    making->first_item = making->items_end = tail;
    while (manifest->items[making->first_item].word != MANIFEST_KERNEL)
        making->first_item--; // check_manifest has seen that there is one
    making->items_end += tail == making->first_item;
    while (making->items_end < manifest->count &&
           manifest->items[making->items_end].word != MANIFEST_KERNEL)
        making->items_end++;
}

static bool is_of_launch(const struct module_test *making, size_t item) {
    return item >= making->first_item && item < making->items_end;
}

// Reads all objects, and what is said of the launch.
static bool parse_items(struct module_test *making) {
    const struct manifest *manifest = making->manifest;
    bool fine = true;
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_item *item = &manifest->items[i];
        if (item->word != MANIFEST_GLOBAL && !is_of_launch(making, i))
            continue;
        if (!parse_item(making, item))
            fine = false;
        if (!fine && item->word == MANIFEST_KERNEL)
            return false; // what follows is about it
    }
    return fine;
}

// Whether there is a launch, and everything but objects belongs to one.
static bool check_manifest(const struct manifest *manifest, struct diagnostics *diagnostics) {
    const struct manifest_item *kernel = NULL;
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_item *item = &manifest->items[i];
        if (item->word == MANIFEST_KERNEL)
            kernel = item;
        if (kernel || item->word == MANIFEST_GLOBAL)
            continue;
        diag_error(diagnostics, item->tokens->span, "no 'kernel' is launched before this");
        diag_hint(diagnostics,
                  "'kernel NAME grid 2 block 1' launches one; its arguments and conditions follow");
        return false;
    }
    if (kernel)
        return true;
    diag_error(diagnostics, manifest->tokens->span, "the manifest launches no kernel");
    diag_hint(diagnostics, "'kernel NAME grid 2 block 1' launches one");
    return false;
}

// --- What the kernel uses ----------------------------------------------------------------------

static void add_name(struct module_test *making, const char *name, bool is_function, size_t index) {
    int known = name_table_find(making->numbers, name);
    if (known >= 0) { // a prototype, and the function itself
        if (is_function && making->module->functions[index].body)
            making->names[known].index = index;
        return;
    }
    making->names =
        arena_grow(making->arena, making->names, making->name_count, sizeof *making->names);
    making->names[making->name_count] =
        (struct module_name){.is_function = is_function, .index = index};
    name_table_add(making->numbers, name, (int)making->name_count++);
}

static void collect_names(struct module_test *making) {
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

static void use_words(struct module_test *making, const struct token *first,
                      const struct token *end) {
    for (; first < end; first++) {
        int number = first->kind == TOKEN_WORD
                         ? name_table_find(making->numbers, token_text(making->arena, first))
                         : -1;
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

// Marks what the body of the kernel names, what the manifest does, and what those name.
static void find_used(struct module_test *making) {
    const struct module *module = making->module;
    const struct module_function *kernel = making->launch.kernel;
    use_words(making, kernel->body, kernel->body + kernel->body_count);
    for (size_t i = 0; i < making->manifest->count; i++) {
        const struct manifest_item *item = &making->manifest->items[i];
        if (item->word == MANIFEST_GLOBAL ||
            (item->word == MANIFEST_TAIL && is_of_launch(making, i)) ||
            ((item->word == MANIFEST_ARG || item->word == MANIFEST_ENVREG) &&
             is_of_launch(making, i)))
            use_words(making, item->tokens + 1, item->tokens + item->count - 1);
    }
    while (making->pending_count > 0) {
        const struct module_name *name = making->pending[--making->pending_count];
        if (name->is_function)
            use_words(making, module->functions[name->index].head,
                      module->functions[name->index].end);
        else
            use_words(making, module->variables[name->index].declaration,
                      declaration_end(&module->variables[name->index]));
    }
}

// --- Variables and functions -------------------------------------------------------------------

// An array of shared memory whose size the launch gives.
static bool declare_dynamic(struct module_test *making, const struct module_variable *variable) {
    if (!making->dynamic) {
        diag_error(making->diagnostics, variable->span,
                   "the size of '%s' is that of the dynamic shared memory, which "
                   "the manifest does not give",
                   variable->name);
        diag_hint(making->diagnostics, "'dynamic 1024' gives it 1024 bytes");
        return false;
    }
    if (making->array) { // it has the same address, which no declaration of a test says
        diag_error(making->diagnostics, variable->span,
                   "'%s' and '%s' are one piece of memory, the dynamic shared one: only one such "
                   "array is read",
                   making->array->name, variable->name);
        return false;
    }
    making->array = variable;
    uint64_t elements = making->dynamic_bytes / variable->element_size;
    if (elements == 0 || elements * variable->element_size != making->dynamic_bytes) {
        diag_error(making->diagnostics, making->dynamic->tokens->span,
                   "%llu bytes of dynamic shared memory are not a whole number of elements of "
                   "'%s', which have %llu each",
                   (unsigned long long)making->dynamic_bytes, variable->name,
                   (unsigned long long)variable->element_size);
        return false;
    }
    struct variable declared = {.name = variable->name,
                                .span = variable->span,
                                .space = SPACE_SHARED,
                                .type = module_scalar_type(variable->type),
                                .element_count = (size_t)elements,
                                .is_array = true,
                                .alignment = variable->alignment,
                                .alias_of = -1};
    making->frame.variable_bytes += making->dynamic_bytes;
    reader_add_variable(&making->frame.reader, &declared);
    return true;
}

static bool declare_variable(struct module_test *making, const struct module_variable *variable) {
    struct token_list list = {0};
    bool is_extern = variable->linkage && strcmp(variable->linkage, ".extern") == 0;
    if (is_extern && variable->space == SPACE_SHARED && variable->is_array && variable->size == 0)
        return declare_dynamic(making, variable);
    if (is_extern) {
        diag_error(making->diagnostics, variable->span, "'%s' is defined in another module",
                   variable->name);
        return false;
    }
    if (reader_variable(&making->frame.reader, variable->name) >= 0 && !variable->is_alone)
        return true; // another variable of its declaration was used, too
    add_tokens(making, &list, variable->declaration, declaration_end(variable));
    read_list(making, &list);
    return frame_parse_ptx_declaration(&making->frame) && expect_end(&making->frame);
}

static bool declare_function(struct module_test *making, struct module_function *function) {
    struct token_list list = {0};
    if (function->body)
        add_body(making, &list, function, function->head, function->end);
    else
        add_tokens(making, &list, function->head, function->end);
    read_list(making, &list);
    return frame_parse_function(&making->frame);
}

static bool is_used(const struct module_test *making, const char *name) {
    int number = name_table_find(making->numbers, name);
    return number >= 0 && making->names[number].is_used;
}

// In the order of the module, prototypes as well: a call comes after the declaration of what it
// calls.
static bool declare_used(struct module_test *making) {
    struct module *module = making->module;
    bool fine = true;
    find_used(making);
    for (size_t i = 0; i < module->variable_count; i++)
        if (is_used(making, module->variables[i].name))
            fine = declare_variable(making, &module->variables[i]) && fine;
    for (size_t i = 0; i < module->function_count; i++)
        if (!module->functions[i].is_kernel && is_used(making, module->functions[i].name))
            fine = declare_function(making, &module->functions[i]) && fine;
    return fine;
}

// --- Arguments ---------------------------------------------------------------------------------

// parameter "=" value, as the declaration of a variable that has a first value
static bool declare_parameter(struct module_test *making, size_t number) {
    const struct module_parameter *parameter = &making->launch.kernel->parameters[number];
    const struct manifest_item *argument = making->arguments[number];
    struct frame *frame = &making->frame;
    struct token_list list = {0};
    if (!argument) {
        diag_error(making->diagnostics, making->launch.span,
                   "argument %zu of kernel '%s', a %s of %llu bytes, is missing", number,
                   making->launch.kernel->demangled, parameter->type,
                   (unsigned long long)parameter->size);
        diag_hint(making->diagnostics, "'arg %zu = 0', or '= &NAME' for the address of an object",
                  number);
        return false;
    }
    const struct token *end = argument->tokens + argument->count - 1;
    if (token_is_punct(end - 1, ';'))
        end--;
    add_tokens(making, &list, parameter->declaration, parameter->end);
    add_tokens(making, &list, argument->tokens + 2, end);
    read_list(making, &list);
    if (!frame_parse_ptx_declaration(frame) || !expect_end(frame))
        return false;
    struct variable *variable = &frame->test->variables[frame->test->variable_count - 1];
    for (size_t i = 0; i < variable->element_count; i++)
        variable->initial[i].is_generic = true;
    return true;
}

// An argument is the address of what all threads share.
static bool check_argument(struct module_test *making, const struct variable *parameter,
                           size_t number) {
    const struct test *test = making->frame.test;
    for (size_t i = 0; i < parameter->element_count; i++) {
        int target = parameter->initial[i].variable;
        if (target < 0 || test->variables[target].space == SPACE_GLOBAL ||
            test->variables[target].space == SPACE_CONST)
            continue;
        diag_error(making->diagnostics, making->arguments[number]->tokens->span,
                   "an argument cannot be the address of '%s', which is in %s memory",
                   test->variables[target].name, state_space_name(test->variables[target].space));
        return false;
    }
    return true;
}

static bool declare_parameters(struct module_test *making) {
    struct frame *frame = &making->frame;
    size_t first = frame->test->variable_count, count = making->launch.kernel->parameter_count;
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        fine = declare_parameter(making, i) && fine;
    for (size_t i = making->first_item; i < making->items_end; i++)
        if (making->manifest->items[i].word == MANIFEST_ENVREG)
            fine = environment_declare(frame, making->launch.shape, &making->manifest->items[i]) &&
                   fine;
    size_t errors = making->diagnostics->error_count;
    frame_resolve_address_initials(frame);
    fine = fine && making->diagnostics->error_count == errors;
    for (size_t i = 0; fine && i < count; i++)
        fine = check_argument(making, &frame->test->variables[first + i], i);
    return fine;
}

// --- Version and target ------------------------------------------------------------------------

static bool set_version(struct module_test *making) {
    const struct module *module = making->module;
    struct test *test = making->frame.test;
    size_t length = strcspn(module->target, ",");
    test->version = module->version > PTX_NEWEST ? PTX_NEWEST : module->version;
    test->version_span = module->version_span;
    test->target = arena_strndup(making->arena, module->target, length);
    test->target_span = module->target_span;
    test->target_span.end = test->target_span.begin + (uint32_t)length;
    if (module->address_size != 64) {
        diag_error(making->diagnostics, module->version_span, "addresses have 64 bits");
        return false;
    }
    if (ptx_is_version(test->version))
        return true;
    diag_error(making->diagnostics, module->version_span, "PTX ISA %u.%u is not read",
               module->version / 10, module->version % 10);
    diag_hint(making->diagnostics, "from %u.%u, the first with a memory model", PTX_OLDEST / 10,
              PTX_OLDEST % 10);
    return false;
}

// --- Bodies ------------------------------------------------------------------------------------

static bool is_event(const struct instruction *instruction) {
    return opcode_effects(instruction->opcode) &
           (EFFECT_READS | EFFECT_WRITES | EFFECT_ORDERS | EFFECT_BARRIER);
}

static bool check_events(struct module_test *making) {
    const struct test *test = making->frame.test;
    size_t events = 0;
    for (size_t i = 0; i < test->threads[0].instruction_count; i++)
        events += is_event(&test->threads[0].instructions[i]);
    if (events * test->thread_count <= LAUNCH_EVENTS_MAX)
        return true;
    diag_error(making->diagnostics, making->launch.span,
               "this launch has %zu threads with %zu accesses, fences and barriers each: %zu "
               "events, and at most %d are "
               "taken",
               test->thread_count, events, events * test->thread_count, LAUNCH_EVENTS_MAX);
    return false;
}

static bool parse_bodies(struct module_test *making) {
    struct test *test = making->frame.test;
    struct module_function *kernel =
        &making->module->functions[making->launch.kernel - making->module->functions];
    struct token_list list = {0};
    size_t errors = making->diagnostics->error_count;
    add_body(making, &list, kernel, kernel->body,
             kernel->body + kernel->body_count + 1); // with the '}'
    list.items[list.count - 1].kind = TOKEN_END;
    launch_add_threads(&making->frame, &making->launch);
    making->frame.body_count = test->thread_count; // conditions ask which of them had errors: none
    making->frame.bodies = ARENA_ARRAY(making->arena, struct frame_body, test->thread_count);
    for (size_t i = 0; i < test->thread_count && making->diagnostics->error_count == errors; i++) {
        ptx_parse_body(&making->frame.reader, &test->threads[i], list.items, list.count);
        test->threads[i].tokens = list.items;
        test->threads[i].token_count = list.count;
        if (i == 0 && making->diagnostics->error_count == errors && !check_events(making))
            return false;
    }
    return making->diagnostics->error_count == errors;
}

// --- Tests -------------------------------------------------------------------------------------

// name = "test" (word | string). NULL after an error.
static const char *parse_name(struct module_test *making, const struct manifest_item *item) {
    struct frame *frame = &making->frame;
    set_tokens(frame, item->tokens, item->count);
    frame_next(frame);
    const struct token *name = frame_current(frame);
    if (name->kind != TOKEN_WORD && name->kind != TOKEN_STRING) {
        frame_error_expected(frame, "the name of a test");
        return NULL;
    }
    frame_next(frame);
    const char *text = token_text(making->arena, name);
    if (name->kind == TOKEN_STRING)
        text = arena_strndup(making->arena, text + 1, strlen(text) > 1 ? strlen(text) - 2 : 0);
    return expect_end(frame) ? text : NULL;
}

// test = name? tail, or nothing where a launch has no condition. `*next` is the item after it.
static bool parse_tail(struct module_test *making, size_t *next) {
    const struct manifest *manifest = making->manifest;
    const struct manifest_item *item = &manifest->items[*next];
    struct test *test = making->frame.test;
    test->name = module_bare_name(making->arena, making->launch.kernel);
    if (item->word == MANIFEST_KERNEL) {
        test->is_unasked = true;
        test->unasked = item->tokens->span;
        test->condition = ARENA_NEW(making->arena, struct condition);
        *test->condition = (struct condition){.kind = CONDITION_TRUE, .span = item->tokens->span};
        ++*next;
        return true;
    }
    if (item->word == MANIFEST_TEST) {
        const char *name = parse_name(making, item);
        if (!name)
            return false;
        test->name = arena_format(making->arena, "%s.%s", test->name, name);
        do
            item = ++*next < manifest->count ? &manifest->items[*next] : NULL;
        while (item && !is_asked(item) && item->word != MANIFEST_KERNEL);
    }
    if (!item || item->word != MANIFEST_TAIL) {
        diag_error(making->diagnostics, frame_after_previous(&making->frame),
                   "test '%s' has no condition", test->name);
        return false;
    }
    size_t errors = making->diagnostics->error_count;
    set_tokens(&making->frame, item->tokens, item->count);
    frame_parse_tail(&making->frame);
    ++*next;
    return making->diagnostics->error_count == errors;
}

// Makes the test whose condition begins at the item `*next`, or that of a launch there without one;
// it is moved to the item after it. NULL after
// errors.
static struct test *make_test(const struct module_test *whole, size_t *next) {
    struct module_test making = *whole;
    struct test *test = ARENA_NEW(making.arena, struct test);
    *test =
        (struct test){.source = making.module->source, .description = "", .dialect = DIALECT_PTX};
    making.frame =
        (struct frame){.arena = making.arena, .diagnostics = making.diagnostics, .test = test};
    making.frame.reader = (struct reader){.arena = making.arena,
                                          .diagnostics = making.diagnostics,
                                          .test = test,
                                          .variable_names = name_table_new(making.arena),
                                          .declaration = "global",
                                          .declare = frame_declare_in_body,
                                          .declare_context = &making.frame,
                                          .opens = true};
    collect_names(&making);
    find_launch(&making, *next);
    bool fine = parse_items(&making) && set_version(&making) && declare_used(&making) &&
                declare_parameters(&making) && parse_bodies(&making) && parse_tail(&making, next);
    return fine ? test : NULL;
}

// Words of all conditions, as registers may be spelt in them.
static void collect_matters(struct module_test *making) {
    const struct manifest *manifest = making->manifest;
    for (size_t i = 0; i < manifest->token_count; i++) {
        const struct token *token = &manifest->tokens[i];
        if (token->kind != TOKEN_WORD)
            continue;
        const char *text = token_text(making->arena, token);
        making->matters = arena_grow(making->arena, making->matters, making->matters_count,
                                     sizeof *making->matters);
        making->matters[making->matters_count++] =
            text[0] == '%' ? text : arena_format(making->arena, "%%%s", text);
    }
}

// Whether a launch has no condition.
static bool is_unasked(const struct manifest *manifest, size_t launch) {
    if (manifest->items[launch].word != MANIFEST_KERNEL)
        return false;
    for (size_t i = launch + 1; i < manifest->count; i++) {
        if (is_asked(&manifest->items[i]))
            return false;
        if (manifest->items[i].word == MANIFEST_KERNEL)
            return true;
    }
    return true;
}

// The next condition, or launch without one.
static size_t find_tail(const struct manifest *manifest, size_t from) {
    while (from < manifest->count && !is_asked(&manifest->items[from]) &&
           !is_unasked(manifest, from))
        from++;
    return from;
}

void module_read_tests(struct arena *arena, const struct source *source,
                       struct diagnostics *diagnostics, struct test_list *tests) {
    struct manifest manifest;
    struct module *module = module_read_declarations(arena, source, diagnostics);
    if (!module || !manifest_read(arena, source, diagnostics, &manifest) ||
        !check_manifest(&manifest, diagnostics))
        return;
    size_t next = find_tail(&manifest, 0), count;
    static const char extra[] = ".global .align 16 .u32";
    const struct source *extra_source =
        source_from_text(arena, source->path, extra, sizeof extra - 1);
    struct module_test making = {
        .arena = arena, .diagnostics = diagnostics, .module = module, .manifest = &manifest};
    making.idle = name_table_new(arena);
    collect_matters(&making);
    making.extra = lexer_tokens(arena, extra_source, 0, extra_source->size, diagnostics, &count);
    while (next < manifest.count) {
        struct test *test = make_test(&making, &next);
        if (!test)
            return;
        tests->items = arena_grow(arena, tests->items, tests->count, sizeof(struct test *));
        tests->items[tests->count++] = test;
        next = find_tail(&manifest, next);
    }
}
