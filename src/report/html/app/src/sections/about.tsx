/* sections/about.tsx: the section "Provenance": what the report is of and how it came about. */
import { plural } from "../format";
import { Part, PartProps, headingOf } from "./pieces";

export function About({ store }: PartProps) {
    const { model } = store;
    const { attributes, beside, leftOut, creator, system } = model.head;
    return (
        <Part id="about" title={headingOf(model, "provenance")}>
            <p>{plural(model.nGroups, "process", "processes")}, {plural(model.nLocations, "location")}, {plural(system.nodes.name.length, "machine or node", "machines and nodes")},
                {" "}{plural(model.nPaths, "call path")}, {plural(model.nMetrics, "metric")}; written by {creator || "an unnamed program"}.</p>
            {beside !== null && <p>Its values are in the folder <code>{beside}</code> beside this page. Copy the folder together with the page.</p>}
            {leftOut.length > 0 && (
                <details>
                    <summary>{plural(leftOut.length, "metric")} of the report {leftOut.length === 1 ? "is" : "are"} not in this page</summary>
                    <ul>{leftOut.map(([id, why]) => <li key={id}><code>{id}</code>: {why}</li>)}</ul>
                </details>
            )}
            {attributes.length > 0 && (
                <details>
                    <summary>Attributes</summary>
                    <table class="attributes"><tbody>
                        {attributes.map(([key, value]) => <tr key={key}><th scope="row">{key}</th><td>{value}</td></tr>)}
                    </tbody></table>
                </details>
            )}
        </Part>
    );
}
