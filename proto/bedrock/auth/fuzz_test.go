package auth

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"testing"
)

func FuzzParseRequest(f *testing.F) {
	f.Add(capturedLogin(f, "login_2169").Append(nil))
	f.Add(ConnectionRequest{}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		req, err := ParseConnectionRequest(b)
		if err != nil {
			if RefusalName(err) == "other" {
				t.Fatal(err)
			}
			return
		}
		if again := req.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
		if _, _, err := verifyOffline(req); err != nil && RefusalName(err) == "other" {
			t.Fatal(err)
		}
	})
}

func FuzzIdentity(f *testing.F) {
	for _, name := range []string{"login_2169", "login_2193", "login_chain"} {
		f.Add(capturedLogin(f, name).Identity)
	}
	f.Add([]byte(`{"AuthenticationType":0,"Token":"MCToken a.b.c","Certificate":"{\"chain\":[\"a\",\"b\",\"c\"]}"}`))
	f.Add([]byte(`{"chain":["a.b.c"]}`))
	online := LoginPolicy{Online: true, Keys: &XboxKeys{Root: &testKey(f, 3).PublicKey}}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, policy := range []LoginPolicy{{}, online} {
			who, err := verifyIdentity(b, policy, now)
			if err == nil && (who.Key == nil || who.Name == "" || policy.Online) {
				t.Fatalf("identity %+v", who)
			}
			if err != nil && RefusalName(err) == "other" {
				t.Fatal(err)
			}
		}
	})
}

// FuzzClaims parses arbitrary claims in correctly signed tokens.
func FuzzClaims(f *testing.F) {
	l := validLogin(f)
	for _, c := range []object{l.claims, l.data, {"extraData": object{"XUID": "1"}}} {
		f.Add(mustJSON(f, c))
	}
	f.Add([]byte(` { "a" : [ 1 , { } ] , "exp" : 1e5 , "\u0061ud" : [ ] } `))
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := checkLimits(b); err != nil {
			if RefusalName(err) == "other" {
				t.Fatal(err)
			}
			return
		}
		var c claims
		seen := map[string]json.RawMessage{}
		err := eachMember(b, func(name string, value []byte) error {
			seen[name] = bytes.TrimSpace(value)
			return nil
		})
		var want map[string]json.RawMessage
		if wantErr := json.Unmarshal(b, &want); (err == nil) != (wantErr == nil && want != nil) {
			t.Fatalf("members: %v, the standard library: %v", err, wantErr)
		}
		for name, value := range want {
			if err == nil && (len(seen) != len(want) || !bytes.Equal(seen[name], value)) {
				t.Fatalf("%q is %s, want %s", name, seen[name], value)
			}
		}
		if err := eachMember(b, c.read); err != nil && RefusalName(err) == "other" {
			t.Fatal(err)
		}
		if _, err := parseClientData(b); err != nil && RefusalName(err) == "other" {
			t.Fatal(err)
		}
	})
}

func FuzzParseHandshake(f *testing.F) {
	text, err := NewHandshake(testKey(f, 7), make([]byte, 16))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add("e30.e30.AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		key, salt, err := ParseHandshake(text)
		if err != nil && RefusalName(err) == "other" || err == nil && (key == nil || len(salt) == 0 || len(salt) > MaxSalt) {
			t.Fatalf("key %v, salt %x, error %v", key, salt, err)
		}
	})
}

func FuzzParseKey(f *testing.F) {
	f.Add(formatKey(f, testKey(f, 1)))
	f.Add(base64.StdEncoding.EncodeToString(append([]byte(keyPrefix), make([]byte, 97)...)))
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParsePublicKey(text)
		if err != nil {
			return
		}
		if again, err := FormatPublicKey(key); err != nil || again != text {
			t.Fatalf("accepted %s but wrote %s, %v", text, again, err)
		}
	})
}

func FuzzOpenerAcceptsOnlySealedBytes(f *testing.F) {
	f.Add(NewSealer([32]byte{1}).Seal(nil, []byte{0xff, 1, 4}), false)
	f.Add([]byte{1, 2, 3}, true)
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		o := NewOpener([32]byte{1})
		if !seal || len(b) == 0 {
			if plain, err := o.Open(bytes.Clone(b)); err == nil {
				if again := NewSealer([32]byte{1}).Seal(nil, plain); !bytes.Equal(again, b) {
					t.Fatalf("accepted %x but wrote %x", b, again)
				}
			}
			return
		}
		if plain, err := o.Open(NewSealer([32]byte{1}).Seal(nil, b)); err != nil || !bytes.Equal(plain, b) {
			t.Fatalf("%x came back as %x, %v", b, plain, err)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	l := validLogin(b)
	small := l.request(b)
	l.data = with(l.data, object{"SkinImageWidth": 256, "SkinImageHeight": 256, "Filler": string(bytes.Repeat([]byte("x"), 90_000)),
		"SkinData": base64.StdEncoding.EncodeToString(make([]byte, 4*256*256))})
	for name, req := range map[string]ConnectionRequest{"bytes=2k": small, "bytes=587k": l.request(b)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := verifyOffline(req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
