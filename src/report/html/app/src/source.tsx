/* source.tsx: where in the program's source a call path is, and the lines there if the page has them. */
import type { Model } from "./model";

export interface Place {
    file: string;                  /* as it was recorded */
    line: number;
    path: number;                  /* of this call path or one above it: the innermost one that has a line */
    isCall: boolean;               /* the line of the call; else the first line of the region */
}

export interface Excerpt {
    file: string;
    line: number;
    first: number;                 /* number of the first of the lines */
    lines: string[];
}

const baseName = (file: string): string => file.replace(/^.*\/(?=[^/])/, "");

export function placeOf(model: Model, path: number): Place | null {
    const { regions, paths } = model.head;
    for (let p = path; p >= 0; p = model.pathTree.parent[p]) {
        const call = model.callOf(p);
        const { file, begin } = regions[paths.region[p]];
        if (call !== null)
            return { file: call[1], line: call[2], path: p, isCall: true };
        if (begin > 0 && file !== "")
            return { file, line: begin, path: p, isCall: false };
    }
    return null;
}

/* As the terminal has it: "at solver.f90:133", "in solve, solver.f90:100", "called at solver.f90:140"; "" where it stands in the name. */
export function placeText(model: Model, path: number, place: Place): string {
    const own = `${baseName(place.file)}:${place.line}`;
    const name = model.pathName(place.path);
    if (baseName(name.slice(name.lastIndexOf("@") + 1)) === own && name.includes("@"))
        return "";
    if (place.path === path)
        return `${place.isCall ? "called at" : "at"} ${own}`;
    return `in ${name}, ${place.isCall ? "called at " : ""}${own}`;
}

/* In a row of a tree: only what is of this call path itself, as the rows above have theirs. */
export function ownPlaceText(model: Model, path: number): string {
    const place = placeOf(model, path);
    return place === null || place.path !== path ? "" : placeText(model, path, place);
}

export function Lines({ excerpt }: { excerpt: Excerpt }) {
    const width = String(excerpt.first + excerpt.lines.length).length;
    return (
        <pre class="source-lines" aria-label={`${excerpt.file}, line ${excerpt.line}`}>
            {excerpt.lines.map((text, i) => (
                <span key={i} class={excerpt.first + i === excerpt.line ? "line meant" : "line"}>
                    <span class="line-number">{String(excerpt.first + i).padStart(width)}</span> {text}{"\n"}
                </span>
            ))}
        </pre>
    );
}

/* Next to the name of a call path: file and line, with the lines to open where the page has them. */
export function SourceOf({ model, path }: { model: Model; path: number }) {
    const place = placeOf(model, path);
    if (place === null)
        return null;
    const excerpt = model.excerptAt(place.file, place.line);
    const text = placeText(model, path, place) || (excerpt !== null ? "source" : "");
    if (text === "")
        return null;
    const hint = `${place.file}:${place.line}`;
    return excerpt === null ? <span class="source" title={hint}>{text}</span>
        : <details class="source"><summary title={hint}>{text}</summary><Lines excerpt={excerpt} /></details>;
}
