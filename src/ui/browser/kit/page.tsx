import type { ComponentChildren } from 'preact';
import { textsOf } from '../base/locale.ts';
import { addressOf, Link } from '../base/navigation.tsx';

interface PageHeadProps {
  readonly title: ComponentChildren;
  /** Shows a long title in a smaller size. */
  readonly isLong?: boolean;
  /** The parent page. */
  readonly up?: { readonly to: string; readonly label: string };
  /** One sentence under the title. */
  readonly lead?: ComponentChildren;
  /** The actions of the page. */
  readonly children?: ComponentChildren;
}

/** The title of a page and its actions. */
export function PageHead({ title, isLong = false, up, lead, children }: PageHeadProps) {
  return (
    <header class="page-head">
      <div>
        {up === undefined ? null : (
          <p class="up">
            <Link to={up.to}>{up.label}</Link>
          </p>
        )}
        <h1 class={isLong ? 'long' : undefined}>{title}</h1>
        {lead === undefined ? null : <p class="quiet">{lead}</p>}
      </div>
      {children === undefined ? null : <div class="page-actions">{children}</div>}
    </header>
  );
}

/** Shown in place of an empty list, with the one action that fills it. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{text}</p>
      {children}
    </div>
  );
}

const TEXTS = {
  en: { title: 'Page not found', home: 'Go to the home page' },
  ar: { title: 'الصفحة غير موجودة', home: 'إلى الصفحة الرئيسية' },
};

export function NoSuchPage() {
  const text = textsOf(TEXTS);
  return (
    <section class="sheet">
      <h1>{text.title}</h1>
      <p>
        <Link to={addressOf('')}>{text.home}</Link>
      </p>
    </section>
  );
}

interface FactListProps {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Facts with their names. A fact without a value is left out. */
export function FactList({ facts }: FactListProps) {
  return (
    <dl class="facts">
      {facts.map(([label, value]) =>
        value === undefined ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
