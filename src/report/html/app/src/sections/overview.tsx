/* sections/overview.tsx: the overview: the sections of the list that the report has; every line leads into the explorer. */
import { useEffect, useRef, useState } from "preact/hooks";
import { mainMetric } from "../store";
import { Section, sections } from "./index";
import type { PartProps } from "./pieces";

export function Overview(props: PartProps) {
    const { model } = props.store;
    /* What the trees will show first is read ahead. Where that fails they say so. */
    useEffect(() => {
        const timer = setTimeout(() => model.nMetrics > 0 && model.loadMetric(mainMetric(model)).catch(() => undefined), 500);
        return () => clearTimeout(timer);
    }, [model]);
    const at = (place: Section["place"]) => sections.filter(section => section.place === place && section.isShown(model))
        .map(section => <section.View key={sections.indexOf(section)} {...props} />);
    const left = at("left"), right = at("right"), either = at("shorter");
    const columns = useRef<HTMLDivElement>(null);
    const [shorter, setShorter] = useState<"left" | "right" | null>(null);
    useEffect(() => {
        const [one, other] = Array.from(columns.current?.children ?? [], column => Array.from(column.children).reduce((sum, part) => sum + (part as HTMLElement).offsetHeight, 0));
        setShorter(one < other ? "left" : "right");
    }, [model]);
    return (
        <main class="overview">
            {at("top")}
            {left.length + right.length > 0 && <div class="columns" ref={columns}>
                <div>{left}{shorter === "left" && either}</div><div>{right}{shorter === "right" && either}</div>
            </div>}
            {at("bottom")}
        </main>
    );
}
