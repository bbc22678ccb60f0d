import { useState } from 'preact/hooks';
import type { OneTimeCode } from '../../contract/message.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { IDENTIFIER } from '../../ui/browser/kit/readers.ts';
import { Copy, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { callRest } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { useSession } from '../session/session.tsx';

const TEXTS = {
  en: {
    title: 'Inbox on this machine',
    lead: 'A local service sends no messages. It keeps the one-time codes here.',
    recipient: 'Mobile or e-mail address',
    look: 'Show codes',
    none: 'There are no codes for this recipient.',
    code: 'Code',
    purpose: 'Purpose',
    at: 'Sent at',
    DRIVER_SIGN_IN: 'driver sign-in',
    REGISTRATION: 'registration',
    SIGN_IN: 'sign-in',
    ELEVATION: 'second factor',
  },
  ar: {
    title: 'صندوق الوارد على هذا الجهاز',
    lead: 'لا ترسل الخدمة المحلية أي رسائل، بل تحفظ رموز التحقق هنا.',
    recipient: 'رقم الجوال أو البريد الإلكتروني',
    look: 'عرض الرموز',
    none: 'لا توجد رموز لهذا المستلم.',
    code: 'الرمز',
    purpose: 'الغرض',
    at: 'وقت الإرسال',
    DRIVER_SIGN_IN: 'دخول السائق',
    REGISTRATION: 'التسجيل',
    SIGN_IN: 'تسجيل الدخول',
    ELEVATION: 'عامل التحقق الثاني',
  },
};

/** The one-time codes that a local service keeps, by recipient. */
export function CodeInbox() {
  const text = textsOf(TEXTS);
  const { session } = useSession();
  const [recipient, setRecipient] = useState(session.person.email ?? '');
  const [codes, setCodes] = useState<readonly OneTimeCode[]>();
  const work = useWork(async () => {
    const path = `/local/one-time-codes?recipient=${encodeURIComponent(recipient)}`;
    const { data } = await callRest<{ readonly data: readonly OneTimeCode[] }>('GET', path);
    setCodes(data);
  });
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p class="quiet">{text.lead}</p>
      <Form onSubmit={() => void work.start(undefined)}>
        <Field label={text.recipient} value={recipient} onChange={setRecipient} reads={IDENTIFIER} />
        {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
        <Button type="submit" isBusy={work.isBusy}>
          {text.look}
        </Button>
      </Form>
      <div role="status">{codes === undefined ? null : <Codes codes={codes} />}</div>
    </section>
  );
}

function Codes({ codes }: { readonly codes: readonly OneTimeCode[] }) {
  const text = textsOf(TEXTS);
  if (codes.length === 0) return <p class="quiet">{text.none}</p>;
  return (
    <Listing
      caption={text.title}
      rows={codes}
      keyOf={({ createdAt, code }) => `${createdAt} ${code}`}
      columns={[
        {
          label: text.code,
          cell: ({ code }) => (
            <>
              <Exact>{code}</Exact> <Copy text={code} what={text.code} />
            </>
          ),
        },
        { label: text.purpose, cell: ({ purpose }) => wordOf(purpose) },
        { label: text.at, isShort: true, cell: ({ createdAt }) => <Moment at={createdAt} hasSeconds /> },
      ]}
    />
  );
}

/** Some purposes have no words, because their messages have no code. */
function wordOf(purpose: OneTimeCode['purpose']): string {
  const words: Readonly<Record<string, string>> = textsOf(TEXTS);
  return words[purpose] ?? purpose;
}
