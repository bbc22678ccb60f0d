import { Component, type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { textsOf } from '../base/locale.ts';
import { addressOf } from '../base/navigation.tsx';
import { Button } from './form.tsx';
import { forgetDraftsHere } from './kept-draft.ts';
import { forgetLargeHere } from './kept-large.ts';

const TEXTS = {
  en: {
    title: 'This page could not be shown',
    detail:
      'The console has an error on this page. Your data is not affected. Reload the page, or go to the home page.',
    reload: 'Reload the page',
    home: 'Go to the home page',
  },
  ar: {
    title: 'تعذّر عرض هذه الصفحة',
    detail: 'حدث خطأ في هذه الصفحة من لوحة التحكم. بياناتك لم تتأثر. أعد تحميل الصفحة أو انتقل إلى الصفحة الرئيسية.',
    reload: 'أعد تحميل الصفحة',
    home: 'إلى الصفحة الرئيسية',
  },
};

interface BoundaryProps {
  readonly children: ComponentChildren;
}

interface BoundaryState {
  readonly hasFailed: boolean;
}

/** Shows a notice in place of children that threw while rendering. With a key, the next page starts without the error. */
export class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { hasFailed: false };

  static override getDerivedStateFromError(): BoundaryState {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render({ children }: BoundaryProps, { hasFailed }: BoundaryState): ComponentChildren {
    return hasFailed ? <RenderFailure /> : children;
  }
}

/** Both ways out load the page again, because the error may come from the state of the page, or from a kept form. */
function RenderFailure() {
  const text = textsOf(TEXTS);
  useEffect(() => {
    forgetDraftsHere();
    void forgetLargeHere();
  }, []);
  return (
    <section class="sheet" role="alert">
      <h1>{text.title}</h1>
      <p>{text.detail}</p>
      <div class="actions">
        <Button kind="primary" onClick={() => location.reload()}>
          {text.reload}
        </Button>
        <a class="button" href={addressOf('')}>
          {text.home}
        </a>
      </div>
    </section>
  );
}
