import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';
import project from '../../package.json' with { type: 'json' };

/** A page in Chromium, and all errors in it. */
export interface Window {
  readonly page: Page;
  /** Errors of scripts and of the console, violated policies, and requests to other hosts than the service. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** Chromium from a package. `switches` are further ones of its command line. */
export async function startBrowser(...switches: readonly string[]): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  // With a single process, the first page that closes would end the browser.
  const args = chromium.args.filter((arg) => arg !== '--single-process' && arg !== '--no-zygote');
  return playwright.launch({
    executablePath: await unpackedBrowser(),
    args: [...args, ...quiet, ...switches],
    headless: true,
  });
}

/** The path of Chromium, which is unpacked once. The folder appears whole, because several processes look for it at once. */
async function unpackedBrowser(): Promise<string> {
  const folder = join(tmpdir(), `mirsal-chromium-${project.devDependencies['@sparticuz/chromium']}`);
  const path = join(folder, 'chromium');
  if (existsSync(path)) return path;
  const own = await mkdtemp(`${folder}-`);
  await unpackBrowser(own);
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true });
    if (!existsSync(path)) throw error;
  });
  return path;
}

/** The package unpacks to the folder of temporary files, which it asks for before it returns. */
function unpackBrowser(folder: string): Promise<string> {
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  try {
    return chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
}

/** Opens `address`. Faults are collected until the page closes. */
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

/** What axe finds on the page in both colour schemes: rule and element. The page keeps its scheme. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Through the debugger, because the page's policy forbids injected scripts.
  await page.evaluate(AXE);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [scheme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const found = await violationsOf(page);
  await page.emulateMedia({ colorScheme: other });
  const inOther = await violationsOf(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: scheme });
  return [...found, ...inOther.map((barrier) => `${barrier} (${other})`)];
}

/** The rules whose outcome depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/** `rules` are those of axe's rules that run, or undefined for all that run without being named. */
function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    // A colour that still changes would be measured half-way.
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: AxeViolation[] }> } };
    const { violations } = await axe.run(runOnly === undefined ? {} : { runOnly });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  }, rules);
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}
