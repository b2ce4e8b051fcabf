package dissect

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/truestep-io/truestep/proto/bedrock/auth"
)

// displayName returns the player's name that a login's connection request claims, or "" if it has none. The signature of the
// request is not verified.
func displayName(request []byte) string {
	req, err := auth.ParseConnectionRequest(request)
	if err != nil {
		return ""
	}
	var identity struct{ Token, Certificate string }
	if json.Unmarshal(req.Identity, &identity) != nil {
		return ""
	}
	var certificate struct{ Chain []string }
	_ = json.Unmarshal([]byte(identity.Certificate), &certificate) // after an error the chain is empty
	for _, token := range append(certificate.Chain, identity.Token) {
		if name := nameInToken(token); name != "" {
			return name
		}
	}
	return ""
}

func nameInToken(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	var claims struct {
		XName     string `json:"xname"`
		ExtraData struct {
			DisplayName string `json:"displayName"`
		} `json:"extraData"`
	}
	if json.Unmarshal(b, &claims) != nil {
		return ""
	}
	if claims.XName != "" {
		return claims.XName
	}
	return claims.ExtraData.DisplayName
}
