import * as z from 'zod';
import { DEPLOYMENTS } from '../core/deployment.ts';
import { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from '../core/limits.ts';
import { COMPANY_SCOPES } from './scope.ts';
import { addRepetitions, instantOut, integer, logged, uuidOut } from './values.ts';

/** The credential with which a merchant's systems get access tokens. */

/** Members of a rotation of this secret or of that of a webhook endpoint. */
export const rotationRequest = {
  overlapSeconds: integer(0, OVERLAP_SECONDS_MAX)
    .default(OVERLAP_SECONDS_DEFAULT)
    .describe('How long the previous secret stays valid, in seconds.'),
};

/** Members of a change of scopes. */
export const scopesRequest = {
  scopes: z
    .array(z.enum(COMPANY_SCOPES))
    .min(1)
    .max(COMPANY_SCOPES.length)
    .check((context) => addRepetitions(context, context.value))
    .meta({ uniqueItems: true }),
};

const facts = {
  credentialId: uuidOut,
  clientId: logged(z.string()),
  /** The last four characters. */
  secretHint: z.string(),
  scopes: z.array(logged(z.string())),
  deployment: z.enum(DEPLOYMENTS),
  createdAt: instantOut,
};
/** Until when the previous secret is also valid; null if there is only one secret. */
const previousSecretExpiresAt = z.nullable(instantOut);

export const apiCredential = z
  .strictObject({ ...facts, lastUsedAt: z.nullable(instantOut), previousSecretExpiresAt })
  .meta({ id: 'MerchantApiCredential' });
export type ApiCredential = z.output<typeof apiCredential>;

/** Whether the company has a credential, and whether a program has used it: for people who may not see the credential itself. */
export const credentialStanding = z.strictObject({
  clientId: z.nullable(logged(z.string())),
  isUsed: z.boolean(),
});
export type CredentialStanding = z.output<typeof credentialStanding>;

/** With the secret, which only this response contains. */
export const issuedApiCredential = z
  .strictObject({ ...facts, clientSecret: z.string() })
  .meta({ id: 'IssuedMerchantApiCredential' });
export type IssuedApiCredential = z.output<typeof issuedApiCredential>;

export const rotatedApiCredential = z
  .strictObject({ ...facts, clientSecret: z.string(), previousSecretExpiresAt })
  .meta({ id: 'RotatedMerchantApiCredential' });
export type RotatedApiCredential = z.output<typeof rotatedApiCredential>;
