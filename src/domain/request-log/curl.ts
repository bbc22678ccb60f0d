import type { LoggedRequest } from '../../contract/request-log.ts';
import { isHidden } from './entry.ts';

/** A number stands without quotes. A loggable text has no `<`. */
const NUMBER = /"<#([^">]*)>"/g;
/** Its body is a file, which the log does not keep. */
const UPLOAD = 'mediaAssets.create';

/**
 * The request as a command of curl, for a token in `MIRSAL_TOKEN`. Hidden values stand as `<recipient.phone>` and have to be
 * filled in. Null for a call that only the console makes, for a file, and for a list that was cut.
 */
export function curlOf(entry: LoggedRequest, baseUrl: string): string | null {
  const { method, path, operation, requestHeaders, requestBody } = entry;
  if (path.startsWith('/trpc/') || operation === UPLOAD || hasCut(requestBody)) return null;
  const parts = [
    `curl ${method === 'HEAD' ? '-I' : `-X ${method}`} ${quoted(baseUrl + path)}`,
    '-H "Authorization: Bearer $MIRSAL_TOKEN"',
    ...Object.entries(requestHeaders).map(([name, value]) =>
      // A new key, because the old one would answer the first response again.
      name === 'Idempotency-Key'
        ? '-H "Idempotency-Key: again-$(date +%s)-$$"'
        : `-H ${quoted(`${name}: ${isHidden(value) ? `<${name}>` : value}`)}`,
    ),
  ];
  if (requestBody !== null) {
    const body = JSON.stringify(named(requestBody, '')).replaceAll(NUMBER, '<$1>');
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
  }
  return parts.join(' \\\n  ');
}

/** Whether the log has only the first items of a list. */
function hasCut(body: LoggedRequest['requestBody']): boolean {
  return body !== null && / more>"/.test(JSON.stringify(body));
}

/** The value with the path of each hidden value in its place. */
function named(value: unknown, path: string): unknown {
  if (isHidden(value)) return value === '<number>' ? `<#${path}>` : `<${path}>`;
  if (Array.isArray(value)) return value.map((item, index) => named(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [name, named(member, path === '' ? name : `${path}.${name}`)]),
  );
}

/** For a shell (POSIX, section 2.2.2): everything between single quotes is literal. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
