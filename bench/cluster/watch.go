//go:build linux

package main

import (
	"bufio"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// watcher receives a message of type release from the leader of each area for every frame that the leader would send to clients.
// It runs in the measuring program, which the faults do not affect.
type watcher struct {
	ln net.Listener

	mu       sync.Mutex
	releases []release // in order of arrival
}

func newWatcher() (*watcher, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w := &watcher{ln: ln}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go w.read(c)
		}
	}()
	return w, nil
}

func (w *watcher) read(c net.Conn) {
	defer c.Close()
	in := bufio.NewReaderSize(c, 64<<10)
	var b [releaseSize]byte
	for {
		if _, err := io.ReadFull(in, b[:]); err != nil {
			return // the node has ended
		}
		r := parseRelease(&b)
		w.mu.Lock()
		w.releases = append(w.releases, r)
		w.mu.Unlock()
	}
}

// take closes the watcher and returns the releases of each area, sorted by the time at which the frame was released.
func (w *watcher) take(areas int) [][]release {
	w.ln.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	list := make([][]release, areas)
	for _, r := range w.releases {
		list[r.area] = append(list[r.area], r)
	}
	for _, one := range list {
		slices.SortStableFunc(one, func(a, b release) int { return int(a.released - b.released) })
	}
	return list
}

// leaders returns for each area the node that released its newest frame. ok is false if an area has released no frame yet.
func (w *watcher) leaders(areas int) (list []uint32, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	list = make([]uint32, areas)
	seen := make([]bool, areas)
	for _, r := range w.releases {
		list[r.area], seen[r.area] = r.node, true
	}
	return list, !slices.Contains(seen, false)
}

// history counts what a comparison of the nodes' frames has found, tick by tick for each area. A tick is new, or was released
// before (repeated), perhaps with another state (conflicting), or was never released although a later one was (missing).
type history struct {
	ticks       int // number of different ticks that were released
	repeated    int // number of releases of a tick that was released before, with the same or another state
	conflicting int // number of releases of a tick that was released before with another state
	missing     int // number of ticks that no node has released, although a later one was
	changes     int // number of times that the leader of an area changed
}

// check goes through the releases of each area in the order of their time. It counts the new, repeated, conflicting and missing
// ticks, and the changes of leader. A repeated tick is conflicting if its hash differs.
func check(list [][]release) (h history) {
	for _, one := range list {
		hashes := map[uint64]uint64{}
		var newest, term uint64
		for i, r := range one {
			if hash, ok := hashes[r.tick]; ok {
				if h.repeated++; hash != r.hash {
					h.conflicting++
				}
			}
			hashes[r.tick] = r.hash
			newest = max(newest, r.tick)
			if r.term > term {
				if i > 0 {
					h.changes++
				}
				term = r.term
			}
		}
		h.ticks += len(hashes)
		h.missing += int(newest) - len(hashes)
	}
	return h
}

// gaps returns how long a fault has interrupted each area: the time from the last frame before the fault to the next new frame.
// The gaps are in led if the failed node, with the number victim, led the area before the fault, and otherwise in other. If no
// new frame follows, the gap is the constant never.
func gaps(list [][]release, fault int64, victim uint32) (led, other []time.Duration) {
	for _, one := range list {
		var last *release
		gap := never
		for i := range one {
			r := &one[i]
			switch {
			case r.released <= fault && (last == nil || r.tick > last.tick):
				last = r
			case r.released > fault && last != nil && r.tick > last.tick && gap == never:
				gap = time.Duration(r.released - last.released)
			}
		}
		if last == nil {
			continue
		}
		if last.node == victim {
			led = append(led, gap)
		} else {
			other = append(other, gap)
		}
	}
	return led, other
}

const never = time.Hour // stands for a gap that does not end within the run
