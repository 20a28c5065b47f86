/* sections/tiles.tsx: the answer in a line of numbers. */
import type { ComponentChildren } from "preact";
import { percent, seconds, withUnit } from "../format";
import { waitStates, workMetric } from "../rank";
import { mainMetric } from "../store";
import { Into, PartProps, qualified, together } from "./pieces";

function Tile({ value, what, title }: { value: ComponentChildren; what: ComponentChildren; title?: string }) {
    return <div class="tile" title={title}><b>{value}</b><span>{what}</span></div>;
}

export function Tiles({ store }: PartProps) {
    const { model } = store;
    const { metrics } = model.head;
    const main = metrics[mainMetric(model)];
    const whole = main.total ?? 0;
    const waits = waitStates(model);
    const waiting = waits.reduce((sum, m) => sum + (metrics[m].total ?? 0), 0);
    const critical = metrics[model.metricById("critical_path")]?.total ?? 0;
    const work = workMetric(model);
    const balance = model.head.balance ?? null;
    return (
        <div class="tiles">
            <Tile value={withUnit(whole, main.unit, main.integer)} what={<><Into store={store} to={{ metrics: [mainMetric(model)] }}>{main.name}</Into>, {together(model)}</>} />
            {metrics.some(metric => metric.wait) && <Tile value={`${percent(waiting / whole)} %`} what={waits.length > 0
                ? <>of it in <Into store={store} to={{ metrics: waits }}>wait states</Into>, {seconds(waiting)}</> : "of it in wait states"} />}
            {waits.length > 0 && <Tile value={qualified(model, waits[0])} what={<>the <Into store={store} to={{ metrics: [waits[0]] }}>top wait state</Into>: {percent((metrics[waits[0]].total ?? 0) / whole)} % of the time</>} />}
            {critical > 0 && <Tile value={seconds(critical)} what={<>length of the <Into store={store} to={{ metrics: [model.metricById("critical_path")] }}>critical path</Into></>} />}
            {balance !== null && <Tile value={`${percent(balance.average / balance.value)} %`} what={<>load balance efficiency of the <Into store={store} to={{ metrics: [work] }}>computation</Into></>} />}
        </div>
    );
}
