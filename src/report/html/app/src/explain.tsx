/* explain.tsx: the explanation of a metric: its section of the manual with the drawing, or what the report says of it. */
import { useEffect, useRef } from "preact/hooks";
import manual from "manual";
import type { Model } from "./model";
import { unitText } from "./format";

const SIGNS = "reading-this-page";      /* the section of the manual on E(x), L(x), ... */

export function hasManual(id: string): boolean {
    return Object.prototype.hasOwnProperty.call(manual.anchors, id);
}

/* id: of a metric of the report, or an anchor of the manual. */
export function Explanation({ model, id, show, close, goTo }: {
    model: Model; id: string; show(id: string): void; close(): void; goTo(metric: number): void;
}) {
    const box = useRef<HTMLElement>(null);
    const m = model.metricById(id);
    const metric = m >= 0 ? model.head.metrics[m] : null;
    const section = hasManual(id) ? manual.sections[manual.anchors[id]] : null;
    const isForeign = !model.head.creator.startsWith("Heddle");

    useEffect(() => {
        box.current!.scrollTop = 0;
        box.current!.focus();
    }, [id]);

    function onClick(event: MouseEvent): void {
        const link = (event.target as Element).closest("a");
        const target = link?.getAttribute("href") ?? "";
        if (!target.startsWith("#"))
            return;
        event.preventDefault();
        if (hasManual(target.slice(1)))
            show(target.slice(1));
    }

    return (
        <aside class="explanation" aria-label="What this metric means" tabIndex={-1} ref={box} onClick={onClick}
            onKeyDown={event => event.key === "Escape" && close()}>
            <button class="close" onClick={close} aria-label="Close the explanation" title="close (Esc)">×</button>
            <h2>{metric?.name ?? section?.title ?? id}</h2>
            {metric !== null && (
                <>
                    <p class="subject"><code>{metric.id}</code>{unitText(metric.unit) !== "" && <> · {metric.unit}</>}
                        {" · "}<button class="link" onClick={() => goTo(m)}>show it in the explorer</button></p>
                    <p class="lead">{metric.what || "The report has no description of this metric."}</p>
                </>
            )}
            {section !== null && (
                <>
                    {section.title !== metric?.name && metric !== null && <h3>{section.title}</h3>}
                    {isForeign && <p class="caution">The report is of another program, {model.head.creator || "which is not named"};
                        this is the meaning of a Heddle metric of the same name.</p>}
                    <div class="manual" dangerouslySetInnerHTML={{ __html: section.html }} />
                    {section.whole !== null && <p class="more"><button class="link" onClick={() => show(section.whole!)}>All of “{section.title}”</button></p>}
                    {id !== SIGNS && <p class="more"><button class="link" onClick={() => show(SIGNS)}>What the signs mean</button></p>}
                </>
            )}
        </aside>
    );
}
