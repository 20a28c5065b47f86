/* hooks.ts: what several parts of the page wait for. */
import { useEffect, useState } from "preact/hooks";
import type { Model } from "./model";

/* Loads the metrics; true when they are there, a text when one cannot be. */
export function useMetrics(model: Model, metrics: number[]): true | false | string {
    const missing = metrics.filter(metric => model.metricData(metric) === null);
    const [, arrived] = useState(0);
    const [error, setError] = useState<string | null>(null);
    const key = missing.join();
    useEffect(() => {
        if (key === "")
            return;
        let wanted = true;
        Promise.all(missing.map(metric => model.loadMetric(metric))).then(
            () => wanted && arrived(n => n + 1),
            (reason: Error) => wanted && setError(reason.message));
        return () => {
            wanted = false;
        };
    }, [key]);
    return missing.length === 0 ? true : error ?? false;
}

/* ---- one after the other, when the page has nothing else to do ------------------------------------------------------------ */

const queue: (() => void)[] = [];
let isRunning = false;

function run(): void {
    const start = performance.now();
    while (queue.length > 0 && performance.now() - start < 12)
        queue.shift()!();
    isRunning = queue.length > 0;
    if (isRunning)
        setTimeout(run, 0);
}

/* The result of work that is done later; undefined until then. */
export function useLater<T>(work: () => T, inputs: unknown[]): T | undefined {
    const [result, setResult] = useState<T | undefined>(undefined);
    useEffect(() => {
        let wanted = true;
        setResult(undefined);
        queue.push(() => wanted && setResult(() => work()));
        if (!isRunning) {
            isRunning = true;
            setTimeout(run, 0);
        }
        return () => {
            wanted = false;
        };
    }, inputs);
    return result;
}
