package main

import (
	"strings"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/settings"
)

// unused is a setting that the user has changed and that has no effect.
type unused struct{ flag, why string }

// withoutEffect returns the flags that the user has changed from their defaults, but that other flags make ineffective.
func (s *serveCmd) withoutEffect(flags []*kong.Flag) []unused {
	var list []unused
	for _, f := range flags {
		if why := s.whyUnused(f.Name, flags); why != "" && settings.IsChanged(f) {
			list = append(list, unused{f.Name, why})
		}
	}
	return list
}

// whyUnused returns why a flag has no effect, or "" if it has an effect.
func (s *serveCmd) whyUnused(flag string, all []*kong.Flag) string {
	switch flag {
	case "demo-bots":
		return unless(s.Demo, "demo is not set")
	case "rcce-project", "rcce-rules": // settings of the world, which have an effect even if the door rcce is off
		return ""
	case "metrics-profiles":
		return unless(s.Metrics != gateway.Off, "metrics is off")
	case "backup-keep", "backup-dir":
		return unless(s.BackupEvery > 0, "backup-every is 0")
	case "chat-keep":
		return unless(s.ChatRetain > 0, "chat-retain is 0")
	case "node", "cluster-name", "cluster-keys", "cluster-listen", "cluster-balance", "cluster-lead", "suspect-after":
		return unless(s.Cluster != "", "cluster is not set")
	case "tape-sync", "tape-retain":
		return unless(s.Tape != gateway.Off, "tape is off")
	}
	for _, part := range all { // part is a door or the console; the names of its settings begin with its name
		if strings.HasPrefix(flag, part.Name+"-") && part.Target.String() == gateway.Off {
			return part.Name + " is off"
		}
	}
	return ""
}

func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}
