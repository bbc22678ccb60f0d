import type { Deployment } from '../../core/deployment.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import type { AreaProps } from '../../ui/browser/base/navigation.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { NoSuchPage, PageHead } from '../../ui/browser/kit/page.tsx';
import { service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { CodeInbox } from './code-inbox.tsx';
import { Dial } from './dial.tsx';
import { DrivePage } from './drive-page.tsx';
import { Faults } from './faults.tsx';
import { Hold } from './hold.tsx';
import { NewestShipments } from './newest-shipments.tsx';
import { Readiness, Reset } from './readiness.tsx';
import './sandbox.css';

/** The sandbox of a company, or the driver's phone for one of its shipments. */
export function Sandbox({ address: { id, part, query }, deployment }: AreaProps) {
  if (part !== undefined) return <NoSuchPage />;
  if (id === undefined) return <SandboxPage deployment={deployment} cursor={query.get('cursor') ?? undefined} />;
  return <DrivePage shipmentId={id} />;
}

const TEXTS = {
  en: {
    title: 'Sandbox',
    lead: 'Real states and real events, and you act as the driver. No money moves and no driver comes.',
  },
  ar: {
    title: 'البيئة التجريبية',
    lead: 'الحالات والأحداث حقيقية، وتؤدي أنت دور السائق. لا تُدفع أي مبالغ ولا يأتي أي سائق.',
  },
};

interface SandboxPageProps {
  readonly deployment: Deployment;
  readonly cursor: string | undefined;
}

/** The sandbox's readiness, its shipments and its tools. */
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
            <Dial />
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
