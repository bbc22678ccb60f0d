import type { AnswerHeaders } from '../../ports/webhook.ts';

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
}

/** Bytes of an answer that are read in search of the end of its head. */
const HEAD_BYTES_MAX = 16_384;
const latin1 = new TextDecoder('latin1');

/**
 * Finds the final status of an HTTP/1.1 answer as its bytes arrive. Interim answers (100, 103) are skipped.
 *
 * Each byte is examined once and decoded at most once for any size of the pieces, so a receiver that sends one byte at a
 * time costs no more than one that sends all at once.
 */
export class AnswerHeadReader {
  readonly #buffer = new Uint8Array(HEAD_BYTES_MAX);
  #length = 0;
  /** The start of the current head, and the position up to which its end was searched. */
  #start = 0;
  #searched = 0;

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
    for (let end = this.#findEnd(); end !== undefined; end = this.#findEnd()) {
      const head = parseHead(latin1.decode(this.#buffer.subarray(this.#start, end)));
      if (head !== 'interim') return head;
      this.#start = end + 4;
    }
    return undefined;
  }

  /** The position of the empty line that ends the head. */
  #findEnd(): number | undefined {
    for (; this.#searched + 4 <= this.#length; this.#searched += 1) {
      if (this.#isEmptyLineAt(this.#searched)) {
        this.#searched += 4;
        return this.#searched - 4;
      }
    }
    return undefined;
  }

  #isEmptyLineAt(at: number): boolean {
    const bytes = this.#buffer;
    return bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10;
  }
}

function parseHead(head: string): AnswerHead | 'malformed' | 'interim' {
  const lines = head.split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(lines[0] ?? '')?.[1]);
  if (Number.isNaN(status)) return 'malformed';
  if (status < 200 && status !== 101) return 'interim';
  const values = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const before = values.get(name);
    const value = line.slice(colon + 1).trim();
    values.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return { status, headers: { get: (name) => values.get(name) ?? null } };
}
