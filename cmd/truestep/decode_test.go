package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/proto/rs"
)

// decode runs "truestep decode args" with stdin.
func decode(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var c struct {
		Decode decodeCmd `cmd:""`
	}
	var out, errs bytes.Buffer
	parser, err := kong.New(&c, kong.Bind(std{&out, &errs}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := parser.Parse(append([]string{"decode"}, args...))
	if err != nil {
		return exitUsage, "", "truestep: " + err.Error() + "\n"
	}
	in := strings.NewReader(stdin)
	c.Decode.RCCE.in, c.Decode.RS.in, c.Decode.Bedrock.in, c.Decode.Web.in = in, in, in, in
	if err := ctx.Run(); err != nil {
		code = complain(&errs, err, statusOf(err))
	}
	return code, out.String(), errs.String()
}

func decodeRS(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return decode(t, stdin, append([]string{"rs"}, args...)...)
}

// The output itself is tested in package dissect; this test covers how each command reads its input and flags, and
// its exit status.
func TestDecodeExitStatusDistinguishesBadInputFromBadPacket(t *testing.T) {
	for _, c := range []struct {
		args, stdin  string
		code         int
		output, errs string // texts that standard output and standard error must contain
	}{
		{"rcce 12 48 2c01 1900 03", "", 0, "AttackActor", ""},
		{"rcce -", "12 48 2c01 1900 03", 0, "message, 7 bytes", ""},
		{"rcce --dir c2s 13 2c01", "", 1, "error: ", "truestep: "},
		{"rcce 0e0", "", 2, "", "truestep: input: 3 hex digits do not make whole bytes"},
		{"rcce --enet 12 2c01", "", 1, "ENet datagram, 3 bytes", "shorter than an ENet header"},
		{"rcce --no-enet 443322110000010100010001100601ff000100021006", "", 1, "message, 22 bytes", "unknown"},
		{"rcce", "", 2, "", "expected"},
		{"rcce --dir up 12", "", 2, "", "must be one of"},
		{"rcce --enet --no-enet 12", "", 2, "", "can't be used together"},
		{"bedrock fe 06c101 00000879", "", 0, "batch, 8 bytes", ""},
		{"bedrock e707 0102", "", 1, "", "truestep: "},
		{"bedrock --as letter fe", "", 2, "", "must be one of"},
		{"bedrock --version 944 fe", "", 2, "", `"auto","2169","2193"`},
		{"bedrock --keylog nosuch fe", "", 2, "", "keylog: open nosuch"},
		{"bedrock ../../dissect/testdata/bedrock.cap --keylog ../../dissect/testdata/bedrock.keys --only correct", "", 0, "off by 3.0000 blocks", ""},
	} {
		code, out, errs := decode(t, c.stdin, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.output) || !strings.Contains(errs, c.errs) || strings.Count(errs, "\n") != min(code, 1) {
			t.Errorf("%s: exit status %d, want %d, %q\n%s", c.args, code, c.code, errs, out)
		}
	}
}

func TestDecodeRSWithCheckFlagConfirmsExpectedStates(t *testing.T) {
	here(t)
	placement := fmt.Sprintf("%x", rs.AppendPlacement(nil, 1, rs.Tile{X: 3200, Z: 3200}, nil))
	lines := `{"t":"init","self":1,"bytes":"` + placement + `"}` + "\n" +
		`{"t":"cycle","bytes":"007ff4","truth":{"local":{"1":[3200,3200,0]},"lowres":{}}}`
	if err := os.WriteFile("run.jsonl", []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := decode(t, "", "rs", "--jsonl", "run.jsonl", "--check")
	if code != 0 || out != `{"local":{"1":[3200,3200,0]},"lowres":{}}`+"\n" || errs != "run.jsonl: right in 1 cycle\n" {
		t.Errorf("exit status %d, %s\n%s", code, errs, out)
	}
}

func TestDecodeRSRefusesContradictoryFlags(t *testing.T) {
	here(t)
	placement := fmt.Sprintf("%x", rs.AppendPlacement(nil, 1, rs.Tile{X: 3200, Z: 3200}, nil))
	run := `{"t":"init","self":1,"bytes":"` + placement + `"}` + strings.Repeat("\n"+`{"t":"cycle","bytes":"007ff4"}`, 12)
	for name, b := range map[string]string{"long": strings.Repeat("0", 1<<20+1), "text": "hello", "run.jsonl": run} {
		if err := os.WriteFile(name, []byte(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name a file with --jsonl FILE, or give --self, --placement and payloads in hex"},
		{[]string{"run.jsonl"}, "to read JSON lines from a file, use --jsonl FILE"},
		{[]string{"--jsonl", "nosuch"}, "read the file of --jsonl: open nosuch: no such file or directory"},
		{[]string{"--jsonl", "."}, ".: read .: is a directory"},
		{[]string{"--jsonl", "-", "007ff4"}, "--jsonl cannot be combined with --self"},
		{[]string{"--jsonl", "-", "--at", "1,1"}, "--jsonl cannot be combined with --self"},
		{[]string{"--jsonl", "run.jsonl", "--cycle=-1"}, "cycle -1: cycles are numbered from 1"},
		{[]string{"--jsonl", "run.jsonl", "--cycle", "13"}, "run.jsonl: the input has 12 cycles, so cycle 13 does not exist"},
		{[]string{"--jsonl", "run.jsonl", "--quiet", "--trace"}, "--quiet and --trace can't be used together"},
		{[]string{"--jsonl", "run.jsonl", "--profile", "668"}, `--profile must be one of "634","667","osrs239" but got "668"`},
		{[]string{"--self", "1", "--at", "1,1"}, "packet payloads are missing: give them in hex"},
		{[]string{"--self", "1", "007ff4"}, "the client's start position is missing"},
		{[]string{"--self", "1", "--at", "1,1", "--placement", "00", "007ff4"}, "can't be used together"},
		{[]string{"--self", "1", "--at", "1,1", "--check", "007ff4"}, "--check and --quiet can be used only with --jsonl FILE"},
		{[]string{"--at", "1,1", "007ff4"}, "self 0: must be the client's own index, 1..2047"},
		{[]string{"--self", "2048", "--at", "1,1", "007ff4"}, "self 2048"},
		{[]string{"--self", "1", "--at", "16384,1", "007ff4"}, `"16384,1" is not a tile`},
		{[]string{"--self", "1", "--at", "1,1,4", "007ff4"}, `"1,1,4" is not a tile`},
		{[]string{"--self", "1", "--at", "1", "007ff4"}, `"1" is not a tile`},
		{[]string{"--self", "1", "--at", "1,1,1,1", "007ff4"}, `"1,1,1,1" is not a tile`},
		{[]string{"--self", "1", "--placement", "0c80", "007ff4"}, "placement: the placement block (the client's tile and the map squares of the other players) has 2 bytes, must have 4608"},
		{[]string{"--self", "1", "--placement", "@nosuch", "007ff4"}, "placement: open nosuch"},
		{[]string{"--self", "1", "--placement", "@text", "007ff4"}, "placement: text: 'h' is not a hex digit"},
		{[]string{"--self", "1", "--placement", "@long", "007ff4"}, "placement: long: the file has more than 1048576 bytes"},
		{[]string{"--self", "1", "--placement", placement, "007ff4", "007ff"}, "payload 2: 5 hex digits do not make whole bytes"},
		{[]string{"--self", "1", "--at", "1,1", "007ff4", "--cycle", "2"}, "option cycle 2: the input has only 1 payloads"},
	} {
		code, out, errs := truestep(append([]string{"decode", "rs"}, c.args...)...)
		if code != exitUsage || out != "" || !strings.HasPrefix(errs, "truestep: ") || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%.80q: exit status %d, %s\n%s", c.args, code, errs, out)
		}
	}
}
