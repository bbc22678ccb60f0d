import type { ComponentChildren } from 'preact';
import type { ShipmentState } from '../contract/shipment-state.ts';
import type { LocalText } from '../core/locale.ts';

/** The colour and icon of a state: in progress, waiting, success, failure, ended. */
export type Tone = 'running' | 'waiting' | 'good' | 'bad' | 'over';

interface StateWords {
  readonly label: LocalText;
  readonly tone: Tone;
}

/** The states of a shipment, in words for merchants. */
export const STATE_WORDS: Readonly<Record<ShipmentState, StateWords>> = {
  PENDING_APPROVAL: { label: { en: 'Awaiting approval', ar: 'بانتظار الموافقة' }, tone: 'waiting' },
  READY_FOR_DISPATCH: { label: { en: 'Looking for a driver', ar: 'جارٍ البحث عن سائق' }, tone: 'waiting' },
  OFFERED: { label: { en: 'Offered to a driver', ar: 'معروضة على سائق' }, tone: 'waiting' },
  ACCEPTED: { label: { en: 'Driver on the way to pick up', ar: 'السائق في طريقه للاستلام' }, tone: 'running' },
  DISPATCH_UNRESOLVED: { label: { en: 'No driver found', ar: 'لم يُعثر على سائق' }, tone: 'bad' },
  PICKED_UP: { label: { en: 'Picked up', ar: 'تم الاستلام من المتجر' }, tone: 'running' },
  OUT_FOR_DELIVERY: { label: { en: 'Out for delivery', ar: 'في الطريق إلى المستلم' }, tone: 'running' },
  DELIVERED: { label: { en: 'Delivered', ar: 'تم التوصيل' }, tone: 'good' },
  DELIVERY_FAILED: { label: { en: 'Delivery failed', ar: 'تعذّر التوصيل' }, tone: 'bad' },
  CANCELLED: { label: { en: 'Cancelled', ar: 'ملغاة' }, tone: 'over' },
};

/** One icon for each tone, because not everyone can tell the colours apart. */
const SHAPES: Readonly<Record<Tone, string>> = {
  running: 'M3 8h8M8 4l4 4-4 4',
  waiting: 'M8 4v4l3 2M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z',
  good: 'M3 8.5l3.5 3.5L13 4.5',
  bad: 'M8 3v6M8 12.5v.5',
  over: 'M4 4l8 8M12 4l-8 8',
};

/** A state, shown by icon, word and colour together. */
export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class={`pill ${tone}`}>
      <svg
        viewBox="0 0 16 16"
        width="14"
        height="14"
        aria-hidden="true"
        focusable="false"
        class={tone === 'running' ? 'onward' : undefined}
      >
        <path
          d={SHAPES[tone]}
          fill="none"
          stroke="currentColor"
          stroke-width="2"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
      {/* With a key, the element is replaced, and not only its text, which a translation may have replaced. */}
      <span key={typeof children === 'string' ? children : undefined}>{children}</span>
    </span>
  );
}
