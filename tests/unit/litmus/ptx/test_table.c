// The instruction table itself: its rows are well-formed, and its versions are those of the ISA.
#include "tests/unit/litmus/ptx/messages.h"

#include <stdio.h>

#include "litmus/ptx/match.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_piece(enum qualifier_class class, struct piece piece) {
    char spelling[64];
    assert_in_range(piece.length, 2, sizeof(spelling) - 1);
    memcpy(spelling, piece.text, piece.length);
    spelling[piece.length] = '\0';
    assert_non_null(ptx_qualifier(class, spelling));
}

// Every word of every row is a qualifier of its class; a default is one of the alternatives.
static void test_slots(void **state) {
    (void)state;
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++) {
        const char *cursor = forms[i].qualifiers;
        struct slot slot;
        size_t slots = 0;
        for (; ptx_next_slot(&cursor, &slot); slots++) {
            struct piece rest = slot.alternatives, alternative;
            assert_in_range(slot.class, 0, CLASS_COUNT - 1);
            assert_true(rest.length > 0);
            while (ptx_next_alternative(&rest, &alternative))
                check_piece(slot.class, alternative);
            if (slot.fallback.length == 0)
                continue;
            assert_true(slot.optional);
            check_piece(slot.class, slot.fallback);
            char spelling[64];
            memcpy(spelling, slot.fallback.text, slot.fallback.length);
            spelling[slot.fallback.length] = '\0';
            assert_true(ptx_slot_takes(&slot, spelling));
        }
        assert_in_range(slots, 0, FILLED_MAX);
    }
}

// Forms of one name are neighbours, and a name has one opcode.
static void test_names(void **state) {
    (void)state;
    size_t count, own;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++) {
        const struct form *first = ptx_forms_named(forms[i].name, &own);
        assert_non_null(first);
        assert_true(first <= &forms[i] && &forms[i] < first + own);
        assert_int_equal(first->opcode, forms[i].opcode);
        assert_null(ptx_unread(forms[i].name));
    }
    assert_null(ptx_forms_named("l", &own));
    assert_null(ptx_forms_named("", &own));
}

// PTX ISA 4.3.2, table 2, and what section 1.3 of version 9.4 adds to it.
static const char opcodes[] =
    "abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk "
    "bra brev brkpt brx call clmad clusterlaunchcontrol clz cnot copysign cos cp "
    "createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fabric fence fma fns "
    "getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc "
    "mapa match max mbarrier membar min mma mov movmatrix mul mul24 multimem nanosleep "
    "neg not or pmevent popc prefetch prefetchu prmt rcp red redux rem ret rsqrt sad selp "
    "set setmaxnreg setp shf shfl shl shr sin slct spcompress spdecompress sqrt st "
    "stackrestore stacksave stmatrix sub subc suld suq sured sust szext tanh tcgen05 "
    "tensormap testp tex tld4 trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 "
    "vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr "
    "vsub vsub2 vsub4 wgmma wmma xor";

static void test_every_opcode(void **state) {
    (void)state;
    size_t count = 0;
    for (const char *word = opcodes; *word; count++) {
        size_t length = strcspn(word, " ");
        char name[32];
        assert_true(length < sizeof name);
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        assert_true(ptx_is_opcode(name));
        word += length + strspn(word + length, " ");
    }
    assert_int_equal(count, 139);
    assert_false(ptx_is_opcode("vad"));
    assert_false(ptx_is_opcode("cp.async"));
    assert_false(ptx_is_opcode(""));
}

// Whether a word of that length is in the list.
static bool is_listed(const char *name, size_t length) {
    for (const char *word = opcodes; *word; word += strspn(word, " ")) {
        size_t own = strcspn(word, " ");
        if (own == length && memcmp(word, name, length) == 0)
            return true;
        word += own;
    }
    return false;
}

// Only what is in that table is read.
static void test_no_other_opcode(void **state) {
    (void)state;
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++)
        assert_true(is_listed(forms[i].name, strcspn(forms[i].name, ".")));
    assert_false(is_listed("vad", 3));
}

// Every qualifier of unread.def is one that no form that is read takes, of an instruction that is.
static void test_beyond(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"cvt", ".e4m3x2"},
        {"cvt", ".rs"},
        {"cp.async.bulk", ".mbarrier::report::validity::per_element::ff"}};
    size_t count;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_non_null(ptx_beyond(rows[i][0], rows[i][1]));
        assert_non_null(ptx_forms_named(rows[i][0], &count));
    }
    assert_null(ptx_beyond("ld", ".async"));
    assert_null(ptx_beyond("st", ".asyn"));
}

static bool name_takes(const char *name, const char *spelling) {
    size_t count;
    const struct form *forms = ptx_forms_named(name, &count);
    for (size_t i = 0; i < count; i++) {
        const char *cursor = forms[i].qualifiers;
        struct slot slot;
        while (ptx_next_slot(&cursor, &slot))
            if (!slot.implied && ptx_slot_takes(&slot, spelling))
                return true;
    }
    return false;
}

// What a row about versions names exists.
static void test_requirements(void **state) {
    (void)state;
    size_t count;
    const struct requirement *rows = ptx_requirements(&count);
    for (size_t i = 0; i < count; i++) {
        struct piece names = {rows[i].names, strlen(rows[i].names)}, name;
        while (ptx_next_alternative(&names, &name)) {
            char text[32], qualifiers[64];
            assert_in_range(name.length, 1, sizeof(text) - 1);
            memcpy(text, name.text, name.length);
            text[name.length] = '\0';
            assert_in_range(strlen(rows[i].qualifiers), 1, sizeof(qualifiers) - 1);
            strcpy(qualifiers, rows[i].qualifiers);
            for (char *word = strtok(qualifiers, "+"); word; word = strtok(NULL, "+"))
                assert_true(name_takes(text, word));
        }
        assert_in_range(rows[i].ptx, 10, 94);
    }
}

// An explanation is for something that is refused: the name is known, and does not take it.
static void test_explanations(void **state) {
    (void)state;
    static const struct {
        const char *name, *spelling;
    } rows[] = {
#define EXPLAIN(name, qualifier, sentence) {name, qualifier},
#include "litmus/ptx/instructions.def"
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t count;
        if (strncmp(rows[i].name, "atom.", 5) == 0 || strncmp(rows[i].name, "red.", 4) == 0)
            continue; // about a type that another operation takes
        assert_non_null(ptx_forms_named(rows[i].name, &count));
        assert_false(name_takes(rows[i].name, rows[i].spelling));
    }
}

// --- Versions ----------------------------------------------------------------------------------

static struct ptx_since since(const char *opcode) {
    struct reading reading = open_text(opcode, strlen(opcode));
    size_t count;
    const struct token *tokens = lexer_tokens(reading.arena, reading.source, 0,
                                              reading.source->size, &reading.diagnostics, &count);
    struct opcode_text text = {.name = token_text(reading.arena, &tokens[0]),
                               .span = tokens[0].span};
    size_t at = 1;
    for (; tokens[at].kind == TOKEN_QUALIFIER; at++) {
        const char *spelling = token_text(reading.arena, &tokens[at]);
        const char *longer = arena_format(reading.arena, "%s%s", text.name, spelling);
        size_t forms;
        if (text.count == 0 && ptx_forms_named(longer, &forms))
            text.name = longer;
        else
            text.written[text.count++] = (struct written){&tokens[at], spelling};
    }
    struct match match;
    assert_true(ptx_match(reading.arena, &reading.diagnostics, &text, &match));
    struct ptx_since result = ptx_since(&match);
    close_reading(&reading);
    return result;
}

// The notes of the ISA's sections on ld, st and fence.
static void test_versions(void **state) {
    (void)state;
    static const struct {
        const char *opcode;
        unsigned ptx, sm;
        const char *ptx_because, *sm_because;
    } rows[] = {
        {"ld.global.u32", 10, 0, "", ""},
        {"ld.weak.global.u32", 60, 70, ".weak", ".weak"},
        {"ld.f64", 10, 13, ".f64", ".f64"},
        {"ld.volatile.u32", 11, 0, "", ""},
        {"ld.volatile.local.u32", 91, 0, ".volatile+.local", ""},
        {"ld.ca.u32", 20, 20, ".ca", ".ca"},
        {"ld.relaxed.gpu.u32", 60, 70, ".relaxed", ".relaxed"},
        {"ld.acquire.cluster.u32", 78, 90, ".cluster", ".cluster"},
        {"ld.mmio.relaxed.sys.u32", 82, 70, ".mmio", ".relaxed"},
        {"ld.mmio.acquire.sys.u32", 93, 75, ".mmio+.acquire", ".mmio+.acquire"},
        {"ld.shared::cta.u32", 78, 30, ".shared::cta", ".shared::cta"},
        {"ld.shared::cluster.u32", 78, 90, ".shared::cluster", ".shared::cluster"},
        {"ld.param::entry.u32", 83, 0, ".param::entry", ""},
        {"ld.L1::no_allocate.u32", 74, 70, ".L1::no_allocate", ".L1::no_allocate"},
        {"ld.L2::64B.u32", 74, 75, ".L2::64B", ".L2::64B"},
        {"ld.L2::256B.u32", 74, 80, ".L2::256B", ".L2::256B"},
        {"ld.L2::cache_hint.u32", 74, 80, ".L2::cache_hint", ".L2::cache_hint"},
        {"ld.global.b128", 83, 70, ".b128", ".b128"},
        {"ld.relaxed.sys.b128", 84, 70, ".b128+.sys", ".b128"},
        {"ld.v8.u32", 88, 100, ".v8", ".v8"},
        {"ld.v4.u64", 88, 100, ".v4+.u64", ".v4+.u64"},
        {"ld.L2::evict_last.v4.b64", 88, 100, ".L2::evict_last", ".L2::evict_last"},
        {"st.release.cta.u32", 60, 70, ".release", ".release"},
        {"st.param::func.u32", 83, 0, ".param::func", ""},
        {"atom.add.u32", 11, 11, "", ""},
        {"atom.acq_rel.add.u32", 60, 70, ".acq_rel", ".acq_rel"},
        {"atom.cluster.add.u32", 78, 90, ".cluster", ".cluster"},
        {"atom.cas.b16", 63, 70, ".cas+.b16", ".cas+.b16"},
        {"atom.exch.b128", 83, 90, ".b128", ".b128"},
        {"red.min.s64", 31, 32, ".min+.s64", ".min+.s64"},
        {"fence.gpu", 60, 70, "", ""},
        {"fence.acquire.gpu", 86, 90, ".acquire", ".acquire"},
        {"fence.sc.cluster", 78, 90, ".cluster", ".cluster"},
        {"fence.mbarrier_init.release.cluster", 80, 90, "", ".cluster"},
        {"mbarrier.arrive.release.cta.shared.b64", 80, 80, "", ""},
        {"mbarrier.arrive.expect_tx.release.cta.shared.b64", 80, 90, "", ""},
        {"mbarrier.arrive_drop.expect_tx.release.cta.b64", 80, 90, "", ""},
        {"membar.gl", 14, 0, "", ""},
        {"membar.sys", 20, 20, ".sys", ".sys"},
        {"fence.proxy.alias", 75, 70, "", ""},
        {"fence.proxy.async.global", 80, 90, "", ""},
        {"membar.proxy.alias", 75, 60, "", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ptx_since result = since(rows[i].opcode);
        assert_int_equal(result.ptx, rows[i].ptx);
        assert_int_equal(result.sm, rows[i].sm);
        assert_string_equal(result.ptx_because, rows[i].ptx_because);
        assert_string_equal(result.sm_because, rows[i].sm_because);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots),        cmocka_unit_test(test_names),
        cmocka_unit_test(test_every_opcode), cmocka_unit_test(test_no_other_opcode),
        cmocka_unit_test(test_beyond),       cmocka_unit_test(test_requirements),
        cmocka_unit_test(test_explanations), cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
