package dissect_test

import (
	"fmt"
	"os"

	"github.com/truestep-io/truestep/dissect"
)

// An attack that hit, as the server sends it to the attacker.
func ExampleRCCE_PrintBytes() {
	b, err := dissect.ParseHex("12 48 2c01 1900 03")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := (dissect.RCCE{}).PrintBytes(os.Stdout, b); err != nil {
		fmt.Println(err)
	}
	// Output:
	// message, 7 bytes
	//   @0      AttackActor (18) s2c, payload 6 bytes
	//           +0    Sub                    'H'                      48
	//           +1    Victim                 300                      2c 01
	//           +3    Damage                 24 points                19 00
	//           +5    DamageType             3                        03
}
