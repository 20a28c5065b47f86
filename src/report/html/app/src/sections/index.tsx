/* sections/index.tsx: the sections of the overview, in the order in which they are shown.
 *
 * A new section is one file with a component, and one row here. What it needs beside metrics, call paths and system stands in the page's head
 * (page_data of page_head.c, Head of model.ts).
 */
import type { ComponentType } from "preact";
import type { Model } from "../model";
import { plural } from "../format";
import { About } from "./about";
import { LoadBalance } from "./balance";
import { Why } from "./causes";
import { Changes } from "./changes";
import { Counters, hasCounters } from "./counters";
import { Critical } from "./critical";
import { Efficiencies } from "./efficiencies";
import { Files } from "./files";
import { Caution, Findings } from "./findings";
import { WaitInstances } from "./instances";
import { Communication } from "./matrix";
import { OverTime } from "./over_time";
import { PerNode } from "./per_node";
import type { PartProps } from "./pieces";
import { Predictions } from "./predictions";
import { Startup } from "./startup";
import { Tiles } from "./tiles";
import { ByParadigm, HotPaths, TimeBreakdown } from "./time";
import { Tracks } from "./tracks";
import { Unfinished } from "./unfinished";
import { WaitStates } from "./waits";

export interface Section {
    place: "top" | "left" | "right" | "shorter" | "bottom";     /* shorter: below the shorter one of the columns left and right */
    isShown(model: Model): boolean;
    View: ComponentType<PartProps>;         /* shows nothing where the report has no data for it */
}

const always = (): boolean => true;
const isEmpty = (model: Model): boolean => model.nMetrics === 0 || model.nPaths === 0;
const isDifference = (model: Model): boolean => !isEmpty(model) && model.head.kind === "difference";
const isReport = (model: Model): boolean => !isEmpty(model) && model.head.kind === "report";
const hasWaits = (model: Model): boolean => isReport(model) && model.head.metrics.some(metric => metric.wait);
const hasSeveralNodes = (model: Model): boolean => isReport(model) && (model.head.nodes ?? []).length > 1;
const hasMatrix = (model: Model): boolean => isReport(model) && model.hasMatrix();
const hasFiles = (model: Model): boolean => isReport(model) && (model.head.files?.n ?? 0) > 0;
const hasPredictions = (model: Model): boolean => isReport(model) && model.head.predictions != null;
const hasSeries = (model: Model): boolean => isReport(model) && (model.head.series?.windows?.metrics.length ?? 0) > 0;
const hasInstances = (model: Model): boolean => isReport(model) && (model.table("instances") ?? []).length > 0;
const hasTracks = (model: Model): boolean => isReport(model) && model.head.tracks != null;
const hasEfficiencies = (model: Model): boolean => isReport(model) && model.head.efficiencies != null;
const hasNoWaits = (model: Model): boolean => isReport(model) && !hasWaits(model);

function NoValues({ store: { model } }: PartProps) {
    return <p>The report has no values: {plural(model.nMetrics, "metric")}, {plural(model.nPaths, "call path")}.</p>;
}

export const sections: readonly Section[] = [
    { place: "top", isShown: always, View: Startup },
    { place: "top", isShown: isReport, View: Tiles },
    { place: "top", isShown: always, View: Caution },
    { place: "top", isShown: isEmpty, View: NoValues },
    { place: "top", isShown: isDifference, View: Changes },
    { place: "top", isShown: isReport, View: Unfinished },
    { place: "left", isShown: hasEfficiencies, View: Efficiencies },
    { place: "left", isShown: isReport, View: WaitStates },
    { place: "left", isShown: hasNoWaits, View: HotPaths },
    { place: "right", isShown: isReport, View: Why },
    { place: "right", isShown: isReport, View: Critical },
    { place: "right", isShown: isReport, View: LoadBalance },
    { place: "right", isShown: model => isReport(model) && hasCounters(model), View: Counters },
    { place: "right", isShown: hasSeveralNodes, View: PerNode },
    { place: "right", isShown: hasNoWaits, View: ByParadigm },
    { place: "right", isShown: isReport, View: TimeBreakdown },
    { place: "bottom", isShown: hasInstances, View: WaitInstances },
    { place: "bottom", isShown: hasSeries, View: OverTime },
    { place: "bottom", isShown: hasTracks, View: Tracks },
    { place: "shorter", isShown: hasMatrix, View: Communication },
    { place: "bottom", isShown: hasPredictions, View: Predictions },
    { place: "bottom", isShown: hasFiles, View: Files },
    { place: "bottom", isShown: isReport, View: Findings },
    { place: "bottom", isShown: always, View: About },
];
