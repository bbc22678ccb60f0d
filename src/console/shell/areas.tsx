import type { Deployment } from '../../core/deployment.ts';
import { type AreaProps, isOperations } from '../../ui/browser/base/navigation.tsx';
import { type LazyComponent, lazy } from '../../ui/browser/kit/loading.tsx';

interface Area {
  /** Its segment in the address. */
  readonly name: string;
  readonly label: { readonly en: string; readonly ar: string };
  readonly Page: LazyComponent<AreaProps>;
  readonly isIn: (deployment: Deployment) => boolean;
}

const everywhere = () => true;
const inSandboxes = (deployment: Deployment) => deployment !== 'production';

const MERCHANT_AREAS: readonly Area[] = [
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
    name: 'complaints',
    label: { en: 'Complaints', ar: 'الشكاوى' },
    Page: lazy(async () => (await import('../shipments/cases.tsx')).Cases),
    isIn: everywhere,
  },
  {
    name: 'money',
    label: { en: 'Money', ar: 'كشف الحساب' },
    Page: lazy(async () => (await import('../money/money.tsx')).Money),
    isIn: everywhere,
  },
  {
    name: 'webhooks',
    label: { en: 'Webhooks', ar: 'الإشعارات البرمجية' },
    Page: lazy(async () => (await import('../webhooks/webhooks.tsx')).Webhooks),
    isIn: everywhere,
  },
  {
    name: 'requests',
    label: { en: 'Requests', ar: 'الطلبات' },
    Page: lazy(async () => (await import('../requests/requests.tsx')).Requests),
    isIn: everywhere,
  },
  {
    name: 'places',
    label: { en: 'Branches', ar: 'الفروع' },
    Page: lazy(async () => (await import('../places/places.tsx')).Places),
    isIn: everywhere,
  },
  {
    name: 'tracking-page',
    label: { en: 'Tracking page', ar: 'صفحة التتبع' },
    Page: lazy(async () => (await import('../brand/brand.tsx')).TrackingBrand),
    isIn: everywhere,
  },
  {
    name: 'credentials',
    label: { en: 'API credential', ar: 'بيانات اعتماد API' },
    Page: lazy(async () => (await import('../credentials/credentials.tsx')).Credentials),
    isIn: everywhere,
  },
  {
    name: 'people',
    label: { en: 'People', ar: 'الأشخاص' },
    Page: lazy(async () => (await import('../people/people.tsx')).People),
    isIn: everywhere,
  },
  {
    name: 'sandbox',
    label: { en: 'Sandbox', ar: 'البيئة التجريبية' },
    Page: lazy(async () => (await import('../sandbox/sandbox.tsx')).Sandbox),
    isIn: inSandboxes,
  },
];

const OPERATOR_AREAS: readonly Area[] = [
  {
    name: '',
    label: { en: 'Queues', ar: 'قوائم الانتظار' },
    Page: lazy(async () => (await import('../operations/queues.tsx')).Queues),
    isIn: everywhere,
  },
  {
    name: 'shipments',
    label: { en: 'Shipments', ar: 'الشحنات' },
    Page: lazy(async () => (await import('../operations/shipment-search.tsx')).OperatorShipments),
    isIn: everywhere,
  },
  {
    name: 'cases',
    label: { en: 'Complaints', ar: 'الشكاوى' },
    Page: lazy(async () => (await import('../operations/cases.tsx')).OperatorCases),
    isIn: everywhere,
  },
  {
    name: 'registrations',
    label: { en: 'Registrations', ar: 'التسجيلات' },
    Page: lazy(async () => (await import('../operations/registrations.tsx')).Registrations),
    isIn: everywhere,
  },
  {
    name: 'drivers',
    label: { en: 'Drivers', ar: 'السائقون' },
    Page: lazy(async () => (await import('../operations/drivers.tsx')).Drivers),
    isIn: everywhere,
  },
  {
    name: 'service-levels',
    label: { en: 'Service levels', ar: 'مستويات الخدمة' },
    Page: lazy(async () => (await import('../operations/service-levels.tsx')).ServiceLevels),
    isIn: everywhere,
  },
  {
    name: 'tariffs',
    label: { en: 'Tariffs', ar: 'التعرفة' },
    Page: lazy(async () => (await import('../operations/tariffs.tsx')).Tariffs),
    isIn: everywhere,
  },
  {
    name: 'companies',
    label: { en: 'Companies', ar: 'الشركات' },
    Page: lazy(async () => (await import('../operations/companies.tsx')).Companies),
    isIn: everywhere,
  },
  {
    name: 'identifiers',
    label: { en: 'Sign-in addresses', ar: 'عناوين الدخول' },
    Page: lazy(async () => (await import('../operations/identifiers.tsx')).Identifiers),
    isIn: everywhere,
  },
  {
    name: 'programs',
    label: { en: 'Programs', ar: 'البرامج' },
    Page: lazy(async () => (await import('../operations/programs.tsx')).Programs),
    isIn: everywhere,
  },
  {
    name: 'audit',
    label: { en: 'Audit', ar: 'سجل التدقيق' },
    Page: lazy(async () => (await import('../operations/audit.tsx')).Audit),
    isIn: everywhere,
  },
  {
    name: 'deployment',
    label: { en: 'Deployment', ar: 'حالة النظام' },
    Page: lazy(async () => (await import('../operations/deployment.tsx')).DeploymentPage),
    isIn: everywhere,
  },
];

/** The areas of the page in the order of the navigation. The code of each loads when it is first opened. */
export const AREAS = isOperations ? OPERATOR_AREAS : MERCHANT_AREAS;
