import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { NAMED_CITIES } from '../../core/names.ts';
import { cityOf } from '../../core/typed/city.ts';
import { readCode } from '../../core/typed/text.ts';
import { Pill } from '../../ui/state.tsx';
import { textsOf } from '../base/locale.ts';
import { Field } from '../kit/field.tsx';
import { Ago, Exact } from '../kit/text.tsx';
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

interface CityCodeProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (code: string) => void;
}

/** A city by its code, or by its name in either language. */
export function CityCodeField({ value, onChange, ...about }: CityCodeProps) {
  const [typed, setTyped] = useState<string>();
  const codeOf = (text: string) => cityOf(NAMED_CITIES, text)?.cityCode ?? readCode(text);
  return (
    <Field
      {...about}
      value={typed !== undefined && codeOf(typed) === value ? typed : value}
      onChange={(text) => {
        setTyped(text);
        onChange(codeOf(text));
      }}
    />
  );
}
