// SARIF 2.1.0, as code scanning reads it:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
#include "cli/suite/suite.h"

#include "check/report/flags.h"
#include "check/text/json.h"
#include "litmus/source/arena.h"

#include <string.h>
#include <unistd.h>

struct sarif {
    const struct suite *suite;
    json_t *results, *rules, *notifications;
};

// --- Places ------------------------------------------------------------------------------------

// A path as a URI reference: relative where it is in the current folder, percent-encoded.
static const char *uri_of(struct arena *arena, const char *path) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    char folder[4096];
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    const char *uri = "";
    if (length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/')
        path += length + 1;
    path += strncmp(path, "./", 2) == 0 ? 2 : 0;
    uri = *path == '/' ? "file://" : "";
    for (; *path; path++) {
        uri = strchr(plain, *path) ? arena_format(arena, "%s%c", uri, *path)
                                   : arena_format(arena, "%s%%%02X", uri, (unsigned char)*path);
    }
    return uri;
}

static json_t *message_of(struct arena *arena, const char *text) {
    return json_of("{s:o}", "text", text_json(arena, text));
}

static json_t *location_of(struct arena *arena, const struct judged_place *at, const char *what) {
    json_t *physical =
        json_of("{s:{s:o}}", "artifactLocation", "uri", text_json(arena, uri_of(arena, at->file)));
    if (at->line > 0) {
        json_t *region = json_of("{s:I}", "startLine", (json_int_t)at->line);
        if (at->column > 0)
            json_field(region, "startColumn", json_integer((json_int_t)at->column));
        json_field(physical, "region", region);
    }
    json_t *location = json_of("{s:o}", "physicalLocation", physical);
    if (what)
        json_field(location, "message", message_of(arena, what));
    return location;
}

// --- Results -----------------------------------------------------------------------------------

static const char *rule_help(const char *rule) {
    static const char *const own[][2] = {
        {"failed-expectation", "a test does not come to what it expects"},
        {"error", "an input has errors, so that nothing is known of it"},
        {"undecided", "a limit was reached, or the program is left undefined"},
        {"lost", "the process that decided it ended early"},
        {"not-run", "it was not run"},
        {"hang", "an execution never ends"},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(rule, own[i][0]) == 0)
            return own[i][1];
    return flag_meaning(rule);
}

// The index of a rule, which is added where it is new.
static size_t rule_index(struct sarif *sarif, const char *rule) {
    struct arena *arena = sarif->suite->arena;
    size_t count = json_array_size(sarif->rules);
    for (size_t i = 0; i < count; i++) {
        const json_t *known = json_object_get(json_array_get(sarif->rules, i), "id");
        if (strcmp(json_string_value(known), rule) == 0)
            return i;
    }
    json_item(sarif->rules, json_of("{s:o, s:o, s:o}", "id", text_json(arena, rule),
                                    "shortDescription", message_of(arena, rule_help(rule)), "help",
                                    message_of(arena, rule_help(rule))));
    return count;
}

static void add_notification(struct sarif *sarif, const char *level, const char *text) {
    json_item(sarif->notifications, json_of("{s:s, s:o}", "level", level, "message",
                                            message_of(sarif->suite->arena, text)));
}

// A result of kind "open" has the level "none", the only one that SARIF allows there.
static void add_result(struct sarif *sarif, const struct record_finding *finding) {
    struct arena *arena = sarif->suite->arena;
    json_t *places = json_array(), *related = json_array();
    for (size_t i = 0; i < finding->place_count; i++) {
        const struct record_place *place = &finding->places[i];
        if (i == 0)
            json_item(places, location_of(arena, &place->at, NULL));
        if (finding->place_count > 1)
            json_item(related, location_of(arena, &place->at, place->what));
    }
    json_item(sarif->results, json_of("{s:o, s:I, s:s, s:s, s:o, s:o, s:o}", "ruleId",
                                      text_json(arena, finding->rule), "ruleIndex",
                                      (json_int_t)rule_index(sarif, finding->rule), "kind",
                                      finding->is_open ? "open" : "fail", "level",
                                      finding->is_open ? "none" : "error", "message",
                                      message_of(arena, finding->message), "locations", places,
                                      "relatedLocations", related));
    if (finding->is_open)
        add_notification(sarif, "warning", finding->message);
}

// What a test or an input came to, where findings do not say it.
static void add_item(struct sarif *sarif, const struct suite_item *item) {
    static const char *const rules[SUITE_RESULT_COUNT] = {
        [SUITE_FAILED] = "failed-expectation",
        [SUITE_UNDECIDED] = "undecided",
        [SUITE_BROKEN] = "error",
        [SUITE_INTERNAL] = "lost",
        [SUITE_NOT_RUN] = "not-run",
    };
    const char *rule = rules[item->result], *why = item->why;
    // Races say all where nothing else is wrong: they would be reported twice.
    size_t said = 0;
    for (size_t i = 0; i < item->finding_count; i++)
        said += !item->findings[i].is_beside;
    bool is_found = said > 0 && why && !strchr(why, '\n');
    if (!rule || is_found)
        return;
    struct record_place place = {
        .at = {item->place_file ? item->place_file : item->file, item->line, item->column}};
    const struct record_finding finding = {
        .rule = rule,
        .message = arena_format(sarif->suite->arena, "%s%s%s", item->test ? item->test : "",
                                item->test ? ": " : "", why ? why : rule_help(rule)),
        .is_open = item->result != SUITE_FAILED && item->result != SUITE_BROKEN,
        .places = &place,
        .place_count = 1};
    add_result(sarif, &finding);
    if (item->result == SUITE_BROKEN)
        add_notification(sarif, "error", finding.message);
}

// --- The whole ---------------------------------------------------------------------------------

static json_t *run_of(struct sarif *sarif, enum exit_status status) {
    bool is_done = status == EXIT_DECIDED || status == EXIT_FAILED;
    return json_of("{s:{s:{s:s, s:s, s:o}}, s:[{s:b, s:o}], s:o}", "tool", "driver", "name",
                   "ptxlitmus", "version", PTXLITMUS_VERSION, "rules", sarif->rules, "invocations",
                   "executionSuccessful", is_done, "toolExecutionNotifications",
                   sarif->notifications, "results", sarif->results);
}

void suite_print_sarif(FILE *out, const struct suite *suite, enum exit_status status) {
    struct sarif sarif = {suite, json_array(), json_array(), json_array()};
    for (size_t i = 0; i < suite->count; i++) {
        add_item(&sarif, &suite->items[i]);
        for (size_t k = 0; k < suite->items[i].finding_count; k++)
            add_result(&sarif, &suite->items[i].findings[k]);
    }
    print_json_line(out, json_of("{s:s, s:s, s:[o]}", "$schema",
                                 "https://json.schemastore.org/sarif-2.1.0.json", "version",
                                 "2.1.0", "runs", run_of(&sarif, status)));
}
