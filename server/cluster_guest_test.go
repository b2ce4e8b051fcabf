package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/gateway/web"
	proto "github.com/truestep-io/truestep/proto/web"
)

// createKeys creates the keys of the nodes a, b and c in a folder, as truestep cluster keys does.
func createKeys(t *testing.T, dir string) {
	t.Helper()
	command := ClusterKeys{Dir: dir, Cluster: DefaultClusterName, Nodes: []string{"a", "b", "c"}}
	if err := command.Run(Output{Out: io.Discard, Err: io.Discard}); err != nil {
		t.Fatal(err)
	}
}

// webAndRS returns doors for web and RuneScape clients, on ports that the system chooses.
func webAndRS() []gateway.Door {
	w, r := web.NewDoor(), rs.NewDoor()
	w.Web, r.Rs = "127.0.0.1:0", "127.0.0.1:0"
	return []gateway.Door{w, r}
}

// joinAsGuest lets a guest enter the world through a node's web door. It returns the guest's client and account name.
func joinAsGuest(t *testing.T, s *Server, identity string) (c *webcl.Client, account string) {
	t.Helper()
	awaitServing(t, s)
	eventually(t, "the guest enters the world, when no area lacks a leader", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		var err error
		c, err = webcl.Dial(ctx, "http://"+s.Addr("web").String(), webcl.Options{WS: true, Guest: identity})
		refused, isRefused := errors.AsType[*webcl.RefusedError](err)
		status, isStatus := errors.AsType[*webcl.StatusError](err)
		if err != nil && !(isRefused && refused.Reason == proto.RefusedBusy) && !(isStatus && status.Status == http.StatusServiceUnavailable) {
			t.Fatal(err)
		}
		return err == nil
	})
	playing, end := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { _ = c.Play(playing, func(*webcl.World) keys.Keys { return keys.Keys{} }) }) // ends with its node
	t.Cleanup(func() {
		end()
		done.Wait()
	})
	for _, p := range s.hub.Players() {
		if p.Door == "web" {
			account = p.Account
		}
	}
	return c, account
}

// checkSharedDoorKeys checks that all nodes have the same key for RuneScape clients.
func checkSharedDoorKeys(t *testing.T, nodes []*Server) {
	t.Helper()
	var first string
	for i, s := range nodes {
		public, err := os.ReadFile(filepath.Join(s.cfg.DataDir, rs.PublicFile))
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = string(public)
		} else if string(public) != first {
			t.Errorf("node %d has another key for RuneScape clients than node 0", i)
		}
	}
}
