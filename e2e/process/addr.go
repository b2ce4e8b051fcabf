package process

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// The ports of StableAddr are below those that systems give to clients.
const (
	firstPort = 15000
	lastPort  = 29999
)

var given sync.Map // addresses that StableAddr has tried

// StableAddr returns a loopback address, HOST:PORT, whose port is free for TCP and UDP. Unlike a port that the system chooses, it is not
// given to a client while the server is down and starts again at the same address. No address is returned twice.
func StableAddr() (string, error) {
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(lastPort-firstPort+1))
		if _, taken := given.LoadOrStore(addr, true); taken {
			continue
		}
		l, err := net.Listen("tcp", addr)
		if err != nil {
			continue
		}
		u, err := net.ListenPacket("udp", addr)
		if err == nil {
			err = u.Close()
		}
		if closeErr := l.Close(); err == nil && closeErr == nil {
			return addr, nil
		}
	}
	return "", fmt.Errorf("no port from %d to %d is free", firstPort, lastPort)
}
