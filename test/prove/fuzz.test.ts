import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVE_SIZES } from '../../scripts/prove/sizes.ts';
import type { OwnEnvironment } from '../../scripts/shared/connection.ts';
import { type PassingAnswer, startHttpProxy } from '../../scripts/shared/http-proxy.ts';
import { DESCRIBED, describedAs } from '../fuzz/document.ts';
import { type FuzzResult, fuzz, report } from '../fuzz/fuzz.ts';
import { newSupply, type Supply } from '../fuzz/supply.ts';
import { startTarget } from '../fuzz/target.ts';

/** Every answer is as documented. For another seed: `npm run fuzz -- --seed N`. */

const PLAN = { seed: 20_261_121, requests: PROVE_SIZES.fuzzRequests };
/** Two minutes on two quiet cores. A busy machine takes longer. */
const TIMEOUT_MS = 900_000;
/** Enough requests to get every answer that a fault is planted in. */
const CONTROL = { seed: 7, requests: 300 };

/** A violation of the schema that nobody has committed. */
const INVENTED = '{"field":"items[7].quantity","code":"TOO_SHORT","message":"x"}';

let environment: OwnEnvironment;
let result: FuzzResult;
beforeAll(async () => {
  environment = await startTarget('worker');
  result = await fuzz(environment, PLAN);
  console.log(report(PLAN, result));
}, TIMEOUT_MS);
afterAll(() => environment.stop(), 60_000);

describe('malformed requests', () => {
  it('are all answered as documented', () => {
    expect(report(PLAN, result)).toContain('Every answer was as documented.');
  });

  it('cover every operation with successes and refusals', () => {
    const unused = DESCRIBED.filter(({ name }) => {
      const statuses = [...(result.statuses.get(name)?.keys() ?? [])];
      return !statuses.some((status) => status < 300) || !statuses.some((status) => status >= 400);
    });
    expect(unused.map(({ name }) => name)).toEqual([]);
  });

  it('store no webhook address outside this machine', async () => {
    const rows = await Promise.all(
      (['shard-1', 'shard-2'] as const).map((shard) => environment.sql(shard, 'select url from webhook_endpoints')),
    );
    const hosts = new Set(rows.flat().map(({ url }) => new URL(String(url)).hostname));
    expect(hosts.size).toBeGreaterThan(0);
    expect([...hosts].filter((host) => !['127.0.0.1', 'localhost', '[::1]'].includes(host))).toEqual([]);
  });

  it('leave the service working', async () => {
    expect((await environment.fetch('/ready')).status).toBe(200);
  });
});

describe('a validation', () => {
  const plan = { seed: 21, requests: 1000, operations: ['shipmentValidations.create'] };

  it('says what a creation with the same body is answered', async () => {
    const compared = await fuzz(environment, plan);
    console.log(report(plan, compared));
    expect(report(plan, compared)).toContain('Every answer was as documented.');
    expect(compared.comparisons.get('valid')).toBeGreaterThan(50);
    expect(compared.comparisons.get('not valid')).toBeGreaterThan(300);
  });

  it.each([
    ['false praise', /"valid":false/, '"valid":true', /said to be valid, and the creation is 4/],
    ['false blame', /"valid":true/, '"valid":false', /said to be not valid, and the creation is 201/],
    ['a violation missing', /("violations":\[)\{[^}]*\},/, '$1', /has the violation .*, which the validation does not/],
    [
      'a violation more',
      /("violations":\[)(\{[^}]*\})/,
      `$1${INVENTED},$2`,
      /has the violation .*, which the creation/,
    ],
  ])('is caught with %s', async (_name, pattern, replacement, objection) => {
    const { url, close } = await startHttpProxy(environment.address, {
      after: (answer) => void (answer.body.startsWith('{"valid":') && replace(answer, pattern, replacement)),
    });
    const { findings } = await fuzz(environment, { ...plan, requests: 100, address: url });
    close();
    expect(findings.length).toBeGreaterThan(0);
    for (const { faults } of findings) expect(faults.join('; ')).toMatch(objection);
  });
});

describe('the links of the document', () => {
  const plan = { seed: 3, requests: 250, operations: ['shipments.create'] };

  it('lead from a creation to reads, cancellations and tracking links', async () => {
    const result = await fuzz(environment, plan);
    console.log(report(plan, result));
    expect(report(plan, result)).toContain('Every answer was as documented.');
    const documented = ['shipments.create', 'shipments.get', 'shipments.cancel', 'trackingLinks.create'].flatMap(
      (name) => [...describedAs(name).links.values()].flatMap((links) => links.map((link) => `${name} ${link.name}`)),
    );
    const followed = [...result.links.keys()].map((link) => link.replace(/ \d+ /, ' '));
    expect(new Set(followed)).toEqual(new Set(documented));
  });

  it('that lead nowhere are noticed', async () => {
    const { url, close } = await startHttpProxy(environment.address, {
      after: (answer) => void (answer.status === 201 && replace(answer, /("shipmentId":")[0-9a-f]{8}/, '$100000000')),
    });
    const { findings } = await fuzz(environment, { ...plan, requests: 60, address: url });
    close();
    expect(findings.length).toBeGreaterThan(0);
    for (const { faults } of findings) expect(faults.join('; ')).toMatch(/the link \S+ 201 \w+ leads to a 403/);
  });
});

/** The planted faults, with the objection to each. */
const FAULTS: readonly (readonly [string, (answer: PassingAnswer) => boolean, RegExp])[] = [
  ['a status that is not documented', withStatus(200, 418), /has no status 418/],
  ['a 500 in place of a refusal', withStatus(422, 500), /it is a 500/],
  ['a request id missing', without('x-request-id'), /no UUID in x-request-id/],
  ['a challenge missing', withoutChallenge, /no challenge in a 401/],
  ['an entity tag missing', without('etag'), /no header ETag/],
  [
    'a member missing',
    (answer) => replace(answer, /"hasMore":(?:true|false)/, '"x":1'),
    /must have required property 'hasMore'/,
  ],
  ['a member of the wrong type', (answer) => replace(answer, /"version":(\d+)/, '"version":"$1"'), /must be integer/],
  [
    'a value outside its enum',
    (answer) => replace(answer, /"state":"PENDING_APPROVAL"/, '"state":"LOST"'),
    /must be equal to one of the allowed values/,
  ],
  [
    'a problem without its code',
    (answer) => replace(answer, /"code":"MALFORMED_JSON",/, ''),
    /must have required property 'code'/,
  ],
  [
    'a code of another operation',
    (answer) => replace(answer, /"code":"ROUTE_NOT_FOUND"/, '"code":"x"'),
    /must match pattern/,
  ],
  ['a stack', (answer) => replace(answer, /"detail":"[^"]*"/, '"detail":"at f (/src/app.ts:1"'), /shows a stack trace/],
];

describe('one wrong answer', () => {
  let supply: Supply;
  beforeAll(async () => {
    const names = DESCRIBED.map(({ name }) => name);
    supply = await newSupply(environment, names);
  }, TIMEOUT_MS);

  it.each(FAULTS)(
    'is noticed: %s',
    async (_name, alter, objection) => {
      let altered = 0;
      const proxy = await startHttpProxy(environment.address, {
        after: (answer) => {
          if (altered === 0 && alter(answer)) altered += 1;
        },
      });
      const { findings } = await fuzz(environment, { ...CONTROL, supply, address: proxy.url });
      proxy.close();
      expect(altered).toBe(1);
      expect(findings.map(({ faults }) => faults.join('; '))).toEqual([expect.stringMatching(objection)]);
    },
    TIMEOUT_MS,
  );
});

function withStatus(from: number, to: number) {
  return (answer: PassingAnswer): boolean => {
    const isOne = answer.status === from && answer.body.startsWith('{');
    if (isOne) answer.status = to;
    return isOne;
  };
}

function without(header: string) {
  return (answer: PassingAnswer): boolean => {
    const at = answer.headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === header);
    if (at >= 0) answer.headers.splice(at, 2);
    return at >= 0;
  };
}

function withoutChallenge(answer: PassingAnswer): boolean {
  // The OAuth endpoints challenge only clients that used HTTP Basic (RFC 6749 section 5.2).
  const isOne = answer.status === 401 && answer.headers.includes('application/problem+json');
  return isOne && without('www-authenticate')(answer);
}

function replace(answer: PassingAnswer, pattern: RegExp, replacement: string): boolean {
  // The request log shows bodies of other answers, in which everything is allowed.
  if (answer.body.includes('"requestHeaders":')) return false;
  const body = answer.body.replace(pattern, replacement);
  const isAltered = body !== answer.body;
  answer.body = body;
  return isAltered;
}
