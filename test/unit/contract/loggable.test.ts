import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { appRouter } from '../../../routers/index.ts';
import { isLoggable, maskOf } from '../../../src/contract/loggable.ts';
import { problemMembers } from '../../../src/contract/request-log.ts';
import { money } from '../../../src/contract/shipment.ts';
import { hidden, integer, logged, text, uuid } from '../../../src/contract/values.ts';
import { loggedFormOf } from '../../../src/http/rest/routes.ts';

/**
 * Members whose values the request log replaces: personal data, secrets, and texts that people write. A new member must be
 * decided: it is here or in `KEPT`, or its schema is a choice, a boolean, a UUID or an instant.
 */
const HIDDEN = new Set(
  `accuracyMeters action additionalNumber advice address addressLine alternateContactName alternateContactPhone base64 body
  buildingNumber city clientSecret code comment commercialRegistrationNumber companyId companyName contactName
  contactPhone content-type curl cursor database decidedBy description destinationCity destinationDistrict detail
  district driverToken east email evidenceSha256 fileName firstName fullName headers href idempotencyKey
  idempotencyKeyHash identifier instructions key label latitude longitude major maskedContactPhone
  maskedDestination maskedMobile maskedPhone maskedRecipientPhone merchantName merchantPhone merchantWhatsApp
  message metadata metersFromDestination minor mobile mobileNumber name nameAr nationalAddress nextCursor north note
  operator otherShard otherShards otp path personName phone phoneTail pickupCity pickupInstructions pickupName
  pickupNameAr pin postalCode priceLock proofSha256 q reason recipientName recipientPhone recipientToken record
  reference requestBody requestHeaders
  responseBody sandboxDriverPhone sandboxOtp search secretHint sessionToken sha256 shard shipmentIds shortAddress
  signedBy signingSecret south stars stateLabel storeName street subject text title titleAr token uploadCapability url vatNumber
  user-agent webhook-id webhook-signature webhook-timestamp west whatsApp`.split(/\s+/),
);

/** Members whose values the request log keeps: numbers, codes and references that say nothing about a person. */
const KEPT = new Set(
  `activeCount activeMax after amendmentFreeMeters amendmentLimit amount attemptCount attemptsMade attemptsRemaining
  baseAmount branchCode bytes cancellationAmount cancellationGraceSeconds cancelled capabilities cities cityCode
  clientId codAmount code collectedAmount consecutiveFailures count expectedAmount parcels
  created currency currentState currentVersion day days declaredValue declines delivered destinationCityCode
  distanceMeters draftNetAmount durationMs durationSeconds exhausted expectedAmount expiresInSeconds externalReference failed field
  firstAttempt generation height heightCentimetres ifMatch ifNoneMatch inFlight inTime index kilometreAmount
  lateCancellationSeconds latencyMs leadSeconds lengthCentimetres lengthCentimetresMax limit lockSecondsMax matched
  maxBytes month netAmount notServed number offersMade offsetSeconds operation overlapSeconds pending peopleCount
  pickupLocationCode positionAgeSeconds positions prefer priceLimit quantity queued rank reasonCode redeliveryRate refused remaining repeats
  replayed requirements responseStatus returnRate rise scopes seconds sequence serviceLevel shipmentNumber shipments shipmentsMax
  shipmentVersion sizeBytes skipped sortOrder state status step stepSeconds succeeded surcharge tariffVersion total totalAmount
  totalWeightKilograms valid vatAmount vatRate version viewCount webhooksWaiting weightKilograms weightKilogramsMax
  width widthCentimetres resendsRemaining waitSeconds waitedSeconds`.split(/\s+/),
);

type Definition = {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly options?: readonly z.core.$ZodType[];
};

/** Whether a schema is neither a choice, a boolean, a UUID nor an instant. */
function isPlain(schema: z.core.$ZodType): boolean {
  const { format, override } = (z.globalRegistry.get(schema) ?? {}) as {
    format?: string;
    override?: { format?: string };
  };
  const isFormed = ['uuid', 'date-time'].includes(format ?? override?.format ?? '');
  return !isFormed && !['enum', 'literal', 'boolean'].includes(schema._zod.def.type);
}

/** The names of the members with a single value, and whether the log may keep it. */
function membersOf(schema: z.core.$ZodType, name = ''): [name: string, isKept: boolean, isPlain: boolean][] {
  if (isLoggable(schema)) return [[name, true, isPlain(schema)]];
  const { innerType, element, shape, options } = schema._zod.def as unknown as Definition;
  if (shape !== undefined) return Object.entries(shape).flatMap(([member, inner]) => membersOf(inner, member));
  const inner = [innerType, element, ...(options ?? [])].filter((one) => one !== undefined);
  return inner.length === 0 ? [[name, false, true]] : inner.flatMap((one) => membersOf(one, name));
}

const procedures = Object.keys(appRouter._def.procedures);
const members = [
  ...membersOf(problemMembers),
  ...procedures.flatMap((procedure) => {
    const form = loggedFormOf(procedure);
    return form === undefined ? [] : [...membersOf(form.input), ...membersOf(form.output)];
  }),
].filter(([name]) => name !== '');

describe('the values that the request log keeps', () => {
  it('are decided for each member of each request and response', () => {
    expect(procedures.filter((procedure) => loggedFormOf(procedure) === undefined)).toEqual([]);
    const hidden = new Set(members.filter(([, isKept]) => !isKept).map(([name]) => name));
    expect([...hidden].filter((name) => !HIDDEN.has(name)).toSorted()).toEqual([]);
    expect([...HIDDEN].filter((name) => !hidden.has(name)).toSorted()).toEqual([]);
    const shown = new Set(members.filter(([, isKept, isPlain]) => isKept && isPlain).map(([name]) => name));
    expect([...shown].filter((name) => !KEPT.has(name)).toSorted()).toEqual([]);
    expect([...KEPT].filter((name) => !shown.has(name)).toSorted()).toEqual([]);
  });

  it('have the form of their schema; others are shown by their type', () => {
    const mask = maskOf(
      z.strictObject({
        kind: z.enum(['A', 'B']),
        id: uuid,
        quantity: integer(1, 9),
        code: logged(text({ max: 20 })).describe('A code.'),
        latitude: hidden(integer(1, 9)),
        name: text({ max: 9 }),
        codAmount: z.optional(money()),
        list: z.array(integer(1, 9)),
      }),
    );
    expect(
      mask({
        kind: 'A',
        id: '01976D11-02b7-7c64-8a1f-d35e90b7c428',
        quantity: 3,
        code: 'A-1',
        latitude: 4,
        name: 'Sara',
        list: [1],
      }),
    ).toEqual({
      kind: 'A',
      id: '01976D11-02b7-7c64-8a1f-d35e90b7c428',
      quantity: 3,
      code: 'A-1',
      latitude: '<number>',
      name: '<string 4>',
      list: [1],
    });
    expect(
      mask({ kind: 'Sara', id: 'Sara', quantity: 'Sara Al-Harbi', name: 5, list: { a: 1 }, more: 'Sara' }),
    ).toEqual({
      kind: '<string 4>',
      id: '<string 4>',
      quantity: '<string 13>',
      name: '<number>',
      list: '<object>',
      more: '<unknown>',
    });
    // A wrong amount says why the request was refused. REST has made a text of it.
    expect(mask({ codAmount: '-5.25' })).toEqual({ codAmount: -5.25 });
    expect(mask({ codAmount: '-966512345678' })).toEqual({ codAmount: '<string 13>' });
    for (const phone of ['0512345678', '512345678', '966512345678', '00966512345678', '05-1234-5678', 'A:0512345678'])
      expect(mask({ code: phone })).toEqual({ code: `<string ${phone.length}>` });
    for (const reference of ['ORDER-1001', '5123456789012', 'a512345678', '0112345678'])
      expect(mask({ code: reference })).toEqual({ code: reference });
    expect(mask({ 'sara@example.com': 1, '0512345678': 1, 'حي النخيل': 1, extrenalReference: 1 })).toEqual({
      '<name 16>': '<unknown>',
      '<name 10>': '<unknown>',
      '<name 9>': '<unknown>',
      extrenalReference: '<unknown>',
    });
    expect(mask('Sara')).toBe('<string 4>');
    expect(mask({ list: Array.from({ length: 12 }, () => true) })).toEqual({
      list: [...Array(10).fill('<boolean>'), '<2 more>'],
    });
  });
});
