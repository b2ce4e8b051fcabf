package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/internal/webscene"
)

func TestWebTestVectorsAreReproducibleAndDecodeToExpectedStates(t *testing.T) {
	here(t)
	args := []string{"vectors", "web", "--scene", "wander", "--rtt", "100ms", "--loss", "0.05", "--ticks", "60", "--seed"}
	code, lines, errs := truestep(append(args, "7")...)
	if code != 0 || errs != "" {
		t.Fatalf("exit status %d, %s", code, errs)
	}
	if _, again, _ := truestep(append(args, "7")...); again != lines {
		t.Error("two runs differ")
	}
	if _, other, _ := truestep(append(args, "8")...); other == lines {
		t.Error("the seed makes no difference")
	}
	if code, out, errs := decode(t, lines, "web", "--jsonl", "-", "-q"); code != 0 || errs != "" || !strings.Contains(out, "all as expected") {
		t.Errorf("decode: exit status %d, %q and %s", code, out, errs)
	}
	if code, out, errs := truestep(append(args, "7", "-o", "run.jsonl")...); code != 0 || out != "" || errs != "" {
		t.Errorf("to a file: exit status %d, %q and %s", code, out, errs)
	}
	if file, err := os.ReadFile("run.jsonl"); err != nil || string(file) != lines {
		t.Errorf("the file has other bytes, %v", err)
	}
	if code, out, _ := decode(t, "", "web", "--jsonl", "run.jsonl"); code != 0 || !strings.Contains(out, "snapshot 1 of run 0") {
		t.Errorf("decode: exit status %d, %.200q", code, out)
	}
}

func TestBenchWebPrintsOneLinePerCombinationOfSceneRTTAndLoss(t *testing.T) {
	here(t)
	code, out, errs := truestep("bench", "web", "--ticks", "40", "--scene", "vale,wander", "--rtt", "0s,100ms", "--loss", "0")
	if code != 0 || errs != "" || strings.Count(out, "\n") != 8 || !strings.Contains(out, "100 ms") || !strings.Contains(out, "interface B/actor/tick") || !strings.Contains(out, "p99 us") {
		t.Errorf("exit status %d, %q and %s", code, out, errs)
	}
	code, out, _ = truestep("bench", "web", "--ticks", "40", "--rtt", "50ms", "--json")
	if code != 0 || strings.Count(out, "\n") != 10 {
		t.Errorf("exit status %d, %q", code, out)
	}
	for line := range strings.Lines(out) {
		var f webscene.Figures
		if err := json.Unmarshal([]byte(line), &f); err != nil || f.PerActor <= 0 || f.Interface <= f.PerActor || f.CPU <= 0 || f.RoundTrip != 50 || f.Snapshots != 40 {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestBenchWebCommandWithSplitFlagPrintsSizeOfEachSnapshotPart(t *testing.T) {
	here(t)
	code, out, errs := truestep("bench", "web", "--split", "--ticks", "40", "--scene", "vale,stinkysteak", "--rtt", "100ms")
	if code != 0 || errs != "" || strings.Count(out, "100 ms") != 4 {
		t.Errorf("exit status %d, %q and %s", code, out, errs)
	}
	for _, part := range []string{"packets", "list", "yaw", "pitch", "health", "repeated", "age"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %s in %s", part, out)
		}
	}
	code, out, _ = truestep("bench", "web", "--split", "--ticks", "40", "--scene", "vale", "--rtt", "0s", "--loss", "0", "--json")
	var f webscene.Figures
	if err := json.Unmarshal([]byte(out), &f); code != 0 || err != nil || f.Split == nil || f.Split.ListBytes <= 0 {
		t.Errorf("exit status %d, %q, %v", code, out, err)
	}
}

func TestWebSubcommandsOfVectorsBenchAndDecodeRefuseInvalidArguments(t *testing.T) {
	here(t)
	for args, want := range map[string]string{
		"vectors web --loss 95%":          "loss 95%: must be at most 90%",
		"vectors web --loss 2":            `--loss: "2" is not a percentage`,
		"vectors web --ticks 0":           "ticks 0: must be 1..1000000",
		"vectors web --rtt 1m":            "rtt 1m0s: must be 0s..1s",
		"vectors web --scene calm":        "--scene must be one of",
		"vectors web --out=":              "out is empty",
		"bench web --scene calm":          `scene "calm": must be vale, wander, asteroids, stinkysteak or stinkysteak-yaw`,
		"bench web --loss 0%,nan":         `--loss: "nan" is not a percentage`,
		"decode web":                      "give a message in hex",
		"decode web 4a --jsonl run.jsonl": "give a message in hex",
		"decode web --jsonl missing":      "read the file of --jsonl: open missing",
		"decode web xyz":                  "neither hex digits nor a readable file",
	} {
		code, out, errs := truestep(strings.Fields(args)...)
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, "truestep: ") || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit status %d, %q and %s", args, code, out, errs)
		}
	}
	if code, out, errs := truestep("decode", "web", "4a01"); code != 1 || out != "" || !strings.Contains(errs, "too short") {
		t.Errorf("a short message: exit status %d, %q and %s", code, out, errs)
	}
}
