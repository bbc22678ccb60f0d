import { describe, expect, it } from 'vitest';
import { curlSample } from '../../../src/pages/reference/curl.ts';
import { listOperations } from '../../../src/pages/reference/operations.ts';
import { type SampleRequest, sampleRequest } from '../../../src/pages/reference/sample-request.ts';
import { clientSetUp, typeScriptSample } from '../../../src/pages/reference/typescript.ts';
import { sampleDocument as document } from './sample-document.ts';

const baseUrl = 'https://sandbox.example';

function requestOf(anchor: string): SampleRequest {
  const operation = listOperations(document).find((each) => each.anchor === anchor);
  if (operation === undefined) throw new Error(`There is no ${anchor}`);
  return sampleRequest(document, operation, baseUrl);
}

describe('a curl sample', () => {
  it('omits optional values', () => {
    expect(curlSample(requestOf('shipments-list'))).toBe(
      `curl 'https://sandbox.example/v2/shipments' \\
  -H "Authorization: Bearer $MIRSAL_TOKEN"`,
    );
  });

  it('sends the required headers and a body built from the schema, for the sandbox', () => {
    expect(curlSample(requestOf('shipments-create'))).toBe(
      `curl -X POST 'https://sandbox.example/v2/shipments' \\
  -H "Authorization: Bearer $MIRSAL_TOKEN" \\
  -H 'Idempotency-Key: 6f1c2c1e-5b0a-4a8e-9d67-0d7f3f7a9b52' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "externalReference": "ORDER-1001",
  "items": [{ "quantity": 1 }],
  "branchCode": "SANDBOX_BRANCH",
  "pickupLocationCode": "SANDBOX_PICKUP"
}'`,
    );
  });

  it('uses variables for values that readers fill in', () => {
    expect(curlSample(requestOf('put-v2-shipments-shipmentid-notes-note'))).toBe(
      `curl -X PUT "https://sandbox.example/v2/shipments/$SHIPMENT_ID/notes/$NOTE" \\
  -H "Authorization: Bearer $MIRSAL_TOKEN" \\
  -H 'Content-Type: image/png' \\
  --data-binary @document.png`,
    );
  });

  it('quotes characters that a shell would interpret', () => {
    const request = { ...requestOf('shipments-list'), headers: [['X-Note', ["it's"]]] as const };
    expect(curlSample(request)).toContain(`-H 'X-Note: it'\\''s'`);
    const mixed = { ...request, headers: [['X-Note', ['a "$b`', { variable: 'NOTE' }]]] as const };
    expect(curlSample(mixed)).toContain('-H "X-Note: a \\"\\$b\\`$NOTE"');
  });

  it('writes forms, and sends no token if none is needed', () => {
    expect(curlSample(requestOf('oauth-token'))).toBe(
      `curl -X POST 'https://sandbox.example/oauth/token' \\
  -d 'grant_type=client_credentials'`,
    );
  });

  it('lets the shell expand variables in a body', () => {
    const request = {
      ...requestOf('shipments-create'),
      body: { kind: 'json', value: { otp: { variable: 'OTP' } } } as const,
    };
    expect(curlSample(request)).toContain('\n  -d @- <<JSON\n{ "otp": "$OTP" }\nJSON');
  });
});

describe('a TypeScript sample', () => {
  it('uses the typed client if it has the operation', () => {
    expect(typeScriptSample(requestOf('shipments-create'))).toBe(
      `const answer = await mirsal.shipments.create.mutate({
  idempotencyKey: '6f1c2c1e-5b0a-4a8e-9d67-0d7f3f7a9b52',
  externalReference: 'ORDER-1001',
  items: [{ quantity: 1 }],
  branchCode: 'SANDBOX_BRANCH',
  pickupLocationCode: 'SANDBOX_PICKUP',
});
console.log(answer);`,
    );
    expect(clientSetUp(baseUrl)).toContain("baseUrl: 'https://sandbox.example',");
  });

  it('otherwise uses fetch', () => {
    expect(typeScriptSample(requestOf('oauth-token'))).toBe(
      `const response = await fetch('https://sandbox.example/oauth/token', {
  method: 'POST',
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
});
console.log(response.status);`,
    );
  });
});
