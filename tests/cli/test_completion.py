#!/usr/bin/env python3
"""Completion in a real shell: what it offers for command lines of heddle, and of a made-up command that has everything.

usage: test_completion.py SHELL --heddle PATH --made-up PATH --work FOLDER      (77: the shell is not here)
"""
import argparse
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import time

HANG_SECONDS = 1200
# Command line, what is offered, what is not. HERE: everything that is offered, no more, no less.
FILES = ["a.cubex", "b c.cubex", "t.otf2", "notes.txt", "p.html", "sub/x.otf2", "sub/y.cubex"]
HEDDLE = [
    ("heddle ", ["analyze", "summary", "help", "completion"], ["t.otf2", "notes.txt"]),
    ("heddle ana", ["analyze"], ["summary"]),
    ("heddle analyze --pl", ["--placement"], ["--output"]),
    ("heddle analyze --placement ", ["block", "cyclic", "node"], ["t.otf2"]),
    ("heddle analyze --placement cy", ["cyclic"], ["block"]),
    ("heddle analyze --placement=", ["block", "cyclic", "node"], ["t.otf2"]),
    ("heddle analyze --placement=no", ["node"], ["block"]),
    ("heddle analyze ", ["t.otf2", "sub"], ["a.cubex", "notes.txt"]),
    ("heddle analyze --quiet t", ["t.otf2"], ["a.cubex"]),
    ("heddle analyze sub/", ["sub/x.otf2"], ["sub/y.cubex"]),
    ("heddle analyze -- t", ["t.otf2"], ["a.cubex"]),
    ("heddle analyze --scratch ", ["sub"], ["t.otf2", "a.cubex"]),
    ("heddle dump ", ["a.cubex"], ["t.otf2"]),
    ("heddle help pl", ["plan"], ["summary"]),
    ("heddle completion ", ["bash", "zsh", "fish"], ["a.cubex"]),
    ("heddle explain mpi_latesender_", ["mpi_latesender_wo"], ["mpi_latesender", "unmatched-send"]),
    ("heddle explain unm", ["unmatched-send", "unmatched-receive"], ["mpi_latesender"]),
    ("heddle topology --metric mpi_latesender_", ["mpi_latesender_wo"], ["unmatched-send"]),
    ("heddle plan --nodes ", [], ["t.otf2", "a.cubex"]),
    ("heddle scan n", ["notes.txt"], ["a.cubex"]),
    ("heddle record n", ["notes.txt"], ["a.cubex"]),
    ("heddle record notes.txt t", ["t.otf2"], ["a.cubex"]),
    ("heddle scan notes.txt t", ["t.otf2"], ["a.cubex"]),
]
MADE_UP = [
    ("heddle ply ", ["a.cubex"], ["t.otf2"]),
    ("heddle ply a.cubex ", ["a.cubex"], ["t.otf2"]),
    ("heddle ply a.cubex a.cubex a", ["a.cubex"], []),
    ("heddle ply --page ", ["p.html"], ["a.cubex"]),
    ("heddle ply --folder ", ["sub"], ["a.cubex"]),
    ("heddle ply --colour=g", ["green"], ["red", "blue"]),
    ("heddle ply -c ", ["red", "green", "blue"], ["a.cubex"]),
]
# Only of bash and zsh: what has been given is not offered again, unless it may be.
ONCE = [
    ("heddle ply --colour red --", ["--rule", "--page", "--quick"], ["--colour"]),
    ("heddle ply -c red --", ["--rule", "--page", "--quick"], ["--colour"]),
    ("heddle ply --rule x --", ["--rule", "--page"], []),
    ("heddle ply --rule=x --r", ["--rule"], []),
    ("heddle ply a.cubex a.cubex a.cubex a", [], ["a.cubex"]),
    ("heddle ply --quick -- a.cubex a", ["a.cubex"], []),
]
# Only of bash: zsh's own _arguments offers nothing right behind "--" that comes after an operand.
LATE = [("heddle ply --quick a.cubex -- a", ["a.cubex"], [])]


class Bash:
    """COMP_WORDS as readline parts them, then the function that "complete" names."""

    def __init__(self, completion, folder):
        self.completion, self.folder = completion, folder

    def offers(self, line, breaks="="):
        words = [word for word in re.split(rf"\s+|([{breaks}])" if breaks else r"\s+", line) if word]
        if line.endswith(" "):
            words.append("")
        script = """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            function=$(complete -p heddle); function=${function#*-F }; "${function%% *}" heddle "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}" """
        done = subprocess.run(["bash", "--norc", "-uc", script, "bash", str(self.completion)] + words, cwd=self.folder, timeout=HANG_SECONDS,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0 or done.stderr:
            raise SystemExit(f"bash: {line!r}: {done.returncode} {done.stderr}")
        return done.stdout.split("\n")


class Fish:
    def __init__(self, completion, folder):
        self.completion, self.folder = completion, folder

    def offers(self, line):
        script = 'source $argv[1]; complete -C $argv[2]'
        done = subprocess.run(["fish", "--no-config", "-c", script, str(self.completion), line], cwd=self.folder, timeout=HANG_SECONDS,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0 or done.stderr:
            raise SystemExit(f"fish: {line!r}: {done.returncode} {done.stderr}")
        words = [row.split("\t")[0].rstrip("/") for row in done.stdout.split("\n")]
        # A folder's files are offered with what stands before "="; fish also names files of other endings, last.
        return [word.split("=", 1)[1] if word.startswith("--") and "=" in word else word for word in words]


class Zsh:
    """An interactive zsh on a terminal, a tab behind the line; what it lists."""

    def __init__(self, completion, folder):
        self.got = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", PS1="> ", LC_ALL="C", COLUMNS="400", LINES="200")
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.until("> ")
        self.send(" unset zle_bracketed_paste; unsetopt beep prompt_sp; setopt no_list_beep no_always_last_prompt; PS1='at''end>'; "
                  "zstyle ':completion:*' verbose no; autoload -Uz compinit; compinit -D -u; "
                  f"source {completion}; bindkey '^X^L' list-choices; stty columns 400\n")
        self.until("atend>")

    def send(self, text):
        os.write(self.terminal, text.encode())

    def until(self, word):
        """What came up to word, which goes with it; the rest stays for the next one."""
        end = time.monotonic() + HANG_SECONDS
        while word not in self.got:
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise SystemExit(f"zsh: no {word!r} in {self.got!r}")
            self.got += os.read(self.terminal, 65536).decode(errors="replace")
        before, self.got = self.got.split(word, 1)
        return before

    def offers(self, line):
        # The list, then the line goes away, and a command says that both are done.
        self.send(f"{line}\x18\x0c\x15echo do''ne\n")
        got = self.until("done\r\n")
        self.until("atend>")
        got = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b.|\x08|\r", " ", got)
        listed = got.split("echo do")[0].split("\n")[1:-1]
        return [word.rstrip("/") for row in listed for word in row.split()]

    def close(self):
        self.send("\x15exit\n")
        os.waitpid(self.pid, 0)


SHELLS = {"bash": Bash, "fish": Fish, "zsh": Zsh}


def check(shell, cases, wrong, **how):
    for line, expected, others in cases:
        offered = shell.offers(line, **how)
        base = [os.path.basename(word) for word in offered]
        for word in expected:
            if word not in offered and os.path.basename(word) not in base:
                wrong.append(f"{line!r}: {word} is not offered, but {offered}")
        for word in others:
            # fish names the files of other endings behind those that are meant
            if word in offered and not (isinstance(shell, Fish) and "." in word and expected):
                wrong.append(f"{line!r}: {word} is offered")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shell", choices=sorted(SHELLS))
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--made-up", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    args = parser.parse_args()
    if shutil.which(args.shell) is None:
        print(f"skipped: there is no {args.shell} here")
        return 1 if os.environ.get("HEDDLE_MUST_RUN") and os.path.exists("/etc/debian_version") else 77
    shutil.rmtree(args.work, ignore_errors=True)
    folder = args.work / "files"
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    folder = folder.resolve()
    wrong = []
    for program, cases in ((args.heddle, HEDDLE), (args.made_up, MADE_UP)):
        command = [program, args.shell] if program == args.made_up else [program, "completion", args.shell]
        completion = args.work.resolve() / pathlib.Path(program).name
        completion.write_bytes(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        subprocess.run([args.shell, "-n", str(completion)], check=True)
        if args.shell == "bash" and shutil.which("shellcheck") is not None:
            subprocess.run(["shellcheck", str(completion)], check=True)
        shell = SHELLS[args.shell](completion, folder)
        check(shell, cases, wrong)
        if cases is MADE_UP and args.shell != "fish":
            check(shell, ONCE, wrong)
        if cases is MADE_UP and args.shell == "bash":
            check(shell, LATE, wrong)
        if args.shell == "bash" and cases is HEDDLE:
            offered = shell.offers("heddle analyze --placement=cy", breaks="")
            if offered[0] != "--placement=cyclic":
                wrong.append(f"where = does not part words: {offered}")
            offered = shell.offers("heddle dump b")
            if offered[0] != "b c.cubex":
                wrong.append(f"a name with a blank: {offered}")
        if args.shell == "zsh":
            shell.close()
    print("\n".join(wrong) or "all offers are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
