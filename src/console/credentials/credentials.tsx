import { useState } from 'preact/hooks';
import { FRESH_MINUTES } from '../../core/limits.ts';
import { serviceNow } from '../../ui/browser/base/company-clock.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import type { AreaProps } from '../../ui/browser/base/navigation.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Empty, NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { failureOf } from '../../ui/browser/service/failure.ts';
import { useLoaded, useWork } from '../../ui/browser/service/loading.ts';
import { useIsOwner } from '../session/session.tsx';
import { CredentialSection } from './credential.tsx';
import { NewSecret } from './new-secret.tsx';

type Session = Outputs['sessions']['current'];

const TEXTS = {
  en: {
    title: 'API credential',
    lead: 'Your systems sign in with it. A company has one credential. Its scopes say what your systems may do. They may read the request log only if you allow it.',
    locked: `Anyone who has it can act for your company. To see it, confirm your identity with a code. The confirmation lasts ${FRESH_MINUTES} minutes.`,
    show: 'Show the credential',
    member: 'Only an owner of the company can see and change the credential.',
  },
  ar: {
    title: 'بيانات اعتماد API',
    lead: 'تسجّل بها أنظمتك الدخول. لكل شركة بيانات اعتماد واحدة، تحدد صلاحياتها ما يجوز لأنظمتك فعله. ولا تقرأ أنظمتك سجل الطلبات إلا إذا سمحت بذلك.',
    locked: `من يملكها يستطيع التصرف باسم شركتك. لعرضها أكّد هويتك برمز تحقق نرسله إليك. يسري التأكيد ${FRESH_MINUTES} دقائق.`,
    show: 'إظهار بيانات الاعتماد',
    member: 'لا يستطيع الاطلاع على بيانات الاعتماد أو تغييرها إلا أحد مالكي الشركة.',
  },
};

/** The credential of the company. The code is asked for when a person wants to see it, not when they open the page. */
export function Credentials({ address: { id } }: AreaProps) {
  const text = textsOf(TEXTS);
  const isOwner = useIsOwner();
  const current = useLoaded('session', () => service.sessions.current.query({}));
  if (id !== undefined) return <NoSuchPage />;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {isOwner ? (
        <WhenLoaded loaded={current}>{(known) => <Locked isOpen={isFresh(known)} />}</WhenLoaded>
      ) : (
        <p class="notice">{text.member}</p>
      )}
    </>
  );
}

function isFresh({ assuranceLevel, freshUntil }: Session): boolean {
  return assuranceLevel === 'AAL2' && freshUntil !== null && Date.parse(freshUntil) > serviceNow();
}

function Locked({ isOpen }: { readonly isOpen: boolean }) {
  const text = textsOf(TEXTS);
  const [isWanted, setIsWanted] = useState(isOpen);
  const unlock = useWork(readCredential);
  if (isWanted) return <Unlocked />;
  const show = async () => {
    if (await unlock.start(undefined)) setIsWanted(true);
  };
  return (
    <section class="locked">
      <p>{text.locked}</p>
      {unlock.failure === undefined ? null : <ProblemNotice failure={unlock.failure} />}
      <Button kind="primary" isBusy={unlock.isBusy} onClick={() => void show()}>
        {text.show}
      </Button>
    </section>
  );
}

function Unlocked() {
  const loaded = useLoaded('credential', readCredential);
  return (
    <WhenLoaded loaded={loaded}>
      {({ credential }) =>
        credential === undefined ? (
          <Issue reload={loaded.reload} />
        ) : (
          <CredentialSection key={credential.credentialId} credential={credential} reload={loaded.reload} />
        )
      }
    </WhenLoaded>
  );
}

/** The credential, or undefined if the company has none. */
async function readCredential() {
  try {
    return { credential: await service.merchantApiCredential.get.query({}) };
  } catch (error) {
    if (failureOf(error).code !== 'RESOURCE_NOT_FOUND') throw error;
    return { credential: undefined };
  }
}

const ISSUE_TEXTS = {
  en: { empty: 'Your company has no credential yet, so its systems cannot sign in.', create: 'Issue the credential' },
  ar: {
    empty: 'ليس لشركتك بيانات اعتماد بعد، فلا تستطيع أنظمتها تسجيل الدخول.',
    create: 'إصدار بيانات الاعتماد',
  },
};

/** Issues the credential and shows its secret once. */
export function Issue({ reload }: { readonly reload: () => void }) {
  const text = textsOf(ISSUE_TEXTS);
  const [issued, setIssued] = useState<Outputs['merchantApiCredential']['create']>();
  const work = useWork(async () => setIssued(await service.merchantApiCredential.create.mutate({})));
  if (issued !== undefined) return <NewSecret issued={issued} onStored={reload} />;
  return (
    <>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      <Empty text={text.empty}>
        <Button kind="primary" isForCompany isBusy={work.isBusy} onClick={() => void work.start(undefined)}>
          {text.create}
        </Button>
      </Empty>
    </>
  );
}
