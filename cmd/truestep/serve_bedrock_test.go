package main

import (
	"os"
	"strings"
	"testing"
)

func TestBadBedrockSettingsAreRefusedInOneLine(t *testing.T) {
	here(t)
	door := []string{"--rcce", "off", "--metrics", "off", "--bedrock", "127.0.0.1:0"}
	for want, args := range map[string][]string{
		"bedrock-radius 0: must be 1..32":                                                          {"--bedrock-radius", "0"},
		"bedrock-radius 33: must be 1..32":                                                         {"--bedrock-radius", "33"},
		"bedrock-workers 65: must be 0..64":                                                        {"--bedrock-workers", "65"},
		"bedrock-max-players 0: must be 1..":                                                       {"--bedrock-max-players", "0"},
		"bedrock-per-addr 0: must be 1..":                                                          {"--bedrock-per-addr", "0"},
		"bedrock-jwks needs bedrock-online: add --bedrock-online, or remove bedrock-jwks":          {"--bedrock-jwks", "keys.json"},
		`bedrock: address "19132": missing port in address; give it as host:port`:                  {"--bedrock", "19132"},
		`bedrock: address "127.0.0.1:99999": invalid port; give it as host:port`:                   {"--bedrock", "127.0.0.1:99999"},
		`unknown flag --bedrock-cookie, did you mean "--bedrock-cookies"? See truestep serve --he`: {"--bedrock-cookie"},
	} {
		refused(t, append(door[:len(door):len(door)], args...), want)
	}
	isEmpty(t, ".")
}

func TestUnusableFilesInBedrockSettingsAreRefusedInOneLine(t *testing.T) {
	here(t)
	door := []string{"--rcce", "off", "--metrics", "off", "--bedrock", "127.0.0.1:0", "--log-level", "error"}
	write(t, "letter", "dear grandma")
	write(t, "empty.json", `{"keys": []}`)
	for want, args := range map[string][]string{
		"bedrock-jwks: open no.json: no such file or directory; set it to the JSON file with the key set (JWKS) of the service that signs logins": {"--bedrock-online", "--bedrock-jwks", "no.json"},
		"; it must be a JSON Web Key Set with RS256 keys": {"--bedrock-online", "--bedrock-jwks", "letter"},
		"bedrock-jwks empty.json: ":                       {"--bedrock-online", "--bedrock-jwks", "empty.json"},
		"bedrock-keylog: open no/keys.log: no such file or directory; name a file that can be written": {"--bedrock-keylog", "no/keys.log"},
	} {
		refused(t, append(door[:len(door):len(door)], args...), want)
	}
}

// Rule VE-4 of docs/wire/bedrock.md: the start screen and a log line say which logins the door accepts.
func TestBedrockDoorReportsWhichLoginsItAccepts(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]struct{ table, log string }{
		"--log-format=json": {"logins are not verified: a client may claim any name (--bedrock-online verifies them)", "logins are not verified"},
		"--bedrock-online":  {"all logins are refused: there are no keys to verify them (--bedrock-jwks FILE)", "all logins are refused"},
	} {
		p := launch(t, "serve", "--rcce", "off", "--rs", "off", "--metrics", "off", "--no-status", "--bedrock", "127.0.0.1:0", mode)
		lines := p.until("ready")
		p.signal(os.Interrupt)
		code, _, _ := p.end()
		words := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		if code != 0 || !strings.Contains(words, want.table) || !strings.Contains(p.errs.String(), want.log) {
			t.Errorf("%s: exit status %d\n%s\n%s", mode, code, strings.Join(lines, "\n"), &p.errs)
		}
	}
}
