package main

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/pgtest"
)

// The commands of README.md that start three nodes are typed into a shell, with a database and ports of this test. Then a node
// is killed and started again with the commands of docs/cluster.md.
func TestReadmeCommandsStartThreeNodes(t *testing.T) {
	commands := codeBlock(t, "../../README.md", "truestep cluster keys")
	doc := textOf(t, "../../docs/cluster.md")
	if !strings.Contains(doc, commands) {
		t.Error("docs/cluster.md does not contain the commands of README.md")
	}
	for _, path := range []string{"../../README.md", "../../docs/cluster.md"} {
		before, _, _ := strings.Cut(textOf(t, path), commands)
		if paragraphs := strings.Split(before, "\n## "); !strings.Contains(paragraphs[len(paragraphs)-1], "`PATH=$PWD/bin:$PATH`") {
			t.Errorf("%s does not say before the commands how the shell finds the program", path)
		}
	}
	const kill, start, end = "kill -9 %2 ", "node b 2 ", "kill %1 %3 %4 "
	for _, text := range []string{kill, start, end} {
		if !strings.Contains(doc, "\n    "+text) {
			t.Errorf("docs/cluster.md does not contain the command %s", text)
		}
	}
	replace := []string{"postgres:///world", "'" + pgtest.Database(t) + "'"}
	for _, port := range []string{"910$2", "920$2", "930$2", "940$2", "950$2", "960$2"} {
		replace = append(replace, "127.0.0.1:"+port, "127.0.0.1:0")
	}
	for _, port := range []string{"7941", "7942", "7943"} { // each node must know the ports of the others before they listen
		replace = append(replace, "127.0.0.1:"+port, freeAddress(t))
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(commands, replace[i]) {
			t.Errorf("the commands do not contain %s", replace[i])
		}
	}

	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "truestep")
	write(t, program, "#!/bin/sh\nexec env "+actAsTruestep+"=1 '"+self+"' \"$@\"\n")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("bash", "-s")
	shell.Dir, shell.SysProcAttr = dir, &syscall.SysProcAttr{Setpgid: true}
	shell.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TRUESTEP_RCCE_PROJECT=", "GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	var output logbuf.Buffer
	shell.Stdout, shell.Stderr = &output, &output
	typed, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-shell.Process.Pid, syscall.SIGKILL)
		if t.Failed() {
			t.Logf("%s", &output)
			for _, node := range []string{"a", "b", "c"} {
				log, _ := os.ReadFile(filepath.Join(dir, node+".log"))
				t.Logf("%s.log:\n%s", node, log)
			}
		}
	})
	enter := func(line string) {
		if _, err := io.WriteString(typed, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	// await waits until node a shows the states of all nodes, and a leader other than the node without for each area.
	await := func(states, without string) {
		t.Helper()
		deadline := time.Now().Add(patience)
		for {
			code, status, errs := truestep("cluster", "status", "--data-dir", filepath.Join(dir, "data-a"))
			nodes, areas, _ := strings.Cut(status, "\n\n")
			areas, _, _ = strings.Cut(areas, "\n\n") // without the tables after it
			got := strings.Join(regexp.MustCompile(`(?m)^[abc] +(up|down)\b`).FindAllString(nodes, -1), "\n")
			got = regexp.MustCompile(` +`).ReplaceAllString(got, " ")
			rows := regexp.MustCompile(`(?m)^(?:Truestep Vale|Windmoor|Old Wood|Mirror Lake|The Ring) +(\S+) `).FindAllStringSubmatch(areas, -1)
			led := len(rows) == 5 && !slices.ContainsFunc(rows, func(r []string) bool { return r[1] == "none" || r[1] == without })
			if code == 0 && got == states && led {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("nodes are\n%s, want\n%s\n%s%s", got, states, status, errs)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	enter(strings.NewReplacer(replace...).Replace(commands))
	await("a up\nb up\nc up", "")
	enter(kill)
	await("a up\nb down\nc up", "b")
	enter(start)
	await("a up\nb up\nc up", "")
	enter(end + "\nwait")
	typed.Close()
	if err := shell.Wait(); err != nil {
		t.Errorf("the nodes end with %v", err)
	}
}

// codeBlock returns the fenced block of commands of a Markdown file that begins with start.
func codeBlock(t *testing.T, path, start string) string {
	t.Helper()
	_, block, found := strings.Cut(textOf(t, path), "```sh\n"+start)
	block, _, ends := strings.Cut(block, "```")
	if !found || !ends {
		t.Fatalf("%s has no block of commands that begins with %s", path, start)
	}
	return start + block
}

// freeAddress returns a loopback address with a TCP port that is free now.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
