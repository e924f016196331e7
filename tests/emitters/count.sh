# For scripts that compare what `inspect` lists with a search of the module's text: they set `program` and `work`, and source this.
# Sets `failed` where something differs, and counts in `read`.
# shellcheck shell=bash disable=SC2034,SC2154
failed=0 read=0
fail() {
    printf 'FAIL %s\n' "$*"
    failed=1
}

# The first words of a module's statements, one a line.
words() {
    sed -E -e 's://.*::' -e '/^[[:space:]]*\.(loc|file)[[:space:]]/d' "$1" | tr '\n' ' ' | tr ';{}' '\n\n\n' |
        sed -E -e 's/^[[:space:]]+//' -e ':again; s/^[$A-Za-z_0-9]+:[[:space:]]*//; t again' -e 's/^@!?[%$A-Za-z_0-9]+[[:space:]]+//'
}

# search MODULE PATTERN: how many statements begin so.
search() {
    words "$1" | grep -cE "^($2)([. ]|\$)"
}

# listed OUTPUT KIND...: how many statements of these kinds it lists.
listed() {
    local output=$1
    shift
    grep -cE "^    line [0-9]+ +($(IFS='|' && echo "$*")) " "$output"
}

# same MODULE WHAT FOUND LISTED
same() {
    [ "$3" -eq "$4" ] || fail "$1: $2: a search finds $3, inspect lists $4"
}

# check_counts MODULE: inspects a module, and compares.
check_counts() {
    local out=$work/out
    "$program" inspect "$1" >"$out" 2>"$work/err" || { fail "$1: status $?: $(head -n 3 "$work/err")"; return; }
    "$program" inspect --format json "$1" 2>/dev/null | grep -q '"functions":\[{' || fail "$1: no JSON"
    same "$1" 'memory and asynchronous operations' \
        "$(search "$1" 'ld|ldu|ldmatrix|st|stmatrix|atom|red|multimem|cp|wmma\.(load|store)[a-z.]*|wgmma|tcgen05|clusterlaunchcontrol\.try_cancel|tensormap\.replace|tex|suld|sust|sured|tld4')" \
        "$(listed "$out" access asynchronous)"
    same "$1" fences "$(search "$1" 'fence|membar|tensormap\.cp_fenceproxy')" "$(listed "$out" fence)"
    same "$1" barriers "$(search "$1" 'bar|barrier|mbarrier|griddepcontrol')" "$(listed "$out" barrier)"
    same "$1" 'warp operations' "$(search "$1" 'shfl|vote|match|activemask|elect|redux')" "$(listed "$out" warp)"
    same "$1" calls "$(search "$1" call)" "$(listed "$out" call)"
    read=$((read + 1))
}
