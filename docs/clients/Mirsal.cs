// Calls the Mirsal shipment service. .NET 10 or newer, base class library only: copy this file into your project.
//
//     dotnet run Mirsal.cs    creates a first shipment in a sandbox and waits until it is delivered
//
// It needs MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET in the environment.
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

string Variable(string name) =>
    Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"Set {name} first.");

using var mirsal = new Mirsal(Variable("MIRSAL_URL"), Variable("MIRSAL_CLIENT_ID"), Variable("MIRSAL_CLIENT_SECRET"));
await FirstShipment.RunAsync(mirsal);

/// <summary>The service refused a call. Decide by Code, log RequestId.</summary>
public sealed class MirsalException(HttpStatusCode status, JsonObject problem, string? requestId, TimeSpan retryAfter)
    : Exception($"{(int)status} {problem["code"]}: {problem["detail"]} (request {requestId})")
{
    public HttpStatusCode Status { get; } = status;
    public JsonObject Problem { get; } = problem;
    public string Code { get; } = (string?)problem["code"] ?? "";
    public string? RequestId { get; } = requestId;
    public TimeSpan RetryAfter { get; } = retryAfter;
}

/// <summary>
/// The service did not answer, so the outcome is unknown. Proxies and captive portals answer too, often with 200. Make the
/// same call again later, with the same key.
/// </summary>
public sealed class MirsalNoAnswerException(string what, TimeSpan retryAfter, Exception? cause = null)
    : Exception($"{what}, so the outcome is unknown", cause)
{
    public TimeSpan RetryAfter { get; } = retryAfter;
}

/// <summary>
/// A connection for one OAuth client. Threads may share it. Answers are JsonObject: read amounts with
/// GetValue&lt;decimal&gt;(), which is exact to 28 digits, never with double. Send amounts as decimal.
/// </summary>
public sealed class Mirsal : IDisposable
{
    private const int Retries = 4;
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(30);
    /// <summary>A longer Retry-After goes to the caller as an error.</summary>
    private static readonly TimeSpan WaitMax = TimeSpan.FromMinutes(1);
    /// <summary>A token is renewed this long before its end, so that it does not end on the way.</summary>
    private static readonly TimeSpan TokenMargin = TimeSpan.FromMinutes(1);
    /// <summary>Nothing was done, so every call can be repeated.</summary>
    private static readonly HashSet<string> NotCarriedOut =
    [
        "RATE_LIMITED",
        "REQUEST_TIMEOUT",
        "IDEMPOTENCY_REQUEST_IN_PROGRESS",
        "ROUTING_PROVIDER_UNAVAILABLE",
        "STORAGE_PROVIDER_UNAVAILABLE",
    ];
    /// <summary>
    /// Required members of each operation's answer; 204 is an empty answer. The first row that fits counts. Answers of an
    /// operation without a row, such as a newer one, need X-Request-Id.
    /// </summary>
    private const string Shapes = """
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
""";
    /// <summary>Members that are no text.</summary>
    private static readonly Dictionary<string, JsonValueKind> Kinds = new()
    {
        ["data"] = JsonValueKind.Array,
        ["violations"] = JsonValueKind.Array,
        ["page"] = JsonValueKind.Object,
        ["metadata"] = JsonValueKind.Object,
        ["expires_in"] = JsonValueKind.Number,
    };

    private readonly HttpClient http;
    private readonly AuthenticationHeaderValue basic;
    private readonly SemaphoreSlim tokenLock = new(1);
    private string? token;
    private long tokenEnd;

    public Mirsal(string baseUrl, string clientId, string clientSecret)
    {
        // A redirect could send a secret to another address.
        var handler = new HttpClientHandler { AllowAutoRedirect = false };
        http = new HttpClient(handler) { BaseAddress = new Uri(baseUrl.TrimEnd('/') + "/"), Timeout = Timeout };
        var pair = Encoding.UTF8.GetBytes($"{clientId}:{clientSecret}");
        basic = new AuthenticationHeaderValue("Basic", Convert.ToBase64String(pair));
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
    /// one that the caller says is repeatable. Throws MirsalException for a refusal, and MirsalNoAnswerException if the
    /// outcome is unknown.
    /// </summary>
    public async Task<JsonObject> CallAsync(
        HttpMethod method, string path, JsonObject? body = null, string? key = null, string? ifMatch = null,
        bool repeatable = false)
    {
        var text = body?.ToJsonString();
        var isSafe = method == HttpMethod.Get || key is not null || ifMatch is not (null or "*") || repeatable;

        for (var isLast = false; ; isLast = true)
        {
            var authorization = new AuthenticationHeaderValue("Bearer", await AccessTokenAsync());
            try
            {
                return await RepeatAsync(async () =>
                {
                    using var request = new HttpRequestMessage(method, path.TrimStart('/'));
                    request.Headers.Authorization = authorization;
                    if (key is not null) request.Headers.TryAddWithoutValidation("Idempotency-Key", key);
                    if (ifMatch is not null) request.Headers.TryAddWithoutValidation("If-Match", ifMatch);
                    if (text is not null) request.Content = new StringContent(text, Encoding.UTF8, "application/json");
                    return await ExchangeAsync(request);
                }, isSafe);
            }
            catch (MirsalException refusal) when (refusal.Status == HttpStatusCode.Unauthorized && !isLast)
            {
                token = null;
            }
        }
    }

    private async Task<string> AccessTokenAsync()
    {
        await tokenLock.WaitAsync();
        try
        {
            if (token is { } current && Environment.TickCount64 < tokenEnd) return current;
            var answer = await RepeatAsync(async () =>
            {
                using var request = new HttpRequestMessage(HttpMethod.Post, "oauth/token");
                request.Headers.Authorization = basic;
                request.Content = new FormUrlEncodedContent([new("grant_type", "client_credentials")]);
                return await ExchangeAsync(request);
            }, true);
            var lifetime = TimeSpan.FromSeconds(answer["expires_in"]!.GetValue<int>()) - TokenMargin;
            tokenEnd = Environment.TickCount64 + (long)lifetime.TotalMilliseconds;
            return token = answer["access_token"]!.GetValue<string>();
        }
        finally
        {
            tokenLock.Release();
        }
    }

    private static async Task<JsonObject> RepeatAsync(Func<Task<JsonObject>> send, bool isSafe)
    {
        for (var attempt = 0; ; attempt++)
        {
            // Half of the delay is random, so that clients that failed together do not come back together.
            var delay = TimeSpan.FromSeconds(Math.Pow(2, attempt) * (0.5 + Random.Shared.NextDouble() / 2));
            try
            {
                return await send();
            }
            catch (MirsalException refusal)
            {
                var isUnknown = (int)refusal.Status is 408 or 500 or 502 or 503 or 504;
                var mayRepeat = NotCarriedOut.Contains(refusal.Code) || (isUnknown && isSafe);
                if (refusal.RetryAfter > delay) delay = refusal.RetryAfter;
                if (!mayRepeat || attempt == Retries || delay > WaitMax) throw;
            }
            catch (MirsalNoAnswerException failure)
            {
                if (failure.RetryAfter > delay) delay = failure.RetryAfter;
                if (!isSafe || attempt == Retries || delay > WaitMax) throw;
            }
            await Task.Delay(delay);
        }
    }

    private async Task<JsonObject> ExchangeAsync(HttpRequestMessage request)
    {
        var operation = $"{request.Method} /{request.RequestUri}";
        try
        {
            using var response = await http.SendAsync(request);
            return AnswerOf(operation, response, ObjectOf(await response.Content.ReadAsByteArrayAsync()));
        }
        catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException or IOException)
        {
            throw new MirsalNoAnswerException($"No answer to {operation}", TimeSpan.Zero, failure);
        }
    }

    private static JsonObject AnswerOf(string operation, HttpResponseMessage response, JsonObject? answer)
    {
        var requestId = response.Headers.TryGetValues("X-Request-Id", out var ids) ? ids.First() : null;
        if (IsSuccess(operation, response.StatusCode, answer, requestId)) return answer ?? new JsonObject();
        var retryAfter = response.Headers.RetryAfter?.Delta ?? TimeSpan.Zero;
        if ((int)response.StatusCode >= 400 && answer?["code"]?.GetValueKind() == JsonValueKind.String)
            throw new MirsalException(response.StatusCode, answer, requestId, retryAfter);
        var what = $"The response to {operation} with status {(int)response.StatusCode} is not from the service";
        throw new MirsalNoAnswerException(what, retryAfter);
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
