// A module as a test: for each condition of its manifest, the bodies of the launched kernels as
// those of their threads, their arguments as the values of their parameters, and of the module what
// they use.
#include "litmus/readers/module/making.h"

#include "litmus/names/table.h"
#include "litmus/ptx/ptx.h"
#include "litmus/ptx/target.h"
#include "litmus/readers/declarations.h"
#include "litmus/readers/tail.h"
#include "litmus/readers/threads.h"
#include "litmus/source/arena.h"

#include <string.h>

// --- The manifest ------------------------------------------------------------------------------

static bool parse_launch(struct module_test *making, bool follows) {
    making->launches =
        arena_grow(making->arena, making->launches, making->launch_count, sizeof *making->launches);
    return launch_parse(&making->frame, making->module, &making->numbers_free, follows,
                        &making->launches[making->launch_count++]);
}

// then = "then" launch: in the stream of the launch before it
static bool parse_then(struct module_test *making) {
    struct frame *frame = &making->frame;
    frame_next(frame); // the word
    if (!token_is(frame_current(frame), "kernel"))
        return frame_error_expected(frame, "'kernel'");
    if (!parse_launch(making, true))
        return false;
    const struct module_launch *launch = &making->launches[making->launch_count - 1];
    struct grid_order order = {.grid = launch->first.grid,
                               .after = launch->first.grid - 1,
                               .is_programmatic = launch->is_programmatic,
                               .span = launch->span};
    return frame_add_grid_order(frame, &order);
}

// The number of tokens from here to the '}' that closes a body, and with it; 0: there is none.
static size_t body_length(const struct frame *frame) {
    unsigned depth = 1;
    for (size_t i = 0; frame_peek(frame, i)->kind != TOKEN_END; i++) {
        const struct token *token = frame_peek(frame, i);
        if (token_is_punct(token, '}') && --depth == 0)
            return i + 1;
        depth += token_is_punct(token, '{');
    }
    return 0;
}

// with = "with" (launch | "host" "{" body "}"): what runs at the same time
static bool parse_with(struct module_test *making, const struct manifest_item *item) {
    struct frame *frame = &making->frame;
    frame_next(frame); // the word
    if (token_is(frame_current(frame), "kernel"))
        return parse_launch(making, false);
    if (!token_is(frame_current(frame), "host"))
        return frame_error_expected(frame, "'kernel' or 'host'");
    frame_next(frame);
    const struct token *brace = frame_current(frame);
    if (!frame_expect(frame, '{', "the body of a thread of the host in braces"))
        return false;
    size_t length = body_length(frame);
    if (length == 0)
        return diag_error(making->diagnostics, brace->span, "this '{' is never closed");
    frame->at += length;
    if (!making_expect_end(frame))
        return false;
    ARENA_APPEND(making->arena, making->hosts, making->host_count, item);
    return true;
}

// schedule = launch | progress, as in a test
static bool parse_schedule(struct module_test *making) {
    size_t errors = making->diagnostics->error_count;
    return frame_parse_schedule_words(&making->frame) && making_expect_end(&making->frame) &&
           making->diagnostics->error_count == errors;
}

// object = "global" (tensormap | qualifier* name dimensions ("=" value)?): a declaration of a
// .global .u32 that is aligned as allocations are, where it does not say otherwise
static bool parse_object(struct module_test *making, const struct manifest_item *item) {
    struct token_list list = {0};
    const struct token *first = item->tokens + 1, *end = item->tokens + item->count - 1,
                       *at = first;
    bool has_alignment = false, has_type = false;
    if (token_is(first, "tensormap")) {
        frame_next(&making->frame);
        return frame_parse_tensormap(&making->frame, SPACE_GLOBAL) &&
               making_expect_end(&making->frame);
    }
    for (; at < end && (at->kind == TOKEN_QUALIFIER || at->kind == TOKEN_INTEGER); at++) {
        has_alignment = has_alignment || token_is(at, ".align");
        has_type = has_type || (at->kind == TOKEN_QUALIFIER && !token_is(at, ".align"));
    }
    if (end > first && token_is_punct(end - 1, ';'))
        end--;
    making_add_tokens(making, &list, making->extra, making->extra + 1);
    if (!has_alignment)
        making_add_tokens(making, &list, making->extra + 1, making->extra + 3);
    making_add_tokens(making, &list, first, at);
    if (!has_type)
        making_add_tokens(making, &list, making->extra + 3, making->extra + 4);
    making_add_tokens(making, &list, at, end);
    making_read_list(making, &list);
    return frame_parse_ptx_declaration(&making->frame) && making_expect_end(&making->frame);
}

// dynamic = "dynamic" integer
static bool parse_dynamic(struct module_test *making, struct module_launch *launch,
                          const struct manifest_item *item) {
    struct frame *frame = &making->frame;
    unsigned bytes;
    const struct token *word = frame_next(frame);
    if (launch->dynamic)
        return diag_error(making->diagnostics, word->span,
                          "the dynamic shared memory is given twice");
    struct span span = frame_current(frame)->span;
    if (!frame_parse_unsigned(frame, "a number of bytes", &bytes) || !making_expect_end(frame))
        return false;
    if (bytes > VARIABLE_BYTES_MAX)
        return diag_error(making->diagnostics, span,
                          "the variables of a test have at most %d bytes together",
                          VARIABLE_BYTES_MAX);
    launch->dynamic = item;
    launch->dynamic_bytes = bytes;
    return true;
}

static bool parse_item(struct module_test *making, const struct manifest_item *item) {
    struct module_launch *launch =
        making->launch_count > 0 ? &making->launches[making->launch_count - 1] : NULL;
    making_set_tokens(&making->frame, item->tokens, item->count);
    switch (item->word) {
    case MANIFEST_KERNEL: return parse_launch(making, false);
    case MANIFEST_THEN: return parse_then(making);
    case MANIFEST_WITH: return parse_with(making, item);
    case MANIFEST_SCHEDULE: return parse_schedule(making);
    case MANIFEST_GLOBAL: return parse_object(making, item);
    case MANIFEST_ARG: return making_parse_argument(making, launch, item);
    case MANIFEST_DYNAMIC: return parse_dynamic(making, launch, item);
    case MANIFEST_ENVREG: // it is read when all objects are known
        ARENA_APPEND(making->arena, launch->environment, launch->environment_count, item);
        return true;
    case MANIFEST_MODULE: // chosen before
    case MANIFEST_TEST:
    case MANIFEST_TAIL: return true; // read for each test
    }
    return false;
}

static bool is_asked(const struct manifest_item *item) {
    return item->word == MANIFEST_TEST || item->word == MANIFEST_TAIL;
}

// Finds the launches whose condition is at the item `tail`: the last ones before it, or there.
// Their arguments come before the condition or after it.
static void find_launches(struct module_test *making, size_t tail) {
    const struct manifest *manifest = making->manifest;
    making->first_item = making->items_end = tail;
    while (manifest->items[making->first_item].word != MANIFEST_KERNEL)
        making->first_item--; // check_manifest has seen that there is one
    making->items_end += tail == making->first_item;
    while (making->items_end < manifest->count &&
           manifest->items[making->items_end].word != MANIFEST_KERNEL)
        making->items_end++;
}

// Reads all objects, and what is said of the launches.
static bool parse_items(struct module_test *making) {
    const struct manifest *manifest = making->manifest;
    bool fine = true;
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_item *item = &manifest->items[i];
        if (item->word != MANIFEST_GLOBAL && !making_is_of_launches(making, i))
            continue;
        if (!parse_item(making, item))
            fine = false;
        if (!fine && (item->word == MANIFEST_KERNEL || item->word == MANIFEST_WITH ||
                      item->word == MANIFEST_THEN))
            return false; // what follows is about it
    }
    return fine;
}

// A cooperative launch promises that the CTAs of one grid run at once.
static bool check_cooperative(struct module_test *making) {
    const struct manifest *manifest = making->manifest;
    if (!making->frame.test->is_cooperative || making->launch_count < 2)
        return true;
    for (size_t i = making->first_item; i < making->items_end; i++)
        if (token_is(manifest->items[i].tokens, "launch"))
            diag_error(making->diagnostics, manifest->items[i].tokens->span,
                       "a cooperative launch is of one kernel: that several run at once is not "
                       "promised");
    return false;
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

// --- Version and target ------------------------------------------------------------------------

static bool set_version(struct module_test *making) {
    const struct module *module = making->module;
    struct test *test = making->frame.test;
    size_t length = strcspn(module->target, ",");
    test->directives.version = module->version > PTX_NEWEST ? PTX_NEWEST : module->version;
    test->directives.version_span = module->version_span;
    test->directives.target = arena_strndup(making->arena, module->target, length);
    test->directives.target_span = module->target_span;
    test->directives.target_span.end = test->directives.target_span.begin + (uint32_t)length;
    if (module->address_size != 64)
        return diag_error(making->diagnostics, module->version_span, "addresses have 64 bits");
    if (ptx_is_version(test->directives.version))
        return true;
    diag_error(making->diagnostics, module->version_span, "PTX ISA %u.%u is not read",
               module->version / 10, module->version % 10);
    diag_hint(making->diagnostics, "from %u.%u, the first with a memory model", PTX_OLDEST / 10,
              PTX_OLDEST % 10);
    return false;
}

// --- Bodies ------------------------------------------------------------------------------------

// Parses a body, which ends with a TOKEN_END, as that of a thread. Returns false after an error.
static bool parse_body(struct module_test *making, size_t index, const struct token_list *list) {
    size_t errors = making->diagnostics->error_count;
    struct thread *thread = &making->frame.test->threads[index];
    ptx_parse_body(&making->frame.reader, thread, list->items, list->count);
    thread->tokens = list->items;
    thread->token_count = list->count;
    return making->diagnostics->error_count == errors;
}

// The threads of a launch have one body: what one of them has is read once.
static void share_body(struct test *test, size_t first) {
    const struct thread *from = &test->threads[first];
    for (size_t i = first + 1; i < test->thread_count; i++) {
        struct thread *thread = &test->threads[i];
        thread->registers = from->registers;
        thread->register_count = from->register_count;
        thread->instructions = from->instructions;
        thread->instruction_count = from->instruction_count;
        thread->labels = from->labels;
        thread->label_count = from->label_count;
        thread->register_names = from->register_names;
        thread->tokens = from->tokens;
        thread->token_count = from->token_count;
    }
}

static bool parse_kernel_bodies(struct module_test *making, const struct module_launch *launch) {
    struct test *test = making->frame.test;
    struct module_function *kernel =
        &making->module->functions[launch->kernel - making->module->functions];
    struct token_list list = {0};
    size_t first = test->thread_count;
    making_add_body(making, &list, kernel, kernel->body,
                    kernel->body + kernel->body_count + 1); // with the '}'
    list.items[list.count - 1].kind = TOKEN_END;
    launch_add_threads(&making->frame, launch);
    if (!parse_body(making, first, &list))
        return false;
    share_body(test, first);
    return true;
}

// Threads of the host come after all others. Nothing of theirs is left open.
static bool parse_host(struct module_test *making, const struct manifest_item *item) {
    struct test *test = making->frame.test;
    struct span span = span_join(item->tokens[0].span, item->tokens[1].span);
    struct thread thread = {.number = making->numbers_free.thread++,
                            .span = span,
                            .place = {.host = true, .span = span}};
    struct token_list list = {0};
    const struct token *end = item->tokens + item->count - 2;
    while (!token_is_punct(end, '}'))
        end--;
    making_add_tokens(making, &list, item->tokens + 3, end + 1);
    list.items[list.count - 1].kind = TOKEN_END;
    ARENA_APPEND(making->arena, test->threads, test->thread_count, thread);
    making->frame.reader.opens = false;
    return parse_body(making, test->thread_count - 1, &list);
}

static bool parse_bodies(struct module_test *making) {
    struct test *test = making->frame.test;
    bool fine = true;
    for (size_t i = 0; i < making->launch_count; i++)
        fine = fine && making_declare_parameters(making, &making->launches[i]) &&
               parse_kernel_bodies(making, &making->launches[i]);
    making_forget_parameters(making);
    for (size_t i = 0; i < making->host_count; i++)
        fine = fine && parse_host(making, making->hosts[i]);
    making->frame.body_count = test->thread_count; // conditions ask which of them had errors: none
    making->frame.bodies = ARENA_ARRAY(making->arena, struct frame_body, test->thread_count + 1);
    return fine;
}

// --- Tests -------------------------------------------------------------------------------------

// name = "test" (word | string). NULL after an error.
static const char *parse_name(struct module_test *making, const struct manifest_item *item) {
    struct frame *frame = &making->frame;
    making_set_tokens(frame, item->tokens, item->count);
    frame_next(frame);
    const struct token *name = frame_current(frame);
    if (name->kind != TOKEN_WORD && name->kind != TOKEN_STRING) {
        frame_error_expected(frame, "the name of a test");
        return NULL;
    }
    frame_next(frame);
    return making_expect_end(frame) ? token_unquoted(making->arena, name) : NULL;
}

// "producer+consumer"
static const char *name_launches(struct module_test *making) {
    const char *name = module_bare_name(making->arena, making->launches[0].kernel);
    for (size_t i = 1; i < making->launch_count; i++)
        name = arena_format(making->arena, "%s+%s", name,
                            module_bare_name(making->arena, making->launches[i].kernel));
    return name;
}

// test = name? tail, or nothing where a launch has no condition. `*next` is the item after it.
static bool parse_tail(struct module_test *making, size_t *next) {
    const struct manifest *manifest = making->manifest;
    const struct manifest_item *item = &manifest->items[*next];
    struct test *test = making->frame.test;
    test->name = name_launches(making);
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
    if (!item || item->word != MANIFEST_TAIL)
        return diag_error(making->diagnostics, frame_after_previous(&making->frame),
                          "test '%s' has no condition", test->name);
    size_t errors = making->diagnostics->error_count;
    making_set_tokens(&making->frame, item->tokens, item->count);
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
    making_collect_names(&making);
    find_launches(&making, *next);
    bool fine = parse_items(&making) && check_cooperative(&making) && set_version(&making) &&
                making_declare_used(&making) && parse_bodies(&making) && parse_tail(&making, next);
    return fine ? test : NULL;
}

static void collect_words(struct module_test *making, const struct manifest_item *item) {
    for (size_t i = 0; i < item->count; i++) {
        if (item->tokens[i].kind != TOKEN_WORD)
            continue;
        const char *text = token_text(making->arena, &item->tokens[i]);
        ARENA_APPEND(making->arena, making->matters, making->matters_count,
                     text[0] == '%' ? text : arena_format(making->arena, "%%%s", text));
    }
}

// Words of all conditions, as registers may be spelt in them.
static void collect_matters(struct module_test *making) {
    const struct manifest *manifest = making->manifest;
    for (size_t i = 0; i < manifest->count; i++)
        if (manifest->items[i].word == MANIFEST_TAIL)
            collect_words(making, &manifest->items[i]);
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
    struct module_test making = {.arena = arena,
                                 .diagnostics = diagnostics,
                                 .module = module,
                                 .manifest = &manifest,
                                 .array = -1};
    making.idle = name_table_new(arena);
    collect_matters(&making);
    making.extra = lexer_tokens(arena, extra_source, 0, extra_source->size, diagnostics, &count);
    while (next < manifest.count) {
        struct test *test = make_test(&making, &next);
        if (!test)
            return;
        ARENA_APPEND(arena, tests->items, tests->count, test);
        next = find_tail(&manifest, next);
    }
}
