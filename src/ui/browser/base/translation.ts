import { options, type VNode } from 'preact';

/** A text that the browser shows in another language, and the element that it put in its place. */
interface Translated {
  readonly node: Text;
  readonly text: string;
  readonly shown: HTMLElement;
}

/**
 * Lets people read the page through the translation of Chrome and Edge. It replaces each text node by `<font>` elements, and
 * Preact then changes a text that nobody sees, or fails because the node has no parent. So the node is put back beside its
 * translation, without its text. When Preact changes, moves or removes the node, the translation goes with it.
 */
export function allowTranslation(root: HTMLElement): void {
  keepExactTexts();
  const byNode = new WeakMap<Node, Translated>();
  const byShown = new WeakMap<Node, Translated>();
  const replace = (node: Text, shown: HTMLElement) => {
    const translated = { node, text: node.data, shown };
    byNode.set(node, translated);
    byShown.set(shown, translated);
    node.data = '';
    shown.before(node);
  };
  const removed = (node: Node, { addedNodes, previousSibling, nextSibling }: MutationRecord) => {
    const own = byNode.get(node);
    if (own !== undefined) {
      if (node.isConnected) own.shown.before(node);
      else own.shown.remove();
      return;
    }
    const shown = [...addedNodes, previousSibling, nextSibling].find((one) => isFont(one) && !byShown.has(one));
    if (node instanceof Text && !node.isConnected && isFont(shown) && shown.isConnected) replace(node, shown);
  };
  new MutationObserver((records) => {
    for (const record of records) {
      const changed = byNode.get(record.target);
      if (changed !== undefined && changed.node.data !== '') {
        byNode.delete(changed.node);
        changed.shown.remove();
      }
      for (const node of record.removedNodes) {
        const gone = byShown.get(node);
        // The person has the original shown again.
        if (gone !== undefined && gone.node.isConnected && gone.node.data === '') gone.node.data = gone.text;
        removed(node, record);
      }
    }
  }).observe(root, { childList: true, characterData: true, subtree: true });
}

function isFont(node: Node | null | undefined): node is HTMLElement {
  return node instanceof HTMLElement && node.localName === 'font';
}

/** They hold codes, numbers, names, addresses and times. */
const EXACT: ReadonlySet<unknown> = new Set(['bdi', 'time', 'code', 'kbd']);

/** From now on, translations leave these elements as they are, because a number or a name must not change. */
function keepExactTexts(): void {
  const before = options.vnode;
  options.vnode = (vnode: VNode<{ translate?: boolean }>) => {
    // Preact sets the property of the element, which is a boolean.
    if (EXACT.has(vnode.type)) vnode.props.translate ??= false;
    before?.(vnode);
  };
}
