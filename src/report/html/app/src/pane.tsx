/* pane.tsx: the frame of a pane: its title, how its values are shown, search, what opens and closes rows, what is saved, colours, details. */
import type { ComponentChildren } from "preact";
import { gradient } from "./colour";
import { plural } from "./format";
import { MenuItem, openMenuBelow } from "./menu";
import { Mode, PaneId, modesOf } from "./state";
import type { Store } from "./store";
import type { TreeHandle } from "./tree";

export type PaneHandles = Record<PaneId, TreeHandle | null>;

export interface PaneProps {
    store: Store;
    dark: boolean;
    handles: PaneHandles;
    active: { current: PaneId };
}

/* What the panes are given whose values depend on what is selected to the left. */
export interface CoupledProps extends PaneProps {
    metric: number;
    total: number;                     /* of what is selected in the metric pane */
    rootTotal: number;                 /* of the root of that metric */
    shownTotal: number;                /* of the call path that is shown as root */
    empty: number;
    join(a: number, b: number): number;
}

export interface Legend {
    from: string;
    to: string;
    signed: boolean;
    dark: boolean;
}

const MODE_TEXT: Record<Mode, string> = {
    absolute: "absolute", root: "own root percent", metric: "metric selection percent", shown: "shown root percent", selection: "call selection percent",
    peers: "peer distribution", maximum: "peer percent", reference: "second report percent",
};

/* How values are shown, where that can be. */
export function modeOf({ state, reference }: Store, pane: PaneId): Mode {
    const mode = state.mode[pane];
    return (mode === "shown" && state.root < 0) || (mode === "reference" && reference === null) ? "absolute" : mode;
}

export function Pane({ id, title, unit, store, handles, active, legend, tabs, crumbs, below, details, isTree = true, saveMenu, children }: Omit<PaneProps, "dark"> & {
    id: PaneId; title: string; unit: string; legend: Legend; tabs?: ComponentChildren; crumbs?: ComponentChildren; below?: ComponentChildren;
    details: ComponentChildren; isTree?: boolean; saveMenu(): MenuItem[]; children: ComponentChildren;
}) {
    const { state } = store;
    const search = state.search[id];
    const modes = modesOf(id).filter(mode => (mode !== "shown" || state.root >= 0) && (mode !== "reference" || store.reference !== null));
    return (
        <section class={`pane ${id}`} aria-label={title} onPointerDown={() => (active.current = id)} onFocusCapture={() => (active.current = id)}>
            <div class="bar">
                <h2>{title}{unit !== "" && <small> {unit}</small>}</h2>
                {tabs !== undefined && tabs !== false && <span class="tabs">{tabs}</span>}
                <span class="grow" />
                <select aria-label={`${title}: how values are shown`} id={`mode-${id}`} value={modeOf(store, id)}
                    onChange={event => store.set({ mode: { ...state.mode, [id]: (event.target as HTMLSelectElement).value as Mode } })}>
                    {modes.map(mode => <option key={mode} value={mode}>{mode === "reference" ? `percent of ${store.reference!.title}` : MODE_TEXT[mode]}</option>)}
                </select>
                <button class="save" aria-haspopup="menu" aria-label={`${title}: save`} title="save what is shown: values as CSV, pictures as PNG or SVG"
                    onClick={event => openMenuBelow(event.currentTarget as Element, `Save ${title.toLowerCase()}`, [saveMenu()])}><SaveSign /></button>
            </div>
            {isTree && (
                <div class="bar second">
                    <input type="search" id={`find-${id}`} placeholder="search" aria-label={`Search in ${title.toLowerCase()}`} value={search} spellcheck={false}
                        onInput={event => store.set({ search: { ...state.search, [id]: (event.target as HTMLInputElement).value } })}
                        onKeyDown={event => {
                            if (event.key === "Enter")
                                handles[id]?.find(event.shiftKey ? -1 : 1);
                            else if (event.key === "Escape") {
                                store.set({ search: { ...state.search, [id]: "" } });
                                handles[id]?.focus();
                            } else
                                return;
                            event.preventDefault();
                            event.stopPropagation();
                        }} />
                    <button onClick={() => handles[id]?.find(-1)} disabled={search === ""} title="previous match (N)" aria-label="Previous match">↑</button>
                    <button onClick={() => handles[id]?.find(1)} disabled={search === ""} title="next match (n)" aria-label="Next match">↓</button>
                    <span class="grow" />
                    <button class={state.sort[id] ? "on" : ""} aria-pressed={state.sort[id]} title="sort by value (s)"
                        onClick={() => store.set({ sort: { ...state.sort, [id]: !state.sort[id] } })}>sort</button>
                    <button onClick={() => handles[id]?.openAll()} title="open all rows" aria-label="Open all">+</button>
                    <button onClick={() => handles[id]?.closeAll()} title="close all rows" aria-label="Close all">−</button>
                    <button onClick={() => handles[id]?.openLargest()} title="expand down to the largest value" aria-label="Expand to maximum">max</button>
                </div>
            )}
            {crumbs}
            {children}
            {below}
            {isTree && <div class="legend" aria-hidden="true">
                <span>{legend.from}</span><span class="scale" style={{ background: gradient(legend.signed, legend.dark) }} /><span>{legend.to}</span>
            </div>}
            {state.details && <div class="details">{details}</div>}
        </section>
    );
}

/* An arrow into a tray. */
export function SaveSign() {
    return <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><path d="M7 1v7M4 5.5L7 8.5L10 5.5M1.5 9v3.5h11V9" /></svg>;
}

/* How many rows are zero, and the switch that shows or hides them. */
export function Zeros({ store, id, n, what, whats, isExtreme = false }: { store: Store; id: PaneId; n: number; what: string; whats?: string; isExtreme?: boolean }) {
    const { zeros } = store.state;
    const are = isExtreme ? (n === 1 ? "has no value" : "have no value") : n === 1 ? "is zero" : "are zero";
    return n === 0 ? null : (
        <p class="zeros"><button class="link" aria-pressed={zeros[id]} onClick={() => store.set({ zeros: { ...zeros, [id]: !zeros[id] } })}>
            {zeros[id] ? `Hide ${plural(n, what, whats)} that ${are}` : `${plural(n, `more ${what}`, whats === undefined ? undefined : `more ${whats}`)} ${are}`}</button></p>
    );
}

/* ---- menus of rows ------------------------------------------------------------------------------------------------------ */

/* What can be done with a row of any tree. */
export function openingItems(handle: TreeHandle | null, node: number, isInner: boolean): MenuItem[] {
    return [
        { text: "Expand all below", keys: "Shift+\u2192", isOff: !isInner, run: () => handle?.openBelow(node) },
        { text: "Collapse all below", keys: "Shift+\u2190", isOff: !isInner, run: () => handle?.closeBelow(node) },
        { text: "Expand to the largest value", isOff: !isInner, run: () => handle?.openLargest(node) },
    ];
}
