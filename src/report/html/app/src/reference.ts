/* reference.ts: a second report in the page, of which values of this one are shown as percent. The format is docs/formats.md#page.
 *
 * It has the metrics of this report, and the call paths of both. Its locations are columns: one for each location of this report, for each process,
 * or for all of them together, as the two reports have them in common.
 */
import { BesideSource, Head, Model, TextSource } from "./model";
import { NodeValues, SystemTree, accumulate } from "./values";

export class Reference {
    readonly model: Model;                   /* values of the second report at these metrics, call paths and columns */
    readonly title: string;
    readonly paths: number[];                /* [call paths of this report] number there */
    private readonly columns: number[];      /* [locations of this report] */

    constructor(head: Head, text: TextSource, beside: BesideSource) {
        const { title, columns, nColumns, paths, parent, metrics } = head.reference!;
        const place = (metric: number): number => metrics[metric]?.entry ?? -1;
        this.title = title;
        this.columns = columns;
        this.paths = paths;
        this.model = new Model({
            ...head,
            metrics: head.metrics.map((metric, m) => ({
                ...metric, ...(metrics[m] ?? { total: metric.extreme ? null : 0, blocks: [], locations: [0, 0] as [number, number] }),
            })),
            paths: { region: Array(parent.length).fill(0), parent, number: parent.map((_, i) => i), label: [] },
            system: { ...head.system, locations: { name: Array(nColumns).fill(""), thread: Array(nColumns).fill(0), group: Array(nColumns).fill(0) } },
        }, name => {
            const metric = /^(heddle-(?:metric|paths)-)(\d+)$/.exec(name);
            return metric === null ? null : text(metric[1] + place(Number(metric[2])));
        }, metric => beside(place(metric)));
    }

    /* Per call path of this report, of own values there. */
    pathValues(own: Float64Array, join: (a: number, b: number) => number): NodeValues {
        const inclusive = accumulate(this.model.pathTree, own, join);
        return { own: Float64Array.from(this.paths, p => own[p]), inclusive: Float64Array.from(this.paths, p => inclusive[p]) };
    }

    /* Per node of the system tree, inclusive; NaN: not known, as the reports have only sums over more than it in common. */
    systemValues(system: SystemTree, ofColumn: Float64Array, join: (a: number, b: number) => number, empty: number): Float64Array {
        const { parent, n } = system.tree;
        const place = new Int32Array(ofColumn.length).fill(-2);      /* the innermost node with all locations of a column; -2: none yet, -1: none */
        this.columns.forEach((column, location) => {
            const leaf = system.leafOf(location);
            place[column] = place[column] === -2 ? leaf : commonAbove(parent, place[column], leaf);
        });
        const own = new Float64Array(n).fill(empty);
        const hasColumn = new Uint8Array(n);
        let isAbove = false;                 /* a column belongs to several roots together */
        place.forEach((node, column) => {
            isAbove ||= node === -1;
            if (node < 0)
                return;
            own[node] = join(own[node], ofColumn[column]);
            hasColumn[node] = 1;
        });
        const inclusive = accumulate(system.tree, own, join);
        const isKnown = new Uint8Array(n);
        for (let i = 0; i < n; i++) {
            isKnown[i] = parent[i] < 0 ? (isAbove ? 0 : 1) : isKnown[parent[i]] && !hasColumn[parent[i]] ? 1 : 0;
            if (!isKnown[i])
                inclusive[i] = NaN;
        }
        return inclusive;
    }
}

function commonAbove(parent: Int32Array, a: number, b: number): number {
    while (a !== b) {
        if (a > b)
            a = parent[a];
        else
            b = parent[b];
    }
    return a;
}
