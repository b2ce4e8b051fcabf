//go:build linux

package main

import (
	"context"
	"io"
	"time"

	"github.com/truestep-io/truestep/internal/netsim"
)

// Sizes of a relay.
const (
	maxPacket = 64 << 10 // maximum size of an IP packet in bytes
	inbox     = 4096     // number of packets that wait to be put on the path; the reader waits while it is full
)

// forward reads IP packets from one interface and writes them to another, with the delay and the loss of the impairment. It does not look
// into packets, so UDP and TCP are treated equally. It returns when ctx ends or an interface is closed. Each Read must return one packet.
func forward(ctx context.Context, from io.Reader, to io.Writer, imp netsim.Impairment, seed uint64) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, failed := make(chan []byte, inbox), make(chan error, 1)
	go func() {
		buf := make([]byte, maxPacket)
		for {
			n, err := from.Read(buf)
			if err != nil {
				failed <- err
				return
			}
			select {
			case in <- append([]byte(nil), buf[:n]...):
			case <-ctx.Done():
				return
			}
		}
	}()
	path, start := netsim.NewPath(imp, seed), time.Now()
	now := func() uint32 { return uint32(time.Since(start).Milliseconds()) }
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		for p, ok := path.Receive(now()); ok; p, ok = path.Receive(now()) {
			if _, err := to.Write(p); err != nil {
				return err
			}
		}
		wait := time.Hour
		if at, ok := path.NextAt(); ok {
			wait = time.Until(start.Add(time.Duration(at) * time.Millisecond))
		}
		timer.Reset(wait)
		select {
		case p := <-in:
			path.Send(now(), p)
		case <-timer.C:
		case err := <-failed:
			return err
		case <-ctx.Done():
			return nil
		}
	}
}
