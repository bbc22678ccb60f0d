// Command mirsal calls the Mirsal shipment service. Go 1.19 or newer, standard library only: copy this file into your
// project.
//
//	go run mirsal.go    creates a first shipment in a sandbox and waits until it is delivered
//
// It needs MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET in the environment.
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// Requests of one call, with those for its token.
	attemptsMax = 4
	// A longer Retry-After goes to the caller as an error.
	waitMax = time.Minute
	// A token is renewed this long before its end, so that it does not end on the way.
	tokenMargin      = time.Minute
	webhookTolerance = 5 * time.Minute
)

// What passes, whether the service answers or a proxy before it.
var passing = regexp.MustCompile(
	"^(408|429|50[0234]|52[0-4]|NETWORK_FAILURE|UNEXPECTED_RESPONSE|IDEMPOTENCY_REQUEST_IN_PROGRESS)$")

// Nothing was done, so every call can be repeated.
var withoutEffect = map[string]bool{
	"REQUEST_TIMEOUT": true, "IDEMPOTENCY_REQUEST_IN_PROGRESS": true,
	"ROUTING_PROVIDER_UNAVAILABLE": true, "ADDRESS_PROVIDER_UNAVAILABLE": true, "STORAGE_PROVIDER_UNAVAILABLE": true,
}

// Required members of each operation's answer; 204 is an empty answer. The first row that fits counts. Answers of an
// operation without a row, such as a newer one, need X-Request-Id.
const shapes = `
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
`

// Members that are no text.
var kinds = map[string]string{
	"data": "list", "followUps": "list", "violations": "list", "page": "object", "metadata": "object",
	"expires_in": "number", "resendsRemaining": "number",
}

// Object is JSON with exact decimals: numbers are json.Number. Compute with big.Rat: new(big.Rat).SetString(n.String()).
type Object map[string]any

// Error says that a call failed. Decide by Outcome and Code, log RequestID.
type Error struct {
	// none: the service did nothing. unknown: it may have acted, so repeat the call later with the same key, or read what it
	// changes.
	Outcome string
	// The service's; NETWORK_FAILURE without a whole answer; or UNEXPECTED_RESPONSE if something else answered, such as a
	// captive portal, often with 200.
	Code      string
	Status    int
	RequestID string
	Problem   Object
	// Less than 0 if the answer does not say.
	RetryAfter time.Duration
	what       string
	cause      error
	isFinal    bool
}

func (e *Error) Error() string {
	if e.Outcome == "unknown" {
		return e.what + ", so the outcome is unknown"
	}
	return e.what
}

func (e *Error) Unwrap() error {
	return e.cause
}

// Token is an access token with the time of its end in Unix seconds.
type Token struct {
	Token string `json:"token"`
	End   int64  `json:"end"`
}

// Tokens keeps tokens for all processes. With Redis, Get is json.Unmarshal of rdb.Get(ctx, name).Bytes(), and Put is
// rdb.Set(ctx, name, text, time.Until(time.Unix(token.End, 0))) with the text of json.Marshal(token).
type Tokens interface {
	Get(name string) (Token, error)
	Put(name string, token Token) error
}

// TokenFolder keeps tokens in files that only this user can read.
type TokenFolder string

func (folder TokenFolder) Get(name string) (token Token, err error) {
	text, err := os.ReadFile(filepath.Join(string(folder), name))
	if os.IsNotExist(err) {
		return token, nil
	} else if err == nil {
		err = json.Unmarshal(text, &token)
	}
	return token, err
}

func (folder TokenFolder) Put(name string, token Token) error {
	// The new file has mode 0600, and no process reads half of it.
	file, err := os.CreateTemp(string(folder), name)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := json.NewEncoder(file).Encode(token); err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(string(folder), name))
}

// Options of a call. Key is the idempotency key; IfMatch an entity tag or *.
type Options struct {
	Key        string
	IfMatch    string
	Repeatable bool
}

// Mirsal is a connection for one OAuth client. Goroutines may share it. Change its public fields before the first call.
type Mirsal struct {
	// For one request, and for a call with its token, retries and waits.
	Timeout, Total time.Duration
	// Where processes share tokens, or nil.
	Tokens Tokens
	// For certificates of your own: Transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	Transport *http.Transport

	baseURL, basic, tokenName string
	turn                      chan struct{}
	token                     Token
}

func NewMirsal(baseURL, clientID, clientSecret string) *Mirsal {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: 5 * time.Second}).DialContext
	return &Mirsal{
		Timeout: 30 * time.Second, Total: time.Minute, Transport: transport, baseURL: strings.TrimRight(baseURL, "/"),
		basic:     "Basic " + base64.StdEncoding.EncodeToString([]byte(clientID+":"+clientSecret)),
		tokenName: fmt.Sprintf("mirsal-%.16x", sha256.Sum256([]byte(baseURL+" "+clientID))), turn: make(chan struct{}, 1),
	}
}

// CreateShipment creates a shipment. Store the key with your order before the call, and use it again after any failure.
func (m *Mirsal) CreateShipment(order Object, key string) (Object, error) {
	return m.Call("POST", "/v2/external/shipments", order, Options{Key: key})
}

// Call returns the parsed answer of an operation that answers JSON, or nil if it answers nothing. After a lost answer it
// repeats the call if that is safe: a GET, a call with an idempotency key or with one version in IfMatch, or one that the
// caller says is repeatable. The error of a request is an *Error.
func (m *Mirsal) Call(method, path string, body any, options Options) (Object, error) {
	var data []byte
	header := http.Header{}
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return nil, err
		}
		header.Set("Content-Type", "application/json")
	}
	if options.Key != "" {
		header.Set("Idempotency-Key", options.Key)
	}
	if options.IfMatch != "" {
		header.Set("If-Match", options.IfMatch)
	}
	isOneVersion := regexp.MustCompile(`^"[0-9]+"$`).MatchString(options.IfMatch)
	isSafe := method == "GET" || options.Key != "" || isOneVersion || options.Repeatable
	left := &budget{attempts: attemptsMax, end: time.Now().Add(m.Total)}
	refused, mayHaveActed, retries := "", false, 0
	for {
		token, failure := m.accessToken(refused, left)
		isToken := failure != nil
		if !isToken {
			var answer Object
			header.Set("Authorization", "Bearer "+token)
			if answer, failure = m.exchange(left, method, path, data, header); failure == nil {
				return answer, nil
			}
		}
		if mayHaveActed && method != "GET" && failure.Outcome == "none" {
			failure.Outcome = "unknown"
			failure.what += "; an earlier attempt may have done it: read the shipment"
		}
		mayHaveActed = mayHaveActed || failure.Outcome == "unknown"
		// Half of the delay is random, so that clients that failed together do not come back together.
		delay := time.Duration(float64(time.Second<<retries) * (0.5 + rand.Float64()/2))
		if failure.RetryAfter > delay {
			delay = failure.RetryAfter
		}
		isHarmless := isToken || failure.Status == 429 || withoutEffect[failure.Code]
		passes := passing.MatchString(strconv.Itoa(failure.Status)) || passing.MatchString(failure.Code)
		if failure.Status == 401 && !isToken && refused == "" {
			refused, delay = token, 0
		} else if failure.isFinal || !passes || !(isSafe || isHarmless) {
			return nil, failure
		} else {
			retries++
		}
		if left.attempts == 0 || delay > waitMax || delay >= time.Until(left.end) {
			return nil, failure
		}
		left.failure = failure
		time.Sleep(delay)
	}
}

// The requests and the time that a call has left, and its last failure.
type budget struct {
	attempts int
	end      time.Time
	failure  *Error
}

// A token other than the one that was refused. One goroutine at a time asks for it.
func (m *Mirsal) accessToken(refused string, left *budget) (string, *Error) {
	select {
	case m.turn <- struct{}{}:
		defer func() { <-m.turn }()
	case <-time.After(time.Until(left.end)):
		what := "another goroutine's request for a token took too long"
		return "", &Error{Outcome: "none", Code: "NETWORK_FAILURE", RetryAfter: -1, what: what}
	}
	isGood := func() bool {
		return m.token.Token != "" && m.token.Token != refused && time.Now().Add(tokenMargin).Before(time.Unix(m.token.End, 0))
	}
	if !isGood() && m.Tokens != nil {
		var err error
		if m.token, err = m.Tokens.Get(m.tokenName); err != nil {
			log.Printf("A token could not be read: %v", err)
		}
	}
	if isGood() {
		return m.token.Token, nil
	}
	form := []byte(url.Values{"grant_type": {"client_credentials"}}.Encode())
	header := http.Header{"Authorization": {m.basic}, "Content-Type": {"application/x-www-form-urlencoded"}}
	answer, failure := m.exchange(left, "POST", "/oauth/token", form, header)
	if failure != nil {
		failure.Outcome = "none"
		return "", failure
	}
	lifetime, _ := answer["expires_in"].(json.Number)
	seconds, _ := lifetime.Int64()
	m.token.Token, _ = answer["access_token"].(string)
	m.token.End = time.Now().Unix() + seconds
	if m.Tokens != nil {
		// An order must not fail because the store of tokens does.
		if err := m.Tokens.Put(m.tokenName, m.token); err != nil {
			log.Printf("A token could not be stored: %v", err)
		}
	}
	return m.token.Token, nil
}

func (m *Mirsal) exchange(left *budget, method, path string, data []byte, header http.Header) (Object, *Error) {
	timeout := time.Until(left.end)
	if left.attempts == 0 || timeout <= 0 {
		if left.failure == nil {
			what := "the time ended before a request was sent"
			left.failure = &Error{Outcome: "none", Code: "NETWORK_FAILURE", RetryAfter: -1, what: what}
		}
		return nil, left.failure
	}
	left.attempts--
	if timeout > m.Timeout {
		timeout = m.Timeout
	}
	isSent := false
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { isSent = true }}
	ctx, cancel := context.WithTimeout(httptrace.WithClientTrace(context.Background(), trace), timeout)
	defer cancel()
	operation := method + " " + path
	request, err := http.NewRequestWithContext(ctx, method, m.baseURL+path, bytes.NewReader(data))
	var response *http.Response
	var text []byte
	if err == nil {
		request.Header = header.Clone()
		if header.Get("Idempotency-Key") != "" {
			// Go would repeat such a request by itself if a kept connection was closed.
			request.GetBody = nil
		}
		// A transport follows no redirect, which could send a secret to another address.
		if response, err = m.Transport.RoundTrip(request); err == nil {
			defer response.Body.Close()
			text, err = io.ReadAll(response.Body)
		}
	}
	if err != nil {
		failure := &Error{Outcome: "none", Code: "NETWORK_FAILURE", RetryAfter: -1, cause: err}
		failure.what = fmt.Sprintf("no whole answer to %s (%v)", operation, err)
		// A name that is not found, a certificate that is not trusted, and a request that cannot be sent stay so.
		var name *net.DNSError
		failure.isFinal = request == nil || errors.As(err, &name) || strings.Contains(err.Error(), "x509: ")
		if isSent && !failure.isFinal {
			failure.Outcome = "unknown"
		}
		return nil, failure
	}
	status, id := response.StatusCode, response.Header.Get("X-Request-Id")
	value, err := FromJSON(text)
	if err != nil {
		value = nil
	}
	if isSuccess(operation, status, value, id) {
		return value, nil
	}
	failure := &Error{Outcome: "unknown", Code: "UNEXPECTED_RESPONSE", Status: status, RequestID: id}
	failure.RetryAfter = retryAfter(strings.Join(response.Header.Values("Retry-After"), ", "), time.Now())
	failure.what = fmt.Sprintf("the response to %s with status %d is not from the service", operation, status)
	if code, hasCode := value["code"].(string); status >= 400 && hasCode {
		failure.Code, failure.Problem = code, value
		failure.what = fmt.Sprintf("%d %s: %v (request %s)", status, code, value["detail"], id)
	}
	isRunning := failure.Code == "IDEMPOTENCY_REQUEST_IN_PROGRESS"
	if status == 429 || failure.Problem != nil && !isRunning && (status < 500 || withoutEffect[failure.Code]) {
		failure.Outcome = "none"
	}
	return nil, failure
}

var delaySeconds = regexp.MustCompile(`^([0-9]{1,9})(\.[0-9]+)?$`)

// The duration of a Retry-After header in whole seconds, rounded up, or -1 if it has none of its forms (RFC 9110 section
// 10.2.3). Of numbers that a proxy joined the largest counts.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.Trim(text, " \t")
	if date, err := time.Parse(http.TimeFormat, text); err == nil {
		if date.Format(http.TimeFormat) != text {
			return -1
		} else if date.Before(now) {
			return 0
		}
		return (date.Sub(now) + time.Second - 1).Truncate(time.Second)
	}
	longest := time.Duration(0)
	for _, part := range strings.Split(text, ",") {
		found := delaySeconds.FindStringSubmatch(strings.Trim(part, " \t"))
		if found == nil {
			return -1
		}
		seconds, _ := strconv.Atoi(found[1])
		if strings.Trim(found[2], ".0") != "" {
			seconds++
		}
		if delay := time.Duration(seconds) * time.Second; delay > longest {
			longest = delay
		}
	}
	return longest
}

func isSuccess(operation string, status int, value Object, id string) bool {
	name, _, _ := strings.Cut(operation, "?")
	var members []string
	for _, row := range strings.Split(strings.TrimSpace(shapes), "\n") {
		words := strings.Split(row, " ")
		if regexp.MustCompile("^" + words[0] + " " + words[1] + "$").MatchString(name) {
			members = words[2:]
			break
		}
	}
	if len(members) == 1 && members[0] == "204" {
		return status == http.StatusNoContent
	}
	if status < 200 || status > 202 || value == nil {
		return false
	}
	for _, member := range members {
		isRight := false
		switch given := value[member].(type) {
		case string:
			isRight = given != "" && kinds[member] == ""
		case []any:
			isRight = kinds[member] == "list"
		case map[string]any:
			isRight = kinds[member] == "object"
		case json.Number:
			isRight = kinds[member] == "number"
		}
		if !isRight {
			return false
		}
	}
	return members != nil || id != ""
}

// FromJSON reads an object with exact decimals.
func FromJSON(text []byte) (Object, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value Object
	err := decoder.Decode(&value)
	if err == nil && decoder.Decode(new(any)) != io.EOF {
		err = errors.New("something follows the JSON")
	}
	return value, err
}

// VerifyWebhook returns the event of a webhook request. secrets: one, or two during a rotation; an empty one, such as an
// unset variable, is an error, so leave an absent one out. header: names in any case. body: the bytes exactly as they came.
func VerifyWebhook(secrets []string, header http.Header, body []byte) (Object, error) {
	keys, err := keysOf(secrets)
	if err != nil {
		return nil, err
	}
	var values [3]string
	for index, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if values[index], err = only(header, name); err != nil {
			return nil, err
		}
	}
	id, timestamp, signatures := values[0], values[1], strings.Split(values[2], " ")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || len(timestamp) > 12 || time.Since(time.Unix(int64(seconds), 0)).Abs() > webhookTolerance {
		return nil, errors.New("the timestamp is too old or too new")
	}
	content := append([]byte(id+"."+timestamp+"."), body...)
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write(content)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, given := range signatures {
			if hmac.Equal([]byte(given), expected) {
				return FromJSON(body)
			}
		}
	}
	return nil, errors.New("no signature matches")
}

// The bytes of signing secrets. With an empty key anybody could sign.
func keysOf(secrets []string) ([][]byte, error) {
	var keys [][]byte
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < 24 || secret != "whsec_"+base64.StdEncoding.EncodeToString(key) {
			return nil, errors.New("a signing secret starts with whsec_ and has at least 24 bytes in base64")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no signing secret")
	}
	return keys, nil
}

// The header's only line. A proxy joins two lines with a comma and a space, which no value of ours has.
func only(header http.Header, name string) (string, error) {
	var lines []string
	for given, values := range header {
		if strings.EqualFold(given, name) {
			lines = append(lines, values...)
		}
	}
	if len(lines) != 1 || strings.Contains(lines[0], ", ") {
		return "", errors.New("the request does not have one " + name)
	}
	return lines[0], nil
}

// FirstShipment goes from nothing to a delivered shipment in a sandbox.
func FirstShipment(mirsal *Mirsal) error {
	sandbox, err := mirsal.Call("POST", "/v2/external/sandbox/bootstrap", nil, Options{Repeatable: true})
	for err == nil && sandbox["canCreateShipment"] != true {
		time.Sleep(time.Second)
		sandbox, err = mirsal.Call("GET", "/v2/external/sandbox/readiness", nil, Options{})
	}
	if err != nil {
		return err
	}
	order := Object{"pickup": sandbox["pickup"], "delivery": sandbox["delivery"], "destinationCityCode": sandbox["destinationCityCode"]}
	price, err := mirsal.Call("POST", "/v2/external/shipment-price-estimates", order, Options{Repeatable: true})
	if err != nil {
		return err
	}
	fmt.Printf("The delivery costs %v %v with VAT.\n", price["totalAmount"], price["currency"])

	random := make([]byte, 12)
	if _, err := crand.Read(random); err != nil {
		return err
	}
	orderNumber := fmt.Sprintf("order-%x", random)
	delivery, _ := sandbox["delivery"].(map[string]any)
	tomorrow := time.Now().UTC().Add(24 * time.Hour)
	shipment, err := mirsal.CreateShipment(Object{
		"externalReference":  orderNumber,
		"branchCode":         sandbox["branchCode"],
		"pickupLocationCode": sandbox["pickupLocationCode"],
		"recipient":          Object{"name": "Sara Al-Harbi", "phone": "0512345678"},
		"destination": Object{
			"addressLine": "2929 King Fahd Road",
			"cityCode":    sandbox["destinationCityCode"],
			"latitude":    delivery["latitude"],
			"longitude":   delivery["longitude"],
		},
		"declaredValue":     json.Number("180.50"),
		"codAmount":         json.Number("0"),
		"currency":          "SAR",
		"paymentMethod":     "PREPAID",
		"pickupWindowStart": tomorrow.Format(time.RFC3339),
		"pickupWindowEnd":   tomorrow.Add(3 * time.Hour).Format(time.RFC3339),
		"items":             []Object{{"description": "Coffee beans", "quantity": 2, "weightKilograms": json.Number("1.05")}},
		"requirements":      []string{},
	}, "create-"+orderNumber)
	if err != nil {
		return err
	}
	fmt.Printf("Created %v (%v).\n", shipment["shipmentNumber"], shipment["shipmentId"])

	id, _ := shipment["shipmentId"].(string)
	scenario := Object{"name": "HAPPY_PATH", "stepSeconds": 1}
	if _, err := mirsal.Call("POST", "/v2/external/sandbox/shipments/"+id+"/scenarios", scenario, Options{}); err != nil {
		return err
	}
	for state := ""; state != "DELIVERED" && state != "DELIVERY_FAILED" && state != "CANCELLED"; {
		time.Sleep(time.Second)
		latest, err := mirsal.Call("GET", "/v2/external/shipments/"+id, nil, Options{})
		if err != nil {
			return err
		}
		if latest["state"] != state {
			state, _ = latest["state"].(string)
			fmt.Println(state)
		}
	}
	return nil
}

func main() {
	names := []string{"MIRSAL_URL", "MIRSAL_CLIENT_ID", "MIRSAL_CLIENT_SECRET"}
	values := make([]string, len(names))
	for index, name := range names {
		if values[index] = os.Getenv(name); values[index] == "" {
			fmt.Fprintf(os.Stderr, "Set %s first.\n", name)
			os.Exit(1)
		}
	}
	if err := FirstShipment(NewMirsal(values[0], values[1], values[2])); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
