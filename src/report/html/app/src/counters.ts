/* counters.ts: what the head of a page says of counters: a member of heddle summary --json. */

/* What counters counted, in computation and in all; values computed from them, least and most of a process or thread; levels. */
export interface Counters {
    counters: { id: string; name: string; unit: string; total: number; computation: number }[];
    derived: { id: string; name: string; unit: string; least: number; most: number }[];
    levels: { name: string; unit: string; scope: string; is_level: boolean; sum: number; least: number; mean: number; most: number }[];
    call_paths: { call_path_id: number | null; value: number; share: number | null; what: string }[];      /* of computation, that run badly [s] */
}
