package tape

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// InPlay returns the name of the folder of an area that was not stopped cleanly, for example because the server
// crashed. The next start restores such an area from the tape, together with the players in it. InPlay returns "" in
// three cases: (1) every area was stopped cleanly, (2) ticks are missing on the tape (see Behind), because no area is
// restored from such a tape, or (3) a node of a cluster has recorded the tape. The folder of the tape, o.Dir or o.FS,
// may be missing. No server may be writing the tape.
func InPlay(o Options) (area string, err error) {
	if o.FS == nil {
		o.FS = osFS{o.Dir}
	}
	behind, err := Behind(o)
	ofCluster, failed := OfCluster(o)
	if err = errors.Join(err, failed); err != nil || behind || ofCluster {
		return "", err
	}
	names, err := o.FS.ReadDir(".")
	if err != nil {
		return "", err
	}
	pack := newPacker()
	for _, dir := range names {
		if len(dir) < 4 || dir[3] != '-' {
			continue
		}
		left, err := leftInPlay(o.FS, dir, pack)
		if err != nil {
			return "", err
		}
		if left {
			return dir, nil
		}
	}
	return "", nil
}

// leftInPlay reports whether an area was not stopped cleanly: its newest readable segment has ticks, but does not end with
// the record that a clean stop writes.
func leftInPlay(fsys FS, dir string, pack *packer) (bool, error) {
	files, err := fsys.ReadDir(dir)
	if err != nil {
		return false, err
	}
	files = slices.DeleteFunc(files, func(name string) bool {
		_, suffix, ok := parseName(name)
		return !ok || suffix == suffixSnapshot
	})
	// Sort the newest segment first. Of one segment, the raw file comes before the compressed file.
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(b, a) })
	for _, name := range files {
		s, err := openSegment(fsys, dir+"/"+name, pack)
		if err != nil {
			if failed, ok := errors.AsType[*readError](err); ok {
				return false, failed
			}
			continue // a file without ticks: a loss of power can cut files short
		}
		ticks, closed := false, false
		for t := (Tick{}); ; ticks = true {
			if err = s.next(&t); err != nil {
				break
			}
		}
		closed = s.closed
		start := s.header.Start
		s.close()
		if failed, ok := errors.AsType[*readError](err); ok && !errors.Is(err, io.EOF) {
			return false, failed
		}
		if closed {
			return false, nil
		}
		if ticks || start != startNew {
			return true, nil
		}
	}
	return false, nil
}
