import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { WhenLoaded } from '../kit/when-loaded.tsx';
import { failureOf } from '../service/failure.ts';
import { type Outputs, service } from '../service/service.ts';
import { useLoaded, useWork } from '../service/use-loaded.ts';
import { useSession } from '../session/session-gate.tsx';
import type { AreaProps } from '../shell/areas.tsx';
import { textsOf } from '../shell/locale.ts';
import { NoSuchPage } from '../shell/no-such-page.tsx';
import { Credential } from './credential.tsx';
import { Issue } from './issue.tsx';
import './credentials.css';

type Session = Outputs['sessions']['current'];

const TEXTS = {
  en: {
    title: 'API credential',
    lead: 'What your systems sign in with. There is one for the company, and it may do all that they may.',
    locked:
      'Whoever has it can act for your company. So it is shown after a second proof, a code that is sent to you, which holds for ten minutes.',
    show: 'Show the credential',
    member: 'Only an owner of the company may see and change the credential.',
  },
  ar: {
    title: 'بيانات اعتماد الواجهة',
    lead: 'ما تسجّل به أنظمتك الدخول. لكل شركة بيانات اعتماد واحدة، تتيح كل ما يُسمح لأنظمتها به.',
    locked: 'من يملكها يستطيع التصرف باسم شركتك. لذلك لا تظهر إلا بعد إثبات ثانٍ برمز يُرسل إليك، ويسري عشر دقائق.',
    show: 'إظهار بيانات الاعتماد',
    member: 'لا يطّلع على بيانات الاعتماد ولا يغيّرها إلا مالك في الشركة.',
  },
};

/** The one credential of the company. A code is asked for when somebody wants it, not because he came by. */
export function Credentials({ place: { id } }: AreaProps) {
  const text = textsOf(TEXTS);
  const { session } = useSession();
  const current = useLoaded('session', () => service.sessions.current.query({}));
  if (id !== undefined) return <NoSuchPage />;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {session.person.role === 'OWNER' ? (
        <WhenLoaded loaded={current}>{(known) => <Locked isOpen={isFresh(known)} />}</WhenLoaded>
      ) : (
        <p class="notice">{text.member}</p>
      )}
    </>
  );
}

function isFresh({ assuranceLevel, freshUntil }: Session): boolean {
  return assuranceLevel === 'AAL2' && freshUntil !== null && Date.parse(freshUntil) > Date.now();
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
          <Credential key={credential.credentialId} credential={credential} reload={loaded.reload} />
        )
      }
    </WhenLoaded>
  );
}

/** The credential, or that there is none, which is no failure here. */
async function readCredential() {
  try {
    return { credential: await service.merchantApiCredential.get.query({}) };
  } catch (error) {
    if (failureOf(error).code !== 'RESOURCE_NOT_FOUND') throw error;
    return { credential: undefined };
  }
}
