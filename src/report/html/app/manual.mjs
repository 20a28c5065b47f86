/* manual.mjs: docs/metrics.md as the explanations that the page shows.
 *
 * manualOf(markdown) = { sections: [{ title, html, whole }], anchors: { id: section } }
 *
 * A section is what stands between two headings. An anchor above a heading is that section; one in a row of a table, in an
 * item of a list or in a paragraph gets a section of its own: that row, item or paragraph, and `whole` is an anchor of what it is of.
 */
import { Marked } from "marked";

const ANCHOR = /<a id="([^"]+)"><\/a>/g;

const anchorsIn = text => [...text.matchAll(ANCHOR)].map(match => match[1]);

const escape = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/* Links inside the manual stay; what stands in other files is text here. */
const marked = new Marked({
    renderer: {
        link({ href, tokens }) {
            const text = this.parser.parseInline(tokens);
            return href.startsWith("#") ? `<a href="${escape(href)}">${text}</a>` : text;
        },
    },
});

const render = tokens => marked.parser(tokens).replace(ANCHOR, "").trim();

const titleOf = heading => heading.text.replace(ANCHOR, "").replace(/`/g, "");

/* What a heading is called in links that do not name an anchor. */
const slug = title => title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replace(/ /g, "-");

export function manualOf(markdown) {
    const sections = [], anchors = {};
    let heading = null, body = [], pending = [];

    const add = (ids, html, isPart) => {
        for (const id of ids)
            anchors[id] ??= sections.length;
        sections.push({ title: titleOf(heading), html, whole: isPart ? heading.ids[0] : null });
    };
    const end = () => {
        const html = heading !== null ? render(body) : "";
        if (html !== "") {
            add(heading.ids, html, false);
            body.forEach((token, i) => addParts((ids, tokens) => add(ids, render(tokens), true), token, body, i));
        }
        body = [];
    };
    for (const token of marked.lexer(markdown)) {
        const ids = anchorsIn(token.raw);
        if (token.type === "heading") {
            end();
            heading = { ...token, ids: [...pending, ...ids, slug(titleOf(token))] };
            pending = [];
        } else if (ids.length > 0 && token.raw.replace(ANCHOR, "").trim() === "")
            pending.push(...ids);
        else
            body.push(token);
    }
    end();
    return { sections, anchors };
}

/* docs/explanations.md in the same form: links to metrics.md are links of the manual, sources are given in full as docs/glossary.md has them. */
export function explanationsOf(markdown, glossary) {
    const sources = new Map([...glossary.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name, text]) => [name.trim(), text.trim()]));
    return manualOf(markdown.replaceAll("](metrics.md#", "](#")
        .replace(/\[([^\]]+)\]\(glossary\.md#sources\)/g, (_, name) => `${name}: ${sources.get(name)}`));
}

function addParts(add, token, body, i) {
    if (token.type === "table")
        for (const row of token.rows) {
            const ids = anchorsIn(row.map(cell => cell.text).join(" "));
            if (ids.length > 0)
                add(ids, [...introduction(body, i), { ...token, rows: [row] }]);
        }
    else if (token.type === "list")
        for (const item of token.items) {
            const ids = anchorsIn(item.raw);
            if (ids.length > 0)
                add(ids, [{ ...token, items: [item] }]);
        }
    else if (token.type === "paragraph") {
        const ids = anchorsIn(token.raw);
        if (ids.length > 0)
            add(ids, [token]);
    }
}

/* The paragraph above a table, if there is one. */
function introduction(body, table) {
    for (let i = table - 1; i >= 0 && i >= table - 2; i--)
        if (body[i].type === "paragraph")
            return [body[i]];
    return [];
}
