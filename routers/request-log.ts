import { MEMBER } from '../src/access/require.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { loggedRequest, loggedRequestWithEvents, requestLogFilter } from '../src/contract/request-log.ts';
import { uuid } from '../src/contract/values.ts';
import { FAILURES_LOGGED_DAYS, SUCCESSES_LOGGED_DAYS } from '../src/core/limits.ts';
import { orThrow } from '../src/core/problem.ts';
import { listRequests, readRequest } from '../src/domain/request-log/read.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/external/requests';
const tags = ['Request log'];

export const requestLog = router({
  list: merchantProcedure('logs:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: PATH,
        tags,
        summary: 'List the requests of your programs and people, newest first',
        description: `Kept for ${SUCCESSES_LOGGED_DAYS} days, failures for ${FAILURES_LOGGED_DAYS}. Values that may be personal or secret are replaced by their type, such as \`<string 11>\`. \`status\` is a number or a class, such as \`4xx\`. A request appears about a second after its response. Equal successful reads in a row are one entry, and so are refusals of one operation by the rate limit (429). \`repeats\` counts the others; a search by their ids finds nothing. \`externalReference\` finds references of up to 64 letters, digits and plain signs, because the log hides all others. When a process answers more than a hundred requests a second, it logs only one in fifty of the further successes. A page may have fewer entries than \`limit\`, or none, while \`hasMore\` is true. If the deployment has no log (\`requestLog\` of \`/ready\`), the list is empty.`,
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ query: { ...requestLogFilter, ...pageRequest } }))
    .output(answer(pageOf(loggedRequest)))
    .query(async ({ ctx, input }) =>
      orThrow(await listRequests({ ...ctx.services, ...ctx.store, clock: ctx.services.clock }, ctx.company, input)),
    ),

  get: merchantProcedure('logs:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{requestId}`,
        tags,
        summary: 'Read a logged request with the events that it caused',
        description:
          '`curl` repeats the request with your token in `MIRSAL_TOKEN`. Hidden values stand as `<recipient.phone>`.',
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: { requestId: uuid } }))
    .output(answer(loggedRequestWithEvents))
    .query(async ({ ctx, input }) =>
      orThrow(
        await readRequest({ ...ctx.services, ...ctx.store, clock: ctx.services.clock }, ctx.company, input.requestId),
      ),
    ),
});
