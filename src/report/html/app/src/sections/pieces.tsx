/* sections/pieces.tsx: what sections of the overview are made of: links into the explorer, amounts with bars, names of call paths, lists of call paths. */
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { cutChains, shortNames } from "../cut";
import { percent, plural, seconds } from "../format";
import { useLater, useMetrics } from "../hooks";
import type { HeadingId, Model } from "../model";
import { largestOf } from "../rank";
import { SourceOf } from "../source";
import type { Store, Target } from "../store";
import { whoCarries } from "../who";

export const N_TOP = 5;             /* of everything that is ranked, at first */
export const N_PLACES = 3;          /* call paths of one wait state */
export const N_MORE = 50;           /* at a time when more are wanted */
export const LEAST = 0.05;          /* of a whole: smaller parts are not named unasked */
export const SMALL = 0.005;         /* of all the time: folded away */

export interface PartProps {
    store: Store;
    dark: boolean;
}

export function Into({ store, to, children, title }: { store: Store; to: Target; children: ComponentChildren; title?: string }) {
    return (
        <a class="into" href={store.addressOf(to)} title={title} onClick={event => {
            if (event.ctrlKey || event.metaKey || event.shiftKey)
                return;
            event.preventDefault();
            store.go(to);
        }}>{children}</a>
    );
}

export function Explain({ store, id }: { store: Store; id: string }) {
    return <button class="ask" title="what this means" aria-label={`What ${id} means`} onClick={() => store.set({ explain: id })}>?</button>;
}

export function together(model: Model): string {
    return `all ${model.nLocations === model.nGroups ? "processes" : model.nGroups === 1 ? "threads" : "processes and threads"} together`;
}

/* A value, its share of a whole, and a bar: of that share, or of what the largest one is as long as the box. */
export function Amount({ text, share, bar = share, sign = 1 }: { text: string; share: number; bar?: number; sign?: number }) {
    return (
        <span class={sign < 0 ? "amount less" : "amount"}>
            <span class="bar-box" aria-hidden="true"><span class="bar-fill" style={{ width: `${Math.min(Math.abs(bar) || 0, 1) * 100}%` }} /></span>
            <span class="figure">{text}</span>
            <span class="share">{Number.isNaN(share) ? "" : `${percent(share)} %`}</span>
        </span>
    );
}

const N_NAMES = 4;                  /* of a call path, from its end */

const shortNamesOf = new WeakMap<Model, Map<string, string>>();

/* The names of a call path without the parameters of functions that are not overloaded. */
function shortPathNames(model: Model, path: number): string[] {
    const short = shortNamesOf.get(model) ?? shortNames([...model.head.paths.region.keys()].map(p => model.pathName(p)));
    shortNamesOf.set(model, short);
    return model.pathNames(path).map(name => short.get(name) ?? name);
}

/* The end of a call path, with what is above it in small letters. among: the call paths of the same list, from which it can be told. */
export function PathName({ model, path, among = [path] }: { model: Model; path: number; among?: number[] }) {
    const shown = useMemo(() => cutChains([path, ...among].map(p => shortPathNames(model, p)), N_NAMES)[0], [model, path, among.join()]).map(name => name ?? "\u2026");
    return (
        <span class="path-name" title={model.pathNames(path).join(" > ")}>
            {shown.length > 1 && <small>{shown.slice(0, -1).join(" › ")} › </small>}{shown[shown.length - 1]}
        </span>
    );
}

/* Which processes carry metrics at a call path; it is worked out when the page has nothing else to do. Nothing is said where the values cannot be read:
 * the explorer says so. */
export function Who({ model, metrics, path }: { model: Model; metrics: number[]; path: number }) {
    const loaded = useMetrics(model, metrics);
    const text = useLater(() => {
        if (loaded !== true)
            return "";
        const sum = new Float64Array(model.nLocations);
        for (const m of metrics)
            model.metricData(m)!.addRows(path, path + 1, sum);
        return whoCarries(model, sum);
    }, [model, metrics.join(), path, loaded]);
    return text === undefined || text === "" ? null : <span class="who">{text}</span>;
}

/* A heading of the report, the same as in the terminal. */
export function headingOf(model: Model, id: HeadingId): string {
    return model.head.headings[id] ?? id;
}

export function Part({ id, title, children }: { id: string; title: ComponentChildren; children: ComponentChildren }) {
    return <section class="part" id={`part-${id}`} aria-labelledby={`title-${id}`}><h2 id={`title-${id}`}>{title}</h2>{children}</section>;
}

/* How many more there are, all of them; a click shows some of them. behind: what else is said of them. */
export function More({ n, what, behind, onClick }: { n: number; what: string; behind?: string; onClick(): void }) {
    return n <= 0 ? null : <p class="more"><button class="link" onClick={onClick}>{plural(n, `more ${what}`)}</button>{behind !== undefined && <small> {behind}</small>}</p>;
}

export function Loading({ text }: { text: string | false }) {
    return <p class={text === false ? "loading" : "failed"} role="status">{text === false ? "Reading the values\u2026" : text}</p>;
}

/* Call paths of a metric, the largest first. */
export function Places({ store, metric, n = N_PLACES }: { store: Store; metric: number; n?: number }) {
    const { model } = store;
    const [shown, setShown] = useState(n);
    const sums = model.pathSums(metric);
    const total = model.head.metrics[metric].total ?? 0;
    const nAll = useMemo(() => sums.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0), [sums]);
    const places = useMemo(() => largestOf(sums, shown, shown === n ? LEAST * total : 0), [sums, shown]);
    return (
        <>
            <ul class="places">
                {places.map(path => (
                    <li key={path}>
                        <Amount text={seconds(sums[path])} share={sums[path] / total} bar={sums[path] / sums[places[0]]} />
                        <span class="what"><Into store={store} to={{ metrics: [metric], path }}><PathName model={model} path={path} among={places} /></Into>
                            <SourceOf model={model} path={path} />
                            <Who model={model} metrics={[metric]} path={path} /></span>
                    </li>
                ))}
            </ul>
            <More n={nAll - places.length} what="call path" onClick={() => setShown(shown === n ? N_MORE : shown + N_MORE)} />
        </>
    );
}

/* Some wait states share a name: then what tells them apart is said, too, as in the summary. */
export function qualified(model: Model, metric: number): string {
    const { metrics } = model.head;
    const { name, interface: which } = metrics[metric];
    return which === undefined || metrics.filter(other => other.wait && other.name === name).length === 1 ? name : `${name} (${which})`;
}
