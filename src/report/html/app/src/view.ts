/* view.ts: what a view of the system pane is, and what it gets.
 *
 * The pane shows one view at a time: the tree, or one of src/views/index.ts. The page mounts a view into an empty element,
 * calls update() whenever the values, the mode, the selection, the colours or the view's own state change, and destroy()
 * before another takes its place. A view draws what it is given and keeps nothing that is not in `state`, because the state is
 * in the address of the page.
 */
import type { Model } from "./model";
import type { Saved } from "./save";

export interface ViewContext {
    model: Model;
    metric: number;                                  /* the (first) selected metric; its unit is that of the values */
    values: Float64Array;                            /* per location, in the metric's unit; NaN: not known */
    signed: boolean;                                 /* a difference, or values below zero: colours diverge around zero */
    text(value: number): string;                     /* in the metric's unit */
    display(value: number): Display;                 /* in the mode that is chosen: absolute, percent, among peers */
    colour(fraction: number): string;                /* CSS colour; fraction 0 .. 1, if signed -1 .. 1 */
    selectedLocations: Set<number>;
    onSelect(locations: readonly number[], additive: boolean): void;   /* additive: added to those selected, or taken out if all of them are */
    readonly state: Record<string, string>;          /* of this view, as it is now; survives, and is in the address of the page */
    setState(key: string, value: string | null): void;   /* null: forget; calls update() */
    dark: boolean;
}

export interface Display {
    text: string;
    fraction: number;                                /* for colour() */
}

export interface MountedView {
    update(context: ViewContext): void;
    destroy(): void;
}

export interface MountedSystemView extends MountedView {
    saved(): Saved;                                  /* what can be saved of it, as it is shown now */
}

export interface SystemView {
    id: string;                                      /* in the address: letters and digits */
    title: string;
    available(model: Model): boolean;                /* false: is not offered */
    mount(host: HTMLElement, context: ViewContext): MountedSystemView;
}
