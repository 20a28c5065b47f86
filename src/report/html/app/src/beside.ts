/* beside.ts: the values of metrics that are in the folder beside the page. */
import type { BesideSource } from "./model";

/* Loads files of metrics from the folder beside the page, each once. */
export function besideFolder(folder: string | null): BesideSource {
    const wanted = new Map<number, (text: string) => void>();
    (globalThis as unknown as Record<string, unknown>).heddleMetric = (metric: number, holder: () => void) => {
        const source = holder.toString();            /* the text stands in a comment: see docs/formats.md */
        wanted.get(metric)?.(source.slice(source.indexOf("/*") + 2, source.lastIndexOf("*/")));
    };
    return metric => new Promise((resolve, reject) => {
        const name = `metric-${metric}.js`;
        if (folder === null) {
            reject(new Error(`the page does not hold the values of metric ${metric}`));
            return;
        }
        wanted.set(metric, resolve);
        const script = document.createElement("script");
        script.src = `${folder.split("/").map(encodeURIComponent).join("/")}/${name}`;
        script.onerror = () => reject(new Error(`cannot read "${folder}/${name}": the folder belongs beside the page`));
        document.head.append(script);
    });
}
