/** What an owner may grant to the company's systems. A new credential has none of `GRANTED_ON_REQUEST`. */
export const COMPANY_SCOPES = [
  'shipments:read',
  'shipments:write',
  'webhooks:manage',
  'logs:read',
  'finance:read',
] as const;
export type CompanyClientScope = (typeof COMPANY_SCOPES)[number];

/** So that a shop's order system sees neither the log nor the till. */
export const GRANTED_ON_REQUEST = ['logs:read', 'finance:read'] as const satisfies readonly CompanyClientScope[];

/** Scopes of tokens. `operations` is for the service's own operators. */
export const SCOPES = [...COMPANY_SCOPES, 'operations'] as const;
export type Scope = (typeof SCOPES)[number];
