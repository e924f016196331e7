// A module as a whole: its directives, and what it declares. Bodies are read when all names of the
// module are known.
#include "litmus/readers/module/reading.h"

#include "litmus/names/table.h"
#include "litmus/ptx/target.h"
#include "litmus/source/arena.h"
#include "litmus/source/demangle.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

// --- Directives --------------------------------------------------------------------------------

// version = ".version" major "." minor, of which the lexer makes one number
static bool parse_version(struct module_reading *reading) {
    struct module *module = reading->module;
    const struct token *number = ++reading->at;
    const char *text = token_text(reading->arena, number);
    size_t major = strspn(text, "0123456789"),
           minor = text[major] == '.' ? strspn(text + major + 1, "0123456789") : 0;
    if (number->kind != TOKEN_FLOAT || minor != 1 || major > 3 || text[major + 2] != '\0')
        return module_error_expected(reading, "a version such as 8.0");
    reading->at++;
    unsigned whole = 0;
    for (size_t i = 0; i < major; i++)
        whole = whole * 10 + (unsigned)(text[i] - '0');
    module->version = whole * 10 + (unsigned)(text[major + 1] - '0');
    module->version_span = number->span;
    if (module->version > PTX_NEWEST)
        diag_note(
            reading->diagnostics, number->span,
            "PTX ISA %s is newer than the newest that is known: the module is read as one of %u.%u",
            text, PTX_NEWEST / 10, PTX_NEWEST % 10);
    return true;
}

// target = ".target" word ("," word)*
static bool parse_target(struct module_reading *reading) {
    const struct token *first = ++reading->at;
    for (;; reading->at++) {
        if (reading->at->kind != TOKEN_WORD)
            return module_error_expected(reading, "a target such as sm_90");
        reading->at++;
        if (!token_is_punct(reading->at, ','))
            break;
    }
    reading->module->target_span = span_join(first->span, reading->at[-1].span);
    reading->module->target = span_text(reading->arena, reading->module->target_span);
    return true;
}

static bool parse_address_size(struct module_reading *reading) {
    const struct token *size = ++reading->at;
    if (size->kind != TOKEN_INTEGER || (size->value.low != 32 && size->value.low != 64))
        return module_error_expected(reading, "32 or 64");
    reading->at++;
    reading->module->address_size = (unsigned)size->value.low;
    return true;
}

// file = ".file" number string, to the end of the line
static bool parse_file(struct module_reading *reading) {
    const struct token *number = &reading->at[1], *name = &reading->at[2];
    struct module *module = reading->module;
    const char *id = token_text(reading->arena, number);
    if (number->kind == TOKEN_INTEGER && name->kind == TOKEN_STRING &&
        name_table_find(reading->files, id) < 0) {
        name_table_add(reading->files, id, (int)module->file_count);
        ARENA_APPEND(reading->arena, module->files, module->file_count,
                     token_unquoted(reading->arena, name));
    }
    reading->at = token_of_next_line(reading->at);
    return true;
}

// section = ".section" name group
static bool skip_section(struct module_reading *reading) {
    reading->at++;
    if (reading->at->kind == TOKEN_QUALIFIER || reading->at->kind == TOKEN_WORD)
        reading->at++;
    return token_is_punct(reading->at, '{')
               ? module_skip_group(reading)
               : module_error_expected(reading, "the name of a section and '{'");
}

static bool skip_to_semicolon(struct module_reading *reading) {
    while (!token_is_punct(reading->at, ';')) {
        if (reading->at->kind == TOKEN_END)
            return module_error_expected(reading, "';'");
        reading->at++;
    }
    reading->at++;
    return true;
}

static bool skip_line(struct module_reading *reading) {
    reading->at = token_of_next_line(reading->at);
    return true;
}

static const struct {
    const char *name;
    bool (*parse)(struct module_reading *reading);
} directives[] = {
    {".version", parse_version},
    {".target", parse_target},
    {".address_size", parse_address_size},
    {".file", parse_file},
    {".section", skip_section},
    {".pragma", skip_to_semicolon},
    {".alias", skip_to_semicolon},
    {".loc", skip_line},
    {".loc_intermediate", skip_line},
    {".callprototype", skip_to_semicolon},
};

// --- Functions ---------------------------------------------------------------------------------

static const struct token *after_linkage(const struct token *at) {
    bool linkage = token_is(at, ".visible") || token_is(at, ".extern") || token_is(at, ".weak");
    return at + linkage;
}

static bool at_function(const struct token *at) {
    at = after_linkage(at);
    return token_is(at, ".entry") || token_is(at, ".func");
}

// attributes = (directive value ("," value)* | ".pragma" string ";" | ".attribute" group)*, up to
// '{' or ';'; value = number, or a string of .language
static bool parse_attributes(struct module_reading *reading, struct module_function *function) {
    const struct token *first = reading->at;
    bool language = false;
    for (; !token_is_punct(reading->at, '{') && !token_is_punct(reading->at, ';'); reading->at++) {
        const struct token *at = reading->at;
        if (at->kind == TOKEN_QUALIFIER)
            language = token_is(at, ".language");
        bool pragma = token_is(at, ".pragma");
        if (pragma && at[1].kind == TOKEN_STRING && token_is_punct(&at[2], ';'))
            reading->at += 2;
        else if (at->kind == TOKEN_STRING && !language)
            return module_error_expected(reading, "'{' or ';'");
        else if (at->kind != TOKEN_QUALIFIER && at->kind != TOKEN_INTEGER &&
                 at->kind != TOKEN_STRING && !token_is_punct(at, ',') && !token_is_punct(at, '(') &&
                 !token_is_punct(at, ')'))
            return module_error_expected(reading, "'{' or ';'");
    }
    function->attributes = "";
    if (reading->at == first)
        return true;
    char *text = span_text(reading->arena, span_join(first->span, reading->at[-1].span)),
         *to = text;
    for (const char *from = text; *from; from++) { // on one line
        bool space = strchr(" \t\r\n", *from) != NULL;
        if (!space)
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
    function->attributes = text;
    return true;
}

static void place_parameters(struct module_function *function) {
    uint64_t at = 0;
    for (size_t i = 0; i < function->parameter_count; i++) {
        struct module_parameter *parameter = &function->parameters[i];
        uint64_t alignment = parameter->alignment ? parameter->alignment : 1;
        at = (at + alignment - 1) / alignment * alignment;
        parameter->offset = at;
        at += parameter->size;
    }
    function->parameter_bytes = at;
}

static void add_function(struct module_reading *reading, struct module_function *function) {
    struct module *module = reading->module;
    int known = name_table_find(reading->names, function->name);
    if (known < 0)
        name_table_add(reading->names, function->name, 0);
    if (function->body && name_table_find(reading->bodies, function->name) >= 0)
        diag_error(reading->diagnostics, function->span, "'%s' is defined twice", function->name);
    else if (function->body)
        name_table_add(reading->bodies, function->name, 0);
    ARENA_APPEND(reading->arena, module->functions, module->function_count, *function);
}

// function = linkage? (".entry" | ".func" returns?) name parameters? attributes (body | ";")
static bool parse_function(struct module_reading *reading) {
    const struct token *head = reading->at, *directive = after_linkage(head);
    struct module_function function = {.head = head,
                                       .is_kernel = token_is(directive, ".entry"),
                                       .is_extern = token_is(head, ".extern")};
    reading->at = directive + 1;
    if (!function.is_kernel && token_is_punct(reading->at, '(') && !module_skip_group(reading))
        return false;
    const struct token *name = reading->at;
    if (name->kind != TOKEN_WORD)
        return module_error_expected(reading, "the name of a function");
    reading->at++;
    function.name = token_text(reading->arena, name);
    function.demangled = demangle(reading->arena, function.name);
    function.span = name->span;
    if (token_is_punct(reading->at, '(')) {
        function.parameter_list = reading->at + 1;
        if (!module_parse_parameters(reading, &function.parameters, &function.parameter_count))
            return false;
        function.parameter_tokens = (size_t)(reading->at - 1 - function.parameter_list);
    }
    place_parameters(&function);
    if (!parse_attributes(reading, &function))
        return false;
    if (token_is_punct(reading->at, '{')) {
        function.body = reading->at + 1;
        if (!module_skip_group(reading))
            return false;
        function.body_count = (size_t)(reading->at - 1 - function.body);
    } else {
        reading->at++;
    }
    function.end = reading->at;
    add_function(reading, &function);
    return true;
}

// --- The module --------------------------------------------------------------------------------

static bool parse_variables(struct module_reading *reading) {
    struct module *module = reading->module;
    size_t first = module->variable_count;
    bool fine =
        module_parse_declaration(reading, &module->variables, &module->variable_count, NULL);
    for (size_t i = first; i < module->variable_count; i++)
        if (name_table_find(reading->names, module->variables[i].name) < 0)
            name_table_add(reading->names, module->variables[i].name, 0);
    return fine;
}

static bool parse_item(struct module_reading *reading) {
    if (token_is_punct(reading->at, ';')) {
        reading->at++;
        return true;
    }
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (token_is(reading->at, directives[i].name))
            return directives[i].parse(reading);
    if (at_function(reading->at))
        return parse_function(reading);
    if (module_at_declaration(reading->at))
        return parse_variables(reading);
    if (reading->at->kind == TOKEN_QUALIFIER)
        return diag_error(reading->diagnostics, reading->at->span,
                          "there is no directive '%s' in a module",
                          token_text(reading->arena, reading->at));
    return module_error_expected(reading, "a directive");
}

bool module_recognise(const struct source *source) {
    const char *at = source->text, *end = at + source->size;
    for (;;) {
        while (at < end && (*at == ' ' || (*at >= '\t' && *at <= '\r')))
            at++;
        bool line = end - at >= 2 && memcmp(at, "//", 2) == 0,
             block = end - at >= 2 && memcmp(at, "/*", 2) == 0;
        if (!line && !block)
            return end - at >= 8 && memcmp(at, ".version", 8) == 0;
        const char *close =
            memmem(at + 2, (size_t)(end - at - 2), line ? "\n" : "*/", line ? 1 : 2);
        if (!close)
            return false;
        at = close + (line ? 1 : 2);
    }
}

uint32_t module_text_size(const struct source *source) {
    uint32_t size = source->size;
    while (size > 0 && source->text[size - 1] == '\0')
        size--;
    return size;
}

static struct module *read_module(struct arena *arena, const struct source *source,
                                  bool has_statements, struct diagnostics *diagnostics) {
    struct module *module = ARENA_NEW(arena, struct module);
    size_t count, errors = diagnostics->error_count;
    *module = (struct module){.source = source, .address_size = 64};
    struct module_reading *reading = ARENA_NEW(arena, struct module_reading);
    *reading = (struct module_reading){.arena = arena,
                                       .diagnostics = diagnostics,
                                       .module = module,
                                       .names = name_table_new(arena),
                                       .bodies = name_table_new(arena),
                                       .files = name_table_new(arena)};
    module->reading = reading;
    if (!module_recognise(source)) {
        diag_error(diagnostics, (struct span){.source = source}, "this is not a PTX module");
        diag_hint(diagnostics, "a module begins with '.version'");
        return NULL;
    }
    reading->at = lexer_tokens(arena, source, 0, module_text_size(source), diagnostics, &count);
    while (reading->at->kind != TOKEN_END)
        if (!parse_item(reading))
            module_skip_statement(reading);
    if (!module->target && !diag_has_errors(diagnostics))
        diag_error(diagnostics, (struct span){.source = source}, "the module has no '.target'");
    for (size_t i = 0; i < module->function_count; i++)
        module->functions[i].is_prototype =
            !module->functions[i].body &&
            name_table_find(reading->bodies, module->functions[i].name) >= 0;
    reading->opcodes = module_opcodes_new(arena, diagnostics, module->version > PTX_NEWEST);
    for (size_t i = 0; has_statements && i < module->function_count; i++)
        if (module->functions[i].body)
            module_parse_body(reading, &module->functions[i], NULL, 0);
    return diagnostics->error_count > errors ? NULL : module;
}

bool module_read_statements(struct module *module, struct module_function *function,
                            const char *const *matters, size_t count) {
    struct module_reading *reading = module->reading;
    struct diagnostics unused, *outer = reading->diagnostics;
    if (function->is_followed)
        return true;
    diagnostics_init(&unused, reading->arena);
    reading->diagnostics = &unused;
    reading->opcodes = module_opcodes_new(reading->arena, &unused, module->version > PTX_NEWEST);
    function->statement_count = 0;
    function->is_followed = module_parse_body(reading, function, matters, count);
    reading->diagnostics = outer;
    return function->is_followed;
}

struct module *module_read(struct arena *arena, const struct source *source,
                           struct diagnostics *diagnostics) {
    return read_module(arena, source, true, diagnostics);
}

struct module *module_read_declarations(struct arena *arena, const struct source *source,
                                        struct diagnostics *diagnostics) {
    return read_module(arena, source, false, diagnostics);
}
