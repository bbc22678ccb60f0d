import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Deployment } from '../../core/deployment.ts';
import { changeLocale, isElsewhere, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, isOperations, Link, useAddress, useHeadingFocus } from '../../ui/browser/base/navigation.tsx';
import { Mark } from '../../ui/frame.tsx';
import { Holder } from '../session/holder.tsx';
import { useSession } from '../session/session.tsx';
import { AREAS } from './areas.tsx';
import { useShortcuts } from './shortcuts.tsx';

const TEXTS = {
  en: {
    name: 'Mirsal',
    skip: 'Skip to content',
    areas: 'Areas',
    other: 'العربية',
    signOut: 'Sign out',
    docs: 'API reference',
    zone: 'Times are in Riyadh',
  },
  ar: {
    name: 'مرسال',
    skip: 'انتقل إلى المحتوى',
    areas: 'الأقسام',
    other: 'English',
    signOut: 'تسجيل الخروج',
    docs: 'مرجع واجهة البرمجة',
    zone: 'الأوقات بتوقيت الرياض',
  },
};

interface FrameProps {
  readonly deployment: Deployment;
  readonly children: ComponentChildren;
}

/** The header and the navigation around every area. */
export function Frame({ deployment, children }: FrameProps) {
  const text = textsOf(TEXTS);
  const { area, id = '', part = '' } = useAddress();
  const main = useRef<HTMLElement>(null);
  useHeadingFocus(`${area}/${id}/${part}`, main, text.name);
  const { session, signOut } = useSession();
  const { button, dialog } = useShortcuts(deployment, !isOperations);
  const other = locale === 'ar' ? 'en' : 'ar';
  return (
    <>
      <a class="skip" href="#content">
        {text.skip}
      </a>
      <header class="top">
        <Link to={addressOf('')} class="brand">
          <Mark />
          <span>{text.name}</span>
        </Link>
        <div class="account">
          <Link to={addressOf('account')} class="quiet holder">
            <Holder session={session} />
          </Link>
          {isElsewhere() ? <span class="quiet">{text.zone}</span> : null}
          {button}
          {isOperations ? null : <a href={`/docs?lang=${locale}`}>{text.docs}</a>}
          <button type="button" class="plain" lang={other} onClick={changeLocale}>
            {text.other}
          </button>
          <button type="button" class="plain" onClick={() => void signOut()}>
            {text.signOut}
          </button>
        </div>
      </header>
      <div class="console">
        <nav class="areas" aria-label={text.areas}>
          {AREAS.filter(({ isIn }) => isIn(deployment)).map(({ name, label }) => (
            <Link key={name} to={addressOf(name)} isCurrent={name === area}>
              {label[locale]}
            </Link>
          ))}
        </nav>
        <main id="content" ref={main} tabIndex={-1}>
          {children}
        </main>
      </div>
      {dialog}
    </>
  );
}
