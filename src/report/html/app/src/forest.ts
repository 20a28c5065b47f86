/* forest.ts: what is seen of a tree of which some nodes are open. */
import type { Tree } from "./model";

/* The outermost node above that is not open, or the node itself: where it can be seen. */
export function seenAt(tree: Tree, node: number, open: ReadonlySet<number>): number {
    let seen = node;
    for (let i = tree.parent[node]; i >= 0; i = tree.parent[i])
        if (!open.has(i))
            seen = i;
    return seen;
}

/* What was selected in what is closed now is what is closed. */
export function stillSeen(tree: Tree, selected: number[], open: ReadonlySet<number>): number[] {
    return [...new Set(selected.map(node => seenAt(tree, node, open)))];
}

export function openTo(tree: Tree, node: number, open: ReadonlySet<number>): ReadonlySet<number> {
    const missing: number[] = [];
    for (let i = tree.parent[node]; i >= 0; i = tree.parent[i])
        if (!open.has(i))
            missing.push(i);
    return missing.length === 0 ? open : new Set([...open, ...missing]);
}
