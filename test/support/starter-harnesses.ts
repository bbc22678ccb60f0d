import { CSHARP_PROJECT, type Language } from './languages.ts';

/*
 * Programs that use a starter of docs/clients as a merchant's program would. With CALLS, each makes the calls of that file
 * and prints how each ended: with an answer, refused, or unknown. Without, it creates a shipment with an exact amount, makes
 * a call that must not be repeated, and one whose token has ended. They print the same lines.
 */

export interface StarterHarness {
  readonly language: Language;
  /** Compiles the program once. */
  readonly build?: readonly [string, ...string[]];
  readonly command: readonly [string, ...string[]];
  readonly files: Readonly<Record<string, string>>;
}

const PYTHON = `import json, os, sys
from decimal import Decimal
from mirsal import Mirsal, MirsalError, MirsalNoAnswer

for call in json.load(open(os.environ["CALLS"], encoding="utf-8")) if "CALLS" in os.environ else []:
    mirsal = Mirsal(os.environ["MIRSAL_URL"], call["client"], "secret")
    try:
        mirsal.call(call["method"], call["path"], call["body"], key=call["key"], if_match=call["ifMatch"])
        print(call["name"], "answer")
    except MirsalError as error:
        print(call["name"], "refused", error.code)
    except MirsalNoAnswer as error:
        print(call["name"], "unknown" if "outcome is unknown" in str(error) else error)
if "CALLS" in os.environ:
    sys.exit()
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
$calls = getenv('CALLS');
foreach ($calls === false ? [] : json_decode(file_get_contents($calls), true) as $call) {
    $mirsal = new Mirsal(getenv('MIRSAL_URL'), $call['client'], 'secret');
    echo $call['name'];
    try {
        $mirsal->call($call['method'], $call['path'], $call['body'], $call['key'], $call['ifMatch']);
        echo " answer\\n";
    } catch (MirsalRefusal $refusal) {
        echo " refused {$refusal->problemCode}\\n";
    } catch (MirsalNoAnswer $error) {
        echo str_contains($error->getMessage(), 'outcome is unknown') ? " unknown\\n" : " $error\\n";
    }
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
	"os"
	"strings"
	"testing"
)
// Outside of a test, so that only these lines are printed.
func TestMain(*testing.M) {
	if file := os.Getenv("CALLS"); file != "" {
		var calls []struct { Name, Client, Method, Path, Key, IfMatch string; Body any }
		text, _ := os.ReadFile(file)
		if err := json.Unmarshal(text, &calls); err != nil { panic(err) }
		for _, one := range calls {
			mirsal := NewMirsal(os.Getenv("MIRSAL_URL"), one.Client, "secret")
			_, err := mirsal.Call(one.Method, one.Path, one.Body, Options{Key: one.Key, IfMatch: one.IfMatch})
			end := "answer"
			var refusal *Error
			var noAnswer *NoAnswer
			if errors.As(err, &refusal) { end = "refused " + refusal.Code } else if errors.As(err, &noAnswer) && strings.Contains(err.Error(), "outcome is unknown") { end = "unknown" } else if err != nil { end = err.Error() }
			fmt.Println(one.Name, end)
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
	answer, err := mirsal.Call("GET", "/renewed", nil, Options{})
	if err != nil { panic(err) }
	if answer["ok"] == true { fmt.Println("renewed True") }
	// Go prints a float64 in the shortest form that reads back as the same value, and json.Number as it is.
	fmt.Println("no floats")
	os.Exit(0)
}
`;

const CSHARP = `using System.Runtime.CompilerServices;
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
        if (Variable("CALLS") != "")
        {
            foreach (var call in JsonNode.Parse(File.ReadAllText(Variable("CALLS")))!.AsArray())
            {
                string? Text(string name) => (string?)call![name];
                using var one = new Mirsal(Variable("MIRSAL_URL"), Text("client")!, "secret");
                var end = "answer";
                try
                {
                    var body = call!["body"]?.DeepClone().AsObject();
                    await one.CallAsync(new HttpMethod(Text("method")!), Text("path")!, body, Text("key"), Text("ifMatch"));
                }
                catch (MirsalException refusal)
                {
                    end = $"refused {refusal.Code}";
                }
                catch (MirsalNoAnswerException failure)
                {
                    end = failure.Message.Contains("outcome is unknown") ? "unknown" : failure.Message;
                }
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
        Console.WriteLine($"renewed {(await mirsal.CallAsync(HttpMethod.Get, "/renewed"))["ok"]!.GetValue<bool>()}");
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
