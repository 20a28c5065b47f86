/* sections/per_node.tsx: the section "Per node": computation, MPI and waiting time of each node. */
import { useState } from "preact/hooks";
import { percent, seconds } from "../format";
import { More, N_TOP, Part, PartProps, headingOf } from "./pieces";

export function PerNode({ store }: PartProps) {
    const { model } = store;
    const nodes = model.head.nodes ?? [];
    const [n, setN] = useState(2 * N_TOP);
    return (
        <Part id="per-node" title={headingOf(model, "per_node")}>
            <table class="figures">
                <thead><tr>{["Node", "Processes", "Computation", "MPI", "Waiting", "of time"].map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
                <tbody>
                    {nodes.slice(0, n).map((node, i) => (
                        <tr key={i}>
                            <th scope="row">{node.name}</th>
                            <td>{node.processes}</td>
                            {[node.computation, node.mpi, node.waiting].map((value, column) => <td key={column}>{seconds(value)}</td>)}
                            <td>{percent(node.waiting / node.time)} %</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            <More n={nodes.length - n} what="node" onClick={() => setN(nodes.length)} />
        </Part>
    );
}
