// Blocks and launches that come back to what they were.
#include "launch/rounds.h"
#include "launch/internal.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>
#include <string.h>

// --- Images of blocks --------------------------------------------------------------------------

static size_t count_registers(const struct block *block) {
    size_t count = 0;
    for (unsigned i = 0; i < block->count; i++)
        count += block->lanes[i]->thread->register_count;
    return count;
}

static void forget_image(struct block_image *image) {
    free(image->registers);
    free(image->pcs);
    free(image->states);
    free(image->arrived);
    *image = (struct block_image){0};
}

static void take_image(const struct block *block, struct block_image *image) {
    size_t at = 0;
    forget_image(image);
    image->registers = allocate(count_registers(block) + 1, sizeof *image->registers);
    image->pcs = allocate(block->count + 1, sizeof *image->pcs);
    image->states = allocate(block->count + 1, sizeof *image->states);
    image->arrived = allocate(BLOCK_BARRIERS, sizeof *image->arrived);
    image->changes = block->changes;
    for (unsigned i = 0; i < block->count; i++) {
        const struct lane *lane = block->lanes[i];
        size_t count = lane->thread->register_count;
        if (count > 0)
            memcpy(&image->registers[at], lane->registers, count * sizeof *lane->registers);
        image->pcs[i] = lane->pc;
        image->states[i] = (int)lane->state;
        at += count;
    }
    for (unsigned k = 0; k < BLOCK_BARRIERS; k++)
        image->arrived[k] = block->slots[k].arrived;
}

// Whether the threads of a block are where they were, in the same states, with the same in their
// registers, and the same arrivals at barriers.
static bool is_image_of(const struct block *block, const struct block_image *image) {
    size_t at = 0;
    if (image->registers == NULL || image->changes != block->changes)
        return false;
    for (unsigned k = 0; k < BLOCK_BARRIERS; k++)
        if (image->arrived[k] != block->slots[k].arrived)
            return false;
    for (unsigned i = 0; i < block->count; i++) {
        const struct lane *lane = block->lanes[i];
        if (image->pcs[i] != lane->pc || image->states[i] != (int)lane->state)
            return false;
        for (size_t r = 0; r < lane->thread->register_count; r++)
            if (!step_same(lane->registers[r], image->registers[at + r]))
                return false;
        at += lane->thread->register_count;
    }
    return true;
}

// --- Rounds of a block -------------------------------------------------------------------------

void round_arrive(struct lane *lane, const struct strong_place *place) {
    struct lane_round *round = &lane->round;
    struct block *block = lane->block;
    bool is_back = round->place == place && round->pc == lane->pc && !round->wrote &&
                   block->turns == round->turns + 1;
    round->count = is_back ? round->count + 1 : 0;
    round->is_idle = is_back && is_image_of(block, &round->image);
    if (!is_back)
        forget_image(&round->image);
    else if (!round->is_idle)
        take_image(block, &round->image);
}

void round_turn(struct machine *machine, struct lane *lane, const struct strong_place *place,
                struct step_value word, bool wrote) {
    struct lane_round *round = &lane->round;
    if (round->place != place || !step_same(round->word, word)) {
        round->count = 0;
        forget_image(&round->image);
    }
    round->place = place;
    round->pc = lane->pc;
    round->word = word;
    round->wrote = wrote;
    round->turns = lane->block->turns++;
    round->taken = machine->exploration->at;
}

bool round_is_idle(const struct lane *lane, struct step_value word) {
    enum { ROUNDS_LEAST = 2 };
    const struct lane_round *round = &lane->round;
    return round->is_idle && round->count >= ROUNDS_LEAST && word.knowledge == KNOWN &&
           step_same(round->word, word);
}

// --- Rounds of the launch ----------------------------------------------------------------------

static size_t count_places(const struct machine *machine) {
    size_t count = 0;
    for (const struct strong_place *place = machine->order.places; place != NULL;
         place = place->next)
        count++;
    return count;
}

static struct step_value last_word(const struct strong_place *place) {
    return place->writes[place->write_count - 1].word;
}

static void forget_launch(struct machine *machine) {
    struct launch_image *image = &machine->image;
    for (size_t b = 0; b < machine->block_count && image->blocks != NULL; b++)
        forget_image(&image->blocks[b]);
    free(image->blocks);
    free(image->words);
    *image = (struct launch_image){.next = image->next};
}

static void take_launch(struct machine *machine) {
    struct launch_image *image = &machine->image;
    size_t i = 0;
    forget_launch(machine);
    image->place_count = count_places(machine);
    image->blocks = allocate(machine->block_count + 1, sizeof *image->blocks);
    image->words = allocate(image->place_count + 1, sizeof *image->words);
    for (size_t b = 0; b < machine->block_count; b++)
        take_image(&machine->blocks[b], &image->blocks[b]);
    for (const struct strong_place *place = machine->order.places; place != NULL;
         place = place->next)
        image->words[i++] = last_word(place);
    image->turns = machine->exploration->at;
    image->next = 2 * image->turns;
}

static bool are_words_same(const struct machine *machine) {
    const struct launch_image *image = &machine->image;
    size_t i = 0;
    if (image->place_count != count_places(machine))
        return false;
    for (const struct strong_place *place = machine->order.places; place != NULL;
         place = place->next)
        if (!step_same(last_word(place), image->words[i++]))
            return false;
    return true;
}

// Whether all who wait for their turn have had one since, or poll what does not let them go on.
static bool is_fair(const struct machine *machine) {
    for (size_t i = 0; i < machine->test->thread_count; i++) {
        const struct lane *lane = &machine->lanes[i];
        bool has_had = lane->round.place != NULL && lane->round.taken > machine->image.turns;
        if (lane->state != LANE_AT_TURN || has_had)
            continue;
        if (lane->turn.option_count > 0)
            return false;
    }
    return true;
}

static bool is_launch_same(const struct machine *machine) {
    for (size_t b = 0; b < machine->block_count; b++)
        if (!is_image_of(&machine->blocks[b], &machine->image.blocks[b]))
            return false;
    return are_words_same(machine);
}

bool rounds_repeat(struct machine *machine) {
    enum { TURNS_LEAST = 16 };
    struct launch_image *image = &machine->image;
    if (machine->order.has_stale || machine->exploration->at < TURNS_LEAST)
        return false;
    if (image->blocks != NULL && is_launch_same(machine) && is_fair(machine))
        return true;
    if (image->blocks == NULL || machine->exploration->at >= image->next)
        take_launch(machine);
    return false;
}

void rounds_free(struct machine *machine) {
    for (size_t i = 0; i < machine->test->thread_count; i++)
        forget_image(&machine->lanes[i].round.image);
    forget_launch(machine);
}
