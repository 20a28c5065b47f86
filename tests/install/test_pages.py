#!/usr/bin/env python3
"""Every subcommand has a page and completion, with every option; and the tools that read pages have nothing to say against them."""
import os
import re
import shutil
import subprocess

from place import Place, run


def plain(page):
    """The words of a page as it stands in the file: escapes and fonts are gone."""
    text = re.sub(r"\\f[BIR]", "", page.read_text())
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\(ha", "^").replace("\\(ti", "~").replace("\\(ga", "`").replace("\\e", "\\").replace("\\&", "").replace("\\:", "")


def offers(completion, words):
    """What bash offers behind words."""
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _heddle; printf "%s\\n" "${COMPREPLY[@]}"'
    return run(["bash", "--norc", "-c", script, "bash", completion, *words]).split("\n")


def check_lint(place, page):
    text = page.read_text(errors="replace")
    place.check(text.isascii(), f"{page.name} is not in ASCII")
    if shutil.which("mandoc") is not None:
        done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", str(page)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        place.check(done.returncode == 0 and done.stdout == "", done.stdout)
    if os.path.exists("/usr/bin/man"):
        env = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MANROFFSEQ": ""}
        done = subprocess.run(["/usr/bin/man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(page)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, env=env)
        place.check(done.returncode == 0 and done.stderr == "", f"man: {page.name}: {done.stderr}")


def main():
    place = Place()
    heddle, pages = place.build / "heddle", place.build / "pages"
    commands = place.commands()
    names = {path.name for path in (pages / "man1").iterdir()}
    place.check(names == {"heddle.1"} | {f"heddle-{command}.1" for command in commands}, f"pages: {sorted(names)}")
    overview = plain(pages / "man1/heddle.1")
    zsh, fish = (pages / "zsh").read_text(), (pages / "fish").read_text()
    first = offers(pages / "bash", ["heddle", ""])
    for command in commands:
        page = plain(pages / f"man1/heddle-{command}.1")
        place.check(f".BR heddle-{command} (1)" in overview, f"heddle(1) does not name heddle-{command}(1)")
        place.check(command in first, f"bash does not offer {command}")
        place.check(f"        '{command}:" in zsh and f"        {command})\n" in zsh, f"zsh's completion has no {command}")
        place.check(f"-a {command} -d" in fish, f"fish's completion has no {command}")
        options = re.findall(r"^  (?:-(.), )?--([\w-]+)", run([heddle, "help", command]), re.M)
        place.check(("h", "help") in options, f"\"heddle help {command}\" has no options: {options}")
        offered = offers(pages / "bash", ["heddle", command, "--"])
        block = zsh.split(f"\n        {command})\n")[1].split("\n            ;;")[0]
        for short, name in options:
            shown = (f"-{short}, " if short else "") + f"--{name}"
            place.check(re.search(rf"^{re.escape(shown)}(=|$)", page, re.M) is not None, f"heddle-{command}(1) has no {shown}")
            place.check(f"--{name}" in offered, f"bash does not offer {command} --{name}")
            place.check(re.search(rf"--{name}[=}}\[]", block) is not None, f"zsh's completion has no {command} --{name}")
            letter = f" -s {short}" if short else ""
            place.check(f"complete -c heddle -n '__heddle_is {command}'{letter} -l {name} " in fish, f"fish's completion has no {command} --{name}")
    for page in sorted((pages / "man1").iterdir()):
        check_lint(place, page)
    # A command that has everything a table can have, among it a line that begins with a full stop.
    made_up = place.work / "heddle-ply.1"
    made_up.write_text(run([place.build / "tests/cli/made_up_command", "man"]))
    check_lint(place, made_up)
    text = plain(made_up)
    for words in (".A paragraph that begins with a full stop", "'x > [1]'; \\ and ` and ^ and ~", "-c, --colour=red|green|blue", "heddle ply a.cubex b.cubex --rule 'x > 1'",
                  "\n4\na rule holds.\n.TP\n5\n.5 of one does."):
        place.check(words in text, f"the page of the made-up command has no {words!r}")
    place.end()


main()
