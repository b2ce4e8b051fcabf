package session

import (
	"context"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// Timing of the writes of known addresses.
const (
	saveKnownEvery = 30 * time.Second // delay of a write after a login, so that many logins cause few transactions
	saveKnownLimit = 5 * time.Second  // maximum duration of one write or of reading at the start
)

// knownAddresses remembers for Options.KnownTime the addresses and networks from which accounts have logged in. The
// addresses are stored, so that after a restart logins from known addresses are still served first. A server that is
// killed loses at most the addresses added within the last saveKnownEvery.
type knownAddresses struct {
	store store.Store
	opt   *Options

	byAddr    *admission.Window[accountKey]
	byNetwork *admission.Window[networkKey]

	saving sync.Mutex // held during a write

	mu      sync.Mutex
	unsaved map[accountKey]time.Time // logins that are not written to the store yet, at most 2*store.MaxKnownAddresses
	timer   *time.Timer              // starts the next write; nil if nothing is unsaved
	failing bool                     // the last write failed
	closed  bool
}

// newKnownAddresses reads the stored addresses. If reading fails, no address is known.
func newKnownAddresses(st store.Store, o *Options) *knownAddresses {
	k := &knownAddresses{
		store: st, opt: o, unsaved: map[accountKey]time.Time{},
		byAddr:    admission.NewWindow[accountKey](o.KnownTime, maxTracked),
		byNetwork: admission.NewWindow[networkKey](o.KnownTime, maxTracked),
	}
	ctx, cancel := context.WithTimeout(context.Background(), saveKnownLimit)
	defer cancel()
	now := time.Now()
	list, err := st.KnownAddresses(ctx, now.Add(-o.KnownTime))
	if err != nil {
		o.Log.Warn("cannot read the known addresses of players; during an attack their logins have no priority", telemetry.FieldErr, err)
	}
	for _, e := range list { // oldest first, because admission.Window needs increasing times
		if !e.At.After(now) { // skip times in the future: the clock was set back
			k.count(accountKey{e.Addr, e.Account}, e.At)
		}
	}
	return k
}

// count remembers in memory that the account has logged in from an address and from the network of that address. The parameter
// key has the account and the address. The time of the login replaces that of an earlier one.
func (k *knownAddresses) count(key accountKey, at time.Time) {
	network := networkKey{admission.NetworkOf(key.addr), key.name}
	k.byAddr.Clear(key)
	k.byAddr.Add(key, at)
	k.byNetwork.Clear(network)
	k.byNetwork.Add(network, at)
}

// add remembers a login and writes it to the store within saveKnownEvery.
func (k *knownAddresses) add(p Peer, name string) {
	key, now := p.accountKey(name), time.Now()
	k.count(key, now)
	if !key.addr.IsValid() || !utf8.ValidString(key.name) {
		return // the store rejects names that are not valid UTF-8
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, again := k.unsaved[key]; k.closed || !again && len(k.unsaved) >= store.MaxKnownAddresses {
		return
	}
	k.unsaved[key] = now
	if k.timer == nil {
		k.timer = time.AfterFunc(saveKnownEvery, k.saveLater)
	}
}

// hasAddr reports whether an account has logged in from the peer's address within Options.KnownTime.
func (k *knownAddresses) hasAddr(p Peer, name string, now time.Time) bool {
	return k.byAddr.Get(p.accountKey(name), now) > 0
}

// hasNetwork reports whether an account has logged in from the peer's network within Options.KnownTime.
func (k *knownAddresses) hasNetwork(p Peer, name string, now time.Time) bool {
	return k.byNetwork.Get(p.networkKey(name), now) > 0
}

func (k *knownAddresses) saveLater() {
	k.save(context.Background())
	k.mu.Lock()
	defer k.mu.Unlock()
	k.timer = nil
	if !k.closed && len(k.unsaved) > 0 {
		k.timer = time.AfterFunc(saveKnownEvery, k.saveLater)
	}
}

// save writes the unsaved logins to the store. Logins during the write do not wait for it.
func (k *knownAddresses) save(ctx context.Context) {
	k.saving.Lock()
	defer k.saving.Unlock()
	k.mu.Lock()
	batch := k.unsaved
	k.unsaved = map[accountKey]time.Time{}
	k.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	list := make([]store.KnownAddress, 0, len(batch))
	for key, at := range batch {
		list = append(list, store.KnownAddress{Account: key.name, Addr: key.addr, At: at})
	}
	ctx, cancel := context.WithTimeout(ctx, saveKnownLimit)
	defer cancel()
	err := k.store.SaveKnownAddresses(ctx, list, time.Now().Add(-k.opt.KnownTime))
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		for key, at := range k.unsaved { // the addresses in k.unsaved are newer than those that could not be written
			batch[key] = at
		}
		k.unsaved = batch
		if !k.failing {
			k.opt.Log.Warn("cannot save the known addresses of players; after a restart their logins may have no priority", telemetry.FieldErr, err)
		}
	}
	k.failing = err != nil
}

// close stops the timer. If the parameter works is true, it also writes the unsaved logins to the store; the caller passes false
// if the store cannot be written. Logins after close are not stored.
func (k *knownAddresses) close(ctx context.Context, works bool) {
	k.mu.Lock()
	k.closed = true
	if k.timer != nil {
		k.timer.Stop()
	}
	k.mu.Unlock()
	if works {
		k.save(ctx)
	}
}
