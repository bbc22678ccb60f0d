/**
 * JSON as text: member names may repeat, and numbers keep their spelling. A leaf is any text, even invalid JSON.
 */
export type Tree =
  | { readonly kind: 'object'; readonly members: [name: string, value: Tree][] }
  | { readonly kind: 'array'; readonly items: Tree[] }
  | { readonly kind: 'leaf'; readonly text: string };
export type ObjectTree = Extract<Tree, { readonly kind: 'object' }>;

/** A value's position in the tree: under a name, or in a list. */
export interface TreePosition {
  /** The closest member name above it. */
  readonly name: string;
  readonly value: Tree;
  put(value: Tree): void;
}

export function leaf(text: string): Tree {
  return { kind: 'leaf', text };
}

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'array', items: value.map(treeOf) };
  if (typeof value !== 'object' || value === null) return leaf(JSON.stringify(value));
  return { kind: 'object', members: Object.entries(value).map(([name, member]) => [name, treeOf(member)]) };
}

export function textOf(tree: Tree): string {
  if (tree.kind === 'leaf') return tree.text;
  if (tree.kind === 'array') return `[${tree.items.map(textOf).join(',')}]`;
  return `{${tree.members.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(',')}}`;
}

/** Every position of a member or an item in the tree. */
export function spotsOf(tree: Tree, name = ''): TreePosition[] {
  if (tree.kind === 'leaf') return [];
  if (tree.kind === 'array')
    return tree.items.flatMap((value, index) => [
      { name, value, put: (other: Tree) => void tree.items.splice(index, 1, other) },
      ...spotsOf(value, name),
    ]);
  return tree.members.flatMap((member) => [
    {
      name: member[0],
      value: member[1],
      put: (other: Tree) => {
        member[1] = other;
      },
    },
    ...spotsOf(member[1], member[0]),
  ]);
}

/** Every object of the tree, including the tree itself. */
export function objectsOf(tree: Tree): ObjectTree[] {
  const below = spotsOf(tree).map(({ value }) => value);
  return [tree, ...below].filter((value) => value.kind === 'object');
}
