import * as z from 'zod';
import { ADDRESS_POLICIES } from './address-state.ts';
import { seenVersion } from './fleet.ts';
import { proofTerms } from './proof.ts';
import { reviewReason } from './registration-review.ts';
import { REVIEWS } from './registration-state.ts';
import { APPROVAL_POLICIES } from './shipment-state.ts';
import { instantOut, logged, uuid, uuidOut } from './values.ts';

/** What operators see of companies. */

export const COMPANY_STATES = ['ACTIVE', 'SUSPENDED'] as const;
export type CompanyState = (typeof COMPANY_STATES)[number];

/** How a move of a company to another shard stands in the shard that has the company. `ARRIVED` is the end of the last move. */
const MOVE_STATES_SHOWN = ['DRAINING', 'FROZEN', 'COPYING', 'MOVED', 'ARRIVED'] as const;

/** The version that the operator saw, and why the company is suspended or resumed. */
export const standingRequest = { companyId: uuid, ...seenVersion, reason: reviewReason };

export const companyStanding = z.strictObject({
  companyId: uuidOut,
  state: z.enum(COMPANY_STATES),
  version: z.number(),
});
export type CompanyStanding = z.output<typeof companyStanding>;

export const listedCompany = z.strictObject({
  companyId: uuidOut,
  name: z.string(),
  state: z.enum(COMPANY_STATES),
  shard: z.string(),
  /** Null for a freelancer, and for a company without a registration. */
  commercialRegistrationNumber: z.nullable(z.string()),
  createdAt: instantOut,
});
export type ListedCompany = z.output<typeof listedCompany>;

/** An operator's change of a company's state. */
const standingChange = z.strictObject({
  /** The operator's person, or the client of a program. */
  operator: z.string(),
  /** Null for a program, and for an operator who was removed. */
  fullName: z.nullable(z.string()),
  reason: z.string(),
  at: instantOut,
});

export const operatorCompany = listedCompany.extend({
  version: z.number(),
  /** The last suspensions, newest first. `resumed` is null while a suspension lasts. */
  suspensions: z.array(z.strictObject({ suspended: standingChange, resumed: z.nullable(standingChange) })),
  approvalPolicy: z.enum(APPROVAL_POLICIES),
  addressPolicy: z.enum(ADDRESS_POLICIES),
  proofTerms: z.strictObject(proofTerms),
  registration: z.nullable(z.strictObject({ registrationId: uuidOut, review: z.nullable(z.enum(REVIEWS)) })),
  peopleCount: z.number(),
  /** The clients of the company's systems. Operators never see a secret. */
  credentials: z.array(z.strictObject({ clientId: logged(z.string()), lastUsedAt: z.nullable(instantOut) })),
  /** Null for a company that never moved. */
  move: z.nullable(z.strictObject({ state: z.enum(MOVE_STATES_SHOWN), otherShard: z.string(), changedAt: instantOut })),
  /** The shards that the company could move to. */
  otherShards: z.array(z.string()),
});
export type OperatorCompany = z.output<typeof operatorCompany>;
