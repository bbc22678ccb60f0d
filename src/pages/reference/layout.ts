/** Longer than this, an object takes a line for each of its members. */
const WIDTH_MAX = 72;

/** How values are written in some language. */
export interface Notation {
  readonly key: (name: string) => string;
  /** What is neither an object nor a list; `undefined` for what is. */
  readonly leaf: (value: unknown) => string | undefined;
  /** Whether a comma stands behind the last member of several lines. */
  readonly hasLastComma: boolean;
}

/** A value as people write it: on one line while it fits, else a line for each member. */
export function layOut(value: unknown, notation: Notation, indent = ''): string {
  const leaf = notation.leaf(value);
  if (leaf !== undefined) return leaf;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value ?? {}).map(([name, member]) => {
    const written = layOut(member, notation, inner);
    return isList ? written : `${notation.key(name)}: ${written}`;
  });
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const gap = isList ? '' : ' ';
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= WIDTH_MAX) return line;
  const lines = parts.map((part) => inner + part).join(',\n');
  return `${open}\n${lines}${notation.hasLastComma ? ',' : ''}\n${indent}${close}`;
}
