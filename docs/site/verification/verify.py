import base64, hashlib, hmac, json, re, time

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
    return values[0]
