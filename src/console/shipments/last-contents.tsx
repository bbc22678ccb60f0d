import { useContext, useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { DraftOwner } from '../../ui/browser/kit/draft.tsx';
import { keepDraft, readDraft } from '../../ui/browser/kit/kept-draft.ts';
import type { ItemDraft } from './shipment-draft.ts';

const TEXTS = {
  en: { as: (contents: string) => `As last time: ${contents}`, kilograms: 'kg' },
  ar: { as: (contents: string) => `كالمرة السابقة: ${contents}`, kilograms: 'كجم' },
};

const nameOf = (owner: string) => `${owner}-last-contents`;

/** Keeps the contents of a shipment that was created, for the next form of this person in this tab. */
export function keepContents(owner: string, [item, ...others]: readonly ItemDraft[]): void {
  if (item !== undefined && others.length === 0) keepDraft(nameOf(owner), item.values);
}

interface LastProps {
  readonly items: readonly ItemDraft[];
  readonly onTake: (item: ItemDraft['values']) => void;
}

/** The contents of the shipment before as one line to tap, while the form has none. */
export function LastContents({ items, onTake }: LastProps) {
  const text = textsOf(TEXTS);
  const owner = useContext(DraftOwner);
  const [last] = useState(() => readDraft<ItemDraft['values']>(nameOf(owner))?.draft);
  const [item, ...others] = items;
  const isEmpty = others.length === 0 && item?.values.description === '' && item.values.weightKilograms === '';
  if (last === undefined || !isEmpty) return null;
  const contents = `\u2068${last.description}\u2069 · ${last.weightKilograms} ${text.kilograms}`;
  return (
    <p>
      <button
        type="button"
        class="plain"
        onClick={({ currentTarget }) => {
          // The line goes away with this tap.
          currentTarget.closest('fieldset')?.querySelector('input')?.focus();
          onTake(last);
        }}
      >
        {text.as(contents)}
      </button>
    </p>
  );
}
