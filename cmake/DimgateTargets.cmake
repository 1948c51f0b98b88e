# What every dimgate target shares: language level, warnings, sanitizers, include paths; and one function for each kind
# of target of the house: dimgate_library, dimgate_tool, dimgate_test, dimgate_bench.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()
find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Boost.Multiprecision (headers only) stands behind Integer; no public header shows it.
find_path(DIMGATE_BOOST_INCLUDE_DIR boost/multiprecision/cpp_int.hpp)
mark_as_advanced(DIMGATE_BOOST_INCLUDE_DIR)
if(NOT DIMGATE_BOOST_INCLUDE_DIR)
  message(FATAL_ERROR "Boost.Multiprecision not found: run `./dev setup`, or install Boost's headers (Debian: libboost-dev)")
endif()

function(dimgate_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers>
    # false on std::string in g++ 12 (GCC bug 105651); nothing takes the place of a function of these static libraries
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -fno-semantic-interposition>)
  if(DIMGATE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(DIMGATE_SANITIZE)
    # null is what the address sanitizer catches anyway; with alignment it doubles the time to compile.
    target_compile_options(${target} PRIVATE
      -fsanitize=address,undefined -fno-sanitize=null,alignment -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
  if(DIMGATE_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# A library of the house: public headers in include/, private ones reached as "room/name.hpp".
function(dimgate_library target export_name)
  dimgate_options(${target})
  add_library(dimgate::${export_name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name} OUTPUT_NAME dimgate_${export_name})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(${target} SYSTEM PRIVATE ${DIMGATE_BOOST_INCLUDE_DIR})
  dimgate_exports(${target})
endfunction()

# Compiles a target's sources in batches of one folder's neighbours: the headers, which are half of a file's cost, are
# read once a batch. So a build from nothing takes a third of the time; after an edit a batch is compiled, not a file. Call it
# when the target has all its sources.
option(DIMGATE_BATCHES "Compile several sources of a room together (fast from nothing; OFF: fast after small edits)" OFF)
set(DIMGATE_BATCH 8)
function(dimgate_batches target)
  if(NOT DIMGATE_BATCHES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(DIMGATE_WERROR)  # false in a batch, whose files count as headers
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(seen "")
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${folder})
    get_filename_component(room ${path} DIRECTORY)
    file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${room})
    string(MAKE_C_IDENTIFIER "${room}" room)
    list(APPEND seen ${room})
    set(before ${seen})
    list(FILTER before INCLUDE REGEX "^${room}$")
    list(LENGTH before number)
    math(EXPR batch "(${number} - 1) / ${DIMGATE_BATCH}")
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${room}_${batch})
  endforeach()
endfunction()

# As a shared library it shows namespace dimgate and the C face alone; what it has taken in (templates of the
# standard library) stays its own. Static libraries show nothing (hidden visibility), so that a shared object which takes
# them in keeps its copy to itself.
function(dimgate_exports target)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "SHARED_LIBRARY")
    return()
  endif()
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  endif()
endfunction()

# A program people call, left at the top of the build directory: dimgate_tool(TARGET NAME SOURCES... [LINK libs...])
# is build/NAME.
function(dimgate_tool target name)
  cmake_parse_arguments(T "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${target} ${T_SOURCES})
  dimgate_options(${target})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} INSTALL_RPATH_USE_LINK_PATH TRUE)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE ${T_LINK})
endfunction()

# One doctest executable, run through ctest: dimgate_test(NAME SOURCES... [LINK libs...] [LABELS labels...]).
# It gets the label `quick` unless it says `long`, and `z3` where it links the solver: CI's sanitizer build runs the
# quick ones, its second Z3 build the z3 ones.
function(dimgate_test name)
  cmake_parse_arguments(T "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(test_${name} ${T_SOURCES})
  dimgate_options(test_${name})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(test_${name} PRIVATE DIMGATE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # Tests are built once and run briefly: compile time counts more than their own speed.
  target_compile_options(test_${name} PRIVATE
    $<$<CONFIG:Release>:-O1> $<$<BOOL:${DIMGATE_SANITIZE}>:-O0>)
  target_link_libraries(test_${name} PRIVATE dimgate_test_main ${T_LINK})
  if(NOT "long" IN_LIST T_LABELS)
    list(APPEND T_LABELS quick)
  endif()
  if("dimgate::solver" IN_LIST T_LINK)
    list(APPEND T_LABELS z3)
  endif()
  add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${T_LABELS}")
endfunction()

# One benchmark, built with target `benches` and run by `./dev bench`: dimgate_bench(NAME SOURCES... [LINK libs...]).
# It prints its own table and exits 0.
function(dimgate_bench name)
  cmake_parse_arguments(T "" "" "SOURCES;LINK" ${ARGN})
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${T_SOURCES})
  dimgate_options(bench_${name})
  set_target_properties(bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  target_include_directories(bench_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(bench_${name} PRIVATE DIMGATE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(bench_${name} PRIVATE ${T_LINK})
  if(NOT TARGET benches)
    add_custom_target(benches)
  endif()
  add_dependencies(benches bench_${name})
endfunction()
