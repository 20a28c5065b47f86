/* forest.ts: what is seen of a tree of which some nodes are open. */
import type { Tree } from "./model";
import type { NodeValues } from "./values";

/* The outermost node above that is not open, or the node itself: where it can be seen. top: the root that is shown, -1: all are. */
export function seenAt(tree: Tree, node: number, open: ReadonlySet<number>, top = -1): number {
    let seen = node;
    for (let i = node; i !== top && tree.parent[i] >= 0; ) {
        i = tree.parent[i];
        if (!open.has(i))
            seen = i;
    }
    return seen;
}

/* What was selected in what is closed now is what is closed. */
export function stillSeen(tree: Tree, selected: number[], open: ReadonlySet<number>, top = -1): number[] {
    return [...new Set(selected.map(node => seenAt(tree, node, open, top)))];
}

/* From the largest of the roots down while a child has more than the node itself: the nodes to open, and the one that this leads to; -1: all is zero. */
export function hotPath(tree: Tree, { inclusive, own }: NodeValues, roots: ArrayLike<number>): { open: number[]; end: number } {
    const size = (node: number): number => Math.abs(inclusive[node]) || 0;
    const largest = (nodes: ArrayLike<number>): number => {
        let most = -1;
        for (let i = 0; i < nodes.length; i++)
            if (most < 0 || size(nodes[i]) > size(most))
                most = nodes[i];
        return most;
    };
    const open: number[] = [];
    let node = largest(roots);
    if (node < 0 || size(node) === 0)
        return { open, end: -1 };
    while (tree.nChildren(node) > 0) {
        const next = largest(tree.children(node));
        if (size(next) === 0 || (Math.abs(own[node]) || 0) > size(next))
            break;
        open.push(node);
        node = next;
    }
    return { open, end: node };
}

export function openTo(tree: Tree, node: number, open: ReadonlySet<number>): ReadonlySet<number> {
    const missing: number[] = [];
    for (let i = tree.parent[node]; i >= 0; i = tree.parent[i])
        if (!open.has(i))
            missing.push(i);
    return missing.length === 0 ? open : new Set([...open, ...missing]);
}
