import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { ChangeFailure, changedHint } from '../kit/change-failure.tsx';
import { faultAt } from '../kit/fault-at.ts';
import { Field, LongField } from '../kit/field.tsx';
import { Form } from '../kit/form.tsx';
import type { Work } from '../service/use-loaded.ts';
import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';
import { FIELDS, type LocationDraft } from './location-draft.ts';

const TEXTS = {
  en: {
    code: 'Code',
    codeHint: 'Capital letters, digits, - and _, 2 to 64 of them. It stays for good, as shipments name it.',
    name: 'Name',
    nameAr: 'Name in Arabic (optional)',
    address: 'Address',
    city: 'City code',
    latitude: 'Latitude',
    longitude: 'Longitude',
    contact: 'Whom the driver asks for (optional)',
    phone: 'Phone of that person (optional)',
    phoneHint: 'With the country’s code: +966112345678',
    phoneKnown: 'Left empty, it stays:',
    instructions: 'Instructions for the driver (optional)',
    save: 'Save',
    cancel: 'Cancel',
  },
  ar: {
    code: 'الرمز',
    codeHint: 'أحرف لاتينية كبيرة وأرقام و- و_، من 2 إلى 64. لا يتغير أبدًا لأن الشحنات تذكره.',
    name: 'الاسم',
    nameAr: 'الاسم بالعربية (اختياري)',
    address: 'العنوان',
    city: 'رمز المدينة',
    latitude: 'خط العرض',
    longitude: 'خط الطول',
    contact: 'من يسأل عنه السائق (اختياري)',
    phone: 'هاتف هذا الشخص (اختياري)',
    phoneHint: 'مع رمز الدولة: +966112345678',
    phoneKnown: 'إذا تُرك فارغًا يبقى كما هو:',
    instructions: 'تعليمات للسائق (اختياري)',
    save: 'حفظ',
    cancel: 'إلغاء',
  },
};

interface LocationFormProps {
  readonly start: LocationDraft;
  /** What stands at the service now; undefined for a new one. */
  readonly current?: LocationDraft;
  /** The phone that is kept, as much of it as is shown. */
  readonly maskedPhone?: string | null;
  readonly work: Work<LocationDraft>;
  readonly reload: () => void;
  readonly back: string;
}

/** The fields of a pickup location. */
export function LocationForm({ start, current, maskedPhone = null, work, reload, back }: LocationFormProps) {
  const text = textsOf(TEXTS);
  const [draft, setDraft] = useState(start);
  const field = (name: keyof LocationDraft, hint?: string) => ({
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    error: faultAt(work.failure, FIELDS[name], draft[name]),
    hint: (current === undefined ? undefined : changedHint(start[name], current[name])) ?? hint,
  });
  const phoneHint = maskedPhone === null ? text.phoneHint : `${text.phoneKnown} \u2066${maskedPhone}\u2069`;
  return (
    <Form onSubmit={() => void work.start(draft)}>
      {current === undefined ? <Field label={text.code} dir="ltr" isFirst {...field('code', text.codeHint)} /> : null}
      <Field label={text.name} {...field('name')} />
      <Field label={text.nameAr} {...field('nameAr')} />
      <Field label={text.address} {...field('addressLine')} />
      <div class="sides">
        <Field label={text.city} dir="ltr" {...field('cityCode')} />
        <Field label={text.latitude} dir="ltr" inputMode="decimal" {...field('latitude')} />
        <Field label={text.longitude} dir="ltr" inputMode="decimal" {...field('longitude')} />
      </div>
      <div class="sides">
        <Field label={text.contact} {...field('contactName')} />
        <Field label={text.phone} dir="ltr" inputMode="tel" {...field('contactPhone', phoneHint)} />
      </div>
      <LongField label={text.instructions} {...field('instructions')} />
      <ChangeFailure work={work} reload={reload} fields={Object.values(FIELDS)} />
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={work.isBusy}>
          {text.save}
        </Button>
        <Link to={back} class="button">
          {text.cancel}
        </Link>
      </div>
    </Form>
  );
}
