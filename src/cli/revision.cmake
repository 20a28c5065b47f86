# Makes OUTPUT, a header with the revision of the checkout in SOURCE, or of the one that "git archive" packed; "" where neither is known:
# cmake -DSOURCE=... -DOUTPUT=... -P revision.cmake. Runs in every build, and touches OUTPUT only where it changes.
set(revision "")
file(STRINGS ${SOURCE}/src/cli/archived_revision.txt archived REGEX "^[0-9a-f]+$") # else it is what git archive replaces
find_program(git git)
if(archived)
    string(SUBSTRING ${archived} 0 12 revision)
elseif(git AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE revision RESULT_VARIABLE failed
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${git} -C ${SOURCE} --no-optional-locks status --porcelain --untracked-files=no OUTPUT_VARIABLE changes
        RESULT_VARIABLE failed_too ERROR_QUIET)
    if(failed OR failed_too)
        set(revision "")
    elseif(changes)
        string(APPEND revision ", with changes")
    endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define HD_REVISION \"${revision}\"\n" @ONLY)
