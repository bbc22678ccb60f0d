import { useState } from 'preact/hooks';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { OVERLAP_DEFAULT, Overlap, type OverlapSeconds } from '../../ui/browser/kit/secret.tsx';
import { Countdown, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { showToast } from '../../ui/browser/kit/toasts.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { useIsOwner } from '../session/session.tsx';
import { type Endpoint, inFlightWords } from './words.tsx';

const TEXTS = {
  en: {
    title: 'Signing secret',
    hint: 'The current secret ends with',
    both: 'The previous secret also signs, for another',
    until: 'until',
    rotate: 'Rotate',
    question: 'Create a new signing secret?',
    consequence:
      'For the time that you choose, both secrets sign every delivery, so that your receiver can switch without failures.',
  },
  ar: {
    title: 'سر التوقيع',
    hint: 'ينتهي السر الحالي بـ',
    both: 'يبقى التوقيع بالسر السابق أيضًا لمدة',
    until: 'حتى',
    rotate: 'تدوير السر',
    question: 'هل تريد إنشاء سر توقيع جديد؟',
    consequence: 'طوال المدة التي تختارها يُوقَّع كل تسليم بالسرّين معًا، لينتقل نظامك إلى السر الجديد دون إخفاقات.',
  },
};

interface RotationProps {
  readonly endpoint: Endpoint;
  readonly onRotated: (signingSecret: string) => void;
}

/** The end of the signing secret, its rotation, and how long the previous secret stays valid. */
export function Rotation({ endpoint, onRotated }: RotationProps) {
  const text = textsOf(TEXTS);
  const { endpointId, secretHint, previousSecretExpiresAt: until } = endpoint;
  const [isAsking, setIsAsking] = useState(false);
  const [overlap, setOverlap] = useState<OverlapSeconds>(OVERLAP_DEFAULT);
  const work = useWork(async () => {
    const order = { endpointId, overlapSeconds: Number(overlap) };
    const { signingSecret, inFlight } = await service.webhookEndpoints.rotateSecret.mutate(order);
    onRotated(signingSecret);
    if (inFlight !== undefined && inFlight > 0) showToast(inFlightWords(inFlight));
  });
  const rotate = useIsOwner() ? <Button onClick={() => setIsAsking(true)}>{text.rotate}</Button> : null;
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p>
        {text.hint} <Exact>{`…${secretHint}`}</Exact>
      </p>
      {until === null ? (
        rotate
      ) : (
        <p>
          {text.both} <Countdown until={until} />{' '}
          <span class="quiet">
            ({text.until} <Moment at={until} />)
          </span>
        </p>
      )}
      {isAsking ? (
        <Confirm
          title={text.question}
          verb={text.rotate}
          work={work}
          isDanger={false}
          isForCompany
          onDone={() => setIsAsking(false)}
          onClose={() => setIsAsking(false)}
        >
          <p>{text.consequence}</p>
          <Overlap value={overlap} onChange={setOverlap} />
        </Confirm>
      ) : null}
    </section>
  );
}
