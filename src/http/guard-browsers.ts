/** Two years, as browsers' own lists ask for. */
const HSTS = 'max-age=63072000';
/** What is no page shows nothing and runs nothing, should a browser be made to open it as one. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/**
 * What every response tells browsers: take it for nothing but what it says it is, let no other site embed it or hold on
 * to its window, and come by TLS only. A page has set its own content and referrer policies by now.
 */
export function guardBrowsers({ headers, status }: Response, baseUrl: string): void {
  headers.set('x-content-type-options', 'nosniff');
  headers.set('cross-origin-resource-policy', 'same-origin');
  headers.set('cross-origin-opener-policy', 'same-origin');
  // What 304 says replaces what a browser has kept of the page (RFC 9111 section 3.2); nothing said leaves it.
  if (status !== 304) {
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', NO_PAGE);
    if (!headers.has('referrer-policy')) headers.set('referrer-policy', 'no-referrer');
  }
  // A developer's machine has no TLS, and `localhost` is shared by all that runs on it.
  if (baseUrl.startsWith('https:')) headers.set('strict-transport-security', HSTS);
}
