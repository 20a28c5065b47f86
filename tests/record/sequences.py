"""Which records Score-P writes in each call, found by reading its archives, as regular expressions of "KIND KIND ... ": those of heddle record have
to be the same. What Score-P leaves out of matched probes (MPI_Mrecv, MPI_Imrecv) is there. A call that is not named has none."""
import collections
import re
import subprocess

COLLECTIVES = "Allgather Allgatherv Allreduce Alltoall Alltoallv Alltoallw Barrier Bcast Exscan Gather Gatherv Reduce Reduce_scatter Reduce_scatter_block Scan Scatter Scatterv"
DONE = r"(MPI_ISEND_COMPLETE |MPI_IRECV |MPI_REQUEST_CANCELLED |(COMM_CREATE )?NON_BLOCKING_COLLECTIVE_COMPLETE\[\w+\] |RMA_OP_COMPLETE_NON_BLOCKING |IO_OPERATION_COMPLETE )"
MADE = r"MPI_COLLECTIVE_BEGIN (COMM_CREATE )?MPI_COLLECTIVE_END\[CREATE_HANDLE\] "
REMOTE = "((RMA_OP_COMPLETE_NON_BLOCKING )*RMA_OP_COMPLETE_REMOTE )*"
TASKS = "(THREAD_TASK_SWITCH |THREAD_TASK_COMPLETE )*"
ONE_RMA = {"Put": "RMA_PUT", "Rput": "RMA_PUT", "Get": "RMA_GET", "Rget": "RMA_GET", "Accumulate": "RMA_ATOMIC", "Get_accumulate": "RMA_ATOMIC", "Fetch_and_op": "RMA_ATOMIC",
           "Compare_and_swap": "RMA_ATOMIC"}

IN_MPI = [  # names without MPI_; nothing, where it says "?", with MPI_PROC_NULL, or where the request is null
    ("Send Bsend Ssend Rsend", "(MPI_SEND )?"),
    ("Isend Ibsend Issend Irsend", "(MPI_ISEND )?"),
    ("Recv Mrecv", "(MPI_RECV )?"),
    ("Irecv Imrecv", "(MPI_IRECV_REQUEST )?"),
    ("Sendrecv Sendrecv_replace", "(MPI_SEND )?(MPI_RECV )?"),
    ("Start Startall", "(MPI_ISEND |MPI_IRECV_REQUEST )*"),
    ("Wait Test Waitany Testany", DONE + "?"),
    ("Waitall Waitsome Testall Testsome", DONE + "*"),
    ("Init Init_thread", r"MPI_COLLECTIVE_BEGIN (COMM_CREATE ){2}MPI_COLLECTIVE_END\[CREATE_HANDLE\] "),
    ("Finalize", r"MPI_COLLECTIVE_BEGIN (COMM_DESTROY )+MPI_COLLECTIVE_END\[DESTROY_HANDLE\] "),
    ("Comm_create Comm_create_group Comm_dup Comm_split Comm_split_type Cart_create Cart_sub Intercomm_create Intercomm_merge", MADE),
    ("Comm_free", r"MPI_COLLECTIVE_BEGIN COMM_DESTROY MPI_COLLECTIVE_END\[DESTROY_HANDLE\] "),
    ("Comm_idup " + " ".join("I" + name.lower() for name in COLLECTIVES.split()), "NON_BLOCKING_COLLECTIVE_REQUEST "),
    ("Win_create Win_create_dynamic", r"RMA_COLLECTIVE_BEGIN RMA_WIN_CREATE RMA_COLLECTIVE_END\[CREATE_HANDLE\] "),
    ("Win_allocate Win_allocate_shared", r"RMA_COLLECTIVE_BEGIN RMA_WIN_CREATE RMA_COLLECTIVE_END\[CREATE_HANDLE_AND_ALLOCATE\] "),
    ("Win_free", r"RMA_COLLECTIVE_BEGIN RMA_WIN_DESTROY RMA_COLLECTIVE_END\[DESTROY_HANDLE(_AND_DEALLOCATE)?\] "),
    ("Win_fence", r"RMA_COLLECTIVE_BEGIN (RMA_OP_COMPLETE_NON_BLOCKING |RMA_OP_COMPLETE_REMOTE )*RMA_COLLECTIVE_END\[BARRIER\] "),
    ("Win_post Win_start Win_wait", "RMA_GROUP_SYNC "),
    ("Win_test", "(RMA_GROUP_SYNC )?"),
    ("Win_complete", "(RMA_OP_COMPLETE_NON_BLOCKING |RMA_OP_COMPLETE_REMOTE )*RMA_GROUP_SYNC "),
    ("Win_lock Win_lock_all", "RMA_REQUEST_LOCK "),
    ("Win_unlock Win_unlock_all", REMOTE + "RMA_RELEASE_LOCK "),
    ("Win_flush Win_flush_all", REMOTE),
    ("Win_flush_local Win_flush_local_all", "(RMA_OP_COMPLETE_NON_BLOCKING )*"),
    ("File_open", "IO_CREATE_HANDLE "),
    ("File_close", "(IO_DELETE_FILE )?IO_DESTROY_HANDLE "),
    ("File_seek File_seek_shared", "IO_SEEK "),
    ("File_sync", "IO_OPERATION_BEGIN IO_OPERATION_COMPLETE "),
    ("File_iread_at File_iwrite_at File_write_at_all_begin", "IO_OPERATION_BEGIN IO_OPERATION_ISSUED "),
    ("File_write_at_all_end", "IO_OPERATION_COMPLETE "),
    (" ".join(f"File_{what}{how}" for what in ("read", "write") for how in ("", "_all", "_at", "_at_all", "_ordered")), "IO_OPERATION_BEGIN IO_OPERATION_COMPLETE "),
]
IN_OPENMP = [
    ("!$omp critical", "THREAD_ACQUIRE_LOCK THREAD_RELEASE_LOCK "),
    ("!$omp create task", "THREAD_TASK_CREATE "),
    ("!$omp taskloop", "(THREAD_TASK_CREATE )*" + TASKS),  # Score-P has no region for it
    ("!$omp parallel", "(THREAD_FORK (THREAD_TEAM_BEGIN THREAD_TEAM_END )?THREAD_JOIN )*"),  # another one inside of it
    ("!$omp task", "(THREAD_FORK (THREAD_TEAM_BEGIN THREAD_TEAM_END )?THREAD_JOIN )*"),
    ("omp_set_lock", "THREAD_ACQUIRE_LOCK "),
    ("omp_test_lock", "(THREAD_ACQUIRE_LOCK )?"),
    ("omp_unset_lock", "THREAD_RELEASE_LOCK "),
    ("!$omp barrier", TASKS), ("!$omp implicit barrier", TASKS), ("!$omp taskwait", TASKS), ("!$omp taskgroup", TASKS),
]

EXPECTED = {"MPI_" + name: sequence for names, sequence in IN_MPI for name in names.split()}
EXPECTED.update({"MPI_" + name: rf"MPI_COLLECTIVE_BEGIN MPI_COLLECTIVE_END\[{name.upper()}\] " for name in COLLECTIVES.split()})
EXPECTED.update({"MPI_" + name: f"({kind} )?" for name, kind in ONE_RMA.items()})
EXPECTED.update(IN_OPENMP)


def sequences(otf2_print, archive):
    """{region: {"KIND KIND ... " of an instance: how many}}, of MPI and OpenMP"""
    found, stacks = collections.defaultdict(collections.Counter), collections.defaultdict(list)
    shown = subprocess.run([otf2_print, archive / "traces.otf2"], capture_output=True, text=True, check=True).stdout
    for kind, location, rest in re.findall(r"^([A-Z][A-Z_0-9]+) +(\d+) +\d+ *(.*)$", shown, re.M):
        stack = stacks[location]
        operation = re.search(r"Operation: ([A-Z_]+)", rest)
        if kind == "ENTER":
            stack.append((re.search(r'Region: "(.*)" <\d+>', rest)[1].partition(" @")[0], []))
        elif kind == "LEAVE":
            region, records = stack.pop()
            if region.startswith(("MPI_", "!$omp", "omp_")):
                found[region]["".join(records)] += 1
        elif stack and kind != "METRIC":
            stack[-1][1].append(kind + (f"[{operation[1]}]" if operation and kind.endswith(("COLLECTIVE_END", "COLLECTIVE_COMPLETE")) else "") + " ")
    return found


def wrong(otf2_print, archive):
    """(what is not as Score-P has it, how many instances were looked at)"""
    found = sequences(otf2_print, archive)
    lines = [f"{region}, {n} times: {sequence or 'no records'}" for region, seen in found.items() for sequence, n in seen.items() if not re.fullmatch(EXPECTED.get(region, ""), sequence)]
    return lines, sum(sum(seen.values()) for seen in found.values())
