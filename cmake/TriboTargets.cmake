# Flags shared by every target, precompiled headers, and tribo_layer(): one library per folder of src/.

add_library(tribo_flags INTERFACE)
target_compile_options(tribo_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                             -Werror -ffp-contract=off -fno-math-errno -fno-trapping-math)
# Vectors of eight numbers are handed around inside single files; how, is nobody else's business.
target_compile_options(tribo_flags INTERFACE -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 sees uninitialized reads and overflows in inlined Eigen and std::string code that are not there.
  target_compile_options(tribo_flags INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
                                               -Wno-stringop-overread)
endif()
if(TRIBO_NATIVE)
  target_compile_options(tribo_flags INTERFACE -march=native)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # gcc 12's own AVX-512 header trips this warning; the other presets keep it on for our code.
    target_compile_options(tribo_flags INTERFACE -Wno-uninitialized)
  endif()
endif()
set(TRIBO_EDGES_ONLY OFF)
if(TRIBO_SANITIZE AND NOT TRIBO_SANITIZE_ALL)
  set(TRIBO_EDGES_ONLY ON)
endif()
if(TRIBO_SANITIZE)
  target_compile_options(tribo_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                               -fno-omit-frame-pointer)
  if(NOT TRIBO_SANITIZE_ALL)
    # Checks of every pointer that is followed double the time to compile; `make sanitize` has them.
    target_compile_options(tribo_flags INTERFACE -fno-sanitize=null,alignment,vptr,object-size,pointer-overflow)
  endif()
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(CCACHE ccache)
if(CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Parsing Eigen costs more than a second per file, so it is done once for the libraries and once for the tests. A
# compiler cache that is warm does better still, and cannot look behind a precompiled header: with one, there are none,
# but for the presets of `make test`, which must not take long where the cache is empty. So builds of both kinds happen
# every day, and a file that forgets an #include is found by the second kind.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(tribo_pch_default OFF)
else()
  set(tribo_pch_default ON)
endif()
option(TRIBO_PCH "precompile Eigen and the standard headers" ${tribo_pch_default})
set(TRIBO_PCH_HEADERS <Eigen/Core> <algorithm> <array> <cmath> <cstdint> <limits> <memory> <string> <utility> <variant>
                      <vector>)
if(TRIBO_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A header that cannot be used costs time, not correctness.
  target_compile_options(tribo_flags INTERFACE -Wno-error=invalid-pch)
endif()

# Several files of a folder compiled as one: headers and templates are read once. Not with a compiler cache, for the same
# reason as above, and so that a file that leans on another is found.
option(TRIBO_UNITY "compile several files of a folder as one" ${tribo_pch_default})

# tribo_unity(TARGET BATCH [sources that are never compiled with others…]): BATCH files are compiled as one, which should take
# the compiler less than half a minute. The private names of a file are those of its neighbours too.
function(tribo_unity target batch)
  if(NOT TRIBO_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # gcc takes the anonymous namespaces of a file that was included for those of a header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# tribo_precompile(TARGET OWNER [headers]): TARGET uses the precompiled headers of OWNER; the owner itself names them.
# Both must be compiled with the same flags.
function(tribo_precompile target owner)
  if(NOT TRIBO_PCH)
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# tribo_edge(TARGET [sources that are timed themselves…]): files, bench, studies and command line stand around what is computed,
# which is optimised; they themselves compile in half the time without.
function(tribo_edge target)
  target_compile_options(${target} PRIVATE -O1 -fPIC)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # -fPIE would not share the precompiled header
  tribo_precompile(${target} tribo_io ${TRIBO_PCH_HEADERS} <functional> <sstream> <nlohmann/json.hpp>)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O3 SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# tribo_layer(NAME SOURCES … DEPENDS other layers … [BATCH files compiled as one] [EDGE: nothing in it is timed])
function(tribo_layer name)
  cmake_parse_arguments(arg "EDGE" "BATCH" "SOURCES;DEPENDS" ${ARGN})
  if(NOT arg_BATCH)
    set(arg_BATCH 8)
  endif()
  set(target tribo_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(tribo::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                             PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(${target} PUBLIC cxx_std_20)
  foreach(dependency ${arg_DEPENDS})
    target_link_libraries(${target} PUBLIC tribo_${dependency})
  endforeach()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tribo_flags>)
  if(arg_EDGE)
    tribo_edge(${target})
  elseif(NOT name STREQUAL "core")  # core does not know Eigen
    tribo_precompile(${target} tribo_linalg ${TRIBO_PCH_HEADERS})
  endif()
  tribo_unity(${target} ${arg_BATCH})
  set_property(GLOBAL APPEND PROPERTY TRIBO_LAYERS ${target})
endfunction()
