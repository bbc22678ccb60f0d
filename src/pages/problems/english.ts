import type { ProblemCode } from '../../core/catalogue.ts';
import { inWords, LIMITS } from '../limits.ts';

/** The cause and the fix of every problem, in English. */
export const ENGLISH = {
  MALFORMED_JSON: {
    cause: 'The body is cut off, is not UTF-8, is nested too deeply or is not valid JSON.',
    fix: 'Build the body with a JSON library, not by joining strings. Send exactly what the library returns.',
  },
  INVALID_PATH_PARAMETER: {
    cause: 'An identifier in the path does not have the documented format. For example, it is not a UUID.',
    fix: 'Copy identifiers unchanged from an earlier response. A shipmentNumber is not a shipmentId.',
  },
  INVALID_QUERY_PARAMETER: {
    cause: 'A required query parameter is missing, a parameter was sent twice, or a value is not a documented one.',
    fix: 'Send each parameter at most once, percent-encoded, with a documented value.',
  },
  UNKNOWN_QUERY_PARAMETER: {
    cause: 'The name of a query parameter is misspelt or belongs to another operation. Names are case-sensitive.',
    fix: 'Compare the names with the reference. The service refuses unknown filters, because ignoring one would return too many results.',
  },
  LIMIT_OUT_OF_RANGE: {
    cause: `limit is below 1, above ${LIMITS.pageMax} or not a whole number. The service never adjusts it silently.`,
    fix: `Send a whole number from 1 to ${LIMITS.pageMax}, or omit limit for pages of ${LIMITS.pageDefault}. To read more, send nextCursor as cursor.`,
  },
  INVALID_CURSOR: {
    cause:
      'The cursor was changed or cut off. Or it was used with another filter, another parent resource or another ' +
      'company than the request that returned it.',
    fix:
      'Repeat the request that returned the cursor, and change only cursor and, if you want, limit. To change a ' +
      'filter, start again without a cursor.',
  },
  INVALID_HEADER: {
    cause:
      `A header is not valid: Accept-Language is longer than ${LIMITS.acceptLanguageLength} characters, If-Match is not ` +
      'an entity tag, or the request has both a bearer token and a session cookie.',
    fix: 'Send the received ETag in If-Match unchanged, with its quotation marks. Send only one kind of credential.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    cause: 'The request creates something, and without a key a retry could create it twice.',
    fix:
      'Generate one key, such as a UUID, for each thing that you create. Store it with your order, and send it as ' +
      'Idempotency-Key on every attempt.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    cause: `The key has fewer than ${LIMITS.keyLengthMin} or more than ${LIMITS.keyLengthMax} characters. Surrounding quotation marks do not count.`,
    fix: 'Use a UUID, which has 36 characters. Do not use a short order number by itself.',
  },
  AUTHENTICATION_REQUIRED: {
    cause: 'The request has no credentials, or they are malformed, expired, revoked or from another deployment.',
    fix:
      'Get an access token from /oauth/token of this deployment and send it as Authorization: Bearer. Get a new token ' +
      'before the time in expires_in has passed, and also after this error. With a session, sign in again.',
  },
  ACCESS_DENIED: {
    cause:
      'The credentials are valid, but they do not permit this request. Or the carrier has suspended your company; the response then has `companyState`: SUSPENDED.',
    fix:
      'Check that the token has the scope that the reference names for the operation. Check that the identifier comes ' +
      'from your own company and from this deployment. Otherwise the response is the same for every reason. With `companyState`: ' +
      'ask the carrier. Your shipments, tracking links and webhooks go on, and the credentials work again within a minute ' +
      'after the carrier has resumed your company.',
  },
  ASSURANCE_REQUIRED: {
    cause: 'The operation is sensitive, and the person signed in with only one factor.',
    fix:
      'Start an assurance elevation and verify its code. Then repeat the request with the session token from that ' +
      'response.',
  },
  REAUTHENTICATION_REQUIRED: {
    cause: `The operation is sensitive, and the second factor was verified more than ${inWords(LIMITS.elevationSeconds, 'en')} ago.`,
    fix: `Start a new assurance elevation, verify its code, and repeat the request within ${inWords(LIMITS.elevationSeconds, 'en')}.`,
  },
  ROUTE_NOT_FOUND: {
    cause: 'The path is misspelt, has a trailing slash, or belongs to an operation that this deployment does not have.',
    fix: 'Compare the path with the reference. Operations under /v2/external/sandbox exist in the sandbox only.',
  },
  TRACKING_LINK_UNAVAILABLE: {
    cause: 'The link never existed, has expired or was revoked. The response is the same in all three cases.',
    fix: 'The merchant can create a new tracking link for the shipment and send it to the recipient.',
  },
  RESOURCE_NOT_FOUND: {
    cause: 'Your company has nothing with this identifier at this path. It may have been deleted.',
    fix: 'List the collection and take the identifier from there. A shipment of another company, and everything below it, gets ACCESS_DENIED instead.',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The path exists, but not with this method. A redirect that turned POST into GET is a common reason.',
    fix: 'Use one of the methods in the Allow header, and call the base address directly, so that there is no redirect.',
  },
  NOT_ACCEPTABLE: {
    cause: 'The Accept header excludes every media type that this address can return.',
    fix: 'Send Accept: application/json, or omit the header.',
  },
  REQUEST_TIMEOUT: {
    cause: `A body must bring at least ${LIMITS.bodyPartKilobytes} kB in each ${LIMITS.bodyPartSeconds} seconds until it ends, and all of it within ${LIMITS.bodySeconds} seconds. The connection was slower, or the sender paused.`,
    fix: 'Send the same request again, with the same Idempotency-Key: nothing was carried out. On slow connections send smaller pictures and batches.',
  },
  EXTERNAL_REFERENCE_CONFLICT: {
    cause:
      'A shipment with this externalReference exists already. Often an earlier attempt created it with another ' +
      'Idempotency-Key. A reference can never be used again, even after a cancellation. A picture must be uploaded ' +
      'before its shipment is created.',
    fix:
      'Read the shipment at existing.href. If it is the one that you want, use it. Otherwise send another ' +
      'externalReference. Use one Idempotency-Key for each order, so that a retry becomes a replay.',
  },
  PRICE_LIMIT_EXCEEDED: {
    cause:
      'The request has the header Price-Limit, and the call would cost more, with VAT. Nothing was changed, and the ' +
      'Idempotency-Key is still unused.',
    fix:
      'Compare price.totalAmount with your limit. To accept the price, repeat the request with a higher limit or without ' +
      'the header. For a cancellation the answer also has preview, which says what applies later.',
  },
  PRICE_LOCK_USED: {
    cause:
      'A price lock is for one shipment, and one exists already. Either the lock was sent for two orders, or the answer to ' +
      'an earlier creation was lost and the repeat has another Idempotency-Key.',
    fix:
      'Read the shipment at existing.href. If it is the one that you want, use it. For another shipment, get a new lock. ' +
      'Nothing was created.',
  },
  IDEMPOTENCY_REQUEST_IN_PROGRESS: {
    cause: 'Two requests with the same Idempotency-Key run at the same time, and the first has not finished.',
    fix: 'Wait for the seconds in Retry-After and repeat the same request with the same key and body.',
  },
  SHIPMENT_NOT_CANCELLABLE: {
    cause: 'The shipment is already picked up or has ended. You can cancel a shipment only before pick-up.',
    fix: 'Do not retry. Read currentState, and arrange a return with the recipient if one is needed.',
  },
  INVALID_STATE_TRANSITION: {
    cause: 'The state has changed since you last read it, or the action is never possible in this state.',
    fix: 'Read the resource again and decide by its current state, which is in currentState. Do not assume a sequence of states.',
  },
  TRACKING_LINK_LIMIT_REACHED: {
    cause: `A shipment can have at most ${LIMITS.trackingLinks} active tracking links.`,
    fix: 'Revoke links that you no longer need, or send an existing link to the recipient again.',
  },
  TRACKING_LINK_NOT_ACTIVE: {
    cause: 'The link was revoked, or its time is over. Nobody can track the shipment with it any more.',
    fix: 'Create a new link for the shipment, or read the address of another link whose state is ACTIVE.',
  },
  SHIPMENT_TERMINAL: {
    cause: 'The shipment was delivered, failed or was cancelled. This operation needs a shipment that has not ended.',
    fix: 'Do not retry. To send the goods again, create a new shipment.',
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    cause: `A company can have at most ${LIMITS.endpoints} webhook endpoints, including disabled ones.`,
    fix: 'Delete an endpoint that you no longer need, or let one endpoint receive several event types.',
  },
  SECRET_ROTATION_IN_PROGRESS: {
    cause: 'The secret was rotated recently, and the previous secret is still valid until the overlap ends.',
    fix: 'Finish the change to the new secret, and rotate again after the overlap. previousSecretExpiresAt says when it ends.',
  },
  REPLAY_IN_PROGRESS: {
    cause: 'An endpoint can have one replay at a time, and an earlier one has not finished.',
    fix: 'Wait until all deliveries of the running replay have ended, then start the next one.',
  },
  BATCH_TOO_MANY_RUNNING: {
    cause: 'A company can have two running batches, and earlier ones have not ended.',
    fix: 'Wait until one of them has ended: read it, or wait for the event shipment_batch.completed.',
  },
  CLOCK_ADVANCING: {
    cause: 'The clock of the sandbox is still playing an earlier advance.',
    fix: 'Read GET /v2/external/sandbox/clock until its state is READY, then advance again.',
  },
  CREDENTIAL_ALREADY_EXISTS: {
    cause: 'A company can have one API credential, and it exists already.',
    fix: 'If you lost its secret, rotate the credential. Delete it only if no system uses it any more.',
  },
  REGISTRATION_INCOMPLETE: {
    cause:
      'The code was verified before all required documents were uploaded. Or a company creates a shipment before the carrier has approved its registration; the response then has `review`: PENDING or REJECTED.',
    fix: 'Upload the documents that the response lists. If the code has expired, request a new one. Then verify again. With `review`: wait for the message that the company is approved, or ask the carrier why it was rejected.',
  },
  BRANCH_INACTIVE: {
    cause: 'The branch or the pickup location was deactivated in the console.',
    fix: 'List branches and pickup locations with status=ACTIVE and use one of them, or activate this one again.',
  },
  SANDBOX_NOT_READY: {
    cause: 'The sandbox of this company is not set up, or a prerequisite is not ready yet.',
    fix: 'Call the sandbox bootstrap once, then read its readiness until every prerequisite is ready.',
  },
  SESSION_CHANGED: {
    cause:
      'All tabs of a browser share one session. Somebody has signed in in another tab since this page was loaded, so the session is not of the person and the company that `Mirsal-Acting-As` names. Or the code of a sign-in belongs to another person than the page shows.',
    fix: 'In the console, choose whether to go on as the person who is signed in, or sign in again as the person whom the page shows. Programs do not need the header: leave it out.',
  },
  PRECONDITION_FAILED: {
    cause: 'The resource changed after you read it. Or If-Match has a weak entity tag, which never matches.',
    fix: 'Read the resource again, check that the change still makes sense, and send its new ETag in If-Match.',
  },
  PAYLOAD_TOO_LARGE: {
    cause: `A JSON body can have at most ${LIMITS.bodyKibibytes} KiB, and ${LIMITS.openBodyKibibytes} KiB if the operation needs no authentication.`,
    fix: `Shorten the body. A shipment with ${LIMITS.items} items and the longest descriptions still fits.`,
  },
  DOCUMENT_TOO_LARGE: {
    cause: `A document or image can have at most ${LIMITS.documentMebibytes} MiB.`,
    fix: 'Scan at a lower resolution or compress the file, then upload it again.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The request has no Content-Type, or one that the operation does not accept.',
    fix: 'Send Content-Type: application/json with JSON bodies. Send form encoding to the token endpoint.',
  },
  UNSUPPORTED_DOCUMENT_TYPE: {
    cause: 'Documents must be PDF, JPEG or PNG. Images of a shipment must be JPEG or PNG.',
    fix: 'Convert the file and name its type in Content-Type: application/pdf, image/jpeg or image/png.',
  },
  VALIDATION_FAILED: {
    cause: 'The body is valid JSON, but a field is missing, unknown, of the wrong type or outside its limits.',
    fix:
      'Read violations: each has a field, a stable code and a message. Correct all of them and send the request again. ' +
      'An unchanged request gets the same response.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: `A key belongs to one body for ${inWords(LIMITS.keySeconds, 'en')}. This key was used before with a body that has other values.`,
    fix: 'Use a new key for a new shipment. For a retry, send the same body as before, unchanged.',
  },
  PRICE_LOCK_INVALID: {
    cause:
      'The lock was changed, belongs to another company or deployment, or was made with a key that the service no longer ' +
      'uses. The answer is the same for all of these.',
    fix:
      'Send priceLock exactly as the answer of POST /v2/external/price-locks had it, with a token of the same company. If ' +
      'you did, get a new lock. Nothing was created, and the Idempotency-Key is still unused.',
  },
  PRICE_LOCK_EXPIRED: {
    cause:
      'The shipment would be created after expiresAt of its lock. The service never charges a new price instead. The ' +
      'member price is null if the current price is not known, for example because the routing provider does not answer.',
    fix:
      'Show price to the person who decides. To accept it, get a new lock, or repeat the request without Price-Lock. The ' +
      'Idempotency-Key is still unused.',
  },
  PRICE_LOCK_MISMATCH: {
    cause:
      'A price holds for one pickup location, one city, one point (up to 100 m away) and one codAmount. It also ends when ' +
      'the pickup location itself is moved.',
    fix: 'Get a new lock for what you create, or correct the fields in the violations. The Idempotency-Key is still unused.',
  },
  OTP_INVALID: {
    cause: 'The code is not the one that was sent. attemptsRemaining says how many tries are left.',
    fix: 'Ask the person to check the newest message. A new code replaces the previous one.',
  },
  OTP_EXPIRED: {
    cause: `A code is valid once, for ${inWords(LIMITS.codeSeconds, 'en')} and at most ${LIMITS.codeAttempts} tries.`,
    fix: `Request a new code and verify that one. You can request it ${LIMITS.codeSpacingSeconds} seconds after the previous one.`,
  },
  DOCUMENT_CONTENT_MISMATCH: {
    cause: 'The first bytes of the file belong to another type than the one in Content-Type, or to no known type.',
    fix: 'Send the bytes of the file itself, not as a form and not in Base64, with its real type.',
  },
  WEBHOOK_URL_NOT_ALLOWED: {
    cause:
      'The address is not https, is too long, contains a user name or an IP address, or does not resolve to a public ' +
      'network address.',
    fix: `reason says which rule failed. Use an https address with a public host name and at most ${LIMITS.urlLength} characters. A local deployment also accepts http to the loopback address.`,
  },
  PRECONDITION_REQUIRED: {
    cause: 'The request changes a resource that others may also change, and it has no If-Match header.',
    fix: 'Read the resource and send the value of its ETag header in If-Match. The value * accepts any version.',
  },
  RATE_LIMITED: {
    cause: 'You sent more requests in a short time than the limit for this kind of operation.',
    fix:
      'Wait for the seconds in Retry-After before the next request, and add a small random delay. Spread the work ' +
      'evenly. Use webhooks instead of polling.',
  },
  OTP_RATE_LIMITED: {
    cause: 'The number of codes for each person is limited, so that nobody can guess a code or flood a phone.',
    fix: 'Wait for the seconds in Retry-After. An earlier request does not shorten the wait.',
  },
  INTERNAL_ERROR: {
    cause: 'The service failed; the request is not at fault. The error is recorded under the requestId.',
    fix:
      'You can safely repeat a read, or a creation with the same Idempotency-Key. If the error persists, report the ' +
      'requestId and the time.',
  },
  ROUTING_PROVIDER_UNAVAILABLE: {
    cause: 'The routing provider did not answer in time. The service never guesses a price.',
    fix: 'Wait for the seconds in Retry-After, then retry with growing delays. If you sent an Idempotency-Key, send the same key again.',
  },
  STORAGE_PROVIDER_UNAVAILABLE: {
    cause: 'The storage provider did not answer in time, so the file was not accepted.',
    fix: 'Wait for the seconds in Retry-After, then upload the file again, with growing delays.',
  },
  MESSAGE_PROVIDER_UNAVAILABLE: {
    cause: 'The SMS or e-mail provider did not accept the message in time.',
    fix: 'Wait for the seconds in Retry-After, then repeat the request, with growing delays.',
  },
  SERVICE_UNAVAILABLE: {
    cause: 'A part of the service is overloaded, restarting or not reachable.',
    fix:
      'Wait for the seconds in Retry-After, then retry with growing delays. Repeat a creation with the same ' +
      'Idempotency-Key, because the first attempt may have succeeded.',
  },
} as const satisfies Record<ProblemCode, { cause: string; fix: string }>;
