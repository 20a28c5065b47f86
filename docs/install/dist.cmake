# Packs the revision that is checked out in SOURCE into OUTPUT, a .tar.gz with all its files below PREFIX/:
# cmake -DSOURCE=... -DOUTPUT=... -DPREFIX=... -P dist.cmake
# Equal revisions give equal bytes: git sorts the files, their time is that of the revision, permissions do not depend on
# the user, and gzip writes neither name nor time.
find_program(git git REQUIRED)
find_program(gzip gzip REQUIRED)
execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE failed ERROR_QUIET)
file(REAL_PATH "${SOURCE}" source)
if(failed OR NOT top STREQUAL source)
    message(FATAL_ERROR "${SOURCE} is no checkout: the sources are packed from one")
endif()
execute_process(COMMAND ${git} -C ${SOURCE} --no-optional-locks status --porcelain --untracked-files=no OUTPUT_VARIABLE changes)
if(changes)
    message(WARNING "changes that are not committed are not packed:\n${changes}")
endif()
execute_process(COMMAND ${git} -C ${SOURCE} -c tar.umask=0022 -c core.autocrlf=false archive --format=tar --prefix=${PREFIX}/ HEAD
    COMMAND ${gzip} -n -9 OUTPUT_FILE ${OUTPUT}.tmp RESULTS_VARIABLE results)
if(NOT results STREQUAL "0;0")
    file(REMOVE ${OUTPUT}.tmp)
    message(FATAL_ERROR "${OUTPUT} cannot be written")
endif()
file(RENAME ${OUTPUT}.tmp ${OUTPUT})
message(STATUS "${OUTPUT}")
