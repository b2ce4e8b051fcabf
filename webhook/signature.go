package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Headers of a request to a receiver.
const (
	HeaderEvent     = "Truestep-Event"     // kind of the event, Event.Kind
	HeaderTimestamp = "Truestep-Timestamp" // time of this attempt: seconds since 1970 in decimal
	HeaderSignature = "Truestep-Signature" // see Sign; missing if the receiver has no secret
)

// Sign returns the value of HeaderSignature: for each secret, "v1=" followed by the HMAC-SHA256 of the timestamp, a
// full stop and the body, in lower-case hexadecimal. The signatures are separated by commas. The parameter timestamp is
// the value of HeaderTimestamp.
func Sign(secrets [][]byte, timestamp string, body []byte) string {
	parts := make([]string, len(secrets))
	for i, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(timestamp + "."))
		mac.Write(body)
		parts[i] = "v1=" + hex.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(parts, ",")
}

func formatTimestamp(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }
