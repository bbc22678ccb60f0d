import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import type { ShipmentState } from '../../../../src/contract/shipment-state.ts';
import type { TrackedEventType } from '../../../../src/contract/tracking.ts';
import { Progress } from '../../../../src/http/web/tracking/parcel.tsx';
import { stepsOf } from '../../../../src/http/web/tracking/steps.ts';

const WAY: readonly TrackedEventType[] = [
  'shipment.created',
  'shipment.approved',
  'shipment.accepted',
  'shipment.picked_up',
  'shipment.out_for_delivery',
  'shipment.delivered',
];
const at = (index: number) => `2026-11-21T09:0${index}:00.000000Z`;
const timelineOf = (types: readonly TrackedEventType[]) =>
  types.map((type, index) => ({ type, label: '', occurredAt: at(index) }));
const shown = (state: ShipmentState, step: number, types: readonly TrackedEventType[]) =>
  stepsOf({ state, step, timeline: timelineOf(types) }).map(
    ({ name, status, occurredAt }) => `${name} ${status} ${occurredAt?.slice(15, 16) ?? '-'}`,
  );

describe('the steps of a parcel', () => {
  it.each([
    ['PENDING_APPROVAL', 1, 1, ['ordered current 0', 'driver ahead -', 'picked_up ahead -']],
    ['READY_FOR_DISPATCH', 1, 2, ['ordered current 0', 'driver ahead -', 'picked_up ahead -']],
    ['ACCEPTED', 2, 3, ['ordered done 0', 'driver current 2', 'picked_up ahead -']],
    ['PICKED_UP', 3, 4, ['ordered done 0', 'driver done 2', 'picked_up current 3']],
  ] as const)('%s: done, current and future steps', (state, step, events, expected) => {
    const steps = shown(state, step, WAY.slice(0, events));
    expect(steps.slice(0, 3)).toEqual(expected);
    expect(steps.slice(3)).toEqual(['out ahead -', 'delivered ahead -']);
  });

  it('are all done at the end', () => {
    expect(shown('DELIVERED', 5, WAY)).toEqual([
      'ordered done 0',
      'driver done 2',
      'picked_up done 3',
      'out done 4',
      'delivered done 5',
    ]);
  });

  it('end with the failure or cancellation', () => {
    expect(shown('DELIVERY_FAILED', 4, [...WAY.slice(0, 5), 'shipment.delivery_failed'])).toEqual([
      'ordered done 0',
      'driver done 2',
      'picked_up done 3',
      'out done 4',
      'failed failed 5',
    ]);
    expect(shown('CANCELLED', 1, ['shipment.created', 'shipment.cancelled'])).toEqual([
      'ordered done 0',
      'cancelled cancelled 1',
    ]);
  });

  it('show the last driver, not one who returned the shipment', () => {
    const types = [...WAY.slice(0, 3), 'shipment.driver_released', 'shipment.accepted'] as const;
    expect(shown('ACCEPTED', 2, types)[1]).toBe('driver current 4');
    expect(shown('READY_FOR_DISPATCH', 1, types.slice(0, 4))[1]).toBe('driver ahead -');
  });
});

describe('the times of the steps', () => {
  const times = (locale: 'en' | 'ar', instants: readonly string[]) => {
    const timeline = timelineOf(WAY).map((entry, index) => ({ ...entry, occurredAt: instants[index] ?? at(index) }));
    const view = { tracking: { state: 'DELIVERED', step: 5, timeline } } as never;
    return [...renderToString(h(Progress, { view, locale })).matchAll(/<time[^>]*>([^<]*)</g)].map(([, text]) => text);
  };

  it('have their day once, by the day of Riyadh', () => {
    const evening = ['20:10', '20:11', '20:30', '20:59', '21:01', '21:02'].map(
      (time) => `2026-11-21T${time}:00.000000Z`,
    );
    expect(times('en', evening)).toEqual([
      'Saturday 21 November, 23:10',
      '23:30',
      '23:59',
      'Sunday 22 November, 00:01',
      '00:02',
    ]);
    expect(times('ar', evening).map((text) => text?.includes('نوفمبر'))).toEqual([true, false, false, true, false]);
  });
});
