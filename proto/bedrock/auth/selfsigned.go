package auth

import (
	"bytes"
	"crypto/ecdsa"
	"encoding/json"
)

// SelfSignedLogin is the login of a player without an Xbox account: the client signs the tokens itself. The bedrock-protocol
// npm client calls this mode offline.
type SelfSignedLogin struct {
	Name   string            // player name
	Key    *ecdsa.PrivateKey // P-384 key, which the session needs again for the handshake
	Now    int64             // present time in seconds since 1970; the login is valid for one hour from then on
	Client ClientData        // client data to send; a plain skin is added if the data have no skin image
	Chain  bool              // use the format of protocols before 944
}

// selfSignedSeconds is the time for which a self-signed login is valid. The bedrock-protocol npm client uses the same time.
const selfSignedSeconds = 60 * 60

// Append appends the connection request of a Login packet to b and returns the extended slice. Signatures are randomized,
// so two calls return different bytes. Errors wrap ErrKey, or ErrName if servers would refuse s.Name.
func (s SelfSignedLogin) Append(b []byte) ([]byte, error) {
	if _, err := cleanName(s.Name); err != nil {
		return b, err
	}
	identity, err := s.identity()
	if err != nil {
		return b, err
	}
	client := s.Client
	if len(client.Skin.Image.Pixels) == 0 {
		client.Skin = plainSkin()
	}
	data, err := sign(s.Key, client.fields(s.Name))
	if err != nil {
		return b, err
	}
	return ConnectionRequest{identity, []byte(data)}.Append(b), nil
}

// identity builds the identity JSON of a self-signed login: with a single token or, if s.Chain is true, with a chain that
// consists of one token.
func (s SelfSignedLogin) identity() ([]byte, error) {
	if s.Key == nil {
		return nil, ErrKey
	}
	key, err := FormatPublicKey(&s.Key.PublicKey)
	if err != nil {
		return nil, err
	}
	id := formatUUID(OfflineUUID(s.Name))
	claims := map[string]any{"iat": s.Now, "nbf": s.Now, "exp": s.Now + selfSignedSeconds, "iss": "self"}
	if s.Chain {
		claims["identityPublicKey"] = key
		claims["certificateAuthority"] = true
		claims["extraData"] = map[string]string{"displayName": s.Name, "identity": id, "XUID": "0"}
	} else {
		claims["cpk"], claims["xid"], claims["xname"], claims["identity"], claims["aud"] = key, "0", s.Name, id, audience
	}
	text, err := sign(s.Key, claims)
	if err != nil {
		return nil, err
	}
	if s.Chain {
		return writeIdentity("", text)
	}
	return writeIdentity(text, "")
}

// writeIdentity builds the identity JSON of a self-signed login. The caller passes either a token or the tokens of a chain, not
// both.
func writeIdentity(token string, chain ...string) ([]byte, error) {
	certificate, err := json.Marshal(map[string][]string{"chain": chain})
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"Certificate": string(certificate), "AuthenticationType": typeSelfSigned, "Token": token})
}

// plainSkin returns a minimal skin that servers accept: 64 x 64 pixels of one colour on the standard body.
func plainSkin() Skin {
	const side = 64
	return Skin{
		ID:            "plain",
		Image:         SkinImage{side, side, bytes.Repeat([]byte{0x7f, 0x9f, 0xbf, 0xff}, side*side)},
		ResourcePatch: []byte(`{"geometry":{"default":"geometry.humanoid.custom"}}`),
		ArmSize:       "wide",
		Colour:        "#0",
	}
}
