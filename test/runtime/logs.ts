import { expect, it } from 'vitest';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { RECIPIENT } from '../../scripts/shared/shipments.ts';
import { CREDENTIAL, newOwner, readIssued } from '../support/credentials.ts';
import { BRANCH, STORE } from '../support/places.ts';
import { trpcClientWith } from '../support/trpc.ts';
import type { Started } from './service.ts';

/** What the service logs. It comes before the parts that restart the service, because a new process has a new log. */
export function describeLogs(started: Started): void {
  it('logs one JSON line for each request, without secrets and personal data', async () => {
    const { service, companies, operator, token } = started();
    await (await merchantOf(started(), companies[0])).create();
    const created = () =>
      service
        .logs()
        .map(parseLine)
        .findLast((entry) => entry?.['route'] === '/v2/external/shipments' && entry['status'] === 201);
    await expect.poll(created).toMatchObject({ level: 'info', method: 'POST', company: companies[0].companyId });
    const log = service.logs().join('\n');
    const secrets = [companies[0].clientSecret, operator.clientSecret, await token(companies[0])];
    for (const secret of [...secrets, RECIPIENT.name, RECIPIENT.phone.slice(1)]) expect(log).not.toContain(secret);
  });

  it('logs nothing secret or personal of credentials and places', async () => {
    const environment = started();
    const planted = await plant(environment);
    const log = () => environment.service.logs().join('\n');
    for (const route of [CREDENTIAL, `${CREDENTIAL}/rotations`, '/trpc/{procedures}'])
      await expect.poll(log).toContain(route);
    for (const secret of planted) expect(log()).not.toContain(secret);
    const { address } = environment.service;
    await fetch(`${address}/trpc/shipments.get,invented.name,shipments.list?batch=1`).then((response) =>
      response.text(),
    );
    await expect.poll(log).toContain('"procedures":"shipments.get,unknown,shipments.list"');
    expect(log()).toMatch(/"time":"\d{4}-\d\d-\d\dT[\d:.]{12}Z"/);
  });
}

/** Unique words in every personal member of a place. */
const PLANTED = {
  name: 'planted-qibla-name',
  contactName: 'planted-qibla-contact',
  contactPhone: '+966119988776',
  instructions: 'planted-qibla-instructions',
};

/** Manages a credential and places, with valid and invalid requests. Returns what may never be logged. */
async function plant(environment: ReturnType<Started>): Promise<string[]> {
  const owner = await newOwner(environment);
  const issued = await readIssued(await owner.send('POST', CREDENTIAL));
  const rotated = await readIssued(await owner.send('POST', `${CREDENTIAL}/rotations`, {}));
  await owner.send('POST', `${CREDENTIAL}/rotations`, { overlapSeconds: 'planted-qibla-overlap' });
  const headers = { cookie: `__Host-session=${owner.token}`, origin: 'https://planted-qibla.example' };
  await sendJson(environment, 'DELETE', CREDENTIAL, undefined, headers);
  const { branches, pickupLocations, nationalAddresses } = trpcClientWith(environment, {
    authorization: `Bearer ${owner.token}`,
  });
  await branches.create.mutate({ ...BRANCH, name: PLANTED.name });
  await pickupLocations.create.mutate({ ...STORE, ...PLANTED });
  // Taken, and too long.
  await pickupLocations.create.mutate({ ...STORE, ...PLANTED }).catch(() => undefined);
  const tooLong = PLANTED.instructions.repeat(50);
  await pickupLocations.create.mutate({ ...STORE, ...PLANTED, instructions: tooLong }).catch(() => undefined);
  for (const shortAddress of ['QIBL8642', 'QIBL-86'])
    await nationalAddresses.lookUp.mutate({ shortAddress }).catch(() => undefined);
  for (const text of ['planted-qibla-street', 'planted-qibla'.repeat(20)])
    await nationalAddresses.suggest.mutate({ text }).catch(() => undefined);
  const secrets = [owner.token, issued.clientSecret, rotated.clientSecret];
  return [...secrets, 'planted-qibla', 'QIBL', PLANTED.contactPhone.slice(1)];
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
