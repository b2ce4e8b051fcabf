package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/truestep-io/truestep/proto/wire"
)

// A node asks another one to do what only that node can do, such as ending the session of one of its players for an operator. The
// question and its answer are one message each on the link between the two nodes. This package does not interpret them. A question
// is sent once. If no answer arrives, the other node may or may not have acted.
//
//	Ask -> kindQuestion -> Answerer of the other node, on a goroutine of its own -> kindAnswer -> result of Ask

// Errors of Ask. They are wrapped in a text that names the node.
var (
	// ErrUnreachable is the error if there is no connection to the node. The question was not sent.
	ErrUnreachable = errors.New("the node cannot be reached")
	// ErrAskRefused is the error if the node refuses the question: it has no Answerer, or too many questions wait. The question then
	// has had no effect.
	ErrAskRefused = errors.New("the node refuses requests of other nodes at present: its console is off, it is stopping, or too many requests wait")
	// ErrAnswerLost is the error if the question was sent and no answer has arrived. The node may have done what it was asked.
	ErrAnswerLost = errors.New("no answer from the node, which may have carried out the request nevertheless")
)

// Limits of questions and answers.
const (
	MaxQuestion = 64 << 10 // maximum size of a question in bytes; chosen so that a body of 8 KiB fits even if JSON escapes each of its bytes
	MaxAnswer   = 4 << 20  // maximum size of an answer in bytes: 1,000 long lines of chat; with 1 Gbit/s it delays other messages by 35 ms

	askTimeout   = 8 * time.Second // time limit of Ask and of a call of an Answerer
	answererWait = 2 * time.Second // time for which SetAnswerer waits for calls of the former Answerer
	maxAnswering = 32              // maximum number of questions of one node that are answered at the same time
)

// Answerer returns the answer to a question that the named node has asked. Each call runs on a goroutine of its own. The context ends
// when the answer is no longer awaited, or when SetAnswerer replaces the Answerer.
type Answerer func(ctx context.Context, node string, question []byte) []byte

// Results of a question, the second part of its answer.
const (
	answerGiven    = 0 // the rest of the message is the answer
	answerRefused  = 1 // see ErrAskRefused
	answerTooLarge = 2 // the answer has more than MaxAnswer bytes
)

// asking holds a Host's own questions that wait for answers, and counts the questions of other nodes that it is answering.
type asking struct {
	mu        sync.Mutex
	last      uint64              // number of this node's last question
	waiting   map[uint64]question // this node's questions without an answer, by number
	answerer  Answerer            // nil: all questions are refused
	open      context.Context     // ends when answerer is replaced
	close     context.CancelFunc  // ends open
	answering map[uint64]int      // by number of a node: how many of its questions this node is answering
	running   *sync.WaitGroup     // calls of answerer; nil if there is none; incremented with mu held
}

// question is a question of this node that waits for its answer.
type question struct {
	to    uint64      // number of the node that must answer
	reply chan answer // has capacity 1 and receives the answer
}

// answer is the result of a question.
type answer struct {
	result byte // answerGiven, answerRefused or answerTooLarge
	body   []byte
	err    error // set if the connection was lost; nil otherwise
}

// newAsking returns the initial state, without questions. The first question gets a number derived from the clock, so that a late
// answer to a question of an earlier run of this node matches no question of this run.
func newAsking(now time.Time) asking {
	return asking{last: uint64(now.UnixMilli()) << 20, waiting: map[uint64]question{}, answering: map[uint64]int{}}
}

// SetAnswerer sets the function that answers the questions of other nodes. With nil all further questions are refused. It returns
// when no call of the former Answerer runs any more, but after 2 s (answererWait) in any case, because a call may ignore that its
// context has ended.
func (h *Host) SetAnswerer(f Answerer) {
	a := &h.asking
	a.mu.Lock()
	a.answerer = nil
	if a.close != nil {
		a.close()
	}
	former := a.running
	a.running = nil
	a.mu.Unlock()
	if former != nil {
		ended := make(chan struct{})
		go func() {
			former.Wait()
			close(ended)
		}()
		select {
		case <-ended:
		case <-time.After(answererWait):
			h.log.Warn("requests of other nodes are still running; this node does not wait for them any longer")
		}
	}
	if f == nil {
		return
	}
	a.mu.Lock()
	a.answerer, a.running = f, new(sync.WaitGroup)
	a.open, a.close = context.WithCancel(context.Background())
	a.mu.Unlock()
}

// Ask sends a question to another node and returns its answer, for which it waits until ctx ends, at most 8 s. Errors: ErrNoNode,
// ErrUnreachable, ErrAskRefused, ErrAnswerLost.
func (h *Host) Ask(ctx context.Context, node string, body []byte) ([]byte, error) {
	to := h.nodeNumber(node)
	if to == 0 || to == h.opt.Self {
		return nil, fmt.Errorf("%w: %q; the nodes of the cluster are %s", ErrNoNode, node, h.nodeNames())
	}
	if len(body) > MaxQuestion {
		return nil, fmt.Errorf("the request to node %s has %d bytes, at most %d are allowed", node, len(body), MaxQuestion)
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	q := question{to: to, reply: make(chan answer, 1)}
	a := &h.asking
	a.mu.Lock()
	a.last++
	number := a.last
	a.waiting[number] = q
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		delete(a.waiting, number)
		a.mu.Unlock()
	}()
	if !h.opt.Links.Send(to, kindQuestion, appendQuestion(nil, number, body)) {
		return nil, fmt.Errorf("%w: node %s", ErrUnreachable, node)
	}
	select {
	case got := <-q.reply:
		switch {
		case got.err != nil:
			return nil, fmt.Errorf("%w: node %s: %w", ErrAnswerLost, node, got.err)
		case got.result == answerRefused:
			return nil, fmt.Errorf("%w: node %s", ErrAskRefused, node)
		case got.result == answerTooLarge:
			return nil, fmt.Errorf("the answer of node %s has more than %d bytes", node, MaxAnswer)
		}
		return got.body, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: node %s did not answer in time", ErrAnswerLost, node)
	}
}

// loseAnswers fails the questions to a node whose connection is lost, because no answer to them can arrive any more.
func (h *Host) loseAnswers(node uint64) {
	a := &h.asking
	a.mu.Lock()
	defer a.mu.Unlock()
	for number, q := range a.waiting {
		if q.to == node {
			delete(a.waiting, number)
			q.reply <- answer{err: errors.New("the connection to the node was lost")}
		}
	}
}

// receiveQuestion answers a question of another node on a new goroutine. It refuses a question that cannot be answered at once.
func (h *Host) receiveQuestion(node uint64, message []byte) error {
	number, body, err := parseQuestion(message)
	if err != nil {
		return err
	}
	a := &h.asking
	a.mu.Lock()
	f, open, running := a.answerer, a.open, a.running
	if f == nil || a.answering[node] >= maxAnswering {
		a.mu.Unlock()
		h.opt.Links.Send(node, kindAnswer, appendAnswer(nil, number, answer{result: answerRefused}))
		return nil
	}
	a.answering[node]++
	running.Add(1)
	a.mu.Unlock()
	go func() {
		defer running.Done()
		defer func() {
			a.mu.Lock()
			a.answering[node]--
			a.mu.Unlock()
		}()
		ctx, cancel := context.WithTimeout(open, askTimeout)
		defer cancel()
		got := answer{body: f(ctx, h.nodeName(node), body)}
		if len(got.body) > MaxAnswer {
			got = answer{result: answerTooLarge}
		}
		h.opt.Links.Send(node, kindAnswer, appendAnswer(nil, number, got)) // without a connection the answer is lost
	}()
	return nil
}

// receiveAnswer passes the answer of a node to the call of Ask that waits for it. An answer that no call waits for is dropped,
// because it is late.
func (h *Host) receiveAnswer(node uint64, message []byte) error {
	number, got, err := parseAnswer(message)
	if err != nil {
		return err
	}
	a := &h.asking
	a.mu.Lock()
	defer a.mu.Unlock()
	q, ok := a.waiting[number]
	if !ok {
		return nil
	}
	if q.to != node {
		return fmt.Errorf("the node has answered a request that was sent to another node, %s: %w", h.nodeName(q.to), wire.ErrRange)
	}
	delete(a.waiting, number)
	q.reply <- got
	return nil
}

// appendQuestion appends a kindQuestion message to b: the number of the question (uvarint) and the question.
func appendQuestion(b []byte, number uint64, body []byte) []byte {
	return append(binary.AppendUvarint(b, number), body...)
}

// parseQuestion decodes a kindQuestion message.
func parseQuestion(b []byte) (number uint64, body []byte, err error) {
	r := wire.NewReader(b)
	number, body = r.VarU64(), r.Rest()
	r.CheckRange(len(body) <= MaxQuestion, "size")
	if err := r.Err(); err != nil {
		return 0, nil, fmt.Errorf("decode a request of another node: %w", err)
	}
	return number, body, nil
}

// appendAnswer appends a kindAnswer message to b: the number of the question (uvarint), the result, 1 byte, and the answer.
func appendAnswer(b []byte, number uint64, a answer) []byte {
	return append(append(binary.AppendUvarint(b, number), a.result), a.body...)
}

// parseAnswer decodes a kindAnswer message.
func parseAnswer(b []byte) (number uint64, a answer, err error) {
	r := wire.NewReader(b)
	number, a.result = r.VarU64(), r.U8()
	r.CheckRange(a.result <= answerTooLarge, "result")
	a.body = r.Rest()
	r.CheckRange(len(a.body) <= MaxAnswer && (a.result == answerGiven || len(a.body) == 0), "size")
	if err := r.Err(); err != nil {
		return 0, answer{}, fmt.Errorf("decode an answer of another node: %w", err)
	}
	return number, a, nil
}
