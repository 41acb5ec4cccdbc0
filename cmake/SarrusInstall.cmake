# What `cmake --install` lays down: the library with its headers, found again by
# find_package(Sarrus) or by pkg-config; the program; documentation and examples.
include(CMakePackageConfigHelpers)

set(SARRUS_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Sarrus)
set(SARRUS_DOC_DIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/sarrus)

install(TARGETS sarrus EXPORT SarrusTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT development)
install(EXPORT SarrusTargets NAMESPACE Sarrus:: DESTINATION ${SARRUS_CONFIG_DIR} COMPONENT development)
foreach(tree ${PROJECT_SOURCE_DIR}/sarrus ${PROJECT_BINARY_DIR}/generated/sarrus)
  install(DIRECTORY ${tree} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
          FILES_MATCHING PATTERN "*.hpp" PATTERN "result_json.hpp" EXCLUDE PATTERN "run_json.hpp" EXCLUDE
          PATTERN "json.hpp" EXCLUDE PATTERN "json_fwd.hpp" EXCLUDE
          PATTERN "eigen_maps.hpp" EXCLUDE PATTERN "implicit_step.hpp" EXCLUDE
          PATTERN "radau.hpp" EXCLUDE PATTERN "difference_jacobian.hpp" EXCLUDE
          PATTERN "gram.hpp" EXCLUDE PATTERN "solid_element.hpp" EXCLUDE
          PATTERN "solid_field.hpp" EXCLUDE PATTERN "solid_matrices.hpp" EXCLUDE
          PATTERN "solid_reduction.hpp" EXCLUDE
          PATTERN "mesh_text.hpp" EXCLUDE PATTERN "sheet.hpp" EXCLUDE PATTERN "numerics/dense" EXCLUDE)
endforeach()

# A static library hands its own libraries on to whoever links it; a shared one keeps them to itself.
get_target_property(library_type sarrus TYPE)
set(SARRUS_LINKED_BY_USER "")
if(library_type STREQUAL "STATIC_LIBRARY")
  set(SARRUS_LINKED_BY_USER ${SARRUS_LIBRARIES})
endif()

# find_package(Sarrus)
set(SARRUS_FIND_DEPENDENCIES "")
if("fmt::fmt" IN_LIST SARRUS_LINKED_BY_USER)
  string(APPEND SARRUS_FIND_DEPENDENCIES "find_dependency(fmt)\n")
endif()
if("tinyxml2::tinyxml2" IN_LIST SARRUS_LINKED_BY_USER)
  string(APPEND SARRUS_FIND_DEPENDENCIES "find_dependency(tinyxml2)\n")
endif()
if("Threads::Threads" IN_LIST SARRUS_LINKED_BY_USER)
  string(APPEND SARRUS_FIND_DEPENDENCIES "find_dependency(Threads)\n")
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/SarrusConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/SarrusConfig.cmake
                              INSTALL_DESTINATION ${SARRUS_CONFIG_DIR})
# before 1.0 a minor version may change what is promised
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SarrusConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SarrusConfig.cmake ${PROJECT_BINARY_DIR}/SarrusConfigVersion.cmake
        DESTINATION ${SARRUS_CONFIG_DIR} COMPONENT development)

# pkg-config sarrus, relative to its own place so that the installed tree may be moved
file(RELATIVE_PATH SARRUS_PC_UP /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" SARRUS_PC_UP "${SARRUS_PC_UP}")
set(SARRUS_PC_REQUIRES "")
set(SARRUS_PC_LIBS "")
foreach(library ${SARRUS_LINKED_BY_USER})
  if(library STREQUAL "fmt::fmt")
    string(APPEND SARRUS_PC_REQUIRES " fmt")
  elseif(library STREQUAL "tinyxml2::tinyxml2")
    string(APPEND SARRUS_PC_REQUIRES " tinyxml2")
  elseif(library STREQUAL "Threads::Threads")
    string(APPEND SARRUS_PC_LIBS " -pthread")
  else()
    string(APPEND SARRUS_PC_LIBS " ${library}")
  endif()
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/sarrus.pc.in ${PROJECT_BINARY_DIR}/sarrus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sarrus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(TARGET sarrus_program)
  install(TARGETS sarrus_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # manual pages and completion, which the program knows best
  install(CODE "
    set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}\")
    file(MAKE_DIRECTORY \${share}/man/man1 \${share}/bash-completion/completions
                        \${share}/zsh/vendor-completions \${share}/fish/vendor_completions.d)
    set(sarrus_file $<TARGET_FILE:sarrus_program>)
    execute_process(COMMAND \${sarrus_file} man -o \${share}/man/man1 COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND \${sarrus_file} completion bash COMMAND_ERROR_IS_FATAL ANY
                    OUTPUT_FILE \${share}/bash-completion/completions/sarrus)
    execute_process(COMMAND \${sarrus_file} completion zsh COMMAND_ERROR_IS_FATAL ANY
                    OUTPUT_FILE \${share}/zsh/vendor-completions/_sarrus)
    execute_process(COMMAND \${sarrus_file} completion fish COMMAND_ERROR_IS_FATAL ANY
                    OUTPUT_FILE \${share}/fish/vendor_completions.d/sarrus.fish)
  " COMPONENT program)
endif()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${SARRUS_DOC_DIR} COMPONENT program)
foreach(text README.md CHANGELOG.md docs)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${text})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${text}/ DESTINATION ${SARRUS_DOC_DIR} COMPONENT program)
  elseif(EXISTS ${PROJECT_SOURCE_DIR}/${text})
    install(FILES ${PROJECT_SOURCE_DIR}/${text} DESTINATION ${SARRUS_DOC_DIR} COMPONENT program)
  endif()
endforeach()
if(EXISTS ${PROJECT_SOURCE_DIR}/examples)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/sarrus COMPONENT program)
endif()
