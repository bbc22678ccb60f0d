// Calls the Mirsal shipment service. .NET 8 or newer, base class library only: copy this file into your project.
//
//     dotnet run Mirsal.cs    (.NET 10; before that, in a console project) creates a first shipment in a sandbox and waits
//                             until it is delivered
//
// It needs MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET in the environment.
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;

string Variable(string name) =>
    Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"Set {name} first.");

using var mirsal = new Mirsal(Variable("MIRSAL_URL"), Variable("MIRSAL_CLIENT_ID"), Variable("MIRSAL_CLIENT_SECRET"));
await FirstShipment.RunAsync(mirsal);

/// <summary>The service refused a call. Decide by Code, log RequestId.</summary>
public sealed class MirsalException(HttpStatusCode status, JsonObject? problem, string? requestId, TimeSpan retryAfter)
    : Exception($"{(int)status} {problem?["code"]}: {problem?["detail"]} (request {requestId})")
{
    public HttpStatusCode Status { get; } = status;
    public JsonObject? Problem { get; } = problem;
    public string Code { get; } = (string?)problem?["code"] ?? "";
    public string? RequestId { get; } = requestId;
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
        "IDEMPOTENCY_REQUEST_IN_PROGRESS",
        "ROUTING_PROVIDER_UNAVAILABLE",
        "STORAGE_PROVIDER_UNAVAILABLE",
    ];

    private readonly HttpClient http;
    private readonly AuthenticationHeaderValue basic;
    private readonly SemaphoreSlim tokenLock = new(1);
    private string? token;
    private long tokenEnd;

    public Mirsal(string baseUrl, string clientId, string clientSecret)
    {
        // A redirect could send a secret to another address.
        var handler = new HttpClientHandler { AllowAutoRedirect = false };
        http = new HttpClient(handler) { BaseAddress = new Uri(baseUrl), Timeout = Timeout };
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
    /// Returns the parsed answer. After a lost answer the call is repeated if that is safe: a GET, a call with an
    /// idempotency key or with one version in ifMatch, or one that the caller says is repeatable.
    /// </summary>
    public async Task<JsonObject> CallAsync(
        HttpMethod method, string path, JsonObject? body = null, string? key = null, string? ifMatch = null,
        bool repeatable = false)
    {
        var text = body?.ToJsonString();
        var isSafe = method == HttpMethod.Get || key is not null || ifMatch is not (null or "*") || repeatable;

        async Task<JsonObject> SendAsync()
        {
            using var request = new HttpRequestMessage(method, path);
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", await AccessTokenAsync());
            if (key is not null) request.Headers.TryAddWithoutValidation("Idempotency-Key", key);
            if (ifMatch is not null) request.Headers.TryAddWithoutValidation("If-Match", ifMatch);
            if (text is not null) request.Content = new StringContent(text, Encoding.UTF8, "application/json");
            return await ExchangeAsync(request);
        }

        try
        {
            return await RepeatAsync(SendAsync, isSafe);
        }
        catch (MirsalException refusal) when (refusal.Status == HttpStatusCode.Unauthorized)
        {
            token = null;
        }
        return await RepeatAsync(SendAsync, isSafe);
    }

    private async Task<string> AccessTokenAsync()
    {
        await tokenLock.WaitAsync();
        try
        {
            if (token is { } current && Environment.TickCount64 < tokenEnd) return current;
            var answer = await RepeatAsync(async () =>
            {
                using var request = new HttpRequestMessage(HttpMethod.Post, "/oauth/token");
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
                var isUnknown = (int)refusal.Status is 500 or 502 or 503 or 504;
                var mayRepeat = NotCarriedOut.Contains(refusal.Code) || (isUnknown && isSafe);
                if (refusal.RetryAfter > delay) delay = refusal.RetryAfter;
                if (!mayRepeat || attempt == Retries || delay > WaitMax) throw;
            }
            catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException or IOException)
            {
                // No answer: nobody knows whether the call was carried out.
                if (!isSafe || attempt == Retries) throw;
            }
            await Task.Delay(delay);
        }
    }

    private async Task<JsonObject> ExchangeAsync(HttpRequestMessage request)
    {
        using var response = await http.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        if (response.IsSuccessStatusCode) return text == "" ? new JsonObject() : JsonNode.Parse(text)!.AsObject();
        var requestId = response.Headers.TryGetValues("X-Request-Id", out var ids) ? ids.First() : null;
        var retryAfter = response.Headers.RetryAfter?.Delta ?? TimeSpan.Zero;
        throw new MirsalException(response.StatusCode, ProblemOf(text), requestId, retryAfter);
    }

    private static JsonObject? ProblemOf(string text)
    {
        try
        {
            return JsonNode.Parse(text) as JsonObject;
        }
        catch (System.Text.Json.JsonException)
        {
            return null;
        }
    }
}

public static class Webhook
{
    private const long ToleranceSeconds = 300;

    /// <summary>
    /// Returns the event of a webhook request. secrets: one, or two during a rotation; headers: names in lower case; body:
    /// the bytes exactly as they came.
    /// </summary>
    public static JsonObject Verify(
        IEnumerable<string> secrets, IReadOnlyDictionary<string, string> headers, byte[] body)
    {
        var timestamp = headers.GetValueOrDefault("webhook-timestamp", "");
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)
            || Math.Abs(now - seconds) > ToleranceSeconds)
            throw new CryptographicException("The timestamp is too old or too new");
        byte[] content = [.. Encoding.UTF8.GetBytes($"{headers.GetValueOrDefault("webhook-id", "")}.{timestamp}."), .. body];
        var signatures = headers.GetValueOrDefault("webhook-signature", "").Split(' ');
        foreach (var secret in secrets)
        {
            var key = Convert.FromBase64String(secret["whsec_".Length..]);
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, content)));
            foreach (var given in signatures)
                if (CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), expected))
                    return JsonNode.Parse(body)!.AsObject();
        }
        throw new CryptographicException("No signature matches");
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
