/* instances.tsx: the worst instances of a wait state, each with its picture. */
import { useEffect, useRef, useState } from "preact/hooks";
import { grouped, number, seconds } from "./format";
import type { Model, Row } from "./model";
import { SourceOf } from "./source";
import type { Store } from "./store";
import { largest } from "./values";
import { timelineView } from "./views/index";

export function instancesOf(model: Model, metric: string, path = -1): Row[] {
    return (model.table("instances") ?? []).filter(row => row.metric === metric
        && (path < 0 || model.pathOfNumber(Number(row.path)) === path));
}

/* What the statistics say of a wait state at a call path; path -1: as a whole. */
export function statisticsOf(model: Model, metric: string, path = -1): Row | null {
    return (model.table("statistics") ?? []).find(row => row.metric === metric
        && (path < 0 ? row.path === "" : row.path !== "" && model.pathOfNumber(Number(row.path)) === path)) ?? null;
}

export function Statistics({ row }: { row: Row }) {
    const time = (name: string): string => seconds(Number(row[name]));
    return Number(row.count) === 1 ? <span class="statistics">Once, for {time("maximum")}</span> : (
        <span class="statistics">{grouped(Number(row.count))} times; median {time("median")}, mean {time("mean")}, longest {time("maximum")}</span>
    );
}

/* Its calls lead to the explorer, with the metric of the wait state. */
function Picture({ store, instance, metric }: { store: Store; instance: number; metric: number }) {
    const { model } = store;
    const host = useRef<HTMLDivElement>(null);
    const [isThere, setThere] = useState(true);
    useEffect(() => {
        const mounted = timelineView(host.current!, model, instance, metric < 0 ? null : path => {
            const target = { metrics: [metric], path };
            return { href: store.addressOf(target), go: () => store.go(target) };
        });
        setThere(mounted !== null);
        return () => {
            mounted?.destroy();
            host.current?.replaceChildren();
        };
    }, [store, model, instance, metric]);
    return <div class={isThere ? "picture" : "picture none"} ref={host} />;
}

export function processName(model: Model, row: Row): string {
    const threads = largest(model.head.system.locations.thread) > 0;
    return `process ${row.process}${threads && row.thread !== "" ? `, thread ${row.thread}` : ""}`;
}

/* Its location in the page, -1: there is none. */
function locationOf(model: Model, row: Row): number {
    const { groups, locations } = model.head.system;
    if (row.process === "" || row.thread === "")
        return -1;
    const process = Number(row.process), thread = Number(row.thread);
    for (let i = 0; i < model.nLocations; i++)
        if (groups.rank[locations.group[i]] === process && locations.thread[i] === thread)
            return i;
    return -1;
}

export function Instance({ store, row }: { store: Store; row: Row }) {
    const { model } = store;
    const path = model.pathOfNumber(Number(row.path));
    const metric = model.metricById(row.metric);
    const location = locationOf(model, row);
    /* Alone nobody waits for longer than the call takes. */
    const isCollective = Number(row.waiting) > Number(row.leave) - Number(row.enter)
        || (path >= 0 && /barrier|2all|all2|collective|scan|init|finalize/i.test(model.head.regions[model.head.paths.region[path]].role));
    const target = { metrics: [metric], path, location: location < 0 ? undefined : location };
    return (
        <figure class="instance" data-instance={row.instance}>
            <figcaption>
                <b>{seconds(Number(row.waiting))}</b> {isCollective ? "in total, longest on" : "on"} {processName(model, row)}
                {row.peer !== "" && <>, waiting for process {row.peer}</>}
                {path >= 0 && metric >= 0 && <>, in <a href={store.addressOf(target)} onClick={event => {
                    event.preventDefault();
                    store.go(target);
                }}>{model.pathName(path)}</a></>}
                {path >= 0 && <SourceOf model={model} path={path} />}
                <span class="when">, {number(Number(row.enter))} to {number(Number(row.leave))} s <span class="number">(instance {row.instance})</span></span>
            </figcaption>
            <Picture store={store} instance={Number(row.instance)} metric={metric} />
        </figure>
    );
}
