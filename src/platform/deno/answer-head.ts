/** What a delivery has to know of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** The final status of an HTTP/1.1 answer, once its head has come whole; interim ones (100, 103) are passed over. */
export function parseAnswerHead(text: string): AnswerHead | undefined {
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = rest.slice(0, end);
    rest = rest.slice(end + 4);
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r\n|$)/.exec(head)?.[1]);
    if (Number.isNaN(status)) return undefined;
    if (status < 200 && status !== 101) continue;
    return { status, retryAfter: /\r\nretry-after:[ \t]*([^\r\n]*)/i.exec(head)?.[1]?.trim() ?? null };
  }
}
