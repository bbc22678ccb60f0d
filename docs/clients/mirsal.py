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
import urllib.error
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
    "IDEMPOTENCY_REQUEST_IN_PROGRESS",
    "ROUTING_PROVIDER_UNAVAILABLE",
    "STORAGE_PROVIDER_UNAVAILABLE",
}


class MirsalError(Exception):
    """The service refused a call. Decide by `code`, log `request_id`."""

    def __init__(self, status, problem, request_id):
        self.status = status
        self.problem = problem
        self.code = problem.get("code", "")
        self.request_id = request_id
        self.retry_after = 0
        super().__init__(f"{status} {self.code}: {problem.get('detail', '')} (request {request_id})")


class Mirsal:
    """A connection for one OAuth client. Threads may share it."""

    def __init__(self, base_url, client_id, client_secret, timeout=TIMEOUT_SECONDS):
        self._base_url = base_url.rstrip("/")
        self._basic = "Basic " + base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._lock = threading.Lock()
        self._token, self._token_end = None, 0.0

    def create_shipment(self, order, key):
        """Creates a shipment. Store `key` with your order before the call, and use it again after any failure."""
        return self.call("POST", "/v2/external/shipments", order, key=key)

    def call(self, method, path, body=None, key=None, if_match=None, repeatable=False):
        """Returns the parsed answer. Amounts are Decimal or int, never float.

        After a lost answer the call is repeated if that is safe: a GET, a call with an idempotency key or with one
        version in if_match, or one that the caller says is repeatable.
        """
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if key is not None:
            headers["Idempotency-Key"] = key
        if if_match is not None:
            headers["If-Match"] = if_match
        data = None if body is None else to_json(body).encode()
        is_safe = method == "GET" or key is not None or if_match not in (None, "*") or repeatable
        try:
            return self._repeat(lambda: self._send(method, path, data, headers), is_safe)
        except MirsalError as error:
            if error.status != 401:
                raise
        self._token = None
        return self._repeat(lambda: self._send(method, path, data, headers), is_safe)

    def _send(self, method, path, data, headers):
        return self._exchange(method, path, data, {**headers, "Authorization": "Bearer " + self._access_token()})

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
            except MirsalError as error:
                is_unknown = error.status in (500, 502, 503, 504)
                delay = max(delay, error.retry_after)
                may_repeat = error.code in NOT_CARRIED_OUT or (is_unknown and is_safe)
                if not may_repeat or attempt == RETRIES or delay > WAIT_SECONDS_MAX:
                    raise
            except (OSError, http.client.HTTPException):
                # No answer: nobody knows whether the call was carried out.
                if not is_safe or attempt == RETRIES:
                    raise
            time.sleep(delay)

    def _exchange(self, method, path, data, headers):
        request = urllib.request.Request(self._base_url + path, data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                text = response.read()
                return from_json(text) if text else None
        except urllib.error.HTTPError as answer:
            raise _error_of(answer) from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect could send a secret to another address."""

    def redirect_request(self, *_):
        return None


def _error_of(answer):
    try:
        problem = from_json(answer.read())
    except ValueError:
        problem = {}
    error = MirsalError(answer.code, problem if isinstance(problem, dict) else {}, answer.headers.get("X-Request-Id"))
    retry_after = answer.headers.get("Retry-After", "")
    error.retry_after = int(retry_after) if re.fullmatch("[0-9]{1,9}", retry_after) else 0
    return error


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

    secrets: one, or two during a rotation. headers: any mapping. body: the bytes exactly as they came.
    """
    named = {name.lower(): value for name, value in headers.items()}
    timestamp = named.get("webhook-timestamp", "")
    now = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > WEBHOOK_TOLERANCE_SECONDS:
        raise ValueError("The timestamp is too old or too new")
    content = f"{named.get('webhook-id', '')}.{timestamp}.".encode() + body
    signatures = named.get("webhook-signature", "").split(" ")
    for secret in secrets:
        key = base64.b64decode(secret[len("whsec_") :])
        expected = b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
        # A list, so that each signature takes the same time.
        if any([hmac.compare_digest(given.encode(), expected) for given in signatures]):
            return from_json(body)
    raise ValueError("No signature matches")


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
