" PTX litmus tests and cat memory models.
autocmd BufNewFile,BufRead *.litmus setfiletype litmus
autocmd BufNewFile,BufRead *.cat setfiletype cat
