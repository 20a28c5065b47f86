/* matrix.ts: the communication matrix of a page, decoded, and added up in cells of a picture. The format is docs/formats.md#page. */
import { inflate, readNumbers } from "./streams";

export type MatrixBy = "process" | "node";
export type Measure = "messages" | "bytes" | "waiting" | "transfer";

/* Pairs in the order of senders, then receivers. A sender, or receiver, is a block of processes or nodes: number i has those from i * block on. */
export interface Matrix {
    n: number;                     /* processes, or nodes */
    block: number;
    sizes: Float64Array;           /* messages of each size class: 0, 1, 2 to 3, 4 to 7, ... bytes */
    nPairs: number;
    sender: Float64Array;
    receiver: Float64Array;
    messages: Float64Array;
    bytes: Float64Array;
    lateSender: Float64Array;      /* [s] */
    lateReceiver: Float64Array;    /* [s] */
    transfer: Float64Array;        /* [s] of all messages of a pair */
}

const HEAD = 3;
const SIZE_CLASSES = 65;

export function readMatrix(text: string | null): Matrix | null {
    if (text === null || text === "")
        return null;
    const numbers = readNumbers(inflate(text, 0, text.length), 0);
    const [n, block, nPairs] = numbers;
    const column = (i: number): Float64Array => numbers.subarray(HEAD + SIZE_CLASSES + i * nPairs, HEAD + SIZE_CLASSES + (i + 1) * nPairs);
    return {
        n, block, nPairs, sizes: numbers.subarray(HEAD, HEAD + SIZE_CLASSES), sender: column(0), receiver: column(1), messages: column(2),
        bytes: column(3), lateSender: column(4), lateReceiver: column(5), transfer: column(6),
    };
}

/* What is shown: blocks from..to-1 of senders and of receivers. */
export interface Part { sender: [from: number, to: number]; receiver: [from: number, to: number] }

export function wholeOf(matrix: Matrix): Part {
    const n = Math.ceil(matrix.n / matrix.block);
    return { sender: [0, n], receiver: [0, n] };
}

/* Sums of all pairs of a cell. */
export interface CellSums { messages: number; bytes: number; lateSender: number; lateReceiver: number; transfer: number }

export interface Cells {
    part: Part;
    size: number;                  /* blocks of a cell, on each axis */
    rows: number;                  /* senders */
    columns: number;               /* receivers */
    values: Float64Array;          /* [rows * columns] of the measure; NaN: no pair */
    largest: number;
}

function firstOf(senders: Float64Array, sender: number): number {
    let low = 0, high = senders.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (senders[middle] < sender)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Indices of the pairs of a part. */
export function eachPair(matrix: Matrix, { sender, receiver }: Part, visit: (pair: number) => void): void {
    const end = firstOf(matrix.sender, sender[1]);
    for (let i = firstOf(matrix.sender, sender[0]); i < end; i++)
        if (matrix.receiver[i] >= receiver[0] && matrix.receiver[i] < receiver[1])
            visit(i);
}

export function valueOf(matrix: Matrix, pair: number, measure: Measure): number {
    switch (measure) {
    case "messages": return matrix.messages[pair];
    case "bytes": return matrix.bytes[pair];
    case "waiting": return matrix.lateSender[pair] + matrix.lateReceiver[pair];
    case "transfer": return matrix.messages[pair] > 0 ? matrix.transfer[pair] / matrix.messages[pair] : 0;
    }
}

/* most: cells on an axis. Linear in the pairs of the part. */
export function cellsOf(matrix: Matrix, part: Part, measure: Measure, most: number): Cells {
    const height = part.sender[1] - part.sender[0], width = part.receiver[1] - part.receiver[0];
    const size = Math.max(1, Math.ceil(Math.max(height, width) / most));
    const rows = Math.ceil(height / size), columns = Math.ceil(width / size);
    const values = new Float64Array(rows * columns).fill(NaN);
    const messages = measure === "transfer" ? new Float64Array(rows * columns) : null;
    eachPair(matrix, part, i => {
        const cell = Math.floor((matrix.sender[i] - part.sender[0]) / size) * columns + Math.floor((matrix.receiver[i] - part.receiver[0]) / size);
        const value = messages === null ? valueOf(matrix, i, measure) : matrix.transfer[i];
        values[cell] = Number.isNaN(values[cell]) ? value : values[cell] + value;
        if (messages !== null)
            messages[cell] += matrix.messages[i];
    });
    let largest = 0;
    for (let i = 0; i < values.length; i++) {
        if (messages !== null && !Number.isNaN(values[i]))
            values[i] = messages[i] > 0 ? values[i] / messages[i] : 0;
        if (values[i] > largest)
            largest = values[i];
    }
    return { part, size, rows, columns, values, largest };
}

/* The part that a cell stands for. */
export function partOfCell({ part, size }: Cells, row: number, column: number): Part {
    const of = ([from, to]: [number, number], i: number): [number, number] => [from + i * size, Math.min(from + (i + 1) * size, to)];
    return { sender: of(part.sender, row), receiver: of(part.receiver, column) };
}

export function sumsOf(matrix: Matrix, part: Part): CellSums {
    const sums = { messages: 0, bytes: 0, lateSender: 0, lateReceiver: 0, transfer: 0 };
    eachPair(matrix, part, i => {
        sums.messages += matrix.messages[i];
        sums.bytes += matrix.bytes[i];
        sums.lateSender += matrix.lateSender[i];
        sums.lateReceiver += matrix.lateReceiver[i];
        sums.transfer += matrix.transfer[i];
    });
    return sums;
}

/* The pairs of a part with the largest values, at most n. */
export function largestPairs(matrix: Matrix, part: Part, measure: Measure, n: number): number[] {
    const top: { pair: number; value: number }[] = [];
    eachPair(matrix, part, pair => {
        const value = valueOf(matrix, pair, measure);
        if (value <= 0 || (top.length === n && value <= top[n - 1].value))
            return;
        let at = top.length;
        while (at > 0 && top[at - 1].value < value)
            at--;
        top.splice(at, 0, { pair, value });
        top.length = Math.min(top.length, n);
    });
    return top.map(({ pair }) => pair);
}

/* A part nearer to, or farther from, a point of it (0..1 on each axis), within the whole. */
export function zoomed(matrix: Matrix, part: Part, factor: number, atSender: number, atReceiver: number): Part {
    const whole = wholeOf(matrix).sender[1];
    const width = Math.min(whole, Math.max(1, Math.round(Math.max(part.sender[1] - part.sender[0], part.receiver[1] - part.receiver[0]) * factor)));
    const of = ([from, to]: [number, number], at: number): [number, number] => {
        const first = Math.round(Math.min(Math.max(from + at * (to - from) - at * width, 0), whole - width));
        return [first, first + width];
    };
    return { sender: of(part.sender, atSender), receiver: of(part.receiver, atReceiver) };
}

/* The same part moved by shares of it, within the whole. */
export function moved(matrix: Matrix, part: Part, bySender: number, byReceiver: number): Part {
    const whole = wholeOf(matrix).sender[1];
    const of = ([from, to]: [number, number], by: number): [number, number] => {
        const first = Math.round(Math.min(Math.max(from + by * (to - from), 0), whole - (to - from)));
        return [first, first + (to - from)];
    };
    return { sender: of(part.sender, bySender), receiver: of(part.receiver, byReceiver) };
}
