/* views/index.ts: the views of the system pane besides the tree, in the order in which they are offered; the page of runs of several
 * sizes; the picture of an instance. */
import { h, render } from "preact";
import type { Head, Model } from "../model";
import type { MountedView, SystemView } from "../view";
import { barsView } from "./bars";
import { boxPlotView } from "./boxplot";
import { instancePicture as picture } from "./instance_picture";
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

/* Draws what the processes did around an instance of tables.instances (its column `instance`) into an empty element.
 * null: the report does not say. The colours are those of the page, dark or light, by themselves. */
export function instancePicture(host: HTMLElement, model: Model, instance: number, _dark: boolean): MountedView | null {
    return picture(host, model, instance);
}
