/** What an owner may grant to the company's systems. A new credential has all but `logs:read`. */
export const COMPANY_SCOPES = ['shipments:read', 'shipments:write', 'webhooks:manage', 'logs:read'] as const;
export type CompanyClientScope = (typeof COMPANY_SCOPES)[number];

/** Scopes of tokens. `operations` is for the service's own operators. */
export const SCOPES = [...COMPANY_SCOPES, 'operations'] as const;
export type Scope = (typeof SCOPES)[number];
