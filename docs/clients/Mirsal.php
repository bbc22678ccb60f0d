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

/** No answer came, so nobody knows whether the call was carried out. */
final class MirsalNoAnswer extends RuntimeException
{
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
        'IDEMPOTENCY_REQUEST_IN_PROGRESS',
        'ROUTING_PROVIDER_UNAVAILABLE',
        'STORAGE_PROVIDER_UNAVAILABLE',
    ];

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
     * Returns the parsed answer; decimals are strings. After a lost answer the call is repeated if that is safe: a GET, a
     * call with an idempotency key or with one version in $ifMatch, or one that the caller says is repeatable.
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
        ]);
        $data = $body === null ? '' : self::toJson($body);
        $isSafe = $method === 'GET' || $key !== null || ($ifMatch !== null && $ifMatch !== '*') || $repeatable;
        $send = fn () => $this->exchange(
            $method,
            $path,
            $data,
            $headers + ['Authorization' => 'Bearer ' . $this->accessToken()],
        );
        try {
            return self::repeat($send, $isSafe);
        } catch (MirsalRefusal $refusal) {
            if ($refusal->status !== 401) {
                throw $refusal;
            }
        }
        $this->token = null;
        return self::repeat($send, $isSafe);
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
            } catch (MirsalRefusal $refusal) {
                $isUnknown = in_array($refusal->status, [500, 502, 503, 504], true);
                $mayRepeat = in_array($refusal->problemCode, self::NOT_CARRIED_OUT, true) || ($isUnknown && $isSafe);
                $delay = max($delay, $refusal->retryAfter);
                $failure = $refusal;
            } catch (MirsalNoAnswer $failure) {
                $mayRepeat = $isSafe;
            }
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
            throw new MirsalNoAnswer("No answer from {$this->baseUrl}");
        }
        $text = stream_get_contents($stream);
        $facts = stream_get_meta_data($stream);
        fclose($stream);
        if ($text === false || $facts['timed_out']) {
            throw new MirsalNoAnswer("No whole answer from {$this->baseUrl}");
        }
        return self::answerOf($facts['wrapper_data'], $text);
    }

    private static function answerOf(array $lines, string $text): array
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
        try {
            $parsed = $text === '' ? [] : self::fromJson($text);
        } catch (JsonException | TypeError) {
            $parsed = null;
        }
        if ($status >= 200 && $status < 300) {
            // An answer that ends early is no answer.
            return $parsed ?? throw new MirsalNoAnswer('No whole answer');
        }
        $retryAfter = $headers['retry-after'] ?? '';
        $seconds = preg_match('/^[0-9]{1,9}$/D', $retryAfter) === 1 ? (int) $retryAfter : 0;
        throw new MirsalRefusal($status, $parsed ?? [], $headers['x-request-id'] ?? '', $seconds);
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
     * $secrets: one, or two during a rotation. $headers: any array of names. $body: file_get_contents('php://input').
     */
    public static function verifyWebhook(array $secrets, array $headers, string $body): array
    {
        $headers = array_change_key_case($headers);
        $timestamp = $headers['webhook-timestamp'] ?? '';
        $isNumber = preg_match('/^[0-9]{1,12}$/D', $timestamp) === 1;
        if (!$isNumber || abs(time() - (int) $timestamp) > self::WEBHOOK_TOLERANCE_SECONDS) {
            throw new UnexpectedValueException('The timestamp is too old or too new');
        }
        $content = ($headers['webhook-id'] ?? '') . ".$timestamp.$body";
        $signatures = explode(' ', $headers['webhook-signature'] ?? '');
        foreach ($secrets as $secret) {
            $key = base64_decode(substr($secret, strlen('whsec_')));
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $content, $key, true));
            foreach ($signatures as $given) {
                if (hash_equals($expected, $given)) {
                    return self::fromJson($body);
                }
            }
        }
        throw new UnexpectedValueException('No signature matches');
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
