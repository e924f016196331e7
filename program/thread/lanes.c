// Matrices that the lanes of a warp hold in their registers, and how ldmatrix, stmatrix and
// movmatrix lay them out (PTX ISA 9.7.14.5.15 to 9.7.14.5.17). A matrix has 8 rows of 8 elements of
// 16 bits; the lane L holds two neighbours of row L / 4 in one register, those in the columns 2 *
// (L % 4) and one more.
//
// A lane accesses a row, 16 bytes, of its own: the lane 8 * j + r the row r of the matrix j.
// Between memory and registers, lanes give each other what they have, as in a shfl: from an
// ldmatrix each gives the row that it has read, to an stmatrix its registers.
//
// Rows are put together of pieces of 16 bits: which lane a piece comes from, and which piece of
// what that lane gives it is.
#include "program/thread/warp.h"

#include <assert.h>

enum { PIECE = 16, ROW_PIECES = 8, WARP_SIZE = 32 };

// A piece of what a lane gives.
struct lane_piece {
    unsigned lane, index;
};

bool lanes_is_matrix(const struct instruction *instruction) {
    return instruction->warp >= WARP_LDMATRIX && instruction->warp <= WARP_MOVMATRIX;
}

unsigned lanes_width(const struct instruction *instruction) {
    bool of_row = instruction->warp == WARP_STMATRIX || instruction->warp == WARP_STMATRIX_TRANS;
    return of_row ? ROW_PIECES * PIECE : 2 * PIECE * instruction->matrix.columns;
}

// The piece that comes to a place of what a lane gets. Of a matrix that is transposed, columns and
// rows are exchanged; what lanes get that have no row in an stmatrix is never stored.
static struct lane_piece source_of(const struct instruction *instruction, unsigned lane,
                                   unsigned place) {
    unsigned row = lane / 4, pair = 2 * (lane % 4), matrix = place / 2, half = place % 2;
    switch (instruction->warp) {
    case WARP_LDMATRIX: return (struct lane_piece){8 * matrix + row, pair + half};
    case WARP_LDMATRIX_TRANS: return (struct lane_piece){8 * matrix + pair + half, row};
    case WARP_STMATRIX: return (struct lane_piece){4 * (lane % 8) + matrix, 2 * (lane / 8) + half};
    case WARP_STMATRIX_TRANS:
        return (struct lane_piece){4 * place + lane % 8 / 2, 2 * (lane / 8) + lane % 2};
    default: return (struct lane_piece){4 * (pair + half) + row / 2, row % 2}; // movmatrix
    }
}

// Whether a lane has a row of an stmatrix, or gets anything else.
static bool gets_any(const struct instruction *instruction, unsigned lane) {
    bool of_row = instruction->warp == WARP_STMATRIX || instruction->warp == WARP_STMATRIX_TRANS;
    return !of_row || lane < ROW_PIECES * instruction->matrix.columns;
}

bool lanes_gives(const struct instruction *instruction, unsigned from, unsigned to) {
    assert(from < WARP_SIZE && to < WARP_SIZE);
    for (unsigned i = 0; i < lanes_width(instruction) / PIECE && gets_any(instruction, to); i++)
        if (source_of(instruction, to, i).lane == from)
            return true;
    return false;
}

uint32_t lanes_of_register(const struct instruction *instruction, unsigned to, unsigned number) {
    uint32_t lanes = 0;
    for (unsigned i = 2 * number; i < 2 * number + 2; i++)
        lanes |= UINT32_C(1) << source_of(instruction, to, i).lane;
    return lanes;
}

// Neighbours that come from neighbours are one piece of an expression.
const struct expr *lanes_combine(struct expr_pool *pool, const struct instruction *instruction,
                                 const struct expr *so_far, const struct expr *there,
                                 const struct expr *given, unsigned from, unsigned to) {
    unsigned count = lanes_width(instruction) / PIECE;
    const struct expr *all = NULL;
    assert(so_far->width == count * PIECE && there->width == 1);
    for (unsigned i = 0, length; gets_any(instruction, to) && i < count; i += length) {
        struct lane_piece piece = source_of(instruction, to, i);
        bool own = piece.lane == from;
        for (length = 1; i + length < count; length++) {
            struct lane_piece next = source_of(instruction, to, i + length);
            if ((next.lane == from) != own || (own && next.index != piece.index + length))
                break;
        }
        const struct expr *part = expr_extract(pool, so_far, i * PIECE, length * PIECE);
        if (own)
            part = expr_ite(pool, there,
                            expr_extract(pool, given, piece.index * PIECE, length * PIECE), part);
        all = all == NULL ? part : expr_binary(pool, EXPR_CONCAT, part, all);
    }
    return all == NULL ? so_far : all;
}
