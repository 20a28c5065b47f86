/* views/fold.ts: topologies of any number of dimensions on two or three axes: several dimensions folded onto one axis, the others sliced.
 *
 *   dimensions a: 2, b: 3 folded onto x        place of (a, b) on x = 3 a + b
 *
 *       b  0 1 2 0 1 2
 *       a  0     1          the outermost dimension is named first
 *
 * A dimension that is on no axis is fixed at one index, or summed over. Nothing here knows of pictures. */

export interface Dimension { name: string; size: number; periodic: boolean }

export interface Topology {
    name: string;
    dimensions: Dimension[];
    coordinates: ArrayLike<number>; /* location, x0, x1, ..., location, ... */
}

/* Where the dimensions are. Invariant: each is on exactly one axis or has a slice, never both. */
export interface Arrangement {
    axes: number[][]; /* per axis its dimensions, the outermost first; an empty axis is one place wide */
    slices: (number | "sum" | null)[]; /* per dimension: the index it is fixed at; null: it is on an axis */
}

/* The places of a picture, and who is there. */
export interface Layout {
    size: number[]; /* per axis, in places */
    n: number; /* places: the product of size */
    start: Uint32Array; /* [n + 1] the locations of place p are members[start[p]] .. members[start[p + 1] - 1] */
    members: Uint32Array;
    entries: Uint32Array; /* per member, which coordinate of the topology it has */
}

export type Combine = "sum" | "min" | "max";

/* A picture of more places shows nothing, and a sparse topology can have very many. */
export const PLACES_MAX = 1 << 22;

export function entryCount(topology: Topology): number {
    return Math.floor(topology.coordinates.length / (topology.dimensions.length + 1));
}

/* The topology in which dimension d is broken into rows of k: dimensions d / k and d mod k in its stead. */
export function broken(topology: Topology, d: number, k: number): Topology {
    const n = topology.dimensions.length;
    const old = topology.dimensions[d];
    const entries = entryCount(topology);
    const coordinates = new Float64Array(entries * (n + 2));
    for (let e = 0; e < entries; e++) {
        let to = e * (n + 2);
        for (let i = 0; i <= n; i++) {
            const value = topology.coordinates[e * (n + 1) + i];
            if (i === d + 1) {
                coordinates[to++] = Math.floor(value / k);
                coordinates[to++] = value % k;
            } else {
                coordinates[to++] = value;
            }
        }
    }
    const dimensions = topology.dimensions.slice();
    dimensions.splice(d, 1, { name: `${old.name} / ${k}`, size: Math.ceil(old.size / k), periodic: false },
        { name: `${old.name} mod ${k}`, size: Math.min(k, old.size), periodic: false });
    return { name: topology.name, dimensions, coordinates };
}

export function axisSize(topology: Topology, axis: readonly number[]): number {
    return axis.reduce((product, d) => product * topology.dimensions[d].size, 1);
}

/* The cells of a picture, or null where there are too many of them. */
export function layout(topology: Topology, arrangement: Arrangement): Layout | null {
    const size = arrangement.axes.map(axis => axisSize(topology, axis));
    const n = size.reduce((a, b) => a * b, 1);
    if (!(n <= PLACES_MAX))
        return null;
    const places = placesOf(topology, strides(topology, arrangement, size), arrangement.slices);

    const start = new Uint32Array(n + 1);
    let inside = 0;
    for (const place of places) {
        if (place >= 0) {
            start[place + 1]++;
            inside++;
        }
    }
    for (let p = 0; p < n; p++)
        start[p + 1] += start[p];
    const members = new Uint32Array(inside);
    const entries = new Uint32Array(inside);
    const next = start.slice(0, n);
    const width = topology.dimensions.length + 1;
    for (let e = 0; e < places.length; e++) {
        if (places[e] >= 0) {
            const at = next[places[e]]++;
            members[at] = topology.coordinates[e * width];
            entries[at] = e;
        }
    }
    return { size, n, start, members, entries };
}

/* How far a step along each dimension goes, in places; 0 for those that are sliced. */
function strides(topology: Topology, arrangement: Arrangement, size: number[]): number[] {
    const stride = topology.dimensions.map(() => 0);
    let whole = 1;
    arrangement.axes.forEach((axis, i) => {
        let step = whole;
        for (const d of axis.slice().reverse()) {
            stride[d] = step;
            step *= topology.dimensions[d].size;
        }
        whole *= size[i];
    });
    return stride;
}

/* Per coordinate its place, -1: outside of the slice, or of the topology. */
function placesOf(topology: Topology, stride: number[], slices: Arrangement["slices"]): Int32Array {
    const n = topology.dimensions.length;
    const places = new Int32Array(entryCount(topology));
    for (let e = 0; e < places.length; e++) {
        let place = 0;
        for (let d = 0; d < n; d++) {
            const x = topology.coordinates[e * (n + 1) + 1 + d];
            const slice = slices[d];
            if ((typeof slice === "number" && slice !== x) || !(x >= 0 && x < topology.dimensions[d].size)) {
                place = -1;
                break;
            }
            place += x * stride[d];
        }
        places[e] = place;
    }
    return places;
}

/* The values of the places. NaN: nobody is there, or nothing is known of those who are. */
export function fill(cells: Layout, values: ArrayLike<number>, combine: Combine): Float64Array {
    const out = new Float64Array(cells.n).fill(NaN);
    for (let p = 0; p < cells.n; p++) {
        for (let m = cells.start[p]; m < cells.start[p + 1]; m++) {
            const value = values[cells.members[m]];
            const before = out[p];
            if (Number.isNaN(value))
                continue;
            if (Number.isNaN(before))
                out[p] = value;
            else if (combine === "sum")
                out[p] = before + value;
            else
                out[p] = combine === "min" ? Math.min(before, value) : Math.max(before, value);
        }
    }
    return out;
}

/* What is at a place: per axis the indices of its dimensions, in the order of the axis. */
export function indicesAt(topology: Topology, axis: readonly number[], place: number): number[] {
    const out: number[] = [];
    for (const d of axis.slice().reverse()) {
        const size = topology.dimensions[d].size;
        out.unshift(place % size);
        place = Math.floor(place / size);
    }
    return out;
}

/* The arrangement that a topology is first shown in: dimensions in their order, in as many runs as there are axes, so that the picture is
 * as near to twice as wide as high (a cube) as it gets. */
export function arrange(topology: Topology, nAxes: 2 | 3): Arrangement {
    const n = topology.dimensions.length;
    const slices: Arrangement["slices"] = topology.dimensions.map(() => null);
    if (n <= nAxes)
        return { axes: Array.from({ length: nAxes }, (_, i) => (i < n ? [i] : [])), slices };

    let best: number[][] = [];
    let least = Infinity;
    for (const cuts of cutsOf(n, nAxes - 1)) {
        const runs = runsOf(n, cuts);
        const logs = runs.map(run => Math.log2(axisSize(topology, run)));
        const off = nAxes === 2 ? Math.abs(logs[0] - logs[1] - 1) : Math.max(...logs) - Math.min(...logs);
        if (off < least) {
            least = off;
            best = runs;
        }
    }
    return { axes: best, slices };
}

function cutsOf(n: number, nCuts: number): number[][] {
    const out: number[][] = [];
    for (let a = 1; a < n; a++) {
        if (nCuts === 1)
            out.push([a]);
        else
            for (let b = a + 1; b < n; b++)
                out.push([a, b]);
    }
    return out;
}

function runsOf(n: number, cuts: number[]): number[][] {
    const edges = [0, ...cuts, n];
    return edges.slice(1).map((end, i) => Array.from({ length: end - edges[i] }, (_, j) => edges[i] + j));
}

/* How to break a topology that would be a thin line: the dimension and the length of its rows, or null where it need not be. */
export function breakOf(topology: Topology): { dimension: number; length: number } | null {
    const axes = arrange(topology, 2).axes;
    const [across, down] = [axisSize(topology, axes[0]), axisSize(topology, axes[1])];
    if (topology.dimensions.length > 2 || Math.max(across, down) <= 128 || Math.max(across, down) / Math.min(across, down) < 32)
        return null;
    const dimension = across >= down ? 0 : 1;
    return { dimension, length: 2 ** Math.ceil(Math.log2(across * down) / 2) };
}

/* The same for a topology of which dimension d was broken: its rows lie below each other. */
export function arrangeRows(topology: Topology, d: number): Arrangement {
    const others = topology.dimensions.map((_, i) => i).filter(i => i !== d + 1);
    return { axes: [[d + 1], others], slices: topology.dimensions.map(() => null) };
}

/* An arrangement as it stands in the address: "0_1;2" axes, then "3=4,5=sum". */
export function arrangementText(arrangement: Arrangement): string {
    const axes = arrangement.axes.map(axis => axis.join("_")).join(";");
    const slices = arrangement.slices.flatMap((slice, d) => (slice === null ? [] : [`${d}=${slice}`]));
    return slices.length > 0 ? `${axes},${slices.join(",")}` : axes;
}

/* The arrangement of a text, or null where it is none of this topology. */
export function parseArrangement(text: string, topology: Topology, nAxes: number): Arrangement | null {
    const [first = "", ...rest] = text.split(",");
    const axes = first.split(";").map(axis => (axis === "" ? [] : axis.split("_").map(Number)));
    const slices: Arrangement["slices"] = topology.dimensions.map(() => null);
    for (const one of rest) {
        const [d = "", value = ""] = one.split("=");
        if (!(Number(d) in slices))
            return null;
        slices[Number(d)] = value === "sum" ? "sum" : Number(value);
    }
    const arrangement = { axes, slices };
    return axes.length === nAxes && isArrangement(arrangement, topology) ? arrangement : null;
}

export function isArrangement(arrangement: Arrangement, topology: Topology): boolean {
    const seen = topology.dimensions.map(() => 0);
    for (const d of arrangement.axes.flat()) {
        if (!(d in seen))
            return false;
        seen[d]++;
    }
    return arrangement.slices.length === seen.length && arrangement.slices.every((slice, d) => {
        if (slice === null)
            return seen[d] === 1;
        return seen[d] === 0 && (slice === "sum" || (Number.isInteger(slice) && slice >= 0 && slice < topology.dimensions[d].size));
    });
}

/* The arrangement in which dimension d is elsewhere: at the end of an axis, or sliced. */
export function moved(arrangement: Arrangement, d: number, to: number | { slice: number | "sum" }): Arrangement {
    const axes = arrangement.axes.map(axis => axis.filter(other => other !== d));
    const slices = arrangement.slices.slice();
    if (typeof to === "number") {
        axes[to].push(d);
        slices[d] = null;
    } else {
        slices[d] = to.slice;
    }
    return { axes, slices };
}

/* The arrangement in which the dimensions of an axis are one further out. */
export function turned(arrangement: Arrangement, axis: number): Arrangement {
    const axes = arrangement.axes.map((one, i) => (i === axis && one.length > 1 ? [...one.slice(1), one[0]] : one));
    return { axes, slices: arrangement.slices };
}

export interface Part { x: number; y: number; width: number; height: number } /* of a picture, in places */

/* A part of a picture with at most `most` points along each axis: neighbours are put together, of which the greatest magnitude is kept. */
export function shrunk(values: Float64Array, rowLength: number, part: Part, most: readonly [number, number]): { values: Float64Array; width: number; height: number; by: [number, number] } {
    const by: [number, number] = [Math.max(1, Math.ceil(part.width / most[0])), Math.max(1, Math.ceil(part.height / most[1]))];
    const width = Math.ceil(part.width / by[0]);
    const height = Math.ceil(part.height / by[1]);
    const out = new Float64Array(width * height).fill(NaN);
    for (let y = 0; y < part.height; y++) {
        const from = (part.y + y) * rowLength + part.x;
        const to = Math.floor(y / by[1]) * width;
        for (let x = 0; x < part.width; x++) {
            const value = values[from + x];
            const at = to + Math.floor(x / by[0]);
            if (!(Math.abs(value) <= Math.abs(out[at])) && !Number.isNaN(value))
                out[at] = value;
        }
    }
    return { values: out, width, height, by };
}

export interface Tick { at: number; label: string } /* at: the first place that it holds for */

/* The numbers along an axis: per folded dimension a line, the innermost first. step: places that one number stands for.
 * room: places that a number needs. No ticks: there is no room for any but the first. */
export interface TickLine { name: string; size: number; step: number; ticks: Tick[] }

export function axisTicks(topology: Topology, axis: readonly number[], room: number): TickLine[] {
    const out: TickLine[] = [];
    const total = axisSize(topology, axis);
    let step = 1;
    for (const d of axis.slice().reverse()) {
        const { name, size } = topology.dimensions[d];
        const every = roundUp(Math.max(1, room / step));
        const ticks: Tick[] = [];
        if (every < size || step * size === total || room <= step) {
            for (let outer = 0; outer < total; outer += step * size) {
                for (let i = 0; i < size; i += every) {
                    if (i === 0 || size - i >= room / step)
                        ticks.push({ at: outer + i * step, label: String(i) });
                }
            }
        }
        out.push({ name, size, step, ticks });
        step *= size;
    }
    return out;
}

/* The least of 1, 2, 5, 10, 20, ... that is not below x. */
export function roundUp(x: number): number {
    const power = 10 ** Math.floor(Math.log10(x));
    return [1, 2, 5, 10].map(m => m * power).find(m => m >= x * (1 - 1e-12)) ?? 10 * power;
}
