package cluster

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// echo is an Answerer. Its answer is a text with the name of the node that asks, and the question itself.
func echo(_ context.Context, node string, question []byte) []byte {
	return append([]byte(node+" asks "), question...)
}

func TestQuestionIsAnsweredByTheAskedNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		n1, n2 := c.nodes[1].current(), c.nodes[2].current()
		n2.SetAnswerer(echo)
		for range 2 {
			if got, err := n1.Ask(t.Context(), "n2", []byte("who?")); err != nil || string(got) != "n1 asks who?" {
				t.Errorf("%q, %v", got, err)
			}
		}
		if _, err := n1.Ask(t.Context(), "n3", []byte("who?")); !errors.Is(err, ErrAskRefused) {
			t.Errorf("a node without an answerer: %v", err)
		}
		for _, node := range []string{"n1", "nowhere"} {
			if _, err := n1.Ask(t.Context(), node, nil); !errors.Is(err, ErrNoNode) || !strings.Contains(err.Error(), "n1, n2, n3") {
				t.Errorf("question to %s: %v", node, err)
			}
		}
		if _, err := n1.Ask(t.Context(), "n2", make([]byte, MaxQuestion+1)); err == nil {
			t.Error("a question above the limit is sent")
		}
		n2.SetAnswerer(func(context.Context, string, []byte) []byte { return make([]byte, MaxAnswer+1) })
		if _, err := n1.Ask(t.Context(), "n2", nil); err == nil || !strings.Contains(err.Error(), "more than 4194304 bytes") {
			t.Errorf("an answer above the limit: %v", err)
		}
		n2.SetAnswerer(func(context.Context, string, []byte) []byte { return make([]byte, MaxAnswer) })
		if got, err := n1.Ask(t.Context(), "n2", nil); err != nil || len(got) != MaxAnswer {
			t.Errorf("an answer at the limit: %d bytes, %v", len(got), err)
		}
		if got := n2.Status().Refused + n1.Status().Refused; got != 0 {
			t.Errorf("%d messages are refused as invalid", got)
		}
	})
}

func TestQuestionWithoutAnswerFailsWhenLinkBreaksOrTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		n1, n2 := c.nodes[1].current(), c.nodes[2].current()
		n2.SetAnswerer(func(ctx context.Context, _ string, _ []byte) []byte {
			<-ctx.Done() // the answerer returns only after n1 has stopped waiting
			return []byte("late")
		})
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := n1.Ask(ctx, "n2", nil); !errors.Is(err, ErrAnswerLost) || !strings.Contains(err.Error(), "node n2 did not answer in time") || time.Since(began) != time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		began = time.Now()
		if _, err := n1.Ask(t.Context(), "n2", nil); !errors.Is(err, ErrAnswerLost) || time.Since(began) != askTimeout {
			t.Errorf("without a deadline, after %v: %v", time.Since(began), err)
		}
		go func() {
			time.Sleep(time.Second)
			c.setCut(1, 2, true)
		}()
		began = time.Now()
		if _, err := n1.Ask(t.Context(), "n2", nil); !errors.Is(err, ErrAnswerLost) || !strings.Contains(err.Error(), "connection to the node was lost") || time.Since(began) > 2*time.Second {
			t.Errorf("link cut, after %v: %v", time.Since(began), err)
		}
		if _, err := n1.Ask(t.Context(), "n2", nil); !errors.Is(err, ErrUnreachable) {
			t.Errorf("question without a connection: %v", err)
		}
		c.setCut(1, 2, false)
		n2.SetAnswerer(echo) // SetAnswerer waits until the former answerer has ended
		if got, err := n1.Ask(t.Context(), "n2", []byte("?")); err != nil || string(got) != "n1 asks ?" {
			t.Errorf("after the link is back: %q, %v", got, err)
		}
		n1.asking.mu.Lock()
		defer n1.asking.mu.Unlock()
		if n := len(n1.asking.waiting); n != 0 {
			t.Errorf("%d questions are still waiting", n)
		}
	})
}

func TestQuestionsBeyondTheLimitOfOneNodeAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		n1, n2, n3 := c.nodes[1].current(), c.nodes[2].current(), c.nodes[3].current()
		answers := make(chan struct{})
		n2.SetAnswerer(func(context.Context, string, []byte) []byte {
			<-answers
			return []byte("yes")
		})
		results := make(chan error, maxAnswering)
		for range maxAnswering {
			go func() {
				_, err := n1.Ask(t.Context(), "n2", nil)
				results <- err
			}()
		}
		time.Sleep(10 * time.Millisecond)
		if _, err := n1.Ask(t.Context(), "n2", nil); !errors.Is(err, ErrAskRefused) {
			t.Errorf("one question more: %v", err)
		}
		go func() {
			_, err := n3.Ask(t.Context(), "n2", nil)
			results <- err
		}()
		time.Sleep(10 * time.Millisecond)
		close(answers)
		for range maxAnswering + 1 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestAnswerFromNodeThatWasNotAskedIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		n1 := c.nodes[1].current()
		c.nodes[2].current().SetAnswerer(func(context.Context, string, []byte) []byte {
			n1.asking.mu.Lock()
			number := n1.asking.last
			n1.asking.mu.Unlock()
			n1.Receive(3, kindAnswer, appendAnswer(nil, number, answer{body: []byte("forged")}))
			n1.Receive(2, kindAnswer, appendAnswer(nil, number+1, answer{body: []byte("to no question")}))
			return []byte("true")
		})
		if got, err := n1.Ask(t.Context(), "n2", nil); err != nil || string(got) != "true" {
			t.Errorf("%q, %v", got, err)
		}
		if got := n1.Status().Refused; got != 1 {
			t.Errorf("%d messages are refused, want that of node 3", got)
		}
	})
}

func FuzzQuestionAndAnswer(f *testing.F) {
	f.Add(appendQuestion(nil, 1, []byte("{}")))
	f.Add(appendAnswer(nil, 1<<40, answer{body: []byte("{}")}))
	f.Add(appendAnswer(nil, 1, answer{result: answerRefused}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if number, body, err := parseQuestion(b); err == nil {
			if again := appendQuestion(nil, number, body); !bytes.Equal(again, b) {
				t.Errorf("question %x is encoded as %x", b, again)
			}
		}
		number, got, err := parseAnswer(b)
		if err != nil {
			return
		}
		if again := appendAnswer(nil, number, got); !bytes.Equal(again, b) {
			t.Errorf("answer %x is encoded as %x", b, again)
		}
	})
}

// A call of an Answerer that ignores the end of its context must not delay the shutdown of the node's console without limit.
func TestReplacingAnswererWaitsForRunningCallsForLimitedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		n1, n2 := c.nodes[1].current(), c.nodes[2].current()
		release, began := make(chan struct{}), make(chan struct{})
		n2.SetAnswerer(func(context.Context, string, []byte) []byte {
			close(began)
			<-release
			return nil
		})
		go func() { _, _ = n1.Ask(t.Context(), "n2", nil) }()
		<-began
		at := time.Now()
		n2.SetAnswerer(nil)
		if waited := time.Since(at); waited != answererWait {
			t.Errorf("waited %v, want %v", waited, answererWait)
		}
		n2.SetAnswerer(echo)
		if got, err := n1.Ask(t.Context(), "n2", []byte("?")); err != nil || string(got) != "n1 asks ?" {
			t.Errorf("the next answerer: %q, %v", got, err)
		}
		close(release)
	})
}
