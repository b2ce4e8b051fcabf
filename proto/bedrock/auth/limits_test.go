package auth

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestConnectionRequestWithoutExactlyTwoPartsIsRefused(t *testing.T) {
	good := validLogin(t).request(t)
	b := good.Append([]byte{7})
	got, err := ParseConnectionRequest(b[1:])
	if b[0] != 7 || err != nil || !bytes.Equal(got.Identity, good.Identity) || !bytes.Equal(got.ClientData, good.ClientData) {
		t.Fatalf("read back: %v", err)
	}
	b = b[1:]
	for n := range len(b) {
		if _, err := ParseConnectionRequest(b[:n]); !errors.Is(err, ErrRequest) || !errors.Is(err, wire.ErrShort) {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
	if _, err := ParseConnectionRequest(append(b, 0)); !errors.Is(err, ErrRequest) || !errors.Is(err, wire.ErrTrailing) {
		t.Errorf("with a trailing byte: %v", err)
	}
	for name, sizes := range map[string][2]int32{
		"identity of -1": {-1, 0}, "client data of -1": {0, -1}, "identity of 2 GiB": {1<<31 - 1, 0},
		"client data of 2 GiB": {0, 1<<31 - 1}, "smallest i32": {-1 << 31, 0},
	} {
		b := append(wire.I32(wire.I32(nil, sizes[0]), sizes[1]), make([]byte, 100)...)
		if _, err := ParseConnectionRequest(b); !errors.Is(err, ErrRequest) || RefusalName(err) != "request" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTokenAboveTwoMegabytesIsRefused(t *testing.T) {
	ten := strings.Repeat("A", 10<<20)
	l := validLogin(t)
	good := l.request(t)
	for name, req := range map[string]ConnectionRequest{
		"identity of 10 MB":    {[]byte(`{"Token":"` + ten + `"}`), good.ClientData},
		"client data of 10 MB": {good.Identity, []byte(ten)},
		"client data, one byte too many": {good.Identity,
			append(bytes.Clone(good.ClientData), make([]byte, MaxToken+1-len(good.ClientData))...)},
		"identity, one byte too many": {append(bytes.Clone(good.Identity),
			bytes.Repeat([]byte{' '}, MaxIdentity+1-len(good.Identity))...), good.ClientData},
	} {
		expectRefusal(t, name, req, LoginPolicy{}, ErrSize)
		if _, err := ParseConnectionRequest(req.Append(nil)); !errors.Is(err, ErrSize) {
			t.Errorf("%s: parsed with %v", name, err)
		}
	}
	at := ConnectionRequest{append(bytes.Clone(good.Identity), bytes.Repeat([]byte{' '}, MaxIdentity-len(good.Identity))...), good.ClientData}
	if _, _, err := verifyOffline(at); err != nil {
		t.Errorf("identity at the limit: %v", err)
	}
}

func TestLoginOf750KilobytesIsAccepted(t *testing.T) {
	l := validLogin(t)
	l.data = with(l.data, object{"SkinImageWidth": 512, "SkinImageHeight": 256,
		"SkinData": base64.StdEncoding.EncodeToString(make([]byte, 4*512*256))})
	if _, client, err := verifyOffline(l.request(t)); err != nil || len(client.Skin.Image.Pixels) != 4*512*256 {
		t.Errorf("%d bytes, %v", len(client.Skin.Image.Pixels), err)
	}
}

func nested(depth int, open, shut string) []byte {
	return []byte(strings.Repeat(open, depth) + "1" + strings.Repeat(shut, depth))
}

func TestJSONDeeperThanSixteenLevelsIsRefused(t *testing.T) {
	for depth := 1; depth <= 40_000; depth *= 2 {
		for _, b := range [][]byte{nested(depth, "[", "]"), nested(depth, `{"a":`, "}")} {
			if err := checkLimits(b); (err == nil) != (depth <= MaxDepth) || err != nil && !errors.Is(err, ErrDepth) {
				t.Errorf("%d deep: %v", depth, err)
			}
		}
	}
	if err := checkLimits(nested(MaxDepth+1, "[", "]")); !errors.Is(err, ErrDepth) {
		t.Error(err)
	}
	if err := checkLimits([]byte(`"` + strings.Repeat(`[\"{`, 100) + `"`)); err != nil {
		t.Errorf("brackets in a string: %v", err)
	}
	l, deep := validLogin(t), nested(17, `{"a":`, "}")
	req := l.request(t)
	expectRefusal(t, "identity", ConnectionRequest{deep, req.ClientData}, LoginPolicy{}, ErrDepth)
	expectRefusal(t, "client data", ConnectionRequest{req.Identity, []byte(makeToken(t, l.header, deep, l.sign))}, LoginPolicy{}, ErrDepth)
	for name, token := range map[string]string{
		"header": makeToken(t, deep, l.claims, l.sign), "claims": makeToken(t, l.header, deep, l.sign),
	} {
		l.envelope = with(l.envelope, object{"Token": token})
		expectRefusal(t, name, l.request(t), LoginPolicy{}, ErrDepth)
	}
}

func TestJSONWithTooManyValuesIsRefused(t *testing.T) {
	many := []byte("[" + strings.Repeat("0,", maxValues) + "0]")
	if err := checkLimits(many); err != nil {
		t.Error(err)
	}
	if err := checkLimits(append([]byte("[0,"), many[1:]...)); !errors.Is(err, ErrDepth) {
		t.Error(err)
	}
}

// Duplicate JSON names are legal in the claims (payload) of a token, but not in its header:
// TestTokenWithoutThreePartsIsRefused tests that headers with duplicate names are refused.
func TestLastOfDuplicateJSONNamesIsUsed(t *testing.T) {
	l := validLogin(t)
	key := formatKey(t, l.key)
	said := fmt.Sprintf(`{"xname":"First","cpk":"","xname":"Last","cpk":%q,"exp":1,"exp":%d}`, key, now)
	token := makeToken(t, l.header, []byte(said), l.sign)
	data := makeToken(t, l.header, []byte(`{"SkinImageWidth":9,"SkinImageWidth":1,"SkinImageHeight":1,"SkinData":"AAAAAA==","GameVersion":"1","GameVersion":"2"}`), l.sign)
	identity := fmt.Sprintf(`{"AuthenticationType":0,"Token":"x","Token":%q,"AuthenticationType":2}`, token)
	who, client, err := verifyOffline(ConnectionRequest{[]byte(identity), []byte(data)})
	if err != nil || who.Name != "Last" || client.GameVersion != "2" {
		t.Errorf("identity %+v, game version %q, error %v", who, client.GameVersion, err)
	}
}

func TestJSONMemberNamesAreCaseSensitive(t *testing.T) {
	l := validLogin(t)
	l.claims = with(l.claims, object{"XNAME": "Root", "Cpk": "", "EXP": 1})
	if who, _, err := verifyOffline(l.request(t)); err != nil || who.Name != "Anon" {
		t.Errorf("identity %+v, error %v", who, err)
	}
}

func TestSkinWithInvalidSizeIsRefused(t *testing.T) {
	std := base64.StdEncoding.EncodeToString
	skin := func(w, h, bytes int) object {
		return object{"SkinImageWidth": w, "SkinImageHeight": h, "SkinData": std(make([]byte, bytes))}
	}
	for name, c := range map[string]struct {
		data object
		want *Refusal
	}{
		"a pixel":                  {skin(1, 1, 4), nil},
		"the largest":              {skin(512, 512, 4*512*512), nil},
		"too wide":                 {skin(513, 1, 4*513), ErrSkin},
		"too high":                 {skin(1, 513, 4*513), ErrSkin},
		"one byte too few":         {skin(8, 8, 255), ErrSkin},
		"one byte too many":        {skin(8, 8, 257), ErrSkin},
		"no image":                 {skin(0, 0, 0), ErrSkin},
		"negative":                 {skin(-8, -8, 256), ErrSkin},
		"size overflows":           {skin(1<<31, 1<<31, 0), ErrSkin},
		"width overflows":          {skin(1<<62, 1, 0), ErrSkin},
		"number too large":         {object{"SkinImageWidth": 1e30}, ErrJSON},
		"URL-safe base64":          {object{"SkinData": "____"}, ErrJSON},
		"valid cape":               {object{"CapeImageWidth": 2, "CapeImageHeight": 1, "CapeData": std(make([]byte, 8))}, nil},
		"cape size without data":   {object{"CapeImageWidth": 2, "CapeImageHeight": 1}, ErrSkin},
		"cape data without a size": {object{"CapeData": "AAAA"}, ErrSkin},
		"valid animation": {object{"AnimatedImageData": []object{{"ImageWidth": 1, "ImageHeight": 2, "Frames": 2.0, "Type": 1,
			"AnimationExpression": 1, "Image": std(make([]byte, 8))}}}, nil},
		"animation size without data": {object{"AnimatedImageData": []object{{"ImageWidth": 1, "ImageHeight": 2}}}, ErrSkin},
		"too many animations":         {object{"AnimatedImageData": make([]object, maxAnimations+1)}, ErrSkin},
		"too many pieces":             {object{"PersonaPieces": make([]object, maxPieces+1)}, ErrSkin},
		"too many tints":              {object{"PieceTintColors": make([]object, maxPieces+1)}, ErrSkin},
		"too many colours in a tint":  {object{"PieceTintColors": []object{{"Colors": make([]string, maxColours+1)}}}, ErrSkin},
		"piece is not an object":      {object{"PersonaPieces": []int{1}}, ErrJSON},
	} {
		l := validLogin(t)
		l.data = with(l.data, c.data)
		if c.want != nil {
			expectRefusal(t, name, l.request(t), LoginPolicy{}, c.want)
		} else if _, _, err := verifyOffline(l.request(t)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	l := validLogin(t)
	req := l.request(t)
	for name, said := range map[string]string{"a list": "[]", "null": "null", "string": `"{"`} {
		req.ClientData = []byte(makeToken(t, l.header, []byte(said), l.sign))
		expectRefusal(t, name, req, LoginPolicy{}, ErrJSON)
	}
}

func TestClientTextsAreTruncatedAndSanitized(t *testing.T) {
	l := validLogin(t)
	l.data = with(l.data, object{"DeviceModel": strings.Repeat("ü", 10_000), "DeviceId": "\xff\xfe"})
	_, client, err := verifyOffline(l.request(t))
	if err != nil || client.DeviceModel != strings.Repeat("ü", MaxClientText/2) || !strings.HasPrefix(client.DeviceID, "\ufffd") {
		t.Errorf("%d bytes, %q, %v", len(client.DeviceModel), client.DeviceID, err)
	}
}

// Parsing a login allocates at most a small multiple of the login's size, for any content.
func TestLoginParsingAllocatesAtMostTwelveTimesLoginSize(t *testing.T) {
	l := validLogin(t)
	good := l.request(t)
	const size = 300_000
	fill := func(unit string) []byte {
		return []byte(`{"a":[` + strings.Repeat(unit, size/len(unit)) + `0]}`)
	}
	for name, claims := range map[string][]byte{
		"one text":     []byte(`{"a":"` + strings.Repeat("x", size) + `"}`),
		"escapes":      []byte(`{"DeviceModel":"` + strings.Repeat(`\u0041`, size/6) + `"}`),
		"numbers":      fill("1,"),
		"empty lists":  fill("[],"),
		"empty names":  []byte(`{` + strings.Repeat(`"":0,`, size/5) + `"":0}`),
		"open lists":   bytes.Repeat([]byte("["), size),
		"quotes":       bytes.Repeat([]byte(`"`), size),
		"zero bytes":   make([]byte, size),
		"empty pieces": []byte(`{"PersonaPieces":[` + strings.Repeat("{},", 4000) + `{}]}`),
	} {
		req := ConnectionRequest{good.Identity, []byte(makeToken(t, l.header, claims, l.sign))}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := verifyOffline(req)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 12*size || err == nil || RefusalName(err) == "other" {
			t.Errorf("%s: %d bytes allocated, %v", name, used, err)
		}
	}
}

func TestNamesOfLoginRefusalsAreUniqueAndFoundInWrappedErrors(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Refusals() {
		if seen[r.Name()] || r.Name() == "" || strings.Trim(r.Name(), "abcdefghijklmnopqrstuvwxyz_") != "" {
			t.Errorf("refusal name %q", r.Name())
		}
		seen[r.Name()] = true
		if RefusalName(fmt.Errorf("around: %w", r)) != r.Name() {
			t.Errorf("%q is not found in a wrapping error", r.Name())
		}
	}
	if RefusalName(errors.New("else")) != "other" || RefusalName(nil) != "other" {
		t.Error("error that is not a Refusal has a name")
	}
}
