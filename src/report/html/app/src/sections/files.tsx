/* sections/files.tsx: the section "File I/O": what the program read and wrote, and the files with the longest time. */
import { useState } from "preact/hooks";
import { bytes, grouped, plural, seconds } from "../format";
import { More, N_TOP, Part, PartProps, headingOf } from "./pieces";

const HEADS = ["File", "Interface", "Processes", "Operations", "Read", "Written", "Time", "Bandwidth"];

export function Files({ store }: PartProps) {
    const { model } = store;
    const rows = model.head.files?.rows ?? [], all = model.head.files?.n ?? 0;
    const [n, setN] = useState(2 * N_TOP);
    return (
        <Part id="files" title={headingOf(model, "files")}>
            <table class="figures">
                <thead><tr>{HEADS.map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
                <tbody>
                    {rows.slice(0, n).map((row, i) => (
                        <tr key={i}>
                            <th scope="row" title={row.file}>{row.file}</th>
                            <td>{row.paradigm}{row.inner ? " (inner)" : ""}</td>
                            <td>{grouped(row.processes)}</td>
                            <td title={`${plural(row.reads, "read")}, ${plural(row.writes, "write")}, ${plural(row.others, "other")}`}>
                                {grouped(row.reads + row.writes + row.others)}
                            </td>
                            <td>{bytes(row.bytes_read)}</td>
                            <td>{bytes(row.bytes_written)}</td>
                            <td>{seconds(row.time)}</td>
                            <td>{row.bandwidth === null ? "\u2013" : `${bytes(row.bandwidth)}/s`}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            <More n={rows.length - n} what="file" onClick={() => setN(rows.length)} />
            {all > rows.length && <p>{plural(all - rows.length, "file")} with less time {all - rows.length === 1 ? "is" : "are"} only in the report.</p>}
            <p>Bandwidth is that of a process while it is in calls on the file.</p>
        </Part>
    );
}
