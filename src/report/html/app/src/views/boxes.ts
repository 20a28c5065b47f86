/* views/boxes.ts: the picture of a topology on three axes: a box per place, by WebGL. */
import {
    BoxGeometry, BufferAttribute, BufferGeometry, Color, ColorManagement, DynamicDrawUsage, EdgesGeometry, InstancedMesh, LinearSRGBColorSpace, LineBasicMaterial,
    LineSegments, Matrix4, MeshBasicMaterial, PerspectiveCamera, Points, PointsMaterial, Raycaster, Scene as World, Spherical, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { pictureOfCanvas, type Picture as SavedPicture } from "../save";
import { BRIGHTNESS, FlatPen, type FlatBox } from "./boxes_flat";
import { h, inks, redrawing } from "./dom";
import { axisTicks } from "./fold";
import { selectedPlaces, type Picture, type PictureEvents, type Scene } from "./heatmap";

export interface BoxesLook {
    gapAxis: number;                                 /* layers along this axis are pulled apart, -1: none */
    gap: number;                                     /* by this many places */
    faint: number;                                   /* opacity of the places below the threshold; 0: they are not drawn */
    layerAxis: number;                               /* only one layer of this axis is shown, -1: all */
    layer: number;
}

const SIDE = 0.86;                                   /* of a box; the distance of places is 1 */
export const GAPLESS_FROM = 8192;                           /* with more places boxes touch, so that only those at the rim need be drawn, and faint ones are points */
const BLOCK_GAP = 0.5;                               /* between the blocks of a folded dimension */
const MARKS_MOST = 2000;
const DEFAULT_VIEW: [number, number] = [0.95, 0.6];  /* polar and azimuthal angle */

let drawable: boolean | undefined;

/* Whether this browser can draw boxes. Asked of it once: browsers have few WebGL contexts. */
export function canDrawBoxes(): boolean {
    if (drawable === undefined) {
        const pen = document.createElement("canvas").getContext("webgl2");
        drawable = pen !== null;
        pen?.getExtension("WEBGL_lose_context")?.loseContext();
    }
    return drawable;
}

interface AxisLabel { axis: number; at: number; isName: boolean; element: HTMLElement }

export class Boxes implements Picture {
    private readonly renderer: WebGLRenderer;
    private readonly world = new World();
    private readonly camera = new PerspectiveCamera(35, 1, 0.1, 100000);
    private readonly controls: OrbitControls;
    private readonly labels = h("div", { class: "v-labels", "aria-hidden": "true" });
    private readonly box = shadedBox();
    private readonly solid: Instances;
    private readonly faint: Instances;
    private readonly cloud: Cloud;
    private readonly marks = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0x000000, depthTest: false }));
    private readonly hover = new LineSegments(new EdgesGeometry(new BoxGeometry(1, 1, 1)), new LineBasicMaterial({ depthTest: false }));
    private readonly frame = new LineSegments(new BufferGeometry(), new LineBasicMaterial());
    private readonly stop: () => void;
    private scene: Scene | null = null;
    private look: BoxesLook | null = null;
    private lines: Float64Array[] = [];              /* per axis where its places are */
    private shape = "";                              /* the sizes that the camera was placed for */
    private told = "";                               /* the camera as text */
    private axisLabels: AxisLabel[] = [];
    private corners: [least: number[], most: number[]] = [[0, 0, 0], [0, 0, 0]];
    private pending = 0;
    private pressed: [number, number] | null = null;

    /* Throws where there is no WebGL. */
    constructor(private readonly host: HTMLElement, private readonly events: PictureEvents, private readonly canvas: HTMLCanvasElement) {
        ColorManagement.enabled = false;
        this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
        this.renderer.outputColorSpace = LinearSRGBColorSpace;
        host.append(canvas, this.labels);
        this.solid = new Instances(this.world, this.box, 1);
        this.faint = new Instances(this.world, this.box, 0.2);
        this.cloud = new Cloud(this.world);
        this.hover.visible = false;
        this.world.add(this.frame, this.marks, this.hover);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.addEventListener("change", () => this.render());
        this.controls.addEventListener("end", () => this.tellView());
        canvas.addEventListener("pointermove", this.move);
        canvas.addEventListener("pointerleave", this.leave);
        canvas.addEventListener("pointerdown", this.down);
        canvas.addEventListener("pointerup", this.up);
        canvas.addEventListener("dblclick", this.reset);
        this.stop = redrawing(host, () => this.resize());
    }

    setLook(look: BoxesLook): void {
        this.look = look;
    }

    draw(scene: Scene): void {
        this.scene = scene;
        const { look } = this;
        const shape = JSON.stringify([scene.cells.size, scene.axes, look!.gapAxis, look!.gap]);
        this.lines = [0, 1, 2].map(axis => Float64Array.from({ length: scene.cells.size[axis] }, (_, i) => this.along(axis, i) * (axis === 1 ? -1 : 1)));
        this.fill(scene, look!);
        this.drawFrame(scene);
        if (this.shape !== shape || this.told !== scene.view) {
            this.placeCamera(scene.view);
            this.shape = shape;
            this.told = scene.view;
        }
        this.resize();
    }

    destroy(): void {
        this.stop();
        cancelAnimationFrame(this.pending);
        this.controls.dispose();
        this.solid.dispose();
        this.faint.dispose();
        this.cloud.dispose();
        for (const lines of [this.marks, this.hover, this.frame]) {
            lines.geometry.dispose();
            lines.material.dispose();
        }
        this.box.dispose();
        this.renderer.dispose();
        this.renderer.forceContextLoss();
        this.canvas.remove();
        this.labels.remove();
    }

    saved(): SavedPicture {
        const paper = h("canvas", { width: this.canvas.width, height: this.canvas.height });
        const draw = (): void => this.drawFlat(paper.getContext("2d")!);
        draw();
        return pictureOfCanvas(paper, draw);
    }

    private drawFlat(pen: CanvasRenderingContext2D): void {
        const flat = new FlatPen(pen, this.camera);
        const { scale, palette, values } = this.scene!;
        const ratio = this.canvas.width / this.host.clientWidth;
        const boxes = ({ places, side }: { places: number[]; side: number }, opacity: number, isPoint: boolean): FlatBox[] => places.map(place =>
            ({ middle: this.position(place), side, colour: palette.rgba[palette.index(scale.fraction(values[place]))], opacity, isPoint }));
        pen.clearRect(0, 0, pen.canvas.width, pen.canvas.height);
        pen.lineWidth = ratio;
        flat.lines(this.frame);
        flat.boxes([...boxes(this.solid, 1, false), ...boxes(this.faint, this.look!.faint, false), ...boxes(this.cloud, this.look!.faint, true)]);
        flat.lines(this.marks);
        const box = this.host.getBoundingClientRect();
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        for (const { element } of this.axisLabels) {
            const { left, top, width, height } = element.getBoundingClientRect();
            const { color, fontSize, fontFamily } = getComputedStyle(element);
            pen.fillStyle = color;
            pen.font = `${parseFloat(fontSize) * ratio}px ${fontFamily}`;
            if (!element.hidden)
                pen.fillText(element.textContent ?? "", (left - box.left + width / 2) * ratio, (top - box.top + height / 2) * ratio);
        }
    }

    /* Turns the picture by angles, or comes nearer (by < 1). */
    turn(polar: number, azimuth: number, by = 1): void {
        const at = new Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
        at.phi = Math.min(Math.PI - 0.05, Math.max(0.05, at.phi + polar));
        at.theta += azimuth;
        at.radius *= by;
        this.camera.position.setFromSpherical(at).add(this.controls.target);
        this.controls.update();
        this.tellView();
    }

    zoom(by: number): void {
        this.turn(0, 0, by);
    }

    /* ---- where things are --------------------------------------------------------------------------------------------- */

    /* The middle of a place. The second axis goes down, as on paper. */
    private position(place: number, to = new Vector3()): Vector3 {
        const [nx, ny] = this.scene!.cells.size;
        return to.set(this.lines[0][place % nx], this.lines[1][Math.floor(place / nx) % ny], this.lines[2][Math.floor(place / (nx * ny))]);
    }

    /* Where place i of an axis is: 1 apart, with gaps between the blocks of a folded axis, and where layers are pulled apart. */
    private along(axis: number, i: number): number {
        const { axes, topology } = this.scene!;
        const { look } = this;
        const dimensions = axes[axis];
        const inner = dimensions.length > 1 ? topology.dimensions[dimensions[dimensions.length - 1]].size : 0;
        return i + (inner > 1 ? Math.floor(i / inner) * BLOCK_GAP : 0) + (look !== null && look.gapAxis === axis ? i * look.gap : 0);
    }

    private far(): Vector3 {
        const [x, y, z] = this.lines.map(line => line[line.length - 1]);
        return new Vector3(x, y, z);
    }

    private fill(scene: Scene, look: BoxesLook): void {
        const { cells, values, scale, palette, threshold } = scene;
        const step = [1, cells.size[0], cells.size[0] * cells.size[1]];
        const solid: number[] = [];
        const faint: number[] = [];
        for (let place = 0; place < cells.n; place++) {
            if (Number.isNaN(values[place]))
                continue;
            if (look.layerAxis >= 0 && Math.floor(place / step[look.layerAxis]) % cells.size[look.layerAxis] !== look.layer)
                continue;
            if (Math.abs(scale.fraction(values[place])) >= threshold)
                solid.push(place);
            else if (look.faint > 0)
                faint.push(place);
        }
        const colour = (place: number): number => palette.rgba[palette.index(scale.fraction(values[place]))];
        const position = (place: number, to: Vector3): Vector3 => this.position(place, to);
        const isLarge = cells.n > GAPLESS_FROM;
        this.solid.fill(isLarge ? this.seen(solid) : solid, isLarge ? 1 : SIDE, position, colour);
        this.faint.fill(faint.length > GAPLESS_FROM ? [] : faint, SIDE, position, colour);
        this.faint.opacity(look.faint);
        this.cloud.fill(faint.length > GAPLESS_FROM ? faint : [], position, colour);
        this.cloud.opacity(look.faint);
        this.mark(scene);
    }

    /* The boxes that are not shut in between six others. */
    private seen(places: number[]): number[] {
        const { size, n } = this.scene!.cells;
        const there = new Uint8Array(n);
        for (const place of places)
            there[place] = 1;
        const step = [1, size[0], size[0] * size[1]];
        const isShut = (place: number, axis: number): boolean => {
            const line = this.lines[axis];
            const i = Math.floor(place / step[axis]) % size[axis];
            return i > 0 && i < size[axis] - 1 && there[place - step[axis]] === 1 && there[place + step[axis]] === 1 && Math.abs(line[i + 1] - line[i - 1]) <= 2;
        };
        return places.filter(place => !(isShut(place, 0) && isShut(place, 1) && isShut(place, 2)));
    }

    private mark(scene: Scene): void {
        const places = selectedPlaces(scene.cells, scene.context).slice(0, MARKS_MOST);
        if (scene.cursor >= 0)
            places.push(scene.cursor);
        const edges = new EdgesGeometry(new BoxGeometry(0.98, 0.98, 0.98)).getAttribute("position").array;
        const points = new Float32Array(places.length * edges.length);
        const middle = new Vector3();
        places.forEach((place, i) => {
            this.position(place, middle);
            for (let e = 0; e < edges.length; e++)
                points[i * edges.length + e] = edges[e] + middle.getComponent(e % 3);
        });
        this.marks.geometry.dispose();
        this.marks.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(points, 3));
        this.marks.material.color.set(inks(scene.context.dark).ink);
        this.hover.material.color.set(inks(scene.context.dark).ink);
    }

    /* The edges of the whole, and the axes' numbers and names. */
    private drawFrame(scene: Scene): void {
        const far = this.far();
        const [x0, y0, z0, x1, y1, z1] = [-0.6, 0.6, -0.6, far.x + 0.6, far.y - 0.6, far.z + 0.6];
        const corners = [0, 1].flatMap(x => [0, 1].flatMap(y => [0, 1].map(z => [x, y, z])));
        const points: number[] = [];
        for (const a of corners) {
            for (const b of corners) {
                if (a < b && a.filter((v, i) => v !== b[i]).length === 1)
                    for (const [x, y, z] of [a, b])
                        points.push(x === 1 ? x1 : x0, y === 1 ? y1 : y0, z === 1 ? z1 : z0);
            }
        }
        this.frame.geometry.dispose();
        this.frame.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
        this.frame.material.color.set(inks(scene.context.dark).faint);

        this.labels.replaceChildren();
        this.axisLabels = [];
        const least = [x0, y1, z0];
        const most = [x1, y0, z1];
        scene.axes.forEach((dimensions, axis) => {
            if (dimensions.length === 0)
                return;
            const name = dimensions.map(d => scene.topology.dimensions[d].name).join(" · ");
            const middle = (least[axis] + most[axis]) / 2;
            this.addLabel({ axis, at: middle, isName: true }, name);
            for (const line of axisTicks(scene.topology, dimensions, scene.cells.size[axis] / 8).slice(-1))
                for (const { at, label } of line.ticks)
                    this.addLabel({ axis, at: (this.lines[axis][at] + this.lines[axis][at + line.step - 1]) / 2, isName: false }, label);
        });
        this.corners = [least, most];
    }

    private addLabel(label: Omit<AxisLabel, "element">, text: string): void {
        const element = h("span", { class: label.isName ? "v-axis-name" : "v-axis-number" }, text);
        this.labels.append(element);
        this.axisLabels.push({ ...label, element });
    }

    /* The numbers stand beside that edge of the whole that is at the rim of the picture: of x and z the lowest, of y the leftmost. */
    private placeLabels(): void {
        const { clientWidth: width, clientHeight: height } = this.host;
        const [least, most] = this.corners;
        const onScreen = (at: number[]): [number, number] => {
            const point = new Vector3(at[0], at[1], at[2]).project(this.camera);
            return [((point.x + 1) / 2) * width, ((1 - point.y) / 2) * height];
        };
        const centre = onScreen(least.map((value, i) => (value + most[i]) / 2));
        const edges = [0, 1, 2].map(axis => {
            const middles = [0, 1, 2, 3].map(bits => {
                const at = least.map((value, i) => (((bits >> (i > axis ? i - 1 : i)) & 1) === 1 ? most[i] : value));
                at[axis] = (least[axis] + most[axis]) / 2;
                return { at, seen: onScreen(at) };
            });
            return middles.reduce((best, one) => (axis === 1 ? one.seen[0] < best.seen[0] : one.seen[1] > best.seen[1]) ? one : best);
        });
        let before: { axis: number; x: number; y: number } | null = null;
        for (const { axis, at, isName, element } of this.axisLabels) {
            const point = edges[axis].at.slice();
            const [ax, ay] = onScreen(point.map((value, i) => (i === axis ? least[axis] : value)));
            const [bx, by] = onScreen(point.map((value, i) => (i === axis ? most[axis] : value)));
            point[axis] = at;
            const [x, y] = onScreen(point);
            const length = Math.hypot(bx - ax, by - ay) || 1;
            const out = (by - ay) * (x - centre[0]) - (bx - ax) * (y - centre[1]) < 0 ? -1 : 1;
            const off = isName ? 30 + 6 * Math.abs((by - ay) / length) : 13;
            const place = { axis, x: x + (out * off * (by - ay)) / length, y: y - (out * off * (bx - ax)) / length };
            element.style.transform = `translate(-50%, -50%) translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`;
            element.hidden = !isName && before !== null && before.axis === axis && Math.abs(before.x - place.x) < 4 + 8 * element.textContent!.length && Math.abs(before.y - place.y) < 13;
            if (!isName && !element.hidden)
                before = place;
        }
    }

    /* ---- the camera --------------------------------------------------------------------------------------------------- */

    /* view: polar angle, azimuth and distance (in radii of the whole), or "". */
    private placeCamera(view: string): void {
        const far = this.far();
        const radius = far.length() / 2 + 1;
        const numbers = view.split("_").map(Number);
        const [polar, azimuth, distance] = numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : [...DEFAULT_VIEW, 3.9];
        this.controls.target.copy(far.multiplyScalar(0.5));
        this.camera.position.setFromSpherical(new Spherical(radius * distance, polar, azimuth)).add(this.controls.target);
        this.camera.near = radius / 100;
        this.camera.far = radius * 50;
        this.camera.updateProjectionMatrix();
        this.controls.update();
    }

    private tellView(): void {
        const at = new Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
        const radius = this.far().length() / 2 + 1;
        this.told = [at.phi, at.theta, at.radius / radius].map(number => number.toFixed(2)).join("_");
        this.events.moved(this.told);
    }

    private readonly reset = (): void => {
        this.placeCamera("");
        this.told = "";
        this.events.moved("");
    };

    private resize(): void {
        const { clientWidth: width, clientHeight: height } = this.host;
        if (width < 8 || height < 8)
            return;
        this.renderer.setPixelRatio(window.devicePixelRatio || 1);
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.paint();
    }

    private render(): void {
        cancelAnimationFrame(this.pending);
        this.pending = requestAnimationFrame(() => this.paint());
    }

    private paint(): void {
        this.renderer.render(this.world, this.camera);
        this.placeLabels();
    }

    /* ---- the pointer -------------------------------------------------------------------------------------------------- */

    private placeAt(event: MouseEvent): number {
        const box = this.canvas.getBoundingClientRect();
        const pointer = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
        const ray = new Raycaster();
        ray.setFromCamera(pointer, this.camera);
        return this.solid.hit(ray, this.lines) ?? this.faint.hit(ray, this.lines) ?? hitOf(this.cloud.places, SIDE, ray, this.lines) ?? -1;
    }

    private readonly move = (event: PointerEvent): void => {
        if (event.buttons !== 0 || this.scene === null)
            return;
        const place = this.placeAt(event);
        this.hover.visible = place >= 0;
        if (place >= 0)
            this.position(place, this.hover.position);
        this.render();
        this.events.hover(place, event.clientX, event.clientY);
    };

    private readonly leave = (): void => {
        this.hover.visible = false;
        this.render();
        this.events.hover(-1, 0, 0);
    };

    private readonly down = (event: PointerEvent): void => {
        this.pressed = event.button === 0 ? [event.clientX, event.clientY] : null;
    };

    private readonly up = (event: PointerEvent): void => {
        const { pressed } = this;
        this.pressed = null;
        if (pressed === null || Math.abs(pressed[0] - event.clientX) + Math.abs(pressed[1] - event.clientY) > 4)
            return;
        const place = this.placeAt(event);
        if (place >= 0)
            this.events.pick(place, event.ctrlKey || event.metaKey || event.shiftKey);
    };
}

/* Boxes of one opacity. */
class Instances {
    private mesh: InstancedMesh<BoxGeometry, MeshBasicMaterial> | null = null;
    private readonly material: MeshBasicMaterial;
    places: number[] = [];
    side = SIDE;

    constructor(private readonly world: World, private readonly box: BoxGeometry, opacity: number) {
        this.material = new MeshBasicMaterial({ vertexColors: true, transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
    }

    opacity(opacity: number): void {
        this.material.opacity = opacity;
    }

    fill(places: number[], side: number, position: (place: number, to: Vector3) => Vector3, rgba: (place: number) => number): void {
        if (this.mesh === null || this.mesh.instanceMatrix.count < places.length) {
            this.drop();
            this.mesh = new InstancedMesh(this.box, this.material, Math.max(1, places.length));
            this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            this.world.add(this.mesh);
        }
        const { mesh } = this;
        const matrix = new Matrix4();
        const at = new Vector3();
        const colour = new Color();
        places.forEach((place, i) => {
            position(place, at);
            mesh.setMatrixAt(i, matrix.makeScale(side, side, side).setPosition(at));
            const number = rgba(place);
            mesh.setColorAt(i, colour.setRGB((number & 255) / 255, ((number >> 8) & 255) / 255, ((number >> 16) & 255) / 255));
        });
        mesh.count = places.length;
        mesh.instanceMatrix.needsUpdate = true;
        if (mesh.instanceColor !== null)
            mesh.instanceColor.needsUpdate = true;
        mesh.computeBoundingSphere();
        this.places = places;
        this.side = side;
    }

    hit(ray: Raycaster, lines: Float64Array[]): number | null {
        return hitOf(this.places, this.side, ray, lines);
    }

    private drop(): void {
        if (this.mesh !== null) {
            this.world.remove(this.mesh);
            this.mesh.dispose();
        }
    }

    dispose(): void {
        this.drop();
        this.material.dispose();
    }
}

/* The nearest of the boxes that the ray meets. lines: per axis where its places are. */
function hitOf(places: number[], side: number, { ray }: Raycaster, lines: Float64Array[]): number | null {
    const from = ray.origin.toArray();
    const along = ray.direction.toArray();
    const [nx, ny] = [lines[0].length, lines[1].length];
    /* per axis and line: where the ray enters and leaves the layer of boxes */
    const layers = lines.map((line, axis) => Float64Array.from({ length: 2 * line.length }, (_, i) => {
        const near = (line[i >> 1] - (side / 2) * Math.sign(along[axis] || 1) - from[axis]) / (along[axis] || 1e-12);
        return (i & 1) === 0 ? near : near + side / Math.abs(along[axis] || 1e-12);
    }));
    let hit: number | null = null;
    let nearest = Infinity;
    for (const place of places) {
        const [x, y, z] = [2 * (place % nx), 2 * (Math.floor(place / nx) % ny), 2 * Math.floor(place / (nx * ny))];
        const enter = Math.max(layers[0][x], layers[1][y], layers[2][z]);
        const leave = Math.min(layers[0][x + 1], layers[1][y + 1], layers[2][z + 1]);
        if (enter <= leave && leave > 0 && enter < nearest) {
            nearest = enter;
            hit = place;
        }
    }
    return hit;
}

/* Points of one opacity. */
class Cloud {
    places: number[] = [];
    readonly side = SIDE;
    private readonly points = new Points(new BufferGeometry(), new PointsMaterial({ size: SIDE, vertexColors: true, transparent: true, depthWrite: false }));

    constructor(world: World) {
        world.add(this.points);
    }

    opacity(opacity: number): void {
        this.points.material.opacity = opacity;
    }

    fill(places: number[], position: (place: number, to: Vector3) => Vector3, rgba: (place: number) => number): void {
        this.places = places;
        this.points.visible = places.length > 0;
        const at = new Vector3();
        const positions = new Float32Array(places.length * 3);
        const colours = new Uint8Array(places.length * 3);
        places.forEach((place, i) => {
            position(place, at).toArray(positions, 3 * i);
            const number = rgba(place);
            colours.set([number & 255, (number >> 8) & 255, (number >> 16) & 255], 3 * i);
        });
        this.points.geometry.dispose();
        this.points.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(positions, 3)).setAttribute("color", new BufferAttribute(colours, 3, true));
    }

    dispose(): void {
        this.points.geometry.dispose();
        this.points.material.dispose();
    }
}

/* A box whose sides are told apart by their brightness, so that no light changes the colours of the scale on the side that faces most. */
function shadedBox(): BoxGeometry {
    const box = new BoxGeometry(1, 1, 1);
    const colours = new Float32Array(BRIGHTNESS.flatMap(brightness => new Array<number>(12).fill(brightness)));
    return box.setAttribute("color", new BufferAttribute(colours, 3)) as BoxGeometry;
}
