package rs

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func sampleRSABlock() RSABlock {
	return RSABlock{Keys: Keys{1, 0xdeadbeef, 3, 4}, Password: "pässword", SSOKey: 5, Session: 6<<32 | 7}
}

func sampleDetails() LoginDetails {
	d := LoginDetails{
		Username: "Zezima €", Context: 255, WindowMode: WindowResizable, Width: 1024, Height: 768, Antialias: 2,
		Settings: "wwGlrZHF5gKN6D3mDdihco3oPeYN2KFybL9hUUFqOvk", Affiliate: 9,
		Options: []byte{25, 0, 1, 2, 3},
		Machine: MachineInfo{
			OS: 1, Is64Bit: 1, OSVersion: 7, Vendor: 1, Java: [3]uint8{6, 0, 24}, Heap: 247, CPUs: 4, Memory: 0x123456,
			Clock: 3000, Unknown: [3]uint8{1, 2, 3}, Texts: [4]string{"a", "", "Intel", "x"}, Unknown8: 8, Unknown16: 1616,
		},
		VerifyID: 77, UserFlow: 1 << 40, HasExtra: true, Extra: "more", Theora: 1, JavaScript: 1, HC: 0,
	}
	for i := range d.UID {
		d.UID[i] = 0xff
	}
	for i := range d.CRCs {
		d.CRCs[i] = uint32(i) * 0x01010101
	}
	return d
}

func TestLoginRequestRoundTrips(t *testing.T) {
	key := testKey(t)
	whole, err := AppendLogin([]byte("before"), &key.PublicKey, true, sampleRSABlock(), sampleDetails())
	if err != nil {
		t.Fatal(err)
	}
	stream := whole[len("before"):]
	for n := range stream {
		if _, _, used, err := SplitLogin(stream[:n]); used != 0 || err != nil {
			t.Fatalf("%d of %d bytes: %d used, %v", n, len(stream), used, err)
		}
	}
	request, body, n, err := SplitLogin(append(stream, 1, 2, 3))
	if request != RequestGame || n != len(stream) || err != nil {
		t.Fatalf("request %d of %d bytes, %v", request, n, err)
	}
	login, err := ParseLogin(body)
	if err != nil || login.Build != Revision || !login.Reconnect {
		t.Fatalf("%+v, %v", login, err)
	}
	if again := login.Append(nil); !bytes.Equal(again, body) {
		t.Errorf("outer part written as %x", again)
	}
	plain, err := key.Decrypt(login.RSA, nil)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := ParseRSABlock(plain)
	if err != nil || secret != sampleRSABlock() {
		t.Fatalf("%+v, %v", secret, err)
	}
	XTEADecrypt(secret.Keys, login.XTEA)
	if name, err := LoginName(login.XTEA); name != "Zezima €" || err != nil {
		t.Errorf("name %q, %v", name, err)
	}
	if details, err := ParseLoginDetails(login.XTEA); err != nil || !reflect.DeepEqual(details, sampleDetails()) {
		t.Errorf("%+v, %v", details, err)
	}
}

func TestLoginHasDocumentedBytes(t *testing.T) {
	p := Login{Build: Revision, RSA: []byte{1, 2}, XTEA: []byte{3}}
	if got := p.Append(nil); !bytes.Equal(got, unhex(t, "0000029b 00 0002 0102 03")) {
		t.Errorf("%x", got)
	}
	plain := RSABlock{Keys: Keys{1, 2, 3, 4}, Password: "pw", SSOKey: 5, Session: 6}.Append(nil)
	if want := unhex(t, "0a 00000001 00000002 00000003 00000004 0000000000000000 707700 0000000000000005 0000000000000006"); !bytes.Equal(plain, want) {
		t.Errorf("%x", plain)
	}
}

func TestLoginDetailsWithoutOptionalExtraTextRoundTrip(t *testing.T) {
	d := sampleDetails()
	with := len(d.Append(nil))
	d.HasExtra, d.Extra = false, ""
	b := d.Append(nil)
	if len(b) != with-len("more")-1 {
		t.Errorf("%d bytes, %d with it", len(b), with)
	}
	if got, err := ParseLoginDetails(b); err != nil || !reflect.DeepEqual(got, d) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestLoginParsersRefuseTruncatedInput(t *testing.T) {
	for name, c := range map[string]struct {
		whole []byte
		parse func([]byte) error
	}{
		"secret":  {sampleRSABlock().Append(nil), func(b []byte) error { _, err := ParseRSABlock(b); return err }},
		"details": {sampleDetails().Append(nil), func(b []byte) error { _, err := ParseLoginDetails(b); return err }},
		"welcome": {Welcome{Index: 7, MapOwner: "me"}.Append(nil), func(b []byte) error { _, err := ParseWelcome(b); return err }},
		"outer": {Login{RSA: []byte{1, 2, 3}}.Append(nil), func(b []byte) error {
			_, err := ParseLogin(b)
			return err
		}},
	} {
		if err := c.parse(c.whole); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for n := range c.whole {
			if err := c.parse(c.whole[:n]); !errors.Is(err, wire.ErrShort) {
				t.Errorf("%s: %d of %d bytes: %v", name, n, len(c.whole), err)
			}
		}
		if name != "outer" {
			if err := c.parse(append(c.whole, 0)); !errors.Is(err, wire.ErrTrailing) {
				t.Errorf("%s with a trailing byte: %v", name, err)
			}
		}
	}
	for _, zone := range []string{"", "name without a terminating 0"} {
		if name, err := LoginName([]byte(zone)); name != "" || !errors.Is(err, wire.ErrShort) {
			t.Errorf("%q: name %q, %v", zone, name, err)
		}
	}
}

func TestLoginParsersRefuseInvalidValues(t *testing.T) {
	change := func(b []byte, at int, v byte) []byte { b[at] = v; return b }
	for name, err := range map[string]error{
		"reconnect 2":               errOf(ParseLogin(unhex(t, "0000029b 02 0001 01"))),
		"empty rsa":                 errOf(ParseLogin(unhex(t, "0000029b 00 0000"))),
		"rsa longer than 513 bytes": errOf(ParseLogin(append(unhex(t, "0000029b 00 0202"), make([]byte, 0x202)...))),
		"block type":                errOf(ParseRSABlock(change(sampleRSABlock().Append(nil), 0, 11))),
		"password marker":           errOf(ParseRSABlock(change(sampleRSABlock().Append(nil), 24, 1))),
		"welcome index 0":           errOf(ParseWelcome(Welcome{}.Append(nil))),
		"welcome 2048":              errOf(ParseWelcome(Welcome{Index: 2048}.Append(nil))),
		"machine version":           errOf(ParseLoginDetails(change(LoginDetails{}.Append(nil), 38, 6))),
		"extra 2":                   errOf(ParseLoginDetails(change(LoginDetails{}.Append(nil), 81, 2))),
	} {
		if !errors.Is(err, wire.ErrRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, b := range [][]byte{{RequestJS5}, {18, 0, 1}, {RequestGame, 0x10, 0x01}, {RequestLobby, 0xff, 0xff}} {
		if _, _, n, err := SplitLogin(b); n != 0 || !errors.Is(err, wire.ErrRange) {
			t.Errorf("%x: %d, %v", b, n, err)
		}
	}
}

func errOf[T any](_ T, err error) error { return err }

func TestAppendLoginRefusesOversizedInput(t *testing.T) {
	key := &testKey(t).PublicKey
	long := sampleDetails()
	long.Settings = strings.Repeat("x", MaxLogin)
	secret := sampleRSABlock()
	secret.Password = strings.Repeat("x", 64)
	if b, err := AppendLogin([]byte{1}, key, false, sampleRSABlock(), long); len(b) != 1 || !errors.Is(err, wire.ErrRange) {
		t.Errorf("long details: %d bytes, %v", len(b), err)
	}
	if b, err := AppendLogin([]byte{1}, key, false, secret, sampleDetails()); len(b) != 1 || !errors.Is(err, wire.ErrRange) {
		t.Errorf("long password: %d bytes, %v", len(b), err)
	}
}

func TestLoginResponseCodeDeterminesSizeOfBody(t *testing.T) {
	for _, c := range []struct {
		code ResponseCode
		body int
		head string
		last bool
	}{
		{ResponseAdvert, 0, "01", false},
		{ResponseOK, 15, "02 0f", true},
		{ResponseCredentials, 0, "03", true},
		{ResponseReconnect, PlacementSize, "0f 1200", true},
		{ResponseHop, 1, "15", true},
		{ResponseBusy, 0, "17", true},
		{ResponseScript, 1, "1d", true},
		{ResponseQueue, 2, "2a", false},
		{ResponseInstanceRefused, 3, "2d", true},
		{200, 0, "c8", true},
	} {
		body := bytes.Repeat([]byte{0x77}, c.body)
		b := Response{Code: c.code, Body: body}.Append(nil)
		if want := append(unhex(t, c.head), body...); !bytes.Equal(b, want) {
			t.Errorf("code %d is %x, want %x", c.code, b, want)
		}
		for n := range b {
			if _, used, err := SplitResponse(b[:n]); used != 0 || err != nil {
				t.Fatalf("code %d with %d bytes: %d, %v", c.code, n, used, err)
			}
		}
		got, n, err := SplitResponse(append(b, 9))
		if got.Code != c.code || !bytes.Equal(got.Body, body) || n != len(b) || err != nil || c.code.IsFinal() != c.last {
			t.Errorf("code %d: %d of %d bytes, %v", c.code, n, len(b), err)
		}
	}
	if _, n, err := SplitResponse([]byte{15, 0x12, 0x01}); n != 0 || !errors.Is(err, wire.ErrRange) {
		t.Errorf("placement block of 4609 bytes: %d, %v", n, err)
	}
}

func TestLoginWelcomeHasDocumentedBytes(t *testing.T) {
	p := Welcome{
		StaffLevel: 2, PlayerLevel: 1, Underage: 0, ParentalChat: 3, ParentalAdvert: 4, QuickChatWorld: 0, Index: 2047,
		Member: 1, DateOfBirth: -2, MembersMap: 1, MapOwner: "Bob",
	}
	b := p.Append(nil)
	if want := unhex(t, "02 01 00 03 04 00 07ff 01 fffffe 01 426f6200"); !bytes.Equal(b, want) {
		t.Errorf("%x, want %x", b, want)
	}
	if got, err := ParseWelcome(b); err != nil || got != p {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFirstMapPacketIsSplitIntoPlacementBlockAndRebuildFields(t *testing.T) {
	b := append(bytes.Repeat([]byte{1}, 4608), 2, 3)
	placement, rebuild, err := SplitFirstMap(b)
	if err != nil || len(placement) != 4608 || !bytes.Equal(rebuild, []byte{2, 3}) {
		t.Errorf("%d and %x, %v", len(placement), rebuild, err)
	}
	if _, _, err := SplitFirstMap(b[:4607]); !errors.Is(err, wire.ErrShort) {
		t.Errorf("4607 bytes: %v", err)
	}
}

// FuzzLogin passes arbitrary bytes to every login parser: accepted input must be written back byte for byte.
func FuzzLogin(f *testing.F) {
	key := testKey(f)
	whole, err := AppendLogin(nil, &key.PublicKey, false, sampleRSABlock(), sampleDetails())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[3:])
	f.Add(sampleRSABlock().Append(nil))
	f.Add(sampleDetails().Append(nil))
	f.Add(LoginDetails{}.Append(nil))
	f.Add(Welcome{Index: 1}.Append(nil))
	f.Add(Response{Code: ResponseOK, Body: Welcome{Index: 1}.Append(nil)}.Append(nil))
	f.Add(Response{Code: ResponseReconnect, Body: make([]byte, PlacementSize)}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		same := func(what string, again []byte, from []byte) {
			if !bytes.Equal(again, from) {
				t.Fatalf("%s: accepted %x but wrote %x", what, from, again)
			}
		}
		if _, body, n, err := SplitLogin(b); err == nil && n > 0 {
			same("request", body, b[3:n])
		}
		if p, err := ParseLogin(b); err == nil {
			same("login", p.Append(nil), b)
		}
		if p, err := ParseRSABlock(b); err == nil {
			same("secret", p.Append(nil), b)
		}
		if p, err := ParseLoginDetails(b); err == nil {
			same("details", p.Append(nil), b)
			if name, err := LoginName(b); name != p.Username || err != nil {
				t.Fatalf("name %q, in the details %q, %v", name, p.Username, err)
			}
		}
		if p, err := ParseWelcome(b); err == nil {
			same("welcome", p.Append(nil), b)
		}
		if p, n, err := SplitResponse(b); err == nil && n > 0 {
			same("response", p.Append(nil), b[:n])
		}
	})
}
