/* views/boxes_flat.ts: boxes, points and lines of a view on three axes, drawn on two: what is farther is drawn first. For pictures that are saved. */
import { Vector3, type BufferGeometry, type LineBasicMaterial, type LineSegments, type PerspectiveCamera } from "three";

/* Of a place; colour: 0xAABBGGRR. */
export interface FlatBox { middle: Vector3; side: number; colour: number; opacity: number; isPoint: boolean }

/* How bright the sides of a box are, so that they are told apart: +x -x +y -y +z -z. */
export const BRIGHTNESS = [0.82, 0.82, 1, 0.7, 0.92, 0.75];

export class FlatPen {
    constructor(private readonly pen: CanvasRenderingContext2D, private readonly camera: PerspectiveCamera) {}

    /* [pixels of the canvas]; null: behind the camera. */
    private onPaper(point: Vector3): [number, number] | null {
        const seen = point.clone().applyMatrix4(this.camera.matrixWorldInverse);
        if (seen.z > -this.camera.near)
            return null;
        seen.applyMatrix4(this.camera.projectionMatrix);
        return [((seen.x + 1) / 2) * this.pen.canvas.width, ((1 - seen.y) / 2) * this.pen.canvas.height];
    }

    /* Boxes of one size in the places of a grid: none hides another that is nearer in the sum of squares. */
    boxes(boxes: readonly FlatBox[]): void {
        const distances = new Map(boxes.map(box => [box, box.middle.distanceToSquared(this.camera.position)]));
        for (const box of [...boxes].sort((a, b) => distances.get(b)! - distances.get(a)!)) {
            this.pen.globalAlpha = box.opacity;
            if (box.isPoint)
                this.point(box);
            else
                for (let side = 0; side < 6; side++)
                    this.side(box, side);
        }
        this.pen.globalAlpha = 1;
    }

    private point({ middle, side, colour }: FlatBox): void {
        const place = this.onPaper(middle);
        const distance = middle.distanceTo(this.camera.position);
        const size = (side * this.pen.canvas.height * this.camera.projectionMatrix.elements[5]) / (2 * distance);
        this.pen.fillStyle = css(colour, 1);
        if (place !== null)
            this.pen.fillRect(place[0] - size / 2, place[1] - size / 2, size, size);
    }

    /* Where the camera sees it: from outside. */
    private side({ middle, side: length, colour }: FlatBox, side: number): void {
        const axis = side >> 1, sign = (side & 1) === 0 ? 1 : -1, half = length / 2;
        if (sign * (this.camera.position.getComponent(axis) - middle.getComponent(axis)) <= half)
            return;
        const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
            const corner = middle.clone();
            corner.setComponent(axis, middle.getComponent(axis) + sign * half);
            corner.setComponent((axis + 1) % 3, middle.getComponent((axis + 1) % 3) + u * half);
            corner.setComponent((axis + 2) % 3, middle.getComponent((axis + 2) % 3) + v * half);
            return this.onPaper(corner);
        });
        if (corners.includes(null))
            return;
        this.pen.fillStyle = css(colour, BRIGHTNESS[side]);
        this.pen.beginPath();
        for (const corner of corners)
            this.pen.lineTo(...corner!);
        this.pen.closePath();
        this.pen.fill();
    }

    lines({ geometry, material, position }: LineSegments<BufferGeometry, LineBasicMaterial>): void {
        const points = geometry.getAttribute("position");
        const { pen } = this;
        pen.strokeStyle = `#${material.color.getHexString()}`;
        pen.beginPath();
        for (let i = 0; points !== undefined && i + 1 < points.count; i += 2) {
            const [from, to] = [i, i + 1].map(at => this.onPaper(new Vector3().fromBufferAttribute(points, at).add(position)));
            if (from !== null && to !== null) {
                pen.moveTo(...from);
                pen.lineTo(...to);
            }
        }
        pen.stroke();
    }
}

function css(colour: number, brightness: number): string {
    return `rgb(${[0, 8, 16].map(shift => Math.round(((colour >> shift) & 255) * brightness)).join(",")})`;
}
