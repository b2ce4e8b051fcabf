package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// verify reports whether a message comes from the server. header and body are those of the HTTP request.
func verify(header http.Header, body, secret []byte, now time.Time) bool {
	stamp := header.Get("Truestep-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	want := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
	for part := range strings.SplitSeq(header.Get("Truestep-Signature"), ",") {
		if hmac.Equal([]byte(part), want) {
			return true
		}
	}
	return false
}
