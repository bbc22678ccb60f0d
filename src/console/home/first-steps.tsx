import type { ComponentChildren } from 'preact';
import type { Deployment } from '../../core/deployment.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Code } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { keptHere } from '../../ui/kept-here.ts';
import { Pill } from '../../ui/state.tsx';
import { useIsOwner } from '../session/session.tsx';
import { curlText } from '../shipments/rest-text.ts';
import { SandboxStart } from './sandbox-start.tsx';

/** What a new company has done so far. */
export interface Progress extends Readonly<Outputs['merchantApiCredential']['standing']> {
  readonly hasShipment: boolean;
}

const keyOf = (companyId: string) => `first-steps-over-${companyId}`;

/** Ends the steps of the company in this browser: all are done, or somebody has hidden them. */
export function endFirstSteps(companyId: string): void {
  keptHere.setItem(keyOf(companyId), 'yes');
}

/** Reads how far a company is. Undefined after the end of its steps, so that they cost an older company nothing. */
export async function readProgress(companyId: string): Promise<Progress | undefined> {
  if (keptHere.getItem(keyOf(companyId)) !== null) return undefined;
  const [shipments, standing] = await Promise.all([
    service.shipments.list.query({ limit: 1 }),
    service.merchantApiCredential.standing.query({}),
  ]);
  return { ...standing, hasShipment: shipments.data.length > 0 };
}

const TEXTS = {
  en: {
    title: 'First steps',
    done: 'Done',
    hide: 'Hide these steps',
    sandbox: 'Try one in the sandbox',
    first: 'Create a shipment',
    form: 'New shipment',
    credential: 'Make an API credential',
    credentialWhy: 'Your system signs in with it. Its secret is shown once.',
    credentialLink: 'Make the credential',
    credentialOwner: 'An owner of the company makes it. Your system signs in with it.',
    request: 'Send the first request',
    requestWhy: 'These commands sign in with your id and list your newest shipments. Put in the secret first.',
    requestLater: 'The commands with your id appear here when you have a credential.',
    commands: 'The first request',
    secret: 'the secret',
    webhook: 'Add a webhook',
    webhookWhy: 'The service then tells your system what happens to your shipments.',
    webhookLink: 'Webhooks',
  },
  ar: {
    title: 'الخطوات الأولى',
    done: 'تمّت',
    hide: 'أخفِ هذه الخطوات',
    sandbox: 'جرّب شحنة في البيئة التجريبية',
    first: 'أنشئ شحنة',
    form: 'شحنة جديدة',
    credential: 'أنشئ بيانات اعتماد API',
    credentialWhy: 'يسجّل بها نظامك الدخول. يظهر سرها مرة واحدة.',
    credentialLink: 'إلى بيانات الاعتماد',
    credentialOwner: 'ينشئها أحد مالكي الشركة، ويسجّل بها نظامك الدخول.',
    request: 'أرسل أول طلب',
    requestWhy: 'تسجّل هذه الأوامر الدخول بمعرّفك وتسرد أحدث شحناتك. ضع السر فيها أولًا.',
    requestLater: 'تظهر هنا الأوامر بمعرّفك بعد إنشاء بيانات الاعتماد.',
    commands: 'أول طلب',
    secret: 'السر',
    webhook: 'أضف نقطة استقبال',
    webhookWhy: 'عندئذ تُبلغ الخدمة نظامك بما يحدث لشحناتك.',
    webhookLink: 'الإشعارات البرمجية',
  },
};

interface FirstStepsProps {
  readonly progress: Progress;
  readonly hasEndpoint: boolean;
  readonly deployment: Deployment;
  readonly onHide: () => void;
}

/** What a new company does first, in order. Renders nothing when all steps are done. */
export function FirstSteps({ progress, hasEndpoint, deployment, onHide }: FirstStepsProps) {
  const text = textsOf(TEXTS);
  const isOwner = useIsOwner();
  const { hasShipment, clientId, isUsed } = progress;
  if (areDone(progress, hasEndpoint)) return null;
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{text.title}</h2>
      <ol>
        <Step title={deployment === 'production' ? text.first : text.sandbox} isDone={hasShipment}>
          {deployment === 'production' ? (
            <Link to={addressOf('shipments/new')}>{text.form}</Link>
          ) : (
            <SandboxStart isStep />
          )}
        </Step>
        <Step title={text.credential} isDone={clientId !== null}>
          <p>{isOwner ? text.credentialWhy : text.credentialOwner}</p>
          {isOwner ? <Link to={addressOf('credentials')}>{text.credentialLink}</Link> : null}
        </Step>
        <Step title={text.request} isDone={isUsed}>
          <p>{clientId === null ? text.requestLater : text.requestWhy}</p>
          {clientId === null ? null : <Code text={firstRequest(clientId, text.secret)} what={text.commands} />}
        </Step>
        <Step title={text.webhook} isDone={hasEndpoint}>
          <p>{text.webhookWhy}</p>
          <Link to={addressOf('webhooks')}>{text.webhookLink}</Link>
        </Step>
      </ol>
      <button type="button" class="plain small" onClick={onHide}>
        {text.hide}
      </button>
    </section>
  );
}

/** Whether nothing is left to do. */
export function areDone({ hasShipment, clientId, isUsed }: Progress, hasEndpoint: boolean): boolean {
  return hasShipment && clientId !== null && isUsed && hasEndpoint;
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

function Step({ title, isDone, children }: StepProps) {
  return (
    <li>
      <h3>
        {title} {isDone ? <Pill tone="good">{textsOf(TEXTS).done}</Pill> : null}
      </h3>
      {isDone ? null : children}
    </li>
  );
}

/** Commands for a POSIX shell. */
function firstRequest(clientId: string, secret: string): string {
  return [
    `MIRSAL_CLIENT_ID='${clientId}'`,
    `MIRSAL_CLIENT_SECRET='<${secret}>'`,
    `MIRSAL_TOKEN=$(curl -s -u "$MIRSAL_CLIENT_ID:$MIRSAL_CLIENT_SECRET" \\`,
    `  -d grant_type=client_credentials ${location.origin}/oauth/token \\`,
    `  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    curlText({ method: 'GET', path: '/v2/external/shipments' }),
  ].join('\n');
}
