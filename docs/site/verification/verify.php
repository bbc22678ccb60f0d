<?php
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
}
