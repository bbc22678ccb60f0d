import type { Prerequisite } from '../../contract/sandbox.ts';
import type { LocalText } from '../../core/locale.ts';

/**
 * What a sandbox needs for a shipment. Its branch, pickup location and driver are its own: those of the company do not count, so
 * their names say which.
 */
export const PREREQUISITE_WORDS: Readonly<Record<Prerequisite, LocalText>> = {
  COMPANY_VERIFIED: { en: 'Company verified', ar: 'توثيق الشركة' },
  BRANCH: { en: 'Test branch', ar: 'فرع تجريبي' },
  PICKUP_LOCATION: { en: 'Test pickup location', ar: 'موقع استلام تجريبي' },
  CITY: { en: 'City served', ar: 'تغطية المدينة' },
  COMMERCIAL_TERMS: { en: 'Prices', ar: 'الأسعار' },
  DRIVER: { en: 'Test driver on duty', ar: 'سائق تجريبي متاح' },
  ROUTING: { en: 'Routing', ar: 'حساب المسار' },
};
