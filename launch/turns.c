// Turns of threads at accesses that meet unordered, and which of them other runs take otherwise.
#include "launch/internal.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>

enum { TURNS_MAX = 4096, WORD_BITS = 64 };

// --- Sets of threads ---------------------------------------------------------------------------

static uint64_t *new_set(const struct exploration *exploration) {
    return allocate(exploration->words, sizeof(uint64_t));
}

static bool is_in(const uint64_t *set, int lane) {
    return set[lane / WORD_BITS] >> lane % WORD_BITS & 1;
}

static void put(uint64_t *set, int lane) {
    set[lane / WORD_BITS] |= UINT64_C(1) << lane % WORD_BITS;
}

// --- Runs --------------------------------------------------------------------------------------

struct exploration *exploration_new(struct arena *arena, size_t threads) {
    struct exploration *exploration = ARENA_NEW(arena, struct exploration);
    *exploration = (struct exploration){.words = (threads + WORD_BITS - 1) / WORD_BITS};
    return exploration;
}

void exploration_cut(struct exploration *exploration, size_t count) {
    for (size_t i = count; i < exploration->count; i++) {
        struct turn *turn = &exploration->turns[i];
        clock_drop(turn->heard);
        free(turn->ready);
        free(turn->wanted);
        free(turn->done);
        free(turn->asleep);
    }
    exploration->count = count < exploration->count ? count : exploration->count;
    if (count == 0) {
        free(exploration->turns);
        exploration->turns = NULL;
        exploration->capacity = 0;
    }
}

// Takes a turn otherwise: with an older write, or by another thread.
static bool take_otherwise(const struct exploration *exploration, struct turn *turn) {
    if (turn->option + 1 < turn->option_count) {
        turn->option++;
        return true;
    }
    put(turn->done, turn->lane);
    for (size_t i = 0; i < exploration->words * WORD_BITS; i++) {
        int lane = (int)i;
        if (is_in(turn->wanted, lane) && is_in(turn->ready, lane) && !is_in(turn->done, lane) &&
            !is_in(turn->asleep, lane)) {
            turn->lane = lane;
            turn->option = 0;
            return true;
        }
    }
    return false;
}

bool exploration_next(struct exploration *exploration) {
    exploration->at = 0;
    exploration->is_redundant = false;
    for (size_t i = exploration->count; i-- > 0;) {
        exploration_cut(exploration, i + 1);
        if (take_otherwise(exploration, &exploration->turns[i]))
            return true;
    }
    exploration_cut(exploration, 0);
    return false;
}

// --- What depends on what ----------------------------------------------------------------------

// An operation of which nothing is known afterwards but what it leaves in memory.
static enum atomic_op reduction_of(const struct instruction *instruction) {
    bool gives = instruction_defines(instruction) && instruction->operands[0].kind != OPERAND_SINK;
    enum atomic_op op = instruction->atomic;
    bool commutes = op == ATOMIC_ADD || op == ATOMIC_AND || op == ATOMIC_OR || op == ATOMIC_XOR ||
                    op == ATOMIC_MIN || op == ATOMIC_MAX;
    return instruction_is_atomic(instruction) && !gives && commutes ? op : ATOMIC_NONE;
}

// Whether it matters in which order two accesses to one place come.
static bool depend(const struct turn *turn, const struct instruction *other, unsigned object,
                   uint64_t offset, bool writes) {
    enum atomic_op op = reduction_of(other);
    bool commute = op != ATOMIC_NONE && reduction_of(turn->instruction) == op;
    return turn->object == object && turn->offset == offset && (turn->wrote || writes) && !commute;
}

// Whether a thread that slept before a turn need not be woken by it.
static bool sleeps_on(const struct machine *machine, const struct turn *turn, int lane) {
    const struct lane *other = &machine->lanes[lane];
    if (lane == turn->lane || other->state != LANE_AT_TURN)
        return false;
    const struct strong_place *place = other->turn.place;
    return !depend(turn, &other->thread->instructions[other->pc], place->object, place->offset,
                   other->turn.may_write);
}

static void inherit_sleep(const struct machine *machine, struct turn *turn,
                          const struct turn *before) {
    for (size_t i = 0; i < machine->test->thread_count; i++) {
        int lane = (int)i;
        if ((is_in(before->asleep, lane) || is_in(before->done, lane)) &&
            sleeps_on(machine, before, lane))
            put(turn->asleep, lane);
    }
}

// --- Turns -------------------------------------------------------------------------------------

bool turn_wait(struct machine *machine, struct lane *lane, const struct shadow_access *touch,
               unsigned object) {
    const struct instruction *instruction = touch->instruction;
    struct strong_place *place =
        order_place(machine, instruction, object, touch->offset, touch->size);
    lane->turn = (struct lane_turn){
        .place = place, .touch = *touch, .may_write = instruction->opcode != OP_LD};
    lane->state = LANE_AT_TURN;
    lane->blocked = instruction;
    if (place != NULL)
        round_arrive(lane, place);
    return place != NULL;
}

// A read of a value that does not let the thread go on may race, too.
static void poll(struct machine *machine, struct lane *lane) {
    lane->turn.has_polled = true;
    shadow_touch(machine->shadow, lane->turn.place->object, &lane->turn.touch, &lane->at);
}

void turn_poll(struct machine *machine, struct lane *lane) {
    size_t races = machine->result.race_count;
    if (!lane->turn.polls_old || lane->turn.has_polled)
        return;
    poll(machine, lane);
    // It may be that the thread cannot have come there before what it races with.
    machine->order.has_old_poll |= machine->result.race_count > races;
}

static bool reads_last(const struct lane *lane) {
    return lane->turn.option_count > 0 &&
           lane->turn.options[0] + 1 == lane->turn.place->write_count;
}

// Whether a thread takes its turn before another one: it goes on with the last write, or has waited
// longer.
static bool goes_first(const struct lane *lane, const struct lane *other) {
    if (reads_last(lane) != reads_last(other))
        return reads_last(lane);
    return lane->round.taken < other->round.taken;
}

// Adds a turn of one of those who are ready: one who goes on with the last write, if there is one.
// Returns NULL where none is ready, or all who are ready poll a last write for ever.
static struct turn *add_turn(struct machine *machine) {
    struct exploration *exploration = machine->exploration;
    if (exploration->count == exploration->capacity) {
        exploration->capacity = exploration->capacity == 0 ? 16 : 2 * exploration->capacity;
        exploration->turns =
            reallocate(exploration->turns, exploration->capacity, sizeof *exploration->turns);
    }
    struct turn *turn = &exploration->turns[exploration->count++];
    *turn = (struct turn){.lane = -1,
                          .ready = new_set(exploration),
                          .wanted = new_set(exploration),
                          .done = new_set(exploration),
                          .asleep = new_set(exploration)};
    if (exploration->count > 1)
        inherit_sleep(machine, turn, turn - 1);
    bool some_go_on = false;
    for (size_t i = 0; i < machine->test->thread_count; i++) {
        struct lane *lane = &machine->lanes[i];
        if (lane->state != LANE_AT_TURN)
            continue;
        if (lane->turn.polls_last && !lane->turn.has_polled)
            poll(machine, lane);
        some_go_on |= reads_last(lane);
        if (lane->turn.option_count == 0)
            continue;
        put(turn->ready, lane->index);
        bool is_better = turn->lane < 0 || goes_first(lane, &machine->lanes[turn->lane]);
        if (is_better && !is_in(turn->asleep, lane->index))
            turn->lane = lane->index;
    }
    if (some_go_on && turn->lane < 0)
        exploration->is_redundant = true;
    if (some_go_on && turn->lane >= 0)
        return turn;
    exploration_cut(exploration, exploration->count - 1);
    return NULL;
}

static void grant(struct machine *machine, const struct turn *turn) {
    struct lane *lane = &machine->lanes[turn->lane];
    poll_forget(lane);
    lane->turn.write = lane->turn.options[turn->option];
    lane->turn.is_granted = true;
    lane->state = LANE_RUNS;
}

static void find_options(struct machine *machine) {
    for (size_t i = 0; i < machine->test->thread_count; i++)
        if (machine->lanes[i].state == LANE_AT_TURN)
            poll_find_options(machine, &machine->lanes[i]);
}

bool turn_give(struct machine *machine) {
    struct exploration *exploration = machine->exploration;
    if (exploration->at == TURNS_MAX)
        return run_give_up(
            machine, NULL,
            "its threads come to more accesses that are unordered than are followed");
    find_options(machine);
    if (rounds_repeat(machine)) {
        machine->goes_round = true;
        return false;
    }
    struct turn *turn = exploration->at < exploration->count ? &exploration->turns[exploration->at]
                                                             : add_turn(machine);
    if (turn == NULL)
        return false;
    exploration->at++;
    grant(machine, turn);
    return true;
}

// --- What other runs have to take otherwise ----------------------------------------------------

// Lets another run have this thread, or, where it was not ready then, any other, go first.
static void want(const struct exploration *exploration, struct turn *turn, int lane) {
    if (is_in(turn->ready, lane)) {
        put(turn->wanted, lane);
        return;
    }
    for (size_t i = 0; i < exploration->words; i++)
        turn->wanted[i] |= turn->ready[i];
}

// A load after a write may read an older one instead, which is an option of its turn.
static void want_others(const struct exploration *exploration, const struct lane *lane,
                        const struct turn *now) {
    bool may_write = now->instruction->opcode != OP_LD;
    for (struct turn *turn = exploration->turns; turn < now; turn++) {
        bool is_option = turn->wrote && !may_write;
        if (!is_option && turn->lane != now->lane &&
            depend(turn, now->instruction, now->object, now->offset, may_write) &&
            !moment_heard(&lane->at, turn->actor, turn->time))
            want(exploration, turn, now->lane);
    }
}

void turn_take(struct machine *machine, struct lane *lane, const struct shadow_access *touch) {
    struct exploration *exploration = machine->exploration;
    struct turn *turn = &exploration->turns[exploration->at - 1];
    const struct strong_place *place = lane->turn.place;
    lane->turn.is_granted = false;
    clock_drop(turn->heard);
    turn->heard = clock_keep(lane->at.heard);
    turn->object = place->object;
    turn->offset = place->offset;
    turn->instruction = touch->instruction;
    turn->wrote = touch->writes;
    turn->actor = touch->actor;
    turn->time = touch->time;
    turn->read = lane->turn.write;
    turn->place_writes = place->write_count;
    turn->option_count = lane->turn.option_count;
    round_turn(machine, lane, place, place->writes[lane->turn.write].word, touch->writes);
    want_others(exploration, lane, turn);
}

// --- Interleavings -----------------------------------------------------------------------------

// Whether one turn has to come before another one: of one thread, by causality order, or because
// of what is read and written.
static bool is_before(const struct turn *turns, size_t a, size_t b) {
    const struct turn *x = &turns[a], *y = &turns[b];
    bool is_one_place = x->object == y->object && x->offset == y->offset;
    if (a < b) {
        bool is_read_old = is_one_place && x->wrote && !y->wrote && y->read < x->place_writes;
        return x->lane == y->lane || y->heard->times[x->actor] >= x->time ||
               (is_one_place && (x->wrote || y->wrote) && !is_read_old);
    }
    return is_one_place && y->wrote && !x->wrote && x->read < y->place_writes;
}

static bool is_in_circle(const struct turn *turns, size_t count, size_t at, unsigned char *state) {
    enum { NEW, ON_WAY, DONE };
    state[at] = ON_WAY;
    for (size_t next = 0; next < count; next++) {
        if (next == at || !is_before(turns, at, next) || state[next] == DONE)
            continue;
        if (state[next] == ON_WAY || is_in_circle(turns, count, next, state))
            return true;
    }
    state[at] = DONE;
    return false;
}

bool turns_interleave(const struct machine *machine) {
    const struct exploration *exploration = machine->exploration;
    if (machine->order.has_old_poll)
        return false;
    if (!machine->order.has_stale)
        return true;
    unsigned char *state = allocate(exploration->count + 1, 1);
    bool has_circle = false;
    for (size_t i = 0; i < exploration->count && !has_circle; i++)
        has_circle =
            state[i] == 0 && is_in_circle(exploration->turns, exploration->count, i, state);
    free(state);
    return !has_circle;
}
