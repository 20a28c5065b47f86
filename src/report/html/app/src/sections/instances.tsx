/* sections/instances.tsx: the section "Wait-state instances": timelines of the most severe ones of each wait state, side by side. */
import { useMemo, useState } from "preact/hooks";
import { Instance, instancesOf } from "../instances";
import { waitStates } from "../rank";
import type { Store } from "../store";
import { Into, More, N_TOP, Part, PartProps, headingOf, qualified } from "./pieces";

const N_MORE_INSTANCES = 20;

function Of({ store, metric }: { store: Store; metric: number }) {
    const { model } = store;
    const { id } = model.head.metrics[metric];
    const instances = instancesOf(model, id);
    const [n, setN] = useState(1);
    return (
        <li data-instances={id}>
            <h3><Into store={store} to={{ metrics: [metric] }}>{qualified(model, metric)}</Into></h3>
            {instances.slice(0, n).map(row => <Instance key={row.instance} store={store} row={row} />)}
            <More n={instances.length - n} what="instance" onClick={() => setN(n + N_MORE_INSTANCES)} />
        </li>
    );
}

export function WaitInstances({ store }: PartProps) {
    const { model } = store;
    const [n, setN] = useState(N_TOP);
    const all = useMemo(() => waitStates(model).filter(metric => instancesOf(model, model.head.metrics[metric].id).length > 0), [model]);
    return (
        <Part id="instances" title={headingOf(model, "instances")}>
            <p class="lead">The most severe one of each wait state.</p>
            <ol class="instances">{all.slice(0, n).map(metric => <Of key={metric} store={store} metric={metric} />)}</ol>
            <More n={all.length - n} what="wait state" onClick={() => setN(all.length)} />
        </Part>
    );
}
