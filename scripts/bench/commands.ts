import type { Arena, Peer } from './arena.ts';
import { addEndpoint, deleteEndpoint } from './links.ts';
import type { Measured, PreparedRequest } from './load.ts';
import { startReceiver } from './receiver.ts';
import { cancelRequests, createRequest, driverRequests } from './requests.ts';
import {
  CREATORS,
  comeToRest,
  load,
  type Measurement,
  type Operation,
  type RoundOptions,
  setApprovalPolicy,
  warmUpSecondsOf,
} from './rounds.ts';

/** What merchants and drivers do with shipments, each shipment once. The usual stack goes last, as with creations. */
export async function measureCommands(arena: Arena, options: RoundOptions): Promise<Measurement[]> {
  const { mirsal, usual, company } = arena;
  const measurements: Measurement[] = [];
  for (const [round, { waiting, accepted, carried }] of arena.stocks.entries()) {
    const run = async (operation: Operation, peer: Peer, requests: readonly PreparedRequest[], isOnce = true) => {
      options.log(`round ${round + 1}: ${operation}, ${peer.name}`);
      const { seconds } = options;
      const settings = { requests, connections: CREATORS, seconds, round };
      const measured = await load(arena, peer, peer.database, settings);
      const notes = await comeToRest(peer);
      const spent = isOnce ? spentOf(operation, peer, measured, requests.length) : [];
      measurements.push({ operation, peer: peer.name, round, measured, notes: [...notes, ...spent] });
    };
    await run('driver position', mirsal, driverRequests(carried, 'REPORT_POSITION'), false);
    await run('driver pick-up', mirsal, driverRequests(accepted, 'PICK_UP'));
    const cancellations = cancelRequests(company.token, waiting);
    await run('cancel', mirsal, cancellations);
    await run('cancel', usual, cancellations);
  }
  return measurements;
}

/** A shipment that is asked for again is only read: a rate from there on would say too much. */
function spentOf(operation: Operation, peer: Peer, { succeededInAll }: Measured, stock: number): string[] {
  return succeededInAll <= stock ? [] : [`${operation}, ${peer.name}: the ${stock} shipments did not last`];
}

/** Creations of a company that several endpoints are told of; each shipment is one event. */
export async function measureFanOut(arena: Arena, options: RoundOptions): Promise<Measurement[]> {
  const { mirsal, baseUrl, company } = arena;
  const measurements: Measurement[] = [];
  const receiver = await startReceiver();
  await setApprovalPolicy(mirsal.database, company.companyId, 'MANUAL');
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [operation, count] of FAN_OUTS) {
      options.log(`round ${round + 1}: ${operation}, mirsal`);
      const endpoints: string[] = [];
      for (let index = 0; index < count; index += 1) endpoints.push(await addEndpoint(baseUrl, company, receiver.url));
      const before = receiver.received();
      const measured = await load(arena, mirsal, mirsal.database, {
        requests: [createRequest(company.token, company)],
        connections: CREATORS,
        seconds: options.seconds,
        round,
        watched: { receiver: [process.pid] },
      });
      const heardPerSecond = (receiver.received() - before) / (warmUpSecondsOf(round) + options.seconds);
      measurements.push({ operation, peer: mirsal.name, round, measured, heardPerSecond, notes: [] });
      // What is still to be told would be told during the next measurement.
      for (const endpoint of endpoints) await deleteEndpoint(baseUrl, company, endpoint);
      await comeToRest(mirsal);
    }
  }
  await setApprovalPolicy(mirsal.database, company.companyId, 'AUTOMATIC');
  receiver.close();
  return measurements;
}

const FAN_OUTS = [
  ['create, 1 endpoint', 1],
  ['create, 5 endpoints', 5],
] as const;
