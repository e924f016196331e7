#!/usr/bin/env bash
# Compares ptxlitmus with herd7 on classic shapes that are written for both: in PTX, and in C for herd7's
# rc11.cat. What the two models allow differs in places and is not compared, only how long an answer takes.
#
# usage: herd7.sh PROGRAM [--write DIR] [OPTION...]
#        --write DIR: leave the tests there, DIR/NAME.litmus and DIR/NAME.c.litmus, and run nothing
#        OPTION: of PROGRAM. The program herd7 is found in PATH, or named by $HERD7
#
# Each test is run by both in a process of its own, and then all of them in one process of each. Prints the
# sums, the median of the ratios, and the tests on which ptxlitmus is slower. Status 77 without herd7.
set -u
export LC_ALL=C
usage="usage: herd7.sh PROGRAM [--write DIR] [OPTION...]"
program=$(realpath "${1:?$usage}") || exit 2
shift
herd7=${HERD7:-herd7}
folder=
if [ "${1:-}" = --write ]; then
    folder=${2:?$usage}
    mkdir -p "$folder" || exit 2
    shift 2
elif ! command -v "$herd7" >/dev/null; then
    echo "skipped: herd7 is not installed"
    exit 77
fi
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
tests=${folder:-$scratch}

# A shape a line: its name, its threads, and what it asks. A thread's accesses have a space between them: Wx1
# writes 1 to x, Rx reads x. In conditions, 0:1=0 is what the second read of the first thread returns.
shapes() {
    cat <<'END'
MP|Wx1 Wy1;Ry Rx|1:0=1 1:1=0
SB|Wx1 Ry;Wy1 Rx|0:0=0 1:0=0
LB|Rx Wy1;Ry Wx1|0:0=1 1:0=1
S|Wx2 Wy1;Ry Wx1|1:0=1 x=2
R|Wx1 Wy1;Wy2 Rx|1:0=0 y=2
2+2W|Wx1 Wy2;Wy1 Wx2|x=1 y=1
CoRR|Wx1;Rx Rx|1:0=1 1:1=0
WRC|Wx1;Rx Wy1;Ry Rx|1:0=1 2:0=1 2:1=0
RWC|Wx1;Rx Ry;Wy1 Rx|1:0=1 1:1=0 2:0=0
ISA2|Wx1 Wy1;Ry Wz1;Rz Rx|1:0=1 2:0=1 2:1=0
W+RWC|Wx1 Wy1;Ry Rz;Wz1 Rx|1:0=1 1:1=0 2:0=0
WWC|Wx2;Rx Wy1;Ry Wx1|1:0=2 2:0=1 x=2
WRW+2W|Wx1;Rx Wy2;Wy1 Wx2|1:0=1 x=1 y=1
WRR+2W|Wx1;Rx Ry;Wy1 Wx2|1:0=1 1:1=0 x=1
3.SB|Wx1 Ry;Wy1 Rz;Wz1 Rx|0:0=0 1:0=0 2:0=0
3.LB|Rx Wy1;Ry Wz1;Rz Wx1|0:0=1 1:0=1 2:0=1
3.2W|Wx1 Wy2;Wy1 Wz2;Wz1 Wx2|x=1 y=1 z=1
Z6.0|Wx1 Wy1;Ry Wz1;Wz2 Rx|1:0=1 2:0=0 z=2
Z6.2|Wx2 Wy1;Ry Wz1;Rz Wx1|1:0=1 2:0=1 x=2
IRIW|Wx1;Wy1;Rx Ry;Ry Rx|2:0=1 2:1=0 3:0=1 3:1=0
END
}

# Prints each shape with each choice of an order for its threads with several accesses: relaxed, release and
# acquire, or with a fence between the accesses. fields: name, threads, condition, orders.
variants() {
    shapes | awk -F'|' '
        function choose(thread, orders,    i) {
            if (thread > n) {
                name = orders
                gsub(/ /, "+", name)
                print $1 name "|" $2 "|" $3 "|" orders
                return
            }
            if (threads[thread] !~ / /) {
                choose(thread + 1, orders " rlx")
                return
            }
            for (i = 1; i <= kinds; i++)
                choose(thread + 1, orders " " kind[i])
        }
        BEGIN { kinds = split("rlx ra sc ar", kind, " ") }
        { n = split($2, threads, ";"); choose(1, "") }'
}

# Writes the tests of all variants, in both languages.
write_tests() {
    variants | awk -F'|' -v folder="$tests" '
        function ptx(access, i, order,    word) {
            if (access ~ /^W/) {
                word = order == "ra" ? "release" : "relaxed"
                return "  st." word ".gpu.global.u32 [" substr(access, 2, 1) "], " substr(access, 3) ";\n"
            }
            word = order == "ra" ? "acquire" : "relaxed"
            return "  ld." word ".gpu.global.u32 %r" reads++ ", [" substr(access, 2, 1) "];\n"
        }
        function c(access, order,    word) {
            if (access ~ /^W/) {
                word = order == "ra" ? "release" : "relaxed"
                return "  atomic_store_explicit(" substr(access, 2, 1) ", " substr(access, 3) ", memory_order_" word ");\n"
            }
            word = order == "ra" ? "acquire" : "relaxed"
            return "  int r" reads++ " = atomic_load_explicit(" substr(access, 2, 1) ", memory_order_" word ");\n"
        }
        {
            n = split($2, threads, ";"); split($4, orders, " ")
            p = "PTX " $1 "\n.global .u32 x;\n.global .u32 y;\n.global .u32 z;\n"
            q = "C " $1 "\n{ [x] = 0; [y] = 0; [z] = 0; }\n"
            for (t = 1; t <= n; t++) {
                m = split(threads[t], accesses, " ")
                p = p "P" (t - 1) "@cta " (t - 1) ",gpu 0 {\n"
                q = q "P" (t - 1) "(atomic_int* x, atomic_int* y, atomic_int* z) {\n"
                for (pass = 0; pass < 2; pass++) {
                    reads = 0
                    for (i = 1; i <= m; i++) {
                        if (i > 1 && orders[t] ~ /^(sc|ar)$/ && !pass)
                            p = p "  fence." (orders[t] == "sc" ? "sc" : "acq_rel") ".gpu;\n"
                        if (i > 1 && orders[t] ~ /^(sc|ar)$/ && pass)
                            q = q "  atomic_thread_fence(memory_order_" (orders[t] == "sc" ? "seq_cst" : "acq_rel") ");\n"
                        if (!pass) p = p ptx(accesses[i], i, orders[t])
                        else q = q c(accesses[i], orders[t])
                    }
                }
                p = p "}\n"; q = q "}\n"
            }
            k = split($3, facts, " ")
            pc = qc = ""
            for (i = 1; i <= k; i++) {
                split(facts[i], sides, "=")
                if (facts[i] ~ /:/) {
                    split(sides[1], place, ":")
                    pf = "P" place[1] ":%r" place[2] " == " sides[2]; qf = place[1] ":r" place[2] "=" sides[2]
                } else {
                    pf = sides[1] " == " sides[2]; qf = "[" sides[1] "]=" sides[2]
                }
                pc = pc (i > 1 ? " /\\ " : "") pf; qc = qc (i > 1 ? " /\\ " : "") qf
            }
            print p "exists (" pc ")" > (folder "/" $1 ".litmus"); close(folder "/" $1 ".litmus")
            print q "exists (" qc ")" > (folder "/" $1 ".c.litmus"); close(folder "/" $1 ".c.litmus")
        }'
}

# Prints the seconds of the processor that a command takes; what it prints goes to a file.
seconds() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$scratch/out" 2>"$scratch/err" </dev/null; } 2>&1 | awk '{ printf "%.3f", $1 + $2 }'
}

write_tests
mapfile -t ours < <(find "$tests" -name '*.litmus' ! -name '*.c.litmus' | sort)
[ ${#ours[@]} -gt 0 ] || { echo "no tests"; exit 1; }
[ -z "$folder" ] || { echo "${#ours[@]} tests in $folder"; exit 0; }
theirs=()
for file in "${ours[@]}"; do theirs+=("${file%.litmus}.c.litmus"); done

# Both have to take the tests.
"$program" "$@" "${ours[0]}" >"$scratch/out" 2>&1 </dev/null || { cat "$scratch/out"; exit 1; }
"$herd7" -model rc11.cat "${theirs[0]}" >"$scratch/out" 2>&1 </dev/null || { cat "$scratch/out"; exit 1; }
for i in "${!ours[@]}"; do
    echo "$(basename "${ours[i]}" .litmus) $(seconds "$program" "$@" "${ours[i]}") $(seconds "$herd7" -model rc11.cat "${theirs[i]}")"
done >"$scratch/times"
awk '{ a += $2; b += $3; slower += $2 > $3; ratio[NR] = $3 > 0 ? $2 / $3 : 1; if ($2 > $3) print "slower: " $0 }
     END { printf "%d tests, each in a process: ptxlitmus %.2f s, herd7 %.2f s, ptxlitmus slower on %d\n", NR, a, b, slower }' "$scratch/times"
awk '{ print ($3 > 0 ? $2 / $3 : 1) }' "$scratch/times" | sort -g | awk '{ r[NR] = $1 } END { printf "median ratio %.2f\n", r[int((NR + 1) / 2)] }'
echo "all in one process: ptxlitmus $(seconds "$program" "$@" "${ours[@]}") s, herd7 $(seconds "$herd7" -model rc11.cat "${theirs[@]}") s"
