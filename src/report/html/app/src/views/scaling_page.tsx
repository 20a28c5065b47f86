/* views/scaling_page.tsx: the page of runs of several sizes: how each share of the time grows. The format is docs/formats.md#several-sizes. */
import uPlot from "uplot";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { cutNames } from "../cut";
import { axisSeconds, number, percent, plural, seconds, signed, withUnit } from "../format";
import { gradeOf } from "../grade";
import { openMenuBelow } from "../menu";
import { saveItems } from "../save";
import { useTheme } from "../theme";
import { inks, Tip } from "./dom";
import { pictureOfPlot } from "./plot";
import { withoutZeros } from "./scales";
import { efficiencyRows, factor, FORMS, isTime, modelAs, modelAt, rowsOf, shownAs, sizeOf, sizeWords, spreadLabels, tableOf, type Form, type ScalingHead, type ScalingRow } from "./scaling";

/* Told apart without seeing colours by their order and the names at their ends. */
const LINES_LIGHT = ["#1f6fb2", "#c4560b", "#24775b", "#a3337e", "#7a6000", "#5a4fb0", "#b02a37", "#4b5560"];
const LINES_DARK = ["#74b2e4", "#f0a35e", "#5fc9a2", "#e78ac3", "#d9c14f", "#b3a8f5", "#ff8f95", "#b5bcc6"];
const SHOWN_AT_FIRST = 6;
const CURVE_STEPS = 100;
const POINT = 3.5;                                   /* [pixels] radius */
const LABEL_MOST = 190;                              /* [pixels] */

interface Choice { form: Form; shown: string[]; byGrowth: boolean; isAll: boolean }      /* isAll: rows of nothing but zeros, too */

const keys = (text: string | null): string[] | null => (text === null ? null : text.split(",").filter(key => key !== ""));

function readAddress(rows: ScalingRow[]): Choice {
    const fields = new URLSearchParams(location.hash.slice(1));
    const form = FORMS.find(([key]) => key === fields.get("as"))?.[0] ?? "share";
    const known = keys(fields.get("show"))?.filter(key => rows.some(row => row.key === key));
    return { form, shown: known ?? firstShown(rows), byGrowth: fields.get("sort") === "growth", isAll: fields.get("all") === "1" };
}

/* The waiting that takes most of the time in any run; where there is none, what time is divided into. */
function firstShown(rows: ScalingRow[]): string[] {
    const waits = rows.filter(row => row.isWait && row.worst > 0);
    const times = rows.filter(row => isTime(row.unit) && row.depth === 1);
    return (waits.length > 0 ? waits : times).slice().sort((a, b) => b.worst - a.worst).slice(0, SHOWN_AT_FIRST).map(row => row.key);
}

export function ScalingPage({ head }: { head: ScalingHead }) {
    const { theme, dark, next } = useTheme();
    const plot = useRef<uPlot | null>(null);
    const rows = useMemo(() => rowsOf(head), [head]);
    const [choice, setChoice] = useState(() => readAddress(rows));
    useEffect(() => {
        const read = (): void => setChoice(readAddress(rows));
        addEventListener("hashchange", read);
        return () => removeEventListener("hashchange", read);
    }, [rows]);
    const change = (part: Partial<Choice>): void => {
        const now = { ...choice, ...part };
        setChoice(now);
        const sort = (now.byGrowth ? "&sort=growth" : "") + (now.isAll ? "&all=1" : "");
        try {
            history.replaceState(null, "", `#as=${now.form}&show=${now.shown.map(encodeURIComponent).join(",")}${sort}`);
        } catch {
            /* where the document's address may not be set, it stays as it is */
        }
    };
    const lines = choice.shown.map(key => rows.find(row => row.key === key)!).filter(row => choice.form === "factor" || isTime(row.unit));
    const colours = dark ? LINES_DARK : LINES_LIGHT;
    const { runs } = head;
    const isShown = (row: ScalingRow): boolean => row.isPath || choice.isAll || row.values.some(value => value !== null && value !== 0);
    const saveMenu = (button: Element): void => openMenuBelow(button, "Save the values and the chart", [saveItems(head.title, `scaling ${choice.form}`, {
        picture: () => (plot.current === null ? null : pictureOfPlot(plot.current)),
        table: () => tableOf(head, rows.filter(isShown)),
    })]);
    const worst = rows.filter(row => row.isWait && (row.growth ?? 0) > 0).sort((a, b) => b.growth! - a.growth!).slice(0, 3);

    return (
        <>
            <header class="top">
                <h1 title={head.title}>{head.title}</h1>
                <span class="size">{plural(runs.length, "run")} · {runs.length > 0 && `${sizeOf(head, 0)} to ${plural(sizeOf(head, runs.length - 1), ...sizeWords(head))}`}</span>
                <span class="grow" />
                <button onClick={next} title={`colours: ${theme}; click to change`} aria-label="Dark or light">{dark ? "Light" : "Dark"}</button>
            </header>
            <main class="v-scaling">
                {runs.map((run, i) => run.incomplete && <p key={i} class="caution">Partial: {run.title} {run.incomplete}.</p>)}
                {worst.length > 0
                    ? <p>Fastest-growing wait states: {worst.map((row, i) => <>{i > 0 && ", "}<b>{row.name}</b> ({points(row.growth!)})</>)}; growth of their share of total time in percentage points per doubling of {sizeWords(head)[1]}.</p>
                    : <p>No wait state has a growing share of total time.</p>}
                {head.isStartupCounted === false && <p>Start-up (MPI_Init, MPI_Finalize) is not counted; <code>heddle scaling --with-startup</code> counts it.</p>}
                {rows.some(row => row.model !== null) && <p>Models are of the value per {sizeWords(head)[0]}, p: number of {sizeWords(head)[1]}; error: how far off predictions of a size from the other sizes are, on average. Dashed curves in the chart, of all values but shares.</p>}
                {head.efficiencies && <Efficiencies head={head} rows={efficiencyRows(head.efficiencies)} isWeak={head.efficiencies.isWeak} colours={colours} dark={dark} />}
                <h2 class="v-heading">Shares of the time</h2>
                <div class="v-controls">
                    <label class="v-control">Values <select value={choice.form} onChange={event => change({ form: (event.target as HTMLSelectElement).value as Form })}>
                        {FORMS.map(([key, text]) => <option key={key} value={key}>{text}</option>)}
                    </select></label>
                    <label class="v-control"><input type="checkbox" checked={choice.byGrowth} onChange={() => change({ byGrowth: !choice.byGrowth })} />sort by growth</label>
                    <label class="v-control"><input type="checkbox" checked={choice.isAll} onChange={() => change({ isAll: !choice.isAll })} />show rows of zeros</label>
                    <button onClick={() => change({ shown: [] })} disabled={choice.shown.length === 0}>Clear lines</button>
                    <button aria-haspopup="menu" aria-label="Save the values and the chart" title="save what is shown: values as CSV, the chart as SVG or PNG"
                        onClick={event => saveMenu(event.currentTarget)}>save</button>
                </div>
                <Chart head={head} lines={lines} form={choice.form} colours={colours} dark={dark} shown={plot} />
                <Table head={head} rows={rows.filter(row => !row.isPath && isShown(row))} title="Metrics" choice={choice} change={change} lines={lines} colours={colours} />
                {head.paths.length > 0 &&
                    <Table head={head} rows={rows.filter(row => row.isPath && !row.isWaitAtPath)} title="Call paths by growth of their share" choice={choice} change={change} lines={lines} colours={colours} />}
                {(head.waits?.length ?? 0) > 0 &&
                    <Table head={head} rows={rows.filter(row => row.isWaitAtPath)} title="Wait states at call paths that grow most" choice={choice} change={change} lines={lines} colours={colours} />}
            </main>
        </>
    );
}

function points(growth: number): string {
    const rounded = Number(growth.toFixed(2));
    return signed(Math.abs(rounded).toFixed(2), rounded).replace(/^(?=\d)/, rounded < 0 ? "\u2212" : "");
}

/* A value of a form with its unit. */
function textOf(value: number | null, form: Form, row: ScalingRow): string {
    if (value === null || Number.isNaN(value))
        return "–";
    if (row.unit === "share")
        return efficiencyText(value, row.unit);
    if (form === "factor")
        return `× ${number(Number(value.toPrecision(4)))}`;
    if (isTime(row.unit))
        return form === "share" ? `${percent(value)} %` : seconds(value);
    return withUnit(value, row.unit, row.isInteger && form !== "process");
}

function amount(value: number, unit: string): string {
    return isTime(unit) ? seconds(value) : withUnit(value, unit);
}

/* "1.20 ms + 3.40 µs · p log p" */
function modelText(row: ScalingRow): string {
    if (row.model === null)
        return "";
    const { constant, factor: slope, term } = row.model;
    const parts = constant > 0 || slope <= 0 ? [amount(constant, row.unit)] : [];
    return [...parts, ...(slope > 0 ? [`${amount(slope, row.unit)} · ${term}`] : [])].join(" + ");
}

/* ---- the table ---------------------------------------------------------------------------------------------------------- */

function Table({ head, rows, title, choice, change, lines, colours }: {
    head: ScalingHead; rows: ScalingRow[]; title: string; choice: Choice; change(part: Partial<Choice>): void; lines: ScalingRow[]; colours: string[];
}) {
    const predicted = rows.some(row => row.model !== null) ? head.predicted ?? [] : null;      /* null: no models */
    const sorted = choice.byGrowth ? rows.slice().sort((a, b) => (b.growth ?? -Infinity) - (a.growth ?? -Infinity)) : rows;
    return (
        <section class="v-scaling-table">
            <h2>{title}</h2>
            <div class="v-wide">
                <table>
                    <thead><tr>
                        <th scope="col">line</th><th scope="col">{rows[0]?.isPath ? "call path" : "metric"}</th>
                        {head.runs.map((run, i) => <th key={i} scope="col" title={run.title} class={run.incomplete ? "caution" : undefined}>{plural(run.processes, "process", "processes")}{run.locations !== run.processes && <small>{plural(run.locations, "location")}</small>}</th>)}
                        <th scope="col" title={`growth of the share of total time in percentage points per doubling of ${sizeWords(head)[1]}`}>per doubling</th>
                        {predicted?.map(size => <th key={`at${size}`} scope="col" title={`what the model predicts for ${size} ${sizeWords(head)[1]}, per ${sizeWords(head)[0]}`}>at {size}<small>per {sizeWords(head)[0]}</small></th>)}
                        {predicted && <><th scope="col" title="how far off predictions of a size from the other sizes are, on average">error</th><th scope="col" class="v-model">model</th></>}
                    </tr></thead>
                    <tbody>
                        {sorted.map(row => {
                            const line = lines.indexOf(row);
                            const can = choice.form === "factor" || isTime(row.unit);
                            const isShown = choice.shown.includes(row.key);
                            return (
                                <tr key={row.key}>
                                    <td><label class="v-swatch" style={line < 0 ? undefined : { background: colours[line % colours.length] }}>
                                        <input type="checkbox" aria-label={`Line of ${row.name}`} checked={isShown} disabled={!can}
                                            onChange={() => change({ shown: isShown ? choice.shown.filter(key => key !== row.key) : [...choice.shown, row.key] })} /></label></td>
                                    <th scope="row" title={row.what} style={{ paddingLeft: `${0.4 + (choice.byGrowth ? 0 : 1.1 * row.depth)}em` }}>{row.name}</th>
                                    {shownAs(row, choice.form, head).map((value, i) => <td key={i} class="v-number">{textOf(value, choice.form, row)}</td>)}
                                    <td class="v-number">{row.growth === null ? "" : points(row.growth)}</td>
                                    {predicted?.map(size => <td key={`at${size}`} class="v-number">{row.model === null ? "–" : amount(modelAt(row.model, size), row.unit)}</td>)}
                                    {predicted && <><td class="v-number">{row.model === null ? "–" : `${percent(row.model.error)} %`}</td><td class="v-model">{modelText(row)}</td></>}
                                </tr>
                            );
                        })}
                    </tbody>
                </table>
            </div>
        </section>
    );
}

/* ---- efficiencies --------------------------------------------------------------------------------------------------------- */

const EFFICIENCIES_SHOWN = ["global", "parallel", "load_balance", "communication", "computation_scaling"];

function efficiencyText(value: number | null, unit: string): string {
    if (value === null)
        return "–";
    return unit === "share" ? `${percent(value)} %` : isTime(unit) ? seconds(value) : unit === "" ? `× ${number(Number(value.toPrecision(3)))}` : unit === "#" ? value.toFixed(2) : withUnit(value, unit);
}

/* POP's table, and its shares as lines. */
function Efficiencies({ head, rows, isWeak, colours, dark }: { head: ScalingHead; rows: ScalingRow[]; isWeak: boolean; colours: string[]; dark: boolean }) {
    const plot = useRef<uPlot | null>(null);
    const [shown, setShown] = useState(() => EFFICIENCIES_SHOWN);
    const lines = rows.filter(row => shown.includes(row.key));
    const saveMenu = (button: Element): void => openMenuBelow(button, "Save the efficiencies", [saveItems(head.title, "efficiencies", {
        picture: () => (plot.current === null ? null : pictureOfPlot(plot.current)),
        table: () => [["efficiency", "unit", ...head.runs.map(({ title }, i) => `${title} (${sizeOf(head, i)})`)],
            ...rows.map(({ key, unit, values }) => [key, unit === "share" ? "" : unit, ...values.map(value => value ?? NaN)])],
    })]);
    return (
        <section class="v-scaling-table v-efficiencies">
            <h2>Efficiencies (POP), {isWeak ? "weak" : "strong"} scaling
                <button aria-haspopup="menu" aria-label="Save the efficiencies" title="save the efficiencies as CSV, the chart as SVG or PNG" onClick={event => saveMenu(event.currentTarget)}>save</button></h2>
            <Chart head={head} lines={lines} form="share" colours={colours} dark={dark} shown={plot} />
            <div class="v-wide">
                <table>
                    <thead><tr><th scope="col">line</th><th scope="col">efficiency</th>
                        {head.runs.map((run, i) => <th key={i} scope="col" title={run.title}>{plural(sizeOf(head, i), ...sizeWords(head))}</th>)}</tr></thead>
                    <tbody>{rows.map(row => {
                        const line = lines.indexOf(row), isShare = row.unit === "share";
                        return (
                            <tr key={row.key}>
                                <td>{isShare && <label class="v-swatch" style={line < 0 ? undefined : { background: colours[line % colours.length] }}>
                                    <input type="checkbox" aria-label={`Line of ${row.name}`} checked={line >= 0}
                                        onChange={() => setShown(line >= 0 ? shown.filter(key => key !== row.key) : [...shown, row.key])} /></label>}</td>
                                <th scope="row" style={{ paddingLeft: `${0.4 + 1.1 * row.depth}em` }}>{row.name}</th>
                                {row.values.map((value, i) => <td key={i} class={`v-number ${isShare ? gradeOf(value) : ""}`}>{efficiencyText(value, row.unit)}</td>)}
                            </tr>
                        );
                    })}</tbody>
                </table>
            </div>
        </section>
    );
}

/* ---- the chart ---------------------------------------------------------------------------------------------------------- */

function Chart({ head, lines, form, colours, dark, shown }: { head: ScalingHead; lines: ScalingRow[]; form: Form; colours: string[]; dark: boolean; shown: { current: uPlot | null } }) {
    const host = useRef<HTMLDivElement>(null);
    const [width, resized] = useReducer<number, number>((_, now) => now, 0);
    useEffect(() => {
        const observer = new ResizeObserver(() => resized(host.current!.clientWidth));
        observer.observe(host.current!);
        return () => observer.disconnect();
    }, []);
    useEffect(() => {
        if (width < 100 || lines.length === 0)
            return undefined;
        const tip = new Tip(host.current!);
        const values = lines.map(line => shownAs(line, form, head));
        const plot = new uPlot(options(head, lines, values, form, colours, dark, width, host.current!, tip), [head.runs.map((_, i) => sizeOf(head, i)), ...values] as uPlot.AlignedData, host.current!);
        shown.current = plot;
        return () => {
            shown.current = null;
            plot.destroy();
            tip.remove();
        };
    }, [width, JSON.stringify(lines.map(line => line.key)), form, dark, head]);
    const says = `${FORMS.find(([key]) => key === form)![1]} by number of ${sizeWords(head)[1]}: ${lines.map(line => line.name).join(", ")}. The table below has the numbers.`;
    return <div class={lines.length === 0 ? "v-chart v-empty" : "v-chart"} ref={host} role="img" aria-label={says}>{lines.length === 0 && <p class="v-message">Choose lines in the tables below.</p>}</div>;
}

function options(head: ScalingHead, lines: ScalingRow[], values: (number | null)[][], form: Form, colours: string[], dark: boolean, width: number, host: HTMLElement, tip: Tip): uPlot.Options {
    const { ink, hairline } = inks(dark);
    const font = `12px ${getComputedStyle(host).fontFamily}`;
    const pen = document.createElement("canvas").getContext("2d")!;
    pen.font = font;
    const textWidth = (text: string): number => pen.measureText(text).width;
    const labelWidth = Math.min(LABEL_MOST, Math.max(...lines.map(line => textWidth(line.name))));
    const sizes = [...new Set(head.runs.map((_, i) => sizeOf(head, i)))];
    const axis = { stroke: ink, grid: { stroke: hairline, width: 1 }, ticks: { stroke: hairline, width: 1 }, font };
    const first = sizes[0], last = sizes[sizes.length - 1];
    const range: [number, number] = first === last ? [first / 2, last * 2] : [first / (last / first) ** 0.04, last * (last / first) ** 0.02];
    const valueText = (value: number): string => withoutZeros(form === "share" ? `${percent(value)} %` : form === "factor" ? factor(value) : withUnit(value, lines[0].unit));
    return {
        width, height: 360, legend: { show: false }, padding: [12, labelWidth + 18, 0, 4],
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { x: { time: false, distr: 3, log: 2, range: () => range }, y: { range: (_self, low, high) => [Math.min(0, low ?? 0), (high ?? 1) * 1.06 || 1] } },
        axes: [
            { ...axis, splits: () => sizes, filter: (_self, splits) => splits, values: (_self, splits) => splits.map(String), label: sizeWords(head)[1], labelFont: font, labelSize: 18, size: 34 },
            { ...axis, size: (_self, texts) => Math.max(48, ...(texts ?? []).map(text => 18 + textWidth(text))), values: (_self, ticks) => (form === "process" && isTime(lines[0].unit) ? axisSeconds(ticks) : ticks.map(valueText)) },
        ],
        series: [{}, ...lines.map((line, i) => ({ label: line.name, stroke: colours[i % colours.length], width: 2, paths: () => null, points: { show: false } }))],
        hooks: {
            draw: [self => drawLines(self, head, values, colours), self => drawModels(self, head, lines, form, colours), self => drawLabels(self, lines, values, colours, labelWidth, textWidth)],
            setCursor: [self => {
                const { left, top, idx } = self.cursor;
                if (left === undefined || left < 0 || top === undefined || idx === null || idx === undefined) {
                    tip.hide();
                    return;
                }
                const run = head.runs[idx];
                const box = self.over.getBoundingClientRect();
                const order = lines.map((_, i) => i).sort((a, b) => (values[b][idx] ?? -Infinity) - (values[a][idx] ?? -Infinity));
                tip.show(box.left + left, box.top + top, [`${plural(sizeOf(head, idx), ...sizeWords(head))}: ${run.title}`, ...order.map(i => `${lines[i].name}: ${textOf(values[i][idx], form, lines[i])}`)]);
            }],
        },
    };
}

function drawLines(self: uPlot, head: ScalingHead, values: (number | null)[][], colours: string[]): void {
    const pen = self.ctx;
    pen.save();
    pen.lineWidth = 2 * uPlot.pxRatio;
    pen.lineJoin = "round";
    values.forEach((own, i) => {
        const points = own.flatMap((value, run) => (value === null ? [] : [[self.valToPos(sizeOf(head, run), "x", true), self.valToPos(value, "y", true)]]));
        pen.strokeStyle = pen.fillStyle = colours[i % colours.length];
        pen.beginPath();
        for (const [x, y] of points)
            pen.lineTo(x, y);
        pen.stroke();
        for (const [x, y] of points) {
            pen.beginPath();
            pen.arc(x, y, POINT * uPlot.pxRatio, 0, 2 * Math.PI);
            pen.fill();
        }
    });
    pen.restore();
}

/* Dashed, from the smallest to the largest size. */
function drawModels(self: uPlot, head: ScalingHead, lines: ScalingRow[], form: Form, colours: string[]): void {
    if (form === "share")
        return;
    const pen = self.ctx;
    const { left, top, width, height } = self.bbox;
    const first = Math.max(sizeOf(head, 0), 1), last = sizeOf(head, head.runs.length - 1);
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
    pen.lineWidth = 1.5 * uPlot.pxRatio;
    pen.setLineDash([5 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
    lines.forEach((line, i) => {
        pen.strokeStyle = colours[i % colours.length];
        pen.beginPath();
        for (let step = 0; step <= CURVE_STEPS; step++) {
            const size = first * (last / first) ** (step / CURVE_STEPS);
            const value = modelAs(line, form, head, size);
            if (value !== null)
                pen.lineTo(self.valToPos(size, "x", true), self.valToPos(value, "y", true));
        }
        pen.stroke();
    });
    pen.restore();
}

/* Names in a room of so many pixels. */
function fittingNames(names: string[], room: number, textWidth: (text: string) => number): Map<string, string> {
    let n = Math.max(...names.map(name => name.length), 0);
    let cuts = cutNames(names, n);
    while (n > 8 && names.some(name => textWidth(cuts.get(name) ?? name) > room))
        cuts = cutNames(names, --n);
    return cuts;
}

/* Names stand at the ends of their lines. */
function drawLabels(self: uPlot, lines: ScalingRow[], values: (number | null)[][], colours: string[], room: number, textWidth: (text: string) => number): void {
    const pen = self.ctx;
    const ratio = uPlot.pxRatio;
    const { left, top, width, height } = self.bbox;
    const ends = values.map(own => own.reduce<number | null>((last, value) => value ?? last, null));
    const wanted = ends.map(value => (value === null ? NaN : self.valToPos(value, "y", true)));
    const places = spreadLabels(wanted, 14 * ratio, top, top + height);
    pen.save();
    pen.font = `${12 * ratio}px ${getComputedStyle(self.root).fontFamily}`;
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    const names = fittingNames(lines.map(line => line.name), room, textWidth);
    lines.forEach((line, i) => {
        if (Number.isNaN(wanted[i]))
            return;
        pen.strokeStyle = pen.fillStyle = colours[i % colours.length];
        pen.lineWidth = ratio;
        pen.beginPath();
        pen.moveTo(left + width + 2 * ratio, wanted[i]);
        pen.lineTo(left + width + 10 * ratio, places[i]);
        pen.stroke();
        pen.fillText(names.get(line.name) ?? line.name, left + width + 13 * ratio, places[i]);
    });
    pen.restore();
}
