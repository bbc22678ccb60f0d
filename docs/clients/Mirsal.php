<?php

/*
 * Calls the Mirsal shipment service. PHP 8.1 or newer with its extension curl: copy this file into your project.
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

/**
 * A call failed. Decide by $outcome and $problemCode, log $requestId.
 *
 * $outcome: 'none', the service did nothing; 'unknown', it may have acted, so repeat the call later with the same key, or
 * read what it changes. $problemCode: the service's; NETWORK_FAILURE without a whole answer; or UNEXPECTED_RESPONSE if
 * something else answered, such as a captive portal, often with 200. $status: 0 without an answer.
 */
final class MirsalError extends RuntimeException
{
    public function __construct(
        private readonly string $what,
        public string $outcome,
        public readonly string $problemCode,
        public readonly int $status = 0,
        public readonly array $problem = [],
        public readonly string $requestId = '',
        public readonly ?int $retryAfterSeconds = null,
        public readonly bool $isFinal = false,
    ) {
        parent::__construct();
        $this->setOutcome($outcome);
    }

    public function setOutcome(string $outcome, string $reason = ''): void
    {
        $this->outcome = $outcome;
        $this->message = $this->what . $reason . ($outcome === 'unknown' ? ', so the outcome is unknown' : '');
    }
}

/**
 * Keeps tokens for all processes: in a folder, or in APCu if it is there. Another store overrides both methods. With Redis:
 * `json_decode($redis->get($name) ?: 'null', true)` and `$redis->set($name, json_encode($token), $token['end'] - time())`.
 */
class MirsalTokens
{
    public function __construct(private readonly ?string $folder = null)
    {
    }

    /** @return array{token: string, end: int}|null */
    public function get(string $name): ?array
    {
        if ($this->folder === null) {
            return (function_exists('apcu_fetch') ? apcu_fetch($name) : null) ?: null;
        }
        return json_decode((string) @file_get_contents("{$this->folder}/$name"), true);
    }

    public function put(string $name, array $token): void
    {
        if ($this->folder !== null) {
            // The new file has mode 0600, and no process reads half of it.
            $path = (string) tempnam($this->folder, $name);
            file_put_contents($path, json_encode($token));
            rename($path, "{$this->folder}/$name");
        } elseif (function_exists('apcu_store')) {
            apcu_store($name, $token, max(1, $token['end'] - time()));
        }
    }
}

/**
 * A connection for one OAuth client. $timeout is for one request, $totalSeconds for a call with its token, retries and
 * waits. $caFile has the certificates to trust instead of the system's.
 */
final class Mirsal
{
    /** Requests of one call, with those for its token. */
    private const ATTEMPTS = 4;
    private const CONNECT_SECONDS = 5;
    /** A longer Retry-After goes to the caller as an error. */
    private const WAIT_SECONDS_MAX = 60;
    /** A token is renewed this long before its end, so that it does not end on the way. */
    private const TOKEN_MARGIN_SECONDS = 60;
    private const WEBHOOK_TOLERANCE_SECONDS = 300;
    /** Statuses that pass, whoever answers: the service or a proxy before it. */
    private const PASSING = [
        ...[408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524],
        ...['NETWORK_FAILURE', 'UNEXPECTED_RESPONSE', 'IDEMPOTENCY_REQUEST_IN_PROGRESS'],
    ];
    /** Nothing was done, so every call can be repeated. */
    private const WITHOUT_EFFECT = [
        ...['REQUEST_TIMEOUT', 'IDEMPOTENCY_REQUEST_IN_PROGRESS'],
        ...['ROUTING_PROVIDER_UNAVAILABLE', 'ADDRESS_PROVIDER_UNAVAILABLE', 'STORAGE_PROVIDER_UNAVAILABLE'],
    ];
    /**
     * Required members of each operation's answer; 204 is an empty answer. The first row that fits counts. Answers of an
     * operation without a row, such as a newer one, need X-Request-Id.
     */
    private const SHAPES = <<<'ROWS'
POST /oauth/token access_token expires_in
DELETE .* 204
GET .*/(shipments|timeline|amendments|items|tracking-links|media-assets) data page
GET .*/(branches|pickup-locations|events|webhook-endpoints|webhook-deliveries|requests) data page
GET .*/statements/[^/]+ data page
GET .*/(cities|capabilities) data
POST .*/(shipments|amendments|amendment-previews|cancellations|resolutions|recalls|returns|dispatch-retries|dispatch-releases|scenarios) shipmentId
POST .*/rejections askedAt
POST .*/cases caseId
[A-Z]+ .*/cases/[^/]+(/messages|/decisions|/withdrawals)? caseId
POST .*/decisions amendmentId
GET .*/(shipments/[^/]+|cancellation-preview|resolution) shipmentId
GET .*/relations followUps
[A-Z]+ .*/shipment-batches(/[^/]+)? batchId
POST .*/shipment-validations violations
[A-Z]+ .*/tracking-links(/[^/]+)? linkId
[A-Z]+ .*/webhook-endpoints(/[^/]+)? endpointId
[A-Z]+ .*/webhook-deliveries/[^/]+(/replays)? deliveryId
[A-Z]+ .*/replays(/[^/]+)? replayId
POST .*/secret-rotations signingSecret
POST .*/test-events eventId
POST .*/(media-assets|proof-media) mediaAssetId
GET .*/proof sha256
POST .*/pin-resends resendsRemaining
[A-Z]+ .*/metadata metadata
POST .*/price-locks priceLock
POST .*/national-address-lookups shortAddress
[A-Z]+ .*/national-address policy
POST .*/address-suggestions data
[A-Z]+ .*/(shipment-price-estimates|charges) currency
[A-Z]+ .*/sandbox/(bootstrap|readiness|dispatch-hold|dispatch-settings|resets) branchCode
ROWS;

    private readonly string $tokenName;
    private ?array $token = null;
    private int $attempts = 0;
    private float $end = 0.0;

    public function __construct(
        private readonly string $baseUrl,
        private readonly string $clientId,
        #[SensitiveParameter] private readonly string $clientSecret,
        private readonly float $timeout = 30,
        private readonly float $totalSeconds = 60,
        private readonly ?string $caFile = null,
        private readonly MirsalTokens $tokens = new MirsalTokens(),
    ) {
        $this->tokenName = 'mirsal-' . substr(hash('sha256', "$baseUrl $clientId"), 0, 32);
    }

    /** Creates a shipment. Store the key with your order before the call, and use it again after any failure. */
    public function createShipment(array $order, string $key): array
    {
        return $this->call('POST', '/v2/external/shipments', $order, key: $key);
    }

    /**
     * Returns the parsed answer of an operation that answers JSON, or [] if it answers nothing; decimals are strings. After
     * a lost answer the call is repeated if that is safe: a GET, a call with an idempotency key or with one version in
     * $ifMatch, or one that the caller says is repeatable. Throws MirsalError.
     */
    public function call(
        string $method, string $path, ?array $body = null, ?string $key = null, ?string $ifMatch = null,
        bool $repeatable = false,
    ): array {
        $headers = array_filter([
            'Content-Type' => $body === null ? null : 'application/json',
            'Idempotency-Key' => $key,
            'If-Match' => $ifMatch,
        ], fn ($value) => $value !== null);
        // The root is a map, which PHP cannot tell from a list if it is empty. Further in, write `new stdClass()`.
        $data = $body === null ? '' : ($body === [] ? '{}' : self::toJson($body));
        $isOneVersion = preg_match('/^"[0-9]+"$/D', $ifMatch ?? '') === 1;
        $isSafe = $method === 'GET' || $key !== null || $isOneVersion || $repeatable;
        [$this->attempts, $this->end] = [self::ATTEMPTS, self::now() + $this->totalSeconds];
        [$refused, $last, $mayHaveActed, $retries] = [null, null, false, 0];
        while (true) {
            $token = null;
            try {
                $token = $this->accessToken($refused, $last);
                return $this->exchange($method, $path, $data, ['Authorization' => "Bearer $token"] + $headers, $last);
            } catch (MirsalError $failure) {
            }
            if ($mayHaveActed && $method !== 'GET' && $failure->outcome === 'none') {
                $failure->setOutcome('unknown', '; an earlier attempt may have done it: read the shipment');
            }
            $mayHaveActed = $mayHaveActed || $failure->outcome === 'unknown';
            // Half of the delay is random, so that clients that failed together do not come back together.
            $delay = max(2 ** $retries * (0.5 + random_int(0, 1000) / 2000), $failure->retryAfterSeconds ?? 0);
            if ($failure->status === 401 && $token !== null && $refused === null) {
                [$refused, $delay] = [$token, 0];
            } elseif (!self::mayRepeat($failure, $isSafe || $token === null)) {
                throw $failure;
            }
            if ($this->attempts === 0 || $delay > self::WAIT_SECONDS_MAX || self::now() + $delay >= $this->end) {
                throw $failure;
            }
            $last = $failure;
            $retries += $delay > 0 ? 1 : 0;
            usleep((int) ($delay * 1_000_000));
        }
    }

    private static function mayRepeat(MirsalError $failure, bool $isSafe): bool
    {
        $passes = in_array($failure->status, self::PASSING, true) || in_array($failure->problemCode, self::PASSING, true);
        $isHarmless = $failure->status === 429 || in_array($failure->problemCode, self::WITHOUT_EFFECT, true);
        return $passes && !$failure->isFinal && ($isSafe || $isHarmless);
    }

    /** A token other than the one that was refused. One process of this machine and user at a time asks for it. */
    private function accessToken(?string $refused, ?MirsalError $last): string
    {
        $isGood = fn (?array $token) => is_string($token['token'] ?? null) && $token['token'] !== $refused
            && ($token['end'] ?? 0) - self::TOKEN_MARGIN_SECONDS > time();
        if ($isGood($this->token)) {
            return $this->token['token'];
        }
        $lock = @fopen(sys_get_temp_dir() . "/{$this->tokenName}.lock", 'c');
        // A process that hangs must not stop the others for long.
        $until = min($this->end, self::now() + self::CONNECT_SECONDS);
        while ($lock !== false && !flock($lock, LOCK_EX | LOCK_NB) && self::now() < $until) {
            usleep(50_000);
        }
        try {
            $this->token = $this->stored(fn () => $this->tokens->get($this->tokenName));
            if (!$isGood($this->token)) {
                $headers = [
                    'Authorization' => 'Basic ' . base64_encode("{$this->clientId}:{$this->clientSecret}"),
                    'Content-Type' => 'application/x-www-form-urlencoded',
                ];
                $form = http_build_query(['grant_type' => 'client_credentials']);
                $answer = $this->exchange('POST', '/oauth/token', $form, $headers, $last);
                $this->token = ['token' => $answer['access_token'], 'end' => time() + $answer['expires_in']];
                $this->stored(fn () => $this->tokens->put($this->tokenName, $this->token));
            }
            return $this->token['token'];
        } catch (MirsalError $failure) {
            $failure->setOutcome('none');
            throw $failure;
        } finally {
            if ($lock !== false) {
                fclose($lock);
            }
        }
    }

    private function stored(callable $action): ?array
    {
        try {
            return $action();
        } catch (Throwable $failure) {
            // An order must not fail because the store of tokens does.
            error_log("A token could not be stored or read: {$failure->getMessage()}");
            return null;
        }
    }

    private function exchange(string $method, string $path, string $data, array $headers, ?MirsalError $last): array
    {
        $seconds = min($this->timeout, $this->end - self::now());
        if ($this->attempts === 0 || $seconds <= 0) {
            throw $last ?? new MirsalError('The time ended before a request was sent', 'none', 'NETWORK_FAILURE');
        }
        $this->attempts -= 1;
        $fields = [];
        $lines = array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers);
        $caFile = $this->caFile ?? (string) getenv('SSL_CERT_FILE');
        // Each request has its own connection: curl repeats a request by itself if a kept one was closed.
        $curl = curl_init();
        curl_setopt_array($curl, [
            CURLOPT_URL => rtrim($this->baseUrl, '/') . $path,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ceil($seconds * 1000),
            CURLOPT_CONNECTTIMEOUT_MS => (int) ceil(min(self::CONNECT_SECONDS, $seconds) * 1000),
            CURLOPT_NOSIGNAL => true,
            // Without Expect, which makes curl wait for an answer before it sends a long body.
            CURLOPT_HTTPHEADER => ['Expect:', ...$lines],
            CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$fields): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $fields[strtolower($name)][] = trim($value);
                return strlen($line);
            },
        ] + ($data === '' ? [] : [CURLOPT_POSTFIELDS => $data]) + ($caFile === '' ? [] : [CURLOPT_CAINFO => $caFile]));
        $text = curl_exec($curl);
        $number = curl_errno($curl);
        if (is_string($text) && $number === 0) {
            return self::answerOf("$method $path", (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $fields, $text);
        }
        // A name that is not found, and a certificate that is not trusted, stay so.
        $isFinal = in_array($number, [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, 60, 77], true);
        $outcome = curl_getinfo($curl, CURLINFO_PRETRANSFER_TIME) > 0 ? 'unknown' : 'none';
        $what = "No whole answer to $method $path (" . curl_error($curl) . ')';
        throw new MirsalError($what, $outcome, 'NETWORK_FAILURE', isFinal: $isFinal);
    }

    private static function answerOf(string $operation, int $status, array $fields, string $text): array
    {
        try {
            $parsed = str_starts_with(ltrim($text), '{') ? self::fromJson($text) : null;
        } catch (JsonException) {
            $parsed = null;
        }
        $requestId = $fields['x-request-id'][0] ?? '';
        if (self::isSuccess($operation, $status, $parsed, $requestId !== '')) {
            return $parsed ?? [];
        }
        $wait = self::retryAfterSeconds(implode(', ', $fields['retry-after'] ?? []), microtime(true));
        $code = $parsed['code'] ?? null;
        if ($status >= 400 && is_string($code)) {
            $isRunning = $code === 'IDEMPOTENCY_REQUEST_IN_PROGRESS';
            $mayHaveActed = $isRunning || ($status >= 500 && !in_array($code, self::WITHOUT_EFFECT, true));
            $outcome = $mayHaveActed ? 'unknown' : 'none';
            $detail = is_string($parsed['detail'] ?? null) ? $parsed['detail'] : '';
            $what = "$status $code: $detail (request $requestId)";
            throw new MirsalError($what, $outcome, $code, $status, $parsed, $requestId, $wait);
        }
        $what = "The response to $operation with status $status is not from the service";
        $outcome = $status === 429 ? 'none' : 'unknown';
        throw new MirsalError($what, $outcome, 'UNEXPECTED_RESPONSE', $status, [], $requestId, $wait);
    }

    /**
     * The seconds of a Retry-After header, rounded up, or null if it has none of its forms (RFC 9110 section 10.2.3). Of
     * numbers that a proxy joined the largest counts.
     */
    public static function retryAfterSeconds(string $text, float $now): ?int
    {
        $text = trim($text, " \t");
        if (preg_match('/^[0-9]{1,9}(\.[0-9]+)?([ \t]*,[ \t]*[0-9]{1,9}(\.[0-9]+)?)*$/D', $text) === 1) {
            // The whole part, and 1 if the fraction has a digit other than 0.
            $roundUp = fn (string $part) => (int) $part + preg_match('/\..*[1-9]/', $part);
            return max(array_map($roundUp, preg_split('/[ \t]*,[ \t]*/', $text)));
        }
        $form = 'D, d M Y H:i:s \G\M\T';
        $date = DateTimeImmutable::createFromFormat("!$form", $text, new DateTimeZone('UTC'));
        return $date && $date->format($form) === $text ? max(0, (int) ceil($date->getTimestamp() - $now)) : null;
    }

    private static function isSuccess(string $operation, int $status, ?array $parsed, bool $isOurs): bool
    {
        foreach (explode("\n", self::SHAPES) as $row) {
            [$method, $path, $names] = explode(' ', $row, 3);
            $members = explode(' ', $names);
            if (preg_match("~^$method $path$~D", explode('?', $operation)[0]) === 1) {
                break;
            }
            $members = null;
        }
        if ($members === ['204']) {
            return $status === 204;
        }
        $isRight = fn (string $name, mixed $value) => match ($name) {
            'data', 'followUps', 'violations', 'page', 'metadata' => is_array($value),
            'expires_in', 'resendsRemaining' => is_int($value),
            default => is_string($value) && $value !== '',
        };
        $wrong = array_filter($members ?? [], fn ($name) => !$isRight($name, $parsed[$name] ?? null));
        return $parsed !== null && in_array($status, [200, 201, 202], true) && $wrong === [] && ($members !== null || $isOurs);
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
    [$pickup, $delivery] = [$point($sandbox['pickup']), $point($sandbox['delivery'])];
    $city = $sandbox['destinationCityCode'];
    $places = ['pickup' => $pickup, 'delivery' => $delivery, 'destinationCityCode' => $city];
    $price = $mirsal->call('POST', '/v2/external/shipment-price-estimates', $places, repeatable: true);
    echo "The delivery costs {$price['totalAmount']} {$price['currency']} with VAT.\n";

    $orderNumber = 'order-' . bin2hex(random_bytes(12));
    $shipment = $mirsal->createShipment([
        'externalReference' => $orderNumber,
        'branchCode' => $sandbox['branchCode'],
        'pickupLocationCode' => $sandbox['pickupLocationCode'],
        'recipient' => ['name' => 'Sara Al-Harbi', 'phone' => '0512345678'],
        'destination' => ['addressLine' => '2929 King Fahd Road', 'cityCode' => $city, ...$delivery],
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

    $path = "/v2/external/shipments/{$shipment['shipmentId']}";
    $scenario = "/v2/external/sandbox/shipments/{$shipment['shipmentId']}/scenarios";
    $mirsal->call('POST', $scenario, ['name' => 'HAPPY_PATH', 'stepSeconds' => 1]);
    for ($state = ''; !in_array($state, ['DELIVERED', 'DELIVERY_FAILED', 'CANCELLED'], true); $state = $latest) {
        sleep(1);
        $latest = $mirsal->call('GET', $path)['state'];
        echo $latest === $state ? '' : "$latest\n";
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
