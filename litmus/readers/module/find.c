// The kernels of a module by their names, and what is said of statements.
#include "litmus/readers/module/module.h"

#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

// The '(' before the parameters of a demangled name, or its end. Template arguments may have
// parentheses, and so may the name: "(anonymous namespace)::f(int)".
static size_t name_length(const char *demangled) {
    static const char anonymous[] = "(anonymous namespace)";
    int depth = 0;
    for (size_t i = 0; demangled[i]; i++)
        if (strncmp(&demangled[i], anonymous, sizeof anonymous - 1) == 0)
            i += sizeof anonymous - 2;
        else if (demangled[i] == '(' && depth == 0)
            return i;
        else if (demangled[i] == '<')
            depth++;
        else if (demangled[i] == '>')
            depth--;
    return strlen(demangled);
}

// The name alone: without the parameters, and without the type that templates return.
static const char *bare_name(struct arena *arena, const char *demangled) {
    size_t length = name_length(demangled), first = 0;
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        depth += (demangled[i] == '<' || demangled[i] == '(') -
                 (demangled[i] == '>' || demangled[i] == ')');
        if (demangled[i] == ' ' && depth == 0)
            first = i + 1;
    }
    return arena_strndup(arena, demangled + first, length - first);
}

const char *module_bare_name(struct arena *arena, const struct module_function *kernel) {
    const char *bare = bare_name(arena, kernel->demangled);
    return arena_strndup(arena, bare, strcspn(bare, "<"));
}

static bool is_called(struct arena *arena, const struct module_function *kernel, const char *name) {
    if (strcmp(kernel->demangled, name) == 0)
        return true;
    const char *bare = bare_name(arena, kernel->demangled);
    size_t length = strcspn(bare, "<");
    return strcmp(bare, name) == 0 || (strlen(name) == length && strncmp(bare, name, length) == 0);
}

const struct module_function *module_kernel(struct arena *arena, const struct module *module,
                                            const char *name, size_t *count) {
    const struct module_function *found = NULL;
    *count = 0;
    for (size_t i = 0; i < module->function_count; i++) {
        const struct module_function *kernel = &module->functions[i];
        if (kernel->is_kernel && strcmp(kernel->name, name) == 0) {
            *count = 1;
            return kernel;
        }
        if (kernel->is_kernel && is_called(arena, kernel, name) && ++*count == 1)
            found = kernel;
    }
    return *count == 1 ? found : NULL;
}

bool module_attribute(const struct module_function *kernel, const char *name, unsigned numbers[3]) {
    const char *at = strstr(kernel->attributes, name);
    size_t length = strlen(name);
    numbers[0] = numbers[1] = numbers[2] = 1;
    if (!at || (at[length] != '\0' && at[length] != ' '))
        return false;
    at += length;
    for (unsigned i = 0; i < 3; i++) {
        char *end;
        unsigned long number = strtoul(at, &end, 10);
        if (end == at)
            break;
        numbers[i] = (unsigned)number;
        at = end + strspn(end, " ");
        if (*at != ',')
            break;
        at++;
    }
    return true;
}

const char *module_statement_text(struct arena *arena, const struct module_statement *statement) {
    return tokens_text(arena, statement->first, statement->end, true);
}

const char *module_missing(struct arena *arena, const struct module_statement *statement) {
    const struct module_opcode *opcode = statement->opcode;
    const char *why = opcode->missing ? opcode->missing : statement->unknown;
    if (why && opcode->stores_outside)
        return arena_format(arena, "%s; what it stores is not followed in a test", why);
    if (!why || (opcode->has_effect && !opcode->is_open))
        return why;
    if (opcode->is_concrete && statement->reaches)
        return "this is computed in a test where its operands are constants; otherwise its result "
               "may be anything";
    if (opcode->is_open && statement->reaches)
        return arena_format(arena, "%s; its result may be anything in a test", why);
    return arena_format(arena, "%s; its result reaches %s", why,
                        statement->reaches ? "an address, a branch or a stored value"
                                           : "no address, branch or stored value");
}
