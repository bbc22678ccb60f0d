import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { appRouter } from '../../routers/index.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { loggedFormOf } from '../../src/http/rest/routes.ts';
import { driverTerms, newCity, operatorOf } from '../support/fleet.ts';
import { BRANCH, LOCATION, newConsole, STORE } from '../support/places.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { trpcClient } from '../support/trpc.ts';

/** An update writes each of its members: a later read has all of them. */

const environment = sharedEnvironment();
const operator = await operatorOf(environment);
const { call, company } = await newConsole(environment);
const owner = trpcClient(
  environment,
  await addSession(environment, await addPerson(environment, company, 'OWNER'), { assurance: 'AAL2' }),
);

/** What names the row and the version that the caller has seen. */
const ADDRESS = new Set([
  'branchCode',
  'pickupLocationCode',
  'endpointId',
  'shard',
  'code',
  'driverId',
  'version',
  'ifMatch',
]);

interface Update {
  /** A new value for each member of the update. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Makes a row, changes it, and reads it again. */
  readonly run: (changes: never) => Promise<object>;
  /** What a read shows in place of a member. */
  readonly shown?: Readonly<Record<string, unknown>>;
}

const shard = 'shard-1';
const city = newCity();
const UPDATES: Readonly<Record<string, Update>> = {
  'branches.update': {
    changes: { name: 'North', nameAr: 'الشمال', cityCode: 'RUH' },
    async run(changes: object) {
      await call.branches.create.mutate(BRANCH);
      await call.branches.update.mutate({ branchCode: BRANCH.branchCode, ifMatch: '*', ...changes });
      const { data } = await call.branches.list.query({});
      return data.find(({ branchCode }) => branchCode === BRANCH.branchCode) ?? {};
    },
  },
  'pickupLocations.update': {
    changes: {
      name: 'Depot',
      nameAr: 'المستودع',
      location: { ...LOCATION, addressLine: '7 Olaya Street', cityCode: 'RUH', latitude: '24.7', longitude: '46.7' },
      contactName: 'Omar',
      contactPhone: '+966551234567',
      instructions: 'Gate 4',
    },
    shown: { contactPhone: undefined, maskedContactPhone: expect.stringMatching(/4567$/) },
    async run(changes: object) {
      await call.pickupLocations.create.mutate(STORE);
      const { pickupLocationCode } = STORE;
      await call.pickupLocations.update.mutate({ pickupLocationCode, ifMatch: '*', ...changes });
      const { data } = await call.pickupLocations.list.query({});
      return data.find((location) => location.pickupLocationCode === pickupLocationCode) ?? {};
    },
  },
  'webhookEndpoints.update': {
    changes: { url: 'https://b.example/in', description: 'Second', eventTypes: ['shipment.created'], enabled: false },
    shown: { enabled: undefined, state: 'DISABLED' },
    async run(changes: object) {
      const first = { url: 'https://a.example/in', description: 'First', eventTypes: ['*' as const] };
      const { endpointId } = await owner.webhookEndpoints.create.mutate(first);
      await owner.webhookEndpoints.update.mutate({ endpointId, ifMatch: '*', ...changes });
      return owner.webhookEndpoints.get.query({ endpointId });
    },
  },
  'operations.serviceLevels.update': {
    changes: {
      capabilities: ['FRAGILE'],
      weightKilogramsMax: '12.5',
      lengthCentimetresMax: '99',
      cities: [city],
      rank: 77,
      status: 'INACTIVE',
    },
    async run(changes: object) {
      const code = `LEVEL_${randomUUID().slice(0, 8).toUpperCase()}`;
      const limits = { weightKilogramsMax: '30', lengthCentimetresMax: '120' };
      const first = { shard, code, capabilities: [], ...limits, cities: [newCity()], rank: 30 } as const;
      await operator.serviceLevels.create.mutate({ ...first, capabilities: [], cities: [...first.cities] });
      await operator.serviceLevels.update.mutate({ shard, code, version: 0, ...changes });
      return (await operator.serviceLevels.list.query({ shard })).find((level) => level.code === code) ?? {};
    },
  },
  'operations.drivers.update': {
    changes: {
      firstName: 'Nasser',
      vehicleType: 'VAN',
      capabilities: ['COLD_CHAIN'],
      weightKilogramsMax: '300',
      lengthCentimetresMax: '250',
      cityCode: city,
      activeMax: 3,
      status: 'INACTIVE',
    },
    async run(changes: object) {
      const { driverId, version } = await operator.drivers.create.mutate(driverTerms(newCity()));
      await operator.drivers.update.mutate({ shard, driverId, version, ...changes });
      return operator.drivers.get.query({ shard, driverId });
    },
  },
};

/** The members of an operation's input. */
function membersOf(operation: string): string[] {
  return Object.keys(Object(loggedFormOf(operation)?.input).shape);
}

const names = Object.keys(appRouter._def.procedures).filter((name) => name.endsWith('.update'));

describe.each(names)('%s', (name) => {
  it('writes each of its members', async () => {
    const { changes, shown = {}, run } = UPDATES[name] ?? { changes: {}, run: () => Promise.resolve({}) };
    expect(Object.keys(changes).toSorted()).toEqual(
      membersOf(name)
        .filter((member) => !ADDRESS.has(member))
        .toSorted(),
    );
    expect(await run(changes as never)).toMatchObject(wanted(changes, shown));
  });
});

function wanted(changes: object, shown: object): object {
  return Object.fromEntries(Object.entries({ ...changes, ...shown }).filter(([, value]) => value !== undefined));
}
