#!/bin/sh
# For ctest: run.sh modules | bundle FOLDER | types | test FILE
# Without node, npm or Chromium it says so and ends with 77, which ctest counts as skipped; where HEDDLE_MUST_RUN or CI is set, it fails.
set -eu
cd "$(dirname "$0")/../.."
for program in node npm chromium; do
    case $program in
    chromium) found=${HEDDLE_CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || true)} ;;
    *) found=$(command -v $program || true) ;;
    esac
    if [ -z "$found" ]; then
        echo "$program is not there, so the page is not tested (./dev test --full installs it where apt-get is)"
        if [ -n "${HEDDLE_MUST_RUN:-}${CI:-}" ]; then exit 1; fi
        exit 77
    fi
done

case $1 in
modules) # exactly those of the lock files; no program of theirs is run
    for folder in src/report/html/app tests/html; do
        if ! cmp -s "$folder/package-lock.json" "$folder/node_modules/.of-lock.json"; then
            npm --prefix "$folder" ci --ignore-scripts --no-audit --no-fund
            cp "$folder/package-lock.json" "$folder/node_modules/.of-lock.json"
        fi
    done
    ;;
bundle) # the one in the repository is what the sources are built to
    rm -rf "$2"
    (cd src/report/html/app && node build.mjs "$2")
    for file in page.js page.css; do
        cmp "$2/$file" "src/report/html/app/dist/$file" || { echo "src/report/html/app/dist is not what the sources are built to; try: ./dev page"; exit 1; }
    done
    ;;
types) cd src/report/html/app && npx --no-install tsc --noEmit ;;
test) exec node --test "$2" ;;
esac
