# Installs headers, libraries, the command line and the two ways to find them: a CMake package with the components
# runtime, dimgate, c and solver, and pkg-config files dimgate-runtime, dimgate, dimgate-c, dimgate-solver. Each is tried by a small
# program in tests/consumers. All files are relocatable but for the place of Z3, which the solver alone names.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dimgate)
install(DIRECTORY include/dimgate DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/dimgate)

set(libraries runtime dimgate c)
if(TARGET dimgate_solver)
  list(APPEND libraries solver)
endif()
foreach(library IN LISTS libraries)
  install(TARGETS dimgate_${library} EXPORT dimgate-${library}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT dimgate-${library} NAMESPACE dimgate:: FILE dimgate-${library}-targets.cmake
          DESTINATION ${package_dir})
endforeach()

# All that is installed, to be built before: cmake --build . --target dimgate_installed && cmake --install .
set(installed dimgate_runtime dimgate_dimgate dimgate_c)
foreach(target dimgate_solver dimgate_main)
  if(TARGET ${target})
    list(APPEND installed ${target})
  endif()
endforeach()
add_custom_target(dimgate_installed DEPENDS ${installed})

# Where the wheel was that the solver was built with: the first place an installed package looks.
set(DIMGATE_BUILT_WITH_WHEEL "")
if(Z3_ORIGIN STREQUAL "wheel")
  get_filename_component(DIMGATE_BUILT_WITH_WHEEL "${Z3_INCLUDE_DIR}" DIRECTORY)
endif()
configure_package_config_file(cmake/dimgate-config.cmake.in ${PROJECT_BINARY_DIR}/package/dimgate-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/dimgate-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/dimgate-config.cmake
              ${PROJECT_BINARY_DIR}/package/dimgate-config-version.cmake cmake/FindZ3.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PC_UP "${PC_UP}")
function(dimgate_pkg_config name description requires libs)
  set(PC_NAME ${name})
  set(PC_DESCRIPTION "${description}")
  set(PC_REQUIRES "${requires}")
  set(PC_LIBS "${libs}")
  configure_file(cmake/dimgate.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
# src/cache says what the runtime itself needs (DIMGATE_RUNTIME_LIBS, DIMGATE_RUNTIME_DEPENDENCIES).
if(BUILD_SHARED_LIBS)  # a shared library brings what it needs
  set(DIMGATE_RUNTIME_LIBS "")
  set(DIMGATE_IMPORT_LIBS "")
endif()
string(STRIP "-ldimgate_runtime ${DIMGATE_RUNTIME_LIBS}" runtime_libs)
dimgate_pkg_config(dimgate-runtime "Guards as a compiled program checks them" "" "${runtime_libs}")
string(STRIP "-ldimgate_dimgate ${DIMGATE_IMPORT_LIBS}" dimgate_libs)  # src/import says what it needs
dimgate_pkg_config(dimgate "${PROJECT_DESCRIPTION}" dimgate-runtime "${dimgate_libs}")
dimgate_pkg_config(dimgate-c "dimgate for C (a C compiler that links adds -lstdc++ -lm)" dimgate "-ldimgate_c")
if(TARGET dimgate_solver)
  set(z3_libs "${Z3_LIBRARY}")
  if(Z3_ORIGIN STREQUAL "cmake")
    set(z3_libs "-lz3")
  elseif(Z3_ORIGIN STREQUAL "wheel")
    get_filename_component(z3_dir "${Z3_LIBRARY}" DIRECTORY)
    set(z3_libs "${Z3_LIBRARY} -Wl,-rpath,${z3_dir}")
  endif()
  dimgate_pkg_config(dimgate-solver "Z3 behind dimgate's Prover" dimgate "-ldimgate_solver ${z3_libs}")
endif()
if(TARGET dimgate_main)
  if(Z3_ORIGIN STREQUAL "wheel")  # lies in the tree (.venv), where CMake would not keep it by itself
    set_target_properties(dimgate_main PROPERTIES INSTALL_RPATH "${DIMGATE_BUILT_WITH_WHEEL}/lib")
  endif()
  install(TARGETS dimgate_main RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
