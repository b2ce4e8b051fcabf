package session

import (
	"fmt"
	"testing"
	"time"
)

// releaseRequests returns the number of requests for releases so far.
func (c *testCluster) releaseRequests() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.releases
}

func TestAccountsThatLeaveTogetherAreReleasedInOneRequest(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		var list []*Session
		for i := range 20 {
			list = append(list, n.enters(n.player(fmt.Sprint("P", i))))
		}
		ticks(20)
		before := c.releaseRequests()
		for _, s := range list {
			s.Leave()
		}
		time.Sleep(3 * time.Second)
		for _, s := range list {
			if got := c.holder(s.Login.Account); got != "" {
				t.Errorf("account %s is held by %q", s.Login.Name, got)
			}
		}
		if got := c.releaseRequests() - before; got != 1 {
			t.Errorf("%d requests for releases, want 1", got)
		}
	})
}
