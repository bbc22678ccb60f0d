import { useEffect, useState } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { Dialog } from '../../ui/browser/kit/dialog.tsx';
import { Check } from '../../ui/browser/kit/field.tsx';
import { keptHere } from '../../ui/kept-here.ts';
import { Search } from './search.tsx';

const TEXTS = {
  en: {
    search: 'Search',
    keys: 'Keyboard shortcuts',
    create: 'New shipment',
    down: 'Next row',
    up: 'Previous row',
    help: 'This list',
    areOn: 'Use single keys as shortcuts',
  },
  ar: {
    search: 'البحث',
    keys: 'اختصارات لوحة المفاتيح',
    create: 'شحنة جديدة',
    down: 'الصف التالي',
    up: 'الصف السابق',
    help: 'هذه القائمة',
    areOn: 'استخدم المفاتيح المفردة اختصارات',
  },
};

type Action = 'search' | 'create' | 'down' | 'up' | 'help';

const SHORTCUTS: readonly { readonly action: Action; readonly keys: readonly string[] }[] = [
  { action: 'search', keys: ['/', 'Ctrl K'] },
  { action: 'create', keys: ['C'] },
  { action: 'down', keys: ['J'] },
  { action: 'up', keys: ['K'] },
  { action: 'help', keys: ['?'] },
];
/** Keys by what they type, and by their place: an Arabic keyboard types other letters there. */
const ACTIONS: Readonly<Record<string, Action>> = {
  '/': 'search',
  '?': 'help',
  '؟': 'help',
  c: 'create',
  j: 'down',
  k: 'up',
  Slash: 'search',
  KeyC: 'create',
  KeyJ: 'down',
  KeyK: 'up',
};

/** The search button of the header, the keys that work on every page of merchants, and the dialog that either opens. */
export function useShortcuts(deployment: Deployment, isOn: boolean) {
  const text = textsOf(TEXTS);
  const [shown, setShown] = useState<'search' | 'help'>();
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const action = actionOf(event);
      if (action === undefined || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      if (action === 'search' || action === 'help') setShown(action);
      else if (action === 'create') navigate(addressOf('shipments/new'));
      else walkRows(action === 'down' ? 1 : -1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const close = () => setShown(undefined);
  const button = (
    <button type="button" class="plain" onClick={() => setShown('search')}>
      {text.search} <kbd aria-hidden="true">/</kbd>
    </button>
  );
  const dialogs = {
    search: (
      <Dialog title={text.search} onClose={close}>
        <Search deployment={deployment} onClose={close} />
      </Dialog>
    ),
    help: <Keys onClose={close} />,
  };
  return { button: isOn ? button : null, dialog: shown === undefined ? null : dialogs[shown] };
}

/** The action of a key. Single keys do nothing while somebody types, or if they are switched off. */
function actionOf({ key, code, target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): Action | undefined {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return code === 'KeyK' && !shiftKey ? 'search' : undefined;
  const isTyping =
    target instanceof Element && target.closest('input:not([type="checkbox"]), select, textarea') !== null;
  if (isTyping || !areKeysOn()) return undefined;
  return ACTIONS[key.toLowerCase()] ?? (shiftKey || /^[a-z]$/i.test(key) ? undefined : ACTIONS[code]);
}

/** Focuses the link of the next or of the previous row. */
function walkRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll('#content tbody tr')];
  const links = rows.flatMap((row) => row.querySelector('a') ?? []);
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  links[at < 0 && step < 0 ? links.length - 1 : at + step]?.focus();
}

const OFF = 'keys-off';

function areKeysOn(): boolean {
  return keptHere.getItem(OFF) === null;
}

/** The list of keys. People who speak to their computer need to switch single keys off (WCAG 2.1.4). */
function Keys({ onClose }: { readonly onClose: () => void }) {
  const text = textsOf(TEXTS);
  const [areOn, setAreOn] = useState(areKeysOn);
  const change = (on: boolean) => {
    if (on) keptHere.removeItem(OFF);
    else keptHere.setItem(OFF, 'yes');
    setAreOn(on);
  };
  return (
    <Dialog title={text.keys} onClose={onClose}>
      <dl class="facts">
        {SHORTCUTS.map(({ action, keys }) => (
          <div key={action}>
            <dt>{text[action]}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} dir="ltr">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Check label={text.areOn} isOn={areOn} onChange={change} />
    </Dialog>
  );
}
