/* views/boxes.ts: the picture of a topology on three axes: a box per place, by WebGL. */
import {
    BoxGeometry, BufferAttribute, BufferGeometry, Color, ColorManagement, DynamicDrawUsage, EdgesGeometry, InstancedMesh, LinearSRGBColorSpace, LineBasicMaterial,
    LineSegments, Matrix4, MeshBasicMaterial, PerspectiveCamera, Raycaster, Scene as World, Spherical, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
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
const BLOCK_GAP = 0.5;                               /* between the blocks of a folded dimension */
const MARKS_MOST = 2000;
const DEFAULT_VIEW: [number, number] = [0.95, 0.6];  /* polar and azimuthal angle */

/* Whether this browser can draw boxes. */
export function canDrawBoxes(): boolean {
    try {
        return document.createElement("canvas").getContext("webgl2") !== null;
    } catch {
        return false;
    }
}

export class Boxes implements Picture {
    private readonly renderer: WebGLRenderer;
    private readonly world = new World();
    private readonly camera = new PerspectiveCamera(35, 1, 0.1, 100000);
    private readonly controls: OrbitControls;
    private readonly labels = h("div", { class: "v-labels", "aria-hidden": "true" });
    private readonly box = shadedBox();
    private readonly solid: Instances;
    private readonly faint: Instances;
    private readonly marks = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0x000000, depthTest: false }));
    private readonly hover = new LineSegments(new EdgesGeometry(new BoxGeometry(1, 1, 1)), new LineBasicMaterial({ depthTest: false }));
    private readonly frame = new LineSegments(new BufferGeometry(), new LineBasicMaterial());
    private readonly stop: () => void;
    private scene: Scene | null = null;
    private look: BoxesLook | null = null;
    private shape = "";                              /* the sizes that the camera was placed for */
    private axisLabels: { at: Vector3; element: HTMLElement }[] = [];
    private pending = 0;
    private pressed: [number, number] | null = null;

    /* Throws where there is no WebGL. view: the state that moved() told last, or "". */
    constructor(private readonly host: HTMLElement, private readonly events: PictureEvents, private view: string, private readonly canvas: HTMLCanvasElement) {
        ColorManagement.enabled = false;
        this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
        this.renderer.outputColorSpace = LinearSRGBColorSpace;
        host.append(canvas, this.labels);
        this.solid = new Instances(this.world, this.box, 1);
        this.faint = new Instances(this.world, this.box, 0.2);
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
        const { size } = scene.cells;
        const { look } = this;
        const shape = JSON.stringify([size, scene.axes, look?.gapAxis, look?.gap]);
        this.fill(scene, look!);
        this.drawFrame(scene);
        if (this.shape !== shape) {
            this.placeCamera(this.shape === "" ? this.view : "");
            this.shape = shape;
        }
        this.resize();
    }

    destroy(): void {
        this.stop();
        cancelAnimationFrame(this.pending);
        this.controls.dispose();
        this.solid.dispose();
        this.faint.dispose();
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
        const { size } = this.scene!.cells;
        const x = place % size[0];
        const y = Math.floor(place / size[0]) % size[1];
        const z = Math.floor(place / (size[0] * size[1]));
        return to.set(this.along(0, x), -this.along(1, y), this.along(2, z));
    }

    private along(axis: number, i: number): number {
        const { axes, topology } = this.scene!;
        const { look } = this;
        const dimensions = axes[axis];
        const inner = dimensions.length > 1 ? topology.dimensions[dimensions[dimensions.length - 1]].size : 0;
        return i + (inner > 1 ? Math.floor(i / inner) * BLOCK_GAP : 0) + (look !== null && look.gapAxis === axis ? i * look.gap : 0);
    }

    private far(): Vector3 {
        const { size } = this.scene!.cells;
        return new Vector3(this.along(0, size[0] - 1), -this.along(1, size[1] - 1), this.along(2, size[2] - 1));
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
        this.solid.fill(solid, position, colour);
        this.faint.fill(faint, position, colour);
        this.faint.opacity(look.faint);
        this.mark(scene);
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

        const edge = Math.max(far.x - 0, -far.y, far.z) * 0.04 + 1;
        const places: [number, (at: number) => Vector3, Vector3][] = [
            [0, at => new Vector3(at, y1 - edge * 0.5, z1 + edge * 0.5), new Vector3(far.x / 2, y1 - edge * 2, z1 + edge * 1.5)],
            [1, at => new Vector3(x0 - edge, -at, z1), new Vector3(x0 - edge * 3, far.y / 2, z1)],
            [2, at => new Vector3(x1 + edge, y1 - edge * 0.3, at), new Vector3(x1 + edge * 3, y1 - edge, far.z / 2)],
        ];
        this.labels.replaceChildren();
        this.axisLabels = [];
        for (const [axis, where, middle] of places) {
            const dimensions = scene.axes[axis];
            if (dimensions.length === 0)
                continue;
            const names = dimensions.map(d => scene.topology.dimensions[d].name).join(" · ");
            this.addLabel(middle, names, "v-axis-name");
            for (const line of axisTicks(scene.topology, dimensions, scene.cells.size[axis] / 8).slice(-1))
                for (const { at, label } of line.ticks)
                    this.addLabel(where((this.along(axis, at) + this.along(axis, at + line.step - 1)) / 2), label, "v-axis-number");
        }
    }

    private addLabel(at: Vector3, text: string, className: string): void {
        const element = h("span", { class: className }, text);
        this.labels.append(element);
        this.axisLabels.push({ at, element });
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
        this.events.moved([at.phi, at.theta, at.radius / radius].map(number => number.toFixed(2)).join("_"));
    }

    private readonly reset = (): void => {
        this.placeCamera("");
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
        const { clientWidth: width, clientHeight: height } = this.host;
        const at = new Vector3();
        for (const label of this.axisLabels) {
            at.copy(label.at).project(this.camera);
            label.element.style.transform = `translate(-50%, -50%) translate(${(((at.x + 1) / 2) * width).toFixed(1)}px, ${(((1 - at.y) / 2) * height).toFixed(1)}px)`;
            label.element.hidden = at.z > 1;
        }
    }

    /* ---- the pointer -------------------------------------------------------------------------------------------------- */

    private placeAt(event: MouseEvent): number {
        const box = this.canvas.getBoundingClientRect();
        const pointer = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
        const ray = new Raycaster();
        ray.setFromCamera(pointer, this.camera);
        return this.solid.hit(ray) ?? this.faint.hit(ray) ?? -1;
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
    private places: number[] = [];

    constructor(private readonly world: World, private readonly box: BoxGeometry, opacity: number) {
        this.material = new MeshBasicMaterial({ vertexColors: true, transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
    }

    opacity(opacity: number): void {
        this.material.opacity = opacity;
    }

    fill(places: number[], position: (place: number, to: Vector3) => Vector3, rgba: (place: number) => number): void {
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
            mesh.setMatrixAt(i, matrix.makeTranslation(at));
            const number = rgba(place);
            mesh.setColorAt(i, colour.setRGB((number & 255) / 255, ((number >> 8) & 255) / 255, ((number >> 16) & 255) / 255));
        });
        mesh.count = places.length;
        mesh.instanceMatrix.needsUpdate = true;
        if (mesh.instanceColor !== null)
            mesh.instanceColor.needsUpdate = true;
        mesh.computeBoundingSphere();
        this.places = places;
    }

    hit(ray: Raycaster): number | null {
        const id = this.mesh === null || this.mesh.count === 0 ? undefined : ray.intersectObject(this.mesh)[0]?.instanceId;
        return id === undefined ? null : this.places[id];
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

/* A box whose sides are told apart by their brightness, so that no light changes the colours of the scale on the side that faces most. */
function shadedBox(): BoxGeometry {
    const box = new BoxGeometry(SIDE, SIDE, SIDE);
    const side = [0.82, 0.82, 1, 0.7, 0.92, 0.75];   /* +x -x +y -y +z -z */
    const colours = new Float32Array(side.flatMap(brightness => new Array<number>(12).fill(brightness)));
    return box.setAttribute("color", new BufferAttribute(colours, 3)) as BoxGeometry;
}
