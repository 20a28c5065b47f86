/* sections/over_time.tsx: the section "Wait states over time": when which processes wait, compute, are in MPI or OpenMP, or on the critical path, over windows or iterations, as a line and a heat map. A
 * frame selects a part, whose wait states are listed, and of which the trees are (sliced.ts). */
import { Fragment } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { withoutParameters } from "../cut";
import { percent, plural, seconds } from "../format";
import { openMenuBelow } from "../menu";
import type { Lags, LagKind, Model } from "../model";
import { Cell, saveItems } from "../save";
import { Bar, Selection, amountText, barsOf, columnsName, isTime, isWhole, lagText, pairText, ranked, rowsName, slicesOf, sumOf, timesByPath, wholeOf } from "../series";
import type { Series, SeriesMetric } from "../series_model";
import type { Store } from "../store";
import { SeriesPicture, SeriesScene, heightOf } from "../views/series_picture";
import { Amount, Part, PartProps, qualified } from "./pieces";

function Picture({ scene, picture }: { scene: SeriesScene; picture: { current: SeriesPicture | null } }) {
    const host = useRef<HTMLDivElement>(null);
    useEffect(() => {
        picture.current = new SeriesPicture(host.current!, scene);
        return () => picture.current?.destroy();
    }, []);
    useEffect(() => picture.current?.set(scene), [scene.series, scene.metric, scene.selection, scene.dark]);
    return <div class="series-picture" style={{ height: `${heightOf(scene.series)}px` }} ref={host} />;
}

/* Seconds of each row and column of the selection. */
function tableOf(series: Series, selection: Selection): Cell[][] {
    const rows: Cell[][] = [["metric", "process", "processes", series.region === null ? "window" : "iteration", "last", "from", "to", "value"]];
    for (const metric of [...series.metrics, ...series.counters.filter(one => one.per === undefined), ...series.counts, ...series.delays.filter(one => one.parts === undefined)])
        for (let row = selection.rows[0]; row < selection.rows[1]; row++)
            for (let column = selection.columns[0]; column < selection.columns[1]; column++) {
                const [first, last, from, to] = series.columns[column];
                const value = metric.values[row * series.columns.length + column];
                if (value > 0)
                    rows.push([metric.id, row * series.block, Math.min(series.block, series.processes - row * series.block), first, last, from, to, metric.unit === undefined ? value / 1e9 : value]);
            }
    return rows;
}

function Waits({ series, selection }: { series: Series; selection: Selection }) {
    const rows = ranked(series, selection), largest = rows[0]?.[1] ?? 1;
    if (rows.length === 0)
        return <p>No process waits there.</p>;
    return (
        <table class="figures">
            <thead><tr>{["Wait state", "In the selection, share of its whole", ...(series.region === null ? [] : ["Over iterations"])].map(head => <th key={head} class={head === "Over iterations" ? "words" : ""} scope="col">{head}</th>)}</tr></thead>
            <tbody>
                {rows.map(([metric, value]) => (
                    <tr key={metric.id}>
                        <th scope="row">{metric.name}</th>
                        <td><Amount text={seconds(value)} share={value / sumOf(series, metric, wholeOf(series))} bar={value / largest} /></td>
                        {series.region !== null && <td class="words">{metric.words}</td>}
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function nameOf(series: Series, metric: SeriesMetric): string {
    return metric.id === "mpi" || metric.id === "omp_time" ? `Time in ${metric.name}` : series.counters.includes(metric) ? `${metric.name} in computation` : metric.name;
}

/* That all iterations take time, and compute, ("chronic") says nothing. */
function wordsOf({ id, words }: SeriesMetric): string {
    return id === "duration" || isTime(id) ? words.replace(/^chronic(, )?/, "") : words;
}

type By = "windows" | "iterations";

function Shown({ store, dark, by, series }: { store: Store; dark: boolean; by: By; series: Series }) {
    const { model, state: { slices } } = store;
    const times = useMemo(() => timesByPath(series), [series]);
    const order = useMemo(() => [...ranked(series, wholeOf(series)).map(([metric]) => metric), ...series.metrics.filter(metric => metric.id === "duration" || isTime(metric.id)), ...series.delays.filter(({ parts }) => parts !== 1), ...series.counters, ...series.counts], [series]);
    const [id, setId] = useState(order[0]?.id);
    const selection = useMemo<Selection>(() => (slices?.by === by ? { rows: slices.rows, columns: slices.columns } : wholeOf(series)), [slices, series]);
    const select = (part: Selection): void => store.set({ slices: isWhole(series, part) ? null : { by, ...part } });
    const picture = useRef<SeriesPicture | null>(null);
    const metric = order.find(one => one.id === id) ?? order[0];
    if (metric === undefined)
        return <p>No process waits in them.</p>;
    return (
        <>
            <p class="matrix-controls">
                <label>Show <select value={metric.id} onChange={event => setId(event.currentTarget.value)}>
                    {order.map(one => <option key={one.id} value={one.id}>{nameOf(series, one)}</option>)}
                </select></label>
                <button disabled={isWhole(series, selection)} onClick={() => select(wholeOf(series))}>Select all</button>
                <button aria-haspopup="menu" aria-label="Save the time series" title="save what is selected: values as CSV, the picture as SVG or PNG" onClick={event => {
                    openMenuBelow(event.currentTarget, "Save the time series", [
                        saveItems(model.head.title, `${series.region === null ? "windows" : "iterations"} ${metric.id}`, { picture: () => picture.current?.saved() ?? null, table: () => tableOf(series, selection) }),
                    ]);
                }}>save</button>
                <button disabled={isWhole(series, selection) || (isTime(metric.id) && !times.includes(metric)) || series.counters.includes(metric) || model.metricById(metric.id) < 0} title="the metric tree, the call tree and the system tree of what is selected"
                    onClick={() => store.go({ metrics: [model.metricById(metric.id)], ofSlices: true })}>Show its trees</button>
                <small>Frame a part to see who waits there, in what, and where: the trees of the explorer are of it, too.</small>
            </p>
            {wordsOf(metric) !== "" && <p>{nameOf(series, metric)}: {wordsOf(metric)}; most in iteration {metric.worst}.</p>}
            <Picture scene={{ series, metric, selection, dark, select }} picture={picture} />
            <p>
                {isWhole(series, selection) ? "All" : "Selected"}: {columnsName(series, selection.columns)}, {rowsName(series, selection.rows)};{" "}
                {nameOf(series, metric)} {amountText(metric, sumOf(series, metric, selection))}.
                {series.block > 1 && ` A row is of ${plural(series.block, "process", "processes")}.`}
            </p>
            <Waits series={series} selection={selection} />
            <Clusters series={series} select={select} />
        </>
    );
}

const WHICH_MOST = 60;                               /* characters; the title has all */

function Clusters({ series, select }: { series: Series; select(selection: Selection): void }) {
    const clusters = series.clusters ?? [];
    if (clusters.length < 2)
        return null;
    const isCut = (one: (typeof clusters)[number]): boolean => series.found === true && series.ends !== true && one.iterations === 1 && one.which === String(series.n);
    const show = (iteration: number) => {
        const column = series.columns.findIndex(([first, last]) => first <= iteration && iteration <= last);
        select({ rows: [0, series.rows], columns: [column, column + 1] });
    };
    return (
        <>
            <p>{plural(clusters.length, "cluster")} of iterations that are alike:</p>
            <table class="figures clusters">
                <thead><tr>{["Cluster", "Iterations", "Which", "Time of each", "Waiting in each", "Typical"].map(head => <th key={head} class={head === "Which" ? "words" : ""} scope="col">{head}</th>)}</tr></thead>
                <tbody>
                    {clusters.map((one, k) => (
                        <tr key={k}>
                            <th scope="row">{k + 1}</th>
                            <td>{one.iterations}</td>
                            <td class="words" title={one.which}>{one.which.length > WHICH_MOST ? `${one.which.slice(0, WHICH_MOST)}…` : one.which}{one.calls !== clusters[0].calls && "; other calls than in cluster 1"}{isCut(one) && "; the last one ends with its last call"}</td>
                            <td>{seconds(one.duration)}</td>
                            <td>{seconds(one.waiting)}</td>
                            <td><button aria-label={`Select iteration ${one.typical}`} onClick={() => show(one.typical)}>{one.typical}</button></td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </>
    );
}

const N_PAIRS = 5;

const FEW_BARS = 24;                                 /* whose names have room */

/* A bar for each lag, or slice, the largest as high as the box. */
function LagBars({ kind, bars, label, textOf }: { kind: LagKind; bars: Bar[]; label: string; textOf(bar: Bar): string }) {
    const most = Math.max(...bars.map(bar => bar.value));
    return (
        <ol class="lags" aria-label={`Direct costs of delays, ${kind.name}, ${label}`}>
            {bars.map(bar => ({ ...bar, text: textOf(bar) })).map(({ from, to, value, text }) => (
                <li key={from} title={`${text}: ${seconds(value)}, ${percent(value / kind.value)} %`}>
                    <span class="lag-box"><span class="lag-bar" style={{ height: `${Math.max((100 * value) / most, 1)}%` }} /></span>
                    <span class="lag-name">{from === to || bars.length > FEW_BARS ? from : `${from} to ${to}`}</span>
                </li>
            ))}
        </ol>
    );
}

function CausesOverTime({ lags, series }: { lags: Lags; series: Series }) {
    const kinds = useMemo(() => [...lags.kinds].sort((a, b) => b.value - a.value), [lags]);
    const [id, setId] = useState(kinds[0]?.wait_state);
    const kind = kinds.find(one => one.wait_state === id) ?? kinds[0];
    if (kind === undefined)
        return null;
    const slices = slicesOf(series), { what, each } = slices;
    const largest = kind.lags.reduce((a, b) => (b.value > a.value ? b : a));
    const byLag = kind.lags.map(({ from, to, value }) => ({ from: from * each, to: to * each, value }));
    return (
        <>
            <p class="matrix-controls"><label>Delays of <select aria-label="Delays of which wait state" value={kind.wait_state} onChange={event => setId(event.currentTarget.value)}>
                {kinds.map(one => <option key={one.wait_state} value={one.wait_state}>{one.name}</option>)}
            </select></label> by how many {what}s before the wait they were</p>
            <LagBars kind={kind} bars={byLag} label="by how long before the wait" textOf={({ from, to }) => lagText(slices, from / each, to / each)} />
            <p>Direct costs {seconds(kind.value)}, most of them {lagText(slices, largest.from, largest.to)} ({percent(largest.value / kind.value)} %).
                {" "}Largest: {kind.pairs.slice(0, N_PAIRS).map(pair => `${pairText(slices, pair.delay, pair.wait)}, ${seconds(pair.value)}`).join("; ")}.</p>
            {(["delay", "wait"] as const).map(side => ({ side, bars: barsOf(kind[`${side}s`], slices) })).filter(({ bars }) => bars.length > 0).map(({ side, bars }) => (
                <Fragment key={side}>
                    <p>By {what} of the {side}:</p>
                    <LagBars kind={kind} bars={bars} label={`by ${what} of the ${side}`} textOf={({ from, to }) => (from === to ? `${what} ${from}` : `${what}s ${from} to ${to}`)} />
                </Fragment>
            ))}
        </>
    );
}

/* With names of wait states that differ. */
function named(model: Model, series: Series | null): Series | null {
    const nameOf = ({ id, name }: SeriesMetric): string => (model.head.metrics[model.metricById(id)]?.wait ? qualified(model, model.metricById(id)) : name);
    return series === null ? null : { ...series, metrics: series.metrics.map(metric => ({ ...metric, name: nameOf(metric) })) };
}

export function OverTime({ store, dark }: PartProps) {
    const { model } = store;
    const { windows = null, iterations = null } = model.head.series ?? {};
    const [by, setBy] = useState<By>(store.state.slices?.by ?? (iterations === null ? "windows" : "iterations"));
    const chosen = by === "iterations" ? iterations : windows, { lags } = model.head, ofLags = lags?.by === "iterations" ? iterations : windows;
    const series = useMemo(() => named(model, chosen), [model, chosen]);
    return (
        <Part id="over-time" title="Wait states over time">
            {iterations !== null && (
                <p class="matrix-controls"><label>Over <select value={by} onChange={event => {
                    setBy(event.currentTarget.value as By);
                    store.set({ slices: null });
                }}>
                    <option value="iterations">{plural(iterations.n, "iteration")} {iterations.found === true ? "from" : "of"} {withoutParameters(iterations.region ?? "")}</option>
                    <option value="windows">{plural(windows?.n ?? 0, "window")} of equal length</option>
                </select></label></p>
            )}
            {by === "iterations" && iterations?.found === true && (
                <p>Iterations were found in the calls: each {iterations.ends === true ? "ends" : "begins"} with {withoutParameters(iterations.region ?? "")}. <code>heddle analyze --iterations REGION</code> names others.</p>
            )}
            {series !== null && <Shown key={by} store={store} dark={dark} by={by} series={series} />}
            {lags != null && ofLags != null && <CausesOverTime lags={lags} series={ofLags} />}
        </Part>
    );
}
