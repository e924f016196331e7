// Masks of multicasts (PTX ISA 9.7.9.25.4.1, 9.7.14.16): "each bit position in the ctaMask operand
// corresponds to the %cluster_ctarank of the destination CTA".
#include "program/thread/async.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"

// The first thread of the CTA of a rank in the cluster of the thread, or -1.
static int find_rank(const struct thread_builder *thread, unsigned rank) {
    const struct test *test = thread->builder->test;
    unsigned found;
    for (size_t t = 0; t < test->thread_count; t++)
        if (test_same_cluster(&test->threads[t].place, &thread->thread->place) &&
            program_cluster_rank(test, &test->threads[t].place, &found) && found == rank)
            return (int)t;
    return -1;
}

bool multicast_has_rank(const struct thread_builder *thread, unsigned rank) {
    return find_rank(thread, rank) >= 0;
}

int multicast_find_peer(const struct thread_builder *thread) {
    unsigned rank;
    if (!program_cluster_rank(thread->builder->test, &thread->thread->place, &rank))
        return -1;
    return find_rank(thread, rank ^ 1U);
}

// With .cta_group::2 the signal of a copy for a CTA may be for its peer, the other one of its pair.
static bool has_pair(const struct thread_builder *thread, const struct instruction *instruction,
                     unsigned rank) {
    return !instruction->of_pair || !opcode_has(instruction->opcode, TRAIT_MAPPED) ||
           multicast_has_rank(thread, rank ^ 1U);
}

bool multicast_find_ranks(struct thread_builder *thread, const struct instruction *instruction,
                          unsigned place, uint64_t *ranks) {
    const struct operand *mask = &instruction->operands[place];
    if (!thread_constant(thread, mask, MULTICAST_CTAS,
                         "the CTAs of a multicast must not depend on memory", ranks))
        return false;
    for (unsigned rank = 0; rank < MULTICAST_CTAS; rank++) {
        bool found = multicast_has_rank(thread, rank);
        if ((*ranks >> rank & 1) == 0 || (found && has_pair(thread, instruction, rank)))
            continue;
        diag_error(thread->builder->diagnostics, mask->span,
                   found
                       ? "the CTA of rank %u has no peer in its cluster, as '.cta_group::2' wants"
                       : "the multicast is for the CTA of rank %u, too, which the cluster does not "
                         "have",
                   rank);
        return false;
    }
    return true;
}
