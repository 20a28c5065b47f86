/* sections/overview.tsx: the overview: the sections of the list that the report has; every line leads into the explorer. */
import { useEffect } from "preact/hooks";
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
    const left = at("left"), right = at("right");
    return (
        <main class="overview">
            {at("top")}
            {left.length + right.length > 0 && <div class="columns"><div>{left}</div><div>{right}</div></div>}
            {at("bottom")}
        </main>
    );
}
