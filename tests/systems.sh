#!/usr/bin/env bash
# CONTRIBUTING.md names every file that uses what only Linux and glibc have, and no other.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
calls='memfd_create|prctl|SOCK_SEQPACKET|timer_create|/proc/self|RUSAGE_THREAD|malloc_trim|mallopt|MADV_HUGEPAGE|sched_getaffinity|fopencookie\(|sem_clockwait|epoll_|eventfd\(|signalfd|inotify|pipe2|accept4|clone\('
used=$(find litmus model solver repair explain cli api -name '*.c' -print0 | xargs -0 grep -lE "(^|[^_[:alnum:]])($calls)" | sort)
named=$(sed -n '/^## Systems/,/^## /s/^| \(`.*\.c`\) |.*/\1/p' CONTRIBUTING.md | grep -oE '[a-z_/]+\.c' | sort -u)
[ -n "$used" ] && diff <(printf '%s\n' "$named") <(printf '%s\n' "$used") && exit 0
echo 'CONTRIBUTING.md, Systems: < is named there, > is used'
exit 1
