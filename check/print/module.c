// What both printers of modules need: counts, and what is not modelled, gathered by reason.
#include "check/print/module.h"

#include "litmus/names/table.h"
#include "litmus/source/arena.h"

#include <inttypes.h>

bool statement_is_listed(const struct module_statement *statement) {
    return statement->opcode->kind != MODULE_OTHER;
}

struct kind_counts count_kinds(const struct module_function *function) {
    struct kind_counts counts = {0};
    for (size_t i = 0; i < function->statement_count; i++)
        counts.of[function->statements[i].opcode->kind]++;
    return counts;
}

const char *variable_text(struct arena *arena, const struct module_variable *variable) {
    const char *linkage = variable->linkage ? variable->linkage : "";
    const char *brackets =
        !variable->is_array ? ""
        : variable->size == 0 || !variable->element_size
            ? "[]"
            : arena_format(arena, "[%" PRIu64 "]", variable->size / variable->element_size);
    const char *size = variable->size > 0 ? arena_format(arena, "%" PRIu64 " bytes", variable->size)
                       : variable->space == SPACE_SHARED ? "as many bytes as a launch gives it"
                                                         : "of a size that is not said";
    return arena_format(arena, "%s%s%s .align %u %s %s%s: %s", linkage, *linkage ? " " : "",
                        state_space_name(variable->space), variable->alignment, variable->type,
                        variable->name, brackets, size);
}

struct missing_group *missing_groups(struct arena *arena, const struct module_function *function,
                                     size_t *count) {
    struct missing_group *groups = NULL;
    struct name_table *known = name_table_new(arena);
    *count = 0;
    for (size_t i = 0; i < function->statement_count; i++) {
        const struct module_statement *statement = &function->statements[i];
        const char *why = module_missing(arena, statement);
        if (!why)
            continue;
        const char *key = arena_format(arena, "%s %s", statement->opcode->text, why);
        int group = name_table_find(known, key);
        if (group < 0) {
            group = (int)*count;
            ARENA_APPEND(arena, groups, *count,
                         (struct missing_group){
                             .first = statement, .why = why, .matters = statement->reaches});
            name_table_add(known, key, group);
        }
        groups[group].count++;
    }
    return groups;
}
