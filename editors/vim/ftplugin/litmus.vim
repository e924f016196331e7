" PTX litmus tests: comments, and ":make" runs the test.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal comments=s1:/*,mb:*,ex:*/,:// commentstring=//\ %s
compiler ptxlitmus
let b:undo_ftplugin = 'setlocal comments< commentstring< makeprg< errorformat<'
