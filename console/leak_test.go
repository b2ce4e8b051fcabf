package console

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain checks that the tests leave no goroutine running.
func TestMain(m *testing.M) {
	code := m.Run()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections() // closes the connections of the tests' own requests
	err := goleak.Find()                                           // waits for half a second, which may be too short on a busy machine
	for began := time.Now(); err != nil && code == 0 && time.Since(began) < waitLimit; {
		err = goleak.Find()
	}
	if err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
