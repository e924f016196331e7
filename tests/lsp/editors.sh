#!/usr/bin/env bash
# The clients of editors/ with the program's server: the extension for Visual Studio Code out of its .vsix, in place of the editor a script
# (vscode.js); Neovim, and Emacs with Eglot, themselves; and what Vim tells vim-lsp, in place of which there is a function. Those that are
# not there are left out; skipped (77) where none is.
#
# usage: editors.sh PROGRAM
set -u
program=$(realpath "${1:?usage: editors.sh PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/home"
ln -s "$program" "$work/bin/ptxlitmus"
export PATH=$work/bin:$PATH HOME=$work/home XDG_CACHE_HOME=$work/home LC_ALL=C.UTF-8
failed=0 ran=0
sed 's/st\.release/st.relaxd/' litmus/library/message-passing/MP.litmus >"$work/bad.litmus"
sed 's/st\.release/st.relaxed/' litmus/library/message-passing/MP.litmus >"$work/weak.litmus"

# compare EDITOR: what an editor has said, in $work/said, is as expected: standard input.
compare() {
    ran=$((ran + 1))
    diff - "$work/said" && echo "$1: as expected" && return
    echo "FAIL $1: < is expected, > is what it said"
    cat "$work/log"
    failed=$((failed + 1))
}

expected() {
    cat <<'END'
8 3: unknown qualifier '.relaxd'
8 10
acquire
10 7: expected forbidden, but the condition is allowed under ptx-9.1: 1 of 4 outcomes satisfies it
 st.release.gpu.global.u32 [flag], 1 | ld.weak.global.u32 %r1, [data]        ;
END
}

if command -v node >/dev/null && command -v python3 >/dev/null; then
    python3 packaging/vsix.py editors LICENSE "$work/it.vsix" && python3 -m zipfile -e "$work/it.vsix" "$work/vsix" || exit 1
    ran=$((ran + 1))
    python3 -c 'import sys; from xml.etree import ElementTree; [ElementTree.parse(name) for name in sys.argv[1:]]' \
        "$work/vsix/extension.vsixmanifest" "$work/vsix/[Content_Types].xml" || failed=$((failed + 1))
    node tests/lsp/vscode.js "$work/vsix/extension" "$program" || failed=$((failed + 1))
else
    echo 'no node or no python3: the extension for Visual Studio Code was not tried'
fi
if command -v nvim >/dev/null; then
    rm -f "$work/said"
    WORK=$work timeout 300 nvim --headless -n -u tests/lsp/neovim.lua "$work/bad.litmus" -c 'lua drive()' >"$work/log" 2>&1 </dev/null
    compare Neovim < <(expected)
else
    echo 'no Neovim: not tried'
fi
if command -v emacs >/dev/null && emacs --batch --eval "(progn (package-initialize) (require 'eglot))" >/dev/null 2>&1; then
    rm -f "$work/said"
    WORK=$work timeout 300 emacs --batch --eval '(package-initialize)' -l tests/lsp/emacs.el >"$work/log" 2>&1 </dev/null
    compare Emacs < <(expected)
else
    echo 'no Emacs with Eglot: not tried'
fi
if command -v vim >/dev/null && vim --version | grep -q '+eval'; then
    rm -f "$work/said"
    mkdir -p "$work/vim-lsp/autoload"
    cat >"$work/vim-lsp/autoload/lsp.vim" <<'VIM'
function! lsp#register_server(server) abort
  call writefile([a:server.name . ' ' . join(a:server.cmd({})), join(a:server.allowlist)], $WORK . '/said')
endfunction
VIM
    cp tests/lsp/race.ptx "$work/race.ptx"
    WORK=$work timeout 300 vim -es -N -n -u NONE -i NONE --cmd "set runtimepath^=editors/vim,$work/vim-lsp" \
        -c 'runtime plugin/ptxlitmus.vim' -c 'filetype plugin on' -c 'doautocmd User lsp_setup' -c "edit $work/race.ptx" \
        -c 'call writefile([&filetype], $WORK . "/said", "a")' -c 'qa!' >"$work/log" 2>&1 </dev/null
    compare 'Vim' <<'END'
ptxlitmus ptxlitmus lsp
litmus
litmus
END
else
    echo 'no Vim with scripts: not tried'
fi
[ "$ran" -gt 0 ] || exit 77
echo "$ran editors, $failed failed"
[ "$failed" -eq 0 ]
