package auth

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"reflect"
	"testing"
)

// fullClientData returns client data with every field set.
func fullClientData() ClientData {
	return ClientData{
		GameVersion: "1.26.45", Language: "en_GB", DeviceModel: "model", DeviceID: "device", DeviceOS: 7, InputMode: 1,
		UIProfile: 1, ViewDistance: 8, MemoryTier: 3, PlatformType: 2, Server: "127.0.0.1:19132", SelfSignedID: "id", PlatformID: "p",
		Skin: Skin{
			ID: "skin", PlayFabID: "fab", CapeID: "cape", ArmSize: "slim", Colour: "#ffb37b62",
			Image: SkinImage{2, 1, []byte("12345678")}, Cape: SkinImage{1, 1, []byte("abcd")},
			ResourcePatch: []byte("{}"), Geometry: []byte("[]"), GeometryEngine: []byte("1.14.0"), AnimationData: []byte("x"),
			Animations: []SkinAnimation{{SkinImage{1, 1, []byte("ABCD")}, 1, 1.5, 1}},
			Pieces:     []PersonaPiece{{"piece", "type", "pack", "product", true}},
			Tints:      []PersonaTint{{"eyes", []string{"#0", "#1"}}},
			Premium:    true, Persona: true, CapeOnClassic: true, Trusted: true, Override: true,
		},
	}
}

func TestSelfSignedLoginIsVerified(t *testing.T) {
	key := testKey(t, 1)
	for _, chain := range []bool{false, true} {
		client := fullClientData()
		b, err := SelfSignedLogin{Name: "Anon", Key: key, Now: now, Client: client, Chain: chain}.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		req, err := ParseConnectionRequest(b)
		if err != nil {
			t.Fatal(err)
		}
		who, got, err := verifyOffline(req)
		if err != nil || who.Name != "Anon" || !who.Key.Equal(&key.PublicKey) {
			t.Fatalf("chain %v: %+v, %v", chain, who, err)
		}
		if !reflect.DeepEqual(got, client) {
			t.Errorf("chain %v:\n got %+v\nwant %+v", chain, got, client)
		}
	}
}

func TestSelfSignedLoginWithoutSkinGetsPlainSkin(t *testing.T) {
	b, err := SelfSignedLogin{Name: "Anon", Key: testKey(t, 1), Now: now}.Append([]byte{7})
	if err != nil || b[0] != 7 {
		t.Fatal(err)
	}
	req, err := ParseConnectionRequest(b[1:])
	if err != nil {
		t.Fatal(err)
	}
	_, client, err := verifyOffline(req)
	if err != nil || client.Skin.Image.Width != 64 || bytes.Contains(req.ClientData, []byte("null")) {
		t.Errorf("client data %+v, error %v", client, err)
	}
}

func TestSelfSignedLoginRequiresNameAndKey(t *testing.T) {
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		login SelfSignedLogin
		want  *Refusal
	}{
		"no name": {SelfSignedLogin{Key: testKey(t, 1)}, ErrName}, "no key": {SelfSignedLogin{Name: "Anon"}, ErrKey},
		"another curve": {SelfSignedLogin{Name: "Anon", Key: p256}, ErrKey},
	} {
		if b, err := c.login.Append(nil); len(b) != 0 || !errors.Is(err, c.want) {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
}
