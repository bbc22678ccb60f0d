import type { VehicleType } from '../../contract/driver-state.ts';
import { VEHICLE_TYPES } from '../../contract/driver-state.ts';
import { wholeOr } from '../../core/typed/number.ts';
import { readCodes } from '../../core/typed/text.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { useDraft } from '../../ui/browser/kit/draft.tsx';
import { Choice, Field } from '../../ui/browser/kit/field.tsx';
import { Form, SaveOrCancel } from '../../ui/browser/kit/form.tsx';
import { AMOUNT, WHOLE } from '../../ui/browser/kit/number-readers.ts';
import { ChangeFailure, changedHint } from '../../ui/browser/kit/problem-notice.tsx';
import { MOBILE } from '../../ui/browser/kit/readers.ts';
import type { Inputs, Outputs } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import type { Work } from '../../ui/browser/service/loading.ts';
import { CityCodeField } from './fleet-words.tsx';

/** What was typed. */
export interface DriverDraft {
  readonly phone: string;
  readonly firstName: string;
  readonly vehicleType: VehicleType;
  readonly cityCode: string;
  readonly activeMax: string;
  readonly weightKilogramsMax: string;
  readonly lengthCentimetresMax: string;
  readonly capabilities: string;
}

const NO_DRIVER: DriverDraft = {
  phone: '',
  firstName: '',
  vehicleType: 'CAR',
  cityCode: '',
  activeMax: '5',
  weightKilogramsMax: '',
  lengthCentimetresMax: '',
  capabilities: '',
};

export function draftOfDriver(driver: Outputs['operations']['drivers']['get']): DriverDraft {
  const { firstName, vehicleType, cityCode, weightKilogramsMax, lengthCentimetresMax } = driver;
  const measures = { weightKilogramsMax, lengthCentimetresMax };
  const capabilities = driver.capabilities.join(' ');
  const activeMax = String(driver.activeMax);
  return { phone: '', firstName, vehicleType, cityCode, ...measures, capabilities, activeMax };
}

/** The members of a request. The service validates them. */
export function termsOfDriver(draft: DriverDraft): Omit<Inputs['operations']['drivers']['create'], 'shard' | 'phone'> {
  const { firstName, vehicleType, cityCode, weightKilogramsMax, lengthCentimetresMax } = draft;
  return {
    firstName,
    vehicleType,
    cityCode,
    // The service reports that a number is missing: NaN becomes null on the way.
    activeMax: wholeOr(draft.activeMax, Number.NaN),
    weightKilogramsMax,
    lengthCentimetresMax,
    capabilities: readCodes(draft.capabilities),
  };
}

const TEXTS = {
  en: {
    phone: 'Mobile',
    phoneHint: 'The driver signs in with it.',
    firstName: 'First name',
    firstNameHint: 'Recipients see it on the tracking page.',
    vehicleType: 'Vehicle',
    vehicles: { MOTORCYCLE: 'Motorcycle', CAR: 'Car', VAN: 'Van', TRUCK: 'Truck' },
    cityCode: 'City code',
    activeMax: 'Shipments at once',
    weightKilogramsMax: 'Weight of a shipment, at most (kg)',
    lengthCentimetresMax: 'Length of a piece, at most (cm)',
    capabilities: 'Capabilities',
    capabilitiesHint: 'Codes such as COLD_CHAIN, separated by spaces.',
  },
  ar: {
    phone: 'الجوال',
    phoneHint: 'يسجّل السائق الدخول به.',
    firstName: 'الاسم الأول',
    firstNameHint: 'يراه المستلمون في صفحة التتبع.',
    vehicleType: 'المركبة',
    vehicles: { MOTORCYCLE: 'دراجة نارية', CAR: 'سيارة', VAN: 'سيارة نقل صغيرة', TRUCK: 'شاحنة' },
    cityCode: 'رمز المدينة',
    activeMax: 'عدد الشحنات معًا',
    weightKilogramsMax: 'أقصى وزن للشحنة (كجم)',
    lengthCentimetresMax: 'أقصى طول للقطعة (سم)',
    capabilities: 'القدرات',
    capabilitiesHint: 'رموز مثل COLD_CHAIN تفصل بينها مسافات.',
  },
};

interface DriverFormProps {
  /** The driver as stored, for a form that changes one. */
  readonly current?: DriverDraft;
  readonly work: Work<DriverDraft>;
  readonly reload: () => void;
  readonly back: string;
}

const FIELDS = ['phone', 'firstName', 'cityCode', 'activeMax', 'weightKilogramsMax', 'lengthCentimetresMax'] as const;

/** The terms of a driver. If somebody else changed one meanwhile, its field shows the stored value. */
export function DriverForm({ current, work, reload, back }: DriverFormProps) {
  const text = textsOf(TEXTS);
  const { draft, setDraft, start, kept } = useDraft(current ?? NO_DRIVER, { isChange: current !== undefined });
  const set = (change: Partial<DriverDraft>) => setDraft({ ...draft, ...change });
  const field = (name: Exclude<keyof DriverDraft, 'vehicleType'>, hint?: string) => ({
    label: text[name],
    value: draft[name],
    onChange: (value: string) => set({ [name]: value }),
    error: violationAt(work.failure, name, draft[name]),
    hint: (current === undefined ? undefined : changedHint(start[name], current[name])) ?? hint,
  });
  return (
    <Form kept={kept} onSubmit={() => work.start(draft)}>
      {current === undefined ? <Field {...field('phone', text.phoneHint)} reads={MOBILE} isFirst /> : null}
      <Field {...field('firstName', text.firstNameHint)} />
      <div class="pair">
        <Choice
          label={text.vehicleType}
          value={draft.vehicleType}
          options={VEHICLE_TYPES.map((value) => ({ value, label: text.vehicles[value] }))}
          onChange={(vehicleType) => set({ vehicleType })}
        />
        <CityCodeField {...field('cityCode')} />
      </div>
      <div class="triple">
        <Field {...field('activeMax')} reads={WHOLE} />
        <Field {...field('weightKilogramsMax')} reads={AMOUNT} />
        <Field {...field('lengthCentimetresMax')} reads={AMOUNT} />
      </div>
      <Field {...field('capabilities', text.capabilitiesHint)} dir="ltr" />
      <ChangeFailure work={work} reload={reload} fields={FIELDS} />
      <SaveOrCancel isBusy={work.isBusy} back={back} kept={kept} />
    </Form>
  );
}
