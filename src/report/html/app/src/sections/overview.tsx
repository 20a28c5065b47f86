/* overview.tsx: the overview: top wait states, their root causes, critical path, load balance; every line leads into the explorer. Of a
 * difference it shows the largest differences. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { hasManual } from "./explain";
import { grouped, number, percent, plural, signed, withUnit } from "./format";
import { useLater, useMetrics } from "./hooks";
import { Instance, Statistics, instancesOf, statisticsOf } from "./instances";
import type { HeadingId, Model, Row } from "./model";
import { Balance, Cause, Causes, balanceOf, causeAt, causesOf, changes, delayKinds, largestOf, waitStates, workMetric } from "./rank";
import { Store, Target, mainMetric } from "./store";
import { childrenInside, metricValues, pathValues } from "./values";
import { carrierName, whoCarries } from "./who";

const N_TOP = 5;                    /* of everything that is ranked, at first */
const N_PLACES = 3;                 /* call paths of one wait state */
const N_INSTANCES = 3;
const LEAST = 0.05;                 /* of a whole: smaller parts are not named unasked */
const SMALL = 0.005;                /* of all the time: folded away */

/* Names of the report format, in words. */
const PARADIGMS: Record<string, string> = {
    compiler: "the program's functions", user: "regions marked in the program", sampling: "the program's functions (samples)", mpi: "MPI", openmp: "OpenMP",
    pthread: "POSIX threads", shmem: "SHMEM", cuda: "CUDA", opencl: "OpenCL", openacc: "OpenACC", io: "input and output", measurement: "the measurement itself",
    libwrap: "wrapped libraries", memory: "memory management", hip: "HIP", kokkos: "Kokkos", topology: "topologies", none: "unknown", unknown: "unknown",
};

interface PartProps {
    store: Store;
    dark: boolean;
}

/* Kinds of findings. */
const FINDINGS: Record<string, string> = {
    "no-events": "locations whose event file is missing or empty", "cut-events": "event files that are truncated or damaged",
    stopped: "processes, or recordings of processes, that stopped early",
    "more-events": "locations with more events than the definitions announce",
    "no-definitions": "locations whose own definitions cannot be read, so that their clocks are not corrected",
    "unknown-reference": "records that name something that is not defined",
    "unknown-kind": "records of a kind that the OTF2 library does not know", unbalanced: "enter records without a leave, or leave records without an enter",
    "time-backwards": "records that are earlier than the one before", "time-damaged": "records whose time is far after the end of the recording",
    "outside-call": "communication records outside of a call", "team-unknown": "OpenMP threads in a team that is not recorded",
    "unmatched-receive": "receives without a send", "unmatched-send": "sends without a receive",
    "unmatched-collective": "collective operations that some members never entered",
    "mixed-collective": "collective operations whose members report different operations or roots",
    "unmatched-epoch": "epochs of a window without their counterpart", "rma-out-of-place": "one-sided communication calls in a wrong order",
    "incomplete-request": "requests that are never completed, or never started",
    "clock-point-to-point": "messages that arrive before they were sent (clocks)",
    "clock-collective": "members that leave a collective operation before it can be complete (clocks)",
};

/* ---- pieces ------------------------------------------------------------------------------------------------------------- */

function Into({ store, to, children, title }: { store: Store; to: Target; children: ComponentChildren; title?: string }) {
    return (
        <a class="into" href={store.addressOf(to)} title={title} onClick={event => {
            if (event.ctrlKey || event.metaKey || event.shiftKey)
                return;
            event.preventDefault();
            store.go(to);
        }}>{children}</a>
    );
}

function Explain({ store, id }: { store: Store; id: string }) {
    return <button class="ask" title="what this means" aria-label={`What ${id} means`} onClick={() => store.set({ explain: id })}>?</button>;
}

function together(model: Model): string {
    return `all ${model.nLocations === model.nGroups ? "processes" : model.nGroups === 1 ? "threads" : "processes and threads"} together`;
}

/* A value, its share of a whole, and a bar: of that share, or of what the largest one is as long as the box. */
function Amount({ text, share, bar = share, sign = 1 }: { text: string; share: number; bar?: number; sign?: number }) {
    return (
        <span class={sign < 0 ? "amount less" : "amount"}>
            <span class="bar-box" aria-hidden="true"><span class="bar-fill" style={{ width: `${Math.min(Math.abs(bar) || 0, 1) * 100}%` }} /></span>
            <span class="figure">{text}</span>
            <span class="share">{Number.isNaN(share) ? "" : `${percent(share)} %`}</span>
        </span>
    );
}

/* The end of a call path, with what is above it in small letters. */
function PathName({ model, path }: { model: Model; path: number }) {
    const names = model.pathNames(path);
    const above = names.slice(0, -1);
    const shown = above.length > 3 ? ["\u2026", ...above.slice(-3)] : above;
    return <span class="path-name" title={names.join(" > ")}>{shown.length > 0 && <small>{shown.join(" › ")} › </small>}{names[names.length - 1]}</span>;
}

/* Which processes carry metrics at a call path; it is worked out when the page has nothing else to do. */
function Who({ model, metrics, path }: { model: Model; metrics: number[]; path: number }) {
    const text = useLater(() => {
        const sum = new Float64Array(model.nLocations);
        for (const m of metrics)
            model.metricData(m)!.addRows(path, path + 1, sum);
        return whoCarries(model, sum);
    }, [model, metrics.join(), path]);
    return text === undefined || text === "" ? null : <span class="who">{text}</span>;
}

/* A heading of the report, the same as in the terminal. */
function headingOf(model: Model, id: HeadingId): string {
    return model.head.headings[id] ?? id;
}

function Part({ id, title, children }: { id: string; title: ComponentChildren; children: ComponentChildren }) {
    return <section class="part" id={`part-${id}`} aria-labelledby={`title-${id}`}><h2 id={`title-${id}`}>{title}</h2>{children}</section>;
}

function More({ n, what, onClick }: { n: number; what: string; onClick(): void }) {
    return n <= 0 ? null : <p class="more"><button class="link" onClick={onClick}>{plural(n, `more ${what}`)}</button></p>;
}

function Loading({ text }: { text: string | false }) {
    return <p class={text === false ? "loading" : "failed"} role="status">{text === false ? "Reading the values\u2026" : text}</p>;
}

/* Call paths of a metric, the largest first. */
function Places({ store, metric, n = N_PLACES }: { store: Store; metric: number; n?: number }) {
    const { model } = store;
    const [all, setAll] = useState(false);
    const data = model.metricData(metric)!;
    const total = model.head.metrics[metric].total ?? 0;
    const places = useMemo(() => largestOf(data.pathSums, 50, LEAST * total), [data]);
    return (
        <>
            <ul class="places">
                {places.slice(0, all ? 50 : n).map(path => (
                    <li key={path}>
                        <Amount text={`${number(data.pathSums[path])} s`} share={data.pathSums[path] / total} bar={data.pathSums[path] / data.pathSums[places[0]]} />
                        <span class="what"><Into store={store} to={{ metrics: [metric], path }}><PathName model={model} path={path} /></Into>
                            <Who model={model} metrics={[metric]} path={path} /></span>
                    </li>
                ))}
            </ul>
            {!all && <More n={places.length - n} what="call path" onClick={() => setAll(true)} />}
        </>
    );
}

/* ---- top wait states ---------------------------------------------------------------------------------------------------- */

function WaitState({ store, dark, metric, whole, most }: PartProps & { metric: number; whole: number; most: number }) {
    const { model } = store;
    const { id, name, total, what } = model.head.metrics[metric];
    const loaded = useMetrics(model, [metric]);
    const statistics = statisticsOf(model, id);
    const instances = instancesOf(model, id);
    const [nShown, setShown] = useState(1);
    return (
        <li class="wait-state" data-metric={id}>
            <h3><Amount text={`${number(total ?? 0)} s`} share={(total ?? 0) / whole} bar={(total ?? 0) / most} />
                <span class="what"><Into store={store} to={{ metrics: [metric] }}>{qualified(model, metric)}</Into> <Explain store={store} id={id} /></span></h3>
            <p class="lead">{what || name}{statistics !== null && <> <Statistics row={statistics} /></>}</p>
            {loaded === true ? <Places store={store} metric={metric} /> : <Loading text={loaded} />}
            {instances.length > 0 && (
                <div class="instances">
                    <h4>{nShown > 1 ? "Most severe instances" : "Most severe instance"}</h4>
                    {instances.slice(0, nShown).map(row => <Instance key={row.instance} store={store} row={row} dark={dark} />)}
                    <More n={Math.min(instances.length - nShown, 20)} what="instance" onClick={() => setShown(nShown + Math.max(N_INSTANCES, 20))} />
                </div>
            )}
        </li>
    );
}

/* Some wait states of different interfaces share a name: then what they are below is said, too. */
function qualified(model: Model, metric: number): string {
    const { metrics } = model.head;
    const { name, parent } = metrics[metric];
    const isAlone = metrics.filter(other => other.wait && other.name === name).length === 1;
    return isAlone || parent < 0 ? name : `${name} (${metrics[parent].name})`;
}

function WaitStates({ store, dark }: PartProps) {
    const { model } = store;
    const [n, setN] = useState(N_TOP);
    const whole = model.head.metrics[mainMetric(model)]?.total ?? 0;
    const all = useMemo(() => waitStates(model), [model]);
    const has = model.head.metrics.some(metric => metric.wait);
    return (
        <Part id="waits" title={headingOf(model, "waits")}>
            {all.length === 0 && <p>{has ? "None: no process or thread waited for another."
                : "The report has none: a profile has the time of calls, but not the waiting time in them. Analyse a trace of the same run to get it."}</p>}
            <ol class="ranked">
                {all.slice(0, n).map(metric => <WaitState key={metric} store={store} dark={dark} metric={metric} whole={whole}
                    most={model.head.metrics[all[0]].total ?? 0} />)}
            </ol>
            <More n={all.length - n} what="wait state" onClick={() => setN(all.length)} />
        </Part>
    );
}

/* ---- root causes -------------------------------------------------------------------------------------------------------- */

function CauseLine({ store, cause, whole }: { store: Store; cause: Cause; whole: number }) {
    const { model } = store;
    const share = (value: number): string => `${Math.round((100 * value) / cause.value)} %`;
    const named = cause.effects.filter(effect => effect.path >= 0 && effect.value >= 0.1 * cause.value).slice(0, 2);
    return (
        <li class="cause" data-path={cause.path}>
            <h3><Amount text={`${number(cause.value)} s`} share={cause.value / whole} />
                <span class="what"><Into store={store} to={{ metrics: cause.metrics, path: cause.path }}><PathName model={model} path={cause.path} /></Into></span></h3>
            <p class="lead">Contributes to: {cause.explains.filter(({ value }) => value >= 0.005 * cause.value)
                .map(({ name, value }) => `${name} ${share(value)}`).join(", ")}. Short-term {share(cause.value - cause.longTerm)}, long-term {share(cause.longTerm)}.
                {" "}<Who model={model} metrics={cause.metrics} path={cause.path} /></p>
            {named.length > 0 && (
                <ul class="places">
                    <li class="title">causes waiting at</li>
                    {named.map(({ path, name, value }) => (
                        <li key={`${path}/${name}`}>
                            <Amount text={`${number(value)} s`} share={value / cause.value} />
                            <span class="what"><Into store={store} to={{ metrics: waitMetrics(model, name), path }}><PathName model={model} path={path} /></Into>
                                <span class="who">{name}</span></span>
                        </li>
                    ))}
                </ul>
            )}
        </li>
    );
}

/* The wait states of this name; where there are none, time. */
function waitMetrics(model: Model, name: string): number[] {
    const found = model.head.metrics.flatMap((metric, m) => (metric.wait && metric.name === name ? [m] : []));
    return found.length > 0 ? found : [mainMetric(model)];
}

function Why({ store }: PartProps) {
    const { model } = store;
    const kinds = useMemo(() => delayKinds(model).filter(kind =>
        [kind.shortTerm, kind.longTerm, kind.unattributed].some(m => m >= 0 && (model.head.metrics[m].total ?? 0) > 0)), [model]);
    const wanted = kinds.flatMap(kind => [kind.shortTerm, kind.longTerm]);
    const loaded = useMetrics(model, wanted);
    if (kinds.length === 0)
        return null;
    return (
        <Part id="why" title={<>{headingOf(model, "causes")} <Explain store={store} id={hasManual("delay-costs") ? "delay-costs" : "delay"} /></>}>
            <p class="lead">A delay is computation or other work that made others wait: directly (short-term), or because the waiting
                process then delayed others (propagated, long-term).</p>
            {loaded === true ? <CauseLines store={store} causes={causesOf(model, kinds)} /> : <Loading text={loaded} />}
        </Part>
    );
}

function CauseLines({ store, causes }: { store: Store; causes: Causes }) {
    const { model } = store;
    const [n, setN] = useState(N_TOP);
    const ranked = useMemo(() => largestOf(causes.ofPath, 50), [model]);
    const shown = ranked.slice(0, n).filter((path, i) => i === 0 || n > N_TOP || causes.ofPath[path] >= LEAST * causes.whole);
    return (
        <>
            <p>Total waiting time analysed{causes.kinds.some(({ id }) => id === "ompidle") && ", idle threads included"}: <b>{number(causes.whole)} s</b>{causes.unattributed > SMALL * causes.whole &&
                <>; {percent(causes.unattributed / causes.whole)} % of it is <Into store={store}
                    to={{ metrics: causes.kinds.map(kind => kind.unattributed).filter(m => m >= 0 && (model.head.metrics[m].total ?? 0) > 0) }}>unattributed</Into></>}.</p>
            <ol class="ranked">
                {shown.map(path => <CauseLine key={path} store={store} cause={causeAt(model, causes, path)} whole={causes.whole} />)}
            </ol>
            <More n={ranked.length - shown.length} what="call path" onClick={() => setN(ranked.length)} />
        </>
    );
}

/* ---- critical path, load balance ---------------------------------------------------------------------------------------- */

function Critical({ store }: PartProps) {
    const { model } = store;
    const metric = model.metricById("critical_path");
    const total = metric < 0 ? 0 : model.head.metrics[metric].total ?? 0;
    const loaded = useMetrics(model, metric < 0 ? [] : [metric]);
    const impact = model.metricById("critical_imbalance_impact");
    const resources = ["critical_imbalance_impact", "critical_path_activities", "non_critical_path_activities"]
        .reduce((sum, id) => sum + (model.head.metrics[model.metricById(id)]?.total ?? 0), 0);
    const cost = impact < 0 ? 0 : model.head.metrics[impact].total ?? 0;
    if (!(total > 0) || model.nLocations < 2)
        return null;
    return (
        <Part id="critical" title={<>{headingOf(model, "critical")} <Explain store={store} id="critical_path" /></>}>
            <p class="lead">The longest chain of dependent activities. It determines the run time: the run gets shorter only where this chain does.</p>
            <p>Length <Into store={store} to={{ metrics: [metric] }}>{number(total)} s</Into>{cost > SMALL * resources &&
                <>; <Into store={store} to={{ metrics: [impact] }}>critical-path imbalance</Into> {number(cost)} s ({percent(cost / resources)} % of allocated
                    core time)</>}.</p>
            {loaded === true ? <Places store={store} metric={metric} n={N_TOP} /> : <Loading text={loaded} />}
        </Part>
    );
}

function balanceWords(model: Model, { most, value, average, efficiency, nThreads }: Balance): string {
    const name = carrierName(model, most);
    return (efficiency === null ? "" : `Load balance efficiency: ${percent(efficiency)} % (mean / maximum computation time of ${plural(nThreads, "CPU thread")}). `)
        + `${name[0].toUpperCase()}${name.slice(1)} computes longest: ${number(value)} s, ${percent(value / average - 1)} % above the mean of ${number(average)} s. `
        + (value > 1.05 * average ? `Potential saving: at most ${number(value - average)} s.` : `The computation is well balanced over the ${model.nGroups === 1 ? "threads" : "processes"}.`);
}

function LoadBalance({ store }: PartProps) {
    const { model } = store;
    const work = workMetric(model);
    const above = model.metricById("imbalance_above");
    const overload = above < 0 ? 0 : model.head.metrics[above].total ?? 0;
    const wanted = [work, ...(overload > 0 ? [above] : [])].filter(m => m >= 0);
    const loaded = useMetrics(model, wanted);
    if (work < 0 || loaded === false)
        return null;
    const balance = loaded === true ? balanceOf(model, model.metricData(work)!) : null;
    if (loaded === true && balance === null)
        return null;
    return (
        <Part id="balance" title={<>{headingOf(model, "balance")}{above >= 0 && <> <Explain store={store} id="imbalance" /></>}</>}>
            {loaded !== true ? <Loading text={loaded} /> : (
                <>
                    <p>{balanceWords(model, balance!)} <Into store={store} to={{ metrics: [work] }}>{model.head.metrics[work].name} per process</Into></p>
                    {overload > SMALL * (model.head.metrics[work].total ?? 0) && (
                        <>
                            <p class="lead">Computation above the mean, {number(overload)} s, by call path</p>
                            <Places store={store} metric={above} />
                        </>
                    )}
                </>
            )}
        </Part>
    );
}

/* ---- time breakdown, differences ---------------------------------------------------------------------------------------- */

function TimeBreakdown({ store }: PartProps) {
    const { model } = store;
    const { metrics } = model.head;
    const root = mainMetric(model);
    const whole = metrics[root].total ?? 0;
    const rows: [number, number][] = [];
    const visit = (m: number, depth: number): void => {
        rows.push([m, depth]);
        for (const child of model.metricTree.children(m))
            if (!metrics[child].extreme && metrics[child].unit === metrics[root].unit && Math.abs(metrics[child].total ?? 0) >= SMALL * Math.abs(whole))
                visit(child, depth + 1);
    };
    visit(root, 0);
    return rows.length < 2 ? null : (
        <Part id="time" title={headingOf(model, "time")}>
            <ul class="places tree-like">
                {rows.map(([m, depth]) => (
                    <li key={m}>
                        <Amount text={withUnit(metrics[m].total ?? NaN, metrics[m].unit, metrics[m].integer)} share={(metrics[m].total ?? NaN) / whole} />
                        <span class="what" style={{ paddingLeft: `${depth * 14}px` }}><Into store={store} to={{ metrics: [m] }} title={metrics[m].what}>{metrics[m].name}</Into></span>
                    </li>
                ))}
            </ul>
        </Part>
    );
}

function HotPaths({ store }: PartProps) {
    const { model } = store;
    const root = mainMetric(model);
    const loaded = useMetrics(model, [root]);
    const { unit, name } = model.head.metrics[root];
    if (loaded !== true || !/^(sec|s)$/.test(unit))
        return null;
    return (
        <Part id="hot" title={`Call paths with the most ${name.toLowerCase()}`}>
            <p class="lead">Exclusive time, without called functions.</p>
            <Places store={store} metric={root} n={N_TOP} />
        </Part>
    );
}

/* Of a report that does not divide its time: by what the regions belong to. */
function ByParadigm({ store }: PartProps) {
    const { model } = store;
    const { regions, paths } = model.head;
    const root = mainMetric(model);
    const loaded = useMetrics(model, [root]);
    const rows = useMemo(() => {
        const sums = new Map<string, number>();
        if (loaded === true)
            model.metricData(root)!.pathSums.forEach((value, p) => {
                const { paradigm } = regions[paths.region[p]];
                sums.set(paradigm, (sums.get(paradigm) ?? 0) + (value || 0));
            });
        return [...sums].filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1]);
    }, [loaded]);
    const { total, unit, integer, name } = model.head.metrics[root];
    if (rows.length < 2)
        return null;
    return (
        <Part id="paradigms" title={`${name} by programming interface`}>
            <ul class="places">
                {rows.map(([paradigm, value]) => (
                    <li key={paradigm}>
                        <Amount text={withUnit(value, unit, integer)} share={value / (total ?? NaN)} />
                        <span class="what">{PARADIGMS[paradigm] ?? (paradigm || "unknown")}</span>
                    </li>
                ))}
            </ul>
        </Part>
    );
}

function ChangedMetric({ store, metric, change, most }: { store: Store; metric: number; change: number; most: number }) {
    const { model } = store;
    const { id, name, what, unit } = model.head.metrics[metric];
    const term = useMemo(() => ({ metric, without: childrenInside(model, metric) }), [metric]);
    const loaded = useMetrics(model, [metric, ...term.without]);
    const places = useMemo(() => {
        const sums = loaded === true ? pathValues(model, [term]) : new Float64Array(0);
        return largestOf(sums.map(Math.abs), N_PLACES).map(path => [path, sums[path]] as const);
    }, [loaded]);
    const target = { metrics: [metric], own: term.without.length > 0 };
    const text = (value: number): string => signed(withUnit(value, unit), value);
    return (
        <li class="change" data-metric={id}>
            <h3><Amount text={text(change)} share={NaN} bar={change / most} sign={change} />
                <span class="what"><Into store={store} to={target} title={what}>{name}</Into>
                    {term.without.length > 0 && <small> (exclusive)</small>} <Explain store={store} id={id} /></span></h3>
            {loaded !== true && <Loading text={loaded} />}
            <ul class="places">
                {places.map(([path, value]) => (
                    <li key={path}>
                        <Amount text={text(value)} share={NaN} bar={value / places[0][1]} sign={value} />
                        <span class="what"><Into store={store} to={{ ...target, path }}><PathName model={model} path={path} /></Into></span>
                    </li>
                ))}
            </ul>
        </li>
    );
}

function Changes({ store }: PartProps) {
    const { model } = store;
    const root = mainMetric(model);
    const { name, total, unit } = model.head.metrics[root];
    const [n, setN] = useState(2 * N_TOP);
    const own = useMemo(() => metricValues(model).own, [model]);
    const ranked = useMemo(() => changes(model, root, own), [model]);
    return (
        <Part id="changes" title={headingOf(model, "difference")}>
            <p>{name}, {together(model)}: <b>{signed(withUnit(total ?? NaN, unit), total ?? NaN)}</b>.</p>
            {model.head.attributes.filter(([key]) => key === "Heddle::Algebra" || key === "Heddle::Locations")
                .map(([key, value]) => <p key={key} class="lead">{key === "Heddle::Locations" ? `Processes and threads: ${value}` : value[0].toUpperCase() + value.slice(1)}.</p>)}
            <p class="lead">Values of the first report are subtracted from those of the second. Positive values take longer in the second.</p>
            {ranked.length === 0 && <p>No differences.</p>}
            <ol class="ranked">
                {ranked.slice(0, n).map(metric =>
                    <ChangedMetric key={metric} store={store} metric={metric} change={own[metric]} most={Math.abs(own[ranked[0]])} />)}
            </ol>
            <More n={ranked.length - n} what="metric" onClick={() => setN(ranked.length)} />
        </Part>
    );
}

/* ---- the report itself -------------------------------------------------------------------------------------------------- */

/* "process 3, MPI_Recv, peer 5" */
function exampleOf(row: Row): string {
    return ["process", "thread", "call path", "peer", "communicator", "tag", "time"].filter(column => (row[column] ?? "") !== "")
        .map(column => (column === "call path" ? `at ${row[column]}` : `${column} ${row[column]}`)).join(", ");
}

/* Kinds of findings, how many there are of each, the first of them. */
function useFindings(model: Model): [string, { n: number; example: string }][] {
    return useMemo(() => {
        const map = new Map<string, { n: number; example: string }>();
        for (const row of model.table("findings") ?? []) {
            const own = map.get(row.id) ?? { n: 0, example: exampleOf(row) };
            own.n += Number(row.count) || 0;
            map.set(row.id, own);
        }
        return [...map];
    }, [model]);
}

/* Above everything else, as it may change what is below. What is made of several reports has no findings, but says what those lack. */
function Caution({ model }: { model: Model }) {
    const kinds = useFindings(model);
    const said = (key: string): string | undefined => model.head.attributes.find(([own]) => own === key)?.[1];
    const stopped = said("Heddle::Stopped"), covered = said("Heddle::Coverage");
    return (
        <>
            {stopped !== undefined && <p class="caution">Partial: the analysis was stopped {stopped}; results of later phases are missing.</p>}
            {(covered !== undefined || kinds.length > 0) && <p class="caution">
                {covered !== undefined && <b>The trace is incomplete: trace coverage {covered}. </b>}
                {kinds.length > 0 && <>The trace has inconsistencies. Values may be wrong or missing:
                    {" "}<button class="link" onClick={() => document.getElementById("part-findings")?.scrollIntoView({ behavior: "smooth" })}>
                        {plural(kinds.reduce((sum, [, { n }]) => sum + n, 0), "finding")}</button>.</>}
            </p>}
        </>
    );
}

/* Who waits for whom when the recording ends. */
function Unfinished({ model }: { model: Model }) {
    const lines = (model.head.unfinished ?? "").split("\n").filter(line => line.trim() !== "");
    if (lines.length === 0)
        return null;
    return (
        <Part id="unfinished" title={headingOf(model, "unfinished")}>
            {lines.map((line, i) => <p key={i} class="unfinished" style={{ marginLeft: `${(line.length - line.trimStart().length - 2) / 2}em` }}>{line.trim()}</p>)}
        </Part>
    );
}

function Findings({ model }: { model: Model }) {
    const kinds = useFindings(model);
    if (kinds.length === 0)
        return null;
    return (
        <Part id="findings" title={headingOf(model, "diagnostics")}>
            <ul class="findings">
                {kinds.map(([kind, { n, example }]) => <li key={kind}><b>{FINDINGS[kind] ?? kind}</b>: {grouped(n)} {kind in FINDINGS && <small>{kind}</small>}<span class="who">first: {example}</span></li>)}
            </ul>
        </Part>
    );
}

function About({ model }: { model: Model }) {
    const { attributes, beside, leftOut, creator, system } = model.head;
    return (
        <Part id="about" title={headingOf(model, "provenance")}>
            <p>{plural(model.nGroups, "process", "processes")}, {plural(model.nLocations, "location")}, {plural(system.nodes.name.length, "machine or node", "machines and nodes")},
                {" "}{plural(model.nPaths, "call path")}, {plural(model.nMetrics, "metric")}; written by {creator || "an unnamed program"}.</p>
            {beside !== null && <p>Its values are in the folder <code>{beside}</code> beside this page. Copy the folder together with the page.</p>}
            {leftOut.length > 0 && (
                <details>
                    <summary>{plural(leftOut.length, "metric")} of the report {leftOut.length === 1 ? "is" : "are"} not in this page</summary>
                    <ul>{leftOut.map(([id, why]) => <li key={id}><code>{id}</code>: {why}</li>)}</ul>
                </details>
            )}
            {attributes.length > 0 && (
                <details>
                    <summary>Attributes</summary>
                    <table class="attributes"><tbody>
                        {attributes.map(([key, value]) => <tr key={key}><th scope="row">{key}</th><td>{value}</td></tr>)}
                    </tbody></table>
                </details>
            )}
        </Part>
    );
}

function Tile({ value, what, title }: { value: ComponentChildren; what: ComponentChildren; title?: string }) {
    return <div class="tile" title={title}><b>{value}</b><span>{what}</span></div>;
}

/* The answer in a line of numbers. */
function Tiles({ store }: PartProps) {
    const { model } = store;
    const { metrics } = model.head;
    const main = metrics[mainMetric(model)];
    const whole = main.total ?? 0;
    const waits = waitStates(model);
    const waiting = waits.reduce((sum, m) => sum + (metrics[m].total ?? 0), 0);
    const critical = metrics[model.metricById("critical_path")]?.total ?? 0;
    const work = workMetric(model);
    const loaded = useMetrics(model, work < 0 ? [] : [work]);
    const balance = work >= 0 && loaded === true ? balanceOf(model, model.metricData(work)!) : null;
    return (
        <div class="tiles">
            <Tile value={withUnit(whole, main.unit, main.integer)} what={<><Into store={store} to={{ metrics: [mainMetric(model)] }}>{main.name}</Into>, {together(model)}</>} />
            {metrics.some(metric => metric.wait) && <Tile value={`${percent(waiting / whole)} %`} what={waits.length > 0
                ? <>of it <Into store={store} to={{ metrics: waits }}>waiting</Into>, {number(waiting)} s</> : "of it waiting"} />}
            {waits.length > 0 && <Tile value={qualified(model, waits[0])} what={<>the <Into store={store} to={{ metrics: [waits[0]] }}>top wait state</Into>: {percent((metrics[waits[0]].total ?? 0) / whole)} % of the time</>} />}
            {critical > 0 && <Tile value={`${number(critical)} s`} what={<>length of the <Into store={store} to={{ metrics: [model.metricById("critical_path")] }}>critical path</Into></>} />}
            {balance !== null && (balance.efficiency !== null
                ? <Tile value={`${percent(balance.efficiency)} %`} what={<>load balance efficiency of the <Into store={store} to={{ metrics: [work] }}>computation</Into></>} />
                : <Tile value={`+${percent(balance.value / balance.average - 1)} %`} what={<><Into store={store} to={{ metrics: [work] }}>computation</Into> of {carrierName(model, balance.most)} above the mean</>} />)}
        </div>
    );
}

export function Overview(props: PartProps) {
    const { model } = props.store;
    /* What the trees will show first is read ahead. Where that fails they say so. */
    useEffect(() => {
        const timer = setTimeout(() => model.nMetrics > 0 && model.loadMetric(mainMetric(model)).catch(() => undefined), 500);
        return () => clearTimeout(timer);
    }, [model]);
    if (model.nMetrics === 0 || model.nPaths === 0)
        return <main class="overview"><Caution model={model} /><p>The report has no values: {plural(model.nMetrics, "metric")}, {plural(model.nPaths, "call path")}.</p><About model={model} /></main>;
    if (model.head.kind === "difference")
        return <main class="overview"><Caution model={model} /><Changes {...props} /><About model={model} /></main>;
    const hasWaits = model.head.metrics.some(metric => metric.wait);
    return (
        <main class="overview">
            <Tiles {...props} />
            <Caution model={model} />
            <Unfinished model={model} />
            <div class="columns">
                <div>
                    <WaitStates {...props} />
                    {!hasWaits && <HotPaths {...props} />}
                </div>
                <div>
                    <Why {...props} />
                    <Critical {...props} />
                    <LoadBalance {...props} />
                    {hasWaits ? <TimeBreakdown {...props} /> : <><ByParadigm {...props} /><TimeBreakdown {...props} /></>}
                </div>
            </div>
            <Findings model={model} />
            <About model={model} />
        </main>
    );
}
