/* What build.mjs makes of docs/metrics.md. */
declare module "manual" {
    const manual: { sections: { title: string; html: string; whole: string | null }[]; anchors: Record<string, number> };
    export default manual;
}

declare module "*.css";
