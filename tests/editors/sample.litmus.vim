PTX sample of words
^ litmusHeaderWord
    ^ litmusHeader
"ld in a string // is none"
 ^ litmusString
                ^ litmusString
// ld in a comment
   ^ litmusComment
.version 8.0
^ litmusQualifier
         ^ litmusNumber
.global .align 8 .u32 x[2] = 0x10;
^ litmusSpace
               ^ litmusNumber
                 ^ litmusType
                      ^ litmusName
                             ^ litmusNumber
launch cooperative;
^ litmusDirective
       ^ litmusSchedule
progress cta=hsa, warp=obe;
^ litmusDirective
         ^ litmusScope
             ^ litmusSchedule
                       ^ litmusSchedule
P0@cta 0,gpu 2 {
^ litmusThread
   ^ litmusScope
       ^ litmusNumber
loop:
^ litmusLabel
  ld.acquire.gpu.global.u32 %r0, [x+4];
  ^ litmusOpcode
    ^ litmusOrder
            ^ litmusQualifierScope
                ^ litmusSpace
                       ^ litmusType
                            ^ litmusRegister
                                  ^ litmusName
  @!%p bra.uni loop; /* a comment */
  ^ litmusGuard
    ^ litmusRegister
       ^ litmusOpcode
          ^ litmusQualifier
                        ^ litmusComment
  atom.shared::cta.add.s32 %r1, [s], 0f3F800000;
  ^ litmusOpcode
      ^ litmusSpace
                  ^ litmusQualifier
                                     ^ litmusNumber
  wmma.store.sync.aligned;
  ^ litmusUnread
       ^ litmusQualifier
}
exists (P0:%r0 == 1 /\ x = 0)
^ litmusCondition
        ^ litmusThread
           ^ litmusRegister
               ^ litmusOperator
                    ^ litmusOperator
expect forbidden, no race, terminates, may-hang;
^ litmusCondition
       ^ litmusExpectation
                           ^ litmusExpectation
                                       ^ litmusExpectation
