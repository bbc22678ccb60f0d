import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeAtomically } from './data-folder.ts';

const demoClient = z.object({ clientId: z.string(), clientSecret: z.string() });
const demoCompany = demoClient.extend({
  companyId: z.string(),
  name: z.string(),
  branchCode: z.string(),
  pickupLocationCode: z.string(),
  /** How its owner signs in. A file of an earlier version has none. */
  owner: z.object({ email: z.string(), mobile: z.string() }).optional(),
});
const demo = z.object({ companies: z.array(demoCompany), operator: demoClient });

export type DemoClient = z.output<typeof demoClient>;
export type DemoCompany = z.output<typeof demoCompany>;
/** What there is to try a local service with. The only place where its client secrets can be read. */
export type Demo = z.output<typeof demo>;

/** What an earlier run has stored, or undefined when that is lost. */
export function readDemo(file: string): Demo | undefined {
  try {
    return demo.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Where the service of an earlier run was, or is. */
export function readDemoAddress(file: string): string | undefined {
  try {
    return z.object({ baseUrl: z.string() }).safeParse(JSON.parse(readFileSync(file, 'utf8'))).data?.baseUrl;
  } catch {
    return undefined;
  }
}

export function writeDemo(file: string, baseUrl: string, stored: Demo): void {
  writeAtomically(file, `${JSON.stringify({ baseUrl, ...stored }, undefined, 2)}\n`);
}
