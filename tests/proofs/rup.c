// Checks a proof that clauses have no model. It shares nothing with the program or with CaDiCaL:
// each lemma has to follow from the clauses and the lemmas before it by unit propagation (reverse
// unit propagation), and the last one that is needed is the empty clause. Deletions are not read: a
// proof without them is stronger than it needs to be.
//
// usage: rup CLAUSES.cnf PROOF.drat      prints "proven: N lemmas", or says what is wrong (status
// 1)
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A clause: `count` literals from `first` on in `pool`; the first two are watched.
struct clause {
    size_t first, count;
};

struct list {
    size_t *items;
    size_t count, capacity;
};

static int *pool;
static size_t pool_count, pool_capacity;
static struct clause *clauses;
static size_t clause_count, clause_capacity;
static struct list *watches; // by index_of a literal: clauses that watch it
static signed char *values;  // by variable: 0 open, 1 true, -1 false
static int *trail;
static size_t trail_count, trail_done;
static int variables;
static bool is_refuted; // the clauses so far propagate to a conflict

static void *grow(void *items, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity)
        return items;
    *capacity = 2 * needed + 64;
    void *grown = realloc(items, *capacity * size);
    if (grown == NULL) {
        fputs("rup: no memory\n", stderr);
        exit(2);
    }
    return grown;
}

static size_t index_of(int literal) {
    return 2 * (size_t)abs(literal) + (literal < 0);
}

static int value_of(int literal) {
    return literal > 0 ? values[literal] : -values[-literal];
}

static void assign(int literal) {
    values[abs(literal)] = literal > 0 ? 1 : -1;
    trail[trail_count++] = literal;
}

static void undo(size_t count) {
    while (trail_count > count)
        values[abs(trail[--trail_count])] = 0;
    trail_done = count;
}

static void watch(int literal, size_t clause) {
    struct list *list = &watches[index_of(literal)];
    list->items = grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = clause;
}

// A literal of the clause has become false: finds another one to watch. Returns false when the
// clause is unit or false now.
static bool move_watch(size_t number, int literal) {
    struct clause *clause = &clauses[number];
    int *at = pool + clause->first;
    if (at[0] == literal) {
        at[0] = at[1];
        at[1] = literal;
    }
    for (size_t i = 2; i < clause->count; i++)
        if (value_of(at[i]) >= 0) {
            at[1] = at[i];
            at[i] = literal;
            watch(at[1], number);
            return true;
        }
    return false;
}

// Returns whether there is a conflict.
static bool propagate(void) {
    while (trail_done < trail_count) {
        int literal = -trail[trail_done++];
        struct list *list = &watches[index_of(literal)];
        size_t kept = 0;
        bool conflict = false;
        for (size_t i = 0; i < list->count; i++) {
            size_t number = list->items[i];
            if (conflict || !move_watch(number, literal)) {
                list->items[kept++] = number;
                int other = pool[clauses[number].first];
                if (!conflict && value_of(other) == 0)
                    assign(other);
                else
                    conflict = conflict || value_of(other) < 0;
            }
        }
        list->count = kept;
        if (conflict)
            return true;
    }
    return false;
}

// Adds the last `count` literals of the pool as a clause, under what is known for certain.
static void add_clause(size_t count) {
    size_t first = pool_count - count, open = 0;
    int *at = pool + first;
    for (size_t i = 0; i < count; i++)
        if (value_of(at[i]) >= 0) { // what is not false comes first
            int literal = at[i];
            at[i] = at[open];
            at[open++] = literal;
        }
    if (open == 0) {
        is_refuted = true;
    } else if (count > 1) {
        clauses = grow(clauses, &clause_capacity, clause_count + 1, sizeof *clauses);
        clauses[clause_count] = (struct clause){first, count};
        watch(at[0], clause_count);
        watch(at[1], clause_count++);
    }
    if (open == 1 && value_of(at[0]) == 0)
        assign(at[0]);
    is_refuted = is_refuted || propagate();
}

// Whether the last `count` literals of the pool follow: their negations propagate to a conflict.
static bool follows(size_t count) {
    size_t begin = trail_count;
    bool conflict = false;
    for (size_t i = pool_count - count; i < pool_count && !conflict; i++) {
        conflict = value_of(pool[i]) > 0;
        if (value_of(pool[i]) == 0)
            assign(-pool[i]);
    }
    conflict = conflict || propagate();
    undo(begin);
    return conflict;
}

// Reads literals up to a 0 to the end of the pool. Returns how many, or -1 at the end of the file.
static long read_clause(FILE *in, const char *path) {
    long count = 0;
    for (int literal; fscanf(in, "%d", &literal) == 1;) {
        if (literal == 0)
            return count;
        if (abs(literal) > variables) {
            fprintf(stderr, "rup: %s: there is no variable %d\n", path, abs(literal));
            exit(1);
        }
        pool = grow(pool, &pool_capacity, pool_count + 1, sizeof *pool);
        pool[pool_count++] = literal;
        count++;
    }
    if (count > 0 || !feof(in)) {
        fprintf(stderr, "rup: %s: a clause without an end\n", path);
        exit(1);
    }
    return -1;
}

static FILE *open_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    return file;
}

static void read_clauses(const char *path) {
    FILE *in = open_file(path);
    size_t expected, found = 0;
    if (fscanf(in, "p cnf %d %zu", &variables, &expected) != 2 || variables < 1) {
        fprintf(stderr, "rup: %s: expected 'p cnf VARIABLES CLAUSES'\n", path);
        exit(1);
    }
    size_t literals = 2 * (size_t)variables + 2, none = 0;
    watches = grow(NULL, &none, literals, sizeof *watches);
    memset(watches, 0, literals * sizeof *watches);
    none = 0;
    values = grow(NULL, &none, literals, sizeof *values);
    memset(values, 0, literals * sizeof *values);
    none = 0;
    trail = grow(NULL, &none, literals, sizeof *trail);
    for (long count; (count = read_clause(in, path)) >= 0; found++)
        add_clause((size_t)count);
    if (found != expected) {
        fprintf(stderr, "rup: %s: %zu clauses, not %zu\n", path, found, expected);
        exit(1);
    }
    fclose(in);
}

// Returns how many lemmas there are up to the empty one.
static size_t check_lemmas(const char *path) {
    FILE *in = open_file(path);
    size_t lemmas = 0;
    for (long count; (count = read_clause(in, path)) >= 0;) {
        lemmas++;
        if (!is_refuted && !follows((size_t)count)) {
            fprintf(stderr, "rup: %s: lemma %zu does not follow\n", path, lemmas);
            exit(1);
        }
        if (count == 0) {
            fclose(in);
            return lemmas;
        }
        add_clause((size_t)count);
    }
    fprintf(stderr, "rup: %s: it does not end with the empty clause\n", path);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s CLAUSES.cnf PROOF.drat\n", argv[0]);
        return 2;
    }
    read_clauses(argv[1]);
    printf("proven: %zu lemmas\n", check_lemmas(argv[2]));
    return 0;
}
