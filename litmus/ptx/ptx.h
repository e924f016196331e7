// PTX instructions: the body of a thread.
#ifndef PTXLITMUS_LITMUS_PTX_PTX_H
#define PTXLITMUS_LITMUS_PTX_PTX_H

#include "litmus/names/names.h"

struct opcode_text;

// Parses one thread's body. `tokens` ends with TOKEN_END; statements end with ';', which the table
// form puts at the end of every cell. Fills thread->instructions, labels and registers. Errors go
// to the diagnostics, and parsing goes on at the next statement.
void ptx_parse_body(struct reader *reader, struct thread *thread, const struct token *tokens,
                    size_t count);

// Whether a name is that of a special register.
bool ptx_is_special(const char *name);

// Whether a function without a body is one that reports a failed assertion: it does not return.
bool ptx_is_failing(const char *function);

// Whether a function without a body is one that prints: it writes to no memory of the program.
bool ptx_is_printing(const char *function);

// Whether an instruction that is not read only computes, so that its results can be left open. The
// opcode has all its qualifiers, or begins the name.
bool ptx_is_open(const char *opcode);

// Whether an instruction reads a texture or a surface, or asks about one. The opcode has all its
// qualifiers, or begins the name.
bool ptx_reads_texture(const char *opcode);

// Whether an instruction stores to a surface, and gives no value. As above.
bool ptx_stores_to_surface(const char *opcode);

// Whether an instruction is a wmma.load or wmma.store. As above.
bool ptx_is_wmma_access(const char *opcode);

// Whether an instruction is one of matrices that all lanes of a warp execute together: mma, wmma.
// As above.
bool ptx_is_warp_matrix(const char *opcode);

// Whether a floating-point instruction is computed where its operands are constants. The opcode has
// all its qualifiers.
bool ptx_is_concrete(const char *opcode);

// As ptx_is_open, of a form that is not read of an instruction that is: those of floating-point
// types.
bool ptx_is_open_form(const struct opcode_text *text);

// The same of a conversion to or from numbers that are not read: .tf32, and those of fewer than 16
// bits.
bool ptx_is_open_conversion(const struct opcode_text *text);

#endif
