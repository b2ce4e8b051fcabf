package report

import (
	"errors"
	"fmt"
	"testing"
)

func ExampleReport() {
	r := &Report{MaxErrors: 2}
	r.Check("passes")
	r.Check("passes too", nil, nil)
	r.Check("fails", errors.New("one"), nil, errors.New("two\nlines"), errors.New("three"))
	fmt.Println(r.Finish("e2e-example"))
	// Output:
	// FAIL fails (3)
	//     one
	//     two
	//     lines
	//     and 1 more
	// e2e-example: 2 passed, 1 failed
	// 1
}

func TestRunWithoutChecksIsReportedAsFailed(t *testing.T) {
	r := &Report{}
	if status := r.Finish("e2e-nothing"); status != 1 {
		t.Errorf("status is %d, want 1", status)
	}
	r.Check("passes")
	if status := r.Finish("e2e-one"); status != 0 {
		t.Errorf("status is %d, want 0", status)
	}
}
