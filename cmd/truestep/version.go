package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version and commit are set by release builds (scripts/release.sh): -ldflags "-X main.version=v1.2.3 -X main.commit=HASH".
var (
	version = "development"
	commit  string // full hash of the commit; if empty, the version-control stamp of the build is used, if there is one
)

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(to std) error {
	fmt.Fprintln(to.out, versionText())
	return nil
}

// versionText returns the line that truestep version prints: version, commit, Go release and platform.
func versionText() string {
	return fmt.Sprintf("truestep %s%s %s %s/%s", version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// revision returns the first twelve digits of the commit of the binary, in parentheses, or "" if it is not known.
func revision() string {
	if len(commit) >= 12 {
		return " (" + commit[:12] + ")"
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return " (" + s.Value[:12] + ")"
		}
	}
	return ""
}
