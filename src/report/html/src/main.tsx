import "./page.css";
import { readHead, elementText, besideFolder, Model } from "./model";
import manual from "manual";
const head = readHead(elementText("heddle-head"));
const model = new Model(head, elementText, besideFolder(head.beside));
document.title = head.title + model.nPaths + Object.keys(manual.anchors).length;
