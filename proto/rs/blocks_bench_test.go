package rs

import (
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

const line50 = "fifty characters of talk, as every benchmark has it"

func BenchmarkAppendInfo(b *testing.B) {
	for _, v := range []struct {
		name string
		in   *Info
	}{
		{"say=50", &Info{Has: InfoKindsOf(KindSay), Say: []byte(line50)[:50]}},
		{"blocks=19", allKinds667()},
	} {
		b.Run(v.name, func(b *testing.B) {
			buf := make([]byte, 0, 512)
			b.ReportAllocs()
			for b.Loop() {
				buf = Profile667.AppendInfo(buf[:0], v.in)
			}
		})
	}
}

func BenchmarkParseInfo(b *testing.B) {
	for _, v := range []struct {
		name string
		in   *Info
	}{
		{"say=50", &Info{Has: InfoKindsOf(KindSay), Say: []byte(line50)[:50]}},
		{"blocks=19", allKinds667()},
	} {
		b.Run(v.name, func(b *testing.B) {
			msg := Profile667.AppendInfo(nil, v.in)
			var in Info
			b.ReportAllocs()
			for b.Loop() {
				r := wire.NewReader(msg)
				if err := Profile667.ParseInfo(&r, &in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendAppearance(b *testing.B) {
	a := zezima()
	buf := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		buf = Profile667.AppendAppearance(buf[:0], &a)
	}
}

func TestPlayerInfoCodecDoesNotAllocate(t *testing.T) {
	in, look := allKinds667(), zezima()
	buf := make([]byte, 0, 512)
	msg := Profile667.AppendInfo(nil, in)
	var back Info
	for _, v := range []struct {
		name string
		run  func()
	}{
		{"AppendInfo", func() { buf = Profile667.AppendInfo(buf[:0], in) }},
		{"AppendAppearance", func() { buf = Profile667.AppendAppearance(buf[:0], &look) }},
		{"ParseInfo", func() {
			r := wire.NewReader(msg)
			if err := Profile667.ParseInfo(&r, &back); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		if n := testing.AllocsPerRun(100, v.run); n != 0 {
			t.Errorf("%s: %v allocations", v.name, n)
		}
	}
}
