package link

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"
)

const (
	handshakeTime = 5 * time.Second // time limit of TLS and both hellos
	refusalTime   = time.Second     // time limit for a refusal to reach the peer
	refusalRead   = 64 << 10        // bytes that are read from a refused peer, so that a TCP reset does not destroy the refusal
)

// refused is an error that is also sent to the peer as a refusal.
type refused struct {
	here  string // reason as this node logs it; it names the peer
	there string // reason as the peer logs it; it names this node
}

// Error returns the reason for the log of this node, which names the peer. The peer gets a text that names this node.
func (r *refused) Error() string { return r.here }

// candidate is a connection whose handshake is not complete, so that it is not a link yet.
type candidate struct {
	tls   *tls.Conn
	raw   net.Conn
	from  *source          // reads from tls
	in    *bufio.Reader    // buffers from
	peer  *peer            // node that was dialled; for an accepted connection, node that the certificate and the hello name, nil before
	clock func() time.Time // Config.Clock
}

// handshake turns a new connection into a link: TLS, and then an exchange of the messages hello and accept. The parameter want is
// the peer that this node dials, or nil for an accepted connection. If there is an error, handshake closes the connection.
func (m *Mesh) handshake(ctx context.Context, raw net.Conn, want *peer) (*conn, *peer, error) {
	if err := raw.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		raw.Close()
		return nil, want, err
	}
	stop := context.AfterFunc(ctx, func() { raw.Close() })
	s := &candidate{raw: raw, clock: m.cfg.Clock, peer: want}
	if want != nil {
		s.tls = tls.Client(raw, m.cfg.Keys.clientConfig(want.node.Name))
	} else {
		s.tls = tls.Server(raw, m.cfg.Keys.serverConfig())
	}
	s.from = &source{tls: s.tls, silence: m.cfg.silence}
	s.in = bufio.NewReaderSize(s.from, readBuffer)
	c, err := m.negotiate(s, want != nil)
	if err == nil && !stop() {
		err = ErrClosed
	}
	if err == nil {
		err = raw.SetDeadline(time.Time{})
	}
	if err != nil {
		if r, ok := errors.AsType[*refused](err); ok {
			s.refuse(r.there)
		} else if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok && want == nil {
			s.drain() // lets the peer read the TLS alert with the reason, which this node has sent
		}
		stop()
		raw.Close()
		return nil, s.peer, err
	}
	return c, s.peer, nil
}

// negotiate does the TLS handshake on a connection, exchanges the messages hello and accept with the peer, and returns the link.
// The parameter dialled is true if this node has dialled.
func (m *Mesh) negotiate(s *candidate, dialled bool) (*conn, error) {
	if err := s.tls.Handshake(); err != nil {
		return nil, fmt.Errorf("TLS: %w", explain(err))
	}
	name, err := nodeOf(s.tls.ConnectionState().PeerCertificates[0])
	if err != nil {
		return nil, err
	}
	exchange := m.exchangeAccepted
	if dialled {
		exchange = m.exchangeDialled
	}
	own := m.hello()
	h, first, err := exchange(s, own, name)
	if err != nil {
		return nil, err
	}
	return &conn{
		raw: s.raw, tls: s.tls, from: s.from, in: s.in, peer: h.Hello, own: own.Incarnation, first: first, clock: s.clock,
		limit: m.cfg.QueueBytes, stall: m.cfg.stall, signal: make(chan struct{}, 1), done: make(chan struct{}),
	}, nil
}

// exchangeDialled exchanges the messages hello and accept on a connection that this node has dialled. It checks the
// clock in the hello of the peer.
func (m *Mesh) exchangeDialled(s *candidate, own *hello, name string) (h *hello, first roundTrip, err error) {
	sent, err := s.sendHello(own)
	if err != nil {
		return nil, first, err
	}
	if h, err = s.readHello(); err != nil {
		return nil, first, err
	}
	back := s.clock()
	if err := m.check(s, h, name, true); err != nil {
		return nil, first, err
	}
	if first, err = m.checkClock(s.peer, sent, h.clock, back); err != nil {
		return nil, first, err
	}
	if err := s.sendAccept(); err != nil {
		return nil, first, err
	}
	_, err = s.readAccept()
	return h, first, err
}

// exchangeAccepted exchanges the messages hello and accept on a connection that the peer has dialled. It compares the clocks by the
// peer's accept message: that message answers our hello, so its round-trip time is known. The peer's hello answers nothing, so its
// travel time is not known.
func (m *Mesh) exchangeAccepted(s *candidate, own *hello, name string) (h *hello, first roundTrip, err error) {
	if h, err = s.readHello(); err != nil {
		return nil, first, err
	}
	if err := m.check(s, h, name, false); err != nil {
		return nil, first, err
	}
	sent, err := s.sendHello(own)
	if err != nil {
		return nil, first, err
	}
	theirs, err := s.readAccept()
	if errors.Is(err, ErrRefused) {
		if help := m.clockHelp(); help != "" {
			return nil, first, fmt.Errorf("%w%s", err, help)
		}
	}
	if err != nil {
		return nil, first, err
	}
	if first, err = m.checkClock(s.peer, sent, theirs, s.clock()); err != nil {
		return nil, first, err
	}
	if err := m.mayReplace(s.peer, h.Incarnation); err != nil {
		return nil, first, err
	}
	return h, first, s.sendAccept()
}

// hello returns the hello that this node sends, without the time, which sendHello sets.
func (m *Mesh) hello() *hello {
	return &hello{Hello: Hello{
		Cluster: m.cfg.Cluster, Node: m.cfg.Self, Incarnation: m.incarnation.Load(), Formats: m.cfg.Formats, Program: m.cfg.Program, Rules: m.cfg.Rules, Game: m.cfg.Game, Database: m.cfg.Database,
	}, nodes: m.names}
}

// check compares the hello of the peer with the configuration of this node, and sets s.peer. The parameter name is the name in
// the certificate of the peer.
func (m *Mesh) check(s *candidate, h *hello, name string, dialled bool) error {
	h.Program = printable(h.Program)
	self := m.nodes[m.cfg.Self].Name
	id := slices.Index(m.names, name) + 1
	switch {
	case h.Cluster != m.cfg.Cluster:
		return differ(name, self, "is of cluster %q, not %q", printable(h.Cluster), m.cfg.Cluster)
	case !slices.Equal(h.nodes, m.names):
		return differ(name, self, "has the list of nodes %s, not %s", printable(strings.Join(h.nodes, ",")), strings.Join(m.names, ","))
	case id == 0: // the lists are equal, so the peer is not in its own list either
		return &refused{fmt.Sprintf("node %q is not in the list of nodes %s", name, strings.Join(m.names, ",")), fmt.Sprintf("this node, %q, is not in the list of nodes", name)}
	case h.Node != uint64(id):
		return &refused{fmt.Sprintf("node %s says that it is number %d of the list of nodes, but it is number %d", name, h.Node, id), "this node claims to be another one"}
	case h.Node == m.cfg.Self:
		return &refused{"a process with the keys of this node, " + self + ", has connected: another copy of it runs, or the address of a node is wrong", "the connection leads to this node itself, or to another process with its keys"}
	case dialled && h.Node != s.peer.node.ID: // TLS has verified the name of the peer
		return &refused{fmt.Sprintf("node %s has answered instead of node %s", name, s.peer.node.Name), "this node is not the one that was dialled"}
	}
	s.peer = m.peers[h.Node]
	switch {
	case !dialled && h.Node > m.cfg.Self:
		return &refused{"node " + name + " has opened a connection, but of two nodes the one with the smaller number must open it: that is this node", "of two nodes the one with the smaller number must open the connection: that is the other node"}
	case h.Formats != m.cfg.Formats:
		return differ(name, self, "has the formats %s, not %s: all nodes of a cluster need programs of the same formats", describe(printable(h.Formats), h.Program), describe(m.cfg.Formats, m.cfg.Program))
	case h.Rules != m.cfg.Rules:
		return differ(name, self, "has the world of digest %016x, not %016x: both need the same world and rules", h.Rules, m.cfg.Rules)
	case h.Game != m.cfg.Game:
		return differ(name, self, "has the game rules %s, not %s: all nodes of a cluster need the same game rules, whose version is server.Config.GameVersion",
			describe(printable(h.Game), h.Program), describe(m.cfg.Game, m.cfg.Program))
	case h.Database != m.cfg.Database:
		return differ(name, self, "has the database with the ID %q, not %q: all nodes of a cluster need the same database, whose URL is the setting store", printable(h.Database), m.cfg.Database)
	case !dialled:
		return m.mayReplace(s.peer, h.Incarnation)
	}
	return nil
}

// describe returns the formats, or the version of the game rules, and the version of a program as text.
func describe(formats, version string) string {
	return fmt.Sprintf("%q (version %s)", formats, version)
}

// differ returns a refusal because a property of the two nodes differs: a text for each node, which begins with the name of the other
// one. The format describes the property; its two verbs get the value of the node just named and that of the other node.
func differ(name, self, format string, theirs, ours any) error {
	return &refused{fmt.Sprintf("node "+name+" "+format, theirs, ours), fmt.Sprintf("node "+self+" "+format, ours, theirs)}
}

// mayReplace returns an error if the new connection is from an older process of a node than an existing connection to that node.
// The newer process has the greater incarnation.
func (m *Mesh) mayReplace(p *peer, incarnation uint64) error {
	newest := p.incarnation()
	if incarnation >= newest {
		return nil
	}
	return &refused{
		fmt.Sprintf("node %s is connected with incarnation %d; another process of that node tried to connect with the older incarnation %d", p.node.Name, newest, incarnation),
		fmt.Sprintf("a newer process of this node is connected: it has incarnation %d, and this process has %d", newest, incarnation),
	}
}

// checkClock returns an error if the clock of a peer differs from that of this node by more than MaxClockOffset. The parameter theirs
// is the peer's clock. The parameters sent and back are times of this node's clock before and after the peer read its clock.
func (m *Mesh) checkClock(p *peer, sent, theirs, back time.Time) (roundTrip, error) {
	r, ok := measure(pong{asked: sent, received: theirs, sent: theirs}, back)
	if ok && !r.beyond(MaxClockOffset) {
		return r, nil
	}
	off := r.offset.Round(time.Millisecond)
	return r, &refused{
		fmt.Sprintf("clock of node %s is %v ahead of this node's (a negative value: behind), at most %v either way are allowed%s", p.node.Name, off, MaxClockOffset, m.clockHelp()),
		fmt.Sprintf("clock of node %s is %v ahead of this node's (a negative value: behind), at most %v either way are allowed", m.nodes[m.cfg.Self].Name, -off, MaxClockOffset),
	}
}

// clockHelp returns advice for the operator, to be appended to an error, if the clock of this machine was set after the start of the
// process; else "". Config.Clock ignores such a change, so links can be refused although the clocks of all machines agree.
func (m *Mesh) clockHelp() string {
	by := time.Now().Round(0).Sub(m.cfg.Clock().Round(0)).Round(time.Millisecond)
	if by.Abs() <= MaxClockOffset/2 {
		return ""
	}
	return fmt.Sprintf("; the clock of this machine was set by %v after this node had started: restart this node", by)
}

// send writes a frame to the connection, without the queue that a link has.
func (s *candidate) send(kind byte, body []byte) error {
	if _, err := s.tls.Write(appendFrame(nil, kind, body)); err != nil {
		return explain(err)
	}
	return nil
}

// sendHello sends a hello with the present time, and returns that time.
func (s *candidate) sendHello(h *hello) (time.Time, error) {
	h.clock = s.clock()
	return h.clock, s.send(kindHello, h.append(nil))
}

// receive reads a frame of the kind want and returns its body. A refusal of the peer is returned as an error.
func (s *candidate) receive(want byte) ([]byte, error) {
	kind, body, err := readFrame(s.in, maxControl)
	switch {
	case err != nil:
		return nil, explain(err)
	case kind == kindRefuse:
		text, err := parseRefusal(body)
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %s", ErrRefused, text)
	case kind != want:
		return nil, fmt.Errorf("the peer sent a frame of kind %d, expected kind %d", kind, want)
	}
	return body, nil
}

// readHello reads the hello of the peer. A hello of another version of the format is refused.
func (s *candidate) readHello() (*hello, error) {
	body, err := s.receive(kindHello)
	if err != nil {
		return nil, err
	}
	h, err := parseHello(body)
	if errors.Is(err, errFormat) {
		return nil, &refused{err.Error(), fmt.Sprintf("another version of the link format: the other node has version %d", formatVersion)}
	}
	return h, err
}

// sendAccept accepts the hello of the peer.
func (s *candidate) sendAccept() error { return s.send(kindAccept, appendTime(nil, s.clock())) }

// readAccept waits until the peer accepts the hello of this node. It returns the clock of the peer.
func (s *candidate) readAccept() (time.Time, error) {
	body, err := s.receive(kindAccept)
	if err != nil {
		return time.Time{}, err
	}
	return parseAccept(body)
}

// refuse tells the peer why the connection is closed.
func (s *candidate) refuse(text string) {
	if s.raw.SetDeadline(time.Now().Add(refusalTime)) != nil {
		return
	}
	if s.send(kindRefuse, appendRefusal(nil, text)) != nil || s.tls.CloseWrite() != nil {
		return
	}
	s.drain()
}

// drain reads until the peer closes the connection. If this node closed it while bytes are unread, the connection would be reset,
// and a refusal that was just written could be lost.
func (s *candidate) drain() {
	if s.raw.SetDeadline(time.Now().Add(refusalTime)) == nil {
		_, _ = io.CopyN(io.Discard, s.raw, refusalRead)
	}
}
