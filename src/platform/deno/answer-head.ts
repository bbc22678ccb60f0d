import type { AnswerHeaders } from '../../ports/webhook.ts';

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
}

/** Bytes of an answer that are read in search of the end of its head. */
const HEAD_BYTES_MAX = 16_384;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
const latin1 = new TextDecoder('latin1');

/**
 * Finds the final status of an HTTP/1.1 answer as its bytes arrive. Interim answers (100, 103) are skipped. Like browsers it
 * accepts lines that end with a bare line feed (RFC 9112 section 2.2), and empty lines before the status.
 *
 * Each byte is examined once and decoded at most once for any size of the pieces, so a receiver that sends one byte at a
 * time costs no more than one that sends all at once.
 */
export class AnswerHeadReader {
  readonly #buffer = new Uint8Array(HEAD_BYTES_MAX);
  #length = 0;
  /** The position up to which ends of lines were searched. */
  #searched = 0;
  /** The start of the current head, and the end of its last line that is not empty; equal before its first line. */
  #start = 0;
  #end = 0;
  #lineStart = 0;

  /** The buffer for the next read. Empty if the head exceeds the limit. */
  get room(): Uint8Array {
    return this.#buffer.subarray(this.#length);
  }

  /** The bytes after the head. */
  get rest(): Uint8Array {
    return this.#buffer.subarray(this.#searched, this.#length);
  }

  /** Accepts `count` more bytes, which were read into `room`. Undefined until the head is complete. */
  take(count: number): AnswerHead | 'malformed' | undefined {
    this.#length += count;
    while (this.#findEmptyLine()) {
      const head = this.#read();
      if (head !== 'interim') return head;
      this.#start = this.#searched;
      this.#end = this.#searched;
    }
    return undefined;
  }

  /** The status and those headers of a head over the limit that are within it; undefined without a final status. */
  get beginning(): AnswerHead | undefined {
    const head = this.#read();
    return typeof head === 'string' ? undefined : head;
  }

  #read(): AnswerHead | 'malformed' | 'interim' {
    return parseHead(latin1.decode(this.#buffer.subarray(this.#start, this.#end)));
  }

  /** Goes on to the empty line that ends the current head. False if it has not arrived. */
  #findEmptyLine(): boolean {
    const bytes = this.#buffer;
    while (this.#searched < this.#length) {
      const at = this.#searched;
      this.#searched += 1;
      if (bytes[at] !== LINE_FEED) continue;
      const lineEnd = at > this.#lineStart && bytes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
      const isEmpty = lineEnd === this.#lineStart;
      this.#lineStart = at + 1;
      if (!isEmpty) this.#end = lineEnd;
      else if (this.#end > this.#start) return true;
      else this.#start = this.#end = at + 1;
    }
    return false;
  }
}

function parseHead(head: string): AnswerHead | 'malformed' | 'interim' {
  const [first = '', ...lines] = head.split(/\r?\n/);
  const status = Number(/^HTTP\/1\.\d +(\d{3})(?!\S)/.exec(first)?.[1]);
  if (Number.isNaN(status)) return 'malformed';
  if (status < 200 && status !== 101) return 'interim';
  const values = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
    const before = values.get(name);
    const value = line.slice(colon + 1).trim();
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return { status, headers: { get: (name) => values.get(name) ?? null } };
}
