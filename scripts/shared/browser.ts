import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';

/** A window of Chromium, and whatever went wrong in it. */
export interface Window {
  readonly page: Page;
  /** Errors of scripts and of the console, refused policies, and requests to anywhere else than the service. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** A real Chromium, out of a package. */
export async function startBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  // With all in one process, the first window that closes takes the browser along.
  const args = chromium.args.filter((arg) => arg !== '--single-process' && arg !== '--no-zygote');
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...args, ...quiet],
    headless: true,
  });
}

/** Opens a window at `address`. Its faults are collected until it is closed. */
export async function openWindow(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Window> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Asia/Riyadh', ...options });
  const faults: string[] = [];
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  const { origin } = new URL(address);
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) faults.push(`asked for ${url}`);
  });
  await page.goto(address);
  return { page, faults, close: () => context.close() };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with a page as it stands: rule, and where. */
export async function findBarriers(page: Page): Promise<string[]> {
  // By the debugger's way, which no policy of the page forbids.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  });
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}
