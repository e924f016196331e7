" Vim syntax file: PTX litmus tests.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax iskeyword @,48-57,_,$

syntax match litmusName /[A-Za-z_$][0-9A-Za-z_$]*/
syntax keyword litmusOpcode abs activemask add addc and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brx
syntax keyword litmusOpcode call clusterlaunchcontrol clz cnot cp createpolicy cvt cvta div dp2a dp4a elect exit fence
syntax keyword litmusOpcode getctarank griddepcontrol isspacep ld ldmatrix ldu lop3 mad mad24 madc mapa match max mbarrier
syntax keyword litmusOpcode membar min mov movmatrix mul mul24 multimem nanosleep neg not or popc prefetch prefetchu
syntax keyword litmusOpcode prmt red redux rem ret sad selp set setmaxnreg setp shf shfl shl shr slct st stmatrix sub
syntax keyword litmusOpcode subc szext tcgen05 tensormap trap vote wgmma xor
syntax keyword litmusUnread alloca brkpt clmad copysign cos discard ex2 fabric fma fns istypep lg2 mma pmevent rcp
syntax keyword litmusUnread rsqrt sin spcompress spdecompress sqrt stackrestore stacksave suld suq sured sust tanh
syntax keyword litmusUnread testp tex tld4 txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax
syntax keyword litmusUnread vmax2 vmax4 vmin vmin2 vmin4 vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wmma
syntax keyword litmusCondition exists forall filter locations expect
syntax keyword litmusExpectation allowed forbidden always unreachable reachable hang race trap no terminates
syntax match litmusExpectation /\<may-hang\>/
syntax match litmusDirective /^\s*\<\(launch\|progress\|assume\)\ze\s\+[a-z]/
syntax match litmusDirective /^\s*\<grid\ze\s\+\d\+\s\+after\>/
syntax match litmusSchedule /\<\(cooperative\|cuda\|fair\|hsa\|hsa_obe\|obe\|lobe\|unfair\)\ze\s*[,;]/
syntax keyword litmusScope cta cluster gpu host
syntax keyword litmusAlias aliases generic texture surface constant async tensormap fabric
syntax match litmusQualifier /\.[A-Za-z_][0-9A-Za-z_]*\(::[0-9A-Za-z_]\+\)*/
syntax match litmusQualifier /\.\([1-5]d\|[0-9]\+x[0-9]\+b\(x2\)\?\)\>/
syntax match litmusType /\.\([busf]\(8\|16\|32\|64\|128\)\|f16x2\|bf16x2\|bf16\|pred\)\>/
syntax match litmusSpace /\.\(const\|global\|local\|param\|shared\)\>\(::[a-z]\+\)\?/
syntax match litmusOrder /\.\(weak\|relaxed\|acquire\|release\|acq_rel\|sc\|volatile\|mmio\)\>\(::\)\@!/
syntax match litmusQualifierScope /\.\(cta\|cluster\|gpu\|gl\|sys\)\>\(::\)\@!/
syntax match litmusThread /\<P[0-9]\+\ze[@:]/
syntax match litmusRegister /%[0-9A-Za-z_$]\+/
syntax match litmusGuard /@!\?\ze%/
syntax match litmusNumber /\<\(0[fF]\x\{8}\|0[dD]\x\{16}\|0[xX]\x\+U\?\|0[bB][01]\+U\?\|\d\+\(\.\d*\([eE][-+]\?\d\+\)\?\)\?U\?\)\>/
syntax match litmusOperator #/\\\|\\/\|[~=!<>]\+#
syntax match litmusLabel /^\s*[A-Za-z_$][0-9A-Za-z_$]*:\(\s\|$\)\@=/
syntax match litmusHeader /^\s*\cPTX\>.*$/ contains=litmusHeaderWord
syntax match litmusHeaderWord /^\s*\cPTX\>/ contained
syntax region litmusString start=/"/ end=/"/
syntax match litmusComment #//.*$#
syntax region litmusComment start=#/\*# end=#\*/#
syntax region litmusComment start=#(\*# end=#\*)#

syntax sync fromstart

highlight default link litmusOpcode Function
highlight default link litmusUnread Error
highlight default link litmusCondition Statement
highlight default link litmusExpectation Constant
highlight default link litmusDirective Statement
highlight default link litmusSchedule Constant
highlight default link litmusScope StorageClass
highlight default link litmusAlias StorageClass
highlight default link litmusQualifier PreProc
highlight default link litmusType Type
highlight default link litmusSpace StorageClass
highlight default link litmusOrder Keyword
highlight default link litmusQualifierScope StorageClass
highlight default link litmusThread Label
highlight default link litmusRegister Identifier
highlight default link litmusGuard Conditional
highlight default link litmusNumber Number
highlight default link litmusOperator Operator
highlight default link litmusLabel Label
highlight default link litmusHeader Title
highlight default link litmusHeaderWord Statement
highlight default link litmusString String
highlight default link litmusComment Comment

let b:current_syntax = 'litmus'
