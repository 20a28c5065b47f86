/* What build.mjs makes of docs/metrics.md, and of docs/explanations.md. */
declare module "manual" {
    interface Manual {
        sections: { title: string; html: string; whole: string | null }[];
        anchors: Record<string, number>;
    }
    const manuals: { metrics: Manual; explanations: Manual };
    export default manuals;
}

declare module "*.css";
