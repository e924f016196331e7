// What faults.c tells the library that it preloads, and what that counts.
#ifndef PTXLITMUS_TESTS_FAILING_H
#define PTXLITMUS_TESTS_FAILING_H

#include <stdatomic.h>
#include <stdint.h>

enum faults_kind {
    FAULTS_ALLOCATION,        // asked for by the program, jansson or the library of C
    FAULTS_SOLVER_ALLOCATION, // by Z3
    FAULTS_PREAD,
    FAULTS_LSEEK,
    FAULTS_READDIR,
    FAULTS_KINDS,
};

// Shared by all processes of a run: calls `first` to `last` (from 1) of a kind fail.
struct faults_state {
    enum faults_kind kind;
    unsigned long first, last;
    atomic_ulong counts[FAULTS_KINDS];
};

#endif
