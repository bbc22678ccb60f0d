import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import type { CallFailure } from '../../ui/browser/service/failure.ts';

const TEXTS = {
  en: {
    exists: 'A shipment with this reference exists already:',
    refused: 'Please correct the marked fields.',
    marked: (count: number) => `Marked fields: ${count}`,
  },
  ar: {
    exists: 'توجد شحنة بهذا الرقم المرجعي:',
    refused: 'يُرجى تصحيح الحقول المؤشَّر عليها.',
    marked: (count: number) => `الحقول المؤشَّر عليها: ${count}`,
  },
};

interface FailureProps {
  readonly failure: CallFailure;
  /** Whether the form shows the violations of a field at the field. */
  readonly isShownAtField: (field: string) => boolean;
  readonly retry: () => void;
  readonly reload: () => void;
}

/** Shows why a shipment was not created, without the violations that the fields show themselves. */
export function CreationFailure({ failure, isShownAtField, retry, reload }: FailureProps) {
  const text = textsOf(TEXTS);
  const { existing } = failure.problem ?? {};
  const violations = failure.violations.filter(({ field }) => !isShownAtField(field));
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
