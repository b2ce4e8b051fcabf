package rs

import (
	goflag "flag" // the package has a flag of its own
	"os"
	"path/filepath"
	"testing"
)

var update = goflag.Bool("update", false, "rewrite the golden files of testdata")

// Every vector of 667, printed. The file shows what a trace looks like and keeps it so.
func TestTracesOfTheVectors(t *testing.T) {
	var got []byte
	var tr Trace
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

func TestTracesOfRefusedPacketsEndWhereTheClientGaveUp(t *testing.T) {
	var got []byte
	var tr Trace
	for _, packet := range [][]byte{
		unhex(t, "80"), unhex(t, "00"), unhex(t, "007ff400"), unhex(t, "c07ff4808820"),
		payload(t, "", "000", "", "", "0 00 1 00 1 00 0"), payload(t, "", "000", "", "", "0 11 11111111110"),
	} {
		c := readState(t, alone).client(t, Profile667)
		if c.ApplyTraced(packet, &tr) == nil {
			t.Fatalf("%x was taken", packet)
		}
		got = append(tr.AppendText(got), '\n')
		if c.ApplyTraced(packet, &tr) == nil || len(tr.Steps) != 0 {
			t.Errorf("%x: traced again as %v", packet, tr.Steps)
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
		t.Errorf("%s changed; go test -update if that is right\n%s", file, got)
	}
}
