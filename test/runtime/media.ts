import { afterAll, describe, expect, it } from 'vitest';
import { EVENTS, readEventPage } from '../../scripts/shared/events.ts';
import { JPEG, pngOf } from '../../scripts/shared/files.ts';
import { addMedia, mediaForm, readMedia, sendMedia, statesOf } from '../../scripts/shared/media.ts';
import { verified } from '../../scripts/shared/receiver.ts';
import { newReference } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { receivers, subscribe } from '../support/subscription.ts';
import type { Started } from './service.ts';

/** Pictures in the runtime's object store and in events. */
export function describeMedia(started: Started): void {
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

    it('are taken over tRPC too', async () => {
      const environment = started();
      const [, company] = environment.companies;
      const headers = { authorization: `Bearer ${await environment.token(company)}` };
      const body = mediaForm({ externalReference: newReference() });
      const response = await environment.fetch('/trpc/mediaAssets.create', { method: 'POST', headers, body });
      expect([response.status, await statesOf(environment, company)]).toEqual([200, ['READY']]);
    });

    it('that no shipment uses are removed by the sweep', async () => {
      const environment = started();
      const [company] = environment.companies;
      const reference = newReference();
      await addMedia(environment, company, reference, 0);
      await sendMedia(environment, company, `?externalReference=${reference}`, {
        contentType: 'image/jpeg',
        body: JPEG,
      });
      expect(await statesOf(environment, company)).toEqual(['READY', 'READY']);
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
