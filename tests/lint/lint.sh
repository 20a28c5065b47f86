#!/bin/bash
# Words that users read no longer (words.py), the structure of the sources, documents (width, links, picture of the components), and
# static analysis of all C sources, of the program and of the tests:
# lint.sh BUILD JOBS [all]
#   BUILD   a build with the option HEDDLE_ANALYZER, as the preset "lint": gcc -fanalyzer has seen every file there
#   all     clang-tidy with the checks of clang-analyzer, which take most of the time
# Configuration: .clang-tidy, tests/.clang-tidy, cppcheck.cfg, cppcheck-suppressions.txt, retired-words.txt
set -euo pipefail
build=$1 jobs=$2 checks='-clang-analyzer-*'
if [ "${3:-}" = all ]; then checks=''; fi
here=$(dirname "$0")

printf '== words\n'
python3 "$here/words.py"
printf '== structure\n'
python3 "$here/structure.py"
printf '== documents: width, links, picture of the components\n'
python3 "$here/width.py"
python3 "$here/links.py"
python3 "$here/components.py"

# The same commands without what is for gcc alone. A folder of the system that is named is one whose headers cppcheck reads.
mkdir -p "$build/commands"
sed -E ':again; s# (-fanalyzer|-Werror|-Wno-analyzer-[a-z-]+|(-isystem |-I)/usr/include) # #; t again' "$build/compile_commands.json" \
    >"$build/commands/compile_commands.json"

# What it finds in several files together is printed only, with exit code 0.
printf '== cppcheck\n'
mkdir -p "$build/cppcheck"
cppcheck --project="$build/commands/compile_commands.json" --cppcheck-build-dir="$build/cppcheck" --enable=warning,performance,portability \
    --library="$here/cppcheck.cfg" --suppressions-list="$here/cppcheck-suppressions.txt" --inline-suppr --quiet -j "$jobs" 2>&1 |
    { ! grep .; }

printf '== clang-tidy\n'
sed -n 's/^ *"file": "\(.*\.c\)",*$/\1/p' "$build/commands/compile_commands.json" | sort -u |
    xargs -P "$jobs" -n 4 clang-tidy --quiet -p "$build/commands" --checks="$checks"
