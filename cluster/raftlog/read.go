package raftlog

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/truestep-io/truestep/cluster/replica"
)

// contents is the decoded content of a log file.
type contents struct {
	state    replica.State    // newest term and vote
	snapshot replica.Snapshot // Index is 0 if there is none
	entries  []replica.Entry  // entries after the snapshot
	mark     mark             // last mark in the file
	closed   bool             // the last record is a mark that says that the log was closed in order
	end      int64            // length of the valid part in bytes
	report   string           // line for the operator about a removed end; "" for none
}

// lastIndex returns the index of the newest entry, or of the snapshot if no entry follows it.
func (c *contents) lastIndex() uint64 { return c.snapshot.Index + uint64(len(c.entries)) }

// damage is the error for a header or a record of a file that cannot be read.
type damage struct {
	at    int64 // offset of the header or record in the file
	cause error // why the header or record is invalid: errHeader, errRecord or errContent
	torn  bool  // the file ends within the record
}

// Error returns the cause and the offset of the damage.
func (d *damage) Error() string { return fmt.Sprintf("%v, at byte %d", d.cause, d.at) }

// Unwrap returns the cause of the damage.
func (d *damage) Unwrap() error { return d.cause }

// readFile reads the log file with a number. The parameter boot is the present boot identifier of the machine.
//
// (1) A record at the end that is cut short is left out: the process ended while it wrote the record. (2) A damaged record and
// everything after it are left out if a loss of power can have caused the damage. That is so if the machine was restarted since,
// and no later record states that this part of the file was durable. (3) Any other damage is an error.
func readFile(f io.ReaderAt, size int64, number uint64, h *Header, boot string) (*contents, error) {
	r := bufio.NewReaderSize(io.NewSectionReader(f, 0, size), 1<<16)
	at, err := readHeader(r, size, number, h)
	if err != nil {
		return nil, err
	}
	c, based := &contents{end: at}, false
	var broken *damage
	for c.end < size && broken == nil {
		switch err := c.readRecord(r, size, number, &based); {
		case err == nil:
		case !errors.As(err, &broken):
			return nil, err
		}
	}
	switch {
	case broken == nil && based:
		return c, nil
	case !based: // a file gets its name only when the first records are durable, so a missing one is damage
		return nil, &damage{at: c.end, cause: errRecord}
	case broken.torn:
		c.report = fmt.Sprintf("the last write was cut short; %d bytes behind entry %d are removed", size-c.end, c.lastIndex())
		return c, nil
	case !c.rebooted(boot) || !errors.Is(broken, errRecord):
		return nil, broken
	}
	durable, err := provesDurable(f, size, number, broken.at)
	if err != nil {
		return nil, err
	}
	if durable {
		return nil, broken
	}
	c.report = fmt.Sprintf("the machine was restarted before the last writes were durable; %d bytes behind entry %d are removed", size-c.end, c.lastIndex())
	return c, nil
}

// rebooted reports whether the machine was restarted, or may have been, since the log was last marked as complete. It also
// returns true if the log is not complete, or if the system has no boot identifier.
func (c *contents) rebooted(boot string) bool {
	return !c.mark.complete || c.mark.boot != boot || boot == ""
}

// readHeader reads the header of a file, compares it with h, and returns its length in bytes.
func readHeader(r io.Reader, size int64, number uint64, h *Header) (int64, error) {
	b := make([]byte, headerStart, 512)
	if size < int64(headerStart) {
		return 0, &damage{at: 0, cause: errHeader}
	}
	if _, err := io.ReadFull(r, b); err != nil {
		return 0, err
	}
	n, err := headerSize(b)
	if err != nil || int64(n) > size {
		return 0, &damage{at: 0, cause: errHeader}
	}
	b = append(b, make([]byte, n-headerStart)...)
	if _, err := io.ReadFull(r, b[headerStart:]); err != nil {
		return 0, err
	}
	fileNumber, found, err := parseHeader(b)
	switch {
	case errors.Is(err, errHeader):
		return 0, &damage{at: 0, cause: err}
	case err != nil:
		return 0, err
	case fileNumber != number:
		return 0, fmt.Errorf("the log file was renamed: the number in its header, %d, differs from that in its name", fileNumber)
	}
	return int64(n), found.compare(h)
}

// compare returns an error if the header h of a file differs from the header of this node. The error names the field
// and says what the operator can do.
func (h *Header) compare(want *Header) error {
	same := len(h.Nodes) == len(want.Nodes)
	for i := 0; same && i < len(h.Nodes); i++ {
		same = h.Nodes[i] == want.Nodes[i]
	}
	switch {
	case h.Cluster != want.Cluster:
		return fmt.Errorf("the log is of cluster %q, this node is of cluster %q: use the data folder of this cluster", h.Cluster, want.Cluster)
	case !same:
		return fmt.Errorf("the log is of the nodes %q, this node is started with %q: the list must be equal on all nodes and must not change", h.Nodes, want.Nodes)
	case h.Node != want.Node:
		return fmt.Errorf("the log is of node %d, this is node %d: each node needs a data folder of its own, which must not be copied from another node", h.Node, want.Node)
	case h.Area != want.Area:
		return fmt.Errorf("the log is of area %d, but is in the folder of area %d: the folder was renamed", h.Area, want.Area)
	case h.World != want.World:
		return fmt.Errorf("the log is of another world or other rules (digest %016x, here %016x): start all nodes with the world, program and game rules that wrote it; or stop all nodes, move the folder \"cluster\" of each data folder away, and start all once with --cluster-begin", h.World, want.World)
	}
	return nil
}

// readRecord reads the record at offset c.end of the file and adds it to the contents. It sets *based to true when it has read
// the first record that states whether the log is complete: everything up to that record is what createFile wrote. The error is a
// *damage if the record is damaged or cut short.
func (c *contents) readRecord(r io.Reader, size int64, number uint64, based *bool) error {
	at, left := c.end, size-c.end
	if left < recordHead {
		return &damage{at, errRecord, true}
	}
	var head [recordHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	start, ok := new(position).parse(head[:], number, at)
	switch {
	case !ok:
		return &damage{at, errRecord, false}
	case start.size > maxContent || start.synced > at || start.synced < 0:
		return &damage{at, errContent, false}
	case int64(start.size)+recordTail > left-recordHead:
		return &damage{at, errRecord, true}
	}
	b := make([]byte, int(start.size)+recordTail) // at most the number of bytes that are left in the file
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	content := b[:start.size:start.size]
	if crc32.Update(crc32.Checksum(head[:], castagnoli), castagnoli, content) != le.Uint32(b[start.size:]) {
		return &damage{at, errRecord, false}
	}
	if err := c.add(start.kind, content, *based); err != nil {
		return &damage{at, err, false}
	}
	*based = *based || start.kind == kindMark
	c.closed = start.kind == kindMark && c.mark.closed
	c.end = at + recordHead + int64(start.size) + recordTail
	return nil
}

// add adds a decoded record to the contents. The parameter based is false for the records that createFile wrote at the start of the
// file, up to the first one that states whether the log is complete. A snapshot is valid only among these records.
func (c *contents) add(kind recordKind, content []byte, based bool) error {
	ok := false
	switch kind {
	case kindMark:
		c.mark, ok = parseMark(content)
	case kindSnapshot:
		if ok = !based && c.snapshot.Index == 0 && len(c.entries) == 0; ok {
			c.snapshot, ok = parseSnapshot(content)
		}
	case kindState:
		c.state, ok = parseState(content)
	case kindEntry:
		x, valid := parseEntry(content)
		if valid && (x.Index <= c.snapshot.Index || x.Index > c.lastIndex()+1) {
			return fmt.Errorf("entry %d cannot follow entry %d, because an entry must have the next index, or replace one after the snapshot: %w", x.Index, c.lastIndex(), errContent)
		}
		if ok = valid; ok {
			c.entries = append(c.entries[:x.Index-c.snapshot.Index-1], x)
		}
	}
	if !ok {
		return errContent
	}
	return nil
}

// provesDurable reports whether some record after the damaged offset states that the file was durable beyond that
// offset when the record was written. Then a loss of power cannot have caused the damage.
func provesDurable(f io.ReaderAt, size int64, number uint64, damaged int64) (bool, error) {
	b := make([]byte, 1<<16)
	for from := damaged + 1; from+recordHead <= size; from += int64(len(b)) - recordHead + 1 {
		n, err := f.ReadAt(b[:min(int64(len(b)), size-from)], from)
		if err != nil && !(errors.Is(err, io.EOF) && n > 0) {
			return false, err
		}
		for i := 0; i+recordHead <= n; i++ {
			at := from + int64(i)
			synced := int64(le.Uint64(b[i+5:]))
			if synced <= damaged || synced > at {
				continue
			}
			if _, ok := new(position).parse(b[i:], number, at); ok {
				return true, nil
			}
		}
		if int64(n) < min(int64(len(b)), size-from) {
			break
		}
	}
	return false, nil
}
