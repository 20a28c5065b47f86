/* sections/efficiencies.tsx: the section "Efficiencies": POP's factors as a tree, coloured by value, those of regions, of time windows and of iterations. */
import { percent, plural, seconds } from "../format";
import { gradeOf } from "../grade";
import type { Efficiencies as Data, EfficiencyPoint, EfficiencySlice, Factors, Model } from "../model";
import { useState } from "preact/hooks";
import { Explain, Into, N_TOP, More, Part, PartProps, PathName, headingOf } from "./pieces";

interface Row { id: string; depth: number; of(slice: EfficiencySlice): number | null | undefined }
interface Group { title: string; rows: Row[] }

const row = (id: string, depth: number, key = id, group?: (slice: EfficiencySlice) => Factors | null | undefined): Row =>
    ({ id, depth, of: slice => (group === undefined ? (slice as unknown as Factors)[key] : group(slice)?.[key]) });
const mpi = (id: string, depth: number, key: string): Row => row(id, depth, key, slice => slice.hybrid?.mpi);
const openmp = (id: string, depth: number, key: string): Row => row(id, depth, key, slice => slice.hybrid?.openmp);
const additive = (id: string, depth: number, key = id): Row => row(id, depth, key, slice => slice.additive);

/* Of processes counted once each, where they have different numbers of threads: else the factor itself says it. */
const unweighted = (id: string, key: string): Row => mpi(id, 0, `${key}_unweighted`);
const isSaid = ({ id, of }: Row, slices: EfficiencySlice[]): boolean => !id.endsWith("_unweighted") ||
    slices.some(slice => Math.abs((of(slice) ?? 0) - (slice.hybrid?.mpi[id === "mpi_parallel_unweighted" ? "parallel" : "load_balance"] ?? 0)) > 1e-9);

const GROUPS: Group[] = [
    { title: "of all threads, multiplied", rows: [row("parallel", 0), row("load_balance", 1), row("communication", 1), row("serialisation", 2), row("transfer", 2)] },
    { title: "of processes, multiplied", rows: [
        mpi("mpi_parallel", 0, "parallel"), mpi("mpi_load_balance", 1, "load_balance"), mpi("mpi_communication", 1, "communication"),
        mpi("mpi_serialisation", 2, "serialisation"), mpi("mpi_transfer", 2, "transfer"),
        unweighted("mpi_parallel_unweighted", "parallel"), unweighted("mpi_load_balance_unweighted", "load_balance")] },
    { title: "of threads, multiplied (may exceed 100 %)", rows: [openmp("openmp_parallel", 0, "parallel"), openmp("openmp_load_balance", 1, "load_balance"), openmp("openmp_communication", 1, "communication")] },
    { title: "losses added", rows: [
        additive("process", 0), additive("process_load_balance", 1), additive("process_communication", 1), additive("process_serialisation", 2),
        additive("process_transfer", 2), additive("thread", 0), additive("serial_region", 1), additive("openmp", 1)] },
];

const timeOf = (model: Model): number[] => [model.metricById("time")].filter(m => m >= 0);

function Cell({ value }: { value: number | null | undefined }) {
    return <td class={gradeOf(value ?? null)}>{value === null || value === undefined ? "–" : `${percent(value)} %`}</td>;
}

/* What is in place of the main window in reports of a part of the run. */
const SLICES: Record<string, string> = { main: "main window", interval: "interval", regions: "regions of interest" };

function Tree({ data, store }: { data: Data; store: PartProps["store"] }) {
    const slices = data.main === null ? [data.whole] : [data.main, data.whole];
    const names = new Map(data.factors);
    const groups = GROUPS.map(group => ({ ...group, rows: group.rows.filter(row => isSaid(row, slices)) })).filter(group => slices.some(slice => group.rows.some(({ of }) => of(slice) !== undefined)));
    return (
        <table class="figures efficiencies">
            <thead><tr><th scope="col" />{slices.map((_, i) => <th key={i} scope="col">{slices.length > 1 && i === 0 ? SLICES[slices[0].kind] : "whole run"}</th>)}</tr></thead>
            <tbody>
                <tr><th scope="row">Runtime</th>{slices.map((slice, i) => <td key={i}>{seconds(slice.runtime)}</td>)}</tr>
                <tr><th scope="row">if data took no time</th>{slices.map((slice, i) => <td key={i}>{slice.ideal_runtime === null ? "–" : seconds(slice.ideal_runtime)}</td>)}</tr>
                {groups.map(({ title, rows }) => [
                    groups.length > 1 && <tr key={title} class="group"><th scope="rowgroup" colSpan={1 + slices.length}>{title}</th></tr>,
                    ...rows.map(({ id, depth, of }) => (
                        <tr key={id}>
                            <th scope="row" style={{ paddingLeft: `${0.6 + 1.1 * depth}em` }}>{names.get(id)} {depth === 1 && groups.length === 1 && <Explain store={store} id={id} />}</th>
                            {slices.map((slice, i) => <Cell key={i} value={of(slice)} />)}
                        </tr>
                    )),
                ])}
            </tbody>
        </table>
    );
}

/* What is lost in parallel regions, the most first. */
function Causes({ data }: { data: Data }) {
    const names = new Map(data.factors);
    const causes = Object.entries((data.main ?? data.whole).openmp_causes ?? {}).filter((entry): entry is [string, number] => entry[1] !== null && entry[1] >= 0.001).sort((a, b) => b[1] - a[1]);
    return causes.length === 0 ? null : <p>Threads lose in parallel regions, of all time: {causes.map(([key, value], i) => <>{i > 0 && ", "}{names.get(`lost_${key}`)} {percent(value)} %</>)}.</p>;
}

function Lowest({ data, store }: { data: Data; store: PartProps["store"] }) {
    const { model } = store;
    const { lowest } = data;
    if (lowest === null)
        return null;
    const isGood = lowest.value >= 0.8 && !(((data.main ?? data.whole).parallel ?? 1) < 0.8);  /* several that are may be too little together */
    const path = lowest.call_path_id === null ? -1 : model.head.paths.number.indexOf(lowest.call_path_id);
    return (
        <p>Lowest: <b>{lowest.name}</b>, {percent(lowest.value)} %{isGood ? " (from 80 % on it is acceptable, says POP)." : path < 0 ? "." : <>; most of it is lost
            at <Into store={store} to={{ metrics: timeOf(model), path }}><PathName model={model} path={path} /></Into>: {lowest.what}{lowest.who !== null && <>; {lowest.who}</>}.</>}</p>
    );
}

/* Of the other efficiencies that lack half a percent or more. */
function Losses({ data, store }: { data: Data; store: PartProps["store"] }) {
    const { model } = store;
    const rows = data.losses.filter(({ id, value, call_path_id }) => id !== data.lowest?.id && value < 0.995 && call_path_id !== null);
    return rows.length === 0 ? null : (
        <ul class="losses">{rows.map(({ id, name, value, call_path_id, what, who }) => {
            const path = model.head.paths.number.indexOf(call_path_id!);
            return <li key={id}>{name}, {percent(value)} %: most of it is lost at <Into store={store} to={{ metrics: timeOf(model), path }}><PathName model={model} path={path} /></Into>: {who ?? what}.</li>;
        })}</ul>
    );
}

function Regions({ data, store }: { data: Data; store: PartProps["store"] }) {
    const { model } = store;
    const [n, setN] = useState(N_TOP);
    const rows = data.regions.slice().sort((a, b) => b.runtime - a.runtime);
    if (rows.length === 0)
        return null;
    return (
        <>
            <table class="figures efficiencies regions">
                <thead><tr>{["Region", "Time", "Parallel", "Load balance", "Communication"].map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
                <tbody>{rows.slice(0, n).map(({ path, runtime, parallel, load_balance, communication }) => (
                    <tr key={path}>
                        <th scope="row"><Into store={store} to={{ metrics: timeOf(model), path }}><PathName model={model} path={path} among={rows.map(other => other.path)} /></Into></th>
                        <td>{seconds(runtime)}</td>{[parallel, load_balance, communication].map((value, i) => <Cell key={i} value={value} />)}
                    </tr>
                ))}</tbody>
            </table>
            <More n={rows.length - n} what="region" onClick={() => setN(rows.length)} />
        </>
    );
}

const WIDTH = 600, HEIGHT = 90, BOTTOM = 16, LEFT = 34;      /* of the curves */
const CURVES: [column: 2 | 3 | 4, name: string, what: string][] = [[2, "parallel efficiency", "of-parallel"], [3, "load balance", "of-balance"], [4, "communication", "of-communication"]];

interface CurvesProps { points: EfficiencyPoint[]; what: string; begin(point: EfficiencyPoint): string; end(point: EfficiencyPoint): string; when(point: EfficiencyPoint): string; isLastShort?: boolean }

/* Points are as wide as what they are of: times, or iterations, of which the last one belongs to it. isLastShort: the last one is no whole one, so never
 * the lowest. */
function Curves({ points, what, begin, end, when, isLastShort = false }: CurvesProps) {
    if (points.length < 2)
        return null;
    const from = points[0][0], to = points[points.length - 1][1];
    const x = (time: number): number => LEFT + (WIDTH - LEFT) * (time - from) / (to - from || 1);
    const y = (value: number): number => 4 + (HEIGHT - BOTTOM - 4) * (1 - Math.min(value, 1));
    /* Where a value is not known there is a gap. */
    const line = (column: 2 | 3 | 4): string => points.map((point, i) => {
        const value = point[column];
        return value === null ? "" : `${i > 0 && points[i - 1][column] !== null ? "L" : "M"}${x(point[0]).toFixed(1)} ${y(value).toFixed(1)}H${x(point[1]).toFixed(1)}`;
    }).join("");
    const whole = isLastShort ? points.slice(0, -1) : points;
    const least = whole.reduce((low, point) => ((point[2] ?? 2) < (low[2] ?? 2) ? point : low), whole[0]);
    return (
        <figure class="efficiency-windows">
            <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Efficiencies of ${what}; parallel efficiency is lowest ${when(least)}`}>
                {[0, 0.5, 1].map(mark => <g key={mark}><line x1={LEFT} x2={WIDTH} y1={y(mark)} y2={y(mark)} /><text x={LEFT - 4} y={y(mark) + 4} text-anchor="end">{100 * mark}</text></g>)}
                <text x={LEFT} y={HEIGHT - 3}>{begin(points[0])}</text><text x={WIDTH} y={HEIGHT - 3} text-anchor="end">{end(points[points.length - 1])}</text>
                {CURVES.map(([column, name, of]) => <path key={of} class={of} d={line(column)}><title>{name}</title></path>)}
            </svg>
            <figcaption>{CURVES.map(([, name, of], i) => <span key={of} class={of}>{i > 0 && " · "}<i />{name}</span>)} [%] of {what}; {least[2] !== null &&
                `parallel efficiency is lowest, ${percent(least[2])} %, ${when(least)}`}{isLastShort && "; the last one ends with its last call, without what is computed after that"}</figcaption>
        </figure>
    );
}

function whenOfWindow([start, end]: EfficiencyPoint): string {
    const digits = Math.max(0, 2 - Math.floor(Math.log10(end - start || 1)));
    return `from ${start.toFixed(digits)} s to ${end.toFixed(digits)} s`;
}

function Windows({ windows }: { windows: EfficiencyPoint[] }) {
    return <Curves points={windows} what={plural(windows.length, "time window")} begin={([from]) => seconds(from)} end={([, to]) => seconds(to)} when={whenOfWindow} />;
}

function Iterations({ iterations, isLastShort }: { iterations: EfficiencyPoint[]; isLastShort: boolean }) {
    const last = iterations.length > 0 ? iterations[iterations.length - 1][1] : 0;
    return <Curves points={iterations.map(([first, end, ...values]) => [first, end + 1, ...values])} what={plural(last, "iteration")} isLastShort={isLastShort} begin={([first]) => `${first}`}
        end={([, end]) => `${end - 1}`} when={([first, end]) => (end === first + 1 ? `in iteration ${first}` : `in iterations ${first} to ${end - 1}`)} />;
}

export function Efficiencies({ store }: PartProps) {
    const { model } = store;
    const data = model.head.efficiencies;
    if (data == null)
        return null;
    const elsewhere = (data.main ?? data.whole).mpi_elsewhere ?? 0;
    return (
        <Part id="efficiency" title={<>{headingOf(model, "efficiency")} <Explain store={store} id="parallel" /></>}>
            <Lowest data={data} store={store} />
            <Losses data={data} store={store} />
            <Tree data={data} store={store} />
            <Causes data={data} />
            {elsewhere > 0.01 && <p>{percent(elsewhere)} % of the time in MPI is on other threads than the first one of a process: by these definitions the efficiencies of threads count it, not those of MPI.</p>}
            <Windows windows={data.windows} />
            <Iterations iterations={data.iterations} isLastShort={model.head.series?.iterations?.found === true && model.head.series.iterations.ends !== true} />
            <Regions data={data} store={store} />
        </Part>
    );
}
