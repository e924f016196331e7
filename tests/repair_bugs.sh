#!/usr/bin/env bash
# The published bugs of litmus/library/bugs: what `repair` finds for the form with the bug, next to the fix that
# was published, and what `relax` drops from the form with the fix. The table is part of docs/repair.md, and
# a difference from it fails.
#
# usage: repair_bugs.sh [--promote] PROGRAM      (--promote puts the table into the page)
set -u
promote=false
if [ "${1:-}" = --promote ]; then
    promote=true
    shift
fi
program=$(realpath "${1:?usage: repair_bugs.sh [--promote] PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bugs=litmus/library/bugs page=docs/repair.md

# The changes of the N-th result in the file, one after the other; the reason when there is none.
words() {
    awk -v wanted="$2" '
        /^[0-9]+\. cost/ { n = $1 + 0; cost = $3 }
        n == wanted && /^   P[0-9]/ { sub(/^   /, ""); text = text (text == "" ? "" : "; ") $0; paid = cost }
        n == wanted && /^   Nothing in it/ { text = "nothing" }
        /^No repair: / { sub(/^No repair: /, ""); none = $0 }
        /^Nothing to do|^Undecided/ { none = $0 }
        END { if (text == "") print none == "" ? "MISSING" : "none: " none
              else if (text == "nothing") print text
              else print text " (cost " paid ")" }' "$1"
}

# cell TEXT: with PTX in code.
cell() { sed -E "s/'([^']*)'/\`\1\`/g" <<<"$1"; }

# Number, form with the bug, form with the fix, the fix that was published, which result lies within it
# ("-": none can, since it does not change any strength; WARP: its barrier is of more threads).
rows() {
    cat <<'END'
1|spin-lock|spin-lock+fixed|`fence.sc.gpu` in both threads|FENCES
2|lock-future-read|lock-future-read+fixed|`fence.sc.gpu` in both threads, unlock by `atom.exch`|FENCES
3|deque-steal|deque-steal+fixed|`fence.sc.gpu` in both threads|FENCES
3|deque-reuse|deque-reuse+fixed|`fence.sc.gpu` in both threads|FENCES
4|relaxed-poll|relaxed-poll+fixed|`ld.acquire.sys`|1
5|volatile-flag|volatile-flag+fixed|`st.release.sys`, `ld.acquire.sys`|1
6|byte-flags|byte-flags+fixed|flags of one width|-
7|red-without-release|red-without-release+fixed|`red.release.gpu`|1
8|last-block|last-block+fixed|`fence.sc.gpu` after the counter|2
8|last-block+no-release|last-block+fixed|`fence.sc.gpu` before the counter|2
9|warp-unlock|warp-unlock+fixed|`bar.sync`|1
10|leader-arrives|leader-arrives+fixed|`bar.warp.sync`|WARP
11|lock-arrays|lock-arrays+fixed|`fence.acq_rel.gpu` in both threads|FENCES
12|all-reduce-end|all-reduce-end+fixed|a barrier at the end|-
12|all-reduce-end+relaxed|all-reduce-end+fixed|release and acquire of its flag|1
13|one-counter|one-counter+fixed|one signal per chunk|-
14|fence-scope-cut|fence-scope-cut+fixed|`fence.sc.gpu` in the consumer|SCOPE
15|sc-load-relaxed|sc-load-relaxed+acquire|`ld.acquire`|1
15|sc-load-relaxed|sc-load-relaxed+fence|a `fence.acquire` after it|2
16|sc-rmw-relaxed|sc-rmw-relaxed+fixed|`fence.sc; atom.acquire` each|FENCES
17|vector-flag|vector-flag+fixed|one word of 64 bits|-
21|tma-refill|tma-refill+fixed|`fence.proxy.async` after the loads|1
21|tma-refill-consumer|tma-refill-consumer+fixed|`fence.proxy.async` by the thread that reads|READER
22|tma-poll|tma-poll+fixed|`fence.proxy.async` after the poll|1
24|tma-store|tma-store+fixed|`fence.proxy.async` by the thread that stores|READER
26|mbarrier-remote-scope|mbarrier-remote-scope+fixed|`.cluster` at the arrival and the wait|1
27|relaxed-cluster-barrier|relaxed-cluster-barrier+fixed|`barrier.cluster.arrive.release`|ARRIVE
28|wrong-mbarrier|wrong-mbarrier+fixed|the mbarrier of the copy|-
29|wait-read|wait-read+fixed|`wait_group` without `.read`|1
30|group-count|group-count+fixed|`wait_group.read 0`|1
31|tensormap-stale|tensormap-stale+fixed|the pair of `fence.proxy.tensormap::generic`|1
32|mma-operand|mma-operand+fixed|`fence.proxy.async` by the thread that stores|READER
34|remote-store-overtakes|remote-store-overtakes+fixed|a barrier of the cluster|1
35|multicast-refill|multicast-refill+fixed|an mbarrier of those who read|-
36|exited-cta|exited-cta+fixed|a barrier of the cluster at the end|-
40|dependent-launch|dependent-launch+fixed|`griddepcontrol.wait` before the read|-
END
}

# The number of the first result that changes nothing but what a pattern matches.
first_like() {
    awk -v pattern="$2" '
        /^[0-9]+\. cost/ { if (n && good) { print n; exit } n = $1 + 0; good = 1 }
        /^   P[0-9]/ { if ($0 !~ pattern) good = 0 }
        END { if (n && good) print n }' "$1" | head -1
}

table() {
    local number buggy fixed published which words
    echo '| bug | test | published fix | cheapest repair | the repair that lies within the fix | what `relax` changes in the fixed form |'
    echo '| --- | --- | --- | --- | --- | --- |'
    while IFS='|' read -r number buggy fixed published which; do
        "$program" repair --all $bugs/$buggy.litmus >"$work/repair" 2>&1
        "$program" relax $bugs/$fixed.litmus >"$work/relax" 2>&1
        case "$which" in
        FENCES) which=$(first_like "$work/repair" "fence|st\\.relaxed.*for 'st\\.weak") ;;
        SCOPE) which=$(first_like "$work/repair" "for 'fence") ;;
        READER) which=$(first_like "$work/repair" "P0, .*fence.proxy.async") ;;
        ARRIVE) which=$(first_like "$work/repair" "arrive.release") ;;
        esac
        words='none: it does not change any strength'
        [ "$which" != WARP ] || words='none: its barrier is one of the whole CTA, of which a warp may be a part'
        [[ "$which" =~ ^(-|WARP)$ ]] || words=$(words "$work/repair" "$which")
        [ "$which" != 1 ] || words='this one'
        printf '| %s | `%s` | %s | %s | %s | %s |\n' "$number" "$buggy" "$published" \
            "$(cell "$(words "$work/repair" 1)")" "$(cell "$words")" "$(cell "$(words "$work/relax" 1)")"
    done < <(rows)
}

table >"$work/table"
awk -v table="$work/table" '
    /^<!-- bugs: made by tests\/repair_bugs.sh -->/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
    /^<!-- end of bugs -->/ { skip = 0 }
    !skip' "$page" >"$work/page"
if $promote; then
    cp "$work/page" "$page"
elif ! diff -u "$page" "$work/page"; then
    echo "the table in $page is not what the program finds: look, then tests/repair_bugs.sh --promote"
    exit 1
fi
grep -q MISSING "$work/table" && { echo 'a repair that lies within a fix is missing'; exit 1; }
[ "$(wc -l <"$work/table")" -eq 38 ] || { echo 'the table is cut'; exit 1; }
exit 0
