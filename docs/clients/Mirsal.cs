// Calls the Mirsal shipment service. .NET 10 or newer, base class library only: copy this file into your project.
//
//     dotnet run Mirsal.cs    creates a first shipment in a sandbox and waits until it is delivered
//
// It needs MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET in the environment.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

string Variable(string name) =>
    Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"Set {name} first.");

using var mirsal = new Mirsal(Variable("MIRSAL_URL"), Variable("MIRSAL_CLIENT_ID"), Variable("MIRSAL_CLIENT_SECRET"));
await FirstShipment.RunAsync(mirsal);

/// <summary>A call failed. Decide by Outcome and Code, log RequestId.</summary>
public sealed class MirsalException(string what, string outcome, string code, Exception? cause = null)
    : Exception(what, cause)
{
    /// <summary>
    /// none: the service did nothing. unknown: it may have acted, so repeat the call later with the same key, or read what
    /// it changes.
    /// </summary>
    public string Outcome { get; internal set; } = outcome;
    /// <summary>
    /// The service's; NETWORK_FAILURE without a whole answer; or UNEXPECTED_RESPONSE if something else answered, such as a
    /// captive portal, often with 200.
    /// </summary>
    public string Code { get; } = code;
    /// <summary>0 without an answer.</summary>
    public HttpStatusCode Status { get; init; }
    public JsonObject Problem { get; init; } = new();
    public string? RequestId { get; init; }
    /// <summary>null if the answer does not say.</summary>
    public long? RetryAfterSeconds { get; init; }
    internal bool IsFinal { get; init; }
    internal bool IsAfterAnother { get; set; }

    public override string Message =>
        base.Message + (IsAfterAnother ? "; an earlier attempt may have done it: read the shipment" : "")
        + (Outcome == "unknown" ? ", so the outcome is unknown" : "");
}

/// <summary>An access token with the time of its end in Unix seconds.</summary>
public sealed record Token(string Value, long End);

/// <summary>
/// Keeps tokens for all processes. With Redis, Get reads both values of StringGet(name), and Put is
/// StringSet(name, text, DateTimeOffset.FromUnixTimeSeconds(token.End) - DateTimeOffset.UtcNow).
/// </summary>
public interface ITokens
{
    Token? Get(string name);
    void Put(string name, Token token);
}

/// <summary>Keeps tokens in files that only this user can read.</summary>
public sealed class TokenFolder(string folder) : ITokens
{
    public Token? Get(string name)
    {
        var path = Path.Combine(folder, name);
        if (!File.Exists(path)) return null;
        var token = JsonNode.Parse(File.ReadAllText(path))!;
        return new Token((string)token["token"]!, (long)token["end"]!);
    }

    public void Put(string name, Token token)
    {
        // No process reads half of the new file.
        var path = Path.Combine(folder, Path.GetRandomFileName());
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        using (var file = new StreamWriter(path, options))
            file.Write(new JsonObject { ["token"] = token.Value, ["end"] = token.End }.ToJsonString());
        File.Move(path, Path.Combine(folder, name), overwrite: true);
    }
}

/// <summary>
/// A connection for one OAuth client. Threads may share it. Answers are JsonObject: read amounts with
/// GetValue&lt;decimal&gt;(), which is exact to 28 digits, never with double. Send amounts as decimal.
/// </summary>
public sealed class Mirsal : IDisposable
{
    /// <summary>Requests of one call, with those for its token.</summary>
    private const int AttemptsMax = 4;
    /// <summary>A longer Retry-After goes to the caller as an error.</summary>
    private static readonly TimeSpan WaitMax = TimeSpan.FromMinutes(1);
    /// <summary>A token is renewed this long before its end, so that it does not end on the way.</summary>
    private const int TokenMarginSeconds = 60;
    /// <summary>Codes that pass. So do the statuses of Passes, whether the service answers or a proxy before it.</summary>
    private static readonly HashSet<string> Passing =
        ["NETWORK_FAILURE", "UNEXPECTED_RESPONSE", "IDEMPOTENCY_REQUEST_IN_PROGRESS"];
    /// <summary>Nothing was done, so every call can be repeated.</summary>
    private static readonly HashSet<string> WithoutEffect =
    [
        "REQUEST_TIMEOUT", "IDEMPOTENCY_REQUEST_IN_PROGRESS",
        "ROUTING_PROVIDER_UNAVAILABLE", "ADDRESS_PROVIDER_UNAVAILABLE", "STORAGE_PROVIDER_UNAVAILABLE",
    ];
    /// <summary>
    /// Required members of each operation's answer; 204 is an empty answer. The first row that fits counts. Answers of an
    /// operation without a row, such as a newer one, need X-Request-Id.
    /// </summary>
    private const string Shapes = """
POST /oauth/token access_token expires_in
DELETE .* 204
GET .*/(shipments|timeline|amendments|items|tracking-links|media-assets) data page
GET .*/(branches|pickup-locations|events|webhook-endpoints|webhook-deliveries|requests) data page
GET .*/statements/[^/]+ data page
GET .*/(cities|capabilities) data
POST .*/(shipments|amendments|amendment-previews|cancellations|resolutions|recalls|returns|dispatch-retries|dispatch-releases|scenarios) shipmentId
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
""";
    /// <summary>Members that are no text.</summary>
    private static readonly Dictionary<string, JsonValueKind> Kinds = new()
    {
        ["data"] = JsonValueKind.Array,
        ["followUps"] = JsonValueKind.Array,
        ["violations"] = JsonValueKind.Array,
        ["resendsRemaining"] = JsonValueKind.Number,
        ["page"] = JsonValueKind.Object,
        ["metadata"] = JsonValueKind.Object,
        ["expires_in"] = JsonValueKind.Number,
    };

    private readonly HttpClient http;
    private readonly AuthenticationHeaderValue basic;
    private readonly SemaphoreSlim tokenLock = new(1);
    private readonly TimeSpan timeout, total;
    private readonly ITokens? tokens;
    private readonly string tokenName;
    private Token? token;

    /// <summary>
    /// timeout is for one request, 30 seconds by default; total for a call with its token, retries and waits, one minute by
    /// default. caFile has the certificates to trust instead of the system's.
    /// </summary>
    public Mirsal(
        string baseUrl, string clientId, string clientSecret, TimeSpan? timeout = null, TimeSpan? total = null,
        string? caFile = null, ITokens? tokens = null)
    {
        (this.timeout, this.total) = (timeout ?? TimeSpan.FromSeconds(30), total ?? TimeSpan.FromMinutes(1));
        // A redirect could send a secret to another address.
        var handler = new SocketsHttpHandler { AllowAutoRedirect = false, ConnectTimeout = TimeSpan.FromSeconds(5) };
        if (caFile is not null)
        {
            var policy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
            };
            policy.CustomTrustStore.ImportFromPemFile(caFile);
            handler.SslOptions.CertificateChainPolicy = policy;
        }
        http = new HttpClient(handler)
        {
            BaseAddress = new Uri(baseUrl.TrimEnd('/') + "/"),
            Timeout = System.Threading.Timeout.InfiniteTimeSpan,
        };
        var pair = Encoding.UTF8.GetBytes($"{clientId}:{clientSecret}");
        basic = new AuthenticationHeaderValue("Basic", Convert.ToBase64String(pair));
        var hash = Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes($"{baseUrl} {clientId}")));
        (this.tokens, tokenName) = (tokens, $"mirsal-{hash[..32].ToLowerInvariant()}");
    }

    public void Dispose() => http.Dispose();

    /// <summary>
    /// Creates a shipment. Store the key with your order before the call, and use it again after any failure.
    /// </summary>
    public Task<JsonObject> CreateShipmentAsync(JsonObject order, string key) =>
        CallAsync(HttpMethod.Post, "/v2/external/shipments", order, key: key);

    /// <summary>
    /// Returns the parsed answer of an operation that answers JSON, or an empty object if it answers nothing. After a lost
    /// answer the call is repeated if that is safe: a GET, a call with an idempotency key or with one version in ifMatch, or
    /// one that the caller says is repeatable. Throws MirsalException.
    /// </summary>
    public async Task<JsonObject> CallAsync(
        HttpMethod method, string path, JsonObject? body = null, string? key = null, string? ifMatch = null,
        bool repeatable = false)
    {
        var text = body?.ToJsonString();
        var isOneVersion = Regex.IsMatch(ifMatch ?? "", "^\"[0-9]+\"\\z");
        var isSafe = method == HttpMethod.Get || key is not null || isOneVersion || repeatable;
        var budget = new Budget(total);
        string? refused = null;
        var (mayHaveActed, retries) = (false, 0);
        while (true)
        {
            string? current = null;
            TimeSpan delay;
            try
            {
                current = await AccessTokenAsync(refused, budget);
                using var request = new HttpRequestMessage(method, path.TrimStart('/'));
                request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", current);
                if (key is not null) request.Headers.TryAddWithoutValidation("Idempotency-Key", key);
                if (ifMatch is not null) request.Headers.TryAddWithoutValidation("If-Match", ifMatch);
                if (text is not null) request.Content = new StringContent(text, Encoding.UTF8, "application/json");
                return await ExchangeAsync(request, budget);
            }
            catch (MirsalException failure)
            {
                if (mayHaveActed && method != HttpMethod.Get && failure.Outcome == "none")
                    (failure.Outcome, failure.IsAfterAnother) = ("unknown", true);
                mayHaveActed |= failure.Outcome == "unknown";
                // Half of the delay is random, so that clients that failed together do not come back together.
                var backoff = Math.Pow(2, retries) * (0.5 + Random.Shared.NextDouble() / 2);
                delay = TimeSpan.FromSeconds(Math.Max(backoff, failure.RetryAfterSeconds ?? 0));
                if (failure.Status == HttpStatusCode.Unauthorized && current is not null && refused is null)
                    (refused, delay) = (current, TimeSpan.Zero);
                else if (!Passes(failure) || !(isSafe || current is null || IsHarmless(failure)))
                    throw;
                if (budget.Attempts == 0 || delay > WaitMax || delay >= budget.Left) throw;
                budget.Failure = failure;
                if (delay > TimeSpan.Zero) retries++;
            }
            await Task.Delay(delay);
        }
    }

    private static bool Passes(MirsalException failure) =>
        !failure.IsFinal
        && ((int)failure.Status is 408 or 429 or 500 or 502 or 503 or 504 or (>= 520 and <= 524)
            || Passing.Contains(failure.Code));

    private static bool IsHarmless(MirsalException failure) =>
        failure.Status == HttpStatusCode.TooManyRequests || WithoutEffect.Contains(failure.Code);

    /// <summary>The requests and the time that a call has left, and its last failure.</summary>
    private sealed class Budget(TimeSpan total)
    {
        private readonly Stopwatch watch = Stopwatch.StartNew();
        public int Attempts { get; set; } = AttemptsMax;
        public MirsalException? Failure { get; set; }
        public TimeSpan Left => watch.Elapsed < total ? total - watch.Elapsed : TimeSpan.Zero;
    }

    /// <summary>A token other than the one that was refused. One task at a time asks for it.</summary>
    private async Task<string> AccessTokenAsync(string? refused, Budget budget)
    {
        if (!await tokenLock.WaitAsync(budget.Left))
            throw new MirsalException("Another task's request for a token took too long", "none", "NETWORK_FAILURE");
        try
        {
            var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
            bool IsGood() => token is { } it && it.Value != refused && it.End - TokenMarginSeconds > now;
            if (!IsGood()) token = Stored(() => tokens?.Get(tokenName));
            if (IsGood()) return token!.Value;
            using var request = new HttpRequestMessage(HttpMethod.Post, "oauth/token");
            request.Headers.Authorization = basic;
            request.Content = new FormUrlEncodedContent([new("grant_type", "client_credentials")]);
            var answer = await ExchangeAsync(request, budget);
            var current = new Token(answer["access_token"]!.GetValue<string>(), now + answer["expires_in"]!.GetValue<int>());
            token = current;
            Stored(() =>
            {
                tokens?.Put(tokenName, current);
                return null;
            });
            return current.Value;
        }
        catch (MirsalException failure)
        {
            failure.Outcome = "none";
            throw;
        }
        finally
        {
            tokenLock.Release();
        }
    }

    private static Token? Stored(Func<Token?> action)
    {
        try
        {
            return action();
        }
        catch (Exception failure)
        {
            // An order must not fail because the store of tokens does.
            Trace.TraceWarning($"A token could not be stored or read: {failure.Message}");
            return null;
        }
    }

    private async Task<JsonObject> ExchangeAsync(HttpRequestMessage request, Budget budget)
    {
        var seconds = budget.Left < timeout ? budget.Left : timeout;
        if (budget.Attempts == 0 || seconds == TimeSpan.Zero)
            throw budget.Failure
                ?? new MirsalException("The time ended before a request was sent", "none", "NETWORK_FAILURE");
        budget.Attempts--;
        var operation = $"{request.Method} /{request.RequestUri}";
        using var end = new CancellationTokenSource(seconds);
        try
        {
            // With its body, so that the time is for all of the answer.
            using var response = await http.SendAsync(request, HttpCompletionOption.ResponseContentRead, end.Token);
            return AnswerOf(operation, response, ObjectOf(await response.Content.ReadAsByteArrayAsync(end.Token)));
        }
        catch (Exception failure) when (failure is HttpRequestException or OperationCanceledException or IOException)
        {
            var error = (failure as HttpRequestException)?.HttpRequestError;
            var isUnsent = error is HttpRequestError.NameResolutionError or HttpRequestError.ConnectionError
                    or HttpRequestError.SecureConnectionError or HttpRequestError.ProxyTunnelError
                || (failure is OperationCanceledException && !end.IsCancellationRequested);
            var what = $"No whole answer to {operation} ({failure.Message})";
            throw new MirsalException(what, isUnsent ? "none" : "unknown", "NETWORK_FAILURE", failure)
            {
                // A name that is not found, and a certificate that is not trusted, stay so.
                IsFinal = error is HttpRequestError.NameResolutionError || failure.InnerException is AuthenticationException,
            };
        }
    }

    private static JsonObject AnswerOf(string operation, HttpResponseMessage response, JsonObject? answer)
    {
        var requestId = response.Headers.TryGetValues("X-Request-Id", out var ids) ? ids.First() : null;
        if (IsSuccess(operation, response.StatusCode, answer, requestId)) return answer ?? new JsonObject();
        var status = (int)response.StatusCode;
        var lines = response.Headers.NonValidated.TryGetValues("Retry-After", out var values) ? string.Join(", ", values) : "";
        var retryAfter = RetryAfterSeconds(lines, DateTimeOffset.UtcNow);
        if (status >= 400 && answer?["code"] is JsonValue value && value.GetValueKind() == JsonValueKind.String)
        {
            var code = value.GetValue<string>();
            var isRunning = code == "IDEMPOTENCY_REQUEST_IN_PROGRESS";
            var outcome = isRunning || (status >= 500 && !WithoutEffect.Contains(code)) ? "unknown" : "none";
            throw new MirsalException($"{status} {code}: {answer["detail"]} (request {requestId})", outcome, code)
            {
                Status = response.StatusCode, Problem = answer, RequestId = requestId, RetryAfterSeconds = retryAfter,
            };
        }
        var what = $"The response to {operation} with status {status} is not from the service";
        throw new MirsalException(what, status == 429 ? "none" : "unknown", "UNEXPECTED_RESPONSE")
        {
            Status = response.StatusCode, RequestId = requestId, RetryAfterSeconds = retryAfter,
        };
    }

    /// <summary>
    /// The seconds of a Retry-After header, rounded up, or null if it has none of its forms (RFC 9110 section 10.2.3). Of
    /// numbers that a proxy joined the largest counts.
    /// </summary>
    public static long? RetryAfterSeconds(string text, DateTimeOffset now)
    {
        text = text.Trim(' ', '\t');
        const DateTimeStyles utc = DateTimeStyles.AssumeUniversal;
        if (DateTimeOffset.TryParseExact(text, "r", CultureInfo.InvariantCulture, utc, out var date)
            && date.ToString("r", CultureInfo.InvariantCulture) == text)
            return Math.Max(0, (long)Math.Ceiling((date - now).TotalSeconds));
        var longest = 0L;
        foreach (var part in text.Split(','))
        {
            var found = Regex.Match(part, @"^[ \t]*([0-9]{1,9})(\.[0-9]+)?[ \t]*\z");
            if (!found.Success) return null;
            var whole = long.Parse(found.Groups[1].Value, CultureInfo.InvariantCulture);
            longest = Math.Max(longest, found.Groups[2].Value.Trim('.', '0') == "" ? whole : whole + 1);
        }
        return longest;
    }

    private static bool IsSuccess(string operation, HttpStatusCode status, JsonObject? answer, string? requestId)
    {
        var name = operation.Split('?')[0];
        var row = Shapes.ReplaceLineEndings("\n").Split('\n')
            .Select(line => line.Split(' '))
            .FirstOrDefault(words => Regex.IsMatch(name, $"^{words[0]} {words[1]}$"));
        if (row is [.., "204"]) return status == HttpStatusCode.NoContent;
        if ((int)status is not (200 or 201 or 202) || answer is null) return false;
        if (row is null) return requestId is not null;
        return row.Skip(2).All(member =>
            answer[member] is { } value
            && value.GetValueKind() == Kinds.GetValueOrDefault(member, JsonValueKind.String)
            && value.ToString() != "");
    }

    private static JsonObject? ObjectOf(byte[] text)
    {
        try
        {
            var answer = JsonNode.Parse(text) as JsonObject;
            // The members are read only when they are needed. One that stands twice is an error then.
            return answer?.Count > 0 ? answer : null;
        }
        catch (Exception failure) when (failure is JsonException or ArgumentException)
        {
            return null;
        }
    }
}

public static class Webhook
{
    private const long ToleranceSeconds = 300;

    /// <summary>
    /// Returns the event of a webhook request, or throws CryptographicException. secrets: one, or two during a rotation;
    /// null is absent, an empty one is an error. headers: Request.Headers of ASP.NET, or names in any case with a value or
    /// several. body: the bytes exactly as they came.
    /// </summary>
    public static JsonObject Verify<TValue>(
        IEnumerable<string?> secrets, IEnumerable<KeyValuePair<string, TValue>> headers, byte[] body)
    {
        var keys = secrets.OfType<string>().Select(KeyOf).ToList();
        if (keys.Count == 0) throw new CryptographicException("There is no signing secret");
        var given = headers.ToList();
        var (id, timestamp) = (Only(given, "webhook-id"), Only(given, "webhook-timestamp"));
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)
            || timestamp.Length > 12 || Math.Abs(now - seconds) > ToleranceSeconds)
            throw new CryptographicException("The timestamp is too old or too new");
        byte[] content = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
        var signatures = Only(given, "webhook-signature").Split(' ');
        foreach (var key in keys)
        {
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, content)));
            foreach (var signature in signatures)
                if (CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(signature), expected))
                    return JsonNode.Parse(body)!.AsObject();
        }
        throw new CryptographicException("No signature matches");
    }

    /// <summary>The bytes of a signing secret. With an empty key anybody could sign.</summary>
    private static byte[] KeyOf(string secret)
    {
        var key = new byte[secret.Length];
        var length = 0;
        if (secret.StartsWith("whsec_", StringComparison.Ordinal))
            Convert.TryFromBase64String(secret["whsec_".Length..], key, out length);
        if (length < 24 || secret != "whsec_" + Convert.ToBase64String(key, 0, length))
            throw new CryptographicException("A signing secret starts with whsec_ and has at least 24 bytes in base64");
        return key[..length];
    }

    /// <summary>
    /// The header's only line. A proxy joins two lines with a comma and a space, which no value of ours has.
    /// </summary>
    private static string Only<TValue>(IEnumerable<KeyValuePair<string, TValue>> headers, string name)
    {
        var lines = headers
            .Where(header => header.Key.Equals(name, StringComparison.OrdinalIgnoreCase))
            .SelectMany(header => header.Value as IEnumerable<string?> ?? [header.Value as string])
            .ToList();
        if (lines is not [{ } line] || line.Contains(", "))
            throw new CryptographicException($"The request does not have one {name}");
        return line;
    }
}

public static class FirstShipment
{
    /// <summary>From nothing to a delivered shipment in a sandbox.</summary>
    public static async Task RunAsync(Mirsal mirsal)
    {
        var sandbox = await mirsal.CallAsync(HttpMethod.Post, "/v2/external/sandbox/bootstrap", repeatable: true);
        while (!sandbox["canCreateShipment"]!.GetValue<bool>())
        {
            await Task.Delay(1000);
            sandbox = await mirsal.CallAsync(HttpMethod.Get, "/v2/external/sandbox/readiness");
        }
        var price = await mirsal.CallAsync(HttpMethod.Post, "/v2/external/shipment-price-estimates", new JsonObject
        {
            ["pickup"] = sandbox["pickup"]!.DeepClone(),
            ["delivery"] = sandbox["delivery"]!.DeepClone(),
            ["destinationCityCode"] = sandbox["destinationCityCode"]!.DeepClone(),
        }, repeatable: true);
        Console.WriteLine($"The delivery costs {price["totalAmount"]} {price["currency"]} with VAT.");

        var orderNumber = $"order-{Guid.NewGuid()}";
        var tomorrow = DateTime.UtcNow.AddDays(1);
        string Instant(DateTime time) => time.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);
        var shipment = await mirsal.CreateShipmentAsync(new JsonObject
        {
            ["externalReference"] = orderNumber,
            ["branchCode"] = sandbox["branchCode"]!.DeepClone(),
            ["pickupLocationCode"] = sandbox["pickupLocationCode"]!.DeepClone(),
            ["recipient"] = new JsonObject { ["name"] = "Sara Al-Harbi", ["phone"] = "0512345678" },
            ["destination"] = new JsonObject
            {
                ["addressLine"] = "2929 King Fahd Road",
                ["cityCode"] = sandbox["destinationCityCode"]!.DeepClone(),
                ["latitude"] = sandbox["delivery"]!["latitude"]!.DeepClone(),
                ["longitude"] = sandbox["delivery"]!["longitude"]!.DeepClone(),
            },
            ["declaredValue"] = 180.50m,
            ["codAmount"] = 0m,
            ["currency"] = "SAR",
            ["paymentMethod"] = "PREPAID",
            ["pickupWindowStart"] = Instant(tomorrow),
            ["pickupWindowEnd"] = Instant(tomorrow.AddHours(3)),
            ["items"] = new JsonArray(new JsonObject
            {
                ["description"] = "Coffee beans",
                ["quantity"] = 2,
                ["weightKilograms"] = 1.05m,
            }),
            ["requirements"] = new JsonArray(),
        }, $"create-{orderNumber}");
        Console.WriteLine($"Created {shipment["shipmentNumber"]} ({shipment["shipmentId"]}).");

        var path = $"/v2/external/shipments/{shipment["shipmentId"]}";
        var scenario = new JsonObject { ["name"] = "HAPPY_PATH", ["stepSeconds"] = 1 };
        await mirsal.CallAsync(
            HttpMethod.Post, $"/v2/external/sandbox/shipments/{shipment["shipmentId"]}/scenarios", scenario);
        var state = "";
        while (state is not ("DELIVERED" or "DELIVERY_FAILED" or "CANCELLED"))
        {
            await Task.Delay(1000);
            var latest = (await mirsal.CallAsync(HttpMethod.Get, path))["state"]!.GetValue<string>();
            if (latest == state) continue;
            state = latest;
            Console.WriteLine(state);
        }
    }
}
