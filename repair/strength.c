// Which forms of a place are stronger: by what their order does, the threads in their scope, and
// the memory that they are about.
#include "repair/strength.h"

#include <assert.h>

// What an order does, as bits: the order of two is that of the sets.
static unsigned bits_of_order(const struct change_form *form) {
    if (!form->is_present)
        return 0;
    switch (form->order) {
    case ORDER_NONE: return 1; // a proxy fence of both directions
    case ORDER_WEAK: return 0;
    case ORDER_RELAXED:
    case ORDER_VOLATILE:
    case ORDER_MMIO: return 1;
    case ORDER_ACQUIRE: return 1 | 2;
    case ORDER_RELEASE: return 1 | 4;
    case ORDER_ACQ_REL: return 1 | 2 | 4;
    case ORDER_SC: return 1 | 2 | 4 | 8;
    }
    return 0;
}

static unsigned bits_of_space(const struct change_form *form) {
    if (!form->is_present)
        return 0;
    switch (form->space) {
    case SPACE_GLOBAL: return 1;
    case SPACE_SHARED: return 2;
    case SPACE_SHARED_CLUSTER: return 2 | 4;
    default: return 1 | 2 | 4;
    }
}

bool change_covers(const struct change_form *form, const struct change_form *other) {
    if (form->groups > 0 || form->is_full) // a wait for groups
        return form->groups >= other->groups && (form->is_full || !other->is_full);
    if (form->inserts != NULL || other->inserts != NULL) // a barrier is stronger than none
        return form->inserts == other->inserts || (form->inserts != NULL && !other->is_present);
    unsigned order = bits_of_order(other), space = bits_of_space(other);
    assert(form->scope <= SCOPE_SYS && other->scope <= SCOPE_SYS); // compared by their order
    return (order & ~bits_of_order(form)) == 0 && (space & ~bits_of_space(form)) == 0 &&
           (order == 0 || other->scope <= form->scope);
}

bool change_is_next(const struct change_place *place, size_t form, size_t weaker) {
    const struct change_form *forms = place->forms;
    assert(form < place->form_count);
    assert(weaker < place->form_count);
    if (weaker == form || !change_covers(&forms[form], &forms[weaker]))
        return false;
    for (size_t f = 0; f < place->form_count; f++)
        if (f != form && f != weaker && change_covers(&forms[form], &forms[f]) &&
            change_covers(&forms[f], &forms[weaker]))
            return false;
    return true;
}

static unsigned count_bits(unsigned bits) {
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

unsigned change_rank(const struct change_form *form) {
    return count_bits(bits_of_order(form)) + (unsigned)form->scope +
           count_bits(bits_of_space(form)) + form->groups + form->is_full;
}
