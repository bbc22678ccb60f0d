import { Pill } from '../../ui/state.tsx';
import { textsOf } from '../base/locale.ts';
import { Ago, Exact } from '../kit/text.tsx';
import { latinDigits } from '../kit/typed-values.ts';
import type { Outputs } from '../service/calls.ts';

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

/** The codes of a list as people type it: separated by spaces, commas (also Arabic ones) or lines. */
export function codesOf(typed: string): string[] {
  return typed.split(/[\s,،]+/).filter((code) => code !== '');
}

/** A whole number as it was typed. The service reports anything else: NaN becomes null on the way. */
export function numberOf(typed: string): number {
  return typed.trim() === '' ? Number.NaN : Number(latinDigits(typed));
}
