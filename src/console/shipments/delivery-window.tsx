import type { WindowStatus } from '../../contract/window-state.ts';
import type { LocalText } from '../../core/locale.ts';
import { formatRange, locale, textsOf } from '../../ui/browser/base/locale.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';

const TEXTS = { en: { window: 'Delivery window' }, ar: { window: 'فترة التوصيل' } };

const STATUS_WORDS: Readonly<Record<WindowStatus, LocalText>> = {
  ASKED: { en: 'asked for, no driver has agreed yet', ar: 'مطلوبة، ولم يوافق عليها سائق بعد' },
  AGREED: { en: 'agreed with the driver', ar: 'وافق عليها السائق' },
  MET: { en: 'met', ar: 'وصل السائق فيها' },
  MISSED: { en: 'missed', ar: 'لم يصل السائق فيها' },
};

/** The delivery window of a shipment and what became of it. */
export function DeliveryWindow({ window }: Pick<Outputs['deliveryWindows']['get'], 'window'>) {
  if (window === null) return null;
  return (
    <li>
      <span class="quiet">{textsOf(TEXTS).window}</span> <bdi>{formatRange(window.start, window.end)}</bdi>
      {' · '}
      {STATUS_WORDS[window.status][locale]}
    </li>
  );
}
