# One step of the install tests: cmake -D step=… -P install_test.cmake
set(prefix ${place}/prefix)
set(expected "hinge.q = 1.405027 rad\n")  # IFToMM library, A01 at t = 1 s: 1.405027311524799

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\nended with ${code}:\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

function(check_output program)
  run(${program} ${user}/pendulum.toml)
  if(NOT out STREQUAL expected)
    message(FATAL_ERROR "${program} says '${out}' instead of '${expected}'")
  endif()
endfunction()

# The compiler's options from pkg-config, as a list.
function(pkg_config_options out_name)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)
  find_program(PKG_CONFIG NAMES pkg-config pkgconf REQUIRED)
  run(${PKG_CONFIG} ${ARGN} sarrus)
  string(STRIP "${out}" out)
  separate_arguments(options UNIX_COMMAND "${out}")
  set(${out_name} ${options} PARENT_SCOPE)
endfunction()

if(step STREQUAL "install")
  file(REMOVE_RECURSE ${place}/prefix)
  run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
  foreach(due include/sarrus/core/diagnostic.hpp include/sarrus/core/version.hpp
              ${libdir}/pkgconfig/sarrus.pc ${libdir}/cmake/Sarrus/SarrusConfig.cmake)
    if(NOT EXISTS ${prefix}/${due})
      message(FATAL_ERROR "${due} was not installed")
    endif()
  endforeach()

elseif(step STREQUAL "find_package")
  file(REMOVE_RECURSE ${place}/find_package)
  run(${CMAKE_COMMAND} -S ${user} -B ${place}/find_package -G Ninja -D CMAKE_BUILD_TYPE=Release
      -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix})
  run(${CMAKE_COMMAND} --build ${place}/find_package)
  check_output(${place}/find_package/user)

elseif(step STREQUAL "pkg_config")
  file(MAKE_DIRECTORY ${place}/pkg_config)
  pkg_config_options(flags --cflags)
  pkg_config_options(libraries --libs)
  run(${compiler} -std=c++20 ${flags} ${user}/main.cpp -o ${place}/pkg_config/user ${libraries})
  check_output(${place}/pkg_config/user)

elseif(step STREQUAL "snippets")
  pkg_config_options(flags --cflags --libs)
  find_program(PYTHON python3 REQUIRED)
  run(${PYTHON} ${source}/tests/install/snippets.py ${source} ${place}/snippets ${compiler} -- ${flags})
  message(STATUS "${out}")

elseif(step STREQUAL "other_version")
  # the same headers, but that they call themselves 9.9.9; without optimisation, where the linker has
  # most copies to choose from
  set(old ${place}/other_version)
  file(REMOVE_RECURSE ${old})
  file(COPY ${prefix}/include/sarrus DESTINATION ${old}/include)
  file(READ ${old}/include/sarrus/core/version.hpp text)
  string(REPLACE "\"${version}\"" "\"9.9.9\"" text "${text}")
  file(WRITE ${old}/include/sarrus/core/version.hpp "${text}")
  pkg_config_options(libraries --libs)
  run(${compiler} -std=c++20 -O0 -I${old}/include ${user}/main.cpp -o ${old}/user ${libraries})
  execute_process(COMMAND ${old}/user ${user}/pendulum.toml RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 2 OR NOT err MATCHES "headers of Sarrus 9.9.9.*library of Sarrus ${version}")
    message(FATAL_ERROR "headers of version 9.9.9 ended with ${code}: ${out}${err}")
  endif()

else()
  message(FATAL_ERROR "no step is called '${step}'")
endif()
