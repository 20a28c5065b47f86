/* series_model.ts: time series as they stand in the head of the page: waiting time, computation, counters and counts over windows
 * or iterations. */

export interface Series {
    region: string | null;                      /* of the iterations; null: windows */
    found?: boolean;                            /* each iteration begins with the call that region names, */
    ends?: boolean;                             /* or ends with it */
    clusters?: Cluster[];                       /* of iterations that are alike; of windows there are none */
    n: number;                                  /* windows or iterations */
    slice: number;                              /* how many of them neighbours in the report are put together */
    processes: number;
    block: number;                              /* processes of a row */
    rows: number;
    columns: [first: number, last: number, from: number, to: number][];      /* windows or iterations, from 1; seconds */
    metrics: SeriesMetric[];
    counters: SeriesMetric[];                   /* in computation, and ratios */
    counts: SeriesMetric[];                     /* visits, messages and bytes; metrics of the report */
    delays: SeriesMetric[];                     /* delay costs, of the processes that delay; likewise, with their sums (delay_sums.ts) */
    paths?: SeriesPath[] | null;                /* null: the report has no sums by call path */
}

/* Nanoseconds of all processes in a wait state (delay costs, ...), or what they counted, at a call path, which stands for those below it that are not there, from a column on. */
export type SeriesPath = [metric: string, path: number, column: number, ...values: number[]];

/* which: "1-4,6"; [s] means of an iteration. Those with the same number of calls make the same calls. */
export interface Cluster { calls: number; iterations: number; first: number; typical: number; duration: number; waiting: number; which: string }

export interface SeriesMetric {
    id: string;
    name: string;
    words: string;                              /* the verdict over iterations; "": none */
    worst: number;                              /* iteration, from 1; 0: none */
    values: number[];                           /* [rows][columns] nanoseconds; of a counter, or a count, what was counted */
    unit?: string;                              /* of these, or a ratio of two counters: factor · values / per */
    per?: number[];
    factor?: number;
    parts?: number;                             /* it is a sum of so many */
}
