import * as z from 'zod';
import type { Environment, TestCompany } from '../../scripts/shared/connection.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { PNG } from './files.ts';

export const MEDIA = '/v2/external/media-assets';

const mediaBody = z.strictObject({
  mediaAssetId: z.uuidv7(),
  state: z.literal('READY'),
  purpose: z.literal('SHIPMENT_CREATION_EVIDENCE'),
  sortOrder: z.int().min(0).max(99),
});

export interface MediaUpload {
  readonly contentType?: string;
  readonly body?: BodyInit;
}

/** Sends a picture with this raw query. */
export async function sendMedia(
  environment: Environment,
  company: TestCompany,
  query: string,
  { contentType = 'image/png', body = PNG }: MediaUpload = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${await environment.token(company)}`, 'content-type': contentType };
  return environment.fetch(`${MEDIA}${query}`, { method: 'POST', headers, body });
}

export async function readMedia(response: Response): Promise<z.output<typeof mediaBody>> {
  return mediaBody.parse(await response.json());
}

/** An uploaded picture, as its event lists it. */
export async function addMedia(
  environment: Environment,
  company: TestCompany,
  externalReference: string,
  sortOrder: number,
): Promise<JsonObject> {
  const response = await sendMedia(
    environment,
    company,
    `?externalReference=${externalReference}&sortOrder=${sortOrder}`,
  );
  if (response.status !== 201) throw new Error(`Not kept: ${response.status} ${await response.text()}`);
  const { mediaAssetId, purpose } = await readMedia(response);
  return { mediaAssetId, purpose, sortOrder };
}

/** The form data of a picture over tRPC. */
export function mediaForm(input: unknown, bytes: Uint8Array<ArrayBuffer> = PNG, type = 'image/png'): FormData {
  const form = new FormData();
  form.set('input', JSON.stringify(input));
  form.set('content', new Blob([bytes], { type }));
  return form;
}

/** States of a company's pictures in the database. */
export async function statesOf(environment: Environment, { shard, companyId }: TestCompany): Promise<unknown[]> {
  const rows = await environment.sql(shard, 'select state from media_assets where company_id = ? order by id', [
    companyId,
  ]);
  return rows.map(({ state }) => state);
}
