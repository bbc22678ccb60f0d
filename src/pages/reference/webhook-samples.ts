/** Programs that verify a webhook's signature. A test runs each one whose language is installed. */
export interface VerificationSample {
  readonly language: string;
  readonly file: string;
  readonly code: string;
}

const TYPESCRIPT = String.raw`import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** body: the text exactly as it came; secrets: two during a rotation. */
export function verify(headers: Headers, body: string, secrets: string[]): unknown {
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > TOLERANCE_SECONDS) {
    throw new Error('The timestamp is too old or too new');
  }
  const signatures = (headers.get('webhook-signature') ?? '').split(' ');
  for (const secret of secrets) {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
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
}`;

const PYTHON = String.raw`import base64, hashlib, hmac, json, time

TOLERANCE_SECONDS = 300

def verify(headers, body, secrets):
    """headers: names in lower case; body: bytes as they came; secrets: two during a rotation."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("The timestamp is too old or too new")
    content = f"{message_id}.{timestamp}.".encode() + body
    signatures = headers.get("webhook-signature", "").split(" ")
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        mac = hmac.new(key, content, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(mac)
        if any(hmac.compare_digest(given.encode(), expected) for given in signatures):
            return json.loads(body)
    raise ValueError("No signature matches")`;

const PHP = String.raw`<?php
const TOLERANCE_SECONDS = 300;

/** $headers: names in lower case; $body: file_get_contents('php://input'); $secrets: two during a rotation. */
function verify(array $headers, string $body, array $secrets): array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        throw new RuntimeException('The timestamp is too old or too new');
    }
    $signatures = explode(' ', $headers['webhook-signature'] ?? '');
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $mac = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
        $expected = 'v1,' . base64_encode($mac);
        foreach ($signatures as $given) {
            if (hash_equals($expected, $given)) {
                return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
        }
    }
    throw new RuntimeException('No signature matches');
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

// Verify tells whether a request is ours. body: the bytes as they came; secrets: two during a rotation.
func Verify(header http.Header, body []byte, secrets []string) error {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return errors.New("the timestamp is too old or too new")
	}
	signatures := strings.Split(header.Get("webhook-signature"), " ")
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			return err
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, given := range signatures {
			if hmac.Equal([]byte(given), []byte(expected)) {
				return nil
			}
		}
	}
	return errors.New("no signature matches")
}`;

const CSHARP = String.raw`using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

public static class Webhook
{
    private const long ToleranceSeconds = 300;

    // headers: names in lower case; body: the bytes as they came; secrets: two during a rotation.
    public static JsonDocument Verify(
        IReadOnlyDictionary<string, string> headers, byte[] body, IEnumerable<string> secrets)
    {
        var id = headers.GetValueOrDefault("webhook-id", "");
        var timestamp = headers.GetValueOrDefault("webhook-timestamp", "");
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        if (!long.TryParse(timestamp, out var seconds) || Math.Abs(now - seconds) > ToleranceSeconds)
            throw new CryptographicException("The timestamp is too old or too new");
        var content = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
        var signatures = headers.GetValueOrDefault("webhook-signature", "").Split(' ');
        foreach (var secret in secrets)
        {
            var key = Convert.FromBase64String(secret["whsec_".Length..]);
            var mac = HMACSHA256.HashData(key, content);
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(mac));
            if (signatures.Any(given =>
                    CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), expected)))
                return JsonDocument.Parse(body);
        }
        throw new CryptographicException("No signature matches");
    }
}`;

export const VERIFICATION_SAMPLES: readonly VerificationSample[] = [
  { language: 'TypeScript', file: 'verify.ts', code: TYPESCRIPT },
  { language: 'Python', file: 'verify.py', code: PYTHON },
  { language: 'PHP', file: 'verify.php', code: PHP },
  { language: 'Go', file: 'verify.go', code: GO },
  { language: 'C#', file: 'Webhook.cs', code: CSHARP },
];
