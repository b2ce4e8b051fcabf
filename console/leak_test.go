package console

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Nothing that a console begins outlives it.
func TestMain(m *testing.M) {
	code := m.Run()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections() // of the tests' own calls
	err := goleak.Find()                                           // waits for half a second, which is little for goroutines that a busy machine lets wait
	for began := time.Now(); err != nil && code == 0 && time.Since(began) < waitLimit; {
		err = goleak.Find()
	}
	if err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
