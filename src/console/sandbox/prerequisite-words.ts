import type { Prerequisite } from '../../contract/sandbox.ts';
import type { LocalText } from '../../core/locale.ts';

/** What a shipment needs, by the same name on every page. */
export const PREREQUISITE_WORDS: Readonly<Record<Prerequisite, LocalText>> = {
  COMPANY_VERIFIED: { en: 'Company verified', ar: 'توثيق الشركة' },
  BRANCH: { en: 'Branch', ar: 'الفرع' },
  PICKUP_LOCATION: { en: 'Pickup location', ar: 'موقع الاستلام' },
  CITY: { en: 'City served', ar: 'تغطية المدينة' },
  COMMERCIAL_TERMS: { en: 'Prices', ar: 'الأسعار' },
  DRIVER: { en: 'Driver on duty', ar: 'سائق في المناوبة' },
  ROUTING: { en: 'Routing', ar: 'حساب المسار' },
};
