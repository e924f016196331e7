// Waits that are missing: for a phase of an mbarrier at which others arrive, before a copy into
// memory that they may still read; and a barrier of all threads of a CTA in a loop.
#include "repair/correcting.h"

#include "litmus/source/arena.h"
#include "repair/forms.h"

#include <string.h>

enum { WAIT_FORMS_MAX = 16 };

// --- Texts that several threads run --------------------------------------------------------------

// Whether an earlier thread runs the text of a thread.
static bool is_repeated(const struct test *test, size_t t) {
    return place_first_thread(test, t) != t;
}

// Whether a later one runs the text of the first thread that does.
static bool is_shared(const struct test *test, size_t first) {
    for (size_t other = first + 1; other < test->thread_count; other++)
        if (place_first_thread(test, other) == first)
            return true;
    return false;
}

// Whether all threads of a CTA, of which there are several, run the text of the first one that
// does.
static bool is_of_all(const struct test *test, size_t first) {
    size_t count = 0;
    for (size_t t = 0; t < test->thread_count; t++) {
        if (!test_same_cta(&test->threads[first].place, &test->threads[t].place))
            continue;
        if (place_first_thread(test, t) != first)
            return false;
        count++;
    }
    return count > 1;
}

// --- Where copies begin --------------------------------------------------------------------------

// The index of the instruction before which a wait has to be that is to precede a copy: the one by
// which the mbarrier is told of its bytes, where that is just before it.
static size_t begin_of_copy(const struct place_search *search, const struct thread *thread,
                            size_t copy) {
    enum { FARTHEST = 12 };
    for (size_t back = 1; back <= FARTHEST && back <= copy; back++) {
        const struct instruction *before = &thread->instructions[copy - back];
        if (correction_expects(search->arena, before))
            return copy - back;
        if (instruction_branches(before) || instruction_signals(before))
            break;
    }
    return copy;
}

static bool is_copy(const struct instruction *instruction) {
    return instruction_signals(instruction) && opcode_family(instruction->opcode) == FAMILY_COPY &&
           opcode_has(instruction->opcode, TRAIT_STARTS);
}

// The mbarrier of a copy: its last operand in memory.
static int mbarrier_of_copy(const struct thread *thread, const struct instruction *copy) {
    const struct operand *last = NULL;
    for (unsigned i = 0; i < copy->operand_count; i++)
        last = copy->operands[i].kind == OPERAND_MEMORY ? &copy->operands[i] : last;
    return last ? register_variable(thread, last) : -1;
}

// --- Waits for phases ----------------------------------------------------------------------------

// How a thread of the test waits for a phase by its parity: the nearest such wait in the thread, or
// that of another one.
struct wait_model {
    const char *opcode;
    const struct operand *parity; // NULL: of another thread
};

static struct wait_model model_of_wait(const struct place_search *search, size_t t, size_t point) {
    struct wait_model model = {NULL, NULL};
    for (size_t other = 0; other < search->test->thread_count && !model.parity; other++) {
        // That thread first.
        size_t index = other == 0 ? t : other <= t ? other - 1 : other;
        const struct thread *thread = &search->test->threads[index];
        for (size_t i = 0; i < thread->instruction_count; i++) {
            const struct instruction *at = &thread->instructions[i];
            const struct operand *memory = correction_memory(at);
            if (opcode_family(at->opcode) != FAMILY_MBARRIER ||
                !opcode_has(at->opcode, TRAIT_PARITY) || !memory)
                continue;
            if (!model.opcode)
                model.opcode = register_text(search->arena, at->opcode_span);
            if (index == t && (!model.parity || i <= point))
                model.parity = memory + 1;
        }
        if (model.opcode)
            break;
    }
    if (!model.opcode && forms_are_legal("mbarrier.try_wait.parity.shared.b64", search->options))
        model.opcode = "mbarrier.try_wait.parity.shared.b64";
    return model;
}

// What a wait is about: the operand that names the mbarrier, as the thread or another one writes
// it, and the parity.
struct wait_for {
    const struct operand *mbarrier;
    const struct operand *parity; // in a register; or NULL
    bool is_other;                // it is the other one
    const char *number;           // without a register
};

// The parity at the point; NULL: it cannot be computed there.
static const char *parity_at(struct register_copies *copies, const struct wait_for *wait) {
    if (!wait->parity)
        return wait->number;
    const char *now = register_at(copies, wait->parity->reg);
    return now && wait->is_other ? register_other_parity(copies, now) : now;
}

// Adds a form that waits before the place.
static void add_wait(const struct place_search *search, struct change_place *place,
                     const char *opcode, const struct wait_for *wait) {
    struct register_copies copies = correction_copies(search, place);
    const char *address = register_memory(&copies, wait->mbarrier);
    const char *parity = address ? parity_at(&copies, wait) : NULL;
    if (!parity || place->form_count > WAIT_FORMS_MAX)
        return;
    const char *done = register_new(&copies, 1);
    const char *label = register_unused_name(search->arena, copies.file, "WAIT");
    register_add(&copies, arena_format(search->arena, "%s: %s %s, %s, %s", label, opcode, done,
                                       address, parity));
    register_add(&copies, arena_format(search->arena, "@!%s bra %s", done, label));
    place_add_edits(search, place,
                    (struct change_form){.cost = search->options->costs->weights[COST_WAIT]},
                    correction_edits(search, place, &copies), copies.count);
}

// An mbarrier that an arrival names is one that a thread may wait at: as it names it itself, or by
// the name of a variable.
static bool can_name(const struct operand *mbarrier, bool is_own) {
    return mbarrier && (is_own || mbarrier->variable >= 0);
}

// The arrivals at different mbarriers, but for that of the copy.
static size_t find_mbarriers(const struct place_search *search, size_t t, int excluded,
                             const struct operand **mbarriers, size_t most) {
    size_t count = 0;
    int known[WAIT_FORMS_MAX];
    for (size_t other = 0; other < search->test->thread_count; other++) {
        const struct thread *thread = &search->test->threads[other];
        bool is_first = other == t || !is_repeated(search->test, other);
        for (size_t i = 0; is_first && i < thread->instruction_count && count < most; i++) {
            const struct instruction *at = &thread->instructions[i];
            const struct operand *memory = correction_first_memory(at);
            if (!correction_arrives(at) || correction_expects(search->arena, at) ||
                at->space == SPACE_SHARED_CLUSTER || !can_name(memory, other == t))
                continue;
            int variable = register_variable(thread, memory);
            bool is_new = variable < 0 || variable != excluded;
            for (size_t k = 0; k < count; k++)
                is_new = is_new && known[k] != variable;
            if (is_new) {
                known[count] = variable;
                mbarriers[count++] = memory;
            }
        }
    }
    return count;
}

static void add_waits_before(struct place_search *search, size_t t, size_t copy) {
    enum { MBARRIERS = 4 };
    const struct thread *thread = &search->test->threads[t];
    size_t point = begin_of_copy(search, thread, copy);
    const struct operand *mbarriers[MBARRIERS];
    size_t count = find_mbarriers(search, t, mbarrier_of_copy(thread, &thread->instructions[copy]),
                                  mbarriers, MBARRIERS);
    const struct wait_model model = model_of_wait(search, t, point);
    struct change_place place = correction_place(search, t, point, CORRECT_WAIT);
    place.is_shared = is_shared(search->test, t);
    for (size_t i = 0; model.opcode && i < count; i++) {
        bool is_held = model.parity && model.parity->kind == OPERAND_REGISTER;
        for (unsigned other = 2; other-- > 0;) {
            const struct wait_for wait = {.mbarrier = mbarriers[i],
                                          .parity = is_held ? model.parity : NULL,
                                          .is_other = other == 1,
                                          .number = other == 1 ? "0" : "1"};
            add_wait(search, &place, model.opcode, &wait);
        }
    }
    place_add(search, &place);
}

void corrections_add_waits(struct place_search *search) {
    for (size_t t = 0; t < search->test->thread_count; t++) {
        const struct thread *thread = &search->test->threads[t];
        bool is_first = !is_repeated(search->test, t);
        for (size_t i = 0; is_first && i < thread->instruction_count; i++)
            if (is_copy(&thread->instructions[i]))
                add_waits_before(search, t, i);
    }
}

// --- Barriers in loops ---------------------------------------------------------------------------

static bool accesses(const struct instruction *instruction) {
    bool waits = opcode_family(instruction->opcode) == FAMILY_MBARRIER &&
                 opcode_has(instruction->opcode, TRAIT_WAITS);
    return !waits && instruction_accesses(instruction);
}

// Whether a branch goes back, over something else than a wait for a phase.
static bool ends_loop(const struct thread *thread, size_t index) {
    const struct instruction *branch = &thread->instructions[index];
    size_t target = instruction_branches(branch) ? instruction_target(thread, branch) : index + 1;
    for (size_t i = target; i < index; i++)
        if (accesses(&thread->instructions[i]))
            return true;
    return false;
}

// Whether a point is one that each round of a loop passes: its begin, its end, or one before an
// access that no branch leads past.
static bool is_of_each_round(const struct thread *thread, size_t index) {
    bool is_in_loop = false, is_passed = false;
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *branch = &thread->instructions[i];
        if (!instruction_branches(branch))
            continue;
        size_t target = instruction_target(thread, branch);
        if (i >= index && target <= index && ends_loop(thread, i)) {
            if (target == index || i == index)
                return true;
            is_in_loop = true;
        }
        is_passed = is_passed || (i < index && target > index);
    }
    return is_in_loop && !is_passed && accesses(&thread->instructions[index]);
}

static void add_barrier(struct place_search *search, size_t t, size_t index, const char *barrier) {
    struct change_place place = correction_place(search, t, index, CORRECT_BARRIER);
    const struct change_form form = {.cost = cost_of_barrier(search->options->costs, SCOPE_CTA)};
    place.is_shared = true;
    const struct change_insert edit = place_text_before(&place, barrier);
    place_add_edits(search, &place, form, &edit, 1);
    place_add(search, &place);
}

void corrections_add_barriers(struct place_search *search) {
    const struct test *test = search->test;
    int number = barriers_free_number(test);
    const char *barrier = arena_format(search->arena, "bar.sync %d", number);
    for (size_t t = 0; number >= 0 && t < test->thread_count; t++) {
        const struct thread *thread = &test->threads[t];
        bool is_fit = !is_repeated(test, t) && is_of_all(test, t);
        for (size_t i = 0; is_fit && i < thread->instruction_count; i++)
            if (is_of_each_round(thread, i))
                add_barrier(search, t, i, barrier);
    }
}
