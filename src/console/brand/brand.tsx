import { useRef, useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import type { AreaProps } from '../../ui/browser/base/navigation.tsx';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Check, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ChangeFailure, changedHint } from '../../ui/browser/kit/problem-notice.tsx';
import { PHONE } from '../../ui/browser/kit/readers.ts';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { useIsOwner } from '../session/session.tsx';
import { type Brand, type ChangeBrand, Logo } from './logo.tsx';
import { RecipientLimit } from './recipient-limit.tsx';

const TEXTS = {
  en: {
    title: 'Tracking page',
    lead: 'What recipients see of your company on the pages of your tracking links, besides its name.',
    member: 'Only an owner of the company can change this.',
    contact: 'Contact',
    phone: 'Phone',
    phoneHint: 'With the country code, for example +966112345678.',
    whatsApp: 'WhatsApp',
    agree: 'Show these numbers to recipients. Everybody who has a tracking link can see them.',
    save: 'Save contact',
    saved: 'Saved.',
  },
  ar: {
    title: 'صفحة التتبع',
    lead: 'ما يراه المستلمون عن شركتك في صفحات روابط التتبع، إضافةً إلى اسمها.',
    member: 'لا يستطيع تغيير ذلك إلا أحد مالكي الشركة.',
    contact: 'جهة الاتصال',
    phone: 'الهاتف',
    phoneHint: 'مع رمز الدولة، مثل +966112345678.',
    whatsApp: 'واتساب',
    agree: 'إظهار هذه الأرقام للمستلمين. يستطيع رؤيتها كل من لديه رابط تتبع.',
    save: 'حفظ جهة الاتصال',
    saved: 'تم الحفظ.',
  },
};

/** The logo and the contact that tracking pages show. */
export function TrackingBrand({ address: { id } }: AreaProps) {
  const text = textsOf(TEXTS);
  const isOwner = useIsOwner();
  const loaded = useLoaded('tracking brand', () => service.trackingBrand.get.query({}));
  const [changed, setChanged] = useState<Brand>();
  const newest = useRef<Brand | undefined>(undefined);
  const changing = useRef<Promise<unknown>>(Promise.resolve());
  // Both forms change one version, so a change waits for the one before it and names the version that it answered.
  const change: ChangeBrand = (ask) => {
    const answered = changing.current.then(async () => {
      newest.current = await ask(`"${newest.current?.version ?? 0}"`);
      setChanged(newest.current);
    });
    changing.current = answered.catch(() => undefined);
    return answered;
  };
  if (id !== undefined) return <NoSuchPage />;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {isOwner ? null : <p class="notice">{text.member}</p>}
      <WhenLoaded loaded={loaded}>
        {(read) => {
          const brand = changed !== undefined && changed.version > read.version ? changed : read;
          newest.current = brand;
          return (
            <>
              <Logo brand={brand} reload={loaded.reload} change={change} />
              <Contact current={brand} reload={loaded.reload} change={change} />
            </>
          );
        }}
      </WhenLoaded>
      <RecipientLimit />
    </>
  );
}

interface Draft {
  readonly phone: string;
  readonly whatsApp: string;
  readonly showsContact: boolean;
}

function draftOf({ phone, whatsApp, showsContact }: Brand): Draft {
  return { phone: phone ?? '', whatsApp: whatsApp ?? '', showsContact };
}

interface ContactProps {
  readonly current: Brand;
  readonly reload: () => void;
  readonly change: ChangeBrand;
}

function Contact({ current, reload, change }: ContactProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, start, kept } = useDraft(() => draftOf(current), { isChange: true });
  const now = draftOf(current);
  const work = useWork(async ({ phone, whatsApp, showsContact }: Draft) => {
    const numbers = { phone: orNull(phone), whatsApp: orNull(whatsApp) };
    await change((ifMatch) => service.trackingBrand.setContact.mutate({ ifMatch, ...numbers, showsContact }));
    showToast(text.saved);
  });
  const field = (name: 'phone' | 'whatsApp') => ({
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    error: violationAt(work.failure, name, draft[name]),
    hint: (draft[name] === now[name] ? undefined : changedHint(start[name], now[name])) ?? text.phoneHint,
  });
  return (
    <section class="part narrow">
      <h2>{text.contact}</h2>
      <Form kept={kept} onSubmit={() => work.start(draft)}>
        <Field label={text.phone} reads={PHONE} {...field('phone')} />
        <Field label={text.whatsApp} reads={PHONE} {...field('whatsApp')} />
        <Check
          label={text.agree}
          isOn={draft.showsContact}
          onChange={(showsContact) => setDraft((before) => ({ ...before, showsContact }))}
        />
        <ChangeFailure work={work} reload={reload} fields={['phone', 'whatsApp']} />
        <Button type="submit" kind="primary" isBusy={work.isBusy}>
          {text.save}
        </Button>
      </Form>
    </section>
  );
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
