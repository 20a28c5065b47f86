/* menu.tsx: a menu beside the pointer or a button, as the WAI-ARIA menu pattern has it: arrow keys, Home, End, first letters, Esc. */
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

export interface MenuItem {
    text: string;
    keys?: string;                     /* that do the same */
    isOff?: boolean;
    run(): void;
}

/* Groups of items, with a line between them; empty ones are left out. */
export type MenuItems = readonly (readonly MenuItem[])[];

const EDGE = 4;                        /* [pixels] from the window's */

let host: HTMLElement | null = null;
let before: Element | null = null;     /* what had the focus */

/* Opens it in place of the one that is open. x, y: of the window. */
export function openMenu(x: number, y: number, label: string, items: MenuItems): void {
    closeMenu(false);
    before = document.activeElement;
    host = document.createElement("div");
    document.body.append(host);
    render(<Menu x={x} y={y} label={label} items={items.filter(group => group.length > 0)} />, host);
}

export function openMenuBelow(button: Element, label: string, items: MenuItems): void {
    const { left, bottom } = button.getBoundingClientRect();
    openMenu(left, bottom, label, items);
}

function closeMenu(isFocused: boolean): void {
    if (host === null)
        return;
    render(null, host);
    host.remove();
    host = null;
    if (isFocused && before instanceof HTMLElement)
        before.focus();
}

function Menu({ x, y, label, items }: { x: number; y: number; label: string; items: MenuItems }) {
    const box = useRef<HTMLDivElement>(null);
    const buttons = (): HTMLElement[] => [...box.current!.querySelectorAll<HTMLElement>("[role=menuitem]:not([aria-disabled=true])")];

    useLayoutEffect(() => {
        const { width, height } = box.current!.getBoundingClientRect();
        box.current!.style.left = `${Math.max(EDGE, Math.min(x, innerWidth - width - EDGE))}px`;
        box.current!.style.top = `${Math.max(EDGE, y + height > innerHeight - EDGE ? Math.min(y, innerHeight - EDGE) - height : y)}px`;
        buttons()[0]?.focus();
    }, []);
    useEffect(() => {
        const outside = (event: Event): void => {
            if (!box.current?.contains(event.target as Node))
                closeMenu(false);
        };
        const away = (): void => closeMenu(false);
        addEventListener("pointerdown", outside, true);
        addEventListener("wheel", outside, true);
        addEventListener("resize", away);
        addEventListener("blur", away);
        addEventListener("popstate", away);
        return () => {
            removeEventListener("pointerdown", outside, true);
            removeEventListener("wheel", outside, true);
            removeEventListener("resize", away);
            removeEventListener("blur", away);
            removeEventListener("popstate", away);
        };
    }, []);

    function onKeyDown(event: KeyboardEvent): void {
        const all = buttons();
        const at = all.indexOf(document.activeElement as HTMLElement);
        const letter = event.key.toLowerCase();
        const next = [...all.slice(at + 1), ...all.slice(0, at + 1)].find(button => button.textContent!.toLowerCase().startsWith(letter));
        switch (event.key) {
        case "ArrowDown": all[(at + 1) % all.length]?.focus(); break;
        case "ArrowUp": all[(at - 1 + all.length) % all.length]?.focus(); break;
        case "Home": all[0]?.focus(); break;
        case "End": all[all.length - 1]?.focus(); break;
        case "Escape":
        case "Tab": closeMenu(true); break;
        case "Enter":
        case " ": all[at]?.click(); break;
        default:
            if (letter.length === 1)
                next?.focus();
        }
        event.preventDefault();
        event.stopPropagation();
    }

    return (
        <div class="menu" role="menu" aria-label={label} ref={box} onKeyDown={onKeyDown} onContextMenu={event => event.preventDefault()}>
            {items.map((group, g) => (
                <div role="group" key={g}>
                    {group.map(({ text, keys, isOff, run }) => (
                        <div key={text} role="menuitem" tabIndex={-1} aria-disabled={isOff === true}
                            onPointerEnter={event => isOff !== true && (event.currentTarget as HTMLElement).focus()}
                            onClick={() => {
                                if (isOff === true)
                                    return;
                                closeMenu(true);
                                run();
                            }}><span>{text}</span>{keys !== undefined && <kbd>{keys}</kbd>}</div>
                    ))}
                </div>
            ))}
        </div>
    );
}
