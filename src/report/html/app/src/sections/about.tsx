/* sections/about.tsx: the section "Analysis run", or "Provenance" of a report that was made from others: what it is of and how it was made. */
import { grouped, plural } from "../format";
import { nameCount } from "../lists";
import { Part, PartProps, headingOf } from "./pieces";

export function About({ store }: PartProps) {
    const { model } = store;
    const { attributes, beside, leftOut, creator, system, reference } = model.head;
    const facts = [...model.head.facts ?? [], ...attributes.filter(([key]) => !key.startsWith("Heddle::"))];
    const isMadeOfReports = attributes.some(([key]) => key === "Heddle::Algebra" || key === "Heddle::Cut");

    return (
        <Part id="about" title={headingOf(model, isMadeOfReports ? "provenance" : "analysis")}>
            <p>{plural(model.nGroups, "process", "processes")}, {plural(model.nLocations, "location")}, {plural(nameCount(system.nodes.name), "machine or node", "machines and nodes")},
                {" "}{plural(model.nPaths, "call path")}, {plural(model.nMetrics, "metric")}; written by {creator || "an unnamed program"}.</p>
            {beside !== null && <p>Its values are in the folder <code>{beside}</code> beside this page. Copy the folder together with the page.</p>}
            {reference !== undefined && <p id="second-report">Second report: {reference.title}. It has {grouped(reference.nCommon)} of the {plural(model.nPaths, "call path")}.
                {reference.summed !== null && ` ${reference.summed}.`} In the explorer, values can be shown as percent of its values.</p>}
            {leftOut.length > 0 && (
                <details>
                    <summary>{plural(leftOut.length, "metric")} of the report {leftOut.length === 1 ? "is" : "are"} not in this page</summary>
                    <ul>{leftOut.map(([id, why]) => <li key={id}><code>{id}</code>: {why}</li>)}</ul>
                </details>
            )}
            {facts.length > 0 && (
                <details>
                    <summary>Details</summary>
                    <table class="attributes"><tbody>
                        {facts.map(([key, value]) => <tr key={key}><th scope="row">{key}</th><td>{value}</td></tr>)}
                    </tbody></table>
                </details>
            )}
        </Part>
    );
}
