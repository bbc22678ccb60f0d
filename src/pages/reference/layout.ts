/** An object longer than this gets one line for each member. */
const WIDTH_MAX = 72;

/** The syntax of values in a programming language. */
export interface Notation {
  readonly key: (name: string) => string;
  /** The text of a simple value, or `undefined` for an object or a list. */
  readonly leaf: (value: unknown) => string | undefined;
  /** Whether the last member on its own line has a trailing comma. */
  readonly hasLastComma: boolean;
  /** What opens and closes an object, and stands between a name and its value. Those of JSON if absent. */
  readonly object?: { readonly open: string; readonly close: string; readonly is: string };
}

const JSON_OBJECT = { open: '{ ', close: ' }', is: ': ' };

/** Formats a value on one line if it fits, otherwise with one line for each member. */
export function layOut(value: unknown, notation: Notation, indent = ''): string {
  const leaf = notation.leaf(value);
  if (leaf !== undefined) return leaf;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const object = notation.object ?? JSON_OBJECT;
  const parts = Object.entries(value ?? {}).map(([name, member]) => {
    const written = layOut(member, notation, inner);
    return isList ? written : `${notation.key(name)}${object.is}${written}`;
  });
  const [open, close] = isList ? ['[', ']'] : [object.open, object.close];
  if (parts.length === 0) return open.trim() + close.trim();
  const line = `${open}${parts.join(', ')}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= WIDTH_MAX) return line;
  const lines = parts.map((part) => inner + part).join(',\n');
  return `${open.trim()}\n${lines}${notation.hasLastComma ? ',' : ''}\n${indent}${close.trim()}`;
}
