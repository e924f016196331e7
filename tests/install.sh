#!/usr/bin/env bash
# `cmake --install` into a folder, and what is there: the program runs with the tests and models that are installed with it, also after
# the folder was moved; it names no folder of the build; the manual page and the completions know every option.
#
# usage: install.sh BUILD_FOLDER SOURCE_FOLDER
set -u

build=$(realpath "${1:?usage: install.sh BUILD_FOLDER SOURCE_FOLDER}") source=$(realpath "${2:?}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

DESTDIR='' cmake --install "$build" --prefix "$work/first" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
find "$work/first" -type f | sed "s|^$work/first/||" | sort >"$work/files"
for file in bin/ptxlitmus share/man/man1/ptxlitmus.1.gz share/bash-completion/completions/ptxlitmus \
    share/zsh/site-functions/_ptxlitmus share/fish/vendor_completions.d/ptxlitmus.fish \
    share/ptxlitmus/library/message-passing/MP.litmus share/ptxlitmus/models/ptx-9.1.cat \
    share/ptxlitmus/models/simulated/sc.cat share/ptxlitmus/models/scoped-rc11.cat share/ptxlitmus/lowering/libcu++.json share/ptxlitmus/editors/vscode/package.json share/ptxlitmus/suite-slurm.sh \
    share/ptxlitmus/editors/vim/syntax/litmus.vim share/doc/ptxlitmus/copyright share/doc/ptxlitmus/command-line.md; do
    passes "$file is installed" grep -qx "$file" "$work/files"
done
passes 'all tests are installed' diff <(cd "$source/litmus/library" && find . -type f | sort) \
    <(cd "$work/first/share/ptxlitmus/library" && find . -type f | sort)

# --- The program, where it was installed and elsewhere ---------------------------------------------

mv "$work/first" "$work/second place"
cd / || exit 2
program="$work/second place/bin/ptxlitmus"
data="$work/second place/share/ptxlitmus"
passes 'the folder of data' test "$("$program" --data-folder)" = "$data"
ln -s "$program" "$work/link"
passes 'the folder of data through a link' test "$("$work/link" --data-folder)" = "$data"
passes 'an installed test' "$program" --quiet "$data/library/message-passing"
passes 'an installed model' "$program" --quiet --model "$data/models/ptx-7.5.cat" "$data/library/message-passing/MP.litmus"
passes 'an installed model includes its parts' "$program" --quiet --model "$data/models/simulated/../ptx-9.1.cat" \
    "$data/library/message-passing/MP.litmus"
if ! readelf -W --dyn-syms "$program" 2>/dev/null | grep -q __asan_init; then
    for folder in "$source/" "$build/" "$work/"; do
        checks=$((checks + 1))
        if LC_ALL=C grep -arqF "$folder" "$work/second place"; then
            printf 'FAIL an installed file names %s:\n' "$folder"
            LC_ALL=C grep -arlF "$folder" "$work/second place"
            failed=$((failed + 1))
        fi
    done
fi

# What a Python package has: the program and its data, in the places that it looks for them, and nothing else.
DESTDIR='' cmake --install "$build" --prefix "$work/wheel" --component wheel >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
passes 'the wheel has the program and its data' diff \
    <(grep -E '^(bin/ptxlitmus$|share/ptxlitmus/(library|models|lowering)/)' "$work/files") \
    <(cd "$work/wheel" && find . -type f | sed 's|^\./||' | sort)
passes 'the program of the wheel finds them' test "$("$work/wheel/bin/ptxlitmus" --data-folder)" = "$work/wheel/share/ptxlitmus"
passes 'a test of the wheel' "$work/wheel/bin/ptxlitmus" --quiet MP

# --- What tells of options -------------------------------------------------------------------------

"$program" --help | sed -nE 's/^  ([a-z]+)  +.*/\1/p' >"$work/commands"
passes 'there are commands' test "$(wc -l <"$work/commands")" -ge 15
while read -r command; do "$program" help "$command"; done <"$work/commands" |
    sed -nE 's/^  (-[a-z], )?(--[a-z0-9-]+).*/\2/p' | sort -u >"$work/options"
passes 'there are options' test "$(wc -l <"$work/options")" -gt 50
share="$work/second place/share"
zcat "$share/man/man1/ptxlitmus.1.gz" >"$work/page.1"
sed 's/\\-/-/g' "$work/page.1" >"$work/man"
while read -r option; do
    passes "the manual page on $option" grep -qE "^\.B (-[a-z], )?$option( |\$)" "$work/man"
    passes "bash on $option" grep -qE -- "(^| |')$option( |')" "$share/bash-completion/completions/ptxlitmus"
    passes "zsh on $option" grep -qE -- "'\*?$option=?\[" "$share/zsh/site-functions/_ptxlitmus"
    passes "fish on $option" grep -qE -- "-l ${option#--}( |\$)" "$share/fish/vendor_completions.d/ptxlitmus.fish"
done <"$work/options"
while read -r command; do
    passes "the manual page on $command" grep -qx "\.B ptxlitmus $command" "$work/man"
    passes "bash on $command" grep -qx "    $command)" "$share/bash-completion/completions/ptxlitmus"
    passes "zsh on $command" grep -qE "^    '$command:" "$share/zsh/site-functions/_ptxlitmus"
    passes "fish on $command" grep -qE -- "-a $command " "$share/fish/vendor_completions.d/ptxlitmus.fish"
done <"$work/commands"
if command -v groff >/dev/null; then
    passes 'the manual page is without warnings' \
        test -z "$(groff -man -ww -Tascii "$work/page.1" 2>&1 >"$work/page")"
    passes 'the manual page reads well' grep -q 'list the outcomes that PTX' "$work/page"
else
    echo 'no groff: the manual page is not formatted'
fi

# complete WORD...: what bash proposes for the last word, one per line.
complete_words() {
    PATH="$work/second place/bin:$PATH" bash -c '
        source "$1/bash-completion/completions/ptxlitmus"
        shift
        COMP_WORDS=(ptxlitmus "$@") COMP_CWORD=$#
        _ptxlitmus
        printf "%s\n" "${COMPREPLY[@]}"' - "$share" "$@" | sort
}
cd "$data" || exit 2
passes 'bash: options' grep -qx -- --timeout <(complete_words --t)
passes 'bash: choices' test "$(complete_words --format j)" = json
passes 'bash: choices after =' test "$(complete_words --tearing = b | tr '\n' ' ')" = 'both bytes '
passes 'bash: targets' test "$(complete_words --target sm_90,sm_89)" = sm_90,sm_89
passes 'bash: a second target' grep -qx sm_70,mca <(complete_words --target sm_70,m)
passes 'bash: models' grep -qx ptx-7.5 <(complete_words --model p)
passes 'bash: model files' grep -qx models/ptx-7.5.cat <(complete_words --model models/p)
passes 'bash: folders' test "$(complete_words lib)" = library
passes 'bash: tests' grep -qx library/message-passing/MP+cta.litmus <(complete_words library/message-passing/MP+c)
passes 'bash: no other files' test -z "$(complete_words models/p)"
passes 'bash: lists' test "$(complete_words @lib)" = @library
passes 'bash: merge' test "$(complete_words mer)" = merge
passes 'bash: a command takes no option that it refuses' test -z "$(complete_words repair --verd)"
passes 'bash: formats of a command' test "$(complete_words suite --format j | tr '\n' ' ')" = 'json junit '
passes 'bash: included tests' grep -qx MP+addr <(complete_words explain MP+a)
passes 'bash: topics' test "$(complete_words list barr)" = barriers
passes 'bash: help' test "$(complete_words help insp)" = inspect
passes 'bash: options of a command' grep -qx -- --max-cost <(complete_words repair --m)
passes 'bash: no models for promises' test -z "$(complete_words --progress p)"
passes 'bash: nothing for numbers' test -z "$(complete_words --states '')"
for shell in zsh fish; do
    script=$share/zsh/site-functions/_ptxlitmus
    [ $shell = zsh ] || script=$share/fish/vendor_completions.d/ptxlitmus.fish
    if command -v $shell >/dev/null; then check "$shell reads its completion" $shell -n "$script"; else
        echo "no $shell: its completion is not tried"
    fi
done

printf '%d checks, %d failed; %d files installed\n' "$checks" "$failed" "$(wc -l <"$work/files")"
[ "$failed" -eq 0 ]
