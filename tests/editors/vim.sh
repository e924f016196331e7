#!/usr/bin/env bash
# Vim with the files of editors/vim: names of files choose the type, words get their groups, ":make" fills the quickfix
# list with the program's messages. Skipped (77) where there is no Vim with syntax and scripts (vim.tiny has neither).
#
# usage: vim.sh PROGRAM
set -u

program=$(realpath "${1:?usage: vim.sh PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
command -v vim >/dev/null && vim --version | grep -q '+eval' && vim --version | grep -q '+syntax' &&
    vim --version | grep -q '+quickfix' || { echo 'no Vim with syntax and scripts: skipped'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$program" "$work/bin/ptxlitmus"
export HOME=$work PATH=$work/bin:$PATH LC_ALL=C.UTF-8
failed=0 checked=0

in_vim() { # FILE COMMAND...
    local file=$1 commands=()
    shift
    for command in "$@"; do commands+=(-c "$command"); done
    timeout 1200 vim -es -N -n -u NONE -i NONE --cmd 'set runtimepath^=editors/vim' -c 'filetype plugin on' -c 'syntax on' \
        -c "edit $file" "${commands[@]}" -c 'qa!' </dev/null >"$work/vim.log" 2>&1
}

# groups SAMPLE SUFFIX: compares the groups of words with the lines "^ GROUP" below them.
groups() {
    local text=$work/text.$2 number=0 line column group
    : >"$text"
    : >"$work/expected"
    while IFS= read -r line; do
        if [[ $line =~ ^(\ *)\^\ ([A-Za-z]+)$ ]]; then
            printf '%d %d %s\n' "$number" "$((${#BASH_REMATCH[1]} + 1))" "${BASH_REMATCH[2]}" >>"$work/expected"
        else
            printf '%s\n' "$line" >>"$text"
            number=$((number + 1))
        fi
    done <"$1"
    : >"$work/found"
    cat >"$work/groups.vim" <<VIM
let out = []
for line in readfile('$work/expected')
  let [row, column, group] = split(line)
  call add(out, row . ' ' . column . ' ' . synIDattr(synID(row, column, 1), 'name'))
endfor
call writefile(out, '$work/found')
VIM
    in_vim "$text" "source $work/groups.vim"
    checked=$((checked + $(wc -l <"$work/expected")))
    if [ ! -s "$work/expected" ] || ! diff "$work/expected" "$work/found"; then
        printf 'FAIL %s: < is expected, > is what Vim says\n' "$1"
        cat "$work/vim.log"
        failed=$((failed + 1))
    fi
}
groups tests/editors/sample.litmus.vim litmus
groups tests/editors/sample.cat.vim cat

# Words without a group, and errors, in what ships.
cat >"$work/whole.vim" <<VIM
let out = []
for row in range(1, line('$'))
  for column in range(1, len(getline(row)))
    let name = synIDattr(synID(row, column, 1), 'name')
    if getline(row)[column - 1] =~ '\\w' && (name == '' || name =~ 'Unread\\|Reserved')
      call add(out, expand('%') . ':' . row . ':' . column . ': ' . name)
      break
    endif
  endfor
endfor
call writefile(out, '$work/found', 'a')
VIM
: >"$work/found"
for file in litmus/library/message-passing/MP.litmus litmus/library/*/*a*.litmus model/ptx-9.1.cat model/simulated/mca.cat; do
    printf 'edit %s\nsource %s\n' "$file" "$work/whole.vim"
    checked=$((checked + 1))
done >"$work/all.vim"
in_vim litmus/library/message-passing/MP.litmus "source $work/all.vim" "call writefile(['done'], '$work/done')"
[ -e "$work/done" ] || { echo 'FAIL: Vim did not come to its end'; cat "$work/vim.log"; failed=$((failed + 1)); }
if [ -s "$work/found" ]; then
    echo 'FAIL: words without a group, or errors:'
    head "$work/found"
    failed=$((failed + 1))
fi

# :make
cat >"$work/make.vim" <<VIM
silent make!
let out = []
for item in getqflist()
  if item.valid
    call add(out, bufname(item.bufnr) . ':' . item.lnum . ':' . item.col . ':' . item.type . ': ' . item.text)
  endif
endfor
call writefile(out, '$work/found')
VIM
for case in 'tests/bad/ptx-missing-scope.litmus:8:38:e: ' 'tests/editors/fails.litmus:7:8:: '; do
    file=${case%%:*}
    checked=$((checked + 1))
    rm -f "$work/found"
    in_vim "$file" "source $work/make.vim"
    grep -qF "$case" "$work/found" || {
        printf 'FAIL :make in %s:\n' "$file"
        cat "$work/found" "$work/vim.log"
        failed=$((failed + 1))
    }
done

printf '%d checks, %d failed\n' "$checked" "$failed"
[ "$failed" -eq 0 ]
