import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/empty.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { type Outputs, service } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { NewSecret } from './new-secret.tsx';

const TEXTS = {
  en: { empty: 'Your company has no credential yet. Its systems cannot sign in.', create: 'Issue the credential' },
  ar: {
    empty: 'ليس لشركتك بيانات اعتماد بعد، فلا تستطيع أنظمتها تسجيل الدخول.',
    create: 'إصدار بيانات الاعتماد',
  },
};

/** Issues the credential where there is none, and shows its secret this once. */
export function Issue({ reload }: { readonly reload: () => void }) {
  const text = textsOf(TEXTS);
  const [issued, setIssued] = useState<Outputs['merchantApiCredential']['create']>();
  const work = useWork(async () => setIssued(await service.merchantApiCredential.create.mutate({})));
  if (issued !== undefined) return <NewSecret issued={issued} onStored={reload} />;
  return (
    <>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      <Empty text={text.empty}>
        <Button kind="primary" isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
          {text.create}
        </Button>
      </Empty>
    </>
  );
}
