# A module is a folder under sarrus/, with the folders inside it. It may use itself and the modules
# before it in this list. Where the parts of a module are ordered too, they are listed the same way;
# "." are the files that stand in the folder of the module itself.
# tests/structure/includes.py reads every #include and says where that is broken.
set(SARRUS_MODULES core numerics spatial joints forces control elastic model files mechanism formulations
                   integrators motion mobility run linear markers verify results show)
set(SARRUS_PARTS_numerics dense . sparse)
set(SARRUS_PARTS_files text mesh import .)
set(SARRUS_PARTS_run watch .)
set(SARRUS_PARTS_formulations tree loops stages . assembly ode energy graph discrete choice)

add_library(sarrus_settings INTERFACE)
target_compile_features(sarrus_settings INTERFACE cxx_std_20)
target_include_directories(sarrus_settings INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(sarrus_settings INTERFACE -Wall -Wextra -Wshadow -Wno-maybe-uninitialized)
if(SARRUS_WARNINGS_AS_ERRORS)
  target_compile_options(sarrus_settings INTERFACE -Werror)
endif()
if(SARRUS_SANITIZE)
  target_compile_options(sarrus_settings INTERFACE -fsanitize=${SARRUS_SANITIZE}
                                                   -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(SARRUS_SANITIZE MATCHES address AND SARRUS_SANITIZE MATCHES undefined)
    # what every access to memory is asked twice: the address sanitizer finds the same faults, and the
    # second question takes 40 % of the time to compile
    target_compile_options(sarrus_settings INTERFACE
      -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
  # instrumented kernels with everything inlined would take many minutes to compile
  target_compile_definitions(sarrus_settings INTERFACE SARRUS_FREE_INLINING)
  target_compile_options(sarrus_settings INTERFACE -Wno-psabi)
  target_link_options(sarrus_settings INTERFACE -fsanitize=${SARRUS_SANITIZE})
endif()

# Code that no step of a run passes through, such as readers, reports and the command line, is optimised
# less and compiles in three quarters of the time.
function(sarrus_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Files of a module that share their headers are compiled several at once: less for a fresh build,
# twice as much for a change to one of them. Names in their anonymous namespaces must then differ.
option(SARRUS_TOGETHER "compile files of a module several at once" OFF)
function(sarrus_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SARRUS_TOGETHER} UNITY_BUILD_BATCH_SIZE 6)
endfunction()

# Objects of the modules up to and including `last`, in order.
function(sarrus_objects_up_to last out)
  set(found "")
  foreach(module ${SARRUS_MODULES})
    if(TARGET sarrus_${module})
      list(APPEND found $<TARGET_OBJECTS:sarrus_${module}>)
    endif()
    if(module STREQUAL last)
      break()
    endif()
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
