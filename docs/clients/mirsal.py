"""Calls the Mirsal shipment service. Python 3.9 or newer, standard library only: copy this file into your project.

    python3 mirsal.py    creates a first shipment in a sandbox and waits until it is delivered

It needs MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET in the environment.
"""

import base64
import email.utils
import functools
import hashlib
import hmac
import http.client
import json
import math
import os
import random
import re
import socket
import ssl
import tempfile
import threading
import time
import urllib.parse
import urllib.request
import uuid
import warnings
from datetime import datetime, timedelta, timezone
from decimal import Decimal

# Requests of one call, with those for its token.
ATTEMPTS = 4
CONNECT_SECONDS = 5
# A longer Retry-After goes to the caller as an error.
WAIT_SECONDS_MAX = 60
# A token is renewed this long before its end, so that it does not end on the way.
TOKEN_MARGIN_SECONDS = 60
WEBHOOK_TOLERANCE_SECONDS = 300
# Statuses that pass, whoever answers: the service or a proxy before it.
PASSING = {408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524}
# Nothing was done, so every call can be repeated.
WITHOUT_EFFECT = {
    "REQUEST_TIMEOUT",
    "IDEMPOTENCY_REQUEST_IN_PROGRESS",
    "ROUTING_PROVIDER_UNAVAILABLE",
    "ADDRESS_PROVIDER_UNAVAILABLE",
    "STORAGE_PROVIDER_UNAVAILABLE",
}

# Required members of each operation's answer; 204 is an empty answer. The first row that fits counts. Answers of an
# operation without a row, such as a newer one, need X-Request-Id.
SHAPES = """
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
"""
# Members that are no text.
KINDS = {"data": list, "followUps": list, "violations": list, "page": dict, "metadata": dict, "expires_in": int,
         "resendsRemaining": int}


class MirsalError(Exception):
    """A call failed. Decide by `outcome` and `code`, log `request_id`.

    outcome: "none", the service did nothing; "unknown", it may have acted, so repeat the call later with the same key, or
    read what it changes. code: the service's; NETWORK_FAILURE without a whole answer; or UNEXPECTED_RESPONSE if something
    else answered, such as a captive portal, often with 200. status: 0 without an answer. retry_after_seconds: None if the
    answer does not say.
    """

    def __init__(self, message, outcome, code, status=0, problem=None, request_id="", retry_after_seconds=None):
        super().__init__(message)
        self.message, self.outcome, self.code, self.status = message, outcome, code, status
        self.problem, self.request_id, self.retry_after_seconds = problem or {}, request_id, retry_after_seconds
        self._passes = status in PASSING or code in ("UNEXPECTED_RESPONSE", "IDEMPOTENCY_REQUEST_IN_PROGRESS")
        self._is_harmless = status == 429 or code in WITHOUT_EFFECT

    def __str__(self):
        return self.message + (", so the outcome is unknown" if self.outcome == "unknown" else "")


class TokenFolder:
    """Keeps tokens in files that only this user can read, for all processes. Another store has the same two methods.

    With Redis, get is `json.loads(redis.get(name) or "null")`, and put is
    `redis.set(name, json.dumps(token), exat=int(token["end"]))`.
    """

    def __init__(self, folder):
        self._folder = folder

    def get(self, name):
        try:
            with open(os.path.join(self._folder, name), encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return None

    def put(self, name, token):
        # The new file has mode 0600, and no process reads half of it.
        descriptor, path = tempfile.mkstemp(dir=self._folder)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(token, file)
        os.replace(path, os.path.join(self._folder, name))


class _Budget:
    """The requests and the time that a call has left."""

    def __init__(self, seconds):
        self.attempts, self.end = ATTEMPTS, time.monotonic() + seconds
        self.failure = MirsalError("The time for the call ended before a request was sent", "none", "NETWORK_FAILURE")

    def seconds(self):
        return max(0, self.end - time.monotonic())

    def take(self):
        if self.attempts == 0 or self.seconds() == 0:
            raise self.failure
        self.attempts -= 1


class Mirsal:
    """A connection for one OAuth client. Threads may share it.

    timeout is for one request, total_seconds for a call with its token, retries and waits. ca_file has the certificates
    to trust instead of the system's. tokens: a TokenFolder, or another store that processes share.
    """

    def __init__(self, base_url, client_id, client_secret, timeout=30, total_seconds=60, ca_file=None, tokens=None):
        self._url = urllib.parse.urlsplit(base_url.rstrip("/"))
        if self._url.scheme not in ("http", "https") or not self._url.hostname:
            raise ValueError("base_url must begin with https:// or http://")
        self._basic = "Basic " + base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
        self._timeout, self._total_seconds = timeout, total_seconds
        self._tls = ssl.create_default_context(cafile=ca_file)
        self._lock = threading.Lock()
        self._token, self._tokens = None, tokens
        self._token_name = "mirsal-" + hashlib.sha256(f"{base_url} {client_id}".encode()).hexdigest()[:32]

    def create_shipment(self, order, key):
        """Creates a shipment. Store `key` with your order before the call, and use it again after any failure."""
        return self.call("POST", "/v2/external/shipments", order, key=key)

    def call(self, method, path, body=None, key=None, if_match=None, repeatable=False):
        """Returns the parsed answer of an operation that answers JSON, or None if it answers nothing.

        Amounts are Decimal or int, never float. After a lost answer the call is repeated if that is safe: a GET, a call
        with an idempotency key or with one version in if_match, or one that the caller says is repeatable. Raises
        MirsalError.
        """
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if key is not None:
            headers["Idempotency-Key"] = key
        if if_match is not None:
            headers["If-Match"] = if_match
        data = None if body is None else to_json(body).encode()
        is_one_version = if_match is not None and re.fullmatch('"[0-9]+"', if_match)
        is_safe = method == "GET" or key is not None or is_one_version or repeatable
        budget, refused, may_have_acted, retries = _Budget(self._total_seconds), None, False, 0
        while True:
            token = None
            try:
                token = self._access_token(refused, budget)
                return self._exchange(budget, method, path, data, {**headers, "Authorization": "Bearer " + token})
            except MirsalError as failure:
                if may_have_acted and method != "GET" and failure.outcome == "none":
                    failure.outcome = "unknown"
                    failure.message += "; an earlier attempt may have done it: read the shipment"
                may_have_acted |= failure.outcome == "unknown"
                # Half of the delay is random, so that clients that failed together do not come back together.
                delay = max(2**retries * (0.5 + random.random() / 2), failure.retry_after_seconds or 0)
                if failure.status == 401 and token is not None and refused is None:
                    refused, delay = token, 0
                elif not failure._passes or not (is_safe or token is None or failure._is_harmless):
                    raise
                if budget.attempts == 0 or delay > WAIT_SECONDS_MAX or delay >= budget.seconds():
                    raise
                budget.failure = failure
                retries += delay > 0
            time.sleep(delay)

    def _access_token(self, refused, budget):
        """A token other than the one that was refused. One thread at a time asks for it."""
        if not self._lock.acquire(timeout=budget.seconds()):
            raise MirsalError("Another thread's request for a token took too long", "none", "NETWORK_FAILURE")
        try:
            if not _is_good(self._token, refused):
                self._token = self._stored("get")
            if not _is_good(self._token, refused):
                form = urllib.parse.urlencode({"grant_type": "client_credentials"}).encode()
                headers = {"Authorization": self._basic, "Content-Type": "application/x-www-form-urlencoded"}
                answer = self._exchange(budget, "POST", "/oauth/token", form, headers)
                self._token = {"token": answer["access_token"], "end": time.time() + answer["expires_in"]}
                self._stored("put", self._token)
            return self._token["token"]
        except MirsalError as failure:
            failure.outcome = "none"
            raise
        finally:
            self._lock.release()

    def _stored(self, action, *token):
        try:
            return getattr(self._tokens, action)(self._token_name, *token) if self._tokens else None
        except Exception as failure:
            # An order must not fail because the store of tokens does.
            warnings.warn(f"A token could not be stored or read: {failure}")

    def _exchange(self, budget, method, path, data, headers):
        budget.take()
        operation = f"{method} {path}"
        end = time.monotonic() + min(self._timeout, budget.seconds())
        is_sent = False
        try:
            connection, target, more = self._connection(end)
            try:
                connection.connect()
                is_sent = True
                connection.sock.settimeout(_left(end))
                connection.request(method, target + path, data, {**headers, **more})
                with connection.getresponse() as response:
                    status, answered, text = response.status, response.headers, response.read()
            finally:
                connection.close()
        except (OSError, http.client.HTTPException, ValueError) as failure:
            # A name that is not found, a certificate that is not trusted, and a value that cannot be sent stay so.
            is_final = isinstance(failure, (socket.gaierror, ValueError, http.client.InvalidURL))
            outcome = "unknown" if is_sent and not is_final else "none"
            error = MirsalError(f"No whole answer to {operation} ({failure})", outcome, "NETWORK_FAILURE")
            error._passes = not is_final
            raise error from failure
        try:
            value = from_json(text)
        except (ValueError, ArithmeticError, RecursionError):
            value = None
        request_id = answered.get("X-Request-Id", "")
        if _is_success(method, path, status, value, "X-Request-Id" in answered):
            return value
        wait = retry_after_seconds(", ".join(answered.get_all("Retry-After", [])), time.time())
        if status >= 400 and isinstance(value, dict) and isinstance(value.get("code"), str):
            code = value["code"]
            is_running = code == "IDEMPOTENCY_REQUEST_IN_PROGRESS"
            outcome = "unknown" if is_running or status >= 500 and code not in WITHOUT_EFFECT else "none"
            text = f"{status} {code}: {value.get('detail', '')} (request {request_id})"
            raise MirsalError(text, outcome, code, status, value, request_id, wait)
        text = f"The response to {operation} with status {status} is not from the service"
        outcome = "none" if status == 429 else "unknown"
        raise MirsalError(text, outcome, "UNEXPECTED_RESPONSE", status, None, request_id, wait)

    def _connection(self, end):
        """A new connection, with what stands before the path and the headers that a proxy needs."""
        url = self._url
        proxy = None if urllib.request.proxy_bypass(url.netloc) else urllib.request.getproxies().get(url.scheme)
        via = urllib.parse.urlsplit(proxy if "://" in proxy else "http://" + proxy) if proxy else url
        pair = f"{urllib.parse.unquote(via.username or '')}:{urllib.parse.unquote(via.password or '')}".encode()
        login = {"Proxy-Authorization": "Basic " + base64.b64encode(pair).decode()} if proxy and via.username else {}
        seconds = min(CONNECT_SECONDS, _left(end))
        if url.scheme == "http":
            connection = http.client.HTTPConnection(via.hostname, via.port, timeout=seconds)
        else:
            connection = http.client.HTTPSConnection(via.hostname, via.port, timeout=seconds, context=self._tls)
            if proxy:
                connection.set_tunnel(url.hostname, url.port, login)
        connection.response_class = functools.partial(_TimedResponse, end=end)
        if proxy and url.scheme == "http":
            return connection, f"http://{url.netloc}{url.path}", login
        return connection, url.path, {}


class _TimedResponse(http.client.HTTPResponse):
    """Reads until a time. A timeout of a socket alone would begin anew with each byte."""

    def __init__(self, sock, *args, end, **options):
        super().__init__(sock, *args, **options)
        read = self.fp.raw.readinto
        self.fp.raw.readinto = lambda buffer: sock.settimeout(_left(end)) or read(buffer)


def _left(end):
    seconds = end - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("the time for the request ended")
    return seconds


def _is_good(token, refused):
    if not isinstance(token, dict) or not isinstance(token.get("token"), str) or token["token"] == refused:
        return False
    return isinstance(token.get("end"), (int, float)) and token["end"] - TOKEN_MARGIN_SECONDS > time.time()


def retry_after_seconds(text, now):
    """The seconds of a Retry-After header, rounded up, or None if it has none of its forms (RFC 9110 section 10.2.3).

    A header that a proxy joined from several has several numbers, of which the largest counts.
    """
    text = text.strip(" \t")
    parts = [re.fullmatch(r"[ \t]*([0-9]{1,9})(\.[0-9]+)?[ \t]*", part) for part in text.split(",")]
    if all(parts):
        return max(int(part[1]) + bool((part[2] or "").strip(".0")) for part in parts)
    try:
        instant = email.utils.parsedate_to_datetime(text).timestamp()
        is_exact = email.utils.formatdate(instant, usegmt=True) == text
    except (TypeError, ValueError, ArithmeticError, OSError):
        return None
    return max(0, math.ceil(instant - now)) if is_exact else None


def _is_success(method, path, status, value, is_ours):
    name = f"{method} {path.split('?')[0]}"
    rows = (row.split() for row in SHAPES.strip().splitlines())
    members = next((row[2:] for row in rows if re.fullmatch(f"{row[0]} {row[1]}", name)), None)
    if members == ["204"]:
        return status == 204
    if status not in (200, 201, 202) or not isinstance(value, dict):
        return False
    if members is None:
        return is_ours
    return all(value.get(member) != "" and isinstance(value.get(member), KINDS.get(member, str)) for member in members)


def from_json(text):
    """JSON with exact decimals."""
    return json.loads(text, parse_float=Decimal)


def to_json(value):
    """JSON with exact decimals. Refuses float, which cannot hold 0.1."""
    if value is None or isinstance(value, (bool, int, str)):
        return json.dumps(value)
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{to_json(member)}" for name, member in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(to_json, value)) + "]"
    raise TypeError(f"{value!r} cannot be sent; amounts must be Decimal")


def verify_webhook(secrets, headers, body, now=None):
    """Returns the event of a webhook request, or raises ValueError.

    secrets: one, or two during a rotation; None is absent, an empty one is an error. headers: a mapping of names in any
    case to a value or a list of values. body: the bytes exactly as they came.
    """
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets) if secret is not None]
    if not keys:
        raise ValueError("There is no signing secret")
    message_id, timestamp = _only(headers, "webhook-id"), _only(headers, "webhook-timestamp")
    now = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > WEBHOOK_TOLERANCE_SECONDS:
        raise ValueError("The timestamp is too old or too new")
    content = f"{message_id}.{timestamp}.".encode() + body
    signatures = _only(headers, "webhook-signature").split(" ")
    for key in keys:
        expected = b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
        # A list, so that each signature takes the same time.
        if any([hmac.compare_digest(given.encode(), expected) for given in signatures]):
            return from_json(body)
    raise ValueError("No signature matches")


def _key_of(secret):
    """The bytes of a signing secret. With an empty key anybody could sign."""
    try:
        key = base64.b64decode(secret[len("whsec_") :], validate=True)
    except ValueError:
        key = b""
    if len(key) < 24 or secret != "whsec_" + base64.b64encode(key).decode():
        raise ValueError("A signing secret starts with whsec_ and has at least 24 bytes in base64")
    return key


def _only(headers, name):
    """The header's only line. A proxy joins two lines with a comma and a space, which no value of ours has."""
    found = [value for given, value in headers.items() if given.lower() == name]
    lines = [one for value in found for one in ([value] if isinstance(value, str) else value)]
    if len(lines) != 1 or ", " in lines[0]:
        raise ValueError(f"The request does not have one {name}")
    return lines[0]


def first_shipment(mirsal):
    """From nothing to a delivered shipment in a sandbox."""
    sandbox = mirsal.call("POST", "/v2/external/sandbox/bootstrap", repeatable=True)
    while not sandbox["canCreateShipment"]:
        time.sleep(1)
        sandbox = mirsal.call("GET", "/v2/external/sandbox/readiness")
    places = {name: sandbox[name] for name in ("pickup", "delivery", "destinationCityCode")}
    price = mirsal.call("POST", "/v2/external/shipment-price-estimates", places, repeatable=True)
    print(f"The delivery costs {price['totalAmount']} {price['currency']} with VAT.")

    order_number = f"order-{uuid.uuid4()}"
    tomorrow = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=1)
    shipment = mirsal.create_shipment(
        {
            "externalReference": order_number,
            "branchCode": sandbox["branchCode"],
            "pickupLocationCode": sandbox["pickupLocationCode"],
            "recipient": {"name": "Sara Al-Harbi", "phone": "0512345678"},
            "destination": {
                **sandbox["delivery"],
                **{"addressLine": "2929 King Fahd Road", "cityCode": sandbox["destinationCityCode"]},
            },
            "declaredValue": Decimal("180.50"),
            "codAmount": 0,
            "currency": "SAR",
            "paymentMethod": "PREPAID",
            "pickupWindowStart": tomorrow.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "pickupWindowEnd": (tomorrow + timedelta(hours=3)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "items": [{"description": "Coffee beans", "quantity": 2, "weightKilograms": Decimal("1.05")}],
            "requirements": [],
        },
        key=f"create-{order_number}",
    )
    path = f"/v2/external/shipments/{shipment['shipmentId']}"
    print(f"Created {shipment['shipmentNumber']} ({shipment['shipmentId']}).")

    scenario = f"/v2/external/sandbox/shipments/{shipment['shipmentId']}/scenarios"
    mirsal.call("POST", scenario, {"name": "HAPPY_PATH", "stepSeconds": 1})
    state = None
    while state not in ("DELIVERED", "DELIVERY_FAILED", "CANCELLED"):
        time.sleep(1)
        latest = mirsal.call("GET", path)["state"]
        if latest != state:
            state = latest
            print(state)


if __name__ == "__main__":
    values = [os.environ.get(name) for name in ("MIRSAL_URL", "MIRSAL_CLIENT_ID", "MIRSAL_CLIENT_SECRET")]
    if not all(values):
        raise SystemExit("Set MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET first.")
    first_shipment(Mirsal(*values))
