package auth

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// sealedBatches returns n batches of growing size, before encryption in plain and after encryption in sealed.
func sealedBatches(key [32]byte, n int) (plain, sealed [][]byte) {
	s := NewSealer(key)
	for i := range n {
		p := append([]byte{0xff}, bytes.Repeat([]byte(fmt.Sprint(i)), 20+i)...)
		plain = append(plain, p)
		sealed = append(sealed, s.Seal(nil, p))
	}
	return plain, sealed
}

func TestBatchAfterLostBatchesIsDecryptedByResync(t *testing.T) {
	key := [32]byte{1, 2, 3}
	plain, sealed := sealedBatches(key, 12)
	o := NewOpener(key)
	open := func(i int) {
		t.Helper()
		if got, err := o.Open(bytes.Clone(sealed[i])); err != nil || !bytes.Equal(got, plain[i]) {
			t.Fatalf("batch %d: %x, %v", i, got, err)
		}
	}
	resync := func(i int, lost uint64, most int) error {
		t.Helper()
		got, err := o.Resync(sealed[i], lost, most)
		if err == nil && !bytes.Equal(got, plain[i]) {
			t.Fatalf("batch %d: %x", i, got)
		}
		return err
	}
	open(0)
	if err := resync(4, 3, 4096); err != nil { // batches 1, 2 and 3 are missing
		t.Fatal(err)
	}
	open(5)
	if err := resync(8, 2, 20); !errors.Is(err, ErrChecksum) { // the search range is too short
		t.Fatal(err)
	}
	if err := resync(8, 1, 4096); !errors.Is(err, ErrChecksum) { // the count of lost batches is wrong
		t.Fatal(err)
	}
	if err := resync(9, 3, 4096); err != nil { // batches 6, 7 and 8 are missing
		t.Fatal(err)
	}
	open(10)
	if err := resync(11, 0, 0); err != nil { // no batch is missing
		t.Fatal(err)
	}
}

// Resync searches for the position of a batch in the key stream. If it finds none, it leaves the state unchanged: the next valid
// batches are decrypted.
func TestBatchesAreDecryptedAfterFailedResync(t *testing.T) {
	key := [32]byte{4}
	plain, sealed := sealedBatches(key, 2)
	o := NewOpener(key)
	for _, b := range [][]byte{nil, sealed[0][:8], bytes.Repeat([]byte{7}, 300)} {
		if _, err := o.Resync(b, 1, 1000); !errors.Is(err, ErrChecksum) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
	for i := range sealed {
		if got, err := o.Open(bytes.Clone(sealed[i])); err != nil || !bytes.Equal(got, plain[i]) {
			t.Fatalf("batch %d: %x, %v", i, got, err)
		}
	}
}
