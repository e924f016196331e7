#!/usr/bin/env bash
# Files that are written: each command that writes some, where the disk is full, a link or a folder is in the way, or there is
# no such folder. Each has status 4 and a message, leaves what was there, and nothing else.
#
# usage: files.sh PROGRAM
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: files.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
library=$PWD/litmus/library/message-passing checks=0
cd "$work" || exit 2
cp "$library/MP.litmus" MP.litmus
cp "$library/MP+cta.litmus" .
sed 's/^expect forbidden/expect allowed/' MP.litmus >wrong.litmus

# What each command writes to $out, a file or, after a slash, one in the folder that it writes. The file wrong.litmus is the
# one that --update changes.
writers=(
    'x        suite --verdict --report json=$out MP.litmus'
    'x        suite --verdict --report junit=$out MP.litmus'
    'x        repair --write $out MP+cta.litmus'
    'x        relax --write $out MP.litmus'
    'x        --emit-ptx $out MP.litmus'
    'x        --dump-smt2 $out MP.litmus'
    'update   suite --verdict --update $out'
    'folder/index.html       report -o $folder -j 1 MP.litmus'
    'folder/MP.html          report -o $folder -j 1 MP.litmus'
    'folder/MP.html          report -o $folder -j 2 MP.litmus MP+cta.litmus'
    'folder/MP.litmus        generate --force -o $folder PodWW-Rfe-PodRR-Fre'
    'folder/run.sh           harness --force -o $folder MP.litmus'
    'folder/tests_00.cu      harness --force -o $folder MP.litmus'
    'folder/MP.cnf           --engine cadical --proof $folder MP.litmus'
    'folder/MP.drat          --engine cadical --proof $folder MP.litmus'
    'folder/MP.map           --engine cadical --proof $folder MP.litmus'
)
"$program" --engine cadical MP.litmus >/dev/null 2>&1 || writers=("${writers[@]:0:13}")

# run PLACE WRITER: the command with its file below the folder PLACE; sets $out and $status.
run() {
    local file=${2%% *} folder=$1/folder command
    out=$1/$file
    command=${2#* }
    command=${command//PodWW-Rfe-PodRR-Fre/\"PodWW Rfe PodRR Fre\"}
    eval "timeout 60 \"$program\" $command" >out.text 2>err.text </dev/null
    status=$?
    checks=$((checks + 1))
}

# refused WRITER WHAT WORDS: it says so, with its status.
refused() {
    [ "$status" -eq 4 ] || fail "$2: status $status of $1: $(tail -2 err.text)"
    grep -qF -- "$3" err.text || fail "$2: $1 does not say '$3': $(cat err.text)"
}

# prepared PLACE WRITER: the folders of its file, and the file that --update changes.
prepared() {
    mkdir -p "$1/folder/tests"
    [[ $2 != update* ]] || cp wrong.litmus "$1/update"
}

for writer in "${writers[@]}"; do
    # As it should be: the file is there, and no other new one.
    rm -rf good
    prepared good "$writer"
    run good "$writer"
    [ "$status" -le 1 ] && [ -s "$out" ] || fail "$writer: status $status: $(cat err.text)"
    mode=$(stat -c %a "$out")
    [ "$mode" = "$(printf %o $((0666 & ~$(umask))))" ] || [ "$mode" = 755 ] || fail "$writer: mode $mode"
    # Again, over a file with a mode of its own.
    [[ $writer != update* ]] || cp wrong.litmus good/update
    chmod 640 "$out"
    run good "$writer"
    [ "$status" -le 1 ] || fail "$writer, again: status $status: $(cat err.text)"
    mode=$(stat -c %a "$out")
    [ "$mode" = 640 ] || [ "$mode" = 755 ] || [[ $writer == *report\ -o*-j\ 2* ]] || fail "$writer: the mode has become $mode"

    # Links, to a file and to none: what they lead to stays as it was.
    rm -rf links
    prepared links "$writer"
    cp wrong.litmus links/victim
    rm -f "links/${writer%% *}"
    ln -s "$work/links/victim" "links/${writer%% *}"
    run links "$writer"
    refused "$writer" 'a link' 'it is a symbolic link'
    cmp -s wrong.litmus links/victim || fail "$writer: it has written through a link"
    [ -L "$out" ] || fail "$writer: the link is gone"
    if [[ $writer != update* ]]; then
        rm links/victim
        run links "$writer"
        refused "$writer" 'a dangling link' 'it is a symbolic link'
        [ ! -e links/victim ] || fail "$writer: it has made what a link leads to"
        # A folder in the way.
        rm "$out"
        mkdir "$out"
        run links "$writer"
        refused "$writer" 'a folder' 'directory'
        # No such folder, or a file where a folder has to be.
        rm -rf links
        [[ $writer != folder* ]] || { mkdir links && : >links/folder; }
        run links "$writer"
        refused "$writer" 'no folder' 'irectory'
    fi
    [ -z "$(find . -name '.ptxlitmus*' -o -name '.page*')" ] || fail "$writer: leaves $(find . -name '.ptxlitmus*' -o -name '.page*')"
done

# The launch of a kernel is saved into a new file: nothing that is there is replaced.
cp "$library/../../../tests/kernels/check/reverse.ptx" kernel.ptx
saved() { # FILE WORDS: it is not saved there, with status 4, and what is there stays
    status=0
    "$program" check --no-fix --block 4 --save="$1" kernel.ptx reverse_late >out.text 2>err.text || status=$?
    checks=$((checks + 1))
    refused 'check --save' "$1" "$2"
}
mkdir new
saved MP.litmus 'it is there already'
cmp -s MP.litmus "$library/MP.litmus" || fail '--save has changed a file'
saved new 'it is there already'
saved none/x 'No such file or directory'
ln -s none new/link
saved new/link 'it is a symbolic link'
"$program" check --no-fix --block 4 --save=new/x kernel.ptx reverse_late >out.text || fail 'check --save'
grep -q '^kernel reverse_late' new/x || fail "check --save: $(cat new/x)"
[ "$(find new | wc -l)" -eq 3 ] || fail "check --save leaves $(ls -A new)"

# A device is written as it is, and so is what the process has open already.
! "$program" --emit-ptx /dev/full MP.litmus 2>err.text || fail '/dev/full'
grep -q 'No space left' err.text || fail "/dev/full: $(cat err.text)"
[ -c /dev/full ] || fail '/dev/full is gone'
"$program" --emit-ptx x.ptx MP.litmus
"$program" --emit-ptx /dev/stdout MP.litmus >out.text
cmp -s out.text x.ptx || fail '/dev/stdout'
"$program" --emit-ptx /dev/fd/7 MP.litmus 7>out.text
cmp -s out.text x.ptx || fail '/dev/fd/7'
"$program" --emit-ptx >(cat >out.text) MP.litmus
for _ in $(seq 100); do cmp -s out.text x.ptx && break; sleep 0.1; done
cmp -s out.text x.ptx || fail 'a pipe'

# --- A disk that is full ---------------------------------------------------------------------------------
# On a file system of 256 KiB, with all of it in use: what was there stays. Mounting one takes a namespace of mounts.
cat >full.sh <<'END'
mount -t tmpfs -o size=256k none "$1/full" && { "${@:2}"; }
END
on_full_disk() { # the rest of this file, with the disk
    local writer
    for writer in "${writers[@]}"; do
        prepared full "$writer"
        run full "$writer" # the old file
        cp "$out" before.text
        [[ $writer != update* ]] || { cp wrong.litmus full/update; cp wrong.litmus before.text; }
        dd if=/dev/zero of=full/filler bs=4k 2>/dev/null
        run full "$writer"
        refused "$writer" 'a full disk' 'No space left on device'
        cmp -s before.text "$out" || fail "$writer: a full disk has cost $(wc -c <before.text) bytes"
        [ -z "$(find full -name '.ptxlitmus*' -o -name '.page*')" ] || fail "$writer: leaves $(find full -name '.ptxlitmus*')"
        rm -r full/filler full/folder
        rm -f full/x full/update
    done
    dd if=/dev/zero of=full/filler bs=4k 2>/dev/null
    saved full/saved 'No space left on device'
    [ "$(ls -A full)" = filler ] || fail "check --save on a full disk leaves $(ls -A full)"
    echo "$checks checks, $failed failures on the full disk"
    [ "$failed" -eq 0 ]
}
mkdir full
export -f on_full_disk run refused prepared saved fail
export work program library
if unshare --mount --map-root-user mount -t tmpfs none full 2>/dev/null; then
    declare -p writers >writers.sh
    unshare --mount --map-root-user bash -c '. ./writers.sh; failed=0 checks=0
        mount -t tmpfs -o size=256k none full && on_full_disk' || fail 'on a full disk'
else
    echo 'mounts are not allowed here: a full disk was not tried'
fi
# A limit for the size of files is one of the same kind, and needs no mount.
sed 's/^{/"'"$(printf 'x%.0s' {1..40000})"'"\n{/' wrong.litmus >large.litmus
cp large.litmus large.before
(ulimit -f 16 && exec "$program" suite --verdict --update large.litmus) >out.text 2>err.text && fail 'a limit of 16 KiB'
grep -q 'cannot write large.litmus: File too large' err.text || fail "a limit of 16 KiB: $(cat err.text)"
cmp -s large.litmus large.before || fail 'a limit of 16 KiB has cost what was there'

# --- Names of files ------------------------------------------------------------------------------------------
# Tests of one name, and names of 300 characters, which are the same up to the last.
long=$(printf 'n%.0s' {1..299})
mkdir -p names/a names/b
sed "1s/.*/PTX ${long}1/" MP.litmus >names/one.litmus
sed "1s/.*/PTX ${long}2/" MP.litmus >names/two.litmus
sed '1s/.*/PTX a\/b/' MP.litmus >names/slash.litmus
sed '1s/.*/PTX a:b/' MP.litmus >names/colon.litmus
cp MP.litmus names/a/MP.litmus
cp MP.litmus names/b/MP.litmus
expect_names() { # FOLDER PATTERN COUNT: so many files
    local found
    found=$(find "$1" -name "$2" | wc -l)
    checks=$((checks + 1))
    [ "$found" -eq "$3" ] || fail "$found files $2 in $1, not $3: $(ls "$1" | cut -c 1-250)"
}
"$program" report -o pages names >out.text || fail "report: $(cat out.text)"
expect_names pages '*.html' 7
expect_names pages 'a_b-2.html' 1
for page in pages/*.html; do grep -qF "${page##*/}" pages/index.html || [ "$page" = pages/index.html ] || fail "the index lacks $page"; done
"$program" harness -o gpu names/one.litmus names/two.litmus >out.text 2>&1 || fail "harness: $(cat out.text)"
expect_names gpu/tests '*.litmus' 2
sed '1s/.*/PTX a_b/' MP.litmus >under.litmus
"$program" harness -o none names/a/MP.litmus under.litmus names/colon.litmus >out.text 2>&1
[ $? -eq 2 ] && grep -qF "names/colon.litmus: error: in logs, 'a:b' is called 'a_b', as is another test, 'a_b': under.litmus" out.text ||
    fail "harness with one name: $(cat out.text)"
if [ "${#writers[@]}" -gt 13 ]; then
    mkdir proofs
    for jobs in 1 4 4; do # again, each writes its own files
        "$program" --engine cadical -j $jobs --proof proofs names >out.text 2>err.text || fail "proofs: $(cat err.text)"
        for ending in cnf drat map; do expect_names proofs "*.$ending" 6; done
    done
    [ "$(head -qn 1 proofs/*.map | sort -u | wc -l)" -eq 6 ] || fail "maps of $(head -qn 1 proofs/*.map)"
fi
echo "$checks checks, $failed failures"
[ "$failed" -eq 0 ]
