import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { keptHere } from '../../ui/kept-here.ts';
import { useSession } from '../session/session.tsx';

/** Parameters of the list's address with a name. */
interface SavedView {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const VIEWS_MAX = 20;
const NAME_LENGTH_MAX = 40;

const TEXTS = {
  en: {
    title: 'Saved views',
    save: 'Save this view',
    name: 'Name of the view',
    hint: 'This browser keeps the filters and the columns under this name.',
    remove: 'Remove the view',
    full: `You have ${VIEWS_MAX} views. Remove one before you save another.`,
  },
  ar: {
    title: 'العروض المحفوظة',
    save: 'احفظ هذا العرض',
    name: 'اسم العرض',
    hint: 'يحفظ هذا المتصفح التصفية والأعمدة بهذا الاسم.',
    remove: 'احذف العرض',
    full: `لديك ${VIEWS_MAX} عرضًا. احذف أحدها قبل حفظ غيره.`,
  },
};

/** The views that this browser keeps for the company, and a form that saves the one that is shown. */
export function SavedViews({ parameters }: { readonly parameters: SavedView['parameters'] }) {
  const text = textsOf(TEXTS);
  const { session } = useSession();
  const key = `shipment-views ${session.company?.companyId}`;
  const [views, setViews] = useState(() => readViews(key));
  const [name, setName] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const keep = (next: readonly SavedView[]) => {
    setViews(next);
    keptHere.setItem(key, JSON.stringify(next));
  };
  const others = views.filter((view) => view.name !== name);
  const isFull = others.length >= VIEWS_MAX;
  const save = () => {
    if (name === '' || isFull) return;
    keep([...others, { name, parameters }]);
    setName('');
    setIsOpen(false);
  };
  return (
    <>
      {views.length === 0 ? null : (
        <nav aria-label={text.title}>
          <ul class="views">
            {views.map((view) => (
              <li key={view.name}>
                <Link to={addressOf('shipments', view.parameters)}>
                  <bdi>{view.name}</bdi>
                </Link>
                <button
                  type="button"
                  class="plain"
                  aria-label={`${text.remove}: ${view.name}`}
                  onClick={() => keep(views.filter((one) => one !== view))}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{text.save}</summary>
        <Form onSubmit={save}>
          <Field
            label={text.name}
            hint={text.hint}
            value={name}
            onChange={setName}
            maxLength={NAME_LENGTH_MAX}
            error={isFull ? text.full : undefined}
          />
          <Button type="submit" isDisabled={name === '' || isFull}>
            {text.save}
          </Button>
        </Form>
      </details>
    </>
  );
}

/** The views in the browser's storage, where anything may be. */
function readViews(key: string): readonly SavedView[] {
  try {
    const views: unknown = JSON.parse(keptHere.getItem(key) ?? '[]');
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const { name, parameters = {} } = Object(value) as Partial<SavedView>;
  return typeof name === 'string' && Object.values(parameters).every((one) => typeof one === 'string');
}
