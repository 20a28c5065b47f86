# Makes FOLDER anew: the man pages of HEDDLE in man1/, of the program and of each subcommand that its page names, completion in bash, zsh
# and fish, and the empty file done: cmake -DHEDDLE=... -DFOLDER=... -P pages.cmake
function(ask file)
    execute_process(COMMAND ${HEDDLE} ${ARGN} OUTPUT_FILE ${FOLDER}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/man1)
ask(man1/heddle.1 help --man)
file(STRINGS ${FOLDER}/man1/heddle.1 lines REGEX "^\\.BR heddle\\\\-")
foreach(line ${lines})
    string(REGEX REPLACE "^\\.BR heddle\\\\-([^ ]+) .*" "\\1" subcommand "${line}")
    ask(man1/heddle-${subcommand}.1 help --man ${subcommand})
endforeach()
foreach(shell bash zsh fish)
    ask(${shell} completion ${shell})
endforeach()
file(TOUCH ${FOLDER}/done)
