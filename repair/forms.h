// What may be at a place: forms of the instruction table, as texts.
#ifndef PTXLITMUS_REPAIR_FORMS_H
#define PTXLITMUS_REPAIR_FORMS_H

#include "repair/places.h"

// Whether an opcode with these qualifiers is there in the dialect, within the limits.
bool forms_are_legal(const char *text, const struct change_options *options);

// Gives a place the forms of an access: those of its opcode in the direction of the options.
void forms_of_access(const struct place_search *search, struct change_place *place,
                     const struct instruction *instruction);

// The same for a fence that is there.
void forms_of_fence(const struct place_search *search, struct change_place *place,
                    const struct instruction *instruction);

// The same for a barrier.cluster.arrive.
void forms_of_arrival(const struct place_search *search, struct change_place *place,
                      const struct instruction *instruction);

// The same for a proxy fence that is there.
void forms_of_proxy_fence(const struct place_search *search, struct change_place *place,
                          const struct instruction *instruction);

// The same for a point where a fence may be put. `acquires`: some read precedes it; `releases`:
// some write follows.
void forms_of_new_fence(const struct place_search *search, struct change_place *place,
                        bool acquires, bool releases);

// The same for a proxy fence: of both directions, or of one (ORDER_RELEASE, ORDER_ACQUIRE), which
// for ORDER_ACQUIRE names the variable; of the fabric proxy, `variable` is how its kind is written.
void forms_of_new_proxy_fence(const struct place_search *search, struct change_place *place,
                              enum access_order order, const char *variable);

#endif
