// Requests to cancel blocks that have not started, and what their answers say.
//
// What the machine chooses is a list of choices: whether a cluster is cancelled, and which one a
// request of a thread names. They are made as a run comes to them, and the last one that can be
// made otherwise is, in the next run.
#include "launch/cancel.h"
#include "launch/cluster.h"
#include "launch/copy.h"
#include "launch/grid.h"

#include "litmus/source/arena.h"

enum { DIMENSIONS = 3, ID_BITS = 32, ANSWER_BITS = 128, PIECE_BITS = 16, ANSWERS_MAX = 1 << 15 };

// What one thread's n-th request answers: an option is a cluster, and one more; 0 is that it
// fails. Of its 0th it is whether the cluster of which the thread is the first is cancelled.
struct cancel_choice {
    int thread;
    unsigned number;
    unsigned *options;
    size_t option_count, chosen;
};

// A cluster that may be cancelled.
struct cluster_fate {
    const struct cluster *cluster;
    bool is_cancelled;
    bool is_named; // by a request
};

// An answer to a thread.
struct cancel_answer {
    const struct block *block;       // of the thread
    struct moment asked;             // its clock is not kept
    const struct cluster_fate *fate; // NULL: it has failed
    bool follows_all;                // it is asked after all others of the block
};

// A load that has found that a request has failed.
struct observed_failure {
    const struct block *block;
    uint32_t actor, time;
};

struct cancel_ways {
    struct arena *arena;
    struct cancel_choice *choices;
    size_t count;
    // Of the run at hand, by cluster; the others in the order in which they come.
    struct cluster_fate *fates;
    size_t fate_count;
    struct cancel_answer *answers;
    size_t answer_count;
    struct observed_failure *failures;
    size_t failure_count;
    bool is_unasked; // some cluster is cancelled, and no request names it
};

// --- Ways --------------------------------------------------------------------------------------

struct cancel_ways *cancel_ways_new(struct arena *arena, const struct test *test) {
    bool some = false;
    for (size_t i = 0; i < test->thread_count && !some; i++) {
        const struct thread *thread = &test->threads[i];
        bool is_like_last = i > 0 && thread->instructions == test->threads[i - 1].instructions;
        some = thread->launch != NULL && !is_like_last && test_thread_cancels(thread);
    }
    if (!some)
        return NULL;
    struct cancel_ways *ways = ARENA_NEW(arena, struct cancel_ways);
    *ways = (struct cancel_ways){.arena = arena};
    return ways;
}

bool cancel_ways_next(struct cancel_ways *ways) {
    for (; ways->count > 0; ways->count--) {
        struct cancel_choice *last = &ways->choices[ways->count - 1];
        if (++last->chosen < last->option_count)
            return true;
    }
    return false;
}

// Returns a choice, and sets `*is_new` where no run has made it so far: its options are to be
// added.
static struct cancel_choice *choice_of(struct cancel_ways *ways, int thread, unsigned number,
                                       bool *is_new) {
    *is_new = false;
    for (size_t i = 0; i < ways->count; i++)
        if (ways->choices[i].thread == thread && ways->choices[i].number == number)
            return &ways->choices[i];
    *is_new = true;
    ways->choices = arena_grow(ways->arena, ways->choices, ways->count, sizeof *ways->choices);
    struct cancel_choice *choice = &ways->choices[ways->count++];
    *choice = (struct cancel_choice){.thread = thread, .number = number};
    return choice;
}

static void add_option(struct cancel_ways *ways, struct cancel_choice *choice, size_t option) {
    choice->options =
        arena_grow(ways->arena, choice->options, choice->option_count, sizeof *choice->options);
    choice->options[choice->option_count++] = (unsigned)option;
}

// --- Clusters ----------------------------------------------------------------------------------

static const struct lane *first_of(const struct cluster *cluster) {
    return cluster->lanes[0];
}

static bool is_of_grid(const struct cluster *cluster, const struct lane *lane) {
    const struct place *a = &first_of(cluster)->thread->place, *b = &lane->thread->place;
    return test_same_gpu(a, b) && a->grid == b->grid;
}

// Whether some thread of the grid of a cluster asks.
static bool may_be_cancelled(const struct machine *machine, const struct cluster *cluster) {
    const struct thread *last = NULL;
    for (size_t i = 0; i < machine->test->thread_count; i++) {
        const struct lane *lane = &machine->lanes[i];
        bool is_like_last = last != NULL && last->instructions == lane->thread->instructions;
        if (!is_of_grid(cluster, lane) || is_like_last)
            continue;
        last = lane->thread;
        if (test_thread_cancels(last))
            return last->launch != NULL;
    }
    return false;
}

// Ends a thread that never starts: no other waits for it.
static void leave_out(struct machine *machine, struct lane *lane) {
    lane->pc = lane->thread->instruction_count;
    lane->state = LANE_ENDED;
    lane->block->ended++;
    lane->block->cluster->ended++;
    grid_end(machine, lane);
}

static void decide(struct machine *machine, struct cluster_fate *fate) {
    struct cancel_ways *ways = machine->cancels;
    bool is_new;
    struct cancel_choice *choice = choice_of(ways, first_of(fate->cluster)->index, 0, &is_new);
    for (unsigned option = 0; is_new && option < 2; option++)
        add_option(ways, choice, option);
    fate->is_cancelled = choice->options[choice->chosen] == 1;
    for (unsigned k = 0; fate->is_cancelled && k < fate->cluster->count; k++)
        leave_out(machine, fate->cluster->lanes[k]);
}

void cancel_start(struct machine *machine) {
    struct cancel_ways *ways = machine->cancels;
    if (ways == NULL)
        return;
    ways->fates = ARENA_ARRAY(machine->scratch, struct cluster_fate, machine->cluster_count + 1);
    ways->fate_count = ways->answer_count = ways->failure_count = 0;
    ways->answers = NULL;
    ways->failures = NULL;
    for (size_t i = 0; i < machine->cluster_count; i++) {
        struct cluster_fate *fate = &ways->fates[ways->fate_count];
        *fate = (struct cluster_fate){.cluster = &machine->clusters[i]};
        if (!may_be_cancelled(machine, fate->cluster))
            continue;
        decide(machine, fate);
        ways->fate_count++;
    }
}

void cancel_end(struct machine *machine) {
    struct cancel_ways *ways = machine->cancels;
    if (ways == NULL)
        return;
    ways->is_unasked = false;
    for (size_t i = 0; i < ways->fate_count; i++)
        ways->is_unasked |= ways->fates[i].is_cancelled && !ways->fates[i].is_named;
}

bool cancel_is_unasked(const struct machine *machine) {
    return machine->cancels != NULL && machine->cancels->is_unasked;
}

// --- Requests ----------------------------------------------------------------------------------

static bool is_named_already(const struct cancel_ways *ways, size_t fate) {
    for (size_t i = 0; i < ways->count; i++) {
        const struct cancel_choice *choice = &ways->choices[i];
        if (choice->number > 0 && choice->option_count > 0 &&
            choice->options[choice->chosen] == fate + 1)
            return true;
    }
    return false;
}

// Chooses what the next request of a thread answers. "No other successful response [...] will
// contain that id" (PTX ISA 9.7.13.17).
static struct cluster_fate *choose(struct cancel_ways *ways, const struct lane *lane) {
    unsigned number = 1;
    bool is_new;
    for (size_t i = 0; i < ways->answer_count; i++)
        number += ways->answers[i].asked.actor == lane->at.actor;
    struct cancel_choice *choice = choice_of(ways, lane->index, number, &is_new);
    if (is_new)
        add_option(ways, choice, 0);
    for (size_t i = 0; is_new && i < ways->fate_count; i++)
        if (ways->fates[i].is_cancelled && is_of_grid(ways->fates[i].cluster, lane) &&
            !is_named_already(ways, i))
            add_option(ways, choice, i + 1);
    unsigned option = choice->options[choice->chosen];
    return option == 0 ? NULL : &ways->fates[option - 1];
}

// "If the executing CTA has already observed the completion of a [...] try_cancel instruction as
// failed, then the behavior of issuing a subsequent [...] instruction is undefined."
static bool check_failures(struct machine *machine, const struct lane *lane,
                           const struct instruction *instruction) {
    const struct cancel_ways *ways = machine->cancels;
    for (size_t i = 0; i < ways->failure_count; i++) {
        const struct observed_failure *failure = &ways->failures[i];
        if (failure->block != lane->block)
            continue;
        if (moment_heard(&lane->at, failure->actor, failure->time))
            return run_misuse(machine, lane, instruction, "cancel-misuse",
                              "its block has seen that a request has failed, and asks again");
        return run_give_up(machine, instruction,
                           "its block may have seen before that a request has failed");
    }
    return true;
}

// The bits of an answer are opaque: its number, again and again.
static struct step_value word_of(size_t answer) {
    uint64_t bits = 0;
    for (unsigned at = 0; at < 64; at += PIECE_BITS)
        bits |= (uint64_t)(answer + 1) << at;
    return (struct step_value){{bits, bits}, CANCEL_ANSWER};
}

// The answer of which these bits are, `width` of them; NULL where they are not of one.
static const struct cancel_answer *answer_of(const struct cancel_ways *ways, struct step_value word,
                                             unsigned width) {
    size_t number = (size_t)(word.bits.low & ((1u << PIECE_BITS) - 1));
    if (word.knowledge != CANCEL_ANSWER || number == 0 || number > ways->answer_count)
        return NULL;
    uint128 whole = bits_to_wide(word_of(number - 1).bits) & bits_mask(width);
    return whole == bits_to_wide(word.bits) ? &ways->answers[number - 1] : NULL;
}

static bool request(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction) {
    struct cancel_ways *ways = machine->cancels;
    if (lane->thread->launch == NULL)
        return run_give_up(machine, instruction,
                           "requests that may cancel blocks which a test does not have are not "
                           "run");
    if (ways->answer_count == ANSWERS_MAX)
        return run_give_up(machine, instruction, "there are too many requests");
    if (!check_failures(machine, lane, instruction))
        return false;
    struct cancel_answer answer = {
        .block = lane->block, .asked = lane->at, .follows_all = true, .fate = choose(ways, lane)};
    for (size_t i = 0; i < ways->answer_count; i++) {
        const struct cancel_answer *other = &ways->answers[i];
        answer.follows_all &= other->block != lane->block ||
                              moment_heard(&lane->at, other->asked.actor, other->asked.time);
    }
    for (size_t i = 0; i < ways->fate_count; i++)
        ways->fates[i].is_named |= &ways->fates[i] == answer.fate;
    ways->answers =
        arena_grow(machine->scratch, ways->answers, ways->answer_count, sizeof *ways->answers);
    ways->answers[ways->answer_count++] = answer;
    const struct step_value word = word_of(ways->answer_count - 1);
    lane->pc++;
    return copy_answer(machine, lane, instruction, &word);
}

// A request of the block of which it is not known that it came before is "subsequent", or may be.
bool cancel_observe(struct machine *machine, const struct lane *lane,
                    const struct instruction *instruction, struct step_value part, unsigned width) {
    struct cancel_ways *ways = machine->cancels;
    if (part.knowledge != CANCEL_ANSWER)
        return true;
    const struct cancel_answer *answer = answer_of(ways, part, width);
    if (answer == NULL)
        return run_give_up(machine, instruction, "it reads a part of an answer");
    if (answer->fate != NULL)
        return true;
    for (size_t i = 0; i < ways->answer_count; i++) {
        const struct cancel_answer *other = &ways->answers[i];
        bool is_before = other < answer && answer->follows_all && answer->block == lane->block;
        if (other != answer && other->block == lane->block && !is_before &&
            !moment_heard(&lane->at, other->asked.actor, other->asked.time))
            return run_give_up(
                machine, instruction,
                "its block may ask again when it has seen that a request has failed");
    }
    ways->failures =
        arena_grow(machine->scratch, ways->failures, ways->failure_count, sizeof *ways->failures);
    ways->failures[ways->failure_count++] =
        (struct observed_failure){lane->block, lane->at.actor, lane->at.time};
    return true;
}

// --- Answers -----------------------------------------------------------------------------------

// The first block of a cluster, in one dimension.
static unsigned first_block(const struct cluster *cluster, unsigned dimension) {
    unsigned first = first_of(cluster)->thread->cta[dimension];
    for (unsigned k = 1; k < cluster->count; k++)
        if (cluster->lanes[k]->thread->cta[dimension] < first)
            first = cluster->lanes[k]->thread->cta[dimension];
    return first;
}

static void write_block(struct lane *lane, const struct operand *target,
                        const struct cancel_answer *answer, unsigned dimension) {
    struct step_value word = {{0, 0}, UNKNOWN_CONTENTS};
    if (dimension < DIMENSIONS)
        word = (struct step_value){{first_block(answer->fate->cluster, dimension), 0}, KNOWN};
    stepper_write(lane->thread, lane->registers, target, word, ID_BITS, false);
}

// "If the request fails the behavior of clusterlaunchcontrol.query_cancel.get_first_ctaid is
// undefined" (PTX ISA 9.7.13.18).
static bool query(struct machine *machine, struct lane *lane,
                  const struct instruction *instruction) {
    const struct operand *target = &instruction->operands[0];
    struct step_value word = stepper_value(machine->stepper, lane->index, lane->registers,
                                           &instruction->operands[1], ANSWER_BITS, false);
    const struct cancel_answer *answer = answer_of(machine->cancels, word, ANSWER_BITS);
    if (answer == NULL)
        return run_give_up(machine, instruction, "it is not known that this is an answer");
    lane->pc++;
    if (target->kind == OPERAND_REGISTER && lane->thread->registers[target->reg].width == 1) {
        stepper_write(lane->thread, lane->registers, target,
                      (struct step_value){{answer->fate != NULL, 0}, KNOWN}, 1, false);
        return true;
    }
    if (answer->fate == NULL)
        return run_misuse(machine, lane, instruction, "cancel-misuse",
                          "it asks which block a request has cancelled that has failed");
    for (unsigned i = 0; target->kind == OPERAND_VECTOR && i < target->element_count; i++)
        write_block(lane, &target->elements[i], answer, i);
    if (target->kind == OPERAND_REGISTER)
        write_block(lane, target, answer, instruction->compute.dimension);
    return true;
}

static bool is_request(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_CANCEL &&
           opcode_has(instruction->opcode, TRAIT_STARTS);
}

bool run_cancel(struct machine *machine, struct lane *lane, const struct instruction *instruction) {
    if (machine->cancels == NULL)
        return run_give_up(machine, instruction,
                           "requests of threads that are not of a launch are not run");
    return is_request(instruction) ? request(machine, lane, instruction)
                                   : query(machine, lane, instruction);
}
