/* streams.ts: numbers of a page: compressed by zlib, as base64. The format is docs/formats.md#page. */
import { unzlibSync } from "fflate";

const BASE64 = new Uint8Array(128).fill(255);
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".split("").forEach((c, i) => {
    BASE64[c.charCodeAt(0)] = i;
});

type FromBase64 = (text: string) => Uint8Array;

/* Newer browsers have it: many times as fast. */
const fromBase64 = (Uint8Array as unknown as { fromBase64?: FromBase64 }).fromBase64;

/* text: whole groups of four characters, n of them from at on. */
export function decodeBase64(text: string, at: number, n: number): Uint8Array {
    return fromBase64 === undefined ? decodedGroups(text, at, n) : fromBase64.call(Uint8Array, text.slice(at, at + n));
}

export function decodedGroups(text: string, at: number, n: number): Uint8Array {
    let padding = 0;
    while (padding < 2 && n > 0 && text.charCodeAt(at + n - 1 - padding) === 61)
        padding++;
    const bytes = new Uint8Array((n / 4) * 3 - padding);
    for (let i = at, o = 0; i < at + n; i += 4, o += 3) {
        const group = (BASE64[text.charCodeAt(i)] << 18) | (BASE64[text.charCodeAt(i + 1)] << 12)
            | ((BASE64[text.charCodeAt(i + 2)] & 63) << 6) | (BASE64[text.charCodeAt(i + 3)] & 63);
        bytes[o] = group >> 16;
        bytes[o + 1] = group >> 8;              /* of the last group these two may be behind the end, where nothing is written */
        bytes[o + 2] = group;
    }
    return bytes;
}

/* length: of what comes out, in bytes, where that is known. */
export function inflate(text: string, at: number, n: number, length?: number): Uint8Array {
    return unzlibSync(decodeBase64(text, at, n), length === undefined ? {} : { out: new Uint8Array(length) });
}

/* Numbers stored by significance, from byte `from` on. */
export function readNumbers(bytes: Uint8Array, from: number): Float64Array {
    const n = Math.floor((bytes.length - from) / 8);
    const numbers = new Float64Array(n);
    const words = new Int32Array(numbers.buffer);
    for (let half = 0; half < 2; half++)
        for (let i = half, at = from + 4 * n * half; i < words.length; i += 2, at++)
            words[i] = bytes[at] | (bytes[at + n] << 8) | (bytes[at + 2 * n] << 16) | (bytes[at + 3 * n] << 24);
    return numbers;
}
