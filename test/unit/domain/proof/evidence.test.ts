import { describe, expect, test } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { proofTermsOf } from '../../../../src/domain/companies/proof-terms.ts';
import {
  attemptEvidence,
  attemptPolicyOf,
  deliveryEvidence,
  missingOfAttempt,
  missingOfDelivery,
  needsDoor,
  requiredKinds,
} from '../../../../src/domain/proof/evidence.ts';

/* What has to be proven, and how much is. */

const decimal = literalDecimal;
const shipment = { requirements: [] as string[], codAmount: decimal('0'), declaredValue: decimal('100') };

describe('the required kinds', () => {
  test('are those of the requirements, in one order', () => {
    const requirements = ['FRAGILE', 'PROOF_SIGNATURE', 'PROOF_PIN'];
    expect(requiredKinds({ ...shipment, requirements }, { proofPolicy: 'NONE' })).toEqual(['PIN', 'SIGNATURE']);
    expect(requiredKinds({ ...shipment, requirements: ['PROOF_PHOTO'] }, { proofPolicy: 'ALWAYS' })).toEqual(['PHOTO']);
  });

  test.each([
    ['NONE', '150', '9000', []],
    ['VALUABLE', '0', '500', []],
    ['VALUABLE', '0', '500.01', ['PIN']],
    ['VALUABLE', '0.01', '0', ['PIN']],
    ['ALWAYS', '0', '0', ['PIN']],
  ] as const)('of the policy %s with %s to collect and a value of %s are %j', (proofPolicy, cod, value, kinds) => {
    const valued = { ...shipment, codAmount: decimal(cod), declaredValue: decimal(value) };
    expect(requiredKinds(valued, { proofPolicy })).toEqual(kinds);
  });
});

describe('the terms of a company', () => {
  const none = JSON.stringify({ proofPolicy: 'NONE', attemptPolicy: 'FREE', waitSeconds: 300 });

  test('without its own ask for nothing, but on production', () => {
    expect(proofTermsOf(null, 'sandbox')).toEqual({ proofPolicy: 'NONE', attemptPolicy: 'FREE', waitSeconds: 0 });
    expect(proofTermsOf(null, 'production')).toEqual({
      proofPolicy: 'VALUABLE',
      attemptPolicy: 'EVIDENCE',
      waitSeconds: 0,
    });
  });

  test('never ask for less than a PIN for valuable parcels on production', () => {
    expect(proofTermsOf(none, 'local').proofPolicy).toBe('NONE');
    expect(proofTermsOf(none, 'production')).toEqual({
      proofPolicy: 'VALUABLE',
      attemptPolicy: 'FREE',
      waitSeconds: 300,
    });
  });
});

test('a shipment that requires a proof requires one of its failure', () => {
  expect(attemptPolicyOf(['PROOF_PHOTO'], { attemptPolicy: 'FREE' })).toBe('EVIDENCE');
  expect(attemptPolicyOf(['FRAGILE'], { attemptPolicy: 'FREE' })).toBe('FREE');
});

describe('a delivery', () => {
  const given = (...kinds: ('PIN' | 'PHOTO' | 'SIGNATURE')[]) => new Set(kinds);

  test.each([
    ['what was not given', ['PIN', 'PHOTO'], given('PHOTO'), true, false, ['PIN']],
    ['nothing if all was given', ['PIN'], given('PIN'), true, false, []],
    ['a photo and a signature for a PIN that reached nobody', ['PIN'], given('PHOTO'), false, false, ['SIGNATURE']],
    ['nothing with both of them', ['PIN'], given('PHOTO', 'SIGNATURE'), false, false, []],
    [
      'a photo and a signature for a PIN that an operator released',
      ['PIN'],
      given(),
      true,
      true,
      ['PHOTO', 'SIGNATURE'],
    ],
    ['nothing that an operator released', ['PHOTO', 'SIGNATURE'], given(), true, true, []],
    ['what a release leaves after the right PIN', ['PIN', 'PHOTO'], given('PIN'), true, true, []],
  ] as const)('lacks %s', (_name, required, kinds, hasPin, isReleased, missing) => {
    expect(missingOfDelivery({ required, given: kinds, hasPin, isReleased })).toEqual(missing);
  });

  test.each([
    [['PIN'], given('PIN'), 'COMPLETE'],
    [['PIN'], given('PHOTO', 'SIGNATURE'), 'PARTIAL'],
    [['PHOTO'], given(), 'NONE'],
    [[], given('PHOTO'), 'COMPLETE'],
    [[], given(), 'NONE'],
  ] as const)('that needs %j and has %s is %s', (required, kinds, evidence) => {
    expect(deliveryEvidence({ required, given: kinds })).toBe(evidence);
  });
});

describe('an attempt', () => {
  const facts = { waitedSeconds: 300, metersFromDestination: 300, waitSeconds: 300, photos: 0 };

  test.each([
    ['at the door and long enough', {}, 'COMPLETE', []],
    ['too short', { waitedSeconds: 299 }, 'PARTIAL', ['WAIT']],
    ['too far', { metersFromDestination: 301 }, 'PARTIAL', ['ARRIVAL']],
    ['without a position', { metersFromDestination: null }, 'PARTIAL', ['ARRIVAL']],
    ['without an arrival', { waitedSeconds: null, metersFromDestination: null }, 'NONE', ['ARRIVAL']],
    ['with a photo alone', { waitedSeconds: null, metersFromDestination: null, photos: 1 }, 'PARTIAL', ['ARRIVAL']],
  ] as const)('%s', (_name, changes, evidence, missing) => {
    expect(attemptEvidence({ ...facts, ...changes })).toBe(evidence);
    expect(missingOfAttempt({ ...facts, ...changes })).toEqual(missing);
  });

  test('needs the door for reasons that say something about the recipient', () => {
    const reasons = ['RECIPIENT_UNREACHABLE', 'RECIPIENT_REFUSED', 'NOT_AS_ORDERED', 'WRONG_ADDRESS'] as const;
    expect(reasons.map(needsDoor)).toEqual([true, true, true, true]);
    expect((['COD_NOT_PAID', 'DAMAGED', 'LOST', 'OTHER'] as const).map(needsDoor)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
