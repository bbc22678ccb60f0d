"""Calls the Mirsal shipment service. Python 3.9 or newer, standard library only: copy this file into your project.

    python3 mirsal.py    creates a first shipment in a sandbox and waits until it is delivered

It needs MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET in the environment.
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import threading
import time
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone
from decimal import Decimal

RETRIES = 4
TIMEOUT_SECONDS = 30
# A longer Retry-After goes to the caller as an error.
WAIT_SECONDS_MAX = 60
# A token is renewed this long before its end, so that it does not end on the way.
TOKEN_MARGIN_SECONDS = 60
WEBHOOK_TOLERANCE_SECONDS = 300
# Nothing was done, so every call can be repeated.
NOT_CARRIED_OUT = {
    "RATE_LIMITED",
    "REQUEST_TIMEOUT",
    "IDEMPOTENCY_REQUEST_IN_PROGRESS",
    "ROUTING_PROVIDER_UNAVAILABLE",
    "STORAGE_PROVIDER_UNAVAILABLE",
}

# Required members of each operation's answer; 204 is an empty answer. The first row that fits counts. Answers of an
# operation without a row, such as a newer one, need X-Request-Id.
SHAPES = """
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
"""
# Members that are no text.
KINDS = {"data": list, "violations": list, "page": dict, "metadata": dict, "expires_in": int}


class MirsalError(Exception):
    """The service refused a call. Decide by `code`, log `request_id`."""

    def __init__(self, status, problem, request_id):
        self.status = status
        self.problem = problem
        self.code = problem.get("code", "")
        self.request_id = request_id
        self.retry_after = 0
        super().__init__(f"{status} {self.code}: {problem.get('detail', '')} (request {request_id})")


class MirsalNoAnswer(OSError):
    """The service did not answer, so the outcome is unknown. Proxies and captive portals answer too, often with 200.

    Make the same call again later, with the same key.
    """

    retry_after = 0


class Mirsal:
    """A connection for one OAuth client. Threads may share it."""

    def __init__(self, base_url, client_id, client_secret, timeout=TIMEOUT_SECONDS):
        self._base_url = base_url.rstrip("/")
        self._basic = "Basic " + base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_AnyStatus)
        self._lock = threading.Lock()
        self._token, self._token_end = None, 0.0

    def create_shipment(self, order, key):
        """Creates a shipment. Store `key` with your order before the call, and use it again after any failure."""
        return self.call("POST", "/v2/external/shipments", order, key=key)

    def call(self, method, path, body=None, key=None, if_match=None, repeatable=False):
        """Returns the parsed answer of an operation that answers JSON, or None if it answers nothing.

        Amounts are Decimal or int, never float. After a lost answer the call is repeated if that is safe: a GET, a call
        with an idempotency key or with one version in if_match, or one that the caller says is repeatable. Raises
        MirsalError for a refusal, and MirsalNoAnswer if the outcome is unknown.
        """
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if key is not None:
            headers["Idempotency-Key"] = key
        if if_match is not None:
            headers["If-Match"] = if_match
        data = None if body is None else to_json(body).encode()
        is_safe = method == "GET" or key is not None or if_match not in (None, "*") or repeatable
        for is_last in (False, True):
            headers["Authorization"] = "Bearer " + self._access_token()
            try:
                return self._repeat(lambda: self._exchange(method, path, data, headers), is_safe)
            except MirsalError as error:
                if error.status != 401 or is_last:
                    raise
            self._token = None

    def _access_token(self):
        with self._lock:
            if self._token is None or time.monotonic() >= self._token_end:
                form = urllib.parse.urlencode({"grant_type": "client_credentials"}).encode()
                headers = {"Authorization": self._basic, "Content-Type": "application/x-www-form-urlencoded"}
                answer = self._repeat(lambda: self._exchange("POST", "/oauth/token", form, headers), True)
                self._token = answer["access_token"]
                self._token_end = time.monotonic() + answer["expires_in"] - TOKEN_MARGIN_SECONDS
            return self._token

    def _repeat(self, send, is_safe):
        for attempt in range(RETRIES + 1):
            # Half of the delay is random, so that clients that failed together do not come back together.
            delay = 2**attempt * (0.5 + random.random() / 2)
            try:
                return send()
            except (MirsalError, MirsalNoAnswer) as failure:
                is_unknown = isinstance(failure, MirsalNoAnswer) or failure.status in (408, 500, 502, 503, 504)
                delay = max(delay, failure.retry_after)
                may_repeat = (is_unknown and is_safe) or getattr(failure, "code", "") in NOT_CARRIED_OUT
                if not may_repeat or attempt == RETRIES or delay > WAIT_SECONDS_MAX:
                    raise
            time.sleep(delay)

    def _exchange(self, method, path, data, headers):
        request = urllib.request.Request(self._base_url + path, data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                status, answered, text = response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as failure:
            raise MirsalNoAnswer(f"No answer to {method} {path}, so the outcome is unknown") from failure
        try:
            value = from_json(text)
        except ValueError:
            value = None
        is_ours = "X-Request-Id" in answered
        if _is_success(method, path, status, value, is_ours):
            return value
        retry_after = answered.get("Retry-After", "")
        if status >= 400 and isinstance(value, dict) and isinstance(value.get("code"), str):
            failure = MirsalError(status, value, answered.get("X-Request-Id"))
        else:
            failure = MirsalNoAnswer(
                f"The response to {method} {path} with status {status} is not from the service, so the outcome is unknown"
            )
        failure.retry_after = int(retry_after) if re.fullmatch("[0-9]{1,9}", retry_after) else 0
        raise failure


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Follows no redirect, which could send a secret to another address, and returns refusals as answers."""

    def http_response(self, request, response):
        return response

    https_response = http_response


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
    price = mirsal.call(
        "POST",
        "/v2/external/shipment-price-estimates",
        {
            "pickup": sandbox["pickup"],
            "delivery": sandbox["delivery"],
            "destinationCityCode": sandbox["destinationCityCode"],
        },
        repeatable=True,
    )
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
                "addressLine": "2929 King Fahd Road",
                "cityCode": sandbox["destinationCityCode"],
                **sandbox["delivery"],
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
    names = ("MIRSAL_URL", "MIRSAL_CLIENT_ID", "MIRSAL_CLIENT_SECRET")
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        raise SystemExit(f"Set {', '.join(missing)} first.")
    first_shipment(Mirsal(*(os.environ[name] for name in names)))
