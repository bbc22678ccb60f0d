import { afterAll, describe, expect, it } from 'vitest';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { addOperator, addSession } from '../../scripts/shared/people.ts';
import { verified } from '../../scripts/shared/receiver.ts';
import { newReference } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { JPEG, pngOf } from '../support/files.ts';
import { addMedia, MEDIA, mediaForm, readMedia, sendMedia, statesOf } from '../support/media.ts';
import { draftOf, upload } from '../support/registrations.ts';
import { receivers, subscribe } from '../support/subscription.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';
import type { Started } from './service.ts';

/** Files in the runtime's object store: pictures in events, and documents of registrations. */
export function describeMedia(started: Started): void {
  describe('a document of a registration', () => {
    it('of 1 MiB is read by an operator as it was uploaded, and a missing one is not found', async () => {
      const environment = started();
      const { body } = await draftOf(environment);
      const bytes = pngOf(1024 * 1024);
      const type = 'NATIONAL_ADDRESS';
      expect((await upload(environment, body, { type, bytes, contentType: 'image/png' })).status).toBe(200);
      const session = await addSession(environment, await addOperator(environment), { assurance: 'AAL2' });
      const { registrations } = trpcClient(environment, session).operations;
      const document = { registrationId: body.registrationId, documentType: type } as const;
      const read = await registrations.document.query(document);
      expect(read.fileName).toBe('national-address.png');
      expect(Buffer.from(read.base64, 'base64').equals(bytes)).toBe(true);
      const lose = "update registration_documents set object_key = 'lost' where registration_id = ?";
      await environment.sql('directory', lose, [body.registrationId]);
      expect(await problemOfCall(registrations.document.query(document))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    });
  });

  describe('pictures', () => {
    const { start, close } = receivers();
    afterAll(close);

    it('are listed in the event of their shipment, in the feed and in the webhook', async () => {
      const environment = started();
      const one = await subscribe(environment, await start());
      const { company, merchant } = one;
      const externalReference = newReference();
      const query = `?externalReference=${externalReference}&sortOrder=7`;
      const large = await sendMedia(environment, company, query, { body: pngOf(1024 * 1024) });
      const { mediaAssetId, purpose } = await readMedia(large);
      const second = await addMedia(environment, company, externalReference, 3);
      const timelineMedia = [second, { mediaAssetId, purpose, sortOrder: 7 }];

      const created = await one.create({ externalReference });
      expect(created).not.toHaveProperty('timelineMedia');
      const [sent] = await one.receiver.waitFor(1);
      if (sent === undefined) throw new Error('Nothing was sent');
      const told = verified(one.endpoint.signingSecret, sent);
      expect(told).toMatchObject({ type: 'shipment.created', data: { shipment: { timelineMedia } } });
      const pulled = await merchant.get(`${EVENTS}?shipmentId=${created.shipmentId}&type=shipment.created`);
      expect(await pulled.clone().text()).toContain(sent.text);
      expect((await readEventPage(pulled)).data).toEqual([told]);
    });

    it('can be listed, read as they were uploaded and deleted', async () => {
      const environment = started();
      const [company] = environment.companies;
      const externalReference = newReference();
      const bytes = pngOf(1024 * 1024);
      const sent = await sendMedia(environment, company, `?externalReference=${externalReference}`, { body: bytes });
      const { mediaAssetId } = await readMedia(sent);
      const headers = { authorization: `Bearer ${await environment.token(company)}` };
      const ask = (path: string, method = 'GET') => environment.fetch(`${MEDIA}${path}`, { method, headers });
      const listed = () => ask(`?externalReference=${externalReference}`).then((response) => response.json());
      expect(await listed()).toMatchObject({ data: [{ mediaAssetId, shipmentId: null, sizeBytes: bytes.length }] });
      const read = await ask(`/${mediaAssetId}/content`);
      expect([read.status, read.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
      const head = await ask(`/${mediaAssetId}/content`, 'HEAD');
      expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
      expect((await ask(`/${mediaAssetId}`, 'DELETE')).status).toBe(204);
      expect(await listed()).toMatchObject({ data: [] });
      expect((await ask(`/${mediaAssetId}/content`)).status).toBe(404);
    });

    it('are taken over tRPC too', async () => {
      const environment = started();
      const [, company] = environment.companies;
      const headers = { authorization: `Bearer ${await environment.token(company)}` };
      const body = mediaForm({ externalReference: newReference() });
      const response = await environment.fetch('/trpc/mediaAssets.create', { method: 'POST', headers, body });
      expect([response.status, await statesOf(environment, company)]).toEqual([200, ['READY']]);
    });

    it('that no shipment uses, or that were deleted, are removed by the sweep', async () => {
      const environment = started();
      const [company] = environment.companies;
      const reference = newReference();
      await addMedia(environment, company, reference, 0);
      await sendMedia(environment, company, `?externalReference=${reference}`, {
        contentType: 'image/jpeg',
        body: JPEG,
      });
      // A sweep may have removed the deleted one already.
      const ready = (await statesOf(environment, company)).filter((state) => state === 'READY');
      expect(ready).toEqual(['READY', 'READY']);
      await environment.sql(company.shard, 'update media_assets set due_at = 1 where company_id = ?', [
        company.companyId,
      ]);
      // A process sweeps when it starts.
      await environment.restart({});
      await environment.service.sweep();
      await until('they are gone', async () =>
        (await statesOf(environment, company)).length === 0 ? true : undefined,
      );
    });
  });
}
