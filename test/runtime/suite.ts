import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnEnvironment } from '../support/connection.ts';
import { startEnvironment } from '../support/environment.ts';
import type { Runtime } from '../support/service.ts';
import { RECIPIENT } from '../support/shipments.ts';
import { describeLife } from './life.ts';
import { describeOutages } from './outages.ts';
import { describeRestarts } from './restarts.ts';
import { describeStorms } from './storms.ts';
import { describeWebhooks, WEBHOOK_TERMS } from './webhooks.ts';

/** The environment of a suite, once it has started. */
export type Started = () => OwnEnvironment;

/** What the service promises on every runtime: the same requests, the same answers, the same rows. */
export function describeService(runtime: Runtime): void {
  describe(`the service on ${runtime}`, () => {
    let environment: OwnEnvironment | undefined;
    const started: Started = () => {
      if (environment === undefined) throw new Error('The environment did not start');
      return environment;
    };
    beforeAll(async () => {
      environment = await startEnvironment(runtime, { WEBHOOK_TERMS: JSON.stringify(WEBHOOK_TERMS) });
      await sendDriversHome(environment);
    });
    afterAll(async () => {
      await environment?.stop();
    });

    describeLife(started);
    describeStorms(started);
    describeLogs(started);
    describeWebhooks(started);
    describeOutages(started);
    describeRestarts(started);
  });
}

/** Of those whom every company shares, so that what is approved stays READY_FOR_DISPATCH unless a test asks for more. */
async function sendDriversHome(environment: OwnEnvironment): Promise<void> {
  for (const shard of ['shard-1', 'shard-2'] as const) {
    await environment.sql(shard, 'update drivers set on_duty = 0 where company_id is null');
  }
}

/** After all that, and before the first restart: what was logged. */
function describeLogs(started: Started): void {
  it('logs one JSON line a request, and nothing that is secret or personal', async () => {
    const { service, companies, operator, token } = started();
    const lines = service.logs();
    const line = lines
      .map(parseLine)
      .find((entry) => entry?.['route'] === '/v2/external/shipments' && entry['status'] === 201);
    expect(line).toMatchObject({ level: 'info', method: 'POST', company: companies[0].companyId });
    const log = lines.join('\n');
    const secrets = [companies[0].clientSecret, operator.clientSecret, await token(companies[0])];
    for (const secret of [...secrets, RECIPIENT.name, RECIPIENT.phone.slice(1)]) expect(log).not.toContain(secret);
  });
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
