package server

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/terminal"
)

const (
	watchEvery  = 500 * time.Millisecond // interval at which WatchWorld checks whether files have changed
	maxWatched  = 20_000                 // maximum number of files that WatchWorld checks
	watchSettle = 2                      // number of checks without a change before files are read, because an editor may write a file in parts
)

// WatchWorld checks a world as CheckWorld does: now, and whenever one of its files has changed, until ctx ends. It prints (1)
// whether the world is valid, (2) its problems, (3) how it differs from the last valid version, and (4) whether a running server
// can reload these changes or must be restarted. The returned error reports an invalid argument.
func WatchWorld(ctx context.Context, out io.Writer, path, rules string, neutralResistances bool) error {
	if path == "" {
		return fmt.Errorf("--watch needs a world file or the folder of a project")
	}
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var good *content.World
	var checked, seen uint64
	calm := watchSettle
	for first := true; ; first = false {
		now, err := filesState(path, rules)
		if err != nil && first {
			return err
		}
		if now != seen {
			seen, calm = now, 0
		} else {
			calm++
		}
		if err == nil && (first || calm >= watchSettle) && now != checked {
			checked = now
			w, r, refused, err := CheckWorld(path, rules, neutralResistances)
			if err != nil && first {
				return err
			}
			if err == nil {
				err = refused
			}
			printWatched(out, time.Now(), good, w, r, err)
			if err == nil {
				good = w
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// printWatched prints the result of one check of the world, as WatchWorld describes it.
func printWatched(out io.Writer, at time.Time, before, now *content.World, r *content.Report, refused error) {
	clock := at.Format(time.TimeOnly)
	if refused != nil {
		fmt.Fprintf(out, "%s  refused; a server would not start with this:\n%v\n", clock, refused)
		return
	}
	fmt.Fprintf(out, "%s  %q is good, with %s\n", clock, now.Name, terminal.Count(len(r.Warnings), "warning"))
	if before == nil {
		fmt.Fprintln(out, "          waiting for changes; Ctrl-C ends")
		return
	}
	changes := content.Compare(before, now)
	if len(changes) == 0 {
		fmt.Fprintln(out, "          no change that a server would notice")
		return
	}
	for _, line := range changes {
		fmt.Fprintf(out, "          %s\n", line)
	}
	count := terminal.Count(len(changes), "change")
	if _, needsRestart := content.Reload(before, now); len(needsRestart) > 0 {
		for _, f := range needsRestart {
			fmt.Fprintf(out, "          needs a restart: %s: %s\n", f.What, f.Why)
		}
		fmt.Fprintf(out, "          %s: a server takes them up when it is stopped with Ctrl-C and started again\n", count)
		return
	}
	fmt.Fprintf(out, "          %s: truestep admin reload makes a server take them up while players stay\n", count)
}

// filesState returns a hash of the names, sizes and modification times of a world's files: all files of a project, or those
// in the folder of a world file. A changed hash tells WatchWorld that a file has changed.
func filesState(path, rules string) (uint64, error) {
	h, n := fnv.New64a(), 0
	info, err := os.Stat(path)
	if err != nil {
		return 0, fmt.Errorf("%w; give a world file or the folder of a RealmCrafter project", err)
	}
	project := info.IsDir()
	root := path
	if !project {
		root = filepath.Dir(path)
	}
	add := func(name string, info fs.FileInfo) {
		fmt.Fprintln(h, name, info.Size(), info.ModTime().UnixNano())
		n++
	}
	if rules != "" {
		if info, err := os.Stat(rules); err == nil {
			add(rules, info)
		}
	}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // the file or folder is just being replaced
		case n >= maxWatched:
			return filepath.SkipAll
		case d.IsDir() && !project && name != root && filepath.Dir(name) != root: // heightmaps are at most one folder deeper
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		if info, err := d.Info(); err == nil {
			add(name, info)
		}
		return nil
	})
	return h.Sum64(), err
}
