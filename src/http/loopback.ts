/** Routes below it are for programs on the machine of the service. */
export const LOCAL_PREFIX = '/local/';

/**
 * Whether a request is addressed to this machine by a loopback name or address. A page of another site can point a name
 * of its own at 127.0.0.1 (DNS rebinding) and would then read one-time codes as its own content; its browser still sends
 * that name as Host.
 */
export function isLoopbackHost({ headers, url }: Request): boolean {
  const hostname = URL.parse(`http://${headers.get('host') ?? new URL(url).host}`)?.hostname ?? '';
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
