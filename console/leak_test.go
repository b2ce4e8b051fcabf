package console

import (
	"testing"

	"github.com/truestep-io/truestep/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }
