/* app.tsx: the page: its head, one of its two parts, the explanation, the list of keys. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import { Explanation } from "./explain";
import { Overview } from "./sections/overview";
import type { PaneHandles } from "./pane";
import { Trees } from "./panes";
import type { PaneId } from "./state";
import type { Store } from "./store";
import { useTheme } from "./theme";
import { plural, shownTitle } from "./format";

const KEYS: [string, string][] = [
    ["\u2191 \u2193", "previous, next row; what is selected follows"],
    ["\u2192 \u2190", "open, close a row; to its first child, to its parent"],
    ["Shift+\u2192 Shift+\u2190", "open, close all below a row (or Alt+click on the triangle)"],
    ["*", "open all rows beside this one"],
    ["Home End PgUp PgDn", "far away"],
    ["Shift+\u2191 Shift+\u2193", "select several (or Shift+click)"],
    ["Ctrl+\u2191 Ctrl+\u2193 Ctrl+Space", "go without selecting; add to what is selected, take out of it (or Ctrl+click)"],
    ["Tab", "from pane to pane"],
    ["1 2 3", "to the metric tree, the call tree, the system tree"],
    ["/", "search in the pane"],
    ["n N", "next, previous match"],
    ["Shift+F10", "menu of the row (or the menu key, or a right click)"],
    ["s", "sort the pane by value"],
    ["f", "call paths as tree, or as flat profile"],
    ["e", "what the selected metric means"],
    ["o t", "overview, explorer"],
    ["Esc", "leave the search, close the explanation"],
    ["?", "this list"],
];

const THEME_NAMES = { auto: "as the system", light: "light", dark: "dark" };

export function App({ store }: { store: Store }) {
    const [, redraw] = useReducer<number, null>(n => n + 1, 0);
    const { theme, dark, next } = useTheme();
    const help = useRef<HTMLDialogElement>(null);
    const panes: PaneHandles = useRef({ metric: null, call: null, system: null }).current;
    const active = useRef<PaneId>("call");
    const { state, model } = store;

    useEffect(() => store.subscribe(() => redraw(null)), [store]);

    useEffect(() => {
        function onKey(event: KeyboardEvent): void {
            const target = event.target as HTMLElement;
            if (event.ctrlKey || event.metaKey || event.altKey || help.current?.open)
                return;
            if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
                return;
            const { state: now } = store;
            const inTrees = now.page === "trees";
            const pane = panes[active.current];
            switch (event.key) {
            case "?": help.current?.showModal(); break;
            case "o": store.set({ page: "overview" }); break;
            case "t": store.set({ page: "trees" }); break;
            case "e": store.set({ explain: now.explain === null ? model.head.metrics[now.metrics[0]].id : null }); break;
            case "Escape":
                if (now.explain === null)
                    return;
                store.set({ explain: null });
                break;
            case "/":
                if (inTrees)
                    document.getElementById(`find-${active.current}`)?.focus();
                break;
            case "n": pane?.find(1); break;
            case "N": pane?.find(-1); break;
            case "s": store.set({ sort: { ...now.sort, [active.current]: !now.sort[active.current] } }); break;
            case "f": store.set({ flat: !now.flat }); break;
            case "1": panes.metric?.focus(); break;
            case "2": panes.call?.focus(); break;
            case "3": panes.system?.focus(); break;
            default: return;
            }
            event.preventDefault();
        }
        addEventListener("keydown", onKey);
        return () => removeEventListener("keydown", onKey);
    }, [store]);

    const tab = (page: "overview" | "trees", text: string) => (
        <a href={`#${page}`} class={state.page === page ? "tab here" : "tab"} aria-current={state.page === page ? "page" : undefined}
            onClick={event => {
                if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
                    event.preventDefault();
                    store.set({ page });
                }
            }}>{text}</a>
    );

    return (
        <>
            <header class="top">
                <h1 title={model.head.title}>{shownTitle(model.head.title, model.head.attributes)}</h1>
                <nav aria-label="Parts of the page">{tab("overview", "Overview")}{tab("trees", "Explorer")}</nav>
                <span class="size">{plural(model.nGroups, "process", "processes")} · {plural(model.nLocations, "location")} · {plural(model.nPaths, "call path")}</span>
                <span class="grow" />
                <button onClick={next} title={`colours: ${THEME_NAMES[theme]}; click to change`} aria-label="Dark or light">{dark ? "Light" : "Dark"}</button>
                <button onClick={() => help.current?.showModal()} title="keys (?)">Keys</button>
            </header>
            <div class={state.explain === null ? "body" : "body beside"}>
                {state.page === "overview"
                    ? <Overview store={store} dark={dark} />
                    : <Trees store={store} dark={dark} handles={panes} active={active} />}
                {state.explain !== null &&
                    <Explanation model={model} id={state.explain} show={id => store.set({ explain: id })}
                        close={() => {
                            store.set({ explain: null });
                            panes[active.current]?.focus();
                        }}
                        goTo={metric => store.go({ metrics: [metric] })} />}
            </div>
            <dialog class="help" ref={help} onClick={event => event.target === help.current && help.current?.close()}>
                <h2>Keys</h2>
                <table><tbody>
                    {KEYS.map(([key, what]) => <tr key={key}><th scope="row">{key.split(" ").map((k, i) => <>{i > 0 && " "}<kbd>{k}</kbd></>)}</th><td>{what}</td></tr>)}
                </tbody></table>
                <h2>Values</h2>
                <p>A closed row shows inclusive values, an open row exclusive ones. The same holds for selected rows: the panes
                    to the right show the part that the row shows.</p>
                <form method="dialog"><button>Close</button></form>
            </dialog>
        </>
    );
}
