/* sections/findings.tsx: the section "Trace diagnostics", and the caution above everything else. */
import { useMemo } from "preact/hooks";
import { hasManual } from "../explain";
import { grouped, plural } from "../format";
import type { Model, Row } from "../model";
import { Explain, Part, PartProps, headingOf } from "./pieces";

/* Kinds of findings. */
const FINDINGS: Record<string, string> = {
    "no-events": "locations whose event file is missing or empty", "cut-events": "event files that are truncated or damaged",
    stopped: "processes, or recordings of processes, that stopped early",
    "more-events": "locations with more events than the definitions announce",
    "no-definitions": "locations whose own definitions cannot be read, so that their clocks are not corrected",
    "unknown-reference": "records that name something that is not defined",
    "unknown-kind": "records of a kind that the OTF2 library does not know", unbalanced: "enter records without a leave, or leave records without an enter",
    "time-backwards": "records that are earlier than the one before", "time-damaged": "records whose time is far after the end of the recording",
    "outside-call": "communication records outside of a call", "team-unknown": "OpenMP threads in a team that is not recorded",
    "unmatched-receive": "receives without a send", "unmatched-send": "sends without a receive",
    "unmatched-collective": "collective operations that some members never entered",
    "mixed-collective": "collective operations whose members report different operations or roots",
    "unmatched-epoch": "epochs of a window without their counterpart", "rma-out-of-place": "one-sided communication calls in a wrong order",
    "incomplete-request": "requests that are never completed, or never started",
    "clock-point-to-point": "messages that arrive before they were sent (clocks)",
    "clock-collective": "members that leave a collective operation before it can be complete (clocks)",
};

/* "process 3, MPI_Recv, peer 5" */
function exampleOf(row: Row): string {
    return ["process", "thread", "call path", "peer", "communicator", "tag", "time"].filter(column => (row[column] ?? "") !== "")
        .map(column => (column === "call path" ? `at ${row[column]}` : `${column} ${row[column]}`)).join(", ");
}

/* Kinds of findings, how many there are of each, the first of them. */
function useFindings(model: Model): [string, { n: number; example: string }][] {
    return useMemo(() => {
        const map = new Map<string, { n: number; example: string }>();
        for (const row of model.table("findings") ?? []) {
            const own = map.get(row.id) ?? { n: 0, example: exampleOf(row) };
            own.n += Number(row.count) || 0;
            map.set(row.id, own);
        }
        return [...map];
    }, [model]);
}

/* Above everything else, as it may change what is below. What is made of several reports has no findings, but says what those lack. */
export function Caution({ store }: PartProps) {
    const { model } = store;
    const kinds = useFindings(model);
    const said = (key: string): string | undefined => model.head.attributes.find(([own]) => own === key)?.[1];
    const stopped = said("Heddle::Stopped"), covered = said("Heddle::Coverage");
    return (
        <>
            {stopped !== undefined && <p class="caution">Partial: the analysis was stopped {stopped}; results of later phases are missing.</p>}
            {(covered !== undefined || kinds.length > 0) && <p class="caution">
                {covered !== undefined && <b>The trace is incomplete: trace coverage {covered}. </b>}
                {kinds.length > 0 && <>The trace has inconsistencies. Values may be wrong or missing:
                    {" "}<button class="link" onClick={() => document.getElementById("part-findings")?.scrollIntoView({ behavior: "smooth" })}>
                        {plural(kinds.reduce((sum, [, { n }]) => sum + n, 0), "finding")}</button>.</>}
            </p>}
        </>
    );
}

export function Findings({ store }: PartProps) {
    const { model } = store;
    const kinds = useFindings(model);
    if (kinds.length === 0)
        return null;
    return (
        <Part id="findings" title={headingOf(model, "diagnostics")}>
            <ul class="findings">
                {kinds.map(([kind, { n, example }]) => <li key={kind}><b>{FINDINGS[kind] ?? kind}</b>: {grouped(n)} {kind in FINDINGS && <small>{kind}</small>}{hasManual(kind) && <> <Explain store={store} id={kind} /></>}<span class="who">first: {example}</span></li>)}
            </ul>
        </Part>
    );
}
