/** A file that was made when the service was built, by its path; undefined where it cannot be read. Never rejects. */
export type ReadAsset = (path: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
