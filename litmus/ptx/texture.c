// Accesses to textures and surfaces in a module's kernel. How the elements of a texture are laid
// out in memory is not said (PTX ISA 5.3), so that they are of no variable of a test: what is read
// may be anything, what is stored is not followed, and the test lists that as an assumption.
#include "litmus/ptx/body.h"
#include "litmus/ptx/open.h"

#include <string.h>

// The beginnings of the names of those that give values, and of those that only store.
static const char *const reads[] = {"istypep", "suld", "suq", "tex", "tld4", "txq"};
static const char *const stores[] = {"sured", "sust"};

static bool begins_with_one(const char *opcode, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(opcode, names[i], length) == 0 &&
            (opcode[length] == '\0' || opcode[length] == '.'))
            return true;
    }
    return false;
}

bool ptx_reads_texture(const char *opcode) {
    return begins_with_one(opcode, reads, sizeof reads / sizeof *reads);
}

bool ptx_stores_to_surface(const char *opcode) {
    return begins_with_one(opcode, stores, sizeof stores / sizeof *stores);
}

// A query (txq, suq, istypep) reads no element.
static bool is_query(const char *opcode) {
    static const char *const queries[] = {"istypep", "suq", "txq"};
    return begins_with_one(opcode, queries, sizeof queries / sizeof *queries);
}

bool ptx_parse_texture(struct body *body, const struct instruction *instruction, const char *opcode,
                       struct open_results *results) {
    *results = (struct open_results){0};
    if (!is_query(opcode))
        reader_assume(body->reader,
                      "accesses to textures and surfaces conflict with no other access: what they "
                      "read may be anything, and what they store is not followed");
    if (ptx_reads_texture(opcode))
        return ptx_parse_open(body, instruction, results);
    struct raw_operand *operands;
    size_t count;
    if (!ptx_parse_operands(body, &operands, &count))
        return false;
    if (count == 3 && operands[0].kind == RAW_MEMORY && operands[0].coordinates)
        return true; // [surface, {x, y}] and what is stored
    return diag_error(
        body->diagnostics, instruction->opcode_span,
        "a store to a surface has its surface and coordinates in brackets, '[s, {%%r0}]', "
        "and what is stored after them");
}
