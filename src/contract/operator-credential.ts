import * as z from 'zod';
import { DEPLOYMENTS } from '../core/deployment.ts';
import { instantOut, logged, patterned, uuidOut } from './values.ts';

/** The credentials with which operators' programs get access tokens. Each program has its own. */

/** The name of a program. It is part of the client id, and the audit shows it. */
export const PROGRAM_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** Members of a request for a new credential. */
export const operatorCredentialRequest = {
  name: patterned(PROGRAM_NAME, 'programName', { example: 'nightly-export' }),
};

const facts = {
  credentialId: uuidOut,
  clientId: logged(z.string()),
  /** The last four characters. */
  secretHint: z.string(),
  createdAt: instantOut,
};

export const operatorCredential = z.strictObject({ ...facts, lastUsedAt: z.nullable(instantOut) });
export type OperatorCredential = z.output<typeof operatorCredential>;

/** With the secret, which only this answer contains. */
export const issuedOperatorCredential = z.strictObject({
  ...facts,
  clientSecret: z.string(),
  deployment: z.enum(DEPLOYMENTS),
});
export type IssuedOperatorCredential = z.output<typeof issuedOperatorCredential>;
