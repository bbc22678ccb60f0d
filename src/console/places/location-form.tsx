import { useState } from 'preact/hooks';
import { textsOf } from '../base/locale.ts';
import { Link } from '../base/navigation.tsx';
import { Field, LongField } from '../kit/field.tsx';
import { Button, Form } from '../kit/form.tsx';
import { ChangeFailure, changedHint } from '../kit/problem-notice.tsx';
import type { Inputs } from '../service/calls.ts';
import { violationAt } from '../service/failure.ts';
import type { Work } from '../service/loading.ts';
import type { PickupLocation } from './place.tsx';

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
    error: violationAt(work.failure, FIELDS[name], draft[name]),
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

/** What a person types of a pickup location. */
export interface LocationDraft {
  readonly code: string;
  readonly name: string;
  readonly nameAr: string;
  readonly addressLine: string;
  readonly cityCode: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly contactName: string;
  readonly contactPhone: string;
  readonly instructions: string;
}

/** Where the service names each field when it breaks a rule. */
export const FIELDS: Readonly<Record<keyof LocationDraft, string>> = {
  code: 'pickupLocationCode',
  name: 'name',
  nameAr: 'nameAr',
  addressLine: 'location.addressLine',
  cityCode: 'location.cityCode',
  latitude: 'location.latitude',
  longitude: 'location.longitude',
  contactName: 'contactName',
  contactPhone: 'contactPhone',
  instructions: 'instructions',
};

export const NO_LOCATION: LocationDraft = {
  code: '',
  name: '',
  nameAr: '',
  addressLine: '',
  cityCode: '',
  latitude: '',
  longitude: '',
  contactName: '',
  contactPhone: '',
  instructions: '',
};

/** The draft of one that is there. Its phone is not told, so it is never there to be typed over. */
export function draftOf(location: PickupLocation): LocationDraft {
  const { pickupLocationCode: code, name, nameAr, contactName, instructions } = location;
  const { addressLine, cityCode, latitude, longitude } = location.location;
  return {
    code,
    name,
    nameAr: nameAr ?? '',
    addressLine,
    cityCode,
    latitude,
    longitude,
    contactName: contactName ?? '',
    contactPhone: '',
    instructions: instructions ?? '',
  };
}

type Terms = Omit<Inputs['pickupLocations']['create'], 'pickupLocationCode' | 'branchCode'>;

/** What is sent of a draft. A phone that is left empty is left out: it stays what it was. */
export function termsOf(draft: LocationDraft): Terms {
  const { name, nameAr, addressLine, cityCode, latitude, longitude, contactName, contactPhone, instructions } = draft;
  return {
    name,
    nameAr: orNull(nameAr),
    location: { addressLine, cityCode, latitude, longitude },
    contactName: orNull(contactName),
    instructions: orNull(instructions),
    ...(contactPhone === '' ? {} : { contactPhone }),
  };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
