// From the events that an explanation shows to the path and the sources that the oracle takes for
// them (judge.c).
#include "tests/oracle/judge.h"

#include "tests/oracle/mbarrier.h"

#include <stdlib.h>
#include <string.h>

const char *judge_text(json_t *object, const char *field) {
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "";
}

static const char *step_kind(const struct step *step) {
    switch (step->action) {
    case ACTION_READ: return "read";
    case ACTION_WRITE: return "write";
    case ACTION_FENCE: return "fence";
    case ACTION_PROXY_FENCE: return "proxy-fence";
    case ACTION_BARRIER: return step->arrives ? "arrive" : "wait";
    case ACTION_ISSUE: return "issue";
    case ACTION_ASYNC_WAIT: return "group-wait";
    case ACTION_PRODUCT_FENCE: return "wgmma-fence";
    case ACTION_TENSOR_FENCE: return "tcgen05-fence";
    case ACTION_LAUNCH: return "grid-launch";
    case ACTION_INIT: break;
    }
    return "initial";
}

// The value in JSON: a number, or hexadecimal digits for a large one. False for none.
static bool value_of(json_t *json, struct value *value) {
    if (json_is_integer(json)) {
        *value = value_known((u128)json_integer_value(json), 128);
        return true;
    }
    const char *text = json_string_value(json);
    u128 bits = 0;
    if (!text)
        return false;
    for (text += strncmp(text, "0x", 2) == 0 ? 2 : 0; *text; text++)
        bits = bits << 4 | (unsigned)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    *value = value_known(bits, 128);
    return true;
}

// The state of an mbarrier that an event reads or writes, as the oracle keeps it; else its value.
static bool value_of_event(const struct claim *claim, json_t *event, struct value *value) {
    json_t *mbarrier = json_object_get(event, "mbarrier"), *bits = json_object_get(event, "value");
    // What an ordinary access finds of a state is in the explanation as ptxlitmus keeps it.
    for (unsigned i = 0; !mbarrier && json_is_string(bits) && i < claim->count; i++)
        if (json_equal(bits, json_object_get(claim->events[i], "value")))
            mbarrier = json_object_get(claim->events[i], "mbarrier");
    if (!mbarrier)
        return value_of(bits, value);
    struct mbarrier_state state = {.valid = json_is_object(mbarrier)};
    state.phase = (unsigned)json_integer_value(json_object_get(mbarrier, "phase"));
    state.pending = (unsigned)json_integer_value(json_object_get(mbarrier, "pending"));
    state.expected = (unsigned)json_integer_value(json_object_get(mbarrier, "expected"));
    state.v1 = json_integer_value(json_object_get(mbarrier, "layout")) == 1;
    state.tx = (int32_t)json_integer_value(json_object_get(mbarrier, "bytes"));
    *value = value_known(mbarrier_pack(state), 64);
    return true;
}

static bool has_value(const struct claim *claim, json_t *event, struct value wanted) {
    struct value value;
    return !value_is_known(wanted) || !value_of_event(claim, event, &value) ||
           value_equal(value, wanted);
}

// Whether a step of a path has, or reads, the state that an arrival of the path has returned: which
// bits that has is left open by PTX, and differs here.
static bool is_token(const struct path *path, struct value value) {
    unsigned number = mbarrier_token_unpack((uint64_t)value.bits).number;
    for (unsigned i = 0; number > 0 && value_is_known(value) && i < path->count; i++)
        if (path->steps[i].token == number && path->steps[i].action == ACTION_WRITE)
            return true;
    return false;
}

// The state of an arrival that a thread has stored and reads again. False where it reads something
// else.
static bool own_token(const struct claim *claim, size_t thread, const struct path *path,
                      json_t *event, struct value *value) {
    json_t *from = json_object_get(event, "from");
    int writer = judge_event_of(claim, judge_text(json_array_get(from, 0), "event"));
    unsigned first = claim->first[thread], place = (unsigned)writer - 1;
    if (json_array_size(from) != 1 || writer < 1 || place < first ||
        place - first + 1 >= path->count || !is_token(path, path->steps[place - first].value))
        return false;
    *value = path->steps[place - first].value;
    return true;
}

bool judge_answer(void *context, size_t thread, const struct path *path, enum question question,
                  struct value *value) {
    const struct claim *claim = context;
    unsigned place = claim->first[thread] + path->count - 1;
    if (place >= claim->first[thread + 1])
        return false;
    json_t *event = claim->events[place];
    if (question == ASK_PASS) {
        *value = value_known(json_is_true(json_object_get(event, "passes")), 1);
        return true;
    }
    return question == ASK_READ &&
           (own_token(claim, thread, path, event, value) || value_of_event(claim, event, value));
}

bool judge_takes_path(void *context, size_t thread, const struct path *path) {
    struct claim *claim = context;
    unsigned first = claim->first[thread], count = claim->first[thread + 1] - first;
    if (path->count != count)
        return false;
    for (unsigned i = 0; i < count; i++) {
        const struct step *step = &path->steps[i];
        json_t *event = claim->events[first + i];
        struct position at =
            source_position(step->at->opcode_span.source, step->at->opcode_span.begin);
        if (strcmp(judge_text(event, "kind"), step_kind(step)) != 0 ||
            json_integer_value(json_object_get(event, "line")) != at.line ||
            json_integer_value(json_object_get(event, "column")) != at.column ||
            !(is_token(path, step->value) || has_value(claim, event, step->value)))
            return false;
    }
    return true;
}

int judge_event_of(const struct claim *claim, const char *name) {
    if (strncmp(name, "init:", strlen("init:")) == 0)
        return 0;
    for (unsigned i = 0; i < claim->count; i++)
        if (strcmp(judge_text(claim->events[i], "name"), name) == 0)
            return (int)i + 1;
    return -1;
}

bool judge_takes_source(void *context, const struct explorer *explorer, unsigned index,
                        unsigned source) {
    const struct claim *claim = context;
    const struct unit *unit = &explorer->units[index];
    json_t *from = json_object_get(claim->events[unit->read - 1], "from");
    unsigned at = explorer->steps[unit->read]->spot.offset;
    for (size_t i = 0; i < json_array_size(from); i++) {
        json_t *part = json_array_get(from, i);
        unsigned end = at + (unsigned)json_integer_value(json_object_get(part, "bytes"));
        if (unit->offset >= at && unit->offset < end)
            return judge_event_of(claim, judge_text(part, "event")) == (int)source;
        at = end;
    }
    return false;
}
