import { arabicNoun } from '../../core/locale.ts';
import { formatCount, formatTime, textsOf } from '../../ui/browser/base/locale.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';

export type Dispatch = Outputs['shipments']['dispatch'];

const TEXTS = {
  en: {
    asked: (times: number) =>
      times === 1
        ? 'One driver asked'
        : times === 2
          ? 'Drivers asked twice'
          : `Drivers asked ${formatCount(times)} times`,
    next: (time: string) => `next look ${time}`,
    end: (time: string) => `we stop at ${time}`,
    comma: ', ',
  },
  ar: {
    asked: (times: number) => {
      if (times === 1) return 'عُرضت على سائق واحد';
      if (times === 2) return 'عُرضت على السائقين مرتين';
      return `عُرضت على السائقين ${formatCount(times)} ${arabicNoun(times, { plural: 'مرات', singular: 'مرة' })}`;
    },
    next: (time: string) => `البحث التالي ${time}`,
    end: (time: string) => `نتوقف عن البحث ${time}`,
    comma: '، ',
  },
};

/**
 * Where a search stands: how often drivers were asked, when the service looks next, and when it stops. A driver is asked
 * again when all others were, so offers are counted, not drivers.
 */
export function searchText(offers: number, times?: Pick<Dispatch, 'nextLookAt' | 'givesUpAt'>): string {
  const text = textsOf(TEXTS);
  const { nextLookAt = null, givesUpAt = null } = times ?? {};
  const parts = [
    ...(offers === 0 ? [] : [text.asked(offers)]),
    ...(nextLookAt === null ? [] : [text.next(formatTime(nextLookAt))]),
    ...(givesUpAt === null ? [] : [text.end(formatTime(givesUpAt))]),
  ];
  const whole = parts.join(text.comma);
  return whole.slice(0, 1).toUpperCase() + whole.slice(1);
}
