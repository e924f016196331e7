// Random tests of the forms of tcgen05 instructions that sample_tensor.c leaves out: loads and
// stores of all shapes, sparse and scaled products and those that keep B, buffers of the collector,
// copies that decompress, and commits of PTX 9.4; and of wgmma, bits and sparse matrices.
#include "tests/oracle/sample.h"

#include <string.h>

// 1 and 2 store and load several columns of w, 3 and 4 one of them. m and n are products of any
// form, n with A in u; G is one that fills a buffer of the collector, U one that uses it where the
// thread has filled it. 5 copies metadata or scales to e, 6 stores them; 7 copies to u, 8 loads
// that. K is a commit for the reading of A, c one for all; @ waits in a loop for their phase, ! for
// the one after it. * is a product of a warpgroup, [ its fence, ] commits, _ waits and = stores
// what it gave. Other letters as in sample_tensor.c.
static const char *const shapes[] = {"1 v 2",
                                     "1 2",
                                     "2 i 1",
                                     "2 1",
                                     "1 v 4",
                                     "1 4",
                                     "3 v 2",
                                     "3 2",
                                     "1 v 3 v 4",
                                     "1 3 v 4",
                                     "2 3 v 4",
                                     "1 v 1 v 4",
                                     "1 v b B|B a 2",
                                     "1 b B|B a 4",
                                     "3 v b g|t a 2",
                                     "3 v g|t 2",
                                     "2 i b g|t a 1",
                                     "2 b g|t a 3",
                                     "1 v b B|B a 3 v 4",
                                     "1|2",
                                     "2|3",
                                     "m c t a l",
                                     "m m c t a l",
                                     "m m c t a l",
                                     "n m c t a l",
                                     "n c t a l",
                                     "m c|t a l",
                                     "s v m c t a l",
                                     "l i b g|t a m",
                                     "m b g|t a m",
                                     "T f m c t a l",
                                     "T m c t a l",
                                     "5 m c t a l",
                                     "5 n c t a l",
                                     "6 v m c t a l",
                                     "6 m c t a l",
                                     "6 v b g|t a m",
                                     "6 b g|t a n",
                                     "5 b g|t a m",
                                     "m c t a 6",
                                     "m 6",
                                     "m c|t a 6",
                                     "m 5",
                                     "5 c t a 6",
                                     "7 n c t a l",
                                     "7 c t a 8",
                                     "7 8",
                                     "7 c|t a 8",
                                     "8 i b B|B a 7",
                                     "T f 7 c t a 8",
                                     "m K t f T",
                                     "m K|t f T",
                                     "m K t T",
                                     "m K t a l",
                                     "m m K t f T",
                                     "n K t f T",
                                     "m K c @ f T ! a l",
                                     "7 K t f T",
                                     "G U c t a l",
                                     "G U U c t a l",
                                     "G m U c t a l",
                                     "T f G U c|t a l",
                                     "G c @ f T f U c ! a l",
                                     "G c @ f T f U c ! a l",
                                     "G c @ f T f U U c ! a l",
                                     "G c @ f T f G U c ! a l",
                                     "G c @ f T U c ! a l",
                                     "G K @ f T f U c ! a l",
                                     "G T f U c t a l",
                                     "[ * ] _ =",
                                     "T f [ * ] _ =",
                                     "T [ * ] _ =",
                                     "T f * ] _ =",
                                     "[ * ] _ T",
                                     "[ * ] T",
                                     "[ * ] = _",
                                     "[ * * ] _ =",
                                     "[ * ] * ] _ =",
                                     "T f B|B [ * ] _ =",
                                     "T B|B f [ * ] _ =",
                                     "[ * ] _ g|t T",
                                     "[ * ] g|t T"};

// Of a pair of CTAs, with .cta_group::2.
static const char *const pairs[] = {
    "m c t a l|t a l", "m c|t a l",   "m m c|t a l", "T f g|t m c",
    "T g|t f m c",     "m c t|t f T", "m K|t f T",   "m K t f T|b",
    "m K|t T",         "7 c|t a 8",   "5 m c|t a l", "6 v b g|t a m c t a l",
    "6 b g|t a m",     "m c|t a 6",   "G U c|t a l", "G c @ f T f U c ! a l|b"};

static bool chance_of(const struct sample *sample, unsigned percent, struct random *random) {
    return sample->is_open && random_chance(random, percent);
}

// --- Columns -------------------------------------------------------------------------------------

struct form {
    const char *text, *registers, *second; // the operand after the address
    unsigned columns;                      // from the address on
};

static const struct form forms[] = {
    {"32x32b.x2", "%v, %v", "", 2},  {"32x32b.x1|", "%v", "", 2},
    {"16x64b.x1", "%v", "", 2},      {"16x64b.x1|", "%v", "", 4},
    {"16x128b.x1", "%v, %v", "", 4}, {"16x32bx2.x1", "%v", "1", 2},
    {"16x32bx2.x1", "%v", "2", 3},   {"16x32bx2.x1|", "%v", "2", 4},
    {"16x64b.x2", "%v, %v", "", 4},  {"16x256b.x1", "%v, %v, %v, %v", "", 8}};

enum { COLUMNS = 8, FORMS = sizeof forms / sizeof forms[0] };

// Accesses to eight columns have many outcomes.
static const struct form *any_form(struct random *random) {
    return &forms[random_below(random, random_chance(random, 10) ? FORMS : FORMS - 1)];
}

static void access_columns(struct sample_thread *thread, bool stores, struct random *random) {
    const struct form *form = any_form(random);
    int length = (int)strcspn(form->text, "|");
    const char *half = form->text[length] == '\0' ? "" : stores ? ".unpack::16b" : ".pack::16b";
    unsigned first = random_below(random, 2);
    if (first + form->columns > COLUMNS)
        first = 0;
    if (stores) {
        sample_line(thread, "mov.b32 %%v, %u", 10 + random_below(random, 3));
        sample_line(thread, "tcgen05.st.sync.aligned.%.*s%s.b32 [w+%u], %s%s{%s}", length,
                    form->text, half, first, form->second, form->second[0] ? ", " : "",
                    form->registers);
        return;
    }
    // What all but the first load of columns by themselves gives is not known, and not shown.
    char registers[64] = "";
    for (unsigned i = 0; i == 0 || form->registers[4 * (i - 1) + 2] == ','; i++)
        snprintf(registers + strlen(registers), sizeof registers - strlen(registers), "%s%%n%u",
                 i ? ", " : "", thread->next_register++);
    sample_line(thread, "tcgen05.ld.sync.aligned.%.*s%s.b32 {%s}, [w+%u]%s%s", length, form->text,
                half, registers, first, form->second[0] ? ", " : "", form->second);
}

// --- Registers -----------------------------------------------------------------------------------

static void load(struct sample *sample, struct sample_thread *thread, const char *place,
                 bool known) {
    if (thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%r%u}, [%s]",
                    sample_word(sample, thread, known), place);
}

static void store(struct sample_thread *thread, const char *place, struct random *random) {
    sample_line(thread, "mov.b32 %%v, %u", 10 + random_below(random, 3));
    sample_line(thread, "tcgen05.st.sync.aligned.32x32b.x1.b32 [%s], {%%v}", place);
}

// --- Products ------------------------------------------------------------------------------------

struct product {
    char name[24], kind[64], collector[32], scales[16], lanes[64], tail[24];
    bool from_tensor, scaled, sparse, keeps_b;
};

// Of the buffers of the collector, those that the thread has filled.
static void collect(struct sample_thread *thread, struct product *product, char letter, bool shifts,
                    struct random *random) {
    static const char *const uses[] = {"use", "use", "lastuse"};
    unsigned buffer = product->keeps_b ? 1 + random_below(random, 2) : 0;
    bool filled = (thread->filled >> buffer & 1) != 0;
    const char *op = NULL;
    if (letter == 'G' && !shifts)
        op = "fill";
    else if (letter == 'U' && filled)
        op = shifts ? "lastuse" : uses[random_below(random, 3)];
    else if (random_chance(random, 25))
        op = "discard";
    // What names no buffer is about that of A, or the first one of B, and leaves it empty.
    if (op == NULL && product->keeps_b)
        buffer = 1;
    thread->filled &= ~(1U << buffer);
    if (op != NULL && (strcmp(op, "fill") == 0 || strcmp(op, "use") == 0))
        thread->filled |= 1U << buffer;
    if (op != NULL && product->keeps_b)
        snprintf(product->collector, sizeof product->collector, ".collector::b%u::%s", buffer - 1,
                 op);
    else if (op != NULL)
        snprintf(product->collector, sizeof product->collector, ".collector::a::%s", op);
}

static void choose_kind(const struct sample *sample, struct product *product,
                        struct random *random) {
    static const char *const kinds[] = {"i8", "i8", "f16", "tf32", "f8f6f4"};
    const char *plain = sample->kept_kind != NULL ? sample->kept_kind
                        : sample->is_open         ? kinds[random_below(random, 5)]
                                                  : "i8";
    static const char *const scaled[] = {
        "mxf8f6f4.block_scale", "mxf8f6f4.block_scale.scale_vec::1X", "mxf4.block_scale",
        "mxf4.block_scale.scale_vec::2X", "mxf4nvf4.block_scale.scale_vec::4X"};
    product->sparse = chance_of(sample, 35, random);
    product->keeps_b = !sample->is_pair && random_chance(random, 25);
    product->scaled =
        !product->keeps_b && sample->kept_kind == NULL && chance_of(sample, 35, random);
    snprintf(product->name, sizeof product->name, "tcgen05.mma%s%s", product->keeps_b ? ".ws" : "",
             product->sparse ? ".sp" : "");
    snprintf(product->kind, sizeof product->kind, ".kind::%s",
             product->scaled ? scaled[random_below(random, 5)] : plain);
}

// What comes after the description: scales, or lanes that are left out; whether D is added; by what
// D is divided; columns of B that are zeros.
static void choose_tail(const struct sample *sample, struct sample_thread *thread,
                        struct product *product, char letter, struct random *random) {
    bool divides = strstr(product->kind, "f16") || strstr(product->kind, "tf32");
    const char *more = "";
    if (product->keeps_b && chance_of(sample, 30, random)) {
        sample_line(thread, "mov.u64 %%rz, %u", random_below(random, 2));
        more = ", %rz";
    } else if (!product->keeps_b && divides && random_chance(random, 30))
        more = ", 1";
    // Where buffers of the collector are used there are many outcomes.
    bool collects = sample->kept_kind != NULL;
    bool adds = (!collects || (letter == 'G' && thread->filled == 0 && !sample->is_pair)) &&
                random_chance(random, 50);
    if (!product->keeps_b && !product->scaled && !collects && random_chance(random, 25)) {
        sample_line(thread, "mov.b32 %%ml, %u", random_below(random, 3));
        snprintf(product->lanes, sizeof product->lanes, ", {%%ml, %%ml, %%ml, %%ml%s}",
                 sample->is_pair ? ", %ml, %ml, %ml, %ml" : "");
    }
    snprintf(product->scales, sizeof product->scales, "%s",
             !product->scaled            ? ""
             : random_chance(random, 50) ? ", [e], [e]"
                                         : ", [e], [q]");
    snprintf(product->tail, sizeof product->tail, ", %u%s", adds, more);
}

static void describe(struct sample_thread *thread, const char *name, const char *place) {
    sample_line(thread, "mov.u64 %s, %s", name, place);
    sample_line(thread, "shr.u64 %s, %s, 4", name, name);
}

static void multiply(const struct sample *sample, struct sample_thread *thread, char letter,
                     struct random *random) {
    static const char *const descriptions[] = {"0x4020020", "0x4020020", "0x40204a0", "0x4040020"};
    struct product product = {.from_tensor = letter == 'n'};
    choose_kind(sample, &product, random);
    bool shifts = product.from_tensor && !product.keeps_b && !product.scaled &&
                  strstr(product.kind, "f8f6f4") == NULL && chance_of(sample, 30, random);
    if (!product.from_tensor)
        describe(thread, "%ra", "s");
    describe(thread, "%rb", "k");
    choose_tail(sample, thread, &product, letter, random);
    collect(thread, &product, letter, shifts, random);
    sample_line(thread, "%s.cta_group::%u%s%s%s [d], %s, %%rb, %s%s%s%s%s", product.name,
                sample->is_pair ? 2 : 1, product.kind, shifts ? ".ashift" : "", product.collector,
                product.from_tensor ? "[u]" : "%ra", product.sparse ? "[e], " : "",
                product.scaled ? "0x8820000" : descriptions[random_below(random, 4)],
                product.scales, product.lanes, product.tail);
}

static void copy(const struct sample *sample, struct sample_thread *thread, const char *to,
                 struct random *random) {
    static const char *const boxes[] = {
        "128x128b",      "128x256b", "4x256b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23",
        "32x128b.warpx4"};
    static const char *const formats[] = {"", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64"};
    const char *box = boxes[random_below(random, 6)];
    describe(thread, "%rs", "s");
    sample_line(thread, "tcgen05.cp.cta_group::%u.%s%s [%s], %%rs", sample->is_pair ? 2 : 1, box,
                sample->is_open ? formats[random_below(random, 3)] : "", to);
}

// --- Completion ----------------------------------------------------------------------------------

static void commit(const struct sample *sample, struct sample_thread *thread, bool reads_of_a,
                   struct random *random) {
    static const char *const masks[] = {".multicast::cluster", ".multicast::cluster::16b",
                                        ".multicast::cluster::32b"};
    bool multicast = sample->is_pair && random_chance(random, 75);
    unsigned mask = random_below(random, 3);
    if (multicast)
        sample_line(thread, "mov.u%u %%cm%u, %u", mask == 2 ? 32 : 16, mask,
                    random_chance(random, 80) ? 3 : 2);
    char place[16] = "";
    if (multicast)
        snprintf(place, sizeof place, ", %%cm%u", mask);
    sample_line(thread,
                "tcgen05.commit.cta_group::%u.mbarrier::arrive::one%s.shared::cluster%s.b64 [m]%s",
                sample->is_pair ? 2 : 1, reads_of_a ? ".sync_restrict::shared::read::mma::a" : "",
                multicast ? masks[mask] : "", place);
}

static void wait_in_loop(struct sample_thread *thread, unsigned parity, struct random *random) {
    static const char *const orders[] = {"", ".relaxed.cta", ".acquire.cluster"};
    unsigned number = thread->next_register++;
    char label[12];
    snprintf(label, sizeof label, "W%u", number);
    sample_label(thread, label);
    sample_line(thread, "mbarrier.try_wait.parity%s.shared.b64 %%w%u, [m], %u",
                orders[random_below(random, 3)], number, parity);
    sample_line(thread, "@!%%w%u bra W%u", number, number);
}

// --- Products of a warpgroup ---------------------------------------------------------------------

// Bits, which are known, and sparse matrices, which are not.
static void multiply_in_group(const struct sample *sample, struct sample_thread *thread,
                              struct random *random) {
    static const char *const kinds[] = {"64.s32.u8.u8", "64.s32.satfinite.s8.s8",
                                        "16.f32.tf32.tf32", "64.f32.e4m3.e5m2"};
    bool in_registers = random_chance(random, 25);
    const char *kind = kinds[random_below(random, 4)];
    bool floats = sample->is_open && strstr(kind, "f32") != NULL;
    for (unsigned i = 0; i < 4; i++) {
        sample_first_line(thread, "mov.b32 %%%c%u, 1", floats ? 'f' : 'd', i);
        if (in_registers)
            sample_first_line(thread, "mov.b32 %%a%u, 3", i);
    }
    if (!in_registers)
        describe(thread, "%sa", "s");
    describe(thread, "%sb", "k");
    const char *a = in_registers ? "{%a0, %a1, %a2, %a3}" : "%sa";
    if (sample->is_open) {
        sample_first_line(thread, "mov.b32 %%sm, 0");
        const char *d = floats ? "{%f0, %f1, %f2, %f3}" : "{%d0, %d1, %d2, %d3}";
        sample_line(thread, "wgmma.mma_async.sp.sync.aligned.m64n8k%s %s, %s, %%sb, %%sm, 0, %u%s",
                    kind, d, a, random_below(random, 2), floats ? ", 1, 1" : "");
    } else
        sample_line(thread,
                    "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc "
                    "{%%d0, %%d1, %%d2, %%d3}, %s, %%sb, %u",
                    a, random_below(random, 2));
}

static void show_product(struct sample *sample, struct sample_thread *thread) {
    bool floats = false;
    for (unsigned i = 0; i < thread->line_count; i++)
        floats = floats || strstr(thread->line[i], "{%f0") != NULL;
    if (thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "mov.b32 %%r%u, %%%c0", sample_word(sample, thread, !sample->is_open),
                    floats ? 'f' : 'd');
}

// --- All of it -----------------------------------------------------------------------------------

static void special(struct sample *sample, struct sample_thread *thread, char letter, int location,
                    const struct sample_mood *mood, struct random *random) {
    switch (letter) {
    case '1':
    case '2': access_columns(thread, letter == '1', random); break;
    case '3': store(thread, random_chance(random, 50) ? "w+1" : "w+3", random); break;
    case '4': load(sample, thread, random_chance(random, 50) ? "w+1" : "w+3", false); break;
    case 'l': load(sample, thread, "d", !sample->is_open); break;
    case '8': load(sample, thread, "u", !sample->is_open); break;
    case 'm':
    case 'n':
    case 'G':
    case 'U': multiply(sample, thread, letter, random); break;
    case '5': copy(sample, thread, "e", random); break;
    case '6': store(thread, "e", random); break;
    case '7': copy(sample, thread, "u", random); break;
    case 'c':
    case 'K': commit(sample, thread, letter == 'K', random); break;
    case '@':
    case '!': wait_in_loop(thread, letter == '!', random); break;
    case '*': multiply_in_group(sample, thread, random); break;
    case '[':
        if (random_chance(random, 90))
            sample_line(thread, "wgmma.fence.sync.aligned");
        break;
    case ']': sample_line(thread, "wgmma.commit_group.sync.aligned"); break;
    case '_':
        sample_line(thread, "wgmma.wait_group.sync.aligned %u", random_chance(random, 20));
        break;
    case '=': show_product(sample, thread); break;
    default: sample_tensor_step(sample, thread, letter, location, mood, random); break;
    }
}

void sample_products(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    static const char *const declared[] = {"mbarrier m = 1",
                                           ".shared .align 16 .b32 s[1] = {2}",
                                           ".shared .align 16 .b32 k[1] = {3}",
                                           ".shared .b32 f = 0",
                                           ".global .b32 x = 0",
                                           ".tmem .b32 d[1] = {1}",
                                           ".tmem .b32 u[1] = {4}",
                                           ".tmem .b32 e[1] = {5}",
                                           ".tmem .b32 q[1] = {6}"};
    const char *shape = shapes[random_below(random, sizeof shapes / sizeof shapes[0])];
    sample->is_pair = random_chance(random, 25);
    if (sample->is_pair)
        shape = pairs[random_below(random, sizeof pairs / sizeof pairs[0])];
    sample->is_open = random_chance(random, 60);
    // A buffer of the collector is used by products of one kind.
    if (strchr(shape, 'U') != NULL)
        sample->kept_kind = sample->is_open && random_chance(random, 60) ? "f16" : "i8";
    sample_tensor_place(sample, shape, random);
    for (size_t i = 0; i < sizeof declared / sizeof declared[0]; i++)
        snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
                 "%s", declared[i]);
    if (strpbrk(shape, "1234"))
        snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
                 ".tmem .b32 w[%u] = {1, 2, 3, 4, 5, 6, 7, 8}", COLUMNS);
    sample->barriers.count = sample->thread_count;
    sample_shape(sample, shape, mood, special, random);
    sample_one(sample);
}
