" Vim syntax file: memory models in cat, the language of herd.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax iskeyword @,48-57,_,.,-

syntax match catConstant /_\|\<0\>\|{}/
syntax match catName /_\?[A-Za-z][0-9A-Za-z_.-]*'\?/
syntax keyword catTest acyclic empty irreflexive
syntax keyword catKeyword and as else flag if in_any_program include let rec show then undefined_unless
syntax keyword catKeyword unshow
syntax keyword catReserved begin call compat debug default do end enum forall from fun in
syntax keyword catReserved instructions match procedure subset try when with yield
syntax keyword catSet ACQUIRE ACQ_REL ALIAS ARRIVE ASYNC ATOMIC B BAR_OPERANDS BAR_RED CANCEL_QUERY CLUSTER CONSTANT CTA F FABRIC
syntax keyword catSet FROM_FABRIC GENERIC GLOBAL_SPACE GPU GRID_LAUNCH GROUP_WAIT INIT_FENCE ISSUE IW M MBARRIER
syntax keyword catSet MB_ARRIVE MB_COMPLETE MB_COUNT MB_DECLARED MB_INIT MB_INVAL MB_STATE MB_TX MB_WAIT MB_WRITE MMIO
syntax keyword catSet PF R READONLY RED RELAXED RELEASE SC SHARED_SPACE SURFACE SYNC_RESTRICT SYS TC_AFTER TC_ALLOC
syntax keyword catSet TC_BEFORE TC_CP TC_CP_4X256B TC_DEALLOC TC_LD TC_MMA TC_PAIR TC_RELINQUISH TC_SHIFT TC_ST
syntax keyword catSet TENSORMAP TEXTURE TMEM TMEM_DYNAMIC TO_FABRIC TRY_CANCEL VOLATILE W WARP WEAK WGMMA WGMMA_FENCE
syntax keyword catSet WIDE
syntax keyword catRelation addr allocation apart applies-to barrier broken cancel-failed co ctrl data done exit exit-dep ext
syntax keyword catRelation fr grid-started grid-waited id int issue loc mb-phase mb-state mb-undefined mb-waited
syntax keyword catRelation next-grid outlives passed-dep phase po registers-undefined rf rmw same-barrier same-cluster
syntax keyword catRelation same-count same-cta same-extent same-gpu same-phase same-proxy same-shape sc underway vloc
syntax keyword catRelation within
syntax match catFlag /\(\<flag\s\+\)\@<=\(race\|undefined\)\(\s\+\(race\|undefined\)\)\?\ze\s/
syntax match catOperator /\^-1\|\^[+*?]\|[|;\\&*~+?=]/
syntax region catString start=/"/ end=/"/
syntax match catComment "\(//\|#\).*$"
syntax region catComment start=/(\*/ end=/\*)/ contains=catComment

syntax sync fromstart

highlight default link catConstant Constant
highlight default link catTest Statement
highlight default link catKeyword Keyword
highlight default link catReserved Error
highlight default link catSet Type
highlight default link catRelation Function
highlight default link catFlag Keyword
highlight default link catOperator Operator
highlight default link catString String
highlight default link catComment Comment

let b:current_syntax = 'cat'
