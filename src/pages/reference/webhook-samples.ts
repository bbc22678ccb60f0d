/** Programs that verify a webhook's signature. A test runs each one whose language is installed. */
interface VerificationSample {
  readonly language: string;
  readonly file: string;
  readonly code: string;
}

const TYPESCRIPT = String.raw`import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** body: the text exactly as it came; secrets: two during a rotation. null is absent, an empty one is an error. */
export function verify(headers: Headers, body: string, secrets: (string | null)[]): unknown {
  const keys = secrets.filter((secret) => secret !== null).map(keyOf);
  if (keys.length === 0) throw new Error('There is no signing secret');
  const id = only(headers, 'webhook-id');
  const timestamp = only(headers, 'webhook-timestamp');
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > TOLERANCE_SECONDS) {
    throw new Error('The timestamp is too old or too new');
  }
  const signatures = only(headers, 'webhook-signature').split(' ');
  for (const key of keys) {
    const mac = createHmac('sha256', key).update(${'`${id}.${timestamp}.${body}`'});
    const expected = Buffer.from('v1,' + mac.digest('base64'));
    for (const signature of signatures) {
      const given = Buffer.from(signature);
      if (given.length === expected.length && timingSafeEqual(given, expected)) {
        return JSON.parse(body);
      }
    }
  }
  throw new Error('No signature matches');
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  if (key.length < 24 || secret !== 'whsec_' + key.toString('base64')) {
    throw new Error('A signing secret starts with whsec_ and has at least 24 bytes in base64');
  }
  return key;
}

/** A header that came twice is joined with a comma and a space. */
function only(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null || value.includes(', ')) throw new Error('The request does not have one ' + name);
  return value;
}`;

const PYTHON = String.raw`import base64, hashlib, hmac, json, re, time

TOLERANCE_SECONDS = 300

def verify(headers, body, secrets):
    """body: bytes as they came; secrets: two during a rotation. None is absent, an empty one is an error."""
    keys = [key_of(secret) for secret in secrets if secret is not None]
    if not keys:
        raise ValueError("There is no signing secret")
    message_id, timestamp = only(headers, "webhook-id"), only(headers, "webhook-timestamp")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("The timestamp is too old or too new")
    content = f"{message_id}.{timestamp}.".encode() + body
    signatures = only(headers, "webhook-signature").split(" ")
    for key in keys:
        mac = hmac.new(key, content, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(mac)
        if any(hmac.compare_digest(given.encode(), expected) for given in signatures):
            return json.loads(body)
    raise ValueError("No signature matches")

def key_of(secret):
    try:
        key = base64.b64decode(secret[len("whsec_"):], validate=True)
    except ValueError:
        key = b""
    if len(key) < 24 or secret != "whsec_" + base64.b64encode(key).decode():
        raise ValueError("A signing secret starts with whsec_ and has at least 24 bytes in base64")
    return key

def only(headers, name):
    """Names in any case; a value or a list of values. Two lines may be joined with a comma and a space."""
    found = [value for given, value in headers.items() if given.lower() == name]
    values = [one for value in found for one in ([value] if isinstance(value, str) else value)]
    if len(values) != 1 or ", " in values[0]:
        raise ValueError(f"The request does not have one {name}")
    return values[0]`;

const PHP = String.raw`<?php
const TOLERANCE_SECONDS = 300;

/**
 * $headers: getallheaders(), or getHeaders() of PSR-7; $body: file_get_contents('php://input');
 * $secrets: two during a rotation. null is absent, an empty one is an error.
 */
function verify(array $headers, string $body, array $secrets): array
{
    $keys = array_map(keyOf(...), array_filter($secrets, fn ($secret) => $secret !== null));
    if ($keys === []) {
        throw new RuntimeException('There is no signing secret');
    }
    $id = only($headers, 'webhook-id');
    $timestamp = only($headers, 'webhook-timestamp');
    $isNumber = preg_match('/^[0-9]{1,12}$/D', $timestamp) === 1;
    if (!$isNumber || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        throw new RuntimeException('The timestamp is too old or too new');
    }
    $signatures = explode(' ', only($headers, 'webhook-signature'));
    foreach ($keys as $key) {
        $mac = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
        $expected = 'v1,' . base64_encode($mac);
        foreach ($signatures as $given) {
            if (hash_equals($expected, $given)) {
                return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
        }
    }
    throw new RuntimeException('No signature matches');
}

function keyOf(string $secret): string
{
    $key = (string) base64_decode(substr($secret, strlen('whsec_')), true);
    if (strlen($key) < 24 || $secret !== 'whsec_' . base64_encode($key)) {
        throw new RuntimeException('A signing secret starts with whsec_ and has at least 24 bytes in base64');
    }
    return $key;
}

/** Names in any case; a value or an array of values. PHP joins two lines with a comma and a space. */
function only(array $headers, string $name): string
{
    $found = array_filter($headers, fn ($given) => strtolower((string) $given) === $name, ARRAY_FILTER_USE_KEY);
    $values = array_merge(...array_map(fn ($value) => array_values((array) $value), array_values($found)));
    if (count($values) !== 1 || str_contains($values[0], ', ')) {
        throw new RuntimeException("The request does not have one $name");
    }
    return $values[0];
}`;

const GO = String.raw`package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 300 * time.Second

// Verify tells whether a request is ours. body: the bytes as they came; secrets: two during a rotation. An empty secret,
// such as an unset variable, is an error: leave an absent one out.
func Verify(header http.Header, body []byte, secrets []string) error {
	keys, err := keysOf(secrets)
	if err != nil {
		return err
	}
	id, err := only(header, "webhook-id")
	if err != nil {
		return err
	}
	timestamp, err := only(header, "webhook-timestamp")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || len(timestamp) > 12 || time.Since(time.Unix(int64(seconds), 0)).Abs() > tolerance {
		return errors.New("the timestamp is too old or too new")
	}
	signatures, err := only(header, "webhook-signature")
	if err != nil {
		return err
	}
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, given := range strings.Split(signatures, " ") {
			if hmac.Equal([]byte(given), []byte(expected)) {
				return nil
			}
		}
	}
	return errors.New("no signature matches")
}

func keysOf(secrets []string) ([][]byte, error) {
	var keys [][]byte
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < 24 || secret != "whsec_"+base64.StdEncoding.EncodeToString(key) {
			return nil, errors.New("a signing secret starts with whsec_ and has at least 24 bytes in base64")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no signing secret")
	}
	return keys, nil
}

// Names in any case. A proxy joins two lines with a comma and a space.
func only(header http.Header, name string) (string, error) {
	var values []string
	for given, lines := range header {
		if strings.EqualFold(given, name) {
			values = append(values, lines...)
		}
	}
	if len(values) != 1 || strings.Contains(values[0], ", ") {
		return "", errors.New("the request does not have one " + name)
	}
	return values[0], nil
}`;

const CSHARP = String.raw`using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

public static class Webhook
{
    private const long ToleranceSeconds = 300;

    // headers: Request.Headers of ASP.NET, or any names with a value or several; body: the bytes as they came;
    // secrets: two during a rotation. null is absent, an empty one is an error.
    public static JsonDocument Verify<TValue>(
        IEnumerable<KeyValuePair<string, TValue>> headers, byte[] body, IEnumerable<string> secrets)
    {
        var keys = secrets.Where(secret => secret != null).Select(KeyOf).ToList();
        if (keys.Count == 0) throw new CryptographicException("There is no signing secret");
        var given = headers.ToList();
        var id = Only(given, "webhook-id");
        var timestamp = Only(given, "webhook-timestamp");
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var isNumber = long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds);
        if (!isNumber || timestamp.Length > 12 || Math.Abs(now - seconds) > ToleranceSeconds)
            throw new CryptographicException("The timestamp is too old or too new");
        var content = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
        var signatures = Only(given, "webhook-signature").Split(' ');
        foreach (var key in keys)
        {
            using (var mac = new HMACSHA256(key))
            {
                var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(mac.ComputeHash(content)));
                if (signatures.Any(signature =>
                        CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(signature), expected)))
                    return JsonDocument.Parse(body);
            }
        }
        throw new CryptographicException("No signature matches");
    }

    private static byte[] KeyOf(string secret)
    {
        var key = new byte[0];
        try
        {
            if (secret.StartsWith("whsec_", StringComparison.Ordinal))
                key = Convert.FromBase64String(secret.Substring("whsec_".Length));
        }
        catch (FormatException)
        {
        }
        if (key.Length < 24 || secret != "whsec_" + Convert.ToBase64String(key))
            throw new CryptographicException("A signing secret starts with whsec_ and has at least 24 bytes in base64");
        return key;
    }

    // Names in any case. A proxy joins two lines with a comma and a space.
    private static string Only<TValue>(IEnumerable<KeyValuePair<string, TValue>> headers, string name)
    {
        var values = headers
            .Where(header => string.Equals(header.Key, name, StringComparison.OrdinalIgnoreCase))
            .SelectMany(header => header.Value as IEnumerable<string> ?? new[] { header.Value as string })
            .ToList();
        if (values.Count != 1 || values[0] == null || values[0].Contains(", "))
            throw new CryptographicException($"The request does not have one {name}");
        return values[0];
    }
}`;

export const VERIFICATION_SAMPLES = [
  { language: 'TypeScript', file: 'verify.ts', code: TYPESCRIPT },
  { language: 'Python', file: 'verify.py', code: PYTHON },
  { language: 'PHP', file: 'verify.php', code: PHP },
  { language: 'Go', file: 'verify.go', code: GO },
  { language: 'C#', file: 'Webhook.cs', code: CSHARP },
] as const satisfies readonly VerificationSample[];
