/* pane_call.tsx: the call tree, all of it or what is below one call path, and the flat profile. */
import { useMemo, useRef } from "preact/hooks";
import { colourOf } from "./colour";
import { CallDetails, regionPlace } from "./details";
import { hotPath, openTo } from "./forest";
import { full, inRow, isSeconds, percent, percentOf, signed as withSign, unitText } from "./format";
import { MenuItems, openMenu } from "./menu";
import { CoupledProps, Pane, Zeros, modeOf, openingItems } from "./pane";
import { Cell, copyText, fileName, saveTable } from "./save";
import { ownPlaceText } from "./source";
import type { Store } from "./store";
import { TreeView } from "./tree";
import { NodeValues, isBelowZero, largest, peaks, share } from "./values";
import { systemViews } from "./views/index";

/* The call paths from the root down to what is shown as root: each shows more again. */
function Crumbs({ store }: { store: Store }) {
    const { model, state } = store;
    if (state.root < 0)
        return null;
    const above: number[] = [];
    for (let p = model.pathTree.parent[state.root]; p >= 0; p = model.pathTree.parent[p])
        above.unshift(p);
    return (
        <nav class="crumbs" aria-label="Root of the call tree">
            <button class="link" onClick={() => store.setRoot(-1)}>All call paths</button>
            {above.map(p => <> › <button class="link" onClick={() => store.setRoot(p)}>{model.pathName(p)}</button></>)}
            {" › "}<b aria-current="true">{model.pathName(state.root)}</b> as root
        </nav>
    );
}

export function CallPane({ store, dark, handles, active, metric, total, rootTotal, shownTotal, join, values, other, empty }: CoupledProps & {
    values: NodeValues; other: NodeValues | null;      /* other: of the second report, null: not wanted */
}) {
    const { state, model } = store;
    const { metrics } = model.head;
    const { integer, unit, extreme } = metrics[metric];
    const flat = store.flat(state.root);
    const shown = useMemo(() => (state.flat ? flat.values(values.own, values.inclusive, join, empty) : values), [values, state.flat, flat]);
    const tree = state.flat ? flat.tree : model.pathTree;
    const [first, end] = state.flat ? [0, tree.n] : [flat.first, flat.end];
    const most = useMemo(() => Math.max(largest(shown.inclusive.subarray(first, end)), largest(shown.own.subarray(first, end))), [shown, first, end]);
    const peak = useMemo(() => peaks(tree, shown).map(p => (most === 0 ? 0 : p / most)), [tree, shown, most]);
    const roots = useMemo(() => (state.flat ? Array.from(tree.roots).filter(r => flat.used[r]) : state.root >= 0 ? [state.root] : tree.roots), [tree, state.root]);
    const signed = useMemo(() => model.head.kind === "difference" || isBelowZero(shown), [shown]);
    const mode = modeOf(store, "call");
    const sign = model.head.kind === "difference";

    /* Where the metric is largest; the tree is open down to there as long as nobody opened, closed or selected something. */
    const hot = useMemo(() => (state.follows && !state.flat ? hotPath(model.pathTree, values, roots) : null), [state.follows, state.flat, values, roots]);
    const open = useMemo<ReadonlySet<number>>(() => (state.flat ? state.open.flat : hot !== null ? new Set(hot.open) : state.open.call),
        [state.flat, hot, state.open.flat, state.open.call]);
    const selected = state.flat ? state.regions : state.paths;
    const wasFollowing = useRef(false);

    /* What is zero, with all below it. What is selected is shown, and what is above it. */
    const nZero = useMemo(() => {
        let n = 0;
        for (let i = first; i < end; i++)
            if (peak[i] === 0 && (!state.flat || flat.used[i]))
                n++;
        return n;
    }, [peak, first, end]);
    const hides = useMemo(() => {
        if (state.zeros.call || nZero === 0)
            return undefined;
        const kept = new Set<number>();
        for (let node of selected)
            for (; node >= 0; node = tree.parent[node])
                kept.add(node);
        return (node: number): boolean => peak[node] === 0 && !kept.has(node);
    }, [state.zeros.call, nZero, peak, selected.join()]);

    const base = mode === "root" ? rootTotal : mode === "shown" ? shownTotal : total;
    const flatOther = useMemo(() => (state.flat && other !== null ? flat.values(other.own, other.inclusive, join, empty) : other), [other, state.flat, flat]);
    const textOf = (value: number): string => {
        const text = mode === "absolute" || mode === "reference" ? inRow(value, unit, integer) : percent(share(value, base));
        return sign ? withSign(text, value) : text;
    };
    const textAt = (node: number, value: number): string => {
        if (mode !== "reference")
            return textOf(value);
        return flatOther === null ? "\u2026" : percentOf(value, (open.has(node) && tree.nChildren(node) > 0 ? flatOther.own : flatOther.inclusive)[node]);
    };
    const hint = (node: number): string => {
        if (state.flat)
            return flat.isSubroutines(node) ? "what the region calls" : regionPlace(model, node);
        return `${model.pathNames(node).join(" > ")}${regionPlace(model, model.head.paths.region[node])}`;
    };
    const nameOf = (node: number): string => (state.flat ? flat.name(node) : model.pathName(node));
    const metricName = model.head.metrics[metric].name;

    const save = (): void => {
        const ids = state.metrics.map(m => model.head.metrics[m].id).join(" + ");
        saveTable(fileName(model.head.title, `${metricName} ${state.flat ? "flat profile" : "call tree"}`, "csv"), [
            ["metric", ...(state.flat ? [] : ["call_path_id"]), "level", "name", ...(state.flat ? [] : ["call_path"]), "inclusive", "exclusive", "unit"] as Cell[],
            ...(handles.call?.rows() ?? []).map(({ node, depth }): Cell[] => [
                ids, ...(state.flat ? [] : [model.head.paths.number[node]]), depth, nameOf(node), ...(state.flat ? [] : [model.pathNames(node).join(" > ")]),
                shown.inclusive[node], shown.own[node], unitText(unit),
            ]),
        ]);
    };
    const saveMenu = () => [{ text: "Save these rows as CSV", run: save }];
    const selectedOnly = (node: number) => (state.flat ? { regions: [node] } : { paths: [node], follows: false, open: { ...state.open, call: open } });
    const showItems = (node: number) => [
        state.flat
            ? { text: "Show in the call tree", run: () => {
                const paths = flat.pathsOf(node);
                store.set({ flat: false, paths, follows: false, open: { ...state.open, call: paths.reduce((now, p) => openTo(model.pathTree, p, now), state.open.call) } });
            } }
            : { text: "Show in the flat profile", keys: "f", run: () => store.set({ flat: true, regions: [model.head.paths.region[node]] }) },
        ...systemViews.filter(view => view.available(model)).map(view => ({
            text: `Show as ${view.title.toLowerCase()}`, run: () => store.set({ ...selectedOnly(node), view: view.id }),
        })),
    ];
    const menu = (node: number): MenuItems => [
        openingItems(handles.call, node, tree.nChildren(node) > 0),
        [
            ...(state.flat ? [] : [{ text: "Set as root", isOff: node === state.root, run: () => store.setRoot(node) }]),
            ...(state.root >= 0 ? [{ text: "Show all call paths", run: () => store.setRoot(-1) }] : []),
        ],
        [{ text: "Copy name", run: () => copyText(nameOf(node)) }, ...(state.flat ? [] : [{ text: "Copy call path", run: () => copyText(model.pathNames(node).join(" > ")) }])],
        [{ text: `Explanation of ${metricName}`, keys: "e", run: () => store.set({ explain: model.head.metrics[metric].id }) }],
        showItems(node),
        saveMenu(),
    ];

    return (
        <Pane id="call" title={state.flat ? "Flat profile" : "Call tree"} store={store} active={active} handles={handles}
            unit={mode !== "absolute" ? "%" : isSeconds(unit) ? "" : unitText(unit)} saveMenu={saveMenu} crumbs={<Crumbs store={store} />}
            below={<Zeros store={store} id="call" n={nZero} what={state.flat ? "region" : "call path"} isExtreme={extreme || metrics[metric].unknown === true || Number.isNaN(values.inclusive[0])} />}
            legend={{ from: signed ? textOf(-most) : "0", to: textOf(most), signed, dark }}
            tabs={<>
                <button class={state.flat ? "" : "on"} aria-pressed={!state.flat} onClick={() => store.set({ flat: false })}>tree</button>
                <button class={state.flat ? "on" : ""} aria-pressed={state.flat} onClick={() => store.set({ flat: true })} title="by region (f)">flat</button>
            </>}
            details={<CallDetails store={store} />}>
            <TreeView key={state.flat ? "flat" : "call"} id="call" label={state.flat ? "Regions" : "Call paths"} tree={tree} roots={roots} values={shown} peak={peak}
                name={nameOf} hint={hint}
                note={state.flat ? undefined : p => ownPlaceText(model, p)}
                exact={(_, value) => `${full(value)} ${unitText(unit)}`}
                least={state.hide / 100} hides={hides} top={state.flat ? -1 : state.root} mark={hot?.end ?? -1} sort={state.sort.call}
                open={open} selected={selected} canAdd={() => true} canBeNone
                change={(opened, chosen, isAsBefore) => {
                    if (state.flat) {
                        store.set({ open: { ...state.open, flat: opened }, regions: chosen });
                        return;
                    }
                    if (state.search.call === "" && isAsBefore !== true)
                        wasFollowing.current = false;
                    else if (state.follows)
                        wasFollowing.current = true;
                    const follows = isAsBefore === true && wasFollowing.current && chosen.length === 0;
                    store.set({ open: { ...state.open, call: opened }, paths: chosen, follows });
                }}
                display={(node, value) => ({ text: textAt(node, value), fraction: share(value, most) })}
                colour={fraction => colourOf(fraction, signed, dark)}
                openMenu={(node, x, y) => openMenu(x, y, nameOf(node), menu(node))}
                search={state.search.call} isActive={active.current === "call"} activate={() => (active.current = "call")}
                handle={{ get current() { return handles.call; }, set current(h) { handles.call = h; } }} />
        </Pane>
    );
}
