import { ProblemNotice } from '../kit/problem-notice.tsx';
import type { Failure } from '../service/failure.ts';
import { Link } from '../shell/link.tsx';
import { textsOf } from '../shell/locale.ts';
import { addressOf } from '../shell/place.ts';
import { DRAFT_FIELDS, ITEM_FIELDS } from './shipment-draft.ts';

const TEXTS = {
  en: {
    exists: 'There is a shipment with this reference already:',
    refused: 'Some fields need another look.',
    marked: (count: number) => `Marked: ${count}`,
  },
  ar: {
    exists: 'توجد شحنة بهذا المرجع:',
    refused: 'بعض الحقول تحتاج إلى مراجعة.',
    marked: (count: number) => `الحقول المؤشَّر عليها: ${count}`,
  },
};
const SHOWN_AT_FIELDS: readonly RegExp[] = [
  new RegExp(`^(?:${DRAFT_FIELDS.join('|').replaceAll('.', '\\.')}|paymentMethod)$`),
  new RegExp(`^items\\[\\d+\\]\\.(?:${ITEM_FIELDS.join('|')})$`),
  /^requirements\[\d+\]$/,
];

interface FailureProps {
  readonly failure: Failure;
  readonly retry: () => void;
  readonly reload: () => void;
}

/** Why a shipment was not created. What stands at a field is not said again. */
export function CreationFailure({ failure, retry, reload }: FailureProps) {
  const text = textsOf(TEXTS);
  const { existing } = failure.problem ?? {};
  const violations = failure.violations.filter(({ field }) => !SHOWN_AT_FIELDS.some((shown) => shown.test(field)));
  const marked = failure.violations.length - violations.length;
  const refused = { ...failure, title: text.refused, detail: text.marked(marked), violations };
  return (
    <>
      {marked > 0 ? (
        <ProblemNotice failure={refused} />
      ) : (
        <ProblemNotice failure={failure} retry={retry} reload={reload} />
      )}
      {existing === undefined ? null : (
        <p>
          {text.exists}{' '}
          <Link to={addressOf(`shipments/${existing.shipmentId}`)}>
            <bdi dir="ltr">{existing.shipmentNumber}</bdi>
          </Link>
        </p>
      )}
    </>
  );
}
