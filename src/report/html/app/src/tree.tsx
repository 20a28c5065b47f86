/* tree.tsx: a tree of values with everything that is done in one: opening, selecting, searching, sorting, hiding. Only the
 * rows that can be seen are elements of the page. Keys and roles are those of the WAI-ARIA tree pattern. */
import { options } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { cutNames, shortNames } from "./cut";
import { hotPath, openTo, seenAt, stillSeen } from "./forest";
import { grouped } from "./format";
import type { Tree } from "./model";
import type { NodeValues } from "./values";
import type { Display } from "./view";

export const ROW_PIXELS = 22;
const ROW_FONT = "13px";
const SPARE_ROWS = 12;                  /* above and below what can be seen */
const MAX_PRINTED = 5000;
const LEVEL_PIXELS = 15;
const NARROW = 340;                     /* [pixels] in narrower trees */
const LEVEL_OF_NARROW = 9;              /* levels take less */
const TWISTY_PIXELS = 18;
const BOX_PIXELS = 13;                  /* of the colour, behind the value */
const END_PIXELS = 10;                  /* behind a name */
const LEAST_LETTERS = 10;               /* what is deeper is scrolled to */
const MOST_LETTERS = 200;
const MOST_OPENED = 2000;               /* matches of a search that are opened to */

export interface TreeProps {
    id: string;                         /* of the pane */
    label: string;
    tree: Tree;
    roots: ArrayLike<number>;
    name(node: number): string;
    note?(node: number): string;        /* in small letters behind the name */
    hint?(node: number): string;        /* shown while the pointer is on it */
    exact(node: number, value: number): string;      /* the value with all its digits, behind the hint */
    values: NodeValues;
    peak: Float64Array;                 /* per node: of its subtree */
    least: number;                      /* what has no larger peak is hidden */
    hides?(node: number): boolean;      /* what is hidden besides, with all below; of one and the same report of values always the same function */
    top?: number;                       /* the root that is shown, -1: all are */
    mark?: number;                      /* brought into sight where nothing is selected, -1: none */
    sort: boolean;
    open: ReadonlySet<number>;
    selected: number[];
    canAdd(node: number): boolean;      /* to what is selected */
    canBeNone?: boolean;                /* nothing needs to be selected */
    /* isAsBefore: a search has ended, and what it opened is closed again */
    change(open: ReadonlySet<number>, selected: number[], isAsBefore?: boolean): void;
    display(node: number, value: number): Display;
    colour(fraction: number, node: number): string;
    explain?(node: number): void;
    openMenu(node: number, x: number, y: number): void;      /* x, y: of the window */
    search: string;
    isActive: boolean;                  /* the pane that keys from elsewhere go to */
    activate(): void;
    handle: { current: TreeHandle | null };
}

export interface TreeHandle {
    focus(): void;
    find(step: 1 | -1): void;
    openAll(): void;
    closeAll(): void;
    openBelow(node: number): void;
    closeBelow(node: number): void;
    openLargest(node?: number): void;   /* below this one; without: below what the cursor is on, or of all */
    rows(): { node: number; depth: number; isOpen: boolean }[];
}

interface Row {
    node: number;
    depth: number;
    position: number;                   /* among its siblings, from 1 on */
    size: number;                       /* how many they are */
}

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

type Order = (nodes: ArrayLike<number>) => number[];

function orderOf({ values, peak, least, hides, sort }: Pick<TreeProps, "values" | "peak" | "least" | "hides" | "sort">): Order {
    const value = (node: number): number => (Number.isNaN(values.inclusive[node]) ? -Infinity : values.inclusive[node]);
    return nodes => {
        const shown = Array.from(nodes).filter(node => (least === 0 || peak[node] >= least) && hides?.(node) !== true);
        return sort ? shown.sort((a, b) => value(b) - value(a) || a - b) : shown;
    };
}

/* The nodes in the order in which they stand; without open: all. */
function rowsOf(tree: Tree, roots: ArrayLike<number>, order: Order, open: ReadonlySet<number> | null): Row[] {
    const rows: Row[] = [];
    const stack: Row[] = [];
    const push = (nodes: ArrayLike<number>, depth: number): void => {
        const ordered = order(nodes);
        for (let i = ordered.length - 1; i >= 0; i--)
            stack.push({ node: ordered[i], depth, position: i + 1, size: ordered.length });
    };
    push(roots, 0);
    for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
        rows.push(row);
        if (tree.nChildren(row.node) > 0 && (open === null || open.has(row.node)))
            push(tree.children(row.node), row.depth + 1);
    }
    return rows;
}

/* How wide texts are in the letters of an element. */
class Ruler {
    private readonly pen = document.createElement("canvas").getContext("2d")!;
    private readonly known = new Map<string, number>();

    constructor(element: Element) {
        const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
        this.pen.font = `${fontStyle} ${fontWeight} ${ROW_FONT} ${fontFamily}`;
    }

    width(text: string): number {
        let width = this.known.get(text);
        if (width === undefined)
            this.known.set(text, width = this.pen.measureText(text).width);
        return width;
    }
}

/* What is shown of names that do not fit: the most letters with which all of them do. Where these tell two names apart by more letters, more are shown. */
function fittingNames(names: readonly string[], width: number, ruler: Ruler): Map<string, string> {
    const long = [...new Set(names)].filter(name => ruler.width(name) > width);
    if (long.length === 0)
        return new Map();
    let [low, high] = [LEAST_LETTERS, MOST_LETTERS];
    while (low < high) {
        const n = Math.ceil((low + high) / 2);
        const cuts = cutNames(long, n);
        const fits = long.every(name => {
            const shown = cuts.get(name) ?? name;
            return shown.length > n || ruler.width(shown) <= width;
        });
        [low, high] = fits && long.every(name => name.length > n) ? [n, high] : [low, n - 1];
    }
    return cutNames(long, low);
}

/* What is shown of the names that are too long for their row, where the rows are so wide. Two names of one level never look alike. */
function shownNames(rows: Row[], name: (node: number) => string, width: number, level: number, ruler: Ruler): Map<number, string> {
    const levels: Row[][] = [];
    for (const row of rows)
        (levels[row.depth] ??= []).push(row);
    const shown = new Map<number, string>();
    levels.forEach((own, depth) => {
        const room = width - depth * level;
        const short = shortNames(own.map(({ node }) => name(node)).filter(text => ruler.width(text) > room));
        const shortOf = (node: number): string => short.get(name(node)) ?? name(node);
        const cuts = fittingNames(own.map(({ node }) => shortOf(node)), room, ruler);
        for (const { node } of cuts.size > 0 || short.size > 0 ? own : []) {
            const cut = cuts.get(shortOf(node)) ?? short.get(name(node));
            if (cut !== undefined)
                shown.set(node, cut);
        }
    });
    return shown;
}

/* ---- the tree ----------------------------------------------------------------------------------------------------------- */

export function TreeView(props: TreeProps) {
    const { tree, roots, open, selected, values, sort, least, hides, peak, top = -1, mark = -1 } = props;
    const box = useRef<HTMLDivElement>(null);
    const [scroll, setScroll] = useState({ top: 0, height: 600, width: 600 });
    const [ruler, setRuler] = useState<Ruler | null>(null);
    const [head, setHead] = useState(111);              /* [pixels] of value and colour, at the beginning of each row */
    const [cursor, setCursor] = useState(-1);
    const anchor = useRef(-1);
    const isPrinted = usePrinting();
    const level = scroll.width < NARROW && !isPrinted ? LEVEL_OF_NARROW : LEVEL_PIXELS;

    const isInner = (node: number): boolean => (hides === undefined ? tree.nChildren(node) > 0 : tree.children(node).some(child => !hides(child)));
    const order = useMemo(() => orderOf({ values, peak, least, hides, sort }), [values, peak, least, hides, sort]);
    const rows = useMemo(() => rowsOf(tree, roots, order, open), [tree, roots, order, open]);
    const chosen = useMemo(() => new Set(selected), [selected]);
    const word = props.search.trim().toLowerCase();
    const matches = (node: number): boolean => props.name(node).toLowerCase().includes(word);
    const found = useMemo(() => (word === "" ? [] : rowsOf(tree, roots, order, null).map(row => row.node).filter(matches)), [tree, roots, order, word]);
    const nHidden = useMemo(() => (word === "" || hides === undefined ? 0
        : rowsOf(tree, roots, nodes => Array.from(nodes), null).filter(({ node }) => matches(node)).length - found.length), [tree, roots, found]);
    const isFound = useMemo(() => new Set(found), [found]);
    const at = rows.findIndex(row => row.node === cursor);
    const current = at >= 0 ? at : Math.max(rows.findIndex(row => (selected.length > 0 ? chosen.has(row.node) : row.node === mark)), 0);
    const shown = useRef(current);
    shown.current = current;

    useEffect(() => {
        const element = box.current!;
        let height = Infinity;
        const measure = (): void => setScroll({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth });
        /* What was in sight stays so when the details below take more room. */
        const observer = new ResizeObserver(() => {
            const top = shown.current * ROW_PIXELS;
            if (box.current !== null && top >= element.scrollTop && top < element.scrollTop + height)
                show(shown.current);
            height = element.clientHeight;
            measure();
        });
        observer.observe(element);
        element.addEventListener("scroll", measure, { passive: true });
        return () => {
            observer.disconnect();
            element.removeEventListener("scroll", measure);
        };
    }, []);

    /* Brings what was selected from elsewhere into sight. */
    const first = selected[0] ?? mark;
    useLayoutEffect(() => {
        const row = rows.findIndex(r => r.node === first);
        if (row < 0 || chosen.has(cursor))
            return;
        setCursor(-1);
        show(row);
    }, [first, tree]);

    useLayoutEffect(() => setRuler(new Ruler(box.current!)), []);
    useLayoutEffect(() => {
        const widest = Math.max(...[...box.current!.querySelectorAll(".value")].map(element => (element as HTMLElement).offsetWidth)) + BOX_PIXELS;
        if (widest > 0 && widest !== head)
            setHead(widest);
    });

    /* A search keeps the tree: it is opened to all matches, and as before when the search ends. */
    const beforeSearch = useRef<ReadonlySet<number> | null>(null);
    useEffect(() => {
        if (word === "" && beforeSearch.current === null)
            return;
        const before = beforeSearch.current ?? open;
        beforeSearch.current = word === "" ? null : before;
        const wanted = word === "" ? selected : found.slice(0, MOST_OPENED);
        const opened = new Set(before);
        for (const node of wanted)
            for (let i = tree.parent[node]; i >= 0 && !opened.has(i); i = tree.parent[i])
                opened.add(i);
        if (opened.size !== open.size || [...opened].some(node => !open.has(node)))
            props.change(opened, selected, word === "");
        const place = word === "" || selected.some(node => isFound.has(node)) ? -1 : rowsOf(tree, roots, order, opened).findIndex(row => row.node === found[0]);
        if (place >= 0)
            requestAnimationFrame(() => box.current && show(place));
    }, [word]);

    function show(row: number): void {
        const element = box.current!;
        const top = row * ROW_PIXELS;
        if (top < element.scrollTop)
            element.scrollTop = top;
        else if (top + ROW_PIXELS > element.scrollTop + element.clientHeight)
            element.scrollTop = top + ROW_PIXELS - element.clientHeight + (element.clientHeight > 5 * ROW_PIXELS ? 2 * ROW_PIXELS : 0);
        /* its name, too, which begins behind value and colour */
        const left = rows[row] === undefined ? 0 : rows[row].depth * level;
        const room = element.clientWidth - head - TWISTY_PIXELS - 80;
        if (left < element.scrollLeft || left > element.scrollLeft + room)
            element.scrollLeft = Math.max(left - Math.max(room / 2, 0), 0);
    }

    function select(node: number, nodes: number[], opened: ReadonlySet<number> = open): void {
        setCursor(node);
        anchor.current = node;
        props.change(opened, nodes);
    }

    function toggleSelected(node: number): void {
        if (chosen.has(node)) {
            if (selected.length > 1 || props.canBeNone === true)
                select(node, selected.filter(other => other !== node));
        } else if (props.canAdd(node))
            select(node, [...selected, node]);
    }

    function selectTo(row: number): void {
        const from = rows.findIndex(r => r.node === anchor.current);
        const [a, b] = [Math.min(from < 0 ? current : from, row), Math.max(from < 0 ? current : from, row)];
        const start = rows[from < 0 ? current : from].node;
        const nodes = rows.slice(a, b + 1).map(r => r.node).filter(node => node === start || props.canAdd(node));
        setCursor(rows[row].node);
        anchor.current = start;
        props.change(open, [start, ...nodes.filter(node => node !== start)]);
    }

    function setOpen(nodes: number[], isOpen: boolean): void {
        const next = new Set(open);
        for (const node of nodes)
            if (isOpen)
                next.add(node);
            else
                next.delete(node);
        const still = stillSeen(tree, selected, next, top);
        if (at >= 0)
            setCursor(seenAt(tree, cursor, next, top));
        props.change(next, still.length === selected.length && still.every((node, i) => node === selected[i]) ? selected : still);
    }

    function subtree(node: number): number[] {
        const nodes = [node];
        for (let i = 0; i < nodes.length; i++)
            nodes.push(...Array.from(tree.children(nodes[i])).filter(child => tree.nChildren(child) > 0));
        return nodes.filter(inner => tree.nChildren(inner) > 0);
    }

    function toggle(node: number, whole: boolean): void {
        setOpen(whole ? subtree(node) : [node], !open.has(node));
    }

    function goTo(node: number): void {
        const opened = openTo(tree, node, open);
        select(node, [node], opened);
        requestAnimationFrame(() => {
            const row = rowsOf(tree, roots, order, opened).findIndex(r => r.node === node);
            if (box.current !== null && row >= 0)
                show(row);
        });
    }

    props.handle.current = {
        focus: () => box.current?.focus(),
        find(step) {
            if (found.length === 0)
                return;
            const here = found.indexOf(rows[current]?.node ?? -1);
            if (here >= 0) {
                goTo(found[(here + step + found.length) % found.length]);
                return;
            }
            /* From where the cursor is: the next one in the order of all nodes. */
            const all = rowsOf(tree, roots, order, null).map(row => row.node);
            const from = all.indexOf(rows[current]?.node ?? -1);
            const place = new Map(all.map((node, i) => [node, i]));
            const behind = found.findIndex(node => place.get(node)! > from);
            const next = step > 0 ? (behind < 0 ? 0 : behind) : ((behind < 0 ? 0 : behind) - 1 + found.length) % found.length;
            goTo(found[next]);
        },
        openAll: () => setOpen(Array.from({ length: tree.n }, (_, i) => i).filter(i => tree.nChildren(i) > 0), true),
        closeAll: () => setOpen([...open], false),
        openBelow: node => setOpen(subtree(node), true),
        closeBelow: node => setOpen(subtree(node), false),
        openLargest(node) {
            const from = node !== undefined ? [node] : rows.length > 0 && chosen.size > 0 ? [rows[current].node] : roots;
            const { open: missing, end } = hotPath(tree, values, from);
            if (end < 0)
                return;
            const opened = new Set([...openTo(tree, end, open), ...missing]);
            select(end, [end], opened);
            requestAnimationFrame(() => box.current && show(rowsOf(tree, roots, order, opened).findIndex(r => r.node === end)));
        },
        rows: () => rows.map(({ node, depth }) => ({ node, depth, isOpen: isInner(node) && open.has(node) })),
    };

    /* At its row, where keys ask for it. */
    function menuOf(row: number): void {
        show(row);
        const element = document.getElementById(idOf(rows[row].node)) ?? box.current!;
        const { left, bottom } = element.getBoundingClientRect();
        props.openMenu(rows[row].node, Math.max(left, box.current!.getBoundingClientRect().left) + head + TWISTY_PIXELS, bottom);
    }

    function onKeyDown(event: KeyboardEvent): void {
        const row = rows[current];
        if (row === undefined || event.altKey)
            return;
        const page = Math.max(Math.floor(scroll.height / ROW_PIXELS) - 1, 1);
        const move = (to: number): void => {
            const target = Math.min(Math.max(to, 0), rows.length - 1);
            show(target);
            if (event.shiftKey)
                selectTo(target);
            else if (event.ctrlKey || event.metaKey)
                setCursor(rows[target].node);
            else
                select(rows[target].node, [rows[target].node]);
        };
        const inner = isInner(row.node);
        switch (event.key) {
        case "ContextMenu": menuOf(current); break;
        case "F10":
            if (!event.shiftKey)
                return;
            menuOf(current);
            break;
        case "ArrowDown": move(current + 1); break;
        case "ArrowUp": move(current - 1); break;
        case "PageDown": move(current + page); break;
        case "PageUp": move(current - page); break;
        case "Home": move(0); break;
        case "End": move(rows.length - 1); break;
        case "ArrowRight":
            if (inner && event.shiftKey)
                setOpen(subtree(row.node), true);
            else if (inner && !open.has(row.node))
                setOpen([row.node], true);
            else if (inner && rows[current + 1]?.depth > row.depth)
                move(current + 1);
            break;
        case "ArrowLeft":
            if (inner && open.has(row.node))
                setOpen(event.shiftKey ? subtree(row.node) : [row.node], false);
            else if (tree.parent[row.node] >= 0)
                move(rows.findIndex(r => r.node === tree.parent[row.node]));
            break;
        case "*":
            setOpen(rows.filter(r => tree.parent[r.node] === tree.parent[row.node] && tree.nChildren(r.node) > 0).map(r => r.node), true);
            break;
        case " ":
        case "Enter":
            if (event.shiftKey)
                selectTo(current);
            else if (event.ctrlKey || event.metaKey)
                toggleSelected(row.node);
            else
                select(row.node, [row.node]);
            break;
        default:
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    function onRowClick(event: MouseEvent, row: number): void {
        const { node } = rows[row];
        if (event.shiftKey)
            selectTo(row);
        else if (event.ctrlKey || event.metaKey)
            toggleSelected(node);
        else
            select(node, [node]);
    }

    const from = isPrinted ? 0 : Math.max(Math.floor(scroll.top / ROW_PIXELS) - SPARE_ROWS, 0);
    const end = isPrinted ? Math.min(rows.length, MAX_PRINTED)
        : Math.min(Math.ceil((scroll.top + scroll.height) / ROW_PIXELS) + SPARE_ROWS, rows.length);
    const room = isPrinted || ruler === null ? Infinity : scroll.width - head - TWISTY_PIXELS - END_PIXELS;
    const names = useMemo(() => (ruler === null ? new Map<number, string>() : shownNames(rows, props.name, room, level, ruler)), [rows, room, ruler]);
    const idOf = (node: number): string => `${props.id}-${node}`;

    return (
        <>
            {word !== "" && <FoundLine found={found} here={rows[current]?.node ?? -1} nHidden={nHidden} />}
            <div class="tree" ref={box} role="tree" aria-label={props.label} aria-multiselectable="true" tabIndex={0}
                aria-activedescendant={rows.length > 0 ? idOf(rows[current].node) : undefined}
                onKeyDown={onKeyDown} onFocus={props.activate}>
                {rows.length === 0 && <p class="nothing">Nothing to show{least > 0 ? ": everything is below the threshold" : hides !== undefined && roots.length > 0 ? ": no row has a value" : ""}.</p>}
                <div class="rows" style={{ height: isPrinted ? "auto" : `${rows.length * ROW_PIXELS}px` }}>
                    <div class="window" style={{ transform: isPrinted ? "none" : `translateY(${from * ROW_PIXELS}px)` }}>
                        {rows.slice(from, end).map(({ node, depth, position, size }, i) => {
                            const inner = isInner(node);
                            const value = inner && open.has(node) ? values.own[node] : values.inclusive[node];
                            const { text, fraction } = props.display(node, value);
                            const name = props.name(node), shown = names.get(node) ?? name;
                            const hint = `${shown === name ? "" : `${name}\n`}${props.hint?.(node) ?? ""}\n${props.exact(node, value)}`.trim();
                            return (
                                <div key={node} id={idOf(node)} role="treeitem" aria-level={depth + 1} aria-posinset={position}
                                    aria-setsize={size} aria-selected={chosen.has(node)} aria-expanded={inner ? open.has(node) : undefined}
                                    class={`row${chosen.has(node) ? " chosen" : ""}${from + i === current ? " cursor" : ""}${selected.length === 0 && node === mark ? " marked" : ""}`}
                                    data-node={node} data-value={String(value)} title={hint}
                                    onClick={event => onRowClick(event, from + i)}
                                    onContextMenu={event => {
                                        event.preventDefault();
                                        setCursor(node);
                                        box.current!.focus();
                                        props.openMenu(node, event.clientX, event.clientY);
                                    }}
                                    onDblClick={() => inner && toggle(node, false)}>
                                    <span class="head" style={{ minWidth: `${head}px` }}>
                                        <span class={`value${value === 0 ? " zero" : ""}`}>{text}</span>
                                        <span class="box" style={{ background: value === 0 ? "transparent" : props.colour(fraction, node) }} />
                                    </span>
                                    <span class="label" style={{ paddingLeft: `${depth * level}px` }}>
                                        <span class={`twisty${inner ? (open.has(node) ? " open" : " closed") : ""}`}
                                            onClick={event => {
                                                if (inner) {
                                                    event.stopPropagation();
                                                    toggle(node, event.altKey);
                                                }
                                            }} onDblClick={event => event.stopPropagation()} />
                                        <span class={isFound.has(node) ? "name found" : "name"}><Marked text={shown} word={isFound.has(node) ? word : ""} /></span>
                                        {props.note !== undefined && <span class="note">{props.note(node)}</span>}
                                    </span>
                                    {props.explain !== undefined &&
                                        <button class="ask" tabIndex={-1} title="what this metric means" aria-label={`What ${props.name(node)} means`}
                                            onClick={event => {
                                                event.stopPropagation();
                                                props.explain!(node);
                                            }}>?</button>}
                                </div>
                            );
                        })}
                    </div>
                </div>
                {isPrinted && rows.length > MAX_PRINTED &&
                    <p class="nothing">The first {MAX_PRINTED} of {rows.length} rows.</p>}
            </div>
        </>
    );
}

/* A name with the part that was searched for; where that is cut out, all of it. */
function Marked({ text, word }: { text: string; word: string }) {
    const at = word === "" ? -1 : text.toLowerCase().indexOf(word);
    if (word === "")
        return <>{text}</>;
    return at < 0 ? <mark>{text}</mark> : <>{text.slice(0, at)}<mark>{text.slice(at, at + word.length)}</mark>{text.slice(at + word.length)}</>;
}

function FoundLine({ found, here, nHidden }: { found: number[]; here: number; nHidden: number }) {
    const at = found.indexOf(here);
    return (
        <p class="matches" role="status">
            {found.length === 0 ? "no match" : `${at >= 0 ? `${grouped(at + 1)} of ` : ""}${grouped(found.length)} match${found.length === 1 ? "" : "es"}`}
            {found.length > MOST_OPENED && `, the tree is opened to the first ${grouped(MOST_OPENED)}`}
            {nHidden > 0 && `; ${grouped(nHidden)} more in rows that are not shown`}
        </p>
    );
}

/* Whether the page is being printed. The browser takes the page as it is when the event's listeners are done. */
export function usePrinting(): boolean {
    const [is, set] = useState(false);
    useEffect(() => {
        const now = (value: boolean) => (): void => {
            const later = options.debounceRendering;
            options.debounceRendering = render => render();
            set(value);
            options.debounceRendering = later;
        };
        const before = now(true), after = now(false);
        addEventListener("beforeprint", before);
        addEventListener("afterprint", after);
        return () => {
            removeEventListener("beforeprint", before);
            removeEventListener("afterprint", after);
        };
    }, []);
    return is;
}
