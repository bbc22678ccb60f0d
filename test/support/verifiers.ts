import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERIFICATION_PROGRAMS, verificationPath } from '../../src/pages/reference/verification.ts';
import { CSHARP_PROJECT, type Language } from './languages.ts';

/**
 * A verifier of webhooks that merchants copy or install, with a program that lets it judge each case of `cases.json` and
 * prints `name good`, `name bad`, or `name secret` if its error is about the secret.
 */
export interface Verifier {
  readonly name: string;
  readonly language: Language;
  readonly source: string;
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly [string, ...string[]];
}

const ROOT = join(import.meta.dirname, '..', '..');

const typeScript = (imports: string, call: string) => `import { readFileSync } from 'node:fs';
${imports}
for (const { name, headers, body, secrets } of JSON.parse(readFileSync('cases.json', 'utf8'))) {
  try {
    ${call}
    console.log(name, 'good');
  } catch (error) {
    console.log(name, /signing secret/.test(error.message) ? 'secret' : 'bad');
  }
}
`;

const python = (imports: string, call: string) => `import json
${imports}
for case in json.load(open("cases.json", encoding="utf-8")):
    headers, body, secrets = case["headers"], case["body"].encode(), case["secrets"]
    try:
        ${call}
        print(case["name"], "good")
    except ValueError as error:
        print(case["name"], "secret" if "signing secret" in str(error) else "bad")
`;

const php = (file: string, call: string) => `<?php
require '${file}';
foreach (json_decode(file_get_contents('cases.json'), true) as ['name' => $name, 'headers' => $headers, 'body' => $body, 'secrets' => $secrets]) {
    try {
        ${call};
        echo "$name good\\n";
    } catch (RuntimeException $error) {
        echo $name, str_contains($error->getMessage(), 'signing secret') ? " secret\\n" : " bad\\n";
    }
}
`;

const go = (name: string, call: string) => `package ${name}
import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)
// Outside of a test, so that only these lines are printed.
func TestMain(*testing.M) {
	var cases []struct { Name, Body string; Headers map[string]any; Secrets []*string }
	text, _ := os.ReadFile("cases.json")
	if err := json.Unmarshal(text, &cases); err != nil { panic(err) }
	for _, one := range cases {
		header, body, secrets := http.Header{}, []byte(one.Body), []string{}
		for name, value := range one.Headers {
			if line, ok := value.(string); ok { value = []any{line} }
			header[name] = []string{}
			for _, line := range value.([]any) { header[name] = append(header[name], line.(string)) }
		}
		for _, secret := range one.Secrets { if secret != nil { secrets = append(secrets, *secret) } }
		verdict := "good"
		if err := ${call}; err != nil {
			verdict = "bad"
			if strings.Contains(err.Error(), "signing secret") { verdict = "secret" }
		}
		fmt.Println(one.Name, verdict)
	}
	os.Exit(0)
}
`;

const csharp = (call: string) => `using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
public static class Use
{
    [System.Runtime.CompilerServices.ModuleInitializer]
    public static void Judge()
    {
        foreach (var one in JsonDocument.Parse(File.ReadAllText("cases.json")).RootElement.EnumerateArray())
        {
            var headers = one.GetProperty("headers").EnumerateObject().ToDictionary(header => header.Name, header =>
                header.Value.ValueKind == JsonValueKind.String
                    ? new[] { header.Value.GetString()! }
                    : header.Value.EnumerateArray().Select(line => line.GetString()!).ToArray());
            var body = Encoding.UTF8.GetBytes(one.GetProperty("body").GetString()!);
            var secrets = one.GetProperty("secrets").EnumerateArray().Select(secret => secret.GetString()!).ToList();
            var verdict = "good";
            try
            {
                ${call};
            }
            catch (System.Security.Cryptography.CryptographicException error)
            {
                verdict = error.Message.Contains("signing secret") ? "secret" : "bad";
            }
            Console.WriteLine($"{one.GetProperty("name")} {verdict}");
        }
        Environment.Exit(0);
    }
}
`;

/** A header that `Headers` cannot hold never reaches a program. */
const NODE_HEADERS = `const all = new Headers();
    for (const [name, lines] of Object.entries(headers)) for (const line of [lines].flat()) all.append(name, line);`;
const GO_OF = (name: string) =>
  ['sh', '-c', `go test -c -o judge.test ${name}.go judge_test.go && ./judge.test`] as const;
const DOTNET = ['dotnet', 'run'] as const;

const OF_SAMPLES: Readonly<Record<Language, Pick<Verifier, 'files' | 'command'>>> = {
  TypeScript: {
    files: {
      'judge.ts': typeScript(
        "import { verify } from './verify.ts';",
        `${NODE_HEADERS}\n    verify(all, body, secrets);`,
      ),
    },
    command: [process.execPath, 'judge.ts'],
  },
  Python: {
    files: { 'judge.py': python('from verify import verify', 'verify(headers, body, secrets)') },
    command: ['python3', 'judge.py'],
  },
  PHP: {
    files: { 'judge.php': php('verify.php', 'verify($headers, $body, $secrets)') },
    command: ['php', 'judge.php'],
  },
  Go: { files: { 'judge_test.go': go('webhook', 'Verify(header, body, secrets)') }, command: GO_OF('verify') },
  'C#': {
    files: {
      'Use.cs': csharp('Webhook.Verify(headers, body, secrets)'),
      'Program.cs': 'return;\n',
      'judge.csproj': CSHARP_PROJECT,
    },
    command: DOTNET,
  },
};

const STARTERS: readonly (Pick<Verifier, 'language' | 'files' | 'command'> & { readonly file: string })[] = [
  {
    ...{ language: 'Python', file: 'mirsal.py', command: ['python3', 'judge.py'] },
    files: { 'judge.py': python('from mirsal import verify_webhook', 'verify_webhook(secrets, headers, body)') },
  },
  {
    ...{ language: 'PHP', file: 'Mirsal.php', command: ['php', 'judge.php'] },
    files: { 'judge.php': php('Mirsal.php', 'Mirsal::verifyWebhook($secrets, $headers, $body)') },
  },
  {
    ...{ language: 'Go', file: 'mirsal.go', command: GO_OF('mirsal') },
    files: {
      'judge_test.go': go('main', 'func() error { _, err := VerifyWebhook(secrets, header, body); return err }()'),
    },
  },
  {
    ...{ language: 'C#', file: 'Mirsal.cs', command: DOTNET },
    files: { 'Use.cs': csharp('Webhook.Verify(secrets, headers, body)'), 'judge.csproj': CSHARP_PROJECT },
  },
];

const ofClient = (name: string, call: string): Verifier => ({
  ...{
    name,
    language: 'TypeScript',
    command: [process.execPath, 'judge.ts'],
    source: read('src', 'client', 'verify-webhook.ts'),
  },
  files: {
    'judge.ts': typeScript(
      `import { verifyWebhook } from '${join(ROOT, 'src', 'client', 'verify-webhook.ts')}';`,
      call,
    ),
  },
});

/** Every verifier that is shown on a page, copied by merchants or part of the package. */
export const VERIFIERS: readonly Verifier[] = [
  ...VERIFICATION_PROGRAMS.map((program) => {
    const { language, file } = program;
    const { files, command } = OF_SAMPLES[language];
    const source = read(verificationPath(program));
    return { name: `the sample in ${language}`, language, source, command, files: { ...files, [file]: source } };
  }),
  ...STARTERS.map(({ language, file, files, command }) => {
    const source = read('docs', 'clients', file);
    return { name: `docs/clients/${file}`, language, source, command, files: { ...files, [file]: source } };
  }),
  ofClient('the client with a record of headers', 'await verifyWebhook(secrets, { headers, body });'),
  ofClient('the client with Headers', `${NODE_HEADERS}\n    await verifyWebhook(secrets, { headers: all, body });`),
];

function read(...path: readonly string[]): string {
  return readFileSync(join(ROOT, ...path), 'utf8');
}
