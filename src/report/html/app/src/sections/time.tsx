/* sections/time.tsx: the section "Time breakdown"; of reports without wait states: call paths and programming interfaces with the most time. */
import { useMemo } from "preact/hooks";
import { withUnit } from "../format";
import { mainMetric } from "../store";
import { Amount, Into, N_TOP, Part, PartProps, Places, SMALL, headingOf } from "./pieces";

/* Names of the report format, in words. */
const PARADIGMS: Record<string, string> = {
    compiler: "the program's functions", user: "regions marked in the program", sampling: "the program's functions (samples)", mpi: "MPI", openmp: "OpenMP",
    pthread: "POSIX threads", shmem: "SHMEM", cuda: "CUDA", opencl: "OpenCL", openacc: "OpenACC", io: "input and output", measurement: "the measurement itself",
    libwrap: "wrapped libraries", memory: "memory management", hip: "HIP", kokkos: "Kokkos", topology: "topologies", none: "unknown", unknown: "unknown",
};

export function TimeBreakdown({ store }: PartProps) {
    const { model } = store;
    const { metrics } = model.head;
    const root = mainMetric(model);
    const whole = metrics[root].total ?? 0;
    const rows: [number, number][] = [];
    const visit = (m: number, depth: number): void => {
        rows.push([m, depth]);
        for (const child of model.metricTree.children(m))
            if (!metrics[child].extreme && metrics[child].unit === metrics[root].unit && Math.abs(metrics[child].total ?? 0) >= SMALL * Math.abs(whole))
                visit(child, depth + 1);
    };
    visit(root, 0);
    return rows.length < 2 ? null : (
        <Part id="time" title={headingOf(model, "time")}>
            <ul class="places tree-like">
                {rows.map(([m, depth]) => (
                    <li key={m}>
                        <Amount text={withUnit(metrics[m].total ?? NaN, metrics[m].unit, metrics[m].integer)} share={(metrics[m].total ?? NaN) / whole} />
                        <span class="what" style={{ paddingLeft: `${depth * 14}px` }}><Into store={store} to={{ metrics: [m] }} title={metrics[m].what}>{metrics[m].name}</Into></span>
                    </li>
                ))}
            </ul>
        </Part>
    );
}

export function HotPaths({ store }: PartProps) {
    const { model } = store;
    const root = mainMetric(model);
    const { unit, name } = model.head.metrics[root];
    if (!/^(sec|s)$/.test(unit))
        return null;
    return (
        <Part id="hot" title={`Call paths with the most ${name.toLowerCase()}`}>
            <p class="lead">Exclusive time, without called functions.</p>
            <Places store={store} metric={root} n={N_TOP} />
        </Part>
    );
}

/* Of a report that does not divide its time: by what the regions belong to. */
export function ByParadigm({ store }: PartProps) {
    const { model } = store;
    const { regions, paths } = model.head;
    const root = mainMetric(model);
    const rows = useMemo(() => {
        const sums = new Map<string, number>();
        model.pathSums(root).forEach((value, p) => {
            const { paradigm } = regions[paths.region[p]];
            sums.set(paradigm, (sums.get(paradigm) ?? 0) + (value || 0));
        });
        return [...sums].filter(([, value]) => value > 0).sort((a, b) => b[1] - a[1]);
    }, [model]);
    const { total, unit, integer, name } = model.head.metrics[root];
    if (rows.length < 2)
        return null;
    return (
        <Part id="paradigms" title={`${name} by programming interface`}>
            <ul class="places">
                {rows.map(([paradigm, value]) => (
                    <li key={paradigm}>
                        <Amount text={withUnit(value, unit, integer)} share={value / (total ?? NaN)} />
                        <span class="what">{PARADIGMS[paradigm] ?? (paradigm || "unknown")}</span>
                    </li>
                ))}
            </ul>
        </Part>
    );
}
