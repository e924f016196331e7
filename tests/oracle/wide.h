// Integers of 128 bits.
#ifndef PTXLITMUS_ORACLE_WIDE_H
#define PTXLITMUS_ORACLE_WIDE_H

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

#endif
