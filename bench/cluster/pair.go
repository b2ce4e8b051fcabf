//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/cluster/replica"
)

// A message between a primary and its backup consists of the kind (u8), the epoch and the tick (u64 LE each). In a pairBatch
// message the batch follows.
const (
	pairBatch  = 1  // message of the primary: the batch of a tick
	pairAck    = 2  // message of the backup: it has received the batch
	pairFenced = 3  // answer to a refused batch: the receiver is not the backup in that epoch, or the tick is not the next one that it expects
	pairHead   = 17 // bytes of kind, epoch and tick
)

// ledger changes the rows of the database that name the primary and the backup of each area.
type ledger struct{ pool *pgxpool.Pool }

const ledgerSchema = `CREATE TABLE areas (area int PRIMARY KEY, epoch bigint NOT NULL, prim int NOT NULL, back int)`

// cas (compare and set) makes a node the primary of an area, without a backup, if the area's row still has the given epoch. It
// returns false if the row has another epoch. It repeats the statement until the database answers.
func (l ledger) cas(area int, epoch uint64, node int) bool {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		tag, err := l.pool.Exec(ctx, `UPDATE areas SET epoch = epoch + 1, prim = $3, back = NULL WHERE area = $1 AND epoch = $2`, area, int64(epoch), node)
		cancel()
		if err == nil {
			return tag.RowsAffected() == 1
		}
		fmt.Fprintf(os.Stderr, "area %d: cannot change the area's primary in PostgreSQL, retrying: %v\n", area, err)
		time.Sleep(20 * time.Millisecond)
	}
}

// pairRole is the role of a node for an area under the arrangement pair. Each area then has a primary, which seals the
// batches, and a backup, which acknowledges them.
type pairRole int

const (
	pairNone pairRole = iota
	pairPrimary
	pairBackup
)

// pairMember is the part that this node plays for an area under the arrangement pair: it is the primary, its backup, or neither.
type pairMember struct {
	shard   *shard
	ledger  ledger
	area    int
	self    int      // number of this node
	peer    int      // number of the other node of the pair
	role    pairRole // of this node
	solo    bool     // this node is a primary without a backup
	epoch   uint64   // number of changes of the primary, from 1
	tick_   uint64   // tick of the newest batch
	stepper *stepper // nil if this node has no role

	began       bool   // the primary has sealed, or the backup has received, its first batch
	isDue       bool   // the time of the next tick has come
	next        []byte // batch of the next tick; nil until the stepper has prepared it
	outstanding bool   // the backup has not acknowledged the newest batch yet
	sealed      int64  // time at which the newest batch was sealed, ns of now()
	silent      int    // number of consecutive ticks of the failure clock without a message of the other node
	limit       int    // value of silent at which the other node counts as lost
	asking      bool   // a call of ledger.cas is running

	send  []func() // actions that wait until the log is written
	write [][]byte // batches to log
}

func (m *pairMember) due()                 { m.isDue = true }
func (m *pairMember) setNext(batch []byte) { m.next = batch }

func (m *pairMember) linkChanged(peer int, up bool) {
	if peer == m.peer && !up {
		m.lose()
	}
}

func (m *pairMember) tick() {
	if m.role == pairNone || m.solo || !m.began {
		return
	}
	if m.silent++; m.silent >= m.limit {
		m.lose()
	}
}

// lose handles the loss of the other node of the pair. It asks the database to make this node the primary without a backup. The
// goroutine of the shard then calls the method answer with the result.
func (m *pairMember) lose() {
	if m.role == pairNone || m.solo || m.asking || !m.began {
		return
	}
	m.asking = true
	epoch := m.epoch
	go func() {
		won := m.ledger.cas(m.area, epoch, m.self)
		m.shard.post(m.area, func(member) { m.answer(won) })
		m.shard.kick()
	}()
}

func (m *pairMember) answer(won bool) {
	m.asking = false
	if !won || m.role == pairNone {
		m.role = pairNone
		return
	}
	wasBackup := m.role == pairBackup
	m.epoch++
	m.role, m.solo = pairPrimary, true
	switch {
	case wasBackup:
		m.isDue, m.next = true, nil
		m.stepper.jobs <- job{agreed: now(), release: true, sealNext: true, term: m.epoch}
	case m.outstanding:
		m.agree()
	}
}

// agree notes that the primary's newest batch is agreed on: the backup has received it, or the primary no longer has a backup. It
// makes the stepper release the frame of that batch.
func (m *pairMember) agree() {
	m.outstanding = false
	m.stepper.jobs <- job{agreed: now(), release: true, sealNext: true, term: m.epoch}
}

func (m *pairMember) receive(from int, b []byte) {
	if len(b) < pairHead || from != m.peer {
		return
	}
	epoch, tick := binary.LittleEndian.Uint64(b[1:]), binary.LittleEndian.Uint64(b[9:])
	switch {
	case b[0] == pairBatch && (m.role != pairBackup || epoch != m.epoch || tick != m.tick_+1):
		m.reply(pairFenced, tick)
	case b[0] == pairBatch:
		m.began, m.silent, m.tick_ = true, 0, tick
		batch := b[pairHead:]
		m.write = append(m.write, batch)
		m.send = append(m.send, func() {
			m.reply(pairAck, tick)
			m.stepper.jobs <- job{batch: batch, term: epoch}
		})
	case b[0] == pairAck && m.role == pairPrimary && !m.solo && epoch == m.epoch && tick == m.tick_ && m.outstanding && !m.asking:
		m.silent = 0
		m.agree()
	case b[0] == pairFenced && epoch >= m.epoch:
		m.role = pairNone
	}
}

func (m *pairMember) reply(kind byte, tick uint64) {
	m.shard.links.links[m.peer].send(m.area, func(b []byte) []byte { return appendPairHead(b, kind, m.epoch, tick) })
}

func appendPairHead(b []byte, kind byte, epoch, tick uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(append(b, kind), epoch), tick)
}

func (m *pairMember) prepare() bool {
	if m.role == pairPrimary && !m.began {
		m.began, m.isDue = true, true
		m.stepper.jobs <- job{sealNext: true, term: m.epoch}
	}
	if m.role == pairPrimary && m.isDue && m.next != nil && !m.outstanding {
		m.seal()
	}
	if m.shard.log != nil {
		for i, batch := range m.write {
			m.shard.log.addEntry(m.area, &replica.Entry{Index: m.tick_ - uint64(len(m.write)-1-i), Term: m.epoch, Data: batch})
		}
	}
	any := len(m.write) > 0
	m.write = m.write[:0]
	return any
}

// seal proposes the next batch: it sends the batch to the backup and lets the stepper step it at the same time. The frame is
// released when the backup has acknowledged the batch, or at once if there is no backup.
func (m *pairMember) seal() {
	batch := m.next
	m.sealed, m.next, m.isDue = now(), nil, false
	m.tick_++
	m.write = append(m.write, batch)
	if !m.solo {
		m.outstanding = true
		m.shard.links.links[m.peer].send(m.area, func(b []byte) []byte {
			return append(appendPairHead(b, pairBatch, m.epoch, m.tick_), batch...)
		})
	}
	m.stepper.jobs <- job{batch: batch, sealed: m.sealed, term: m.epoch}
	if m.solo {
		m.send = append(m.send, m.agree)
	}
}

func (m *pairMember) complete() bool {
	for _, f := range m.send {
		f()
	}
	m.send = m.send[:0]
	return false
}
