package bedrock

import "testing"

func TestStartScreenSaysWhichLoginsOnlineModeAdmits(t *testing.T) {
	d := Door{Config: Config{BedrockOnline: true, BedrockJwks: "keys.json"}}
	if got := d.admission(); got != "admits only players whose login Xbox Live has signed" {
		t.Error(got)
	}
}
