/* sections/tracks.tsx: the section "Metrics over time": what was recorded over time, such as power and temperatures, as a line by window; of
 * levels with the least and the largest value. The part of the time series that is selected is marked, and the numbers are of its windows. */
import { useState } from "preact/hooks";
import { number, plural, seconds, unitText } from "../format";
import type { Model, Track, Tracks as AllTracks } from "../model";
import { columnsName } from "../series";
import type { Slices } from "../state";
import { More, N_TOP, Part, PartProps } from "./pieces";

const WIDTH = 320, HEIGHT = 40;

interface Range { least: number; most: number }

/* Of all windows; the axis begins at 0 unless there are values below it. */
function rangeOf(track: Track): Range {
    const of = (values: readonly (number | null)[]) => values.filter((value): value is number => value !== null);
    return { least: Math.min(...of(track.least ?? track.values)), most: Math.max(...of(track.most ?? track.values)) };
}

/* What is selected: its windows [first, end), and where in the width of a line it is, from 0 to 1. */
interface Mark { first: number; end: number; from: number; to: number; name: string }

/* Iterations are in the windows that they reach into. null: all is selected. */
function markOf(model: Model, tracks: AllTracks, slices: Slices | null): Mark | null {
    const series = slices === null ? null : model.head.series?.[slices.by] ?? null;
    if (slices === null || series === null || slices.columns[1] - slices.columns[0] === series.columns.length)
        return null;
    const columns = series.columns.slice(...slices.columns), n = tracks.rows[0].values.length, length = tracks.to - tracks.from;
    const within = (time: number): number => Math.min(Math.max((time - tracks.from) / length, 0), 1);
    const from = within(Math.min(...columns.map(column => column[2]))), to = within(Math.max(...columns.map(column => column[3])));
    const [first, end] = slices.by === "windows" ? [columns[0][0] - 1, columns[columns.length - 1][1]] : [Math.floor(from * n), Math.ceil(to * n)];
    return { first, end, from, to, name: columnsName(series, slices.columns) };
}

/* The track, in the windows that are selected alone. */
function partOf(track: Track, mark: Mark | null): Track {
    const of = <T,>(values: T[]): T[] => (mark === null ? values : values.slice(mark.first, mark.end));
    return { ...track, values: of(track.values), least: track.least && of(track.least), most: track.most && of(track.most) };
}

function placeOf(range: Range, value: number): number {
    const floor = Math.min(range.least, 0), height = Math.max(range.most, 0) - floor;
    return HEIGHT - (height > 0 ? (value - floor) / height : 0) * HEIGHT;
}

/* What windows side by side have in common is one line. */
function pathOf(values: readonly (number | null)[], range: Range): string {
    const step = WIDTH / values.length;
    return values.map((value, i) => value === null ? "" :
        `${i > 0 && values[i - 1] !== null ? "L" : "M"}${(i * step).toFixed(1)} ${placeOf(range, value).toFixed(1)}H${((i + 1) * step).toFixed(1)}`).join("");
}

function Line({ track, range, words, mark }: { track: Track; range: Range; words: string[]; mark: Mark | null }) {
    const step = WIDTH / track.values.length;
    return (
        <svg class="track" width={WIDTH} height={HEIGHT} viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`} role="img" aria-label={`${track.name} over time`}>
            {mark !== null && <rect class="track-mark" x={mark.from * WIDTH} width={Math.max((mark.to - mark.from) * WIDTH, 1)} y={-1} height={HEIGHT + 2} />}
            {track.values.map((value, i) => value !== null && (
                <rect key={i} x={i * step} width={step} y={track.most ? placeOf(range, track.most[i]!) : 0}
                    height={track.most ? Math.max(placeOf(range, track.least![i]!) - placeOf(range, track.most[i]!), 1) : HEIGHT}
                    fill="currentColor" fill-opacity={track.most ? 0.2 : 0}><title>{words[i]}</title></rect>
            ))}
            <path d={pathOf(track.values, range)} fill="none" stroke="currentColor" pointer-events="none" />
        </svg>
    );
}

export function Tracks({ store }: PartProps) {
    const tracks = store.model.head.tracks!;
    const [n, setN] = useState(2 * N_TOP);
    const length = tracks.to - tracks.from, mark = markOf(store.model, tracks, store.state.slices);
    return (
        <Part id="tracks" title="Metrics over time">
            {mark !== null && (
                <p class="matrix-controls">Marked: {mark.name}. Mean or sum, least and largest are of {mark.end - mark.first === 1 ? `window ${mark.end}` : `windows ${mark.first + 1} to ${mark.end}`}.{" "}
                    <button onClick={() => store.set({ slices: null })}>Select all</button></p>
            )}
            <table class="figures">
                <thead><tr>{["Metric", "Of", "Over time", "Mean or sum", "Least", "Largest"].map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
                <tbody>
                    {tracks.rows.slice(0, n).map((track, i) => {
                        const part = partOf(track, mark), range = rangeOf(track), own = rangeOf(part), known = part.values.filter(value => value !== null), all = known.reduce<number>((sum, value) => sum + value!, 0);
                        const unit = unitText(track.unit), isLevel = track.least !== undefined;
                        const words = track.values.map((value, k) => value === null ? "" :
                            `${seconds(tracks.from + length * k / track.values.length)}: ${number(value)} ${unit}${isLevel ? `, ${number(track.least![k]!)} to ${number(track.most![k]!)}` : ""}`);
                        return (
                            <tr key={i}>
                                <th scope="row" title={track.name}>{track.name}{unit === "" ? "" : ` [${unit}]`}</th>
                                <td>{track.scope}</td>
                                <td><Line track={track} range={range} words={words} mark={mark} /></td>
                                <td>{known.length === 0 ? "" : number(isLevel ? all / known.length : all)}</td>
                                <td>{isLevel && known.length > 0 ? number(own.least) : ""}</td>
                                <td>{isLevel && known.length > 0 ? number(own.most) : ""}</td>
                            </tr>
                        );
                    })}
                </tbody>
            </table>
            <More n={tracks.rows.length - n} what="metric" onClick={() => setN(tracks.rows.length)} />
            {tracks.n > tracks.rows.length && <p>{plural(tracks.n - tracks.rows.length, "metric")} more {tracks.n - tracks.rows.length === 1 ? "is" : "are"} only in the report.</p>}
            <p>By {plural(tracks.rows[0].values.length, "window")} of {seconds(length / tracks.rows[0].values.length)}: what a sum grew by, or the mean of a level, with its range.</p>
        </Part>
    );
}
