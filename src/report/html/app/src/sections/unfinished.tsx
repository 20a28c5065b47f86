/* sections/unfinished.tsx: the section "Unfinished operations": which processes wait for which when the recording ends. */
import { Part, PartProps, headingOf } from "./pieces";

export function Unfinished({ store }: PartProps) {
    const { model } = store;
    const lines = (model.head.unfinished ?? "").split("\n").filter(line => line.trim() !== "");
    if (lines.length === 0)
        return null;
    return (
        <Part id="unfinished" title={headingOf(model, "unfinished")}>
            {lines.map((line, i) => <p key={i} class="unfinished" style={{ marginLeft: `${(line.length - line.trimStart().length - 2) / 2}em` }}>{line.trim()}</p>)}
        </Part>
    );
}
