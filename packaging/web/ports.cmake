# What Emscripten does not bring: jansson, libunistring's two functions and CaDiCaL, compiled from the sources that
# fetch.sh has put into PTXLITMUS_PORTS. Sets what the native build finds on the system.
set(PTXLITMUS_PORTS "" CACHE PATH "folder with the sources of jansson, libunistring and CaDiCaL (packaging/web/fetch.sh)")

# port(NAME FOLDER): the only folder of that name and any version.
function(port name folder)
  file(GLOB found ${PTXLITMUS_PORTS}/${name}-*)
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "PTXLITMUS_PORTS has ${count} folders '${name}-*', not one: run packaging/web/fetch.sh FOLDER")
  endif()
  set(${folder} ${found} PARENT_SCOPE)
endfunction()
port(jansson JANSSON_FOLDER)
port(libunistring UNISTRING_FOLDER)
port(cadical CADICAL_FOLDER)
set(PORTS_HEADERS ${CMAKE_BINARY_DIR}/ports)

# jansson's settings are what its CMake file would find; the seed of its tables comes from the clock.
file(READ ${JANSSON_FOLDER}/src/jansson_config.h.in config)
string(REGEX REPLACE "@json_inline@" "inline" config "${config}")
string(REGEX REPLACE "@json_have_(long_long|localeconv|atomic_builtins)@" "1" config "${config}")
string(REGEX REPLACE "@json_have_[a-z_]+@" "0" config "${config}")
file(WRITE ${PORTS_HEADERS}/jansson_config.h "${config}")
file(WRITE ${PORTS_HEADERS}/jansson_private_config.h "")
file(GLOB sources ${JANSSON_FOLDER}/src/*.c)
add_library(port_jansson STATIC ${sources})
target_include_directories(port_jansson PUBLIC ${JANSSON_FOLDER}/src ${PORTS_HEADERS})
target_compile_definitions(port_jansson PRIVATE HAVE_STDINT_H HAVE_UNISTD_H HAVE_SYS_TIME_H HAVE_GETTIMEOFDAY)
add_library(PkgConfig::JANSSON ALIAS port_jansson)

# libunistring's headers are templates, in which the two functions need nothing filled in.
foreach(header unistr uniwidth unitypes)
  configure_file(${UNISTRING_FOLDER}/lib/${header}.in.h ${PORTS_HEADERS}/${header}.h COPYONLY)
endforeach()
file(WRITE ${PORTS_HEADERS}/config.h "")
foreach(header stdbool stdint)
  file(WRITE ${PORTS_HEADERS}/unistring/${header}.h "#include <${header}.h>\n")
endforeach()
configure_file(${UNISTRING_FOLDER}/lib/localcharset.h ${PORTS_HEADERS}/unistring/localcharset.h COPYONLY)
foreach(header cdefs inline)
  configure_file(${UNISTRING_FOLDER}/lib/unistring/${header}.h ${PORTS_HEADERS}/unistring/${header}.h COPYONLY)
endforeach()
add_library(port_unistring STATIC ${UNISTRING_FOLDER}/lib/unistr/u8-mbtoucr.c ${UNISTRING_FOLDER}/lib/uniwidth/width.c)
target_include_directories(port_unistring PRIVATE ${PORTS_HEADERS} ${UNISTRING_FOLDER}/lib)
set(UNISTRING_LIBRARY port_unistring)
set(UNISTRING_INCLUDE ${PORTS_HEADERS})

# uthash is headers alone, which are the system's.
foreach(header utarray uthash)
  find_file(UTHASH_${header} ${header}.h PATHS /usr/include REQUIRED NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  configure_file(${UTHASH_${header}} ${PORTS_HEADERS}/${header}.h COPYONLY)
endforeach()
include_directories(SYSTEM ${PORTS_HEADERS})

enable_language(CXX)
file(GLOB sources ${CADICAL_FOLDER}/src/*.cpp)
list(FILTER sources EXCLUDE REGEX "/(cadical|mobical)\\.cpp$") # programs
add_library(port_cadical STATIC ${sources})
target_compile_definitions(port_cadical PRIVATE QUIET NBUILD NUNLOCKED NCLOSEFROM NDEBUG)
set(CADICAL_LIBRARY port_cadical)
set(CADICAL_INCLUDE ${CADICAL_FOLDER}/src)

# Warnings are about ptxlitmus's sources.
foreach(port port_jansson port_unistring port_cadical)
  target_compile_options(${port} PRIVATE -w)
endforeach()

# What Emscripten's C library has no declaration of.
add_compile_options("$<$<COMPILE_LANGUAGE:C>:SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/missing.h>")
set(CXX_LIBRARY "") # em++ links its own
