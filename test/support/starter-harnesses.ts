import { spawnSync } from 'node:child_process';

/*
 * Programs that use a starter of docs/clients as a merchant's program would. Each judges the webhook requests of
 * `cases.json`, creates a shipment with an exact amount, makes a call that must not be repeated, and one whose token has
 * ended. They print the same lines.
 */

interface StarterHarness {
  /** The starter's language, as in `STARTERS`. */
  readonly language: string;
  readonly command: readonly [string, ...string[]];
  /** A command that shows whether the language is installed. */
  readonly probe: readonly [string, ...string[]];
  readonly file: string;
  readonly code: string;
}

const PYTHON = `import json, os
from decimal import Decimal
from mirsal import Mirsal, MirsalError, verify_webhook

for case in json.load(open("cases.json", encoding="utf-8")):
    try:
        verify_webhook(case["secrets"], case["headers"], case["body"].encode())
        print(case["name"], "good")
    except ValueError:
        print(case["name"], "bad")
mirsal = Mirsal(os.environ["MIRSAL_URL"], "id", "secret")
shipment = mirsal.create_shipment({"declaredValue": Decimal("1234567890123456.789"), "name": "سارة"}, key="key-of-this-order")
print("created", shipment["declaredValue"], shipment["name"])
try:
    mirsal.call("POST", "/unsafe", {})
except MirsalError as error:
    print("refused", error.status, error.code, error.request_id)
print("renewed", mirsal.call("GET", "/renewed")["ok"])
try:
    mirsal.call("POST", "/unsafe", {"declaredValue": 0.1})
except TypeError:
    print("no floats")
`;

const PHP = `<?php
require 'Mirsal.php';
foreach (json_decode(file_get_contents('cases.json'), true) as $case) {
    try {
        Mirsal::verifyWebhook($case['secrets'], $case['headers'], $case['body']);
        echo $case['name'], " good\\n";
    } catch (UnexpectedValueException) {
        echo $case['name'], " bad\\n";
    }
}
$mirsal = new Mirsal(getenv('MIRSAL_URL'), 'id', 'secret');
$order = ['declaredValue' => new Decimal('1234567890123456.789'), 'name' => 'سارة'];
$shipment = $mirsal->createShipment($order, 'key-of-this-order');
echo "created {$shipment['declaredValue']} {$shipment['name']}\\n";
try {
    $mirsal->call('POST', '/unsafe', []);
} catch (MirsalRefusal $refusal) {
    echo "refused {$refusal->status} {$refusal->problemCode} {$refusal->requestId}\\n";
}
echo 'renewed ', $mirsal->call('GET', '/renewed')['ok'] ? "True\\n" : "False\\n";
try {
    $mirsal->call('POST', '/unsafe', ['declaredValue' => 0.1]);
} catch (InvalidArgumentException) {
    echo "no floats\\n";
}
`;

const GO = `package main
import (
	"encoding/json"
	"errors"
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
		if _, err := VerifyWebhook(one.Secrets, header, []byte(one.Body)); err == nil { fmt.Println(one.Name, "good") } else { fmt.Println(one.Name, "bad") }
	}
	mirsal := NewMirsal(os.Getenv("MIRSAL_URL"), "id", "secret")
	shipment, err := mirsal.CreateShipment(Object{"declaredValue": json.Number("1234567890123456.789"), "name": "سارة"}, "key-of-this-order")
	if err != nil { panic(err) }
	fmt.Println("created", shipment["declaredValue"], shipment["name"])
	_, err = mirsal.Call("POST", "/unsafe", Object{}, Options{})
	var refusal *Error
	if errors.As(err, &refusal) { fmt.Println("refused", refusal.Status, refusal.Code, refusal.RequestID) }
	answer, err := mirsal.Call("GET", "/renewed", nil, Options{})
	if err != nil { panic(err) }
	if answer["ok"] == true { fmt.Println("renewed True") }
	// Go prints a float64 in the shortest form that reads back as the same value, and json.Number as it is.
	fmt.Println("no floats")
	os.Exit(0)
}
`;

/** C# needs an SDK that no package of the project brings, so its starter is not run. */
export const STARTER_HARNESSES: readonly StarterHarness[] = [
  { language: 'Python', command: ['python3', 'use.py'], probe: ['python3', '--version'], file: 'use.py', code: PYTHON },
  { language: 'PHP', command: ['php', 'use.php'], probe: ['php', '--version'], file: 'use.php', code: PHP },
  {
    language: 'Go',
    // `go test` itself prints lines of its own.
    command: ['sh', '-c', 'go test -c -o use.test mirsal.go mirsal_test.go && ./use.test'],
    probe: ['go', 'version'],
    ...{ file: 'mirsal_test.go', code: GO },
  },
];

/** Whether a language is on this machine. Python always has to be. */
export function hasLanguage({ probe: [program, ...args] }: StarterHarness): boolean {
  return spawnSync(program, args, { timeout: 20_000 }).status === 0;
}
