/** How deep errors are nested: fetch wraps the error of the connection, which wraps that of the system. */
const LEVELS_MAX = 5;
/** A line of the log that a person reads. */
const LENGTH_MAX = 300;

/**
 * Why an error happened, for the log: its name and message, and those of its causes. `fetch failed` alone says nothing: Deno and
 * Node put the reason into `cause`, and Node into `errors` for a host with several addresses (nodejs/undici#1248). An address is
 * shortened to its host, because a path or a query can hold places, keys of files and tokens.
 */
export function causeOf(error: unknown): string {
  const texts: string[] = [];
  let current = error;
  for (let level = 0; level < LEVELS_MAX && current instanceof Error; level += 1) {
    const text = textOf(current);
    if (text !== '' && !texts.includes(text)) texts.push(text);
    current = current.cause ?? firstOf(current);
  }
  const name = error instanceof Error ? `${error.name}: ` : '';
  return `${name}${withoutAddresses(texts.join(': ')) || 'no reason was given'}`.slice(0, LENGTH_MAX);
}

/** Errors of the system have a code, and some of them nothing else. */
function textOf(error: Error): string {
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : '';
}

function firstOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined;
}

function withoutAddresses(text: string): string {
  return text.replaceAll(/\b[a-z][a-z+.-]*:\/\/[^\s)"'<>]+/gi, (url) => URL.parse(url)?.host ?? 'an address');
}
