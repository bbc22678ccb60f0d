import type { ProblemCode } from '../../core/catalogue.ts';

/** Cause and fix of every problem, in English. */
export const ENGLISH = {
  MALFORMED_JSON: {
    cause: 'The body ended early, is not UTF-8, nests too deeply or breaks the JSON grammar.',
    fix: 'Build the body with a JSON library rather than by joining strings, and send exactly what it returns.',
  },
  INVALID_PATH_PARAMETER: {
    cause: 'An identifier in the path is not of the form that the operation documents, for example not a UUID.',
    fix: 'Take identifiers unchanged from an earlier answer. A shipmentNumber is not a shipmentId.',
  },
  INVALID_QUERY_PARAMETER: {
    cause: 'A required query parameter is missing, one was sent twice, or a value is not among those documented.',
    fix: 'Send each parameter at most once, percent-encoded, with a value that the operation documents.',
  },
  UNKNOWN_QUERY_PARAMETER: {
    cause: 'The name of a query parameter is misspelt or belongs to another operation. Names are case-sensitive.',
    fix: 'Compare the names with the reference. An unknown filter is refused because ignoring it would list too much.',
  },
  LIMIT_OUT_OF_RANGE: {
    cause: 'limit was below 1, above 100 or not a whole number. It is never adjusted silently.',
    fix: 'Send a whole number from 1 to 100, or leave limit out for pages of 25. Follow nextCursor for more.',
  },
  INVALID_CURSOR: {
    cause:
      'The cursor was changed, was cut short, or is used with another filter, another parent resource or by another ' +
      'company than the query that produced it.',
    fix:
      'Repeat the query that produced the cursor with only cursor and, if you like, limit changed. To change a ' +
      'filter, start again without a cursor.',
  },
  INVALID_HEADER: {
    cause:
      'A header does not follow its rule: Accept-Language is longer than 64 characters, If-Match is not an entity ' +
      'tag, or a bearer token and a session cookie were sent together.',
    fix: 'Send If-Match exactly as ETag was received, quotation marks included, and one kind of credential only.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    cause: 'The request creates something, and without a key a retry could create it twice.',
    fix:
      'Generate one key for each thing to create, such as a UUID, store it with your order, and send it as ' +
      'Idempotency-Key on every attempt.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    cause: 'The key is shorter than 16 or longer than 128 characters. Surrounding quotation marks do not count.',
    fix: 'Use a UUID, which has 36 characters. Do not use a short order number by itself.',
  },
  AUTHENTICATION_REQUIRED: {
    cause: 'No credentials were sent, or they are malformed, expired, revoked or of another deployment.',
    fix:
      'Get an access token from /oauth/token of this deployment and send it as Authorization: Bearer. Get a new one ' +
      'before expires_in is over, and once more after this answer. With a session, sign in again.',
  },
  ACCESS_DENIED: {
    cause: 'The credentials are valid, but they do not permit this request.',
    fix:
      'Check that the token has the scope that the reference names for the operation, and that the identifier comes ' +
      'from your own company and this deployment. The answer is the same for every reason.',
  },
  ASSURANCE_REQUIRED: {
    cause: 'The operation is sensitive, and the session was signed in with one factor only.',
    fix:
      'Start an assurance elevation, verify its code, continue with the session token from that answer, and repeat ' +
      'the request.',
  },
  REAUTHENTICATION_REQUIRED: {
    cause: 'The operation is sensitive, and the second factor was proved more than 10 minutes ago.',
    fix: 'Start a new assurance elevation, verify its code, and repeat the request within 10 minutes.',
  },
  ROUTE_NOT_FOUND: {
    cause: 'The path is misspelt, has a trailing slash, or belongs to an operation that this deployment does not have.',
    fix: 'Compare the path with the reference. Operations under /v2/external/sandbox exist in the sandbox only.',
  },
  TRACKING_LINK_UNAVAILABLE: {
    cause: 'The link never existed, has expired or was revoked. The answer is the same for all three.',
    fix: 'The merchant can create a new tracking link for the shipment and send it to the recipient.',
  },
  RESOURCE_NOT_FOUND: {
    cause: 'The identifier names nothing that your company has at this path; it may have been deleted.',
    fix: 'List the collection and take the identifier from there. A foreign shipment is ACCESS_DENIED instead, and so is everything below it.',
  },
  METHOD_NOT_ALLOWED: {
    cause: 'The path exists, but not with this method. A redirect that turned POST into GET is a common reason.',
    fix: 'Use one of the methods in the Allow header, and call the base address directly so that nothing redirects.',
  },
  NOT_ACCEPTABLE: {
    cause: 'The Accept header excludes every media type that this address can answer with.',
    fix: 'Send Accept: application/json, or leave the header out.',
  },
  EXTERNAL_REFERENCE_CONFLICT: {
    cause:
      'A shipment with the same externalReference was created before, often by an earlier attempt with another ' +
      'Idempotency-Key. A reference stays taken for ever, even after a cancellation. A picture has to be uploaded ' +
      'before its shipment is created.',
    fix:
      'Read the shipment that existing.href points to. If it is the one you meant, use it; otherwise send another ' +
      'externalReference. Keep one Idempotency-Key per order so that a retry becomes a replay.',
  },
  IDEMPOTENCY_REQUEST_IN_PROGRESS: {
    cause: 'Two requests with the same Idempotency-Key run at once, and the first has not finished.',
    fix: 'Wait for the seconds in Retry-After and repeat the same request with the same key and body.',
  },
  SHIPMENT_NOT_CANCELLABLE: {
    cause: 'The shipment was already picked up or has ended. A shipment can be cancelled only before pick-up.',
    fix: 'Do not retry. Read currentState, and arrange a return with the recipient if one is needed.',
  },
  INVALID_STATE_TRANSITION: {
    cause: 'The state has moved on since you last read it, or the action never applies to this state.',
    fix: 'Read the resource again and decide from its present state, which currentState names. State is a value to read, not a sequence.',
  },
  TRACKING_LINK_LIMIT_REACHED: {
    cause: 'A shipment has at most 10 active tracking links.',
    fix: 'Revoke links that are no longer needed, or give an existing link to the recipient again.',
  },
  SHIPMENT_TERMINAL: {
    cause: 'The shipment was delivered, has failed or was cancelled, and this operation needs one that is under way.',
    fix: 'Do not retry. Create a new shipment if the goods have to be sent again.',
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    cause: 'A company has at most 10 webhook endpoints, disabled ones included.',
    fix: 'Delete an endpoint that is no longer needed, or let one endpoint receive several kinds of events.',
  },
  SECRET_ROTATION_IN_PROGRESS: {
    cause: 'The secret was rotated before, and the previous one is still valid until its overlap ends.',
    fix: 'Finish moving to the new secret and rotate again after the overlap. The record shows when it ends.',
  },
  REPLAY_IN_PROGRESS: {
    cause: 'An endpoint has one replay at a time, and an earlier one has not finished.',
    fix: 'Wait until the running replay has no open deliveries left, then start the next one.',
  },
  CREDENTIAL_ALREADY_EXISTS: {
    cause: 'A company has one API credential. An earlier call created it.',
    fix: 'If its secret is lost, rotate the credential. Delete it first only if no system uses it any more.',
  },
  REGISTRATION_INCOMPLETE: {
    cause: 'The code was sent for verification before every required document was uploaded.',
    fix: 'Upload the documents that the answer lists, ask for a new code if the old one has expired, and verify again.',
  },
  BRANCH_INACTIVE: {
    cause: 'The branch or the pickup location was deactivated in the console.',
    fix: 'List branches and pickup locations with status=ACTIVE and use one of those, or activate it again.',
  },
  SANDBOX_NOT_READY: {
    cause: 'The sandbox of this company was not bootstrapped, or a prerequisite is not ready yet.',
    fix: 'Call the sandbox bootstrap once, then read its readiness until every prerequisite is ready.',
  },
  PRECONDITION_FAILED: {
    cause: 'The resource changed after you read it, or If-Match holds a weak entity tag, which never matches.',
    fix: 'Read the resource again, check that the change still makes sense, and send its new ETag in If-Match.',
  },
  PAYLOAD_TOO_LARGE: {
    cause: 'A JSON body may have at most 256 KiB.',
    fix: 'Shorten the body. A shipment with 100 items of the longest descriptions still fits.',
  },
  DOCUMENT_TOO_LARGE: {
    cause: 'A document or image may have at most 1 MiB.',
    fix: 'Scan at a lower resolution or compress the file, and upload it again.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The body was sent without a Content-Type, or with one that the operation does not read.',
    fix: 'Send Content-Type: application/json with JSON bodies, and form encoding to the token endpoint.',
  },
  UNSUPPORTED_DOCUMENT_TYPE: {
    cause: 'Documents are accepted as PDF, JPEG or PNG, images of a shipment as JPEG or PNG.',
    fix: 'Convert the file and name its type in Content-Type: application/pdf, image/jpeg or image/png.',
  },
  VALIDATION_FAILED: {
    cause: 'The body can be read, but a field is missing, unknown, of the wrong type or outside its limits.',
    fix:
      'Go through violations: each names a field, a stable code and a message. Correct all of them and send the ' +
      'request again. Repeating it unchanged gives the same answer.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'A key stands for one body during 7 days. The same key arrived with a body that differs in its values.',
    fix: 'Use a new key for a new shipment. For a retry, send the body that was stored with the key, unchanged.',
  },
  OTP_INVALID: {
    cause: 'The code does not match the one that was sent. attemptsRemaining tells how many tries are left.',
    fix: 'Ask the person to read the newest message again. A resent code replaces the one before.',
  },
  OTP_EXPIRED: {
    cause: 'A code is valid for 5 minutes, once, and for at most 5 tries.',
    fix: 'Ask for a new code and verify with that one. A resend is possible 60 seconds after the last.',
  },
  DOCUMENT_CONTENT_MISMATCH: {
    cause: 'The first bytes of the file show another type than Content-Type says, or none that is known.',
    fix: 'Send the bytes of the file itself, not as a form and not in Base64, with the type that it really has.',
  },
  WEBHOOK_URL_NOT_ALLOWED: {
    cause:
      'The address is not https, is too long, holds a user name or an IP address, or does not lead to a public ' +
      'network address.',
    fix: 'reason says which rule was broken. Use an https address with a public host name, at most 2048 characters long; only a local deployment also takes http to loopback.',
  },
  PRECONDITION_REQUIRED: {
    cause: 'The request changes a resource that others may change too, and If-Match was not sent.',
    fix: 'Read the resource and send the value of its ETag header in If-Match. The value * accepts any version.',
  },
  RATE_LIMITED: {
    cause: 'More requests were made in a short time than the limit for this kind of operation.',
    fix:
      'Wait for the seconds in Retry-After before the next request, add a little random delay, and spread work ' +
      'evenly. Webhooks replace polling.',
  },
  OTP_RATE_LIMITED: {
    cause: 'Codes are limited for each person, so that nobody can guess them or flood a phone.',
    fix: 'Wait for the seconds in Retry-After. Asking again earlier does not shorten the wait.',
  },
  INTERNAL_ERROR: {
    cause: 'An error in the service, not in the request. It has been recorded under the requestId.',
    fix:
      'Repeat a read, or a creation with the same Idempotency-Key; either is safe. If it stays, report the ' +
      'requestId and the time.',
  },
  ROUTING_PROVIDER_UNAVAILABLE: {
    cause: 'The provider that resolves routes did not answer in time. A price or shipment is never guessed.',
    fix: 'Retry with growing delays after the seconds in Retry-After, with the same Idempotency-Key if it was sent.',
  },
  STORAGE_PROVIDER_UNAVAILABLE: {
    cause: 'The provider that keeps files did not answer in time. The file was not accepted.',
    fix: 'Upload the same file again after the seconds in Retry-After, with growing delays.',
  },
  MESSAGE_PROVIDER_UNAVAILABLE: {
    cause: 'The provider that sends SMS and e-mail did not accept the message in time.',
    fix: 'Repeat the request after the seconds in Retry-After, with growing delays.',
  },
  SERVICE_UNAVAILABLE: {
    cause: 'A part of the service is overloaded, being replaced or out of reach.',
    fix:
      'Retry after the seconds in Retry-After, with growing delays. Send a creation with the same Idempotency-Key, ' +
      'because the first attempt may have succeeded.',
  },
} as const satisfies Record<ProblemCode, { cause: string; fix: string }>;
