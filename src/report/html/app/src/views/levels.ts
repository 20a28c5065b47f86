/* views/levels.ts: the values per location, process or node: what a bar, or a point of a box plot, stands for. */
import { nameAt } from "../lists";
import type { Model } from "../model";
import type { ViewContext } from "../view";
import { combineOf } from "./scales";
import { grouped } from "./spread";

export type LevelKind = "process" | "location" | "node";

export interface Level {
    kind: LevelKind;
    title: string; noun: string; nouns: string;
    values: Float64Array;                            /* per unit: location, process or node */
    unitOf(location: number): number;                /* -1: none */
    locationsOf(unit: number): number[];
    name(unit: number): string;
    short(unit: number): string;                     /* for an axis */
}

/* The nodes that processes are on: indices in the head's system.nodes, in their order. */
export function nodesOf(model: Model): number[] {
    return [...new Set(Array.from(model.head.system.groups.node))].filter(node => node >= 0).sort((a, b) => a - b);
}

export function levelOptions(model: Model): [LevelKind, string][] {
    const out: [LevelKind, string][] = [];
    if (model.nGroups > 1)
        out.push(["process", "processes"]);
    if (model.nLocations > model.nGroups || out.length === 0)
        out.push(["location", "locations (threads)"]);
    if (nodesOf(model).length > 1)
        out.push(["node", "nodes"]);
    return out;
}

export function levelOf(context: ViewContext, wanted: string | undefined): Level {
    const options = levelOptions(context.model).map(([kind]) => kind);
    const kind = options.find(option => option === wanted) ?? options[0];
    return kind === "location" ? ofLocations(context) : kind === "process" ? ofProcesses(context) : ofNodes(context);
}

function ofLocations({ model, values }: ViewContext): Level {
    const { group, thread } = model.head.system.locations;
    const { rank } = model.head.system.groups;
    return {
        kind: "location", title: "values per location", noun: "location", nouns: "locations", values,
        unitOf: location => location, locationsOf: location => [location], name: location => model.locationName(location),
        short: location => (model.nGroups > 1 ? `${rank[group[location]]}:${thread[location]}` : String(thread[location])),
    };
}

function ofProcesses(context: ViewContext): Level {
    const { model } = context;
    const { group } = model.head.system.locations;
    const { rank } = model.head.system.groups;
    return {
        kind: "process", title: "values per process", noun: "process", nouns: "processes",
        values: grouped(context.values, group, model.nGroups, combineOf(context)),
        unitOf: location => group[location], locationsOf: process => placesOf(group, process),
        name: process => model.groupName(process), short: process => (rank[process] >= 0 ? String(rank[process]) : model.groupName(process)),
    };
}

function ofNodes(context: ViewContext): Level {
    const { model } = context;
    const nodes = nodesOf(model);
    const index = new Map(nodes.map((node, i) => [node, i]));
    const { group } = model.head.system.locations;
    const nodeOf = Int32Array.from(group, process => index.get(model.head.system.groups.node[process]) ?? -1);
    const name = (node: number): string => nameAt(model.head.system.nodes.name, nodes[node]);
    return {
        kind: "node", title: "values per node", noun: "node", nouns: "nodes",
        values: grouped(context.values, nodeOf, nodes.length, combineOf(context)),
        unitOf: location => nodeOf[location], locationsOf: node => placesOf(nodeOf, node), name, short: name,
    };
}

function placesOf(units: ArrayLike<number>, unit: number): number[] {
    const out: number[] = [];
    for (let location = 0; location < units.length; location++) {
        if (units[location] === unit)
            out.push(location);
    }
    return out;
}
