package rs

import (
	goflag "flag"
	"os"
	"path/filepath"
	"testing"
)

var update = goflag.Bool("update", false, "rewrite the golden files of testdata")

// The golden file contains the trace of every test vector of revision 667.
func TestTraceOfTestVectorsMatchesGoldenFile(t *testing.T) {
	var got []byte
	var tr PacketTrace
	for _, scene := range infoScenes {
		c := readState(t, scene.start).client(t, Profile667)
		for _, v := range scene.packets {
			if err := c.ApplyTraced(unhex(t, v.hex), &tr); err != nil {
				t.Fatalf("%s: %v", v.name, err)
			}
			got = append(got, v.name+", "+scene.name+"\n"...)
			got = append(tr.AppendText(got), '\n')
		}
	}
	compareGolden(t, "trace_667.txt", got)
}

func TestTraceOfRefusedPacketsMatchesGoldenFile(t *testing.T) {
	var got []byte
	var tr PacketTrace
	for _, packet := range [][]byte{
		unhex(t, "80"), unhex(t, "00"), unhex(t, "007ff400"), unhex(t, "c07ff4808820"),
		buildPayload(t, "", "000", "", "", "0 00 1 00 1 00 0"), buildPayload(t, "", "000", "", "", "0 11 11111111110"),
	} {
		c := readState(t, aloneState).client(t, Profile667)
		if c.ApplyTraced(packet, &tr) == nil {
			t.Fatalf("%x was accepted", packet)
		}
		got = append(tr.AppendText(got), '\n')
		if c.ApplyTraced(packet, &tr) == nil || len(tr.Steps) != 0 {
			t.Errorf("%x: the second trace has steps %v", packet, tr.Steps)
		}
	}
	compareGolden(t, "trace_refused.txt", got)
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; run go test -update if that is intended\n%s", file, got)
	}
}
