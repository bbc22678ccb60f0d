import { arabicNoun } from '../../core/locale.ts';
import { formatCount, formatTime, textsOf } from '../../ui/browser/base/locale.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';

export type Dispatch = Outputs['shipments']['dispatch'];

const TEXTS = {
  en: {
    asked: (times: number) =>
      times === 1
        ? 'One driver was asked.'
        : times === 2
          ? 'Drivers were asked twice.'
          : `Drivers were asked ${formatCount(times)} times.`,
    next: (time: string) => `The next search is at ${time}.`,
    end: (time: string) => `The search ends at ${time}.`,
  },
  ar: {
    asked: (times: number) => {
      if (times === 1) return 'عُرضت الشحنة على سائق واحد.';
      if (times === 2) return 'عُرضت الشحنة على السائقين مرتين.';
      return `عُرضت الشحنة على السائقين ${formatCount(times)} ${arabicNoun(times, { plural: 'مرات', singular: 'مرة' })}.`;
    },
    next: (time: string) => `البحث التالي في ${time}.`,
    end: (time: string) => `ينتهي البحث في ${time}.`,
  },
};

/**
 * Where a search stands, in sentences: how often drivers were asked, when the service looks next, and when it stops. A
 * driver is asked again when all others were, so offers are counted, not drivers.
 */
export function searchText(offers: number, times?: Pick<Dispatch, 'nextLookAt' | 'givesUpAt'>): string {
  const text = textsOf(TEXTS);
  const { nextLookAt = null, givesUpAt = null } = times ?? {};
  return [
    ...(offers === 0 ? [] : [text.asked(offers)]),
    ...(nextLookAt === null ? [] : [text.next(formatTime(nextLookAt))]),
    ...(givesUpAt === null ? [] : [text.end(formatTime(givesUpAt))]),
  ].join(' ');
}
