/**
 * The unit of rate limits by address: a whole IPv4 address, or the first 64 bits of an IPv6 address, because a customer
 * gets at least 64 bits. Text that is not an address is returned as it is.
 */
export function networkOf(address: string): string {
  return leadingGroups(address, 4);
}

/** The first 48 bits of an IPv6 address, which is the most that a network usually gives a customer; otherwise undefined. */
export function siteOf(address: string): string | undefined {
  const site = leadingGroups(address, 3);
  return site.includes(':') && site !== address ? site : undefined;
}

/** An IPv6 site of 48 bits has 65,536 networks of 64 bits. Together they get only a few times the limit of one network. */
export const SITE_FACTOR = 4;

function leadingGroups(address: string, count: number): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!/^[0-9a-f:]+(?:%.*)?$/i.test(address) || !address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after];
  return all
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** The addresses of a request that may have passed through your own proxies. */
export interface Arrival {
  readonly peer: string;
  /** `X-Forwarded-For`: every proxy appends the address of its peer. A client can send any addresses before those. */
  readonly forwardedFor: string | null;
  readonly proxies: number;
}

/** The peer of the deployment's outermost proxy. Entries before it came with the request and are not trusted. */
export function addressBehind({ peer, forwardedFor, proxies }: Arrival): string {
  if (proxies === 0) return peer;
  const entries = entriesOf({ forwardedFor });
  // Fewer entries than proxies: the request did not pass through the proxies.
  return withoutPort(entries.at(-proxies) ?? '') || peer;
}

/** The entries of `X-Forwarded-For`, the nearest proxy's last. */
export function entriesOf({ forwardedFor }: Pick<Arrival, 'forwardedFor'>): string[] {
  return forwardedFor === null ? [] : forwardedFor.split(',').map((entry) => entry.trim());
}

/** Some proxies also write the port, which differs for each connection: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return (
    /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$/.exec(entry)?.[1] ?? /^\[(.+)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? entry
  );
}
