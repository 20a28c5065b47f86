/* sections/counters.tsx: the section "Counters": what was counted, what is computed from that, levels, and call paths that run badly. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { number, seconds, unitText } from "../format";
import type { Counters as Data } from "../counters";
import type { Model } from "../model";
import { SourceOf } from "../source";
import { Amount, Explain, Into, More, N_TOP, Part, PartProps, PathName, headingOf } from "./pieces";

/* Levels but those that the section "Metrics over time" has. */
const levelsOf = (model: Model): Data["levels"] => (model.head.counters?.levels ?? []).filter(({ name, scope }) =>
    !model.head.tracks?.rows.some(track => track.name === name && track.scope === scope));

export const hasCounters = (model: Model): boolean => (model.head.counters?.counters ?? []).length + levelsOf(model).length > 0;

const withUnitOf = (name: string, unit: string): string => (unit === "#" || unitText(unit) === "" ? name : `${name} [${unitText(unit)}]`);

function Figures({ heads, rows }: { heads: string[]; rows: { key: string; name: ComponentChildren; values: string[] }[] }) {
    const [n, setN] = useState(2 * N_TOP);
    return rows.length === 0 ? null : (
        <>
            <table class="figures">
                <thead><tr>{heads.map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
                <tbody>{rows.slice(0, n).map(({ key, name, values }) => (
                    <tr key={key}><th scope="row">{name}</th>{values.map((value, i) => <td key={i}>{value}</td>)}</tr>
                ))}</tbody>
            </table>
            <More n={rows.length - n} what="row" onClick={() => setN(rows.length)} />
        </>
    );
}

/* Call paths of computation that run badly, whether others wait for them or not. */
function Badly({ store }: { store: PartProps["store"] }) {
    const { model } = store;
    const rows = (model.head.counters?.call_paths ?? []).map(row => ({ ...row, path: model.head.paths.number.indexOf(row.call_path_id ?? -1) })).filter(({ path }) => path >= 0);
    const time = model.metricById("time");
    return rows.length === 0 ? null : (
        <>
            <p class="lead">Call paths of computation that run badly <Explain store={store} id="work-or-speed" /></p>
            <ul class="places">{rows.map(({ path, value, share, what }) => (
                <li key={path}>
                    <Amount text={seconds(value)} share={share ?? NaN} />
                    <span class="what"><Into store={store} to={{ metrics: [time].filter(m => m >= 0), path }}><PathName model={model} path={path} among={rows.map(row => row.path)} /></Into>
                        <SourceOf model={model} path={path} />
                        <span class="who">{what}</span></span>
                </li>
            ))}</ul>
        </>
    );
}

export function Counters({ store }: PartProps) {
    const { model } = store;
    const data = model.head.counters;
    if (data == null)
        return null;
    const linked = (id: string, text: string): ComponentChildren => (model.metricById(id) < 0 ? text : <Into store={store} to={{ metrics: [model.metricById(id)] }}>{text}</Into>);
    return (
        <Part id="counters" title={<>{headingOf(model, "counters")} <Explain store={store} id="counters" /></>}>
            <Badly store={store} />
            <Figures heads={["Sum over all locations", "Computation", "All"]} rows={data.counters.map(({ id, name, unit, computation, total }) => (
                { key: id, name: linked(id, withUnitOf(name, unit)), values: [number(computation), number(total)] }))} />
            <Figures heads={[`Computation, of each ${model.nLocations > model.nGroups ? "thread" : "process"}`, "Least", "Most"]} rows={data.derived.map(({ id, name, unit, least, most }) => (
                { key: id, name: withUnitOf(name, unit), values: [number(least), number(most)] }))} />
            <Figures heads={["Levels", "Of", "Least", "Mean or sum", "Most"]} rows={levelsOf(model).map(({ name, unit, scope, is_level, sum, least, mean, most }, i) => (
                { key: `${i}`, name: withUnitOf(name, unit), values: is_level ? [scope, number(least), number(mean), number(most)] : [scope, "", number(sum), ""] }))} />
        </Part>
    );
}
