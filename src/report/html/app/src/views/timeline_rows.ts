/* views/timeline_rows.ts: the calls of a lane as rows of bars: one row, the function around each call above it, or the whole call stack.
 *
 *     whole call stack    [main                          ]
 *                            [solve            ]
 *                               [MPI_Recv ]
 */
import type { Lane, Piece } from "./timeline_data";

export type StackMode = "calls" | "functions" | "stack";

export const STACK_MODES: readonly (readonly [StackMode, string])[] = [
    ["calls", "the innermost call"], ["functions", "with the function around it"], ["stack", "the whole call stack"],
];

/* What the rows need to know of call paths. */
export interface CallPaths {
    parent(path: number): number;      /* -1: none */
    depth(path: number): number;       /* of a root 0 */
    isCompute(path: number): boolean;  /* a function of the program, no call of MPI, OpenMP, ... */
}

export interface Bar { row: number; path: number; begin: number; end: number; isSeveral: boolean; isLeaf: boolean }

/* The nearest function of the program: this one, or one that is around it. */
function functionAround(paths: CallPaths, path: number): number {
    for (let p = path; p >= 0; p = paths.parent(p))
        if (paths.isCompute(p))
            return p;
    return path;
}

function ancestorAt(paths: CallPaths, path: number, depth: number): number {
    let p = path;
    while (p >= 0 && paths.depth(p) > depth)
        p = paths.parent(p);
    return p;
}

/* The depth of the innermost call that all pieces have around them, 0: they have none. */
export function commonDepth(paths: CallPaths, lanes: readonly Lane[]): number {
    let common = -1;
    for (const lane of lanes)
        for (const { path } of lane.calls) {
            if (path < 0)
                continue;
            if (common < 0) {
                common = path;
                continue;
            }
            common = ancestorAt(paths, common, Math.min(paths.depth(common), paths.depth(path)));
            for (let other = ancestorAt(paths, path, paths.depth(common)); common !== other;) {
                common = paths.parent(common);
                other = paths.parent(other);
                if (common < 0)
                    return 0;
            }
        }
    return common < 0 ? 0 : paths.depth(common);
}

/* In which row the innermost call stands. */
export function leafRow(paths: CallPaths, path: number, mode: StackMode, base: number): number {
    if (mode === "calls" || path < 0)
        return 0;
    return mode === "functions" ? Number(functionAround(paths, path) !== path) : Math.max(0, paths.depth(path) - base);
}

/* The call paths of the rows of a piece, from the outermost to the innermost one. */
function stackOf(paths: CallPaths, path: number, mode: StackMode, base: number): number[] {
    if (mode === "calls" || path < 0)
        return [path];
    if (mode === "functions") {
        const around = functionAround(paths, path);
        return around === path ? [path] : [around, path];
    }
    const stack: number[] = [];
    for (let p = path; p >= 0 && (stack.length === 0 || paths.depth(p) >= base); p = paths.parent(p))
        stack.unshift(p);
    return stack;
}

/* Row by row, each ascending. Pieces of one call that follow each other are one bar. base: of commonDepth(). */
export function barsOf(paths: CallPaths, lane: Lane, mode: StackMode, base: number): Bar[][] {
    const rows: Bar[][] = [];
    const put = (row: number, path: number, { begin, end, isSeveral }: Piece, isLeaf: boolean): void => {
        const bars = (rows[row] ??= []);
        const last = bars[bars.length - 1];
        if (last !== undefined && last.end === begin && last.path === path && last.isSeveral === isSeveral && (mode !== "calls")) {
            last.end = end;
            last.isLeaf &&= isLeaf;
        } else
            bars.push({ row, path, begin, end, isSeveral, isLeaf });
    };
    for (const piece of lane.calls) {
        const stack = stackOf(paths, piece.path, mode, base);
        stack.forEach((path, row) => put(row, path, piece, row === stack.length - 1));
    }
    return Array.from(rows, row => row ?? []);
}
