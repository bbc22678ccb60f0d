using System;
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
}
