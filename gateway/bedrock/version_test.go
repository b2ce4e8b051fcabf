package bedrock

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// Rule LO-3 of docs/wire/bedrock.md: a Login with another version than the negotiated one ends the connection
// immediately.
func TestLoginWithUnnegotiatedProtocolVersionEndsConnection(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		for _, v := range []proto.Version{proto.V2193, 2170, 0, -1} {
			before := srv.faults("version")
			c := srv.connect("ann")
			c.sendHello()
			srv.advance(50 * time.Millisecond)
			begun := time.Now()
			c.send(proto.Login{Protocol: v, Request: c.loginRequest()})
			c.waitDisconnect()
			if took := time.Since(begun); took > 2*time.Second || srv.faults("version") != before+1 {
				t.Errorf("version %d: closed after %v, %d faults counted", v, took, srv.faults("version")-before)
			}
			if c.hasReceived("ServerToClientHandshake") {
				t.Errorf("version %d: the login was verified", v)
			}
		}
	})
}
