// The versions of the PTX ISA.
#include "litmus/ptx/target.h"

bool ptx_is_version(unsigned version) {
    static const unsigned char last_minor[] = {[6] = 5, [7] = 8, [8] = 8, [9] = 1};
    unsigned major = version / 10, minor = version % 10;
    return version >= PTX_OLDEST && major < sizeof last_minor && minor <= last_minor[major];
}
