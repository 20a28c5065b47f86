/* views/index.ts: the views of the system pane besides the tree, in the order in which they are offered; the page of a scaling
 * study; the picture of an instance. */
import type { Head, Model } from "../model";
import type { MountedView, SystemView } from "../view";

export const systemViews: SystemView[] = [];

/* Shows a head of kind "scaling" in an empty element. */
export function scalingPage(host: HTMLElement, head: Head): void {
    host.textContent = head.title;
}

/* Draws what the processes did around an instance of tables.instances (its column `instance`) into an empty element.
 * null: the report does not say. */
export function instancePicture(_host: HTMLElement, _model: Model, _instance: number, _dark: boolean): MountedView | null {
    return null;
}
