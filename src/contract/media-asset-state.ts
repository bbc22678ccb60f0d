/** States of a picture: its row exists, its bytes are stored, it is no longer needed. */
export const MEDIA_ASSET_STATES = ['UPLOADING', 'READY', 'EXPIRED'] as const;

export const MEDIA_CONTENT_TYPES = ['image/jpeg', 'image/png'] as const;
export type MediaContentType = (typeof MEDIA_CONTENT_TYPES)[number];

/** Types of a company's logo. No SVG, which can contain scripts. */
export const LOGO_CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type LogoContentType = (typeof LOGO_CONTENT_TYPES)[number];
/** A tracking page with the logo stays below 60 kB. */
export const LOGO_KIBIBYTES_MAX = 8;
export const LOGO_BYTES_MAX = LOGO_KIBIBYTES_MAX * 1024;

/** READY pictures of one externalReference. */
export const MEDIA_ASSETS_MAX = 10;
