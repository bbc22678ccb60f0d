import { textsOf } from '../../ui/browser/base/locale.ts';
import { CityField } from '../../ui/browser/kit/city-field.tsx';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Field, LongField } from '../../ui/browser/kit/field.tsx';
import { Form, SaveOrCancel } from '../../ui/browser/kit/form.tsx';
import { PositionFields } from '../../ui/browser/kit/position-fields.tsx';
import { ChangeFailure, changedHint } from '../../ui/browser/kit/problem-notice.tsx';
import { NUMBERED, PHONE } from '../../ui/browser/kit/readers.ts';
import type { Inputs } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import type { Work } from '../../ui/browser/service/loading.ts';
import type { PickupLocation } from './place.tsx';

const TEXTS = {
  en: {
    code: 'Code',
    codeHint: '2 to 64 capital letters, digits, - and _. You cannot change it later, because shipments refer to it.',
    name: 'Name',
    nameAr: 'Name in Arabic (optional)',
    address: 'Address',
    city: 'City',
    latitude: 'Latitude',
    longitude: 'Longitude',
    contact: 'Contact person (optional)',
    phone: 'Phone of the contact person (optional)',
    phoneHint: 'With the country code: +966112345678',
    phoneKnown: 'Leave it empty to keep the current number:',
    instructions: 'Instructions for the driver (optional)',
  },
  ar: {
    code: 'الرمز',
    codeHint: 'من 2 إلى 64 من الأحرف اللاتينية الكبيرة والأرقام و- و_. لا يمكن تغييره لاحقًا لأن الشحنات تشير إليه.',
    name: 'الاسم',
    nameAr: 'الاسم بالعربية (اختياري)',
    address: 'العنوان',
    city: 'المدينة',
    latitude: 'خط العرض',
    longitude: 'خط الطول',
    contact: 'جهة الاتصال (اختياري)',
    phone: 'هاتف جهة الاتصال (اختياري)',
    phoneHint: 'مع رمز الدولة: +966112345678',
    phoneKnown: 'اتركه فارغًا للإبقاء على الرقم الحالي:',
    instructions: 'تعليمات للسائق (اختياري)',
  },
};

interface LocationFormProps {
  /** The values that the service has now, or undefined for a new pickup location. */
  readonly current?: LocationDraft;
  /** The stored phone number, masked. */
  readonly maskedPhone?: string | null;
  readonly work: Work<LocationDraft>;
  readonly reload: () => void;
  readonly back: string;
}

/** The form of a pickup location. */
export function LocationForm({ current, maskedPhone = null, work, reload, back }: LocationFormProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, start, kept } = useDraft(current ?? NO_LOCATION, { isChange: current !== undefined });
  const field = (name: keyof LocationDraft, hint?: string) => ({
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
    error: violationAt(work.failure, FIELDS[name], draft[name]),
    hint: (current === undefined ? undefined : changedHint(start[name], current[name])) ?? hint,
  });
  const phoneHint = maskedPhone === null ? text.phoneHint : `${text.phoneKnown} \u2066${maskedPhone}\u2069`;
  return (
    <Form kept={kept} onSubmit={() => work.start(draft)}>
      {current === undefined ? (
        <Field label={text.code} reads={NUMBERED} isFirst {...field('code', text.codeHint)} />
      ) : null}
      <Field label={text.name} {...field('name')} />
      <Field label={text.nameAr} {...field('nameAr')} />
      <Field label={text.address} {...field('addressLine')} />
      <div class="sides">
        <CityField label={text.city} {...field('cityCode')} />
        <PositionFields
          latitude={{ label: text.latitude, ...field('latitude') }}
          longitude={{ label: text.longitude, ...field('longitude') }}
          onPosition={(position) => setDraft((before) => ({ ...before, ...position }))}
        />
      </div>
      <div class="sides">
        <Field label={text.contact} {...field('contactName')} />
        <Field label={text.phone} reads={PHONE} {...field('contactPhone', phoneHint)} />
      </div>
      <LongField label={text.instructions} {...field('instructions')} />
      <ChangeFailure work={work} reload={reload} fields={Object.values(FIELDS)} />
      <SaveOrCancel isBusy={work.isBusy} back={back} kept={kept} />
    </Form>
  );
}

/** The values of the form. */
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

/** The name of each field in the service's violations. */
const FIELDS: Readonly<Record<keyof LocationDraft, string>> = {
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

const NO_LOCATION: LocationDraft = {
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

/** The form values of an existing pickup location. The service answers only a masked phone number, so that field is empty. */
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

/** The request for the form values. An empty phone number is omitted, so that the stored one stays. */
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
