"""The container recipes, as tests read them: their commands in the order in which they run."""
import re
import shlex

FOLDER = "docs/install/containers"


def commands_of(source, mpi):
    """{recipe: [[command, ...] of the stage that builds, the same of the last one]}, with the MPI library put in."""
    file, definition = (source / FOLDER / name for name in ("Containerfile", "heddle.def"))
    found = {}
    stages = re.split(r"^FROM .*$", file.read_text().replace("\\\n", " "), flags=re.M)[1:]
    found[file.name] = [[command.strip() for run in re.findall(r"^RUN (.*)$", stage, re.M) for command in run.split("&&")] for stage in stages]
    stages = re.split(r"^Bootstrap: .*$", definition.read_text().replace("\\\n", " "), flags=re.M)[1:]
    found[definition.name] = [[line.strip() for line in re.search(r"^%post\n((?: .*\n)+)", stage, re.M)[1].splitlines()] for stage in stages]
    return {name: [[re.sub(r"\s+", " ", re.sub(r"\$MPI|\{\{ MPI \}\}", mpi, command)) for command in stage] for stage in stages]
            for name, stages in found.items()}


def bases_of(source):
    """The images that the recipes begin with."""
    text = "".join((source / FOLDER / name).read_text() for name in ("Containerfile", "heddle.def"))
    return set(re.findall(r"^(?:FROM|From:) (\S+)", text, re.M))


def packages_of(command, mpi):
    """The Debian packages that "apt-get install" of a recipe names, as the shell makes its words."""
    chosen = re.search(r"\$\(case \"\S+\" in mpich\) echo ([^;]*);; \*\) echo ([^;]*);; esac\)", command)
    words = shlex.split(command[:chosen.start()] + chosen[1 if mpi == "mpich" else 2] + command[chosen.end():])
    return [word for word in words[words.index("install") + 1:] if not word.startswith("-") and "/" not in word]
