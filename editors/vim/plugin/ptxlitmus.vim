" Where there is vim-lsp, it starts ptxlitmus's server for tests and modules.
if exists('g:loaded_ptxlitmus')
  finish
endif
let g:loaded_ptxlitmus = 1

function! s:register() abort
  call lsp#register_server({
        \ 'name': 'ptxlitmus',
        \ 'cmd': {_ -> ['ptxlitmus', 'lsp']},
        \ 'allowlist': ['litmus'],
        \ })
endfunction

augroup ptxlitmus
  autocmd!
  autocmd User lsp_setup call s:register()
augroup END
