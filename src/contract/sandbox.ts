import * as z from 'zod';
import { FAULT_TARGETS, SCENARIOS } from './driver-state.ts';
import { coordinateOut, instant, instantOut, integer, uuidOut } from './values.ts';

/** Requests and answers of a company's sandbox. */

/** Everything that a shipment needs before it can be created. */
export const PREREQUISITES = [
  'COMPANY_VERIFIED',
  'BRANCH',
  'PICKUP_LOCATION',
  'CITY',
  'COMMERCIAL_TERMS',
  'DRIVER',
  'ROUTING',
] as const;
export type Prerequisite = (typeof PREREQUISITES)[number];

export const SANDBOX_BRANCH_CODE = 'SANDBOX_BRANCH';
export const SANDBOX_PICKUP_CODE = 'SANDBOX_PICKUP';
export const SANDBOX_CITY_CODE = 'RUH';

const STEP_SECONDS_MAX = 60;
const FAULTS_MAX = 100;
/** A day. */
const LEAD_SECONDS_MAX = 86_400;

/** How far one advance may go: thirty days. */
const ADVANCE_SECONDS_MAX = 2_592_000;

const wholeNumber = () => z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

const point = z.strictObject({ latitude: coordinateOut(), longitude: coordinateOut() });

export const sandboxReadiness = z
  .strictObject({
    generation: z
      .number()
      .meta({ override: { type: 'integer' as const, minimum: 1 } })
      .describe('How often the sandbox was set up; a reset adds one.'),
    canCreateShipment: z.boolean().describe('Whether every prerequisite is ready.'),
    nextShipmentDispatchHeld: z
      .boolean()
      .describe('Whether the next shipment waits before any offer. Its creation clears it.'),
    branchCode: z.literal(SANDBOX_BRANCH_CODE),
    pickupLocationCode: z.literal(SANDBOX_PICKUP_CODE),
    pickup: point,
    delivery: point,
    destinationCityCode: z.literal(SANDBOX_CITY_CODE),
    sandboxDriverPhone: z
      .string()
      .meta({ pattern: '^05[0-9]{8}$', example: '0512345678' })
      .describe('The number with which to sign in as the driver of the sandbox.'),
    prerequisites: z
      .array(
        z.strictObject({
          prerequisite: z.enum(PREREQUISITES).describe('What is needed.'),
          ready: z.boolean().describe('Whether this prerequisite is there.'),
        }),
      )
      .describe('Everything that a shipment needs before it can be created.'),
  })
  .meta({ id: 'SandboxReadiness' });
export type SandboxReadiness = z.output<typeof sandboxReadiness>;

/** Members of a change of the hold. */
export const dispatchHoldRequest = { held: z.boolean().describe('Whether the next shipment waits before any offer.') };

/** Members of a change of the dispatch settings. */
export const dispatchSettingsRequest = {
  leadSeconds: z
    .nullable(integer(0, LEAD_SECONDS_MAX))
    .describe('How long before the pickup window the search begins, in seconds; null for the default.'),
};

/** Members of a request to start a scenario. */
export const scenarioRequest = { name: z.enum(SCENARIOS), stepSeconds: integer(0, STEP_SECONDS_MAX) };

export const sandboxScenario = z
  .strictObject({
    shipmentId: uuidOut,
    name: z.enum(SCENARIOS),
    stepSeconds: wholeNumber(),
    startedAt: instantOut,
  })
  .meta({ id: 'SandboxScenario' });
export type SandboxScenario = z.output<typeof sandboxScenario>;

/** Members of a request for faults. */
export const faultRequest = { target: z.enum(FAULT_TARGETS), count: integer(1, FAULTS_MAX) };

export const sandboxFault = z
  .strictObject({
    target: z.enum(FAULT_TARGETS),
    remaining: wholeNumber().describe('How often the target still fails.'),
  })
  .meta({ id: 'SandboxFault' });
export type SandboxFault = z.output<typeof sandboxFault>;

/** What the service does for a company at an instant. */
export const CLOCK_ENTRIES = [
  'APPROVAL',
  'OFFER_EXPIRY',
  'DISPATCH_LOOK',
  'DISPATCH_GIVE_UP',
  'RESOLUTION',
  'SCENARIO_STEP',
  'WEBHOOK_ATTEMPT',
  'WEBHOOK_DISABLE',
  'LINK_EXPIRY',
] as const;
export type ClockEntry = (typeof CLOCK_ENTRIES)[number];

export const CLOCK_STATES = ['READY', 'ADVANCING'] as const;

/** Members of a request to advance the clock, of which exactly one is sent. */
export const clockAdvanceRequest = {
  seconds: z.optional(integer(1, ADVANCE_SECONDS_MAX)),
  to: z.optional(instant),
  untilNext: z.optional(z.union([z.literal(true), z.enum(CLOCK_ENTRIES)])),
};

export const sandboxAdvance = z
  .strictObject({ state: z.enum(CLOCK_STATES), target: instantOut.describe('The instant at which the advance ends.') })
  .meta({ id: 'SandboxAdvance' });
export type SandboxAdvance = z.output<typeof sandboxAdvance>;

export const sandboxClock = z
  .strictObject({
    now: instantOut,
    offsetSeconds: wholeNumber(),
    state: z.enum(CLOCK_STATES),
    target: z.nullable(instantOut),
    nextDue: z.array(z.strictObject({ at: instantOut, what: z.enum(CLOCK_ENTRIES), shipmentId: z.nullable(uuidOut) })),
  })
  .meta({ id: 'SandboxClock' });
export type SandboxClock = z.output<typeof sandboxClock>;
