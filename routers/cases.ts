import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import {
  type Case,
  caseListRequest,
  caseMessageRequest,
  caseOut,
  caseRequest,
  caseSummary,
  recipientCase,
  recipientCaseRequest,
  recipientCases,
} from '../src/contract/case.ts';
import { CASE_DAYS_AFTER_END, CASE_DECISIONS, CASE_MESSAGES_MAX } from '../src/contract/case-state.ts';
import { pageOf } from '../src/contract/page.ts';
import { uuid } from '../src/contract/values.ts';
import { etagOf } from '../src/core/precondition.ts';
import { orThrow, Problem } from '../src/core/problem.ts';
import { refuse } from '../src/core/result.ts';
import { unbound } from '../src/domain/idempotency/once.ts';
import { attaching } from '../src/domain/media-assets/attach.ts';
import { addMessage, decideCase, withdrawAsRecipient } from '../src/domain/shipments/change-case.ts';
import { openCase } from '../src/domain/shipments/open-case.ts';
import { listCases, readCase, readRecipientCases } from '../src/domain/shipments/read-cases.ts';
import { ifMatch, optionalKey } from './headers.ts';
import { answerOnce, type CompanyContext, KEY_PROBLEMS } from './once.ts';
import { merchantProcedure, publicProcedureWithin, router } from './procedure.ts';
import { signedInRecipient } from './recipients.ts';
import { answer, request } from './request.ts';

const LIST = '/v2/external/cases';
const PUBLIC = '/v2/public/tracking/{token}/cases';
const tags = ['Complaints'];
const caseId = { caseId: uuid };
const token = { token: z.string() };
const LINK_PROBLEMS = [
  'TRACKING_LINK_UNAVAILABLE',
  'RATE_LIMITED',
  'ACCESS_DENIED',
  'AUTHENTICATION_REQUIRED',
] as const;

/** Complaints about shipments, by merchants and by recipients. */
export const cases = router({
  create: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/external/shipments/{shipmentId}/cases',
        tags,
        summary: 'Complain about a shipment',
        description: `From its creation until ${CASE_DAYS_AFTER_END} days after its end. A shipment has at most one case of each kind that is not closed; 409 CASE_ALREADY_OPEN names it in \`existing\`. If the parcel was lost or damaged, the service opens the case by itself.`,
      },
      successStatuses: [201, 200],
      problems: ['CASE_ALREADY_OPEN', 'CASE_LIMIT_REACHED', 'SHIPMENT_TERMINAL', ...KEY_PROBLEMS],
    })
    .input(request({ path: { shipmentId: uuid }, header: { idempotencyKey: optionalKey }, body: caseRequest }))
    .output(answer(caseOut))
    .mutation(({ ctx, input: { idempotencyKey, ...same } }) =>
      answerOnce(
        ctx,
        { operation: 'cases.create', idempotencyKey, same },
        {
          run: (bind) => {
            const attach = attaching(ctx.store, ctx.company, same.mediaAssetIds);
            const order = { ...same, attach, openedBy: 'MERCHANT', correlationId: ctx.facts.correlationId } as const;
            return openCase(dependenciesOf(ctx), ctx.company, order, bind);
          },
          present: created,
        },
      ),
    ),

  list: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: LIST,
        tags,
        summary: 'List complaints, newest first',
        description: 'Without what was written in them. `from` is inclusive, `to` is exclusive.',
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ query: caseListRequest }))
    .output(answer(pageOf(caseSummary)))
    .query(async ({ ctx, input }) => orThrow(await listCases({ ...ctx.services, ...ctx.store }, ctx.company, input))),

  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${LIST}/{caseId}`,
        tags,
        summary: 'Read a complaint with its messages and its evidence',
        description: 'The evidence is what the service knew when it answered. It is kept unchanged.',
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: caseId }))
    .output(answer(caseOut))
    .query(async ({ ctx, input }) => {
      const found = orThrow(await readCase(ctx.store, ctx.company, input.caseId));
      // Whether it is overdue, and whether the recipient is forgotten, changes without the version.
      ctx.reply.headers['etag'] = etagOf(found.version, [JSON.stringify(found)]);
      return found;
    }),

  addMessage: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${LIST}/{caseId}/messages`,
        tags,
        summary: 'Write in a complaint',
        description: `As long as it is not closed, and at most ${CASE_MESSAGES_MAX} times with the description.`,
      },
      successStatuses: [201, 200],
      problems: ['RESOURCE_NOT_FOUND', 'CASE_LIMIT_REACHED', 'INVALID_STATE_TRANSITION', ...KEY_PROBLEMS],
    })
    .input(
      request({
        path: caseId,
        header: { idempotencyKey: optionalKey },
        body: caseMessageRequest,
      }),
    )
    .output(answer(caseOut))
    .mutation(({ ctx, input: { idempotencyKey, ...same } }) =>
      answerOnce(
        ctx,
        { operation: 'cases.addMessage', idempotencyKey, same },
        {
          run: (bind) => {
            const attach = attaching(ctx.store, ctx.company, same.mediaAssetIds);
            const order = { ...same, attach, correlationId: ctx.facts.correlationId };
            return addMessage(dependenciesOf(ctx), ctx.company, order, bind);
          },
          present: created,
        },
      ),
    ),

  decide: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${LIST}/{caseId}/decisions`,
        tags,
        summary: 'Accept or dispute the answer, or withdraw the complaint',
        description:
          'ACCEPT closes an answered case. DISPUTE asks for the decision of a second person, once. WITHDRAW closes a case that the merchant has opened. The same decision again is 200.',
      },
      problems: ['RESOURCE_NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
    })
    .input(
      request({
        path: caseId,
        header: { ifMatch },
        body: { decision: z.enum(CASE_DECISIONS).describe('What you decide.') },
      }),
    )
    .output(answer(caseOut))
    .mutation(async ({ ctx, input: { ifMatch: precondition, ...order } }) => {
      const { correlationId } = ctx.facts;
      const decided = orThrow(
        await decideCase(dependenciesOf(ctx), ctx.company, { ...order, by: 'MERCHANT', precondition, correlationId }),
      );
      ctx.reply.headers['etag'] = etagOf(decided.version);
      return decided;
    }),

  createAsRecipient: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'POST',
        path: PUBLIC,
        tags,
        summary: 'Complain as the recipient',
        description:
          'Needs the token of a recipient. 409 CASE_ALREADY_OPEN if the shipment has an open case of this kind, which the merchant may have opened.',
      },
      security: 'recipient',
      successStatuses: [201],
      problems: [...LINK_PROBLEMS, 'CASE_ALREADY_OPEN', 'CASE_LIMIT_REACHED', 'SHIPMENT_TERMINAL'],
    })
    .input(request({ path: token, body: recipientCaseRequest }))
    .output(answer(recipientCase))
    .mutation(async ({ ctx, input: { token: link, ...wish } }) => {
      const { scope, store, shipment } = await signedInRecipient(ctx, link);
      const { correlationId } = ctx.facts;
      const order = { ...wish, shipmentId: shipment.id, openedBy: 'RECIPIENT', correlationId } as const;
      const opened = orThrow(await openCase({ ...ctx.services, ...store }, scope, order, unbound));
      ctx.reply.status = 201;
      return orThrow(await ofRecipient({ scope, store, shipment }, opened.caseId));
    }),

  listAsRecipient: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'GET',
        path: PUBLIC,
        tags,
        summary: 'Read what the recipient complained about, and the answers',
        description: 'Needs the token of a recipient. Newest first; without what the merchant wrote.',
      },
      security: 'recipient',
      problems: ['TRACKING_LINK_UNAVAILABLE'],
    })
    .input(request({ path: token }))
    .output(answer(recipientCases))
    .query(async ({ ctx, input }) => {
      const { scope, store, shipment } = await signedInRecipient(ctx, input.token);
      return { data: orThrow(await readRecipientCases(store, scope, shipment.id)) };
    }),

  withdrawAsRecipient: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PUBLIC}/{caseId}/withdrawals`,
        tags,
        summary: 'Withdraw a complaint as the recipient who made it',
        description: 'Closes the case. The body is `{}`. A repeat is 200, too.',
      },
      security: 'recipient',
      problems: [...LINK_PROBLEMS, 'RESOURCE_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    })
    .input(request({ path: { ...token, ...caseId }, body: {} }))
    .output(answer(recipientCase))
    .mutation(async ({ ctx, input }) => {
      const linked = await signedInRecipient(ctx, input.token);
      const order = {
        caseId: input.caseId,
        shipmentId: linked.shipment.id,
        correlationId: ctx.facts.correlationId,
      };
      orThrow(await withdrawAsRecipient({ ...ctx.services, ...linked.store }, linked.scope, order));
      return orThrow(await ofRecipient(linked, input.caseId));
    }),
});

type Linked = Pick<Awaited<ReturnType<typeof signedInRecipient>>, 'scope' | 'store' | 'shipment'>;

/** A case that the present recipient has opened. */
async function ofRecipient({ scope, store, shipment }: Linked, id: string) {
  const found = await readRecipientCases(store, scope, shipment.id);
  if (!found.ok) return found;
  const one = found.value.find((other) => other.caseId === id);
  if (one === undefined) throw new Problem(refuse('RESOURCE_NOT_FOUND'));
  return { ok: true, value: one } as const;
}

function dependenciesOf({ services, store }: CompanyContext) {
  return { ...services, ...store };
}

function created(value: Case) {
  const headers = { etag: etagOf(value.version), location: `${LIST}/${value.caseId}` };
  return { status: 201, headers, body: value };
}
