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
    never: 'No position yet',
  },
  ar: {
    ACTIVE: 'نشط',
    INACTIVE: 'غير نشط',
    onDuty: 'في المناوبة',
    offDuty: 'خارج المناوبة',
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

export function DutyPill({ isOn }: { readonly isOn: boolean }) {
  const text = textsOf(TEXTS);
  return <Pill tone={isOn ? 'running' : 'over'}>{isOn ? text.onDuty : text.offDuty}</Pill>;
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
