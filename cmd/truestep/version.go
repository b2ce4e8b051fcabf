package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by release builds with -ldflags "-X main.version=v1.2.3".
var version = "development"

type versionCmd struct{}

func (versionCmd) Run(to std) error {
	fmt.Fprintf(to.out, "truestep %s%s %s %s/%s\n", version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// revision is the commit that the binary was built from, if the build knew it.
func revision() string {
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
