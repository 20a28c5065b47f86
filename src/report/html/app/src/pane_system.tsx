/* pane_system.tsx: machines, nodes, processes and threads, as a tree and in other views. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { colourOf } from "./colour";
import { SystemDetails } from "./details";
import { openTo } from "./forest";
import { full, inRow, isSeconds, percent, percentOf, signed as withSign, unitText, withUnit } from "./format";
import { MenuItem, MenuItems, openMenu } from "./menu";
import { CoupledProps, Pane, Zeros, modeOf, openingItems } from "./pane";
import { Cell, copyText, fileName, saveItems, saveTable } from "./save";
import type { Store } from "./store";
import { TreeView } from "./tree";
import { peaks, share } from "./values";
import type { Display, MountedSystemView, SystemView, ViewContext } from "./view";
import { systemViews } from "./views/index";

const OPENED_MOST = 64;        /* rows of the tree that are opened to when a view selects more at once */

/* Least and most of the nodes of each level. */
function levelsOf(level: Int32Array, values: Float64Array): Map<number, { least: number; most: number; n: number }> {
    const levels = new Map<number, { least: number; most: number; n: number }>();
    level.forEach((l, i) => {
        const value = values[i];
        const own = levels.get(l) ?? { least: Infinity, most: -Infinity, n: 0 };
        levels.set(l, own);
        own.n++;
        if (value < own.least)
            own.least = value;
        if (value > own.most)
            own.most = value;
    });
    return levels;
}

export function SystemPane({ store, dark, handles, active, metric, total, rootTotal, shownTotal, join, ofLocation, ofColumn, empty }: CoupledProps & {
    ofLocation: Float64Array; ofColumn: Float64Array | null;      /* ofColumn: of the second report, null: not wanted */
}) {
    const { state, model, system, reference } = store;
    const { integer, unit, extreme } = model.head.metrics[metric];
    const values = useMemo(() => system.values(ofLocation, join, empty), [ofLocation]);
    const levels = useMemo(() => levelsOf(system.level, values.inclusive), [values]);
    const peak = useMemo(() => peaks(system.tree, {
        own: new Float64Array(values.own.length),
        inclusive: values.inclusive.map((value, i) => {
            const { least, most } = levels.get(system.level[i])!;
            return share(value, Math.max(Math.abs(least), Math.abs(most))) || 0;
        }),
    }), [values, levels]);
    const whole = useMemo(() => ofLocation.reduce((sum, value) => join(sum, value), empty), [ofLocation]);
    const signed = useMemo(() => model.head.kind === "difference" || values.inclusive.some(v => v < 0), [values]);
    const sign = model.head.kind === "difference";
    const mode = modeOf(store, "system");
    const other = useMemo(() => (ofColumn === null || reference === null ? null : reference.systemValues(system, ofColumn, join, empty)), [ofColumn]);
    const leafLevel = levels.get(system.level[system.leafOf(0)]) ?? { least: 0, most: 0, n: 0 };

    const display = (value: number, level: { least: number; most: number; n: number }): Display => {
        const most = Math.max(Math.abs(level.least), Math.abs(level.most));
        const among = level.most > level.least ? (value - level.least) / (level.most - level.least) : value === level.most ? 0 : NaN;
        const text = mode === "absolute" || mode === "reference" ? inRow(value, unit, integer)
            : percent(mode === "root" ? share(value, rootTotal) : mode === "metric" ? share(value, total) : mode === "shown" ? share(value, shownTotal)
                : mode === "selection" ? share(value, whole) : mode === "maximum" ? share(value, most) : among);
        return { text: sign && mode !== "peers" ? withSign(text, value) : text, fraction: mode === "peers" ? among : share(value, most) };
    };
    const displayAt = (node: number, value: number): Display => {
        const shown = display(value, levels.get(system.level[node])!);
        const isOwn = state.open.system.has(node) && system.tree.nChildren(node) > 0;      /* what is open has no values of its own */
        return mode !== "reference" ? shown : { ...shown, text: other === null ? "\u2026" : percentOf(value, isOwn ? 0 : other[node]) };
    };
    const isSigned = signed && mode !== "peers";
    const displayLeaf = (value: number): Display => display(value, leafLevel);
    const offered = systemViews.filter(view => view.available(model));
    const view = offered.find(v => v.id === state.view);

    const selectedLocations = useMemo(() => new Set(state.system.flatMap(node =>
        system.tree.nChildren(node) === 0 && node >= system.nNodes ? leafLocations(store).get(node) ?? [] : system.locationsOf(node))), [state.system]);

    const nZero = useMemo(() => peak.reduce((n, value) => n + (value === 0 ? 1 : 0), 0), [peak]);
    const hides = useMemo(() => {
        if (state.zeros.system || nZero === 0)
            return undefined;
        const kept = new Set<number>();
        for (let node of state.system)
            for (; node >= 0; node = system.tree.parent[node])
                kept.add(node);
        return (node: number): boolean => peak[node] === 0 && !kept.has(node);
    }, [state.zeros.system, nZero, peak, state.system]);

    const mounted = useRef<MountedSystemView | null>(null);
    const metricName = model.head.metrics[metric].name;
    const save = (): void => {
        const ids = state.metrics.map(m => model.head.metrics[m].id).join(" + ");
        const names = (node: number): string[] => (node < 0 ? [] : [...names(system.tree.parent[node]), system.name(node)]);
        saveTable(fileName(model.head.title, `${metricName} system tree`, "csv"), [
            ["metric", "level", "kind", "name", "path", "inclusive", "exclusive", "unit"] as Cell[],
            ...(handles.system?.rows() ?? []).map(({ node, depth }): Cell[] =>
                [ids, depth, system.kind(node), system.name(node), names(node).join(" > "), values.inclusive[node], values.own[node], unitText(unit)]),
        ]);
    };
    const saveMenu = (): MenuItem[] => (view === undefined ? [{ text: "Save these rows as CSV", run: save }]
        : saveItems(model.head.title, `${metricName} ${view.title}`, mounted.current?.saved() ?? {}));
    const menu = (node: number): MenuItems => [
        openingItems(handles.system, node, system.tree.nChildren(node) > 0),
        [{ text: "Copy name", run: () => copyText(system.name(node)) }],
        [{ text: `Explanation of ${metricName}`, keys: "e", run: () => store.set({ explain: model.head.metrics[metric].id }) }],
        offered.map(({ id, title }) => ({ text: `Show in the ${title.toLowerCase()}`, run: () => store.set({ system: [node], view: id }) })),
        saveMenu(),
    ];

    const legendFrom = mode === "peers" ? "least" : isSigned ? "less" : "0";
    const legendTo = mode === "peers" ? "most" : isSigned ? "more" : "largest of its level";

    return (
        <Pane id="system" title="System tree" store={store} active={active} handles={handles} isTree={view === undefined}
            unit={mode !== "absolute" ? "%" : isSeconds(unit) ? "" : unitText(unit)} saveMenu={saveMenu}
            below={view === undefined && <Zeros store={store} id="system" n={nZero} what="process or thread" whats="processes or threads" isExtreme={extreme || state.slices !== null} />}
            legend={{ from: legendFrom, to: legendTo, signed: isSigned, dark }}
            tabs={offered.length > 0 && (
                <>
                    {[{ id: "tree", title: "Tree" }, ...offered].map(({ id, title }) => (
                        <button key={id} class={state.view === id ? "on" : ""} aria-pressed={state.view === id}
                            onClick={() => store.set({ view: id })}>{title.toLowerCase()}</button>
                    ))}
                </>
            )}
            details={<SystemDetails store={store} values={values} metric={metric} />}>
            {view === undefined
                ? <TreeView id="system" label="System" tree={system.tree} roots={system.tree.roots} values={values} peak={peak}
                    name={node => system.name(node)}
                    hint={node => system.name(node).startsWith(system.kind(node)) ? system.name(node) : `${system.kind(node)} ${system.name(node)}`}
                    exact={(_, value) => `${full(value)} ${unitText(unit)}`}
                    least={state.hide / 100} hides={hides} sort={state.sort.system} open={state.open.system} selected={state.system}
                    canAdd={() => true} canBeNone
                    change={(open, selected) => store.set({ open: { ...state.open, system: open }, system: selected })}
                    display={displayAt}
                    colour={fraction => colourOf(fraction, isSigned, dark)}
                    openMenu={(node, x, y) => openMenu(x, y, system.name(node), menu(node))}
                    search={state.search.system} isActive={active.current === "system"} activate={() => (active.current = "system")}
                    handle={{ get current() { return handles.system; }, set current(h) { handles.system = h; } }} />
                : <ViewHost view={view} mounted={mounted} context={{
                    model, metric, values: ofLocation, signed: isSigned, dark,
                    text: value => {
                        const text = withUnit(value, unit, integer);
                        return sign ? withSign(text, value) : text;
                    },
                    display: displayLeaf,
                    colour: fraction => colourOf(fraction, isSigned, dark),
                    selectedLocations,
                    onSelect: (locations, additive) => {
                        const { system: before, open } = store.state;
                        const leaves = [...new Set(locations.map(location => system.leafOf(location)))];
                        const chosen = new Set(additive ? before : []);
                        const takeOut = leaves.every(leaf => chosen.has(leaf));
                        for (const leaf of leaves)
                            if (takeOut)
                                chosen.delete(leaf);
                            else
                                chosen.add(leaf);
                        store.set({ system: [...chosen], open: { ...open, system: leaves.slice(0, OPENED_MOST).reduce((now, leaf) => openTo(system.tree, leaf, now), open.system) } });
                    },
                    get state() { return store.state.views[view.id] ?? {}; },
                    setState: (key, value) => {
                        const own = { ...store.state.views[view.id] };
                        if (value === null)
                            delete own[key];
                        else
                            own[key] = value;
                        store.set({ views: { ...store.state.views, [view.id]: own } });
                    },
                }} />}
        </Pane>
    );
}

const leaves = new WeakMap<Store, Map<number, number[]>>();

function leafLocations(store: Store): Map<number, number[]> {
    let map = leaves.get(store);
    if (map === undefined) {
        map = new Map();
        for (let i = 0; i < store.model.nLocations; i++) {
            const leaf = store.system.leafOf(i);
            map.set(leaf, [...(map.get(leaf) ?? []), i]);
        }
        leaves.set(store, map);
    }
    return map;
}

function ViewHost({ view, context, mounted }: { view: SystemView; context: ViewContext; mounted: { current: MountedSystemView | null } }) {
    const host = useRef<HTMLDivElement>(null);
    useEffect(() => {
        mounted.current = view.mount(host.current!, context);
        return () => {
            mounted.current?.destroy();
            mounted.current = null;
            host.current?.replaceChildren();
        };
    }, [view]);
    const isFirst = useRef(true);
    useEffect(() => {
        if (isFirst.current)
            isFirst.current = false;
        else
            mounted.current?.update(context);
    });
    return <div class="view" ref={host} key={view.id} />;
}
