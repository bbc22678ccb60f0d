import type { ComponentType } from 'preact';
import type { Deployment } from '../../core/deployment.ts';
import { later } from './later.tsx';
import type { Place } from './place.ts';

export interface AreaProps {
  readonly place: Place;
  readonly deployment: Deployment;
}

interface Area {
  /** Its segment of the address. */
  readonly name: string;
  readonly label: { readonly en: string; readonly ar: string };
  readonly Page: ComponentType<AreaProps>;
  readonly isIn: (deployment: Deployment) => boolean;
}

const everywhere = () => true;
const inSandboxes = (deployment: Deployment) => deployment !== 'production';

/** The areas of the console, in the order of their links. Each is fetched when it is first looked at. */
export const AREAS: readonly Area[] = [
  {
    name: '',
    label: { en: 'Home', ar: 'الرئيسية' },
    Page: later(async () => (await import('../home/home.tsx')).Home),
    isIn: everywhere,
  },
  {
    name: 'shipments',
    label: { en: 'Shipments', ar: 'الشحنات' },
    Page: later(async () => (await import('../shipments/shipments.tsx')).Shipments),
    isIn: everywhere,
  },
  {
    name: 'webhooks',
    label: { en: 'Webhooks', ar: 'الإشعارات البرمجية' },
    Page: later(async () => (await import('../webhooks/webhooks.tsx')).Webhooks),
    isIn: everywhere,
  },
  {
    name: 'places',
    label: { en: 'Branches', ar: 'الفروع' },
    Page: later(async () => (await import('../places/places.tsx')).Places),
    isIn: everywhere,
  },
  {
    name: 'credentials',
    label: { en: 'API credential', ar: 'بيانات اعتماد الواجهة' },
    Page: later(async () => (await import('../credentials/credentials.tsx')).Credentials),
    isIn: everywhere,
  },
  {
    name: 'sandbox',
    label: { en: 'Sandbox', ar: 'البيئة التجريبية' },
    Page: later(async () => (await import('../sandbox/sandbox.tsx')).Sandbox),
    isIn: inSandboxes,
  },
];
