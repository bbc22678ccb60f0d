import { CSHARP_PROJECT, type Language, missingFor } from './languages.ts';

/*
 * Programs that use a starter of docs/clients as a merchant's program would. They print the same lines.
 *
 * - With CALLS, each makes the calls of that file and prints how each ended: `answer`, or the outcome of its error with the
 *   seconds of Retry-After, and `late` if the call took longer than it may.
 * - With VECTORS, each reads the values of Retry-After in that file.
 * - Otherwise each creates a shipment with an exact amount, makes a call that must not be repeated, and 30 calls at once
 *   whose token has ended.
 */

export interface StarterHarness {
  readonly language: Language;
  /** Compiles the program once. */
  readonly build?: readonly [string, ...string[]];
  readonly command: readonly [string, ...string[]];
  readonly files: Readonly<Record<string, string>>;
}

const PYTHON = `import json, os, sys, time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from mirsal import Mirsal, MirsalError, TokenFolder, retry_after_seconds

def load(name):
    with open(os.environ[name], encoding="utf-8") as file:
        return json.load(file)

if "VECTORS" in os.environ:
    table = load("VECTORS")
    print(json.dumps([retry_after_seconds(text, table["now"]) for text, _ in table["vectors"]]))
for call in load("CALLS") if "CALLS" in os.environ else []:
    total, tokens = call.get("totalSeconds", 60), call.get("tokens")
    mirsal = Mirsal(
        call.get("url") or os.environ["MIRSAL_URL"], call["client"], "secret",
        total_seconds=total, ca_file=call.get("caFile"), tokens=TokenFolder(tokens) if tokens else None,
    )
    begin, words = time.monotonic(), [call["name"]]
    try:
        mirsal.call(call["method"], call["path"], call["body"], key=call["key"], if_match=call["ifMatch"])
        words.append("answer")
    except MirsalError as error:
        words.append(error.outcome)
        if error.retry_after_seconds is not None:
            words.append(str(error.retry_after_seconds))
    print(*words, *(["late"] if time.monotonic() - begin > total + 2 else []))
if "CALLS" in os.environ or "VECTORS" in os.environ:
    sys.exit()
mirsal = Mirsal(os.environ["MIRSAL_URL"], "id", "secret")
shipment = mirsal.create_shipment({"declaredValue": Decimal("1234567890123456.789"), "name": "سارة"}, key="key-of-this-order")
print("created", shipment["declaredValue"], shipment["name"])
try:
    mirsal.call("POST", "/unsafe", {})
except MirsalError as error:
    print("refused", error.status, error.code, error.request_id)
with ThreadPoolExecutor(30) as threads:
    answers = list(threads.map(lambda _: mirsal.call("GET", "/renewed")["ok"], range(30)))
print("renewed", all(answers))
try:
    mirsal.call("POST", "/unsafe", {"declaredValue": 0.1})
except TypeError:
    print("no floats")
`;

const PHP = `<?php
require 'Mirsal.php';
if (getenv('VECTORS') !== false) {
    $table = json_decode(file_get_contents(getenv('VECTORS')), true);
    echo json_encode(array_map(fn ($vector) => Mirsal::retryAfterSeconds($vector[0], $table['now']), $table['vectors']));
    exit();
}
$calls = getenv('CALLS');
foreach ($calls === false ? [] : json_decode(file_get_contents($calls), true) as $call) {
    $total = $call['totalSeconds'] ?? 60;
    $mirsal = new Mirsal(
        $call['url'] ?? getenv('MIRSAL_URL'), $call['client'], 'secret',
        totalSeconds: $total, caFile: $call['caFile'] ?? null, tokens: new MirsalTokens($call['tokens'] ?? null),
    );
    [$begin, $words] = [microtime(true), [$call['name']]];
    try {
        $mirsal->call($call['method'], $call['path'], $call['body'], $call['key'], $call['ifMatch']);
        $words[] = 'answer';
    } catch (MirsalError $error) {
        array_push($words, $error->outcome, ...($error->retryAfterSeconds === null ? [] : [$error->retryAfterSeconds]));
    }
    echo implode(' ', $words), microtime(true) - $begin > $total + 2 ? " late\\n" : "\\n";
}
if ($calls !== false) {
    exit();
}
$mirsal = new Mirsal(getenv('MIRSAL_URL'), 'id', 'secret');
$order = ['declaredValue' => new Decimal('1234567890123456.789'), 'name' => 'سارة'];
$shipment = $mirsal->createShipment($order, 'key-of-this-order');
echo "created {$shipment['declaredValue']} {$shipment['name']}\\n";
try {
    $mirsal->call('POST', '/unsafe', []);
} catch (MirsalError $error) {
    echo "refused {$error->status} {$error->problemCode} {$error->requestId}\\n";
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
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"
)
func load(name string, value any) bool {
	text, _ := os.ReadFile(os.Getenv(name))
	if os.Getenv(name) != "" { if err := json.Unmarshal(text, value); err != nil { panic(err) } }
	return os.Getenv(name) != ""
}
// Outside of a test, so that only these lines are printed.
func TestMain(*testing.M) {
	var table struct { Now int64; Vectors [][2]any }
	if load("VECTORS", &table) {
		seconds := []any{}
		for _, vector := range table.Vectors {
			delay := retryAfter(vector[0].(string), time.Unix(table.Now, 0))
			if delay < 0 { seconds = append(seconds, nil) } else { seconds = append(seconds, int64(delay / time.Second)) }
		}
		json.NewEncoder(os.Stdout).Encode(seconds)
		os.Exit(0)
	}
	var calls []struct { Name, Client, Method, Path, Key, IfMatch, Url, CaFile, Tokens string; TotalSeconds int64; Body any }
	if load("CALLS", &calls) {
		for _, one := range calls {
			if one.Url == "" { one.Url = os.Getenv("MIRSAL_URL") }
			mirsal := NewMirsal(one.Url, one.Client, "secret")
			if one.TotalSeconds > 0 { mirsal.Total = time.Duration(one.TotalSeconds) * time.Second }
			if one.Tokens != "" { mirsal.Tokens = TokenFolder(one.Tokens) }
			if one.CaFile != "" {
				text, _ := os.ReadFile(one.CaFile)
				pool := x509.NewCertPool()
				pool.AppendCertsFromPEM(text)
				mirsal.Transport.TLSClientConfig = &tls.Config{RootCAs: pool}
			}
			begin := time.Now()
			_, err := mirsal.Call(one.Method, one.Path, one.Body, Options{Key: one.Key, IfMatch: one.IfMatch})
			words := []any{one.Name, "answer"}
			var failure *Error
			if errors.As(err, &failure) {
				words[1] = failure.Outcome
				if failure.RetryAfter >= 0 { words = append(words, int64(failure.RetryAfter / time.Second)) }
			} else if err != nil { panic(err) }
			if time.Since(begin) > mirsal.Total + 2 * time.Second { words = append(words, "late") }
			fmt.Println(words...)
		}
		os.Exit(0)
	}
	mirsal := NewMirsal(os.Getenv("MIRSAL_URL"), "id", "secret")
	shipment, err := mirsal.CreateShipment(Object{"declaredValue": json.Number("1234567890123456.789"), "name": "سارة"}, "key-of-this-order")
	if err != nil { panic(err) }
	fmt.Println("created", shipment["declaredValue"], shipment["name"])
	_, err = mirsal.Call("POST", "/unsafe", Object{}, Options{})
	var refusal *Error
	if errors.As(err, &refusal) { fmt.Println("refused", refusal.Status, refusal.Code, refusal.RequestID) }
	var all sync.WaitGroup
	for count := 0; count < 30; count++ {
		all.Add(1)
		go func() {
			defer all.Done()
			answer, err := mirsal.Call("GET", "/renewed", nil, Options{})
			if err != nil || answer["ok"] != true { panic(err) }
		}()
	}
	all.Wait()
	fmt.Println("renewed True")
	// Go prints a float64 in the shortest form that reads back as the same value, and json.Number as it is.
	fmt.Println("no floats")
	os.Exit(0)
}
`;

const CSHARP = `using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;
public static class Use
{
    [ModuleInitializer]
    public static void Run()
    {
        RunAsync().GetAwaiter().GetResult();
        Environment.Exit(0);
    }
    private static async Task RunAsync()
    {
        string Variable(string name) => Environment.GetEnvironmentVariable(name) ?? "";
        if (Variable("VECTORS") != "")
        {
            var table = JsonNode.Parse(File.ReadAllText(Variable("VECTORS")))!;
            var now = DateTimeOffset.FromUnixTimeSeconds((long)table["now"]!);
            var seconds = table["vectors"]!.AsArray().Select(vector => Mirsal.RetryAfterSeconds((string)vector![0]!, now));
            Console.WriteLine(JsonSerializer.Serialize(seconds));
            return;
        }
        if (Variable("CALLS") != "")
        {
            foreach (var call in JsonNode.Parse(File.ReadAllText(Variable("CALLS")))!.AsArray())
            {
                string? Text(string name) => (string?)call![name];
                var total = TimeSpan.FromSeconds((int?)call!["totalSeconds"] ?? 60);
                var tokens = Text("tokens") is { } folder ? new TokenFolder(folder) : null;
                using var one = new Mirsal(
                    Text("url") ?? Variable("MIRSAL_URL"), Text("client")!, "secret", total: total, caFile: Text("caFile"),
                    tokens: tokens);
                var end = "answer";
                var begin = DateTime.UtcNow;
                try
                {
                    var body = call!["body"]?.DeepClone().AsObject();
                    await one.CallAsync(new HttpMethod(Text("method")!), Text("path")!, body, Text("key"), Text("ifMatch"));
                }
                catch (MirsalException error)
                {
                    end = error.RetryAfterSeconds is { } seconds ? $"{error.Outcome} {seconds}" : error.Outcome;
                }
                if (DateTime.UtcNow - begin > total + TimeSpan.FromSeconds(2)) end += " late";
                Console.WriteLine($"{Text("name")} {end}");
            }
            return;
        }
        using var mirsal = new Mirsal(Variable("MIRSAL_URL"), "id", "secret");
        var order = new JsonObject { ["declaredValue"] = 1234567890123456.789m, ["name"] = "سارة" };
        var shipment = await mirsal.CreateShipmentAsync(order, "key-of-this-order");
        Console.WriteLine($"created {shipment["declaredValue"]!.GetValue<decimal>()} {shipment["name"]}");
        try
        {
            await mirsal.CallAsync(HttpMethod.Post, "/unsafe", new JsonObject());
        }
        catch (MirsalException refusal)
        {
            Console.WriteLine($"refused {(int)refusal.Status} {refusal.Code} {refusal.RequestId}");
        }
        var answers = await Task.WhenAll(Enumerable.Range(0, 30).Select(_ => mirsal.CallAsync(HttpMethod.Get, "/renewed")));
        Console.WriteLine($"renewed {answers.All(answer => answer["ok"]!.GetValue<bool>())}");
        // A decimal in a JsonObject keeps its digits.
        Console.WriteLine("no floats");
    }
}
`;

export const STARTER_HARNESSES: readonly StarterHarness[] = [
  { language: 'Python', command: ['python3', 'use.py'], files: { 'use.py': PYTHON } },
  { language: 'PHP', command: ['php', 'use.php'], files: { 'use.php': PHP } },
  {
    language: 'Go',
    // `go test` itself prints lines of its own.
    build: ['go', 'test', '-c', '-o', 'use.test', 'mirsal.go', 'mirsal_test.go'],
    command: ['./use.test'],
    files: { 'mirsal_test.go': GO },
  },
  {
    language: 'C#',
    build: ['dotnet', 'build', '--output', 'built', 'use.csproj'],
    command: ['dotnet', 'built/use.dll'],
    files: { 'Use.cs': CSHARP, 'use.csproj': CSHARP_PROJECT },
  },
];

/** What this machine does not have for the starter of a language; undefined if nothing is missing. */
export function missingForStarter(language: Language): string | undefined {
  return missingFor(language, language === 'PHP' ? 'curl' : undefined);
}
