import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { tracking } from '../src/contract/tracking.ts';
import { newTrackingLink, trackingLink, trackingLinkRequest, trackingLinkUrl } from '../src/contract/tracking-link.ts';
import { uuid } from '../src/contract/values.ts';
import { LOCALES } from '../src/core/locale.ts';
import { part } from '../src/core/part.ts';
import { etagOf } from '../src/core/precondition.ts';
import { orThrow } from '../src/core/problem.ts';
import type { Bind } from '../src/domain/idempotency/once.ts';
import type { NewLink } from '../src/domain/tracking/link.ts';
import { listLinks, readLink, readLinkToken } from '../src/domain/tracking/links.ts';
import { readTracking } from '../src/domain/tracking/reading.ts';
import { linkLocationOf, presentLink } from '../src/domain/tracking/view.ts';
import { ifMatch, ifNoneMatch, optionalKey } from './headers.ts';
import { answerOnce, KEY_PROBLEMS } from './once.ts';
import { merchantProcedure, publicProcedureWithin, router } from './procedure.ts';
import { answer, request } from './request.ts';

const changes = part(() => import('../src/domain/tracking/link.ts'));

const PATH = '/v2/external/shipments/{shipmentId}/tracking-links';
const tags = ['Tracking'];
const shipmentId = { shipmentId: uuid };
const linkPath = { shipmentId: uuid, linkId: uuid };

export const trackingLinks = router({
  create: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: PATH,
        tags,
        summary: 'Create a link with which anyone can track a shipment',
        description:
          'Everyone with the url can track the shipment. A shipment has at most 10 active links. Without a locale the page uses the reader’s language.',
      },
      successStatuses: [201, 200],
      problems: ['TRACKING_LINK_LIMIT_REACHED', 'SHIPMENT_TERMINAL', ...KEY_PROBLEMS],
    })
    .input(request({ path: shipmentId, header: { idempotencyKey: optionalKey }, body: trackingLinkRequest }))
    .output(answer(newTrackingLink))
    .mutation(({ ctx, input: { idempotencyKey, ...same } }) => {
      const { services, store, company, facts } = ctx;
      const order = { ...same, correlationId: facts.correlationId };
      return answerOnce(
        ctx,
        { operation: 'trackingLinks.create', idempotencyKey, same },
        {
          run: async (bind: Bind<NewLink>) => {
            const { createLink } = await changes();
            return createLink({ ...services, ...store }, company, order, bind);
          },
          present: ({ row, token }) => ({
            status: 201,
            body: { ...presentLink(row, row.createdAt), url: urlOf(services.config, token) },
            headers: { etag: etagOf(row.version), location: linkLocationOf(row.shipmentId, row.id) },
          }),
        },
      );
    }),

  list: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: { method: 'GET', path: PATH, tags, summary: 'List the links of a shipment, newest first' },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ path: shipmentId, query: pageRequest }))
    .output(answer(pageOf(trackingLink)))
    .query(async ({ ctx, input }) => orThrow(await listLinks({ ...ctx.services, ...ctx.store }, ctx.company, input))),

  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{linkId}`,
        tags,
        summary: 'Read a link',
        description: 'Views are counted after a few seconds and do not change the version.',
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: linkPath }))
    .output(answer(trackingLink))
    .query(async ({ ctx, input }) => {
      const link = orThrow(await readLink({ ...ctx.services, ...ctx.store }, ctx.company, input));
      const state = link.state === 'EXPIRED' ? link.state : null;
      ctx.reply.headers['etag'] = etagOf(link.version, [link.viewCount, state]);
      return link;
    }),

  getUrl: merchantProcedure('shipments:write', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{linkId}/url`,
        tags,
        summary: 'Read the address of an active link again',
        description:
          'A link that was created before addresses were kept is 404, and one whose key was removed from the deployment.',
      },
      problems: ['RESOURCE_NOT_FOUND', 'TRACKING_LINK_NOT_ACTIVE'],
    })
    .input(request({ path: linkPath }))
    .output(answer(trackingLinkUrl))
    .query(async ({ ctx, input }) => {
      const token = orThrow(await readLinkToken({ ...ctx.services, ...ctx.store }, ctx.company, input));
      return { url: urlOf(ctx.services.config, token) };
    }),

  revoke: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'DELETE',
        path: `${PATH}/{linkId}`,
        tags,
        summary: 'Revoke a link',
        description:
          'If-Match contains the version of the link or the current version of its shipment. Revoking a revoked link is 204 whatever the tag, and changes nothing.',
      },
      successStatuses: [204],
      problems: ['RESOURCE_NOT_FOUND', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
    })
    .input(request({ path: linkPath, header: { ifMatch } }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input: { ifMatch: precondition, ...link } }) => {
      const order = { ...link, precondition, correlationId: ctx.facts.correlationId };
      const { revokeLink } = await changes();
      orThrow(await revokeLink({ ...ctx.services, ...ctx.store }, ctx.company, order));
      ctx.reply.status = 204;
      return null;
    }),

  follow: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/public/tracking/{token}',
        tags,
        summary: 'Track a shipment with a link’s token',
        description:
          'The response has neither the recipient nor the address. An unknown, revoked or expired link is always the same 404. To poll, send If-None-Match: such a request does not count as a view, nor does one of a known program, such as a preview in a chat. Scripts of any website may read the response (CORS).',
      },
      isConditional: true,
      endsInSecret: true,
      problems: ['TRACKING_LINK_UNAVAILABLE', 'RATE_LIMITED'],
    })
    .input(
      request({
        path: { token: z.string() },
        query: { lang: z.optional(z.enum(LOCALES)) },
        header: { ifNoneMatch: z.optional(ifNoneMatch) },
      }),
    )
    .output(answer(tracking))
    .query(async ({ ctx, input }) => {
      const { services, facts, reply } = ctx;
      const language = { lang: input.lang, locale: facts.locale };
      const followed = orThrow(await readTracking({ ...services, enterShard: ctx.enterShard }, input.token, language));
      if (input.ifNoneMatch === undefined && facts.isFromPerson)
        ctx.later(services.views.add(followed.shard, followed.tokenHash, followed.viewedAt));
      reply.headers['content-language'] = followed.tracking.locale;
      return followed.tracking;
    }),
});

function urlOf({ baseUrl }: { readonly baseUrl: string }, token: string): string {
  return `${baseUrl}/t/${token}`;
}
