import { describe, expect, it } from 'vitest';
import { csharpSample } from '../../../src/pages/reference/csharp.ts';
import { curlSample } from '../../../src/pages/reference/curl.ts';
import { listOperations } from '../../../src/pages/reference/operations.ts';
import { phpSample } from '../../../src/pages/reference/php.ts';
import { pythonSample } from '../../../src/pages/reference/python.ts';
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

/** A request with everything that a language has to write: variables in the address, a header and the body, and quotation marks. */
const mixed: SampleRequest = {
  ...requestOf('put-v2-shipments-shipmentid-notes-note'),
  headers: [['If-Match', [{ variable: 'ETAG' }]]],
  body: { kind: 'json', value: { otp: { variable: 'OTP' }, note: `it's "new" {1}`, held: null, is: [true], none: {} } },
};

describe('a sample with the libraries of a language', () => {
  it('is Python', () => {
    expect(pythonSample(mixed)).toBe(
      `import json, os, urllib.request

request = urllib.request.Request(
    f"https://sandbox.example/v2/shipments/{os.environ['SHIPMENT_ID']}/notes/{os.environ['NOTE']}",
    method="PUT",
    headers={
        "Authorization": f"Bearer {os.environ['MIRSAL_TOKEN']}",
        "If-Match": f"{os.environ['ETAG']}",
        "Content-Type": "image/png",
    },
    data=json.dumps({
      "otp": os.environ["OTP"],
      "note": "it's \\"new\\" {1}",
      "held": None,
      "is": [True],
      "none": {},
    }).encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`,
    );
  });

  it('is PHP', () => {
    expect(phpSample(mixed)).toBe(
      `$request = curl_init('https://sandbox.example/v2/shipments/' . getenv('SHIPMENT_ID') . '/notes/' . getenv('NOTE'));
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => 'PUT',
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('MIRSAL_TOKEN'),
        'If-Match: ' . getenv('ETAG'),
        'Content-Type: image/png',
    ],
    CURLOPT_POSTFIELDS => json_encode([
      'otp' => getenv('OTP'),
      'note' => 'it\\'s "new" {1}',
      'held' => null,
      'is' => [true],
      'none' => new stdClass(),
    ]),
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;`,
    );
  });

  it('is C#', () => {
    expect(csharpSample(mixed)).toBe(
      `using System.Text;

string Env(string name) => Environment.GetEnvironmentVariable(name) ?? "";

using var http = new HttpClient();
using var request = new HttpRequestMessage(HttpMethod.Put, $"https://sandbox.example/v2/shipments/{Env("SHIPMENT_ID")}/notes/{Env("NOTE")}");
request.Headers.TryAddWithoutValidation("Authorization", $"Bearer {Env("MIRSAL_TOKEN")}");
request.Headers.TryAddWithoutValidation("If-Match", $"{Env("ETAG")}");
request.Content = new StringContent(
    $$"""
    {
      "otp": "{{Env("OTP")}}",
      "note": "it's \\"new\\" {1}",
      "held": null,
      "is": [true],
      "none": {}
    }
    """,
    Encoding.UTF8,
    "image/png");
using var response = await http.SendAsync(request);
Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");`,
    );
  });

  it('sends forms with the id and the secret of a client', () => {
    const request: SampleRequest = { ...requestOf('oauth-token'), caller: 'basic' };
    expect(pythonSample(request)).toContain(
      `pair = f"{os.environ['MIRSAL_CLIENT_ID']}:{os.environ['MIRSAL_CLIENT_SECRET']}"`,
    );
    expect(pythonSample(request)).toContain('urllib.parse.urlencode({ "grant_type": "client_credentials" }).encode()');
    expect(phpSample(request)).toContain(
      `CURLOPT_USERPWD => getenv('MIRSAL_CLIENT_ID') . ':' . getenv('MIRSAL_CLIENT_SECRET'),`,
    );
    expect(phpSample(request)).toContain(`http_build_query(['grant_type' => 'client_credentials'])`);
    expect(csharpSample(request)).toContain('    ["grant_type"] = "client_credentials",\n');
  });
});
