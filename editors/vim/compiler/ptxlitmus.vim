" ":make" checks the test of the buffer; messages go to the quickfix list.
if exists('current_compiler')
  finish
endif
let current_compiler = 'ptxlitmus'
CompilerSet makeprg=ptxlitmus\ --quiet\ --color\ never\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%f:%l:%c:\ failed:\ %m,%-G%.%#
