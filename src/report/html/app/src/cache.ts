/* cache.ts: rows of values that were read, those used last. */

const CACHE_BYTES = 192 << 20;

interface Block {
    rows: (Float64Array | undefined)[];
    bytes: number;
}

/* Inflated chunks, those used last; at most CACHE_BYTES of them and the one in use. */
export class Cache {
    private readonly blocks = new Map<string, Block>();
    private bytes = 0;

    get(key: string, make: () => Block): Block {
        let block = this.blocks.get(key);
        if (block === undefined) {
            block = make();
            this.bytes += block.bytes;
        } else
            this.blocks.delete(key);
        this.blocks.set(key, block);
        for (const [old, { bytes }] of this.blocks) {
            if (this.bytes <= CACHE_BYTES || old === key)
                break;
            this.blocks.delete(old);
            this.bytes -= bytes;
        }
        return block;
    }
}
