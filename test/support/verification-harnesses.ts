import { spawnSync } from 'node:child_process';

/** Programs that let a sample verify the cases of `cases.json`, and print `name good` or `name bad` for each. */
export interface Harness {
  readonly program: string;
  readonly args: readonly string[];
  /** A command that shows whether the language is installed. */
  readonly probe: readonly string[];
  readonly file: string;
  readonly code: string;
}

const TYPESCRIPT = `import { readFileSync } from 'node:fs';
import { verify } from './verify.ts';
for (const { name, headers, body, secrets } of JSON.parse(readFileSync('cases.json', 'utf8'))) {
  try {
    verify(new Headers(headers), body, secrets);
    console.log(name, 'good');
  } catch {
    console.log(name, 'bad');
  }
}
`;

const PYTHON = `import json
from verify import verify
for case in json.load(open("cases.json", encoding="utf-8")):
    try:
        verify(case["headers"], case["body"].encode(), case["secrets"])
        print(case["name"], "good")
    except ValueError:
        print(case["name"], "bad")
`;

const PHP = `<?php
require 'verify.php';
foreach (json_decode(file_get_contents('cases.json'), true) as $case) {
    try {
        verify($case['headers'], $case['body'], $case['secrets']);
        echo $case['name'], " good\\n";
    } catch (RuntimeException) {
        echo $case['name'], " bad\\n";
    }
}
`;

const GO = `package webhook
import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
)
// Outside of a test, so that only these lines are printed.
func TestMain(*testing.M) {
	var cases []struct { Name, Body string; Headers map[string]string; Secrets []string }
	text, _ := os.ReadFile("cases.json")
	if err := json.Unmarshal(text, &cases); err != nil { panic(err) }
	for _, one := range cases {
		header := http.Header{}
		for name, value := range one.Headers { header.Set(name, value) }
		if Verify(header, []byte(one.Body), one.Secrets) == nil { fmt.Println(one.Name, "good") } else { fmt.Println(one.Name, "bad") }
	}
	os.Exit(0)
}
`;

/** By language. C# needs a project and a build, so its sample is not run. */
export const HARNESSES: Readonly<Record<string, Harness>> = {
  TypeScript: {
    ...{ program: process.execPath, args: ['judge.ts'], probe: ['--version'] },
    ...{ file: 'judge.ts', code: TYPESCRIPT },
  },
  Python: { program: 'python3', args: ['judge.py'], probe: ['--version'], file: 'judge.py', code: PYTHON },
  PHP: { program: 'php', args: ['judge.php'], probe: ['--version'], file: 'judge.php', code: PHP },
  Go: {
    // `go test` itself prints lines of its own.
    ...{ program: 'sh', args: ['-c', 'go test -c -o judge.test verify.go verify_test.go && ./judge.test'] },
    ...{ probe: ['-c', 'go version'], file: 'verify_test.go', code: GO },
  },
};

export function isInstalled(harness: Harness | undefined): boolean {
  return harness !== undefined && spawnSync(harness.program, harness.probe, { timeout: 20_000 }).status === 0;
}
