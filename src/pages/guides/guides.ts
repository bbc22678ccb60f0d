import { CLIENTS_GUIDE } from './clients.ts';
import { ENTITY_TAGS_GUIDE } from './entity-tags.ts';
import { GLOSSARY } from './glossary.ts';
import type { Guide } from './guide.ts';
import { LIMITS_GUIDE } from './limits.ts';
import { REQUIREMENTS_GUIDE } from './requirements.ts';
import { RETRIES_GUIDE } from './retries.ts';
import { SUPPORT_GUIDE } from './support.ts';
import { VAT_GUIDE } from './vat.ts';
import { VERSIONS_GUIDE } from './versions.ts';

/** All guides that have a page. */
export const GUIDE_PAGES: readonly Guide[] = [
  CLIENTS_GUIDE,
  RETRIES_GUIDE,
  ENTITY_TAGS_GUIDE,
  LIMITS_GUIDE,
  VERSIONS_GUIDE,
  REQUIREMENTS_GUIDE,
  VAT_GUIDE,
  GLOSSARY,
  SUPPORT_GUIDE,
];
