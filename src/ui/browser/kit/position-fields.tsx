import type { ComponentChildren } from 'preact';
import { textsOf } from '../base/locale.ts';
import { Field } from './field.tsx';
import { DEGREES } from './number-readers.ts';
import { isLink, type Position, positionIn } from './pasted-position.ts';

const TEXTS = {
  en: {
    hint: 'Or paste 24.79, 46.62 or a map link here: it fills latitude and longitude.',
    link: 'This link does not contain the position. Open it, and copy the long address.',
  },
  ar: {
    hint: 'أو الصق هنا \u206624.79, 46.62\u2069 أو رابط خريطة، فيُملأ خط العرض وخط الطول.',
    link: 'لا يحتوي هذا الرابط على الموقع. افتحه وانسخ العنوان الطويل.',
  },
};

interface Degrees {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface PositionProps {
  readonly latitude: Degrees;
  readonly longitude: Degrees;
  readonly onPosition: (position: Position) => void;
}

/** Latitude and longitude. What is pasted into one of them can fill both. */
export function PositionFields({ latitude, longitude, onPosition }: PositionProps) {
  const text = textsOf(TEXTS);
  const onPaste = (pasted: string) => {
    const position = positionIn(pasted);
    if (position !== undefined) onPosition(position);
    return position !== undefined;
  };
  const shared = { reads: DEGREES, onPaste };
  const errorOf = ({ value, error }: Degrees) => (isLink(value) ? text.link : error);
  return (
    <>
      <Field {...latitude} {...shared} hint={latitude.hint ?? text.hint} error={errorOf(latitude)} />
      <Field {...longitude} {...shared} error={errorOf(longitude)} />
    </>
  );
}
