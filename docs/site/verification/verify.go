package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 300 * time.Second

// Verify tells whether a request is ours. body: the bytes as they came; secrets: two during a rotation. An empty secret,
// such as an unset variable, is an error: leave an absent one out.
func Verify(header http.Header, body []byte, secrets []string) error {
	keys, err := keysOf(secrets)
	if err != nil {
		return err
	}
	id, err := only(header, "webhook-id")
	if err != nil {
		return err
	}
	timestamp, err := only(header, "webhook-timestamp")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || len(timestamp) > 12 || time.Since(time.Unix(int64(seconds), 0)).Abs() > tolerance {
		return errors.New("the timestamp is too old or too new")
	}
	signatures, err := only(header, "webhook-signature")
	if err != nil {
		return err
	}
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, given := range strings.Split(signatures, " ") {
			if hmac.Equal([]byte(given), []byte(expected)) {
				return nil
			}
		}
	}
	return errors.New("no signature matches")
}

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

// Names in any case. A proxy joins two lines with a comma and a space.
func only(header http.Header, name string) (string, error) {
	var values []string
	for given, lines := range header {
		if strings.EqualFold(given, name) {
			values = append(values, lines...)
		}
	}
	if len(values) != 1 || strings.Contains(values[0], ", ") {
		return "", errors.New("the request does not have one " + name)
	}
	return values[0], nil
}
