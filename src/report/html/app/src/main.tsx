/* main.tsx: reads the report out of the page and shows it. */
import "./page.css";
import { render } from "preact";
import { App } from "./app";
import { besideFolder } from "./beside";
import { shownTitle } from "./format";
import { Head, Model, elementText, readHead } from "./model";
import { Reference } from "./reference";
import { Store } from "./store";
import { scalingPage } from "./views/index";

function Failure({ text }: { text: string }) {
    return <main class="failure"><h1>This report cannot be shown</h1><p>{text}</p></main>;
}

function start(): void {
    const host = document.createElement("div");
    host.id = "page";
    document.body.append(host);
    let head: Head;
    try {
        head = readHead(elementText("heddle-head"));
        document.title = `${head.kind === "scaling" ? head.title : shownTitle(head.title, head.attributes)} \u2013 Heddle`;
        if (head.kind === "scaling") {
            host.className = "scaling";
            scalingPage(host, head);
            return;
        }
        const beside = besideFolder(head.beside);
        const reference = head.reference === undefined ? null : new Reference(head, elementText, beside);
        render(<App store={new Store(new Model(head, elementText, beside), reference)} />, host);
    } catch (error) {
        render(<Failure text={error instanceof Error ? error.message : String(error)} />, host);
        throw error;
    }
}

if (document.readyState === "loading")
    document.addEventListener("DOMContentLoaded", start);
else
    start();
