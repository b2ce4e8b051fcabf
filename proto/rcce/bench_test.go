package rcce

import "testing"

func BenchmarkStandardUpdateAppend(b *testing.B) {
	p := StandardUpdate{RuntimeID: 300, X: 100, Z: -20.5, DestX: 115, DestZ: -20.5, Tail: HeightTail, Y: 3}
	buf := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		buf = p.Append(buf[:0])
	}
}

func BenchmarkStandardUpdateRequestParse(b *testing.B) {
	msg := StandardUpdateRequest{DestX: 1, DestZ: 2, Y: 3, X: 4, Z: 5}.Append(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseStandardUpdateRequest(msg[1:]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseC2S(b *testing.B) {
	msg := StandardUpdateRequest{DestX: 1, DestZ: 2, Y: 3, X: 4, Z: 5}.Append(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseC2S(msg); err != nil {
			b.Fatal(err)
		}
	}
}
