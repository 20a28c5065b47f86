/* views/index.ts: the views of the system pane besides the tree, in the order in which they are offered; the page of runs of several
 * sizes; the timeline excerpt of an instance. */
import { h, render } from "preact";
import type { Head } from "../model";
import type { SystemView } from "../view";
import { barsView } from "./bars";
import { boxPlotView } from "./boxplot";
import type { ScalingHead } from "./scaling";
import { ScalingPage } from "./scaling_page";
import { topologyView } from "./topology";
import "uplot/dist/uPlot.min.css";
import "./views.css";

export const systemViews: SystemView[] = [topologyView, barsView, boxPlotView];

/* Shows a head of kind "scaling" in an empty element. */
export function scalingPage(host: HTMLElement, head: Head): void {
    render(h(ScalingPage, { head: head as unknown as ScalingHead }), host);
}

export { timelineView, type PathLink } from "./timeline";
