import type { ComponentChildren } from 'preact';
import { Link } from '../shell/link.tsx';
import './page.css';

interface PageHeadProps {
  readonly title: ComponentChildren;
  /** A title that would fill the page at its full size. */
  readonly isLong?: boolean;
  /** Where the page belongs to. */
  readonly up?: { readonly to: string; readonly label: string };
  /** What it is about, in one sentence. */
  readonly lead?: ComponentChildren;
  /** What can be done here. */
  readonly children?: ComponentChildren;
}

/** The head of a page: where one is, and what can be done. */
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
