package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// recordWriter holds the records that are not stored yet and writes them to the store in the background, so that a slow
// or failing disk delays no player. Readers of the store use applyUnsaved to replace what they have read by the newest
// records.
//
// Records reach the store in the order of the ticks that emitted them: see tick_records.go.
type recordWriter struct {
	store store.Store
	log   *slog.Logger
	opt   Options
	world durability

	cluster bool // other processes read the same frames, and each stores the records of the areas that it owns

	read       []atomic.Uint64 // newest tick that was read, by AreaID; written by the goroutine that reads frames
	gap        []atomic.Uint64 // in a cluster, by AreaID: newest tick that was missed although a later one was read; 0 for none
	feed       *area.Feed
	feedDone   chan struct{}      // closed when the last frame has been read
	wakeup     chan struct{}      // has capacity 1 and holds a value while a save is requested
	stop       context.CancelFunc // ends the writer goroutine
	writerDone chan struct{}      // is closed when the writer goroutine has ended

	maxBatch, maxWaiting int // the constants maxBatch and maxWaiting; tests set smaller values

	flushing sync.Mutex               // held during a flush; locked before mu
	damaged  map[sim.CharacterID]bool // characters whose stored record addDroppers could not read and has logged; guarded by flushing

	mu      sync.Mutex
	records map[sim.CharacterID]*heldRecord
	waiting []*tickRecords // ticks whose records are not merged into records yet, in the order in which their frames were read
	saved   []sim.Tick     // newest tick that was reported to the world as saved, by AreaID
	refused []uint64       // in a cluster, by AreaID: the epoch in which a save was refused because another process owns the area
	// ground is used only in a cluster. It has, by handle of the item, the area of each item on the ground, and of each item
	// whose removal from the ground is not stored yet.
	ground map[uint32]sim.AreaID
	// unheld is used only in a cluster. It has, by dropper, items that are on the ground after the merged ticks and whose droppers
	// have no heldRecord, because this process has missed the ticks in which the items were dropped.
	unheld   map[sim.CharacterID][]droppedItem
	changed  int          // number of records that are ready to be saved
	unstored int          // number of records that are not stored yet
	failure  *saveFailure // nil while saving works
	batches  uint64       // number of batches saved so far, and of other changes that invalidate rosters read before
}

// durability is the part of area.Host that tells the record writer which ticks it may store, and to which it reports the
// stored ticks.
type durability interface {
	Storable(a sim.AreaID) sim.Tick
	Saved(a sim.AreaID, tick sim.Tick)
	Owner(a sim.AreaID) (epoch uint64, own bool)
	SavedTick(a sim.AreaID) sim.Tick
	Missed(a sim.AreaID, tick sim.Tick)
}

// heldRecord is the record of a character in memory. It is held until its newest version is stored, none of the
// character's items is on the ground, and no queued tick has an older version.
type heldRecord struct {
	newest   *sim.Character // newest record in all frames read so far
	current  *sim.Character // newest record in the merged ticks; nil if none of them has a record of the character
	onGround []droppedItem  // items of the character that are on the ground after the merged ticks
	changed  bool           // current, together with onGround, is not stored yet
	unstored bool           // newest is not stored yet
	restored bool           // newest is from the previous run of the server, so any record in a frame counts as newer
	queued   int            // in a cluster, number of queued ticks that have a record of the character: see countQueued
}

func newRecordWriter(st store.Store, w durability, areas int, o Options) *recordWriter {
	return &recordWriter{
		store: st, log: o.Log, opt: o, world: w, cluster: o.Directory != nil,
		refused: make([]uint64, areas), ground: map[uint32]sim.AreaID{}, unheld: map[sim.CharacterID][]droppedItem{}, damaged: map[sim.CharacterID]bool{},
		feedDone: make(chan struct{}), wakeup: make(chan struct{}, 1), writerDone: make(chan struct{}),
		records: map[sim.CharacterID]*heldRecord{}, read: make([]atomic.Uint64, areas), gap: make([]atomic.Uint64, areas), saved: make([]sim.Tick, areas),
		maxBatch: maxBatch, maxWaiting: maxWaiting,
	}
}

func (k *recordWriter) start(h *Hub, feed *area.Feed) {
	ctx, cancel := context.WithCancel(context.Background())
	k.feed, k.stop = feed, cancel
	go func() {
		defer close(k.feedDone)
		for p := range feed.C() {
			h.logMissed(&p)
			h.handleFrame(p.Frame, p.Missed)
			p.Release()
		}
		h.endAll()
	}()
	go func() {
		defer close(k.writerDone)
		k.run(ctx, func(now time.Time) {
			h.endOverdue(ctx, now)
			h.writeProofs(now)
			h.releaseClaims(ctx)
		})
		h.locating.done.Wait()
	}()
}

// saveFailure describes a period during which records could not be saved.
type saveFailure struct {
	since  time.Time
	err    error
	logged time.Time // time of the last log line about the failure
}

// setUnstored sets r.unstored and updates the count k.unstored. The caller holds k.mu.
func (k *recordWriter) setUnstored(r *heldRecord, unstored bool) {
	if r.unstored != unstored {
		k.unstored += map[bool]int{true: 1, false: -1}[unstored]
	}
	r.unstored = unstored
	k.opt.Metrics.Unsaved.Set(k.unstored)
}

// setChanged sets r.changed and updates the count k.changed. The caller holds k.mu.
func (k *recordWriter) setChanged(r *heldRecord, changed bool) {
	if r.changed != changed {
		k.changed += map[bool]int{true: 1, false: -1}[changed]
	}
	r.changed = changed
	k.setUnstored(r, changed || r.newest != r.current)
}

// remove drops the record of a deleted character.
func (k *recordWriter) remove(id sim.CharacterID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.unheld, id)
	if r := k.records[id]; r != nil {
		k.setChanged(r, false)
		k.setUnstored(r, false)
		delete(k.records, id)
	}
}

// saveSoon makes the writer save immediately instead of at the next interval.
func (k *recordWriter) saveSoon() {
	select {
	case k.wakeup <- struct{}{}:
	default: // an earlier request is still pending
	}
}

// savedBatches returns the number of batches saved so far. A caller that is about to read records from the store passes the
// number to applyUnsaved afterwards, which thus detects that a batch was saved meanwhile.
func (k *recordWriter) savedBatches() uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.batches
}

func (k *recordWriter) unsaved() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.unstored
}

// applyUnsaved replaces records that were read from the store by newer ones that are not stored yet. The parameter seen
// is the result of savedBatches before the read. If a batch was saved since then, a newer record may be missing in
// roster and already be removed from k. applyUnsaved then returns false, and the caller must read again.
func (k *recordWriter) applyUnsaved(roster []*sim.Character, seen uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.batches != seen {
		return false
	}
	for i, c := range roster {
		// In a cluster another node may have stored a record that is newer than the record in memory.
		if newer := k.records[c.ID]; newer != nil && !(k.cluster && newer.newest.Version < c.Version) {
			roster[i] = newer.newest
		} else if k.cluster {
			roster[i] = k.withoutGround(c)
		}
	}
	return true
}

// withoutGround returns the stored record c without those of its dropped items that are on the ground, or whose removal from the
// ground is not stored yet. The caller holds k.mu.
func (k *recordWriter) withoutGround(c *sim.Character) *sim.Character {
	lies := func(d sim.DroppedItem) bool { _, lies := k.ground[d.Handle]; return d.Handle != 0 && lies }
	if !slices.ContainsFunc(c.Dropped, lies) {
		return c
	}
	without := *c
	without.Dropped = slices.DeleteFunc(slices.Clone(c.Dropped), lies)
	return &without
}

// run saves at intervals, and immediately after saveSoon, until ctx ends. Before each save it calls the function atRound. After
// an error, run retries with exponentially growing pauses, which saveSoon does not shorten.
func (k *recordWriter) run(ctx context.Context, atRound func(now time.Time)) {
	pause, wake := k.opt.SaveEvery, k.wakeup
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-wake:
		}
		atRound(time.Now())
		n, err := k.flush(ctx, false)
		if ctx.Err() != nil {
			return
		}
		if k.report(n, err, time.Now()) {
			pause, wake = min(pause*2, k.opt.SaveRetry), nil
		} else {
			pause, wake = k.opt.SaveEvery, k.wakeup
		}
		timer.Reset(pause)
	}
}

// failureLogEvery is the interval at which a persistent failure is logged again.
const failureLogEvery = time.Minute

// report processes the result of a flush that has saved n records. It logs the beginning and the end of a failure, and
// repeats the log line at intervals. The result failing is true while saves fail.
func (k *recordWriter) report(n int, err error, now time.Time) (failing bool) {
	k.mu.Lock()
	before, unsaved := k.failure, k.unstored
	text, f := "cannot save player records, retrying", &saveFailure{since: now, err: err, logged: now}
	if before != nil {
		text, f.since = "still cannot save player records, retrying", before.since
	}
	due := before == nil || now.Sub(before.logged) >= failureLogEvery
	if !due {
		f.logged = before.logged
	}
	if k.failure = f; err == nil {
		k.failure = nil
	}
	k.mu.Unlock()
	k.opt.Metrics.SaveFailing.Set(map[bool]int{true: 1}[err != nil])
	switch {
	case err == nil && before != nil:
		k.log.Info("player records are saved again", "records", n, telemetry.FieldDuration, now.Sub(f.since))
	case err != nil && due:
		k.log.Error(text, "unsaved", unsaved, telemetry.FieldDuration, now.Sub(f.since), telemetry.FieldErr, err)
	}
	return err != nil
}

// status returns the number of unsaved records and the current failure.
func (k *recordWriter) status() SaveStatus {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := SaveStatus{Unsaved: k.unstored}
	if k.failure != nil {
		s.Since, s.Err = k.failure.since, k.failure.err
	}
	return s
}

// maxBatch is the maximum number of records in a transaction. It limits the duration of the transaction, so that logins, which
// read the store, do not wait long. A tick with more records is an exception: all records of a tick are saved in one transaction.
const maxBatch = 500 // records per transaction   measured: 27 ms with SQLite on 2 cores

// flush saves the records of every durable tick: a tick that is synced to the tape, so that a crash cannot undo it. If the
// parameter all is true, it also saves the records of other ticks. It returns the number of saved records.
func (k *recordWriter) flush(ctx context.Context, all bool) (n int, err error) {
	k.flushing.Lock()
	defer k.flushing.Unlock()
	for more := true; more; {
		var batch recordBatch
		batch, more = k.nextBatch(all)
		err := k.addDroppers(ctx, &batch)
		if err == nil && len(batch.records) > 0 {
			err = k.save(ctx, batch.fence, batch.records)
		}
		if err != nil && k.cluster {
			k.returnTicks(&batch)
		}
		if errors.Is(err, store.ErrFenced) {
			return n, k.refuseFenced(ctx, batch.fence)
		}
		if err != nil {
			return n, err
		}
		n += len(batch.records)
		k.reportSaved(batch.through)
	}
	return n, nil
}

// changedRecords returns the records to save, sorted by ID. The field Dropped of each record contains the items of the
// character that are on the ground. The caller holds k.mu.
func (k *recordWriter) changedRecords() []*sim.Character {
	if k.changed == 0 {
		return nil
	}
	list := make([]*sim.Character, 0, k.changed)
	for _, r := range k.records {
		if r.changed {
			list = append(list, withDropped(r.current, r.onGround))
		}
	}
	slices.SortFunc(list, func(a, b *sim.Character) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// save stores a batch of records in one transaction. While it runs, only flush and remove change the records in memory.
func (k *recordWriter) save(ctx context.Context, fence store.Fence, batch []*sim.Character) error {
	if err := k.store.SaveCharacters(ctx, fence, batch); err != nil {
		k.opt.Metrics.Saves.With(resultError).Add(len(batch))
		return err
	}
	k.opt.Metrics.Saves.With(resultOK).Add(len(batch))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.batches++
	for _, c := range batch {
		if r := k.records[c.ID]; r != nil {
			k.setChanged(r, false)
			k.release(r)
		}
	}
	return nil
}

// reportSaved reports to the world, for each area, the tick up to which all records are stored. The parameter through
// has these ticks by AreaID.
func (k *recordWriter) reportSaved(through []sim.Tick) {
	for a, tick := range through {
		k.mu.Lock()
		news := tick > k.saved[a] || k.cluster && tick > k.world.SavedTick(sim.AreaID(a)) // repeat a report that had no effect because another process owned the area
		if news {
			k.saved[a] = tick
		}
		k.mu.Unlock()
		if news {
			k.world.Saved(sim.AreaID(a), tick)
		}
	}
}

// release drops a record from memory if its newest version is stored, none of the character's items is on the ground, and no
// queued tick has an older version. The caller holds k.mu.
func (k *recordWriter) release(r *heldRecord) {
	if !r.unstored && len(r.onGround) == 0 && r.queued <= 0 {
		delete(k.records, r.newest.ID)
	}
}

const (
	closeRetryDelay = 100 * time.Millisecond // pause between attempts to save while the hub is being closed
	durableTimeout  = 800 * time.Millisecond // time after which close also saves the records of ticks that are not durable
)

// close reads the remaining frames, stops the writer and saves the remaining records.
func (k *recordWriter) close(ctx context.Context) error {
	select {
	case <-k.feedDone:
	case <-ctx.Done():
		k.feed.Close()
		<-k.feedDone
	}
	k.stop()
	<-k.writerDone
	for began := time.Now(); ; {
		_, err := k.flush(ctx, time.Since(began) >= durableTimeout)
		if err == nil && k.ownUnsaved() == 0 {
			return nil
		}
		select {
		case <-time.After(closeRetryDelay):
		case <-ctx.Done():
			return k.dump(cmp.Or(err, ctx.Err()))
		}
	}
}

// dump writes to a file the records that could not be saved. The parameter err says why they could not be saved. The result is an
// error that also names the file. If Options.DumpDir is "", no file is written.
func (k *recordWriter) dump(err error) error {
	k.maxBatch = math.MaxInt
	batch, _ := k.nextBatch(true)
	list := batch.records
	lost := fmt.Errorf("%d player records are not saved: %w", len(list), err)
	if k.opt.DumpDir == "" {
		return lost
	}
	for _, dir := range []string{k.opt.DumpDir, os.TempDir()} {
		path, dumpErr := writeDump(dir, time.Now(), list)
		if dumpErr == nil {
			return fmt.Errorf("%w; the records are in %s: when the disk works again, bring them back with truestep restore %s", lost, path, path)
		}
		lost = fmt.Errorf("%w; the records cannot be written to %s either: %w", lost, dir, dumpErr)
	}
	return lost
}

// writeDump writes records to a new file in dir that only its owner can read, and returns the file's path.
func writeDump(dir string, now time.Time, list []*sim.Character) (path string, err error) {
	f, err := os.CreateTemp(dir, "unsaved-"+now.UTC().Format("20060102-150405")+"-*.jsonl")
	if err != nil {
		return "", err
	}
	err = store.WriteRecords(f, list)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// isUnstored reports whether the newest record of a character is not stored yet.
func (k *recordWriter) isUnstored(id sim.CharacterID) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	r := k.records[id]
	return r != nil && r.unstored
}

// edit changes the stored record of a character that is not in the world. The character's items on the ground stay there.
// Errors: store.ErrNotFound, store.ErrNotHolder, ErrBusy if the character's newest record is not stored yet, and the errors of the
// function change.
func (k *recordWriter) edit(ctx context.Context, by store.SessionHolder, id sim.CharacterID, change func(*sim.Character) error) error {
	k.flushing.Lock() // no tick may be merged into the records during the change
	defer k.flushing.Unlock()
	if k.isUnstored(id) {
		return ErrBusy
	}
	c, err := k.store.Character(ctx, id)
	if err != nil {
		return err
	}
	if err := change(c); err != nil {
		return err
	}
	c.Version++
	if err := k.store.EditCharacter(ctx, by, c); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.batches++ // invalidates rosters that were read before
	if r := k.records[id]; r != nil {
		held := *c
		held.Dropped = nil
		if r.current != nil {
			held.Dropped = r.current.Dropped // heldRecord stores the items on the ground in onGround, not in Dropped
		}
		r.newest, r.current = &held, &held
	}
	return nil
}
