/** Reads a built file by its path; undefined if it cannot be read. Never rejects. */
export type ReadAsset = (path: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
