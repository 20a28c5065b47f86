/* explain.tsx: the explanation of a metric or finding: meaning, typical reasons and what to do (docs/explanations.md), and how a metric is computed
 * (docs/metrics.md), or what the report says of it. */
import { useEffect, useRef } from "preact/hooks";
import manuals from "manual";
import type { Model } from "./model";
import { unitText } from "./format";

const SIGNS = "reading-this-page";      /* the section of the manual on E(x), L(x), ... */

type Manual = typeof manuals.metrics;
type Section = Manual["sections"][number];

function sectionOf(manual: Manual, id: string): Section | null {
    return Object.prototype.hasOwnProperty.call(manual.anchors, id) ? manual.sections[manual.anchors[id]] : null;
}

/* What it means, typical reasons, what to do: of the metric, or of the nearest one above it. */
function reasonsOf(model: Model, id: string): Section | null {
    let section = sectionOf(manuals.explanations, id);
    for (let m = model.metricById(id); m >= 0 && section === null; m = model.head.metrics[m].parent)
        section = sectionOf(manuals.explanations, model.head.metrics[m].id);
    return section;
}

export function hasManual(id: string): boolean {
    return sectionOf(manuals.metrics, id) !== null || sectionOf(manuals.explanations, id) !== null;
}

/* id: of a metric of the report, of a finding, or an anchor of docs/metrics.md or docs/explanations.md. */
export function Explanation({ model, id, show, close, goTo }: {
    model: Model; id: string; show(id: string): void; close(): void; goTo(metric: number): void;
}) {
    const box = useRef<HTMLElement>(null);
    const m = model.metricById(id);
    const metric = m >= 0 ? model.head.metrics[m] : null;
    const section = sectionOf(manuals.metrics, id);
    const reasons = reasonsOf(model, id);
    const name = metric?.name ?? reasons?.title ?? section?.title ?? id;
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
            <h2>{name}</h2>
            {metric !== null && (
                <>
                    <p class="subject"><code>{metric.id}</code>{unitText(metric.unit) !== "" && <> · {metric.unit}</>}
                        {" · "}<button class="link" onClick={() => goTo(m)}>show it in the explorer</button></p>
                    <p class="lead">{metric.what || "The report has no description of this metric."}</p>
                </>
            )}
            {reasons !== null && (
                <>
                    {reasons.title !== name && <h3>{reasons.title}</h3>}
                    <div class="manual reasons" dangerouslySetInnerHTML={{ __html: reasons.html }} />
                    {section !== null && <h3>How it is computed</h3>}
                </>
            )}
            {section !== null && (
                <>
                    {section.title !== name && metric !== null && <h3>{section.title}</h3>}
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
