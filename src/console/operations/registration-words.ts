import type { RegistrationStatus, SameFact } from '../../contract/registration-review.ts';
import type { DocumentType, LegalBasis } from '../../contract/registration-state.ts';
import type { LocalText } from '../../core/locale.ts';

export const STATUS_WORDS: Readonly<Record<RegistrationStatus, LocalText>> = {
  DRAFT: { en: 'Not completed', ar: 'غير مكتمل' },
  PENDING: { en: 'Waits for approval', ar: 'بانتظار الموافقة' },
  APPROVED: { en: 'Approved', ar: 'تمت الموافقة' },
  REJECTED: { en: 'Rejected', ar: 'مرفوض' },
};

export const SAME_WORDS: Readonly<Record<SameFact, LocalText>> = {
  NUMBER: { en: 'the same registration number', ar: 'رقم السجل نفسه' },
  MOBILE: { en: 'the same mobile', ar: 'الجوال نفسه' },
  EMAIL: { en: 'the same e-mail address', ar: 'البريد الإلكتروني نفسه' },
  DOCUMENT: { en: 'the same file', ar: 'الملف نفسه' },
};

export const BASIS_WORDS: Readonly<Record<LegalBasis, LocalText>> = {
  COMMERCIAL_ENTITY: { en: 'Commercial entity', ar: 'منشأة تجارية' },
  FREELANCER: { en: 'Freelancer', ar: 'ممارس عمل حر' },
};

export const DOCUMENT_WORDS: Readonly<Record<DocumentType, LocalText>> = {
  NATIONAL_ADDRESS: { en: 'National address', ar: 'العنوان الوطني' },
  COMMERCIAL_REGISTRATION: { en: 'Commercial registration', ar: 'السجل التجاري' },
  FREELANCE_CERTIFICATE: { en: 'Freelance certificate', ar: 'وثيقة العمل الحر' },
};
