package rs

import (
	"math/big"
	"testing"
)

func BenchmarkFrame(b *testing.B) {
	w, r := NewFrameWriter(S2C, Keys{1}.ServerCipher()), NewFrameReader(S2C, Keys{1}.ServerCipher())
	buf, body := make([]byte, 0, MaxServerFrame), make([]byte, 500)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = w.Append(buf[:0], ServerPlayerInfo, body)
		if _, n, err := r.Next(buf); n == 0 || err != nil {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkChat(b *testing.B) {
	text := []byte("buying gf 10k, meet me at varrock west bank please")
	packed := ChatHuffman().Append(nil, text)
	b.Run("pack", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			packed = ChatHuffman().Append(packed[:0], text)
		}
	})
	b.Run("unpack", func(b *testing.B) {
		b.ReportAllocs()
		out := make([]byte, 0, MaxChatLength)
		for b.Loop() {
			out, _ = ChatHuffman().Parse(out[:0], packed, MaxChatLength)
		}
	})
}

func BenchmarkLogin(b *testing.B) {
	key := testKey(b)
	sealed, err := key.Encrypt(sampleRSABlock().Append(nil))
	if err != nil {
		b.Fatal(err)
	}
	for name, blind := range map[string]*big.Int{"rsa=512": nil, "rsa=512 blinded": big.NewInt(1<<62 + 1)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := key.Decrypt(sealed, blind); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("xtea", func(b *testing.B) {
		zone := sampleDetails().Append(nil)
		b.SetBytes(int64(len(zone)))
		for b.Loop() {
			XTEADecrypt(Keys{1, 2, 3, 4}, zone)
		}
	})
}
