import { ANSWER_BYTES_MAX, type AnswerBody } from '../../ports/webhook.ts';
import type { AnswerHead } from './answer-head.ts';

/** Characters of a line with the size of a chunk. A real one has a few digits. */
const LINE_LENGTH_MAX = 256;
/** Bytes of a body with its chunks' sizes. Nothing is read after them, also if little of it is content. */
const BYTES_MAX = 4 * ANSWER_BYTES_MAX;

/**
 * Keeps the beginning of the body of an HTTP/1.1 answer as its bytes arrive, and finds its end (RFC 9112 section 6.3):
 * by the last chunk, by its length, or when the receiver closes the connection. Each byte is examined once.
 */
export class AnswerBodyReader {
  readonly #kept = new Uint8Array(ANSWER_BYTES_MAX);
  #length = 0;
  #examined = 0;
  #state: 'open' | 'whole' | 'cut' = 'open';
  /** Bytes until the end of the body or of the current chunk. */
  #left: number;
  readonly #isChunked: boolean;
  readonly #endsWithConnection: boolean;
  /** The line before a chunk, as far as it has arrived. Undefined within a chunk. */
  #line: string | undefined;

  constructor({ status, headers }: AnswerHead) {
    const size = headers.get('content-length');
    this.#isChunked = /\bchunked\s*$/i.test(headers.get('transfer-encoding') ?? '');
    this.#endsWithConnection = !this.#isChunked && size === null;
    this.#left = this.#endsWithConnection ? Number.POSITIVE_INFINITY : Number(size);
    if (this.#isChunked) this.#line = '';
    else if (status === 101 || status === 204 || status === 304 || this.#left === 0) this.#state = 'whole';
    else if (!(this.#left > 0)) this.#state = 'cut';
  }

  /** Whether more bytes are wanted. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.isOpen; ) {
      const rest = bytes.subarray(at);
      at += this.#line === undefined ? this.#takeContent(rest) : this.#takeLine(rest, this.#line);
    }
    this.#examined += bytes.length;
    if (this.isOpen && this.#examined > BYTES_MAX) this.#state = 'cut';
  }

  /** The receiver has closed the connection. */
  end(): void {
    if (this.isOpen) this.#state = this.#endsWithConnection ? 'whole' : 'cut';
  }

  /** What has arrived. */
  get body(): AnswerBody {
    return { bytes: this.#kept.subarray(0, this.#length), isWhole: this.#state === 'whole' };
  }

  #takeContent(bytes: Uint8Array): number {
    const piece = bytes.subarray(0, Math.min(bytes.length, this.#left));
    const room = ANSWER_BYTES_MAX - this.#length;
    this.#kept.set(piece.subarray(0, room), this.#length);
    this.#length += Math.min(piece.length, room);
    this.#left -= piece.length;
    if (piece.length > room) this.#state = 'cut';
    else if (this.#left === 0 && this.#isChunked) this.#line = '';
    else if (this.#left === 0) this.#state = 'whole';
    return piece.length;
  }

  #takeLine(bytes: Uint8Array, before: string): number {
    const end = bytes.indexOf(10);
    const taken = end < 0 ? bytes.length : end + 1;
    const line = before + String.fromCharCode(...bytes.subarray(0, Math.min(taken, LINE_LENGTH_MAX + 1)));
    this.#line = line;
    if (line.length > LINE_LENGTH_MAX) this.#state = 'cut';
    // An empty line follows the content of each chunk.
    else if (end >= 0) this.#beginChunk(line.trim());
    return taken;
  }

  #beginChunk(line: string): void {
    this.#line = '';
    if (line === '') return;
    const size = /^[\da-f]{1,12}(?=$|[ \t;])/i.exec(line)?.[0];
    this.#left = Number.parseInt(size ?? '', 16);
    if (this.#left === 0) this.#state = 'whole';
    else if (this.#left > 0) this.#line = undefined;
    else this.#state = 'cut';
  }
}
