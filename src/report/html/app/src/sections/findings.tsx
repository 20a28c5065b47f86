/* sections/findings.tsx: the section "Trace diagnostics", and the caution above everything else. */
import { useMemo } from "preact/hooks";
import { hasManual } from "../explain";
import { grouped, plural } from "../format";
import type { Model, Row } from "../model";
import { Explain, Part, PartProps, headingOf } from "./pieces";

/* 'process 3, MPI_Recv at "main > solve", peer 5, tag 4, communicator "x"', as the analysis says it on the terminal. */
function placeOf(row: Row): string {
    const names = row["call path"] === "" ? [] : (row["call path"] ?? "").split(";");
    const call = names.pop();
    const parts: [string, string | undefined][] = [["process ", row.process], ["thread ", row.thread === "0" ? "" : row.thread],
        ["", call === undefined ? "" : names.length === 0 ? call : `${call} at "${names.join(" > ")}"`],
        ["peer ", row.peer], ["tag ", row.tag], ["communicator ", row.communicator && `"${row.communicator}"`]];
    return parts.filter(([, value]) => value !== undefined && value !== "").map(([name, value]) => `${name}${value}`).join(", ");
}

interface Kind { id: string; n: number; first: Row }

/* Kinds of findings, how many there are of each, the earliest of them; one whose time is not known is earlier than others. */
function useFindings(model: Model): Kind[] {
    return useMemo(() => {
        const kinds = new Map<string, Kind>();
        for (const row of model.table("findings") ?? []) {
            const kind = kinds.get(row.id) ?? { id: row.id, n: 0, first: row };
            kind.n += Number(row.count) || 0;
            if (Number(row.time) < Number(kind.first.time))
                kind.first = row;
            kinds.set(row.id, kind);
        }
        return [...kinds.values()];
    }, [model]);
}

/* Above everything else, as it may change what is below. What is made of several reports has no findings, but says what those lack. */
export function Caution({ store }: PartProps) {
    const { model } = store;
    const kinds = useFindings(model);
    const said = (key: string): string | undefined => model.head.attributes.find(([own]) => own === key)?.[1];
    const stopped = said("Heddle::Stopped"), covered = said("Heddle::Coverage"), shared = said("Heddle::SharedProcessors");
    return (
        <>
            {stopped !== undefined && <p class="caution">Partial: the analysis was stopped {stopped}; results of later phases are missing.</p>}
            {shared !== undefined && <p class="caution">{shared}.</p>}
            {(covered !== undefined || kinds.length > 0) && <p class="caution">
                {covered !== undefined && <b>The trace is incomplete: trace coverage {covered}. </b>}
                {kinds.length > 0 && <>The trace has inconsistencies. Values may be wrong or missing:
                    {" "}<button class="link" onClick={() => document.getElementById("part-findings")?.scrollIntoView({ behavior: "smooth" })}>
                        {plural(kinds.reduce((sum, { n }) => sum + n, 0), "finding")}</button>.</>}
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
                {kinds.map(({ id, n, first }) => (
                    <li key={id}><b>{grouped(n)} {model.head.findings?.[id]?.[n === 1 ? 1 : 0] ?? id}</b> <small>{id}</small>{hasManual(id) && <> <Explain store={store} id={id} /></>}
                        <span class="who">first: {placeOf(first)}</span></li>
                ))}
            </ul>
        </Part>
    );
}
