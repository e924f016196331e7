// The two judges of a statement: our reader, and ptxas.
#include "tests/ptx/compare.h"

#include "litmus/readers/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DECLARED                                                                                   \
    ".reg .pred %p<4>; .reg .b8 %c<4>; .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg "  \
    ".u32 %u<4>; "                                                                                 \
    ".reg .s32 %s<4>; .reg .u64 %ud<4>; .reg .s64 %sd<4>; .reg .f32 %f<4>; .reg .f64 %fd<4>; "     \
    ".reg .v2 .b16 V216; .reg .v4 .b16 V416; .reg .v2 .b32 V232; .reg .v4 .b32 V432;"

// Declarations that the statements use; registers of 128 bits came later than the others.
static const char *declared_registers(struct setting setting) {
    return setting.version < 83 ? DECLARED : DECLARED " .reg .b128 %q<4>;";
}

// --- Ourselves ---------------------------------------------------------------------------------

static void judge_one(struct arena *arena, struct statement_case *one) {
    struct arena *own = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, own);
    const char *text = arena_format(
        own,
        "PTX t\n.global .align 32 .b8 gbuf[128]; .shared .align 32 .b8 sbuf[128];\n"
        ".local .align 32 .b8 lbuf[128]; .const .align 32 .b8 cbuf[128];\n"
        ".param .align 32 .b8 kbuf[128];\nmultimem mbuf = gbuf;\n.global .align 16 .u32 ubuf[4];\n"
        "tensormap tmap1 = ubuf, 4; tensormap tmap2 = ubuf, {4, 1};\n"
        "tensormap tmap3 = ubuf, {4, 1, 1}; tensormap tmap4 = ubuf, {4, 1, 1, 1};\n"
        "tensormap tmap5 = ubuf, {4, 1, 1, 1, 1}; .shared tensormap smap = ubuf, 4;\n"
        "tensormap imap3 = ubuf, {4, 1, 1}, im2col {0}, {0}, 4, 1;\n"
        "tensormap imap4 = ubuf, {4, 1, 1, 1}, im2col {0, 0}, {0, 0}, 4, 1;\n"
        "tensormap imap5 = ubuf, {4, 1, 1, 1, 1}, im2col {0, 0, 0}, {0, 0, 0}, 4, 1;\n"
        "P0@cta 0 "
        "{\n%s T: .branchtargets L;\n%s\nL:\n}\nexists (gbuf[0] == 1)\n",
        declared_registers(one->setting), one->text);
    const struct source *source = source_from_text(own, "t.litmus", text, strlen(text));
    const struct test *test = test_read(own, source, SYNTAX_PTX, &diagnostics);
    one->ours = VERDICT_ACCEPTED;
    if (!test || !ptx_check_needs(test, one->setting.target, one->setting.version, &diagnostics)) {
        const char *message = diagnostics.items[0].message;
        one->message = arena_strndup(arena, message, strlen(message));
        bool outside = strstr(message, "not read");
        one->ours = outside ? VERDICT_OUTSIDE : VERDICT_REFUSED;
    }
    arena_free(own);
}

void judge_ourselves(struct case_list *list) {
    for (size_t i = 0; i < list->count; i++)
        judge_one(list->arena, &list->items[i]);
}

// --- ptxas -------------------------------------------------------------------------------------

const char *find_ptxas(struct arena *arena) {
    const char *named = getenv("PTXAS"), *home = getenv("CUDA_HOME"), *path = getenv("PATH");
    if (named)
        return access(named, X_OK) == 0 ? named : NULL;
    for (const char *at = path; at && *at;) {
        size_t length = strcspn(at, ":");
        const char *file = arena_format(arena, "%.*s/ptxas", (int)length, at);
        if (length && access(file, X_OK) == 0)
            return file;
        at += length + (at[length] == ':');
    }
    const char *file = arena_format(arena, "%s/bin/ptxas", home ? home : "/usr/local/cuda");
    return access(file, X_OK) == 0 ? file : NULL;
}

bool ptxas_knows_target(const char *ptxas, const char *target) {
    char command[4200], line[1000], quoted[64];
    snprintf(command, sizeof(command), "'%s' --help", ptxas);
    snprintf(quoted, sizeof(quoted), "'%s'", target);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return false;
    bool knows = false;
    while (fgets(line, sizeof(line), pipe))
        knows = knows || strstr(line, quoted);
    pclose(pipe);
    return knows;
}

struct module {
    struct case_list *list;
    const char *ptxas;
    const char *file;
    unsigned first_line; // of the statements
};

// Writes the statements that `in` marks as a module, each on a line of its own; those that are not
// in leave an empty line. All are of one setting.
static bool write_module(struct module *module, const bool *in, size_t begin, size_t end) {
    struct setting setting = module->list->items[begin].setting;
    FILE *file = fopen(module->file, "w");
    if (!file)
        return false;
    fprintf(
        file,
        ".version %u.%u\n.target %s\n.address_size 64\n"
        ".global .align 32 .b8 gbuf[128]; .const .align 32 .b8 cbuf[128]; .global .align 32 .b8 "
        "mbuf[128]; .global .align 128 .b8 "
        "tmap1[128], tmap2[128], tmap3[128], tmap4[128], tmap5[128];"
        ".global .align 128 .b8 imap1[128], imap2[128], imap3[128], imap4[128], imap5[128];\n"
        ".visible .entry k(.param .align 32 .b8 kbuf[128])\n{\n"
        ".shared .align 128 .b8 smap[128]; .shared .align 32 .b8 sbuf[128]; .local .align 32 .b8 "
        "lbuf[128];\n%s T: .branchtargets L;\n",
        setting.version / 10, setting.version % 10, setting.target->name,
        declared_registers(setting));
    module->first_line = 9;
    for (size_t i = begin; i < end; i++)
        fprintf(file, "%s\n", in[i] ? module->list->items[i].text : "");
    fprintf(file, "L:\nret;\n}\n");
    return fclose(file) == 0;
}

// Runs ptxas; statements with an error leave the module. Returns how it ended: 0, the number of
// statements that left, or -1 when it failed without naming one.
static int run_ptxas(struct module *module, bool *in, size_t begin, size_t end) {
    struct arena *arena = module->list->arena;
    const char *command =
        arena_format(arena, "'%s' -O0 -arch %s '%s' -o /dev/null 2>&1", module->ptxas,
                     module->list->items[begin].setting.target->name, module->file);
    FILE *pipe = write_module(module, in, begin, end) ? popen(command, "r") : NULL;
    if (!pipe)
        return -1;
    char line[1000];
    int left = 0;
    while (fgets(line, sizeof(line), pipe)) {
        const char *place = strstr(line, ", line ");
        const char *kind = place ? strchr(place, ';') : NULL;
        bool is_error = kind && (strstr(kind, "error") || strstr(kind, "fatal"));
        unsigned long number = is_error ? strtoul(place + 7, NULL, 10) : 0;
        if (number < module->first_line || number - module->first_line >= end - begin)
            continue;
        struct statement_case *one = &module->list->items[begin + number - module->first_line];
        if (in[begin + number - module->first_line]) {
            left++;
            in[begin + number - module->first_line] = false;
            one->ptxas = VERDICT_REFUSED;
            one->error = arena_strndup(arena, kind + 2, strcspn(kind + 2, "\n"));
        }
    }
    int status = pclose(pipe);
    if (left)
        return left;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

// Judges a range: those that stay in a module which ptxas accepts are accepted. Where it fails
// without a line, the range is halved until one statement is to blame.
static void judge_range(struct module *module, bool *in, size_t begin, size_t end) {
    int result;
    do
        result = run_ptxas(module, in, begin, end);
    while (result > 0);
    if (result == 0)
        return;
    if (end - begin == 1) {
        in[begin] = false;
        module->list->items[begin].ptxas = VERDICT_REFUSED;
        module->list->items[begin].error = "(ptxas failed)";
        return;
    }
    size_t middle = begin + (end - begin) / 2;
    judge_range(module, in, begin, middle);
    judge_range(module, in, middle, end);
}

static bool same_setting(struct setting a, struct setting b) {
    return a.target == b.target && a.version == b.version;
}

bool judge_by_ptxas(struct case_list *list, const char *ptxas) {
    enum { BATCH = 200 };
    char folder[] = "/tmp/ptxlitmus-ptxas-XXXXXX";
    if (!mkdtemp(folder))
        return false;
    bool *in = ARENA_ARRAY(list->arena, bool, list->count + 1);
    struct module module = {
        .list = list, .ptxas = ptxas, .file = arena_format(list->arena, "%s/module.ptx", folder)};
    memset(in, true, list->count);
    for (size_t begin = 0, end; begin < list->count; begin = end) {
        const struct statement_case *items = list->items;
        for (end = begin; end < list->count && end - begin < BATCH &&
                          same_setting(items[begin].setting, items[end].setting);)
            list->items[end++].ptxas = VERDICT_ACCEPTED;
        judge_range(&module, in, begin, end);
    }
    unlink(module.file);
    rmdir(folder);
    return true;
}

bool ptxas_takes(struct arena *arena, const char *ptxas, struct setting setting) {
    struct statement_case nothing = {.text = "", .setting = setting};
    struct case_list list = {.arena = arena, .items = &nothing, .count = 1};
    return judge_by_ptxas(&list, ptxas) && nothing.ptxas == VERDICT_ACCEPTED;
}
