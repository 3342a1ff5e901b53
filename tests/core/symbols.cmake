# Every global symbol of the static library begins with attn_:
#     cmake -DNM=nm -DLIBRARY=libattn.a -P symbols.cmake
execute_process(COMMAND ${NM} -g --defined-only ${LIBRARY}
    OUTPUT_VARIABLE listing RESULT_VARIABLE failed ERROR_VARIABLE message)
if(failed)
    message(FATAL_ERROR "${NM} cannot read ${LIBRARY}: ${message}")
endif()
string(REGEX MATCHALL "[0-9a-fA-F]+ [A-Za-z] [^\n]+" lines "${listing}")
list(TRANSFORM lines REPLACE "^[0-9a-fA-F]+ [A-Za-z] " "")
list(LENGTH lines count)
if(count LESS 5)
    message(FATAL_ERROR "only ${count} symbols in ${LIBRARY}")
endif()
list(FILTER lines EXCLUDE REGEX "^_?attn_")
if(lines)
    message(FATAL_ERROR "symbols without attn_: ${lines}")
endif()
message(STATUS "${count} global symbols, all attn_")
