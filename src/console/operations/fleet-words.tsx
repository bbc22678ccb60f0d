import type { ComponentProps } from 'preact';
import { NAMED_CITIES } from '../../core/names.ts';
import { cityOf } from '../../core/typed/city.ts';
import { readCode } from '../../core/typed/text.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Field } from '../../ui/browser/kit/field.tsx';
import type { Reader } from '../../ui/browser/kit/readers.ts';
import { Ago, Exact } from '../../ui/browser/kit/text.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { Pill } from '../../ui/state.tsx';

const TEXTS = {
  en: {
    ACTIVE: 'Active',
    INACTIVE: 'Inactive',
    onDuty: 'On duty',
    offDuty: 'Off duty',
    OFFERS_MISSED: 'Let three offers in a row run out',
    SILENT: 'Silent for half an hour',
    never: 'No position yet',
  },
  ar: {
    ACTIVE: 'نشط',
    INACTIVE: 'غير نشط',
    onDuty: 'في المناوبة',
    offDuty: 'خارج المناوبة',
    OFFERS_MISSED: 'انتهت ثلاثة عروض متتالية دون رد',
    SILENT: 'لم يصل منه شيء منذ نصف ساعة',
    never: 'لا يوجد موقع بعد',
  },
};

export type FleetStatus = 'ACTIVE' | 'INACTIVE';

/** Whether a driver or a service level may get new shipments. */
export function FleetPill({ status }: { readonly status: FleetStatus }) {
  return (
    <span class="calm">
      <Pill tone={status === 'ACTIVE' ? 'good' : 'over'}>{textsOf(TEXTS)[status]}</Pill>
    </span>
  );
}

type Duty = Pick<Outputs['operations']['drivers']['get'], 'onDuty' | 'offDutyReason'>;

/** Whether a driver is on duty, and why the service ended the duty. */
export function DutyPill({ onDuty, offDutyReason }: Duty) {
  const text = textsOf(TEXTS);
  return (
    <>
      <Pill tone={onDuty ? 'running' : 'over'}>{onDuty ? text.onDuty : text.offDuty}</Pill>
      {offDutyReason === null ? null : <span class="quiet"> {text[offDutyReason]}</span>}
    </>
  );
}

/** A driver's last position and its age. */
export function LastSeen({ position }: Pick<Outputs['operations']['drivers']['get'], 'position'>) {
  if (position === null) return <span class="quiet">{textsOf(TEXTS).never}</span>;
  return (
    <>
      <Exact>{`${position.latitude}, ${position.longitude}`}</Exact>{' '}
      {position.recordedAt === null ? null : <Ago at={position.recordedAt} />}
    </>
  );
}

export function fleetStatusOptions() {
  const text = textsOf(TEXTS);
  return (['ACTIVE', 'INACTIVE'] as const).map((value) => ({ value, label: text[value] }));
}

const CITY_CODE: Reader = { read: (typed) => cityOf(NAMED_CITIES, typed)?.cityCode ?? readCode(typed) };

/** A city by its code, or by its name in either language. */
export function CityCodeField(props: Omit<ComponentProps<typeof Field>, 'reads'>) {
  return <Field {...props} reads={CITY_CODE} />;
}
