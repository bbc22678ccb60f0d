import { useEffect, useRef, useState } from 'preact/hooks';
import { encode } from 'uqr';
import { LINK_DAYS_MAX } from '../../core/limits.ts';
import type { Locale } from '../../core/locale.ts';
import { formatTime, textsOf } from '../../ui/browser/base/locale.ts';
import { Dialog } from '../../ui/browser/kit/dialog.tsx';
import { Check, Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Copy } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { RECIPIENT_PERMISSIONS } from './recipient-section.tsx';

type Created = Outputs['trackingLinks']['create'];

const TEXTS = {
  en: {
    title: 'New tracking link',
    label: 'Name (optional)',
    labelHint: 'Only your company sees it. For example, who gets the link.',
    language: 'Language of the page',
    either: 'The language of their phone',
    mends:
      'Your customer may correct the place, leave a note or refuse the parcel. First they enter a code that we send to their phone.',
    returns: 'After the delivery, your customer may ask you to take something back. You decide each time.',
    ends: 'Expires after',
    day: 'One day',
    week: 'One week',
    month: `${LINK_DAYS_MAX} days`,
    submit: 'Create the link',
    again: 'Copy the link and send it to your customer. You find it again in the list while it is active.',
    url: 'Address of the link',
    qr: 'QR code of the link',
    until: 'Valid until',
    close: 'Done',
  },
  ar: {
    title: 'رابط تتبع جديد',
    label: 'الاسم (اختياري)',
    labelHint: 'لا يراه إلا شركتك. مثلًا: لمن سترسل الرابط.',
    language: 'لغة الصفحة',
    either: 'لغة جواله',
    mends: 'يستطيع عميلك تصحيح المكان أو كتابة ملاحظة أو رفض الشحنة، بعد أن يُدخل رمزًا نرسله إلى جواله.',
    returns: 'بعد التوصيل يستطيع عميلك أن يطلب منك استرجاع شيء، والقرار لك في كل مرة.',
    ends: 'ينتهي بعد',
    day: 'يوم',
    week: 'أسبوع',
    month: `${LINK_DAYS_MAX} يومًا`,
    submit: 'أنشئ الرابط',
    again: 'انسخ الرابط وأرسله إلى عميلك. تجده مرة أخرى في القائمة ما دام فعّالًا.',
    url: 'عنوان الرابط',
    qr: 'رمز الاستجابة السريعة للرابط',
    until: 'صالح حتى',
    close: 'تم',
  },
};
const SECONDS = { day: 86_400, week: 604_800, month: LINK_DAYS_MAX * 86_400 } as const;

interface NewLinkProps {
  readonly shipmentId: string;
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

/** Creates a tracking link and shows its address. */
export function NewLink({ shipmentId, onCreated, onClose }: NewLinkProps) {
  const text = textsOf(TEXTS);
  const [label, setLabel] = useState('');
  const [locale, setLocale] = useState<Locale | ''>('');
  const [mends, setMends] = useState(false);
  const [returns, setReturns] = useState(false);
  const [duration, setDuration] = useState<keyof typeof SECONDS>('month');
  const [created, setCreated] = useState<Created>();
  const work = useWork(async () => {
    const permissions = [...(mends ? RECIPIENT_PERMISSIONS : []), ...(returns ? (['RETURN'] as const) : [])];
    const made = await service.trackingLinks.create.mutate({
      shipmentId,
      expiresInSeconds: SECONDS[duration],
      ...(locale === '' ? {} : { locale }),
      ...(label === '' ? {} : { label }),
      ...(permissions.length === 0 ? {} : { permissions }),
    });
    setCreated(made);
    onCreated();
  });
  if (created !== undefined) {
    return (
      <Dialog title={text.title} onClose={onClose}>
        <LinkOnce created={created} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={text.title} onClose={onClose}>
      <Form
        onSubmit={() => {
          void work.start(undefined);
        }}
      >
        <Field
          label={text.label}
          hint={text.labelHint}
          value={label}
          onChange={setLabel}
          error={violationAt(work.failure, 'label')}
        />
        <Choice
          label={text.language}
          value={locale}
          options={[
            { value: '' as const, label: text.either },
            { value: 'ar' as const, label: 'العربية' },
            { value: 'en' as const, label: 'English' },
          ]}
          onChange={setLocale}
        />
        <Choice
          label={text.ends}
          value={duration}
          options={(['day', 'week', 'month'] as const).map((value) => ({ value, label: text[value] }))}
          onChange={setDuration}
        />
        <Check label={text.mends} isOn={mends} onChange={setMends} />
        <Check label={text.returns} isOn={returns} onChange={setReturns} />
        {work.failure === undefined ? null : (
          <ProblemNotice failure={work.failure} retry={() => void work.start(undefined)} />
        )}
        <Button type="submit" kind="primary" isForCompany isBusy={work.isBusy}>
          {text.submit}
        </Button>
      </Form>
    </Dialog>
  );
}

function LinkOnce({ created, onClose }: { readonly created: Created; readonly onClose: () => void }) {
  const text = textsOf(TEXTS);
  // The form had the focus and is gone, so the notice takes it.
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <>
      <p class="notice" ref={notice} tabIndex={-1}>
        {text.again}
      </p>
      <p>
        <bdi dir="ltr">
          <code>{created.url}</code>
        </bdi>{' '}
        <Copy text={created.url} what={text.url} />
      </p>
      <QrCode text={created.url} label={text.qr} />
      <p class="small quiet">
        {text.until} {formatTime(created.expiresAt)}
      </p>
      <Button kind="primary" onClick={onClose}>
        {text.close}
      </Button>
    </>
  );
}

/** The light margin that cameras need, in modules (ISO/IEC 18004 section 5.3.8). */
const QUIET_ZONE = 4;

/** A QR code. It is dark on light in both colour schemes, because cameras need that. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
