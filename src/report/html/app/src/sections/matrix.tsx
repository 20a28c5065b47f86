/* sections/matrix.tsx: the section "Communication statistics": which processes, or nodes, communicate with which, as a heat map and a table. */
import { useEffect, useRef, useState } from "preact/hooks";
import { grouped, number, percent, plural, seconds } from "../format";
import { useLater } from "../hooks";
import { CellSums, Matrix, MatrixBy, Measure, Part as MatrixPart, eachPair, largestPairs, sumsOf, wholeOf } from "../matrix";
import { openMenuBelow } from "../menu";
import type { Model } from "../model";
import { Cell, saveItems } from "../save";
import { MatrixPicture, MatrixScene } from "../views/matrix_picture";
import { Loading, N_TOP, Part, PartProps, headingOf } from "./pieces";

const MEASURES: readonly [Measure, string][] = [["bytes", "bytes"], ["messages", "messages"], ["waiting", "waiting time"], ["transfer", "mean transfer time"]];
const N_SIZES = 4;

function textOf(measure: Measure, value: number): string {
    return measure === "bytes" ? `${number(value)} bytes` : measure === "messages" ? plural(value, "message") : seconds(value);
}

function nameOf(model: Model, by: MatrixBy, from: number, to: number): string {
    if (by === "node")
        return to - from === 1 ? model.head.matrixNodes?.[from] ?? `node ${from}` : `nodes ${from} to ${to - 1}`;
    return to - from === 1 ? `process ${from}` : `processes ${from} to ${to - 1}`;
}

function describe(sums: CellSums): string[] {
    if (sums.messages === 0 && sums.lateReceiver === 0)
        return ["no messages"];
    return [
        `${plural(sums.messages, "message")}, ${number(sums.bytes)} bytes`,
        `Late Sender ${seconds(sums.lateSender)}, Late Receiver ${seconds(sums.lateReceiver)}`,
        ...(sums.messages > 0 ? [`mean transfer ${seconds(sums.transfer / sums.messages)}`] : []),
    ];
}

/* "78.9 % of 64 to 127 bytes, 21.1 % of 8 to 15 bytes": those with the most messages. */
function sizesInWords({ sizes }: Matrix): string {
    const whole = sizes.reduce((sum, n) => sum + n, 0);
    const classes = Array.from(sizes.keys()).filter(i => sizes[i] > 0).sort((a, b) => sizes[b] - sizes[a] || a - b);
    const range = (i: number): string => (i < 2 ? String(i) : `${grouped(2 ** (i - 1))} to ${grouped(2 ** i - 1)}`);
    return classes.slice(0, N_SIZES).map(i => `${percent(sizes[i] / whole)} % of ${range(i)} bytes`).join(", ");
}

function Picture({ scene, picture }: { scene: MatrixScene; picture: { current: MatrixPicture | null } }) {
    const host = useRef<HTMLDivElement>(null);
    useEffect(() => {
        picture.current = new MatrixPicture(host.current!, scene);
        return () => picture.current?.destroy();
    }, []);
    useEffect(() => picture.current?.set(scene), [scene.matrix, scene.measure, scene.part, scene.dark]);
    return <div class="matrix-picture" ref={host} />;
}

function Pairs({ model, by, matrix, measure, part }: { model: Model; by: MatrixBy; matrix: Matrix; measure: Measure; part: MatrixPart }) {
    const name = (i: number): string => nameOf(model, by, i * matrix.block, Math.min((i + 1) * matrix.block, matrix.n));
    const pairs = largestPairs(matrix, part, measure, N_TOP);
    return (
        <table class="figures">
            <thead><tr>{["Sender", "Receiver", "Messages", "Bytes", "Late Sender", "Late Receiver", "Mean transfer"].map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
            <tbody>
                {pairs.map(i => (
                    <tr key={i}>
                        <th scope="row">{name(matrix.sender[i])}</th>
                        <th scope="row">{name(matrix.receiver[i])}</th>
                        <td>{number(matrix.messages[i], true)}</td>
                        <td>{number(matrix.bytes[i], true)}</td>
                        <td>{seconds(matrix.lateSender[i])}</td>
                        <td>{seconds(matrix.lateReceiver[i])}</td>
                        <td>{matrix.messages[i] > 0 ? seconds(matrix.transfer[i] / matrix.messages[i]) : "\u2013"}</td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

/* All pairs of a part; times in seconds. */
function tableOf(model: Model, by: MatrixBy, matrix: Matrix, part: MatrixPart): Cell[][] {
    const name = (i: number): string => nameOf(model, by, i * matrix.block, Math.min((i + 1) * matrix.block, matrix.n));
    const rows: Cell[][] = [["sender", "receiver", "messages", "bytes", "late_sender", "late_receiver", "mean_transfer"]];
    eachPair(matrix, part, i => rows.push([name(matrix.sender[i]), name(matrix.receiver[i]), matrix.messages[i], matrix.bytes[i], matrix.lateSender[i],
        matrix.lateReceiver[i], matrix.messages[i] > 0 ? matrix.transfer[i] / matrix.messages[i] : NaN]));
    return rows;
}

function Shown({ model, dark, by, matrix }: { model: Model; dark: boolean; by: MatrixBy; matrix: Matrix }) {
    const [measure, setMeasure] = useState<Measure>("bytes");
    const [part, setPart] = useState<MatrixPart>(() => wholeOf(matrix));
    const picture = useRef<MatrixPicture | null>(null);
    const [from, to] = wholeOf(matrix).sender;
    const isWhole = part.sender[0] === from && part.sender[1] === to && part.receiver[0] === from && part.receiver[1] === to;
    const sums = sumsOf(matrix, part);
    const scene: MatrixScene = {
        matrix, measure, part, dark, describe, show: setPart, text: value => textOf(measure, value),
        name: (first, end) => nameOf(model, by, first, end),
    };
    return (
        <>
            <p>
                {isWhole ? "" : `Senders: ${nameOf(model, by, part.sender[0] * matrix.block, Math.min(part.sender[1] * matrix.block, matrix.n))}. `
                    + `Receivers: ${nameOf(model, by, part.receiver[0] * matrix.block, Math.min(part.receiver[1] * matrix.block, matrix.n))}. `}
                {describe(sums).join("; ")}. {isWhole && `Sizes of messages: ${sizesInWords(matrix)}.`}
                {matrix.block > 1 && ` Pairs are added up in blocks of ${matrix.block} × ${matrix.block} ${by === "node" ? "nodes" : "processes"}.`}
            </p>
            <p class="matrix-controls">
                <label>Show <select value={measure} onChange={event => setMeasure(event.currentTarget.value as Measure)}>
                    {MEASURES.map(([id, text]) => <option key={id} value={id}>{text}</option>)}
                </select></label>
                <button disabled={isWhole} onClick={() => setPart(wholeOf(matrix))}>Show all</button>
                <button aria-haspopup="menu" aria-label="Save the communication matrix" title="save what is shown: values as CSV, the picture as SVG or PNG" onClick={event => {
                    openMenuBelow(event.currentTarget, "Save the communication matrix", [
                        saveItems(model.head.title, `communication ${by} ${measure}`, { picture: () => picture.current?.saved() ?? null, table: () => tableOf(model, by, matrix, part) }),
                    ]);
                }}>save</button>
                <small>Frame a part, or turn the wheel, to zoom.</small>
            </p>
            <Picture scene={scene} picture={picture} />
            <Pairs model={model} by={by} matrix={matrix} measure={measure} part={part} />
        </>
    );
}

export function Communication({ store, dark }: PartProps) {
    const { model } = store;
    const [by, setBy] = useState<MatrixBy>("process");
    const read = useLater(() => ({ by, matrix: model.matrix(by) }), [model, by]);
    const matrix = read?.by === by ? read.matrix : undefined;    /* what was read before is still there for a moment */
    const hasNodes = (model.head.matrixNodes ?? []).length > 1;
    return (
        <Part id="communication" title={headingOf(model, "communication")}>
            {hasNodes && (
                <p class="matrix-controls"><label>Pairs of <select value={by} onChange={event => setBy(event.currentTarget.value as MatrixBy)}>
                    <option value="process">processes</option><option value="node">nodes</option>
                </select></label></p>
            )}
            {matrix === undefined ? <Loading text={false} /> : matrix !== null && <Shown key={by} model={model} dark={dark} by={by} matrix={matrix} />}
        </Part>
    );
}
