# Finds Z3 and defines the imported target Z3::Z3 (headers z3.h, z3++.h and the library).
#
# Looks in three places, chosen by DIMGATE_Z3:
#   wheel   the Python wheel `z3-solver`, which carries headers and library (`./dev setup` puts it into .venv)
#   system  a CMake package Z3, else headers and library of the system (Debian: libz3-dev)
#   auto    wheel, else system
# DIMGATE_Z3_WHEEL names the wheel's directory (.../site-packages/z3) where it lies elsewhere; Z3_ROOT is honoured.
# Sets Z3_FOUND, Z3_VERSION, Z3_ORIGIN (wheel, cmake or system), Z3_INCLUDE_DIR and Z3_LIBRARY.
# Installed with the package: dimgate-config.cmake uses it too. Tested by tests/consumers and by CI's two Z3 builds.

set(DIMGATE_Z3 auto CACHE STRING "Which Z3: wheel, system or auto")
set_property(CACHE DIMGATE_Z3 PROPERTY STRINGS auto wheel system)
set(DIMGATE_Z3_WHEEL "" CACHE PATH "Directory z3 of an installed wheel z3-solver (empty: search)")
if(NOT DIMGATE_Z3 MATCHES "^(auto|wheel|system)$")
  message(FATAL_ERROR "DIMGATE_Z3 is '${DIMGATE_Z3}': must be wheel, system or auto")
endif()

set(Z3_ORIGIN "")
set(Z3_VERSION "")
unset(Z3_INCLUDE_DIR)
unset(Z3_LIBRARY)

if(DIMGATE_Z3 MATCHES "^(auto|wheel)$")
  set(_z3_candidates "")
  if(DIMGATE_Z3_WHEEL)
    list(APPEND _z3_candidates "${DIMGATE_Z3_WHEEL}")
  else()
    foreach(_z3_venv "${CMAKE_CURRENT_LIST_DIR}/../.venv" "$ENV{VIRTUAL_ENV}")
      if(_z3_venv)
        file(GLOB _z3_found "${_z3_venv}/lib/python3*/site-packages/z3")
        list(APPEND _z3_candidates ${_z3_found})
      endif()
    endforeach()
  endif()
  foreach(_z3_dir IN LISTS _z3_candidates)
    if(EXISTS "${_z3_dir}/include/z3++.h" AND EXISTS "${_z3_dir}/lib/libz3.so")
      get_filename_component(_z3_dir "${_z3_dir}" REALPATH)
      set(Z3_ORIGIN wheel)
      set(Z3_INCLUDE_DIR "${_z3_dir}/include")
      set(Z3_LIBRARY "${_z3_dir}/lib/libz3.so")
      file(GLOB _z3_info "${_z3_dir}/../z3_solver-*.dist-info")
      if(_z3_info MATCHES "z3_solver-([0-9.]+)\\.dist-info")
        set(Z3_VERSION "${CMAKE_MATCH_1}")
      endif()
      break()
    endif()
  endforeach()
endif()

if(NOT Z3_ORIGIN AND DIMGATE_Z3 MATCHES "^(auto|system)$")
  find_package(Z3 CONFIG QUIET)
  if(TARGET z3::libz3)
    set(Z3_ORIGIN cmake)
    set(Z3_LIBRARY z3::libz3)
    set(Z3_INCLUDE_DIR ${Z3_CXX_INCLUDE_DIRS})
    set(Z3_VERSION "${Z3_VERSION_STRING}")
  else()
    find_path(Z3_SYSTEM_INCLUDE_DIR z3++.h PATH_SUFFIXES z3)
    find_library(Z3_SYSTEM_LIBRARY z3)
    mark_as_advanced(Z3_SYSTEM_INCLUDE_DIR Z3_SYSTEM_LIBRARY)
    if(Z3_SYSTEM_INCLUDE_DIR AND Z3_SYSTEM_LIBRARY)
      set(Z3_ORIGIN system)
      set(Z3_INCLUDE_DIR "${Z3_SYSTEM_INCLUDE_DIR}")
      set(Z3_LIBRARY "${Z3_SYSTEM_LIBRARY}")
      if(EXISTS "${Z3_INCLUDE_DIR}/z3_version.h")
        file(STRINGS "${Z3_INCLUDE_DIR}/z3_version.h" _z3_line REGEX "Z3_FULL_VERSION")
        string(REGEX REPLACE "[^\"]*\"[^0-9]*([0-9.]+).*" "\\1" Z3_VERSION "${_z3_line}")
      endif()
    endif()
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Z3
  REQUIRED_VARS Z3_LIBRARY Z3_INCLUDE_DIR
  VERSION_VAR Z3_VERSION
  REASON_FAILURE_MESSAGE "DIMGATE_Z3=${DIMGATE_Z3}: run `./dev setup` (wheel z3-solver in .venv), install libz3-dev, or configure with -DDIMGATE_SOLVER=OFF")

if(Z3_FOUND AND NOT TARGET Z3::Z3)
  if(Z3_ORIGIN STREQUAL "cmake")
    add_library(Z3::Z3 INTERFACE IMPORTED)
    target_link_libraries(Z3::Z3 INTERFACE z3::libz3)
    target_include_directories(Z3::Z3 SYSTEM INTERFACE ${Z3_INCLUDE_DIR})
  else()
    add_library(Z3::Z3 UNKNOWN IMPORTED)
    set_target_properties(Z3::Z3 PROPERTIES
      IMPORTED_LOCATION "${Z3_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${Z3_INCLUDE_DIR}")
  endif()
endif()
