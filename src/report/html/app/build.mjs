/* build.mjs: makes dist/page.js and dist/page.css of the sources here and of docs/metrics.md, explanations.md and glossary.md, byte for byte the same wherever it runs.
 *
 *   node build.mjs [FOLDER]     FOLDER: where to, instead of dist
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { explanationsOf, manualOf } from "./manual.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "dist"));

const read = name => readFileSync(join(here, "../../../../docs", name), "utf8");

const manual = {
    name: "manual",
    setup(builder) {
        builder.onResolve({ filter: /^manual$/ }, () => ({ path: "manual", namespace: "manual" }));
        builder.onLoad({ filter: /.*/, namespace: "manual" }, () => ({
            contents: JSON.stringify({ metrics: manualOf(read("metrics.md")), explanations: explanationsOf(read("explanations.md"), read("glossary.md")) }),
            loader: "json",
        }));
    },
};

const { outputFiles, metafile } = await build({
    absWorkingDir: here,
    entryPoints: { page: "src/main.tsx" },
    outdir: out,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2021",
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [manual],
    logLevel: "warning",
    metafile: true,
    write: false,
});

/* The licences of what is bundled ask to stand in every copy. */
function licencesOf(output) {
    const files = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
    const packages = new Set(files.map(file => /(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]).filter(name => name !== undefined));
    const texts = [...packages].sort().map(name => `${name}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").replaceAll("\r", "").trim()}`);
    return `/* This program contains:\n\n${texts.join("\n\n").replaceAll("*/", "* /")}\n*/\n`;
}

mkdirSync(out, { recursive: true });
for (const { path, text } of outputFiles) {
    const output = Object.entries(metafile.outputs).find(([file]) => basename(file) === basename(path))[1];
    writeFileSync(path, path.endsWith(".js") ? licencesOf(output) + text : text);
}

/* What would end the element of the page that the program stands in, or begin another. */
for (const [file, wrong] of [["page.js", /<\/script|<script|<!--/i], ["page.css", /<\/style/i]])
    if (wrong.test(readFileSync(join(out, file), "utf8")))
        throw new Error(`${file} cannot stand inside a page: it contains ${wrong}`);
