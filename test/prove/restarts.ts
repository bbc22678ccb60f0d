import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { issueToken, type OwnEnvironment } from '../../scripts/shared/connection.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { newKey256, newSigningKey } from '../../scripts/shared/keys.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readShipment, readShipmentPage } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import type { Started } from '../runtime/service.ts';
import { CREDENTIAL, newOwner, readIssued } from '../support/credentials.ts';

/** A service that is restarted on its databases, with other variables. */
export function describeRestarts(started: Started): void {
  describe('after a restart', () => {
    it('approves what became due while it was down', async () => {
      const environment = started();
      const company = await addCompany(environment, 'shard-2');
      await setApprovalPolicy(environment, company, 'MANUAL');
      const { shipmentId } = await (await merchantOf(environment, company)).create();
      // As if the service had died between the creation and the approval.
      await environment.sql('shard-2', 'update shipments set due_at = created_at where id = ?', [shipmentId]);
      await environment.restart({});
      await environment.service.sweep();
      const merchant = await merchantOf(environment, company);
      const approved = await until('it is approved', async () => {
        const shipment = await readShipment(await merchant.get(`${SHIPMENTS}/${shipmentId}`));
        return shipment.state === 'READY_FOR_DISPATCH' ? shipment : undefined;
      });
      expect(approved.version).toBe(1);
    });

    it('accepts tokens and cursors of every listed key, and signs with the first', async () => {
      const environment = started();
      const [signer, sealer] = [onlyKeyIn(environment, 'TOKEN_SIGNING_KEYS'), onlyKeyIn(environment, 'CURSOR_KEYS')];
      const [nextSigner, nextSealer] = [await newSigningKey(), newKey256()];
      const rotateTo = (signers: unknown[], sealers: unknown[]) =>
        environment.restart({ TOKEN_SIGNING_KEYS: JSON.stringify(signers), CURSOR_KEYS: JSON.stringify(sealers) });
      const [company] = environment.companies;
      const merchant = await merchantOf(environment, company);
      await merchant.create();
      await merchant.create();
      const ofFirst = await issueToken(environment, company);
      const cursor = await cursorWith(environment, ofFirst);
      const kids = [decodeProtectedHeader(ofFirst).kid, nextSigner.kid];
      expect(await publishedKids(environment)).toEqual(kids.slice(0, 1));

      await rotateTo([signer, nextSigner], [sealer, nextSealer]);
      expect(decodeProtectedHeader(await issueToken(environment, company)).kid).toBe(kids[0]);
      expect(await publishedKids(environment)).toEqual(kids);
      expect(await statusWith(environment, ofFirst, cursor)).toBe(200);

      await rotateTo([nextSigner, signer], [nextSealer, sealer]);
      const ofSecond = await issueToken(environment, company);
      const nextCursor = await cursorWith(environment, ofSecond);
      expect(decodeProtectedHeader(ofSecond).kid).toBe(kids[1]);
      expect(await statusWith(environment, ofFirst, cursor)).toBe(200);
      expect(await statusWith(environment, ofSecond, nextCursor)).toBe(200);

      await rotateTo([nextSigner], [nextSealer]);
      expect(await publishedKids(environment)).toEqual(kids.slice(1));
      expect(await statusWith(environment, ofFirst, nextCursor)).toBe(401);
      expect(await statusWith(environment, ofSecond, cursor)).toBe(400);
      expect(await statusWith(environment, ofSecond, nextCursor)).toBe(200);
    });

    it('accepts client secrets of every listed key, and seals with the first', async () => {
      const environment = started();
      const old = onlyKeyIn(environment, 'CREDENTIAL_KEYS');
      const next = newKey256();
      const rotateTo = (...keys: unknown[]) => environment.restart({ CREDENTIAL_KEYS: JSON.stringify(keys) });
      const [owner, other] = [await newOwner(environment), await newOwner(environment)];
      const ofOld = await readIssued(await owner.send('POST', CREDENTIAL));
      try {
        await rotateTo(next, old);
        const ofNext = await readIssued(await other.send('POST', CREDENTIAL));
        await issueToken(environment, ofOld);
        await issueToken(environment, ofNext);
        await rotateTo(next);
        await issueToken(environment, ofNext);
        await expect(issueToken(environment, ofOld)).rejects.toThrow('No token: 401');
      } finally {
        await rotateTo(old);
      }
      await issueToken(environment, ofOld);
    });
  });
}

function onlyKeyIn(environment: OwnEnvironment, variable: string): unknown {
  const keys: unknown = JSON.parse(environment.variables[variable] ?? '');
  if (!Array.isArray(keys) || keys.length !== 1) throw new Error(`${variable} does not hold one key`);
  return keys[0];
}

async function cursorWith(environment: OwnEnvironment, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const { page } = await readShipmentPage(await environment.fetch(`${SHIPMENTS}?limit=1`, { headers }));
  if (page.nextCursor === null) throw new Error('There are too few shipments for a second page');
  return page.nextCursor;
}

async function statusWith(environment: OwnEnvironment, token: string, cursor: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await environment.fetch(`${SHIPMENTS}?limit=1&cursor=${cursor}`, { headers });
  await response.body?.cancel();
  return response.status;
}

async function publishedKids(environment: OwnEnvironment): Promise<string[]> {
  const response = await environment.fetch('/.well-known/jwks.json');
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}
