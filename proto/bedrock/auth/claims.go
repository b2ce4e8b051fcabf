package auth

import (
	"encoding/json"
	"fmt"
	"slices"
)

// claims holds those claims of an identity token that this package uses.
type claims struct {
	dates    dates                             // claims nbf and exp, the validity dates
	audience json.RawMessage                   // claim aud, a string or a list of strings; nil if absent
	issuer   string                            // claim iss, the issuer of the token
	key      string                            // claim cpk, the player's public key
	name     string                            // claim xname, the player's name
	xuid     string                            // claim xid, the number of the Xbox account
	uuid     string                            // claim leguuid, the UUID of the player
	nextKey  string                            // claim identityPublicKey, the key of the next token or of the player
	extra    struct{ name, xuid, uuid string } // claim extraData of older formats, in place of xname, xid and leguuid
}

// claims verifies the signature of the token with the given key, and returns the token's claims.
func (t token) claims(key any) (c claims, err error) {
	b, err := t.verify(key)
	if err != nil {
		return c, err
	}
	err = eachMember(b, c.read)
	return c, err
}

func (c *claims) read(name string, value []byte) (err error) {
	switch name {
	case "exp":
		c.dates.hasExpiry = true
		c.dates.expires, err = readSeconds(value)
	case "nbf":
		c.dates.begins, err = readSeconds(value)
	case "aud":
		c.audience = value
	case "iss":
		err = readJSON(value, &c.issuer)
	case "cpk":
		err = readJSON(value, &c.key)
	case "xname":
		err = readJSON(value, &c.name)
	case "xid":
		err = readJSON(value, &c.xuid)
	case "leguuid":
		err = readJSON(value, &c.uuid)
	case "identityPublicKey":
		err = readJSON(value, &c.nextKey)
	case "extraData":
		err = eachMember(value, c.readExtra)
	}
	return err
}

func (c *claims) readExtra(name string, value []byte) error {
	switch name {
	case "displayName":
		return readJSON(value, &c.extra.name)
	case "XUID":
		return readJSON(value, &c.extra.xuid)
	case "identity":
		return readJSON(value, &c.extra.uuid)
	}
	return nil
}

// hasAudience reports whether the audience claim, a string or a list, contains name.
func (c *claims) hasAudience(name string) bool {
	var several []string
	if readJSON(c.audience, &several) == nil {
		return slices.Contains(several, name)
	}
	var one string
	return readJSON(c.audience, &one) == nil && one == name
}

// ClockLeeway is the tolerated difference between the clocks of a client and a server (rule VE-1 of
// docs/wire/bedrock.md).
const ClockLeeway = 60 // seconds

// dates are the validity dates of a token, in seconds since 1970.
type dates struct {
	begins, expires int64 // first and last second of the validity; 0 if absent
	hasExpiry       bool  // the token has an expiry date
}

// check returns an error if a token is not valid yet or has expired, or if it has no expiry date although needsExpiry is
// true. Errors wrap ErrNotYet or ErrExpired.
func (d dates) check(nowUnix int64, needsExpiry bool) error {
	switch {
	case d.begins > nowUnix+ClockLeeway:
		return fmt.Errorf("token is not valid before Unix time %d s, but the time is %d s: %w", d.begins, nowUnix, ErrNotYet)
	case d.hasExpiry && d.expires < nowUnix-ClockLeeway:
		return fmt.Errorf("token expired at Unix time %d s, but the time is %d s: %w", d.expires, nowUnix, ErrExpired)
	case !d.hasExpiry && needsExpiry:
		return fmt.Errorf("token has no expiry date: %w", ErrExpired)
	}
	return nil
}
