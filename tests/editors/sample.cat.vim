"A title with let in it"
 ^ catString
(* let (* rec *) and *) let
   ^ catComment
                 ^ catComment
                        ^ catKeyword
// acyclic
   ^ catComment
let rec my-po = po | [R]; rf^-1 ; same-cta and let-it = W * M
^ catKeyword
        ^ catName
                ^ catRelation
                   ^ catOperator
                      ^ catSet
                                  ^ catRelation
                                           ^ catKeyword
                                               ^ catName
acyclic po as no-thin-air
^ catTest
              ^ catName
flag race ~empty co as my-race
^ catKeyword
     ^ catFlag
           ^ catTest
procedure x
^ catReserved
