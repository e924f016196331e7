// Loads, stores and atomic operations of threads.
#include "launch/mbarrier.h"
#include "launch/cancel.h"
#include "launch/cluster.h"
#include "launch/tensormap.h"

#include <assert.h>

static const struct operand *address_operand(const struct instruction *instruction) {
    return &instruction->operands[instruction_defines(instruction) ? 1 : 0];
}

// The scope with which an access is strong; SCOPE_NONE: it is weak. (.volatile and .mmio are strong
// at system scope: PTX ISA 8.4)
static enum scope strength_of(const struct instruction *instruction) {
    switch (instruction->order) {
    case ORDER_WEAK: return SCOPE_NONE;
    case ORDER_VOLATILE:
    case ORDER_MMIO: return SCOPE_SYS;
    default: return instruction->scope;
    }
}

// An access to one element, with the values that it stores and reads.
struct element {
    unsigned object;
    uint64_t offset;
    unsigned bits;
};

static struct shadow_access touch_of(const struct lane *lane, const struct instruction *instruction,
                                     const struct element *element) {
    bool writes = instruction->opcode != OP_LD;
    struct shadow_access touch =
        lane_touch(lane, instruction, element->offset, element->bits / 8, writes);
    touch.is_atomic = instruction_is_atomic(instruction);
    touch.observes = instruction_defines(instruction);
    touch.scope = strength_of(instruction);
    touch.proxy = instruction->proxy;
    return touch;
}

// Notes a store after which a block is not what it was before: another value, or one that other
// blocks may see.
static void note_change(struct machine *machine, const struct element *element,
                        const struct shadow_access *touch, struct step_value word) {
    struct block *block = machine->lanes[touch->thread].block;
    struct step_value before =
        shadow_read(machine->shadow, element->object, element->offset, element->bits / 8);
    if (!step_same(before, word) || block_of_object(machine, element->object) != block)
        block->changes++;
}

// Writes to memory, and tells those that follow what threads come to unordered.
static void write(struct machine *machine, const struct element *element,
                  const struct shadow_access *touch, struct step_value word) {
    if (machine->exploration != NULL)
        note_change(machine, element, touch, word);
    shadow_write(machine->shadow, element->object, element->offset, element->bits / 8, word);
    order_overwrite(machine, touch, element->object, word);
    tensormap_overwrite(machine, touch, element->object);
}

static struct step_value depending(struct step_value word, bool is_open) {
    return is_open ? (struct step_value){{0, 0}, UNKNOWN_SCHEDULE} : word;
}

// A thread that reads the same again and again waits for another one: it is to have turns.
static void note_poll(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction, const struct element *element,
                      struct step_value word) {
    enum { POLLS_MAX = 256 };
    struct lane_poll *poll = &lane->poll;
    bool is_same = poll->instruction == instruction && poll->object == element->object &&
                   poll->offset == element->offset && bits_equal(poll->bits, word.bits);
    *poll = (struct lane_poll){instruction, element->object, element->offset, word.bits,
                               is_same ? poll->count + 1 : 0};
    if (poll->count < POLLS_MAX || word.knowledge != KNOWN)
        return;
    run_note_sensitive(machine, instruction);
    machine->is_over |= machine->sensitive.count > machine->sensitive.found_so_far;
}

static struct step_value load(struct machine *machine, struct lane *lane,
                              const struct instruction *instruction,
                              const struct element *element) {
    struct shadow_access touch = touch_of(lane, instruction, element);
    bool is_sensitive = run_is_sensitive(machine, instruction);
    touch.observes = touch.scope != SCOPE_NONE;
    touch.is_known = touch.observes && !is_sensitive;
    struct openness open = shadow_touch(machine->shadow, element->object, &touch, &lane->at);
    struct step_value word =
        shadow_read(machine->shadow, element->object, element->offset, element->bits / 8);
    word = depending(word, open.value || is_sensitive);
    if (word.knowledge == KNOWN &&
        tensormap_is_opaque(machine, element->object, element->offset, element->bits / 8))
        word = (struct step_value){{0, 0}, UNKNOWN_CONTENTS}; // it is opaque
    if (touch.observes)
        note_poll(machine, lane, instruction, element, word);
    cancel_observe(machine, lane, instruction, word, element->bits);
    return word;
}

static void store(struct machine *machine, struct lane *lane, const struct instruction *instruction,
                  const struct element *element, struct step_value word) {
    struct shadow_access touch = touch_of(lane, instruction, element);
    touch.stores_known = word.knowledge == KNOWN;
    touch.stored = word.bits;
    struct openness open = shadow_touch(machine->shadow, element->object, &touch, &lane->at);
    write(machine, element, &touch, depending(word, open.contents));
}

// --- Atomic operations -------------------------------------------------------------------------

static struct step_value operand_word(struct machine *machine, struct lane *lane,
                                      const struct instruction *instruction,
                                      const struct operand *operand) {
    struct step_value word = stepper_value(machine->stepper, lane->index, lane->registers, operand,
                                           scalar_type_bits(instruction->type),
                                           scalar_type_is_signed(instruction->type));
    if (word.knowledge == UNWRITTEN)
        run_give_up(machine, instruction, "it stores a register that nothing has written");
    return word;
}

// What is in memory after it: a compare-and-swap writes only where it has found what it compares
// with.
static struct step_value stored(struct machine *machine, const struct instruction *instruction,
                                unsigned bits, struct step_value old, struct step_value b,
                                struct step_value c) {
    if (instruction->atomic != ATOMIC_CAS)
        return stepper_atomic(machine->stepper, instruction, bits, old, b, c);
    if (old.knowledge != KNOWN || b.knowledge != KNOWN)
        return (struct step_value){{0, 0},
                                   old.knowledge > b.knowledge ? old.knowledge : b.knowledge};
    return bits_equal(old.bits, b.bits) ? c : old;
}

// Whether a compare-and-swap finds what it compares with.
static bool swaps(const struct instruction *instruction, struct step_value old,
                  struct step_value compared) {
    return instruction->atomic != ATOMIC_CAS || old.knowledge != KNOWN ||
           compared.knowledge != KNOWN || bits_equal(old.bits, compared.bits);
}

static bool run_atomic(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction, const struct element *element) {
    const struct operand *operands = address_operand(instruction) + 1;
    bool gives = instruction_defines(instruction) && instruction->operands[0].kind != OPERAND_SINK;
    if (instruction->vector > 1 || operands[0].kind == OPERAND_VECTOR)
        return run_give_up(machine, instruction, "atomic operations on vectors are not run");
    struct step_value b = operand_word(machine, lane, instruction, &operands[0]), c = b;
    if (instruction->atomic == ATOMIC_CAS)
        c = operand_word(machine, lane, instruction, &operands[1]);
    struct shadow_access touch = touch_of(lane, instruction, element);
    bool is_sensitive = run_is_sensitive(machine, instruction);
    struct step_value old =
        shadow_read(machine->shadow, element->object, element->offset, element->bits / 8);
    // Where threads have turns, what it reads is the same in every order, and whether it writes.
    touch.writes = machine->exploration == NULL || swaps(instruction, old, b);
    touch.observes = gives;
    touch.is_known = gives && !is_sensitive;
    struct openness open = shadow_touch(machine->shadow, element->object, &touch, &lane->at);
    struct step_value after = stored(machine, instruction, element->bits, old, b, c);
    if (touch.writes)
        write(machine, element, &touch, depending(after, open.contents));
    old = depending(old, open.value || is_sensitive);
    if (gives)
        note_poll(machine, lane, instruction, element, old);
    if (gives)
        stepper_write(lane->thread, lane->registers, &instruction->operands[0], old, element->bits,
                      scalar_type_is_signed(instruction->type));
    return true;
}

// --- Accesses that have their turn -------------------------------------------------------------

// Makes an access that reads what its turn says, and stores `word` where it writes.
static void take_turn(struct machine *machine, struct lane *lane, const struct element *element,
                      struct shadow_access *touch, struct step_value word) {
    struct strong_place *place = lane->turn.place;
    bool reads = touch->instruction->opcode != OP_ST;
    touch->stores_known = touch->writes && word.knowledge == KNOWN;
    touch->stored = word.bits;
    turn_poll(machine, lane);
    turn_take(machine, lane, touch);
    order_leave(machine, lane, place);
    if (reads)
        order_read(machine, lane, place, lane->turn.write, touch);
    shadow_touch(machine->shadow, element->object, touch, &lane->at);
    if (!touch->writes)
        return;
    shadow_write(machine->shadow, element->object, element->offset, element->bits / 8, word);
    order_write(machine, lane, place, touch, word);
}

static bool run_in_turn(struct machine *machine, struct lane *lane,
                        const struct instruction *instruction, const struct element *element) {
    const struct operand *operands = address_operand(instruction) + 1;
    struct shadow_access touch = touch_of(lane, instruction, element);
    struct step_value old = lane->turn.place->writes[lane->turn.write].word, word = old;
    if (touch.writes)
        word = operand_word(machine, lane, instruction, &operands[0]);
    if (touch.is_atomic) {
        struct step_value c = word;
        if (instruction->atomic == ATOMIC_CAS)
            c = operand_word(machine, lane, instruction, &operands[1]);
        touch.writes = swaps(instruction, old, word);
        word = stored(machine, instruction, element->bits, old, word, c);
    }
    take_turn(machine, lane, element, &touch, word);
    if (instruction_defines(instruction) && instruction->operands[0].kind != OPERAND_SINK)
        stepper_write(lane->thread, lane->registers, &instruction->operands[0], old, element->bits,
                      scalar_type_is_signed(instruction->type));
    return true;
}

// Lets a thread wait for its turn; until it has it, it may poll, which writes only what is there.
static bool wait_for_turn(struct machine *machine, struct lane *lane,
                          const struct instruction *instruction, const struct element *element) {
    struct shadow_access touch = touch_of(lane, instruction, element);
    touch.writes &= instruction->atomic != ATOMIC_CAS;
    return turn_wait(machine, lane, &touch, element->object);
}

// Whether an access waits for its turn: other runs have met others unordered with it, or others at
// its place have turns.
static bool has_turns(struct machine *machine, const struct instruction *instruction,
                      const struct element *element) {
    if (machine->exploration == NULL || run_is_sensitive(machine, instruction))
        return machine->exploration != NULL;
    if (strength_of(instruction) == SCOPE_NONE ||
        !order_has_place(machine, element->object, element->offset, element->bits / 8))
        return false;
    run_note_sensitive(machine, instruction);
    machine->is_over = true;
    return false;
}

// --- All of them -------------------------------------------------------------------------------

static bool is_run(const struct instruction *instruction) {
    bool is_plain = instruction->opcode == OP_LD || instruction->opcode == OP_ST;
    bool is_atomic = instruction->opcode == OP_ATOM || instruction->opcode == OP_RED;
    bool is_packed = instruction->type == TYPE_F16X2 || instruction->type == TYPE_BF16X2;
    return (is_plain || (is_atomic && !is_packed)) && instruction->type != TYPE_NONE;
}

// Registers change after all elements are read: one of them may hold the address.
static bool run_load(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction, struct element element) {
    enum { ELEMENTS_MAX = 8 };
    const struct operand *target = &instruction->operands[0];
    bool is_signed = scalar_type_is_signed(instruction->type);
    struct step_value words[ELEMENTS_MAX];
    unsigned count = operand_length(target);
    assert(count <= ELEMENTS_MAX);
    for (unsigned i = 0; i < count; i++, element.offset += element.bits / 8)
        if (operand_element(target, i)->kind != OPERAND_SINK || count == 1)
            words[i] = load(machine, lane, instruction, &element);
    for (unsigned i = 0; i < count; i++)
        if (operand_element(target, i)->kind != OPERAND_SINK)
            stepper_write(lane->thread, lane->registers, operand_element(target, i), words[i],
                          element.bits, is_signed);
    return true;
}

static bool run_store(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction, struct element element) {
    const struct operand *source = &instruction->operands[1];
    for (unsigned i = 0; i < operand_length(source); i++, element.offset += element.bits / 8)
        if (operand_element(source, i)->kind != OPERAND_SINK)
            store(machine, lane, instruction, &element,
                  operand_word(machine, lane, instruction, operand_element(source, i)));
    return true;
}

bool run_access(struct machine *machine, struct lane *lane, const struct instruction *instruction) {
    if (!is_run(instruction))
        return run_give_up(machine, instruction, "accesses of this kind are not run");
    struct element element = {.bits = scalar_type_bits(instruction->type)};
    const struct operand *data =
        instruction->opcode == OP_LD ? &instruction->operands[0] : address_operand(instruction) + 1;
    unsigned size = element.bits / 8 * (instruction->vector > 1 ? operand_length(data) : 1);
    if (!run_find_place(machine, lane, instruction, address_operand(instruction),
                        instruction->space, size, size, &element.object, &element.offset))
        return false;
    if (mbarrier_is_at(machine, element.object, element.offset, size))
        return run_give_up(machine, instruction, "an mbarrier is accessed as ordinary memory is");
    bool is_weak = instruction->order == ORDER_WEAK && instruction->atomic == ATOMIC_NONE;
    if (!is_weak && tensormap_is_at(machine, element.object, element.offset, size))
        return run_give_up(machine, instruction, "a tensormap is accessed by a strong operation");
    bool in_turns = has_turns(machine, instruction, &element);
    if (machine->is_over)
        return false;
    if (in_turns && size != element.bits / 8)
        return run_give_up(machine, instruction, "vectors that are unordered are not run");
    if (in_turns && !lane->turn.is_granted)
        return wait_for_turn(machine, lane, instruction, &element);
    bool is_done = in_turns ? run_in_turn(machine, lane, instruction, &element)
                   : instruction->opcode == OP_LD ? run_load(machine, lane, instruction, element)
                   : instruction->opcode == OP_ST
                       ? run_store(machine, lane, instruction, element)
                       : run_atomic(machine, lane, instruction, &element);
    if (is_done)
        lane->pc++;
    return is_done && !machine->is_over;
}
