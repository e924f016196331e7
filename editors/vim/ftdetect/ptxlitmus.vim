" PTX litmus tests, modules of PTX and cat memory models.
autocmd BufNewFile,BufRead *.litmus,*.ptx setfiletype litmus
autocmd BufNewFile,BufRead *.cat setfiletype cat
