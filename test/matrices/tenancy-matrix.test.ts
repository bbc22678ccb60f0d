import { expect, it } from 'vitest';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { addPerson } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { linksOf } from '../../scripts/shared/tracking.ts';
import { until } from '../../scripts/shared/until.ts';
import { newScene, type Scene } from '../support/exercises/scene.ts';
import { timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { call, type Face, facesOf } from '../support/tenancy/calls.ts';
import { probeOf } from '../support/tenancy/ids.ts';
import { idsOf, PROCEDURES, type Procedure } from '../support/tenancy/procedures.ts';
import { rowsAtRest, rowsOf } from '../support/tenancy/rows.ts';
import { goodCallOf } from '../support/tenancy/things.ts';

/**
 * Every id that a procedure accepts: the id of another company's resource is answered exactly like an unknown id, over
 * tRPC and REST, and changes nothing of that company. The cases are built from the router, so new procedures and new
 * ids are tested or fail here.
 */

const environment = sharedEnvironment();
const stage = await newScene(environment);

/** Procedures whose access does not depend on the company of a token. */
function isOfNoCompany({ name, meta }: Procedure): boolean {
  // The caller has the id with its code or capability.
  if (meta.security === 'none' || meta.security === 'upload') return true;
  // Operators act for every company. What only an operator in person may do has a session instead of the scope.
  return meta.scope === 'operations' || (meta.security === 'session' && name.startsWith('operations.'));
}

/** A driver has at most one shipment and no second page. Access between drivers is tested in driver-token.test.ts. */
const WITHOUT_SECOND_PAGE = ['driver.listOffers cursor', 'driver.listShipments cursor', 'audit.list cursor'];
/** Its body is a picture, so no input has it. The exercise of the operation tries a shipment of another driver. */
const WITH_A_FILE = ['proofs.upload shipmentId'];

const CASES = PROCEDURES.filter((procedure) => !isOfNoCompany(procedure)).flatMap((procedure) =>
  idsOf(procedure)
    .filter((member) => ![...WITHOUT_SECOND_PAGE, ...WITH_A_FILE].includes(`${procedure.name} ${member}`))
    .map((member) => [procedure.name, member, procedure] as const),
);

// Each case has its own company, so that several can run at once.
it.concurrent.each(CASES)('%s answers a foreign %s exactly like an unknown one', async (_name, member, procedure) => {
  // Two cases with one driver would see each other's positions.
  const scene = procedure.name === 'driver.act' ? await newScene(environment) : await newWorld();
  const good = await goodCallOf(procedure, scene);
  const { own, foreign, unknown } = await probeOf(procedure, member, good, scene);
  const before = await rowsAtRest(environment, good.rows);
  expect(before.length).toBeGreaterThan(0);
  const texts: string[] = [];
  for (const face of facesOf(procedure)) {
    const answer = await told(face, procedure, foreign, good.stranger);
    expect(answer, face).toEqual(await told(face, procedure, unknown, good.stranger));
    texts.push(answer.text);
  }
  expect(await rowsOf(environment, good.rows)).toBe(before);
  // The owner's request succeeds, so the resource exists and the answers above are refusals.
  const [face = 'tRPC'] = facesOf(procedure);
  // The request log is written a moment after the answer, so its list may still be empty.
  await until('the owner sees what a stranger does not', async () => {
    const mine = await call(environment, face, { procedure, input: own, headers: good.owner });
    const text = await mine.text();
    expect({ ok: mine.ok, text }).toMatchObject({ ok: true });
    return texts.includes(timelessText(text)) ? undefined : true;
  });
});

it('finds more than forty ids in procedures', () => {
  expect(CASES.length).toBeGreaterThan(40);
});

it('notices changes of a company: a shipment, a link, a person', async () => {
  const { sandbox } = await newWorld();
  const { merchant, company } = sandbox;
  const seen = [await rowsAtRest(environment, company)];
  const { shipmentId } = await merchant.create();
  seen.push(await rowsAtRest(environment, company));
  await merchant.post(linksOf(shipmentId), {});
  seen.push(await rowsAtRest(environment, company));
  await addPerson(environment, company);
  seen.push(await rowsAtRest(environment, company));
  expect(new Set(seen).size).toBe(4);
});

/** A new company for each case, because a case may leave work running. */
async function newWorld(): Promise<Scene> {
  const sandbox = await newSandbox(environment);
  await setApprovalPolicy(environment, sandbox.company, 'MANUAL');
  return { ...stage, sandbox };
}

async function told(
  face: Face,
  procedure: Procedure,
  input: Parameters<typeof call>[2]['input'],
  headers: Parameters<typeof call>[2]['headers'],
) {
  const response = await call(environment, face, { procedure, input, headers });
  const {
    date: _date,
    'x-request-id': _request,
    'x-correlation-id': _correlation,
    // It counts the caller's own requests.
    ratelimit: _left,
    'mirsal-sandbox-now': _now,
    ...rest
  } = Object.fromEntries(response.headers);
  return { status: response.status, headers: rest, text: timelessText(await response.text()) };
}
