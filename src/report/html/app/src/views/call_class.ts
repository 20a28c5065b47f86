/* views/call_class.ts: what a call is about: computation, or which kind of communication. */

export type CallClass = "compute" | "point-to-point" | "collective" | "one-sided" | "other MPI" | "threads" | "files";

export const CALL_CLASSES: readonly CallClass[] = ["compute", "point-to-point", "collective", "one-sided", "other MPI", "threads", "files"];

/* Calls that complete requests, most of which are of messages; their role in OTF2 says nothing of that. */
const COMPLETION = /^p?mpi_(wait|test)(all|any|some)?(_f08)?_*$/i;

/* From the paradigm and role of its region as OTF2 names them. */
export function classOf(region: { name: string; paradigm: string; role: string }): CallClass {
    const { paradigm, role } = region;
    if (role.startsWith("file io"))
        return "files";
    if (["openmp", "pthread", "ompt"].includes(paradigm))
        return "threads";
    if (role === "rma")
        return "one-sided";
    if (role === "point2point" || COMPLETION.test(region.name))
        return "point-to-point";
    if (["barrier", "all2all", "one2all", "all2one", "other collective"].includes(role))
        return "collective";
    return paradigm === "mpi" || region.name.startsWith("MPI_") ? "other MPI" : "compute";
}
