import { textsOf } from '../shell/locale.ts';
import { Choice } from './field.tsx';

const TEXTS = {
  en: {
    label: 'The old secret stays valid for',
    '0': 'no longer: it ends now',
    '3600': 'one hour',
    '86400': 'one day',
    '259200': 'three days',
    '604800': 'seven days',
  },
  ar: {
    label: 'يبقى السر القديم صالحًا لمدة',
    '0': 'ينتهي الآن',
    '3600': 'ساعة واحدة',
    '86400': 'يوم واحد',
    '259200': 'ثلاثة أيام',
    '604800': 'سبعة أيام',
  },
};
/** From nothing to the week that the service allows. */
const CHOICES = ['0', '3600', '86400', '259200', '604800'] as const;
export type OverlapSeconds = (typeof CHOICES)[number];

interface OverlapProps {
  readonly value: OverlapSeconds;
  readonly onChange: (value: OverlapSeconds) => void;
}

/** How long a secret stays valid beside its successor. */
export function Overlap({ value, onChange }: OverlapProps) {
  const text = textsOf(TEXTS);
  const options = CHOICES.map((seconds) => ({ value: seconds, label: text[seconds] }));
  return <Choice label={text.label} value={value} options={options} onChange={onChange} />;
}
