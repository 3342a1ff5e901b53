# Installs a copy, static or shared, and uses it as others would: by find_package and by pkg-config,
# from C and from C++.
#     cmake -DSOURCE=... -DWORK=... -DSHARED=ON -DCC=cc -DCXX=c++ -DNM=nm -DPKG_CONFIG=pkg-config
#           -DGENERATOR=Ninja -P install.cmake
# Tools that are empty are missing on this machine; what they would have checked is said to be left out.
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(failed)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# The program prints the worked example.
function(run_consumer program)
    run(${program})
    if(NOT output MATCHES "0\\.454 2\\.786")
        message(FATAL_ERROR "${program} printed: ${output}")
    endif()
    message(STATUS "${program}: ${output}")
endfunction()

file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_C_COMPILER=${CC}
    -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=${SHARED} -DATTN_TESTS=OFF -DATTN_WERROR=ON
    -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_INSTALL_LIBDIR=lib)
run(${CMAKE_COMMAND} --build ${WORK}/build --config Release)
run(${CMAKE_COMMAND} --install ${WORK}/build --config Release)

file(GLOB_RECURSE headers RELATIVE ${prefix} ${prefix}/include/*)
if(NOT headers STREQUAL "include/attention.h")
    message(FATAL_ERROR "installed headers: ${headers}")
endif()

# find_package, with the version of the header.
file(STRINGS ${SOURCE}/src/attention.h version REGEX "^#define ATTN_VERSION ")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${version}")
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/core/consumer -B ${WORK}/consumer -G ${GENERATOR}
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${prefix} -DWANTED=${version})
run(${CMAKE_COMMAND} --build ${WORK}/consumer --config Release)
run_consumer(${WORK}/consumer/consumer)

# pkg-config.
if(PKG_CONFIG)
    set(ENV{PKG_CONFIG_PATH} ${prefix}/lib/pkgconfig)
    set(ENV{LD_LIBRARY_PATH} ${prefix}/lib)
    run(${PKG_CONFIG} --modversion attn)
    if(NOT output MATCHES "^${version}")
        message(FATAL_ERROR "pkg-config says version ${output}")
    endif()
    set(static --static)
    if(SHARED)
        set(static)
    endif()
    run(${PKG_CONFIG} ${static} --cflags --libs attn)
    separate_arguments(flags UNIX_COMMAND "${output}")
    run(${CC} ${SOURCE}/tests/core/consumer/consumer.c -o ${WORK}/by_pkg_config ${flags} -lm)
    run_consumer(${WORK}/by_pkg_config)
else()
    message(STATUS "left out: pkg-config is not installed")
endif()

# The shared library shows the header's functions and nothing else; C++ links to them.
if(SHARED)
    file(GLOB library ${prefix}/lib/libattn.so)
    run(${NM} -D --defined-only ${library})
    string(REGEX MATCHALL " T [^\n]+" symbols "${output}")
    list(TRANSFORM symbols REPLACE "^ T " "")
    file(READ ${SOURCE}/src/attention.h header)
    foreach(symbol IN LISTS symbols)
        if(NOT header MATCHES "ATTN_API [^;]*[ *]${symbol}\\(")
            message(FATAL_ERROR "${symbol} is exported and not in attention.h")
        endif()
    endforeach()
    list(LENGTH symbols count)
    message(STATUS "exports ${count} functions of the header")
    if(CXX)
        run(${CXX} -std=c++11 ${SOURCE}/tests/core/header.cpp -o ${WORK}/from_cxx -I${prefix}/include
            ${library} -Wl,-rpath,${prefix}/lib)
        run(${WORK}/from_cxx)
    else()
        message(STATUS "left out: there is no C++ compiler")
    endif()
endif()
