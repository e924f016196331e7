// Statements made from the instruction table.
#include "tests/ptx/compare.h"

#include "litmus/ptx/instructions.h"

#include <string.h>

enum { QUALIFIERS_MAX = 20 };

// splitmix64
static uint64_t next_random(struct random *random) {
    uint64_t z = (random->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

size_t random_below(struct random *random, size_t limit) {
    return (size_t)(next_random(random) % limit);
}

// A statement that is being built.
struct draft {
    struct arena *arena;
    const struct form *form;
    const char *qualifiers[QUALIFIERS_MAX];
    size_t count;
    struct random *random; // NULL: the first choice everywhere
    bool wrong_operands;   // some registers are of any type, some operands missing or too many
};

static size_t choose(struct draft *draft, size_t limit) {
    return draft->random ? random_below(draft->random, limit) : 0;
}

static void add_qualifier(struct draft *draft, const char *spelling) {
    if (draft->count < QUALIFIERS_MAX)
        draft->qualifiers[draft->count++] = spelling;
}

static size_t alternative_count(const struct slot *slot) {
    struct piece rest = slot->alternatives, alternative;
    size_t count = 0;
    while (ptx_next_alternative(&rest, &alternative))
        count++;
    return count;
}

static const char *alternative_at(struct arena *arena, const struct slot *slot, size_t index) {
    struct piece rest = slot->alternatives, alternative = {"", 0};
    for (size_t i = 0; i <= index; i++)
        ptx_next_alternative(&rest, &alternative);
    return arena_strndup(arena, alternative.text, alternative.length);
}

// --- Operands ----------------------------------------------------------------------------------

static const struct qualifier *nth_type(const struct draft *draft, size_t index) {
    for (size_t i = 0; i < draft->count; i++) {
        const struct qualifier *type = ptx_qualifier(CLASS_TYPE, draft->qualifiers[i]);
        if (type && index-- == 0)
            return type;
    }
    return NULL;
}

static bool has_class(const struct draft *draft, enum qualifier_class class) {
    for (size_t i = 0; i < draft->count; i++)
        if (ptx_qualifier(class, draft->qualifiers[i]))
            return true;
    return false;
}

static const char *register_of(struct draft *draft, enum scalar_type type, bool wider) {
    static const char *const by_width[][4] = {{"%h", "%h", "%r", "%rd"}, // 8 bits
                                              {"%h", "%h", "%h", "%h"},
                                              {"%r", "%u", "%s", "%r"},
                                              {"%rd", "%ud", "%sd", "%rd"},
                                              {"%q", "%q", "%q", "%q"}};
    unsigned bits = scalar_type_bits(type), row = 0;
    const char *prefix;
    if (type == TYPE_PRED)
        prefix = "%p";
    else if (scalar_type_is_float(type) && choose(draft, 3) != 1)
        prefix = type == TYPE_F64 ? "%fd" : type == TYPE_F32 ? "%f" : bits == 16 ? "%h" : "%r";
    else {
        while (row < 4 && 8u << row < bits)
            row++;
        if (wider && row < 3 && choose(draft, 4) == 3)
            row++;
        bool integer = type >= TYPE_U8 && type <= TYPE_S64;
        prefix = by_width[row][integer ? choose(draft, 4) : 0];
    }
    return arena_format(draft->arena, "%s%zu", prefix, choose(draft, 4));
}

static const char *constant_of(struct draft *draft, enum scalar_type type) {
    switch (type) {
    case TYPE_F32: return "0f3f800000";
    case TYPE_F64: return "0d3ff0000000000000";
    case TYPE_PRED: {
        static const char *const truths[] = {"0", "1", "-1", "256"};
        return truths[choose(draft, 4)];
    }
    default: return choose(draft, 3) == 0 ? "-1" : "7";
    }
}

static unsigned vector_of(const struct draft *draft) {
    for (size_t i = 0; i < draft->count; i++) {
        const struct qualifier *vector = ptx_qualifier(CLASS_VECTOR, draft->qualifiers[i]);
        if (vector)
            return (unsigned)vector->value;
    }
    return 1;
}

static const char *variable_of(struct draft *draft) {
    static const char *const names[] = {
        [SPACE_GENERIC] = "gbuf",       [SPACE_CONST] = "cbuf", [SPACE_GLOBAL] = "gbuf",
        [SPACE_LOCAL] = "lbuf",         [SPACE_PARAM] = "kbuf", [SPACE_SHARED] = "sbuf",
        [SPACE_SHARED_CLUSTER] = "sbuf"};
    enum state_space space = SPACE_GENERIC;
    if (strncmp(draft->form->name, "multimem.", 9) == 0)
        return choose(draft, 8) == 7 ? "sbuf" : "mbuf";
    for (size_t i = 0; i < draft->count; i++) {
        const struct qualifier *named = ptx_qualifier(CLASS_SPACE, draft->qualifiers[i]);
        if (named)
            space = (enum state_space)named->value;
    }
    if (space == SPACE_GENERIC && choose(draft, 6) == 5)
        return choose(draft, 2) ? "sbuf" : "lbuf";
    return names[space];
}

static const char *memory_of(struct draft *draft) {
    static const char *const offsets[] = {"", "+0", "+32", "+-32"};
    if (choose(draft, 4) == 3)
        return arena_format(draft->arena, "[%%rd%zu%s]", choose(draft, 4),
                            offsets[choose(draft, 4)]);
    return arena_format(draft->arena, "[%s%s]", variable_of(draft), offsets[choose(draft, 3)]);
}

static int value_in_class(const struct draft *draft, enum qualifier_class class, int missing) {
    for (size_t i = 0; i < draft->count; i++) {
        const struct qualifier *found = ptx_qualifier(class, draft->qualifiers[i]);
        if (found)
            return found->value;
    }
    return missing;
}

static size_t dimensions_of(const struct draft *draft) {
    size_t dimensions = 1;
    for (size_t i = draft->count; i-- > 0;) {
        const struct qualifier *named = ptx_qualifier(CLASS_DIMENSION, draft->qualifiers[i]);
        if (named)
            dimensions = (size_t)named->value;
    }
    return dimensions;
}

// The offsets of im2col mode.
static const char *offsets_of(struct draft *draft) {
    size_t dimensions = dimensions_of(draft), count = dimensions > 3 ? dimensions - 2 : 1;
    const char *text = "{";
    count += draft->wrong_operands && choose(draft, 4) == 0;
    for (size_t i = 0; i < count; i++)
        text = arena_format(draft->arena, "%s%s%s", text, i ? ", " : "",
                            choose(draft, 3) == 2                            ? "7"
                            : draft->wrong_operands && choose(draft, 6) == 0 ? "%r1"
                                                                             : "%h1");
    return arena_format(draft->arena, "%s}", text);
}

// A tensormap of as many dimensions as the statement says, with coordinates of a tile.
static const char *tensor_of(struct draft *draft) {
    size_t dimensions = dimensions_of(draft);
    int mode = value_in_class(draft, CLASS_TENSOR_MODE, 0);
    const char *text =
        choose(draft, 6) == 5
            ? arena_format(draft->arena, "[%s%s, {",
                           draft->wrong_operands && choose(draft, 4) == 0 ? "%r1" : "%rd1",
                           draft->wrong_operands && choose(draft, 3) == 2 ? "+128" : "")
            : arena_format(draft->arena, "[%smap%zu, {", mode == 2 ? "i" : "t", dimensions);
    size_t count = mode == 1 ? FOUR_ROWS_COORDINATES : dimensions;
    count += draft->wrong_operands && choose(draft, 4) == 0;
    for (size_t i = 0; i < count; i++)
        text = arena_format(draft->arena, "%s%s%s", text, i ? ", " : "",
                            choose(draft, 3) == 2 ? "7"
                            : choose(draft, 2)    ? "%s1"
                                                  : "%r2");
    return arena_format(draft->arena, "%s}]", text);
}

static bool is_of_tensormap(const struct draft *draft) {
    return draft->form->opcode == OP_TENSORMAP_REPLACE || draft->form->opcode == OP_TENSORMAP_CP;
}

// The tensormap that a statement changes or copies.
static const char *map_of(struct draft *draft, uint32_t role) {
    bool shared = (role & FROM) != 0;
    for (size_t i = 0; i < draft->count && draft->form->opcode == OP_TENSORMAP_REPLACE; i++)
        shared = shared || strncmp(draft->qualifiers[i], ".shared", 7) == 0;
    return shared ? "[smap]" : "[tmap1]";
}

static enum scalar_type role_type(const struct draft *draft, uint32_t role) {
    const struct qualifier *type = nth_type(draft, role & OF_SOURCE ? 1 : 0);
    enum scalar_type own = type ? (enum scalar_type)type->value : TYPE_U32;
    uint32_t kind = role & ROLE_MASK;
    if (kind == PREDICATE || kind == PREDICATE_PAIR || kind == REPORT_PAIR)
        return TYPE_PRED;
    if (role & OF_B8)
        return TYPE_B8;
    if (kind == POLICY)
        return TYPE_B64;
    if (role & OF_U16)
        return TYPE_U16;
    if (role & OF_U32)
        return TYPE_U32;
    if (role & OF_PRED)
        return TYPE_PRED;
    if (role & TWICE)
        return scalar_type_bits(own) == 16 ? TYPE_U32 : TYPE_U64;
    return own;
}

static const char *value_of(struct draft *draft, uint32_t role) {
    if ((role & OF_B8) && !draft->wrong_operands)
        return "%c1";
    static const char *const prefixes[] = {"%p", "%h",  "%r",  "%rd", "%q", "%u",
                                           "%s", "%ud", "%sd", "%f",  "%fd"};
    static const char *const specials[] = {"%tid.x",  "%ntid.y",   "%ctaid.w",
                                           "%tid",    "%laneid",   "%cluster_ctarank",
                                           "%warpid", "%nctaid.x", "%is_explicit_cluster"};
    uint32_t kind = role & ROLE_MASK;
    enum scalar_type type = role_type(draft, role);
    if (draft->wrong_operands && choose(draft, 2))
        return choose(draft, 8) ? arena_format(draft->arena, "%s%zu", prefixes[choose(draft, 11)],
                                               choose(draft, 4))
                                : "5";
    bool source = kind == SOURCE || kind == PREDICATE || kind == MOVE_SOURCE || kind == POLICY;
    bool is_cvt = draft->form->opcode == OP_CVT && kind == SOURCE;
    if ((kind == MOVE_SOURCE || is_cvt || draft->wrong_operands) && choose(draft, 8) == 7)
        return specials[choose(draft, sizeof(specials) / sizeof(specials[0]))];
    if ((role & SINK) && choose(draft, 6) == 5)
        return "_";
    if (kind == PREDICATE && choose(draft, 3) == 2)
        return arena_format(draft->arena, "!%s", register_of(draft, type, false));
    if (source && choose(draft, 3) == 2 && type != TYPE_F16 && type != TYPE_B128)
        return role & (BELOW_16 | BELOW_256) ? "3" : constant_of(draft, type);
    return register_of(draft, type, (role & WIDER) != 0);
}

// The registers of a matrix, as many as the shape and the type want, or nearly so.
static const char *registers_of(struct draft *draft, const char *prefix, unsigned count) {
    const char *text = "{";
    if (draft->wrong_operands && choose(draft, 3) == 0)
        count += 2;
    for (unsigned i = 0; i < count; i++)
        text =
            arena_format(draft->arena, "%s%s%s%zu", text, i ? ", " : "", prefix, choose(draft, 4));
    return arena_format(draft->arena, "%s}", text);
}

static const char *accumulator_of(struct draft *draft) {
    static const char *const prefixes[] = {"%r", "%s", "%u", "%f", "%rd"};
    const struct qualifier *type = nth_type(draft, 0);
    bool packed = type && type->value == TYPE_F16, single = type && type->value == TYPE_F32;
    unsigned columns = (unsigned)value_in_class(draft, CLASS_SHAPE, 8);
    const char *prefix = draft->wrong_operands ? prefixes[choose(draft, 5)]
                         : packed              ? "%r"
                         : single              ? (choose(draft, 2) ? "%r" : "%f")
                                               : prefixes[choose(draft, 3)];
    return registers_of(draft, prefix, columns / (packed ? 4 : 2));
}

// An address of tensor memory.
static const char *tensor_address_of(struct draft *draft) {
    static const char *const right[] = {"[%r1]", "[%u2]", "[%s0]", "[%r3+2]"};
    static const char *const wrong[] = {"[%f1]", "[%rd1]", "%r1", "[%r0]"};
    return draft->wrong_operands ? wrong[choose(draft, 4)] : right[choose(draft, 4)];
}

// As many registers as there are columns, or nearly so.
static const char *columns_of(struct draft *draft) {
    static const char *const prefixes[] = {"%r", "%s", "%u", "%f", "%rd"};
    unsigned count = (unsigned)value_in_class(draft, CLASS_REPEAT, 1) *
                     ((unsigned)value_in_class(draft, CLASS_LANES, 16) / 16);
    return registers_of(draft, prefixes[choose(draft, draft->wrong_operands ? 5 : 4)], count);
}

// What may follow the description of a product.
static const char *tail_of(struct draft *draft) {
    static const char *const tails[] = {"%p0", "!%p1", "0", "1", "7", "16"};
    bool pair = value_in_class(draft, CLASS_CTA_GROUP, 1) == 2;
    if (choose(draft, 4) == 3)
        return registers_of(draft, "%r", pair ? 8 : 4);
    return tails[choose(draft, draft->wrong_operands ? 6 : 4)];
}

// An operand of a product of matrices; NULL for all others.
static const char *matrix_operand_of(struct draft *draft, uint32_t role) {
    static const char *const scales[] = {"%p0", "!%p1", "0", "1"};
    switch (role & ROLE_MASK) {
    case ACCUMULATOR: return accumulator_of(draft);
    case FRAGMENT:
        if (choose(draft, 2))
            return registers_of(draft, draft->wrong_operands ? "%f" : "%r", 4);
        return choose(draft, 4) ? "%rd1" : "%ud1";
    case TENSOR: return tensor_address_of(draft);
    case TENSOR_RESULT:
    case TENSOR_SOURCE: return columns_of(draft);
    case TENSOR_A:
        if (choose(draft, 2))
            return tensor_address_of(draft);
        return draft->wrong_operands && choose(draft, 4) == 3 ? "%r1" : "%rd1";
    case MATRIX: return draft->wrong_operands && choose(draft, 4) == 3 ? "%r1" : "%rd2";
    case METADATA: return draft->wrong_operands && choose(draft, 3) == 2 ? "7" : "%r1";
    case SELECTOR:
        return draft->wrong_operands && choose(draft, 3) == 2 ? "2" : choose(draft, 3) ? "0" : "1";
    case SCALE:
        return draft->wrong_operands && choose(draft, 4) == 3 ? "2" : scales[choose(draft, 4)];
    case TAIL: return tail_of(draft);
    case SIGN:
        return draft->wrong_operands && choose(draft, 4) == 3 ? "0" : choose(draft, 2) ? "1" : "-1";
    case BIT:
        return draft->wrong_operands && choose(draft, 4) == 3 ? "2" : choose(draft, 2) ? "1" : "0";
    default: return NULL;
    }
}

static const char *operand_of(struct draft *draft, uint32_t role) {
    static const char *const packs[] = {
        "{%r0, %r1}", "{%h0, %h1}", "{%rd0, %rd1}", "{%h0, %h1, %h2, %h3}", "{%r0, _}", "{%r0, 7}",
        "V232",       "V432.y",     "V216.z"};
    const char *matrix = matrix_operand_of(draft, role);
    if (matrix)
        return matrix;
    switch (role & ROLE_MASK) {
    case MEMORY: return is_of_tensormap(draft) ? map_of(draft, role) : memory_of(draft);
    case TENSOR_MAP: return tensor_of(draft);
    case OFFSETS: return offsets_of(draft);
    case LABEL:
        return strcmp(draft->form->name, "brx.idx") == 0 && choose(draft, 4) < 3 ? "T" : "L";
    case SIZE_128: return "128";
    case SIZE: {
        static const char *const sizes[] = {"%rd1", "%r1", "16", "12", "%f1", "%ud2", "-8", "4096"};
        return sizes[choose(draft, 8)];
    }
    case ZERO: return choose(draft, 8) == 7 ? "1" : "0";
    case NOTHING: return choose(draft, 4) == 3 ? register_of(draft, TYPE_B64, false) : "_";
    case FRACTION: return choose(draft, 2) ? "0.25" : "0f3f800000";
    case TABLE: return choose(draft, 4) == 3 ? "256" : "0x96";
    case RESULT_PAIR:
        return arena_format(draft->arena, "%s|%s",
                            choose(draft, 4) == 3 ? "_" : register_of(draft, TYPE_B32, false),
                            register_of(draft, TYPE_PRED, false));
    case ADDRESS_SOURCE:
        return choose(draft, 3) == 2 ? variable_of(draft)
                                     : register_of(draft, role_type(draft, role), false);
    case GENERIC_ADDRESS: return choose(draft, 3) ? "%rd1" : "%r1";
    case REPORT_PAIR:
    case PREDICATE_PAIR:
        if (choose(draft, 2))
            return arena_format(draft->arena, "%s|%s", register_of(draft, TYPE_PRED, false),
                                choose(draft, 4) ? register_of(draft, TYPE_PRED, false) : "_");
        return register_of(draft, TYPE_PRED, false);
    default: break;
    }
    unsigned vector = vector_of(draft);
    uint32_t kind = role & ROLE_MASK;
    bool takes_vector = kind == DESTINATION || kind == SOURCE || kind == MOVE_SOURCE;
    if (vector == 1 && draft->form->opcode == OP_MOV && choose(draft, 6) == 5)
        return packs[choose(draft, sizeof(packs) / sizeof(packs[0]))];
    if ((vector == 2 || vector == 4) && takes_vector && choose(draft, 5) == 4)
        return arena_format(draft->arena, "V%u%u", choose(draft, 8) ? vector : 6 - vector,
                            8 * (2u << choose(draft, 2)));
    if (vector == 1 || !takes_vector || (role & (OF_U32 | OF_U16 | OF_SOURCE)))
        return value_of(draft, role);
    const char *text = "{";
    for (unsigned i = 0; i < vector; i++) {
        bool sink = (role & (SINK_ELEMENT | SINK_WIDE)) && i > 0 && choose(draft, 8) == 7;
        text = arena_format(draft->arena, "%s%s%s", text, i ? ", " : "",
                            sink ? "_" : value_of(draft, role & ~(uint32_t)SINK));
    }
    return arena_format(draft->arena, "%s}", text);
}

static const char *finish(struct draft *draft) {
    const char *text = draft->form->name;
    for (size_t i = 0; i < draft->count; i++)
        text = arena_format(draft->arena, "%s%s", text, draft->qualifiers[i]);
    size_t written = 0;
    for (size_t i = 0; i < FORM_OPERANDS && draft->form->operands[i] != ROLE_NONE; i++) {
        uint32_t role = draft->form->operands[i];
        if (((role & WHEN_HINT) && !has_class(draft, CLASS_HINT)) ||
            ((role & WHEN_BOOL) && !has_class(draft, CLASS_BOOL)) ||
            (role & ROLE_MASK) == COORDINATES || // with their tensormap
            ((role & OPTIONAL) && choose(draft, 2) == 0) ||
            (draft->wrong_operands && choose(draft, 20) == 0))
            continue;
        text = arena_format(draft->arena, "%s%s%s", text, written++ ? ", " : " ",
                            operand_of(draft, role));
    }
    if (draft->wrong_operands && choose(draft, 20) == 0)
        text = arena_format(draft->arena, "%s%s%%r0", text, written ? ", " : " ");
    return arena_format(draft->arena, "%s;", text);
}

// Registers of 128 bits are declared from PTX 8.3 on: before, those of 64 replace them.
static const char *without_wide_registers(struct arena *arena, const char *text) {
    const char *at = strstr(text, "%q");
    return !at ? text
               : arena_format(arena, "%.*s%%rd%s", (int)(at - text), text,
                              without_wide_registers(arena, at + 2));
}

static void add_case(struct case_list *list, struct setting setting, const char *text) {
    if (setting.version < 83)
        text = without_wide_registers(list->arena, text);
    list->items = arena_grow(list->arena, list->items, list->count, sizeof(*list->items));
    list->items[list->count++] =
        (struct statement_case){.text = text, .setting = setting, .message = "", .error = ""};
}

// --- Every form --------------------------------------------------------------------------------

// The form with its required slots filled first, and `chosen` with its `index`-th alternative.
static void add_form_case(struct case_list *list, struct setting setting, const struct form *form,
                          size_t chosen, size_t index) {
    struct draft draft = {.arena = list->arena, .form = form};
    const char *cursor = form->qualifiers;
    struct slot slot;
    for (size_t j = 0; ptx_next_slot(&cursor, &slot); j++)
        if (!slot.implied && (j == chosen || !slot.optional))
            add_qualifier(&draft, alternative_at(list->arena, &slot, j == chosen ? index : 0));
    add_case(list, setting, finish(&draft));
}

void generate_all_forms(struct case_list *list, struct setting setting) {
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++) {
        if (forms[i].outside)
            continue;
        const char *cursor = forms[i].qualifiers;
        struct slot slot;
        add_form_case(list, setting, &forms[i], SIZE_MAX, 0);
        for (size_t j = 0; ptx_next_slot(&cursor, &slot); j++)
            for (size_t k = 0; !slot.implied && k < alternative_count(&slot); k++)
                add_form_case(list, setting, &forms[i], j, k);
    }
}

// --- Random statements -------------------------------------------------------------------------

static void fill_randomly(struct draft *draft) {
    const char *cursor = draft->form->qualifiers;
    struct slot slot;
    while (ptx_next_slot(&cursor, &slot)) {
        if (slot.implied || (slot.optional && choose(draft, 3) == 0))
            continue;
        size_t index = choose(draft, alternative_count(&slot));
        add_qualifier(draft, alternative_at(draft->arena, &slot, index));
    }
}

// Qualifiers may be in any order, but the types of cvt may not change places.
static void shuffle(struct draft *draft) {
    for (size_t i = draft->count; i > 1; i--) {
        size_t j = choose(draft, i);
        const char *a = draft->qualifiers[i - 1], *b = draft->qualifiers[j];
        draft->qualifiers[i - 1] = b;
        draft->qualifiers[j] = a;
    }
}

static const char *random_alternative(struct draft *draft, const struct form *form) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    size_t slots = 0;
    while (ptx_next_slot(&cursor, &slot))
        slots += !slot.implied;
    if (slots == 0)
        return ".u32";
    size_t chosen = choose(draft, slots);
    cursor = form->qualifiers;
    while (ptx_next_slot(&cursor, &slot))
        if (!slot.implied && chosen-- == 0)
            break;
    return alternative_at(draft->arena, &slot, choose(draft, alternative_count(&slot)));
}

// One mistake, or what may be one: a qualifier left out, doubled, replaced or added.
static void mutate(struct draft *draft, const struct form *forms, size_t form_count) {
    size_t own;
    const struct form *siblings = ptx_forms_named(draft->form->name, &own);
    bool near = choose(draft, 4) != 0; // from another form of the same name
    const struct form *other =
        near ? &siblings[choose(draft, own)] : &forms[choose(draft, form_count)];
    const char *spelling = random_alternative(draft, other);
    if (draft->count == 0 || choose(draft, 3) == 0) {
        add_qualifier(draft, spelling);
        return;
    }
    size_t index = choose(draft, draft->count);
    switch (choose(draft, 3)) {
    case 0: draft->qualifiers[index] = draft->qualifiers[--draft->count]; break;
    case 1: add_qualifier(draft, draft->qualifiers[index]); break;
    default: draft->qualifiers[index] = spelling; break;
    }
}

bool statement_is_memory(const char *text) {
    static const char *const names[] = {"ld",     "st",   "atom",     "red", "fence",
                                        "membar", "cvta", "isspacep", "mapa"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t length = strlen(names[i]);
        if (strncmp(text, names[i], length) == 0 && strchr(". \0", text[length]))
            return true;
    }
    return false;
}

bool statement_is_of(const char *text, const char *names) {
    for (const char *name = names; *name;) {
        size_t length = strcspn(name, ",");
        if (length > 0 && strncmp(text, name, length) == 0 && strchr(". ;\0", text[length]))
            return true;
        name += length + (name[length] == ',');
    }
    return false;
}

void generate_random(struct case_list *list, struct random *random, struct setting setting,
                     enum instruction_set set, const char *names, size_t count) {
    size_t form_count;
    const struct form *forms = ptx_forms(&form_count);
    for (size_t made = 0; made < count;) {
        struct draft draft = {.arena = list->arena,
                              .form = &forms[random_below(random, form_count)],
                              .random = random};
        if (draft.form->outside || (set == SET_MEMORY && !statement_is_memory(draft.form->name)) ||
            (names && !statement_is_of(draft.form->name, names)))
            continue;
        fill_randomly(&draft);
        shuffle(&draft);
        if (random_below(random, 2))
            mutate(&draft, forms, form_count);
        draft.wrong_operands = random_below(random, 4) == 0;
        add_case(list, setting, finish(&draft));
        made++;
    }
}
