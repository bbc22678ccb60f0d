import { describe, expect, test } from 'vitest';
import { SCENARIOS, type ScenarioName } from '../../../../src/contract/driver-state.ts';
import { SHIPMENT_STATES, type ShipmentState } from '../../../../src/contract/shipment-state.ts';
import { addSeconds, instantFromMillis } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { nextStep, type ScenarioProgress, scenarioRefusal } from '../../../../src/domain/sandbox/scenario/scenario.ts';
import { decide } from '../../../../src/domain/shipments/lifecycle.ts';

/** The command of each scenario in each state; a star marks the last command, a dash the end without a command. */
const TABLE = `
                        OFFERED   ACCEPTED  DISPATCH_UNRESOLVED  PICKED_UP  OUT_FOR_DELIVERY
HAPPY_PATH              ACCEPT    PICK_UP   -                    DEPART     DELIVER*
NO_DRIVER               DECLINE   RELEASE   -                    -          -
DECLINE_THEN_ACCEPT     DECLINE   -         -                    -          -
DRIVER_RELEASES         ACCEPT    RELEASE*  -                    -          -
RECIPIENT_UNREACHABLE   ACCEPT    PICK_UP   -                    DEPART     FAIL*
RECIPIENT_REFUSED       ACCEPT    PICK_UP   -                    DEPART     FAIL*
COD_NOT_PAID            ACCEPT    PICK_UP   -                    DEPART     FAIL*
LOST                    ACCEPT    PICK_UP   -                    FAIL*      FAIL*
ADDRESS_MISMATCH        ACCEPT    PICK_UP   -                    DEPART     DELIVER*
WINDOW_MISSED           ACCEPT    PICK_UP   -                    DEPART     DELIVER*
WRONG_PIN               ACCEPT    PICK_UP   -                    DEPART     FAIL*
ATTEMPT_WITHOUT_PROOF   ACCEPT    PICK_UP   -                    DEPART     FAIL*
RECALLED                ACCEPT    PICK_UP   -                    DEPART     RECALL*
`;

const main = '01a1fbdf-1dae-72c6-bbe1-a4915637be63' as Uuid;
const relief = '01a1fbdf-1dae-72c6-bbe1-a4915637be64' as Uuid;
const stranger = '01a1fbdf-1dae-72c6-bbe1-a4915637be65' as Uuid;
const since = instantFromMillis(1_795_224_000_000);

const [header = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const cells = rows.flatMap(([name, ...acts]) =>
  acts.map((expected, column) => ({ name: name as ScenarioName, state: header[column] as ShipmentState, expected })),
);

test('the table names every scenario', () => {
  expect(rows.map(([name]) => name)).toEqual([...SCENARIOS]);
});

describe.each(cells)('$name in $state', ({ name, state, expected }) => {
  const step = nextStep(standing({ name, state }), since);

  test(`does ${expected}`, () => {
    expect(step.kind === 'command' ? `${step.command.name}${step.isLast ? '*' : ''}` : '-').toBe(expected);
  });

  test('sends only commands that the lifecycle allows to its driver', () => {
    if (step.kind !== 'command' || step.command.name === 'OFFER' || step.command.name === 'RECALL') return;
    const { command } = step;
    expect(command.driverId).toBe(main);
    expect(decide({ state, version: 4, approvedAt: since, amendmentCount: 0 }, command, 'DRIVER', since).kind).toBe(
      'transition',
    );
  });
});

test('a failure has the reason of its scenario', () => {
  const reasons = (['RECIPIENT_UNREACHABLE', 'RECIPIENT_REFUSED', 'COD_NOT_PAID', 'LOST'] as const).map((name) => {
    const step = nextStep(standing({ name, state: 'OUT_FOR_DELIVERY' }), since);
    return step.kind === 'command' && step.command.name === 'FAIL' ? step.command.reasonCode : step.kind;
  });
  expect(reasons).toEqual(['RECIPIENT_UNREACHABLE', 'RECIPIENT_REFUSED', 'COD_NOT_PAID', 'LOST']);
});

test('after a decline, the next driver accepts the offer', () => {
  const step = nextStep(standing({ name: 'DECLINE_THEN_ACCEPT', state: 'OFFERED', step: 2, driverId: relief }), since);
  expect(step).toEqual({ kind: 'command', command: { name: 'ACCEPT', driverId: relief }, isLast: true });
});

test('the second driver gets no offer before a search that a new pickup window has put off', () => {
  const searchFrom = addSeconds(since, 600);
  const waiting = standing({ name: 'HAPPY_PATH', state: 'READY_FOR_DISPATCH', driverId: null, searchFrom });
  expect(nextStep(waiting, addSeconds(since, 599))).toEqual({ kind: 'wait', until: searchFrom });
  const step = nextStep(waiting, searchFrom);
  expect(step).toEqual({ kind: 'command', command: { name: 'OFFER', driverId: relief }, isLast: false });
});

test('after a refusal by the first driver, the second one gets the offer', () => {
  const step = nextStep(standing({ name: 'HAPPY_PATH', state: 'READY_FOR_DISPATCH', driverId: null }), since);
  expect(step).toEqual({ kind: 'command', command: { name: 'OFFER', driverId: relief }, isLast: false });
});

test('a driver outside the sandbox ends the scenario', () => {
  const step = nextStep(standing({ name: 'HAPPY_PATH', state: 'ACCEPTED', driverId: stranger }), since);
  expect(step).toEqual({ kind: 'end', error: 'It is with another driver' });
});

test('an unresolved shipment ends every scenario with an error, except NO_DRIVER', () => {
  const ends = SCENARIOS.map((name) =>
    nextStep(standing({ name, state: 'DISPATCH_UNRESOLVED', driverId: null }), since),
  );
  const errors = ends.map((end) => (end.kind === 'end' ? end.error : end.kind));
  const expected = SCENARIOS.map((name) =>
    name === 'NO_DRIVER' ? null : 'There is no way on from DISPATCH_UNRESOLVED',
  );
  expect(errors).toEqual(expected);
});

describe('a pause', () => {
  test('lasts stepSeconds from the start of the state', () => {
    const paused = standing({ name: 'HAPPY_PATH', state: 'ACCEPTED', stepSeconds: 20 });
    expect(nextStep(paused, addSeconds(since, 19))).toEqual({ kind: 'wait', until: addSeconds(since, 20) });
    expect(nextStep(paused, addSeconds(since, 20)).kind).toBe('command');
  });

  test('of WINDOW_MISSED before the door lasts until the window is over', () => {
    const window = { deliveryWindowEnd: addSeconds(since, 3600) };
    const paused = standing({ name: 'WINDOW_MISSED', state: 'OUT_FOR_DELIVERY', ...window });
    expect(nextStep(paused, addSeconds(since, 3600))).toEqual({ kind: 'wait', until: addSeconds(since, 3601) });
    expect(nextStep(paused, addSeconds(since, 3601)).kind).toBe('command');
    expect(nextStep(standing({ name: 'WINDOW_MISSED', state: 'PICKED_UP', ...window }), since).kind).toBe('command');
  });

  test('ends before an offer expires', () => {
    const paused = standing({ name: 'HAPPY_PATH', state: 'OFFERED', stepSeconds: 60, dueAt: addSeconds(since, 60) });
    expect(nextStep(paused, since)).toEqual({ kind: 'wait', until: addSeconds(since, 45) });
  });
});

describe('a scenario is refused', () => {
  test.each(SCENARIOS)('for a terminal shipment: %s', (name) => {
    const codes = (['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'] as const).map(
      (state) => scenarioRefusal(name, state)?.code,
    );
    expect(codes).toEqual(['SHIPMENT_TERMINAL', 'SHIPMENT_TERMINAL', 'SHIPMENT_TERMINAL']);
  });

  test.each([
    ['HAPPY_PATH', ['DISPATCH_UNRESOLVED']],
    ['NO_DRIVER', ['DISPATCH_UNRESOLVED', 'PICKED_UP', 'OUT_FOR_DELIVERY']],
    ['DECLINE_THEN_ACCEPT', ['ACCEPTED', 'DISPATCH_UNRESOLVED', 'PICKED_UP', 'OUT_FOR_DELIVERY']],
    ['DRIVER_RELEASES', ['DISPATCH_UNRESOLVED', 'PICKED_UP', 'OUT_FOR_DELIVERY']],
    ['LOST', ['DISPATCH_UNRESOLVED']],
    ['WINDOW_MISSED', ['ACCEPTED', 'DISPATCH_UNRESOLVED', 'PICKED_UP', 'OUT_FOR_DELIVERY']],
  ] as const)('in a state beyond its steps: %s', (name, expected) => {
    const refused = SHIPMENT_STATES.filter(
      (state) => scenarioRefusal(name, state)?.code === 'INVALID_STATE_TRANSITION',
    );
    expect(refused).toEqual(expected);
  });
});

function standing(changes: Partial<ScenarioProgress>): ScenarioProgress {
  return {
    name: 'HAPPY_PATH',
    stepSeconds: 0,
    step: 0,
    state: 'OFFERED',
    stateSince: since,
    dueAt: null,
    searchFrom: null,
    deliveryWindowEnd: null,
    driverId: main,
    mainDriverId: main,
    reliefDriverId: relief,
    ...changes,
  };
}
