/* views/plot.ts: a plot of uPlot as a picture that can be saved. What uPlot draws itself from a Path2D is not in it: views draw their lines and bars in hooks. */
import type uPlot from "uplot";
import { pictureOfCanvas, type Picture } from "../save";

export function pictureOfPlot(plot: uPlot): Picture {
    return pictureOfCanvas(plot.ctx.canvas, () => plot.batch(() => plot.redraw(false, false)));      /* in a batch it is drawn at once */
}
