// The CTAs of a cluster that the mask of a multicast names.
#ifndef PTXLITMUS_PROGRAM_THREAD_MULTICAST_H
#define PTXLITMUS_PROGRAM_THREAD_MULTICAST_H

#include "program/builder.h"
#include "program/thread/threads.h"

enum { MULTICAST_CTAS = 32 }; // those that a mask can name

// Whether the CTA of a rank is in the cluster of the thread, as far as the test has it.
bool multicast_has_rank(const struct thread_builder *thread, unsigned rank);

// The first thread of the CTA that forms a pair with that of the thread: "any 2 CTAs within the
// cluster whose %cluster_ctarank differs by the last bit only" (PTX ISA 9.7.16.5.1). -1: the
// cluster has none.
int multicast_find_peer(const struct thread_builder *thread);

// The ranks of the CTAs that the mask at operand `place` names, one bit for each. Returns false
// after an error: the mask depends on memory, or names a CTA that the cluster does not have.
bool multicast_find_ranks(struct thread_builder *thread, const struct instruction *instruction,
                          unsigned place, uint64_t *ranks);

#endif
