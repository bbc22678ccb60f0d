<?php

/*
 * Calls the Mirsal shipment service. PHP 8.1 or newer, no extension but those that are always there: copy this file into
 * your project.
 *
 *     php Mirsal.php    creates a first shipment in a sandbox and waits until it is delivered
 *
 * It needs MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET in the environment.
 */

declare(strict_types=1);

/** An exact decimal in a request, such as new Decimal('180.50'). In answers, decimals are strings. */
final class Decimal
{
    public function __construct(public readonly string $digits)
    {
        if (preg_match('/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/D', $digits) !== 1) {
            throw new InvalidArgumentException("$digits is not a decimal");
        }
    }
}

/** The service refused a call. Decide by $problem['code'], log $requestId. */
final class MirsalRefusal extends RuntimeException
{
    public readonly string $problemCode;

    public function __construct(
        public readonly int $status,
        public readonly array $problem,
        public readonly string $requestId,
        public readonly int $retryAfter,
    ) {
        $this->problemCode = (string) ($problem['code'] ?? '');
        parent::__construct("$status {$this->problemCode}: " . ($problem['detail'] ?? '') . " (request $requestId)");
    }
}

/**
 * The service did not answer, so the outcome is unknown. Proxies and captive portals answer too, often with 200. Make the
 * same call again later, with the same key.
 */
final class MirsalNoAnswer extends RuntimeException
{
    public function __construct(string $what, public readonly int $retryAfter = 0)
    {
        parent::__construct("$what, so the outcome is unknown");
    }
}

/** A connection for one OAuth client. */
final class Mirsal
{
    private const RETRIES = 4;
    private const TIMEOUT_SECONDS = 30;
    /** A longer Retry-After goes to the caller as an error. */
    private const WAIT_SECONDS_MAX = 60;
    /** A token is renewed this long before its end, so that it does not end on the way. */
    private const TOKEN_MARGIN_SECONDS = 60;
    private const WEBHOOK_TOLERANCE_SECONDS = 300;
    /** Nothing was done, so every call can be repeated. */
    private const NOT_CARRIED_OUT = [
        'RATE_LIMITED',
        'REQUEST_TIMEOUT',
        'IDEMPOTENCY_REQUEST_IN_PROGRESS',
        'ROUTING_PROVIDER_UNAVAILABLE',
        'STORAGE_PROVIDER_UNAVAILABLE',
    ];
    /**
     * Required members of each operation's answer; 204 is an empty answer. The first row that fits counts. Answers of an
     * operation without a row, such as a newer one, need X-Request-Id.
     */
    private const SHAPES = <<<'ROWS'
POST /oauth/token access_token expires_in
DELETE .* 204
GET .*/(shipments|timeline|items|tracking-links|media-assets) data page
GET .*/(branches|pickup-locations|events|webhook-endpoints|webhook-deliveries|requests) data page
GET .*/(cities|capabilities) data
POST .*/(shipments|cancellations|dispatch-retries|dispatch-releases|scenarios) shipmentId
GET .*/(shipments/[^/]+|cancellation-preview) shipmentId
[A-Z]+ .*/shipment-batches(/[^/]+)? batchId
POST .*/shipment-validations violations
[A-Z]+ .*/tracking-links(/[^/]+)? linkId
[A-Z]+ .*/webhook-endpoints(/[^/]+)? endpointId
[A-Z]+ .*/webhook-deliveries/[^/]+(/replays)? deliveryId
[A-Z]+ .*/replays(/[^/]+)? replayId
POST .*/secret-rotations signingSecret
POST .*/test-events eventId
POST .*/media-assets mediaAssetId
[A-Z]+ .*/metadata metadata
POST .*/price-locks priceLock
[A-Z]+ .*/(shipment-price-estimates|charges) currency
[A-Z]+ .*/sandbox/(bootstrap|readiness|dispatch-hold|dispatch-settings|resets) branchCode
ROWS;

    private ?string $token = null;
    private float $tokenEnd = 0.0;

    public function __construct(
        private readonly string $baseUrl,
        private readonly string $clientId,
        #[SensitiveParameter] private readonly string $clientSecret,
    ) {
    }

    /** Creates a shipment. Store the key with your order before the call, and use it again after any failure. */
    public function createShipment(array $order, string $key): array
    {
        return $this->call('POST', '/v2/external/shipments', $order, key: $key);
    }

    /**
     * Returns the parsed answer of an operation that answers JSON, or [] if it answers nothing; decimals are strings. After
     * a lost answer the call is repeated if that is safe: a GET, a call with an idempotency key or with one version in
     * $ifMatch, or one that the caller says is repeatable. Throws MirsalRefusal, and MirsalNoAnswer if the outcome is
     * unknown.
     */
    public function call(
        string $method,
        string $path,
        ?array $body = null,
        ?string $key = null,
        ?string $ifMatch = null,
        bool $repeatable = false,
    ): array {
        $headers = array_filter([
            'Content-Type' => $body === null ? null : 'application/json',
            'Idempotency-Key' => $key,
            'If-Match' => $ifMatch,
        ], fn ($value) => $value !== null);
        // The root is a map, which PHP cannot tell from a list if it is empty. Further in, write `new stdClass()`.
        $data = $body === null ? '' : ($body === [] ? '{}' : self::toJson($body));
        $isSafe = $method === 'GET' || $key !== null || ($ifMatch !== null && $ifMatch !== '*') || $repeatable;
        for ($isLast = false; ; $isLast = true) {
            $headers['Authorization'] = 'Bearer ' . $this->accessToken();
            try {
                return self::repeat(fn () => $this->exchange($method, $path, $data, $headers), $isSafe);
            } catch (MirsalRefusal $refusal) {
                if ($refusal->status !== 401 || $isLast) {
                    throw $refusal;
                }
            }
            $this->token = null;
        }
    }

    private function accessToken(): string
    {
        if ($this->token === null || self::now() >= $this->tokenEnd) {
            $headers = [
                'Authorization' => 'Basic ' . base64_encode("{$this->clientId}:{$this->clientSecret}"),
                'Content-Type' => 'application/x-www-form-urlencoded',
            ];
            $form = http_build_query(['grant_type' => 'client_credentials']);
            $answer = self::repeat(fn () => $this->exchange('POST', '/oauth/token', $form, $headers), true);
            $this->token = (string) $answer['access_token'];
            $this->tokenEnd = self::now() + (int) $answer['expires_in'] - self::TOKEN_MARGIN_SECONDS;
        }
        return $this->token;
    }

    private static function repeat(callable $send, bool $isSafe): array
    {
        for ($attempt = 0; ; $attempt += 1) {
            // Half of the delay is random, so that clients that failed together do not come back together.
            $delay = 2 ** $attempt * (0.5 + random_int(0, 1000) / 2000);
            try {
                return $send();
            } catch (MirsalRefusal $failure) {
                $isUnknown = in_array($failure->status, [408, 500, 502, 503, 504], true);
                $mayRepeat = in_array($failure->problemCode, self::NOT_CARRIED_OUT, true) || ($isUnknown && $isSafe);
            } catch (MirsalNoAnswer $failure) {
                $mayRepeat = $isSafe;
            }
            $delay = max($delay, $failure->retryAfter);
            if (!$mayRepeat || $attempt === self::RETRIES || $delay > self::WAIT_SECONDS_MAX) {
                throw $failure;
            }
            usleep((int) ($delay * 1_000_000));
        }
    }

    private function exchange(string $method, string $path, string $data, array $headers): array
    {
        $lines = array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers);
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => $lines,
            'content' => $data,
            'timeout' => self::TIMEOUT_SECONDS,
            'ignore_errors' => true,
            // A redirect could send a secret to another address.
            'follow_location' => 0,
        ]]);
        $stream = @fopen(rtrim($this->baseUrl, '/') . $path, 'r', false, $context);
        if ($stream === false) {
            throw new MirsalNoAnswer("No answer to $method $path");
        }
        $text = stream_get_contents($stream);
        $facts = stream_get_meta_data($stream);
        fclose($stream);
        if ($text === false || $facts['timed_out']) {
            throw new MirsalNoAnswer("No whole answer to $method $path");
        }
        return self::answerOf("$method $path", $facts['wrapper_data'], $text);
    }

    private static function answerOf(string $operation, array $lines, string $text): array
    {
        $status = 0;
        $headers = [];
        foreach ($lines as $line) {
            if (preg_match('#^HTTP/\S+ (\d{3})#', $line, $match) === 1) {
                $status = (int) $match[1];
            } else {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower($name)] = trim($value);
            }
        }
        // PHP does not notice that an answer ended early.
        $isWhole = !isset($headers['content-length']) || (int) $headers['content-length'] === strlen($text);
        try {
            $parsed = $isWhole && str_starts_with(ltrim($text), '{') ? self::fromJson($text) : null;
        } catch (JsonException) {
            $parsed = null;
        }
        if (self::isSuccess($operation, $status, $parsed, isset($headers['x-request-id']))) {
            return $parsed ?? [];
        }
        $retryAfter = $headers['retry-after'] ?? '';
        $seconds = preg_match('/^[0-9]{1,9}$/D', $retryAfter) === 1 ? (int) $retryAfter : 0;
        if ($status >= 400 && is_string($parsed['code'] ?? null)) {
            throw new MirsalRefusal($status, $parsed, $headers['x-request-id'] ?? '', $seconds);
        }
        throw new MirsalNoAnswer("The response to $operation with status $status is not from the service", $seconds);
    }

    private static function isSuccess(string $operation, int $status, ?array $parsed, bool $isOurs): bool
    {
        $members = null;
        foreach (explode("\n", self::SHAPES) as $row) {
            [$method, $path, $names] = explode(' ', $row, 3);
            if (preg_match("~^$method $path$~D", explode('?', $operation)[0]) === 1) {
                $members = explode(' ', $names);
                break;
            }
        }
        if ($members === ['204']) {
            return $status === 204;
        }
        if ($parsed === null || !in_array($status, [200, 201, 202], true)) {
            return false;
        }
        foreach ($members ?? [] as $name) {
            $value = $parsed[$name] ?? null;
            $isRight = match ($name) {
                'data', 'violations', 'page', 'metadata' => is_array($value),
                'expires_in' => is_int($value),
                default => is_string($value) && $value !== '',
            };
            if (!$isRight) {
                return false;
            }
        }
        return $members !== null || $isOurs;
    }

    /** JSON with exact decimals: a number with a fraction or an exponent becomes a string, an integer stays an int. */
    public static function fromJson(string $text): array
    {
        $number = '-?[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)';
        $exact = preg_replace("/\"(?:[^\"\\\\]++|\\\\.)*+\"(*SKIP)(*FAIL)|$number/s", '"$0"', $text);
        return json_decode($exact ?? '', true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
    }

    /** JSON with exact decimals. Refuses float, which cannot hold 0.1. */
    public static function toJson(mixed $value): string
    {
        return match (true) {
            $value instanceof Decimal => $value->digits,
            is_float($value) => throw new InvalidArgumentException('Amounts must be Decimal'),
            is_array($value) && array_is_list($value) => '[' . implode(',', array_map(self::toJson(...), $value)) . ']',
            is_array($value) => '{' . implode(',', array_map(
                fn ($name, $member) => self::toJson((string) $name) . ':' . self::toJson($member),
                array_keys($value),
                $value,
            )) . '}',
            default => json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES),
        };
    }

    /**
     * Returns the event of a webhook request, or throws UnexpectedValueException.
     *
     * $secrets: one, or two during a rotation; null is absent, an empty one is an error. $headers: getallheaders(), or
     * getHeaders() of PSR-7. $body: file_get_contents('php://input').
     */
    public static function verifyWebhook(array $secrets, array $headers, string $body): array
    {
        $keys = array_map(self::keyOf(...), array_filter($secrets, fn ($secret) => $secret !== null));
        if ($keys === []) {
            throw new UnexpectedValueException('There is no signing secret');
        }
        $id = self::only($headers, 'webhook-id');
        $timestamp = self::only($headers, 'webhook-timestamp');
        $isNumber = preg_match('/^[0-9]{1,12}$/D', $timestamp) === 1;
        if (!$isNumber || abs(time() - (int) $timestamp) > self::WEBHOOK_TOLERANCE_SECONDS) {
            throw new UnexpectedValueException('The timestamp is too old or too new');
        }
        $signatures = explode(' ', self::only($headers, 'webhook-signature'));
        foreach ($keys as $key) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach ($signatures as $given) {
                if (hash_equals($expected, $given)) {
                    return self::fromJson($body);
                }
            }
        }
        throw new UnexpectedValueException('No signature matches');
    }

    /** The bytes of a signing secret. With an empty key anybody could sign. */
    private static function keyOf(#[SensitiveParameter] string $secret): string
    {
        $key = (string) base64_decode(substr($secret, strlen('whsec_')), true);
        if (strlen($key) < 24 || $secret !== 'whsec_' . base64_encode($key)) {
            throw new UnexpectedValueException('A signing secret starts with whsec_ and has at least 24 bytes in base64');
        }
        return $key;
    }

    /** The header's only line. PHP joins two lines with a comma and a space, which no value of ours has. */
    private static function only(array $headers, string $name): string
    {
        $found = array_filter($headers, fn ($given) => strtolower((string) $given) === $name, ARRAY_FILTER_USE_KEY);
        $lines = array_merge(...array_map(fn ($value) => array_values((array) $value), array_values($found)));
        if (count($lines) !== 1 || str_contains((string) $lines[0], ', ')) {
            throw new UnexpectedValueException("The request does not have one $name");
        }
        return (string) $lines[0];
    }

    /** Seconds that do not jump when the clock is set. */
    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }
}

/** From nothing to a delivered shipment in a sandbox. */
function firstShipment(Mirsal $mirsal): void
{
    $sandbox = $mirsal->call('POST', '/v2/external/sandbox/bootstrap', repeatable: true);
    while (!$sandbox['canCreateShipment']) {
        sleep(1);
        $sandbox = $mirsal->call('GET', '/v2/external/sandbox/readiness');
    }
    // Decimals of an answer are strings; a request needs them as Decimal.
    $point = fn (array $place) => array_map(fn ($degrees) => new Decimal((string) $degrees), $place);
    $price = $mirsal->call('POST', '/v2/external/shipment-price-estimates', [
        'pickup' => $point($sandbox['pickup']),
        'delivery' => $point($sandbox['delivery']),
        'destinationCityCode' => $sandbox['destinationCityCode'],
    ], repeatable: true);
    echo "The delivery costs {$price['totalAmount']} {$price['currency']} with VAT.\n";

    $orderNumber = 'order-' . bin2hex(random_bytes(12));
    $shipment = $mirsal->createShipment([
        'externalReference' => $orderNumber,
        'branchCode' => $sandbox['branchCode'],
        'pickupLocationCode' => $sandbox['pickupLocationCode'],
        'recipient' => ['name' => 'Sara Al-Harbi', 'phone' => '0512345678'],
        'destination' => [
            'addressLine' => '2929 King Fahd Road',
            'cityCode' => $sandbox['destinationCityCode'],
            ...$point($sandbox['delivery']),
        ],
        'declaredValue' => new Decimal('180.50'),
        'codAmount' => 0,
        'currency' => 'SAR',
        'paymentMethod' => 'PREPAID',
        'pickupWindowStart' => gmdate('Y-m-d\TH:i:s\Z', time() + 86_400),
        'pickupWindowEnd' => gmdate('Y-m-d\TH:i:s\Z', time() + 97_200),
        'items' => [['description' => 'Coffee beans', 'quantity' => 2, 'weightKilograms' => new Decimal('1.05')]],
        'requirements' => [],
    ], "create-$orderNumber");
    echo "Created {$shipment['shipmentNumber']} ({$shipment['shipmentId']}).\n";

    $scenario = "/v2/external/sandbox/shipments/{$shipment['shipmentId']}/scenarios";
    $mirsal->call('POST', $scenario, ['name' => 'HAPPY_PATH', 'stepSeconds' => 1]);
    $state = '';
    while (!in_array($state, ['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'], true)) {
        sleep(1);
        $latest = $mirsal->call('GET', "/v2/external/shipments/{$shipment['shipmentId']}")['state'];
        if ($latest !== $state) {
            $state = $latest;
            echo "$state\n";
        }
    }
}

if (realpath($_SERVER['SCRIPT_FILENAME'] ?? '') === __FILE__) {
    $values = array_map(getenv(...), ['MIRSAL_URL', 'MIRSAL_CLIENT_ID', 'MIRSAL_CLIENT_SECRET']);
    if (in_array(false, $values, true)) {
        fwrite(STDERR, "Set MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET first.\n");
        exit(1);
    }
    firstShipment(new Mirsal(...$values));
}
