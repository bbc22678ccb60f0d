// Command mirsal calls the Mirsal shipment service. Go 1.19 or newer, standard library only: copy this file into your
// project.
//
//	go run mirsal.go    creates a first shipment in a sandbox and waits until it is delivered
//
// It needs MIRSAL_URL, MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET in the environment.
package main

import (
	"bytes"
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	retries = 4
	timeout = 30 * time.Second
	// A longer Retry-After goes to the caller as an error.
	waitMax = time.Minute
	// A token is renewed this long before its end, so that it does not end on the way.
	tokenMargin      = time.Minute
	webhookTolerance = 5 * time.Minute
)

// Nothing was done, so every call can be repeated.
var notCarriedOut = map[string]bool{
	"RATE_LIMITED":                    true,
	"REQUEST_TIMEOUT":                 true,
	"IDEMPOTENCY_REQUEST_IN_PROGRESS": true,
	"ROUTING_PROVIDER_UNAVAILABLE":    true,
	"STORAGE_PROVIDER_UNAVAILABLE":    true,
}

// Required members of each operation's answer; 204 is an empty answer. The first row that fits counts. Answers of an
// operation without a row, such as a newer one, need X-Request-Id.
const shapes = `
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
`

// Members that are no text.
var kinds = map[string]string{
	"data": "list", "violations": "list", "page": "object", "metadata": "object", "expires_in": "number",
}

// Object is JSON with exact decimals: numbers are json.Number. Compute with big.Rat: new(big.Rat).SetString(n.String()).
type Object map[string]any

// Error is a refusal of the service. Decide by Code, log RequestID.
type Error struct {
	Status     int
	Code       string
	RequestID  string
	Problem    Object
	retryAfter time.Duration
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d %s: %v (request %s)", e.Status, e.Code, e.Problem["detail"], e.RequestID)
}

// NoAnswer says that the service did not answer, so the outcome is unknown. Proxies and captive portals answer too, often
// with 200. Make the same call again later, with the same key.
type NoAnswer struct {
	what       string
	cause      error
	retryAfter time.Duration
}

func (e *NoAnswer) Error() string {
	return e.what + ", so the outcome is unknown"
}

func (e *NoAnswer) Unwrap() error {
	return e.cause
}

// Options of a call. Key is the idempotency key; IfMatch an entity tag or *.
type Options struct {
	Key        string
	IfMatch    string
	Repeatable bool
}

// Mirsal is a connection for one OAuth client. Goroutines may share it.
type Mirsal struct {
	baseURL, clientID, clientSecret string
	http                            *http.Client
	mutex                           sync.Mutex
	token                           string
	tokenEnd                        time.Time
}

func NewMirsal(baseURL, clientID, clientSecret string) *Mirsal {
	client := &http.Client{
		Timeout: timeout,
		// A redirect could send a secret to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Mirsal{baseURL: strings.TrimRight(baseURL, "/"), clientID: clientID, clientSecret: clientSecret, http: client}
}

// CreateShipment creates a shipment. Store the key with your order before the call, and use it again after any failure.
func (m *Mirsal) CreateShipment(order Object, key string) (Object, error) {
	return m.Call("POST", "/v2/external/shipments", order, Options{Key: key})
}

// Call returns the parsed answer of an operation that answers JSON, or nil if it answers nothing. After a lost answer it
// repeats the call if that is safe: a GET, a call with an idempotency key or with one version in IfMatch, or one that the
// caller says is repeatable. The error is an *Error for a refusal, and a *NoAnswer if the outcome is unknown.
func (m *Mirsal) Call(method, path string, body any, options Options) (Object, error) {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	isSafe := method == "GET" || options.Key != "" || (options.IfMatch != "" && options.IfMatch != "*") || options.Repeatable
	header := http.Header{}
	if body != nil {
		header.Set("Content-Type", "application/json")
	}
	if options.Key != "" {
		header.Set("Idempotency-Key", options.Key)
	}
	if options.IfMatch != "" {
		header.Set("If-Match", options.IfMatch)
	}
	for isLast := false; ; isLast = true {
		token, err := m.accessToken()
		if err != nil {
			return nil, err
		}
		header.Set("Authorization", "Bearer "+token)
		answer, err := repeat(func() (Object, error) { return m.exchange(method, path, data, header) }, isSafe)
		var refusal *Error
		if isLast || !errors.As(err, &refusal) || refusal.Status != http.StatusUnauthorized {
			return answer, err
		}
		m.mutex.Lock()
		m.token = ""
		m.mutex.Unlock()
	}
}

func (m *Mirsal) accessToken() (string, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.token != "" && time.Now().Before(m.tokenEnd) {
		return m.token, nil
	}
	form := []byte(url.Values{"grant_type": {"client_credentials"}}.Encode())
	pair := base64.StdEncoding.EncodeToString([]byte(m.clientID + ":" + m.clientSecret))
	header := http.Header{"Authorization": {"Basic " + pair}, "Content-Type": {"application/x-www-form-urlencoded"}}
	answer, err := repeat(func() (Object, error) { return m.exchange("POST", "/oauth/token", form, header) }, true)
	if err != nil {
		return "", err
	}
	token, _ := answer["access_token"].(string)
	lifetime, _ := answer["expires_in"].(json.Number)
	seconds, err := lifetime.Int64()
	if err != nil {
		return "", err
	}
	m.token, m.tokenEnd = token, time.Now().Add(time.Duration(seconds)*time.Second-tokenMargin)
	return token, nil
}

func repeat(send func() (Object, error), isSafe bool) (Object, error) {
	for attempt := 0; ; attempt++ {
		answer, err := send()
		if err == nil {
			return answer, nil
		}
		// Half of the delay is random, so that clients that failed together do not come back together.
		delay := time.Duration(float64(time.Second<<attempt) * (0.5 + rand.Float64()/2))
		mayRepeat, retryAfter := false, time.Duration(0)
		var refusal *Error
		var noAnswer *NoAnswer
		if errors.As(err, &noAnswer) {
			mayRepeat, retryAfter = isSafe, noAnswer.retryAfter
		} else if errors.As(err, &refusal) {
			isUnknown := refusal.Status == 408 || refusal.Status >= 500 && refusal.Status <= 504 && refusal.Status != 501
			mayRepeat, retryAfter = notCarriedOut[refusal.Code] || (isUnknown && isSafe), refusal.retryAfter
		}
		if retryAfter > delay {
			delay = retryAfter
		}
		if !mayRepeat || attempt == retries || delay > waitMax {
			return nil, err
		}
		time.Sleep(delay)
	}
}

func (m *Mirsal) exchange(method, path string, data []byte, header http.Header) (Object, error) {
	request, err := http.NewRequest(method, m.baseURL+path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	request.Header = header
	operation := method + " " + path
	response, err := m.http.Do(request)
	if err != nil {
		return nil, &NoAnswer{what: fmt.Sprintf("no answer to %s (%v)", operation, err), cause: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, &NoAnswer{what: fmt.Sprintf("no whole answer to %s (%v)", operation, err), cause: err}
	}
	status, id := response.StatusCode, response.Header.Get("X-Request-Id")
	value, err := FromJSON(text)
	if err != nil {
		value = nil
	}
	if isSuccess(operation, status, value, id) {
		return value, nil
	}
	code, hasCode := value["code"].(string)
	seconds, _ := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 31)
	retryAfter := time.Duration(seconds) * time.Second
	if status >= 400 && hasCode {
		return nil, &Error{Status: status, Code: code, RequestID: id, Problem: value, retryAfter: retryAfter}
	}
	what := fmt.Sprintf("the response to %s with status %d is not from the service", operation, status)
	return nil, &NoAnswer{what: what, retryAfter: retryAfter}
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
