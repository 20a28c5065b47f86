/* sections/causes.tsx: the section "Root causes of wait states": the call paths with the largest delay costs. */
import { useMemo, useState } from "preact/hooks";
import { percent, seconds } from "../format";
import type { Model } from "../model";
import { Cause, Causes, causeAt, causesOf, delayKinds, largestOf } from "../rank";
import { SourceOf } from "../source";
import { Store, mainMetric } from "../store";
import { Amount, Explain, Into, LEAST, More, N_MORE, N_TOP, Part, PartProps, PathName, SMALL, Who, headingOf } from "./pieces";

function CauseLine({ store, cause, whole, among }: { store: Store; cause: Cause; whole: number; among: number[] }) {
    const { model } = store;
    const share = (value: number): string => `${Math.round((100 * value) / cause.value)} %`;
    const named = cause.effects.filter(effect => effect.path >= 0 && effect.value >= 0.1 * cause.value).slice(0, 2);
    return (
        <li class="cause" data-path={cause.path}>
            <h3><Amount text={seconds(cause.value)} share={cause.value / whole} />
                <span class="what"><Into store={store} to={{ metrics: cause.metrics, path: cause.path }}><PathName model={model} path={cause.path} among={among} /></Into>
                    <SourceOf model={model} path={cause.path} /></span></h3>
            <p class="lead">Contributes to: {cause.explains.filter(({ value }) => value >= 0.005 * cause.value)
                .map(({ name, value }) => `${name} ${share(value)}`).join(", ")}. Short-term {share(cause.value - cause.longTerm)}, long-term {share(cause.longTerm)}.
                <Who model={model} metrics={cause.metrics} path={cause.path} /></p>
            {model.head.workOrSpeed?.[cause.path] && <p class="lead work-or-speed">{sentence(model.head.workOrSpeed[cause.path])}</p>}
            {isCommunication(model, cause.path) && <p class="lead">Time in the call itself, without its waiting{waitsInCollectives(model, cause.path) && " (but with that in non-blocking collectives)"}: transfer, progress, system noise.
                {" "}<Explain store={store} id="communication-call-as-cause" /></p>}
            {isProgram(model, cause.path) && <p class="lead">Time of the program itself, outside of all functions that were recorded; <code>heddle record --sample 100</code> records those that compute.</p>}
            {named.length > 0 && (
                <ul class="places">
                    <li class="title">causes waiting at</li>
                    {named.map(({ path, name, value }) => (
                        <li key={`${path}/${name}`}>
                            <Amount text={seconds(value)} share={value / whole} />
                            <span class="what"><Into store={store} to={{ metrics: waitMetrics(model, name), path }}><PathName model={model} path={path} among={named.map(effect => effect.path)} /></Into>
                                <SourceOf model={model} path={path} />
                                <span class="who">{name}</span></span>
                        </li>
                    ))}
                </ul>
            )}
        </li>
    );
}

function isProgram(model: Model, path: number): boolean {
    return model.head.paths.parent[path] < 0 && model.head.regions[model.head.paths.region[path]].paradigm === "measurement";
}

function sentence(text: string): string {
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function isCommunication(model: Model, path: number): boolean {
    const { paradigm, name } = model.head.regions[model.head.paths.region[path]];
    return paradigm === "mpi" || paradigm === "shmem" || name.startsWith("MPI_");
}

/* Their waiting counts as time of the call that completes them, but for their own delay costs. */
function waitsInCollectives(model: Model, path: number): boolean {
    const { name } = model.head.regions[model.head.paths.region[path]];
    return /^MPI_(Wait|Test)/.test(name) && model.head.metrics.some(({ id, total }) => id === "mpi_nbc_wait" && (total ?? 0) > 0);
}

/* The wait states of this name; where there are none, time. */
function waitMetrics(model: Model, name: string): number[] {
    const found = model.head.metrics.flatMap((metric, m) => (metric.wait && metric.name === name ? [m] : []));
    return found.length > 0 ? found : [mainMetric(model)];
}

export function Why({ store }: PartProps) {
    const { model } = store;
    const kinds = useMemo(() => delayKinds(model).filter(kind =>
        [kind.shortTerm, kind.longTerm, kind.unattributed].some(m => m >= 0 && (model.head.metrics[m].total ?? 0) > 0)), [model]);
    const causes = useMemo(() => causesOf(model, kinds), [model, kinds]);
    if (kinds.length === 0)
        return null;
    return (
        <Part id="why" title={<>{headingOf(model, "causes")} <Explain store={store} id="delay" /></>}>
            <p class="lead">A delay is computation or other work that made others wait: directly (short-term), or because the waiting
                process then delayed others (propagated, long-term).</p>
            <CauseLines store={store} causes={causes} />
        </Part>
    );
}

function CauseLines({ store, causes }: { store: Store; causes: Causes }) {
    const { model } = store;
    const [n, setN] = useState(N_TOP);
    const ranked = useMemo(() => largestOf(causes.ofPath, n), [model, n]);
    const shown = ranked.filter((path, i) => i === 0 || n > N_TOP || causes.ofPath[path] >= LEAST * causes.whole);
    const others = useMemo(() => causes.ofPath.reduce((sum, value) => (value > 0 ? { n: sum.n + 1, value: sum.value + value } : sum), { n: 0, value: 0 }), [model]);
    const rest = others.value - shown.reduce((sum, path) => sum + causes.ofPath[path], 0);
    return (
        <>
            <p>Total waiting time analysed{causes.kinds.some(({ id }) => id === "ompidle") && ", idle threads included"}: <b>{seconds(causes.whole)}</b>{causes.unattributed > SMALL * causes.whole &&
                <>; {percent(causes.unattributed / causes.whole)} % of it is <Into store={store}
                    to={{ metrics: causes.kinds.map(kind => kind.unattributed).filter(m => m >= 0 && (model.head.metrics[m].total ?? 0) > 0) }}>unattributed</Into></>}.</p>
            <ol class="ranked">
                {shown.map(path => <CauseLine key={path} store={store} cause={causeAt(model, causes, path)} whole={causes.whole} among={ranked} />)}
            </ol>
            <More n={others.n - shown.length} what="call path" behind={`${seconds(Math.max(rest, 0))}, ${percent(Math.max(rest, 0) / causes.whole)} %`}
                onClick={() => setN(n > N_TOP ? n + N_MORE : N_MORE)} />
        </>
    );
}
