import { Pill } from '../../ui/state.tsx';
import { textsOf } from '../base/locale.ts';
import { latinDigits } from '../kit/typed-values.ts';

const TEXTS = {
  en: { ACTIVE: 'Active', INACTIVE: 'Inactive' },
  ar: { ACTIVE: 'نشط', INACTIVE: 'غير نشط' },
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
