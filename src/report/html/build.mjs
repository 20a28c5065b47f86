/* build.mjs: makes dist/page.js and dist/page.css of the sources here and of docs/metrics.md, byte for byte the same wherever it runs.
 *
 *   node build.mjs [FOLDER]     FOLDER: where to, instead of dist
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { manualOf } from "./manual.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "dist"));

const manual = {
    name: "manual",
    setup(builder) {
        builder.onResolve({ filter: /^manual$/ }, () => ({ path: "manual", namespace: "manual" }));
        builder.onLoad({ filter: /.*/, namespace: "manual" }, () => ({
            contents: JSON.stringify(manualOf(readFileSync(join(here, "../../../docs/metrics.md"), "utf8"))),
            loader: "json",
        }));
    },
};

/* The licences of what is bundled ask to stand in every copy. */
const licences = ["fflate", "preact"].map(name => `${name}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`);

await build({
    absWorkingDir: here,
    entryPoints: { page: "src/main.tsx" },
    outdir: out,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2021",
    charset: "utf8",
    legalComments: "none",
    banner: { js: `/* This program contains:\n\n${licences.join("\n\n")}\n*/` },
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [manual],
    logLevel: "warning",
});

/* What would end the element of the page that the program stands in, or begin another. */
for (const [file, wrong] of [["page.js", /<\/script|<script|<!--/i], ["page.css", /<\/style/i]])
    if (wrong.test(readFileSync(join(out, file), "utf8")))
        throw new Error(`${file} cannot stand inside a page: it contains ${wrong}`);
