import type { Locale } from '../../core/locale.ts';

/** Why somebody sees no map, or not the whole of it. */
export type MapTrouble = 'unable' | 'away' | 'partly';

interface MapWords {
  readonly pin: string;
  readonly toMiddle: string;
  /** Of the canvas. */
  readonly keys: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly wheel: string;
  readonly wheelOnMac: string;
  readonly fingers: string;
  readonly troubles: Readonly<Record<MapTrouble, string>>;
}

export const MAP_WORDS: Readonly<Record<Locale, MapWords>> = {
  en: {
    pin: 'Pin. Arrow keys move it.',
    toMiddle: 'Put the pin in the middle of the map',
    keys: 'Arrow keys move the map. + and - zoom.',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    wheel: 'Hold Ctrl and scroll to zoom the map',
    wheelOnMac: 'Hold ⌘ and scroll to zoom the map',
    fingers: 'Use two fingers to move the map',
    troubles: {
      unable: 'This browser cannot show the map.',
      away: 'The map is not available now.',
      partly: 'Some parts of the map are missing now. The page tries again by itself.',
    },
  },
  ar: {
    pin: 'الدبوس. حرّكه بمفاتيح الأسهم.',
    toMiddle: 'ضع الدبوس في وسط الخريطة',
    keys: 'مفاتيح الأسهم تحرّك الخريطة، و+ و- للتكبير والتصغير.',
    zoomIn: 'تكبير',
    zoomOut: 'تصغير',
    wheel: 'اضغط Ctrl مع التمرير لتكبير الخريطة',
    wheelOnMac: 'اضغط ⌘ مع التمرير لتكبير الخريطة',
    fingers: 'حرّك الخريطة بإصبعين',
    troubles: {
      unable: 'لا يستطيع هذا المتصفح عرض الخريطة.',
      away: 'الخريطة غير متاحة الآن.',
      partly: 'بعض أجزاء الخريطة غير متاحة الآن. تعيد الصفحة المحاولة تلقائيًا.',
    },
  },
};
