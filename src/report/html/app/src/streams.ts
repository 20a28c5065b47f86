/* streams.ts: numbers of a page: compressed by zlib, as base64. The format is docs/formats.md#page. */
import { unzlibSync } from "fflate";

const BASE64 = new Uint8Array(128).fill(255);
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".split("").forEach((c, i) => {
    BASE64[c.charCodeAt(0)] = i;
});

/* text: whole groups of four characters, n of them from at on. */
export function decodeBase64(text: string, at: number, n: number): Uint8Array {
    if (n === 0)
        return new Uint8Array(0);
    let padding = 0;
    while (padding < 2 && text.charCodeAt(at + n - 1 - padding) === 61)
        padding++;
    const bytes = new Uint8Array((n / 4) * 3 - padding);
    for (let i = at, o = 0; i < at + n; i += 4, o += 3) {
        const group = (BASE64[text.charCodeAt(i)] << 18) | (BASE64[text.charCodeAt(i + 1)] << 12)
            | ((BASE64[text.charCodeAt(i + 2)] & 63) << 6) | (BASE64[text.charCodeAt(i + 3)] & 63);
        bytes[o] = group >> 16;
        if (o + 1 < bytes.length)
            bytes[o + 1] = group >> 8;
        if (o + 2 < bytes.length)
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
    const n = (bytes.length - from) / 8;
    const numbers = new Float64Array(n);
    const out = new Uint8Array(numbers.buffer);
    for (let byte = 0, at = from; byte < 8; byte++)
        for (let i = byte; i < out.length; i += 8)
            out[i] = bytes[at++];
    return numbers;
}
