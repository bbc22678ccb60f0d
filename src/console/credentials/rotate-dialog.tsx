import { useState } from 'preact/hooks';
import { Confirm } from '../kit/confirm.tsx';
import { Overlap, type OverlapSeconds } from '../kit/overlap.tsx';
import { type Outputs, service } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';

export type Rotated = Outputs['merchantApiCredential']['rotate'];

const TEXTS = {
  en: {
    title: 'Rotate the secret?',
    verb: 'Rotate',
    consequence:
      'A new secret is shown once. The old one, and tokens obtained with it, stay valid for as long as you choose.',
  },
  ar: {
    title: 'هل تريد تدوير السر؟',
    verb: 'تدوير السر',
    consequence: 'يظهر سر جديد مرة واحدة. ويبقى السر القديم، وما صدر به من رموز وصول، صالحًا للمدة التي تختارها.',
  },
};

interface RotateDialogProps {
  readonly onRotated: (rotated: Rotated) => void;
  readonly onClose: () => void;
}

export function RotateDialog({ onRotated, onClose }: RotateDialogProps) {
  const text = textsOf(TEXTS);
  const [overlap, setOverlap] = useState<OverlapSeconds>('86400');
  const work = useWork(async () => {
    onRotated(await service.merchantApiCredential.rotate.mutate({ overlapSeconds: Number(overlap) }));
  });
  return (
    <Confirm title={text.title} verb={text.verb} work={work} isDanger={false} onDone={onClose} onClose={onClose}>
      <p>{text.consequence}</p>
      <Overlap value={overlap} onChange={setOverlap} />
    </Confirm>
  );
}
