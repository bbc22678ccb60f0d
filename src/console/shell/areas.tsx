import type { ComponentType } from 'preact';
import type { Deployment } from '../../core/deployment.ts';
import type { AreaProps } from '../base/navigation.tsx';
import { lazy } from '../kit/loading.tsx';

interface Area {
  /** Its segment in the address. */
  readonly name: string;
  readonly label: { readonly en: string; readonly ar: string };
  readonly Page: ComponentType<AreaProps>;
  readonly isIn: (deployment: Deployment) => boolean;
}

const everywhere = () => true;
const inSandboxes = (deployment: Deployment) => deployment !== 'production';

/** The areas of the console in the order of the navigation. The code of each loads when it is first opened. */
export const AREAS: readonly Area[] = [
  {
    name: '',
    label: { en: 'Home', ar: 'الرئيسية' },
    Page: lazy(async () => (await import('../home/home.tsx')).Home),
    isIn: everywhere,
  },
  {
    name: 'shipments',
    label: { en: 'Shipments', ar: 'الشحنات' },
    Page: lazy(async () => (await import('../shipments/shipments.tsx')).Shipments),
    isIn: everywhere,
  },
  {
    name: 'webhooks',
    label: { en: 'Webhooks', ar: 'الإشعارات البرمجية' },
    Page: lazy(async () => (await import('../webhooks/webhooks.tsx')).Webhooks),
    isIn: everywhere,
  },
  {
    name: 'places',
    label: { en: 'Branches', ar: 'الفروع' },
    Page: lazy(async () => (await import('../places/places.tsx')).Places),
    isIn: everywhere,
  },
  {
    name: 'credentials',
    label: { en: 'API credential', ar: 'بيانات اعتماد الواجهة' },
    Page: lazy(async () => (await import('../credentials/credentials.tsx')).Credentials),
    isIn: everywhere,
  },
  {
    name: 'sandbox',
    label: { en: 'Sandbox', ar: 'البيئة التجريبية' },
    Page: lazy(async () => (await import('../sandbox/sandbox.tsx')).Sandbox),
    isIn: inSandboxes,
  },
];
