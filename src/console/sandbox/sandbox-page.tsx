import type { Deployment } from '../../core/deployment.ts';
import { PageHead } from '../kit/page-head.tsx';
import { WhenLoaded } from '../kit/when-loaded.tsx';
import { service } from '../service/service.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { CodeInbox } from './code-inbox.tsx';
import { Faults } from './faults.tsx';
import { Hold } from './hold.tsx';
import { NewestShipments } from './newest-shipments.tsx';
import { Readiness } from './readiness.tsx';
import { Reset } from './reset.tsx';

const TEXTS = {
  en: {
    title: 'Sandbox',
    lead: 'Real states and real events, with a driver in your hand. Nobody is paid and nobody comes.',
  },
  ar: {
    title: 'البيئة التجريبية',
    lead: 'حالات حقيقية وأحداث حقيقية، والسائق بين يديك. لا أحد يدفع ولا أحد يأتي.',
  },
};

interface SandboxPageProps {
  readonly deployment: Deployment;
  readonly cursor: string | undefined;
}

/** What is there to play with, and the shipments to play with. */
export function SandboxPage({ deployment, cursor }: SandboxPageProps) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded('readiness', () => service.sandbox.readiness.query({}));
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WhenLoaded loaded={loaded}>
        {(readiness) => (
          <>
            <Readiness readiness={readiness} reload={loaded.reload} />
            <NewestShipments readiness={readiness} cursor={cursor} onCreated={loaded.reload} />
            <Hold readiness={readiness} reload={loaded.reload} />
            <Faults />
            {deployment === 'local' ? <CodeInbox /> : null}
            <Reset generation={readiness.generation} reload={loaded.reload} />
          </>
        )}
      </WhenLoaded>
    </>
  );
}
