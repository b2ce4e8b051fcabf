//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Time limits of a peer's process.
const (
	answerTime = 20 * time.Second // for an answer
	exitTime   = 5 * time.Second  // maximum time from the end of the process's standard input to its exit
)

// process is the server or the client of a peer. It reads commands from its standard input, a line each, and answers each
// with a line. It exits at the end of its input. A server prints "ready" when clients can connect.
type process struct {
	name    string
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan []byte // lines that the process writes; closed at the end of its output
}

// start starts a program in the namespace of a site.
func (s *site) start(name, dir string, command []string) (*process, error) {
	cmd := exec.Command("ip", append([]string{"netns", "exec", s.name}, command...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the %s: %w", name, err)
	}
	p := &process{name: name, cmd: cmd, in: in, answers: make(chan []byte)}
	go func() {
		defer close(p.answers)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			p.answers <- append([]byte(nil), lines.Bytes()...)
		}
	}()
	return p, nil
}

// answer returns the next line that the process prints.
func (p *process) answer() ([]byte, error) {
	select {
	case b, ok := <-p.answers:
		if !ok {
			return nil, fmt.Errorf("the %s has closed its output instead of answering", p.name)
		}
		return b, nil
	case <-time.After(answerTime):
		return nil, fmt.Errorf("the %s has not answered within %v", p.name, answerTime)
	}
}

// ask sends a command and stores the answer, a JSON value, in result.
func (p *process) ask(command string, result any) error {
	if _, err := io.WriteString(p.in, command+"\n"); err != nil {
		return fmt.Errorf("send the command %s to the %s: %w", command, p.name, err)
	}
	b, err := p.answer()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, result); err != nil {
		return fmt.Errorf("the %s answers the command %s with %.80q: %w", p.name, command, b, err)
	}
	return nil
}

// end tells all of the processes to end, before any of them can notice that its connection to another one has ended.
func end(all ...*process) {
	for _, p := range all {
		p.in.Close()
	}
}

// stop tells the process to end, also if end has told it before, and waits until it has ended.
func (p *process) stop() {
	p.in.Close()
	kill := time.AfterFunc(exitTime, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	for range p.answers { // ends when the process has closed its output
	}
	_ = p.cmd.Wait() // the exit status does not matter, because the process was told to end
}
