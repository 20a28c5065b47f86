/* sections/predictions.tsx: the section "Predictions": run times under hypotheses, advice, and curves of the run time over what is removed. */
import { useState } from "preact/hooks";
import { percent, seconds } from "../format";
import type { Model, Prediction, PredictedRun, Predictions as All } from "../model";
import { More, N_TOP, Part, PartProps, headingOf } from "./pieces";

const LEAST_SHARE = 0.0005;     /* of the run time, that a candidate saves to be named unasked */
const LEAST_RANGE = 0.01;       /* of the run time, that curves show */
const WIDTH = 280, HEIGHT = 150, LEFT = 58, RIGHT = 12, TOP = 8, BOTTOM = 24;       /* [pixels] of a curve */

function Rows({ all, rows, hasPromise, isSummed = false }: { all: All; rows: Prediction[]; hasPromise: boolean; isSummed?: boolean }) {
    const heads = ["Hypothesis", "run time", "saved", "of run time", ...(hasPromise ? ["delay costs promise"] : [])];
    return (
        <table class="figures">
            <thead><tr>{heads.map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
            <tbody>
                {rows.map((row, i) => (
                    <tr key={i}>
                        <th scope="row">{isSummed && i > 0 && "+ "}{row.text}{row.is_bound === true && <small> (bound)</small>}</th>
                        <td>{seconds(row.run_time)}</td>
                        <td>{seconds(row.saved)}</td>
                        <td>{percent(row.saved / all.run_time)} %</td>
                        {hasPromise && <td>{row.promised == null ? "\u2013" : seconds(row.promised)}</td>}
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

function Wait({ when, run, nLocations }: { when: string; run: PredictedRun; nLocations: number }) {
    return run.waits_at === null ? <p>{when} no process waits in calls.</p> : (
        <p>{when} most waiting: {seconds(run.waiting)} ({percent(run.waiting / (run.run_time * nLocations))} % of all time)
            in <code>{run.waits_at}</code></p>
    );
}

function Advice({ model, all }: { model: Model; all: All }) {
    const [n, setN] = useState(Math.min(2 * N_TOP, all.candidates.filter(row => row.saved >= LEAST_SHARE * all.run_time).length));
    const last = all.advice[all.advice.length - 1];
    return (
        <>
            <p class="lead">Advice: what to change first, each step together with those above</p>
            {last === undefined ? <p>No balanced region and no barrier left out saves 1 % of the run time.</p> : <Rows all={all} rows={all.advice} hasPromise isSummed />}
            <Wait when="Recorded:" run={all} nLocations={model.nLocations} />
            {last !== undefined && <Wait when="Then:" run={last} nLocations={model.nLocations} />}
            <p class="lead">Each alone{n === 0 && all.candidates.length > 0 && ": none saves 0.05 % of the run time."}</p>
            {n > 0 && <Rows all={all} rows={all.candidates.slice(0, n)} hasPromise />}
            <More n={all.candidates.length - n} what="candidate" onClick={() => setN(all.candidates.length)} />
        </>
    );
}

/* All curves have one scale. */
function Curves({ all }: { all: All }) {
    const times = all.curves.flatMap(curve => curve.points.map(point => point.run_time));
    const most = Math.max(...times), least = Math.min(...times, (1 - LEAST_RANGE) * most);
    const x = (removed: number): number => LEFT + (WIDTH - LEFT - RIGHT) * removed / 100;
    const y = (time: number): number => TOP + (HEIGHT - TOP - BOTTOM) * (most - time) / (most - least);
    return (
        <>
            <p class="lead">Run time when computation is removed</p>
            <div class="curves">
                {all.curves.map((curve, i) => {
                    const next = curve.flat_from === null ? "" : `flat from ${curve.flat_from} %${curve.next === null ? "" : `; then ${curve.next}`}`;
                    return (
                        <figure key={i}>
                            <figcaption>{curve.text}</figcaption>
                            <svg class="v-svg" width={WIDTH} height={HEIGHT} role="img"
                                aria-label={`${curve.text}: ${curve.points.map(point => `${point.removed} % removed: ${seconds(point.run_time)}`).join(", ")}`}>
                                <line class="v-axis" x1={LEFT} x2={LEFT} y1={TOP} y2={HEIGHT - BOTTOM} />
                                <line class="v-axis" x1={LEFT} x2={WIDTH - RIGHT} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
                                <text x={LEFT - 4} y={TOP + 8} text-anchor="end">{seconds(most)}</text>
                                <text x={LEFT - 4} y={HEIGHT - BOTTOM} text-anchor="end">{seconds(least)}</text>
                                <text x={LEFT} y={HEIGHT - 8}>0 %</text>
                                <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 8} text-anchor="middle">removed</text>
                                <text x={WIDTH - RIGHT} y={HEIGHT - 8} text-anchor="end">100 %</text>
                                <polyline class="curve-line" points={curve.points.map(point => `${x(point.removed)},${y(point.run_time)}`).join(" ")} />
                                {curve.points.map((point, k) => (
                                    <circle key={k} class="curve-point" cx={x(point.removed)} cy={y(point.run_time)} r={3}>
                                        <title>{point.removed} % removed: {seconds(point.run_time)}</title>
                                    </circle>
                                ))}
                            </svg>
                            <small>{next}</small>
                        </figure>
                    );
                })}
            </div>
        </>
    );
}

export function Predictions({ store }: PartProps) {
    const { model } = store;
    const all = model.head.predictions!;
    return (
        <Part id="predictions" title={headingOf(model, "predictions")}>
            <p>Recorded run time: {seconds(all.run_time)}. What is below was simulated: new times of all calls, with something changed.</p>
            {all.hypotheses.length > 0 && <Rows all={all} rows={all.hypotheses} hasPromise={false} />}
            {all.candidates.length + all.advice.length > 0 && <Advice model={model} all={all} />}
            {all.curves.length > 0 && <Curves all={all} />}
        </Part>
    );
}
