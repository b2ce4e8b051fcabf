package adminclient

import "encoding/json"

// Reload is the command "truestep admin reload", which makes the server read its settings again.
type Reload struct{}

// Run prints what is in force now, and what needs a restart and why.
func (*Reload) Run(a *Access, to Output) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	var raw json.RawMessage
	if err := c.ask("POST", "/reload", map[string]any{}, &raw); err != nil {
		return err
	}
	if c.json {
		return c.printJSON(raw)
	}
	var body struct {
		Applied []struct{ Setting, From, To string }
		Kept    []struct{ Setting, Why string }
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return err
	}
	if len(body.Applied)+len(body.Kept) == 0 {
		return c.say("nothing has changed since the settings were read")
	}
	for _, s := range body.Applied {
		if err := c.say("changed: %s from %s to %s", s.Setting, s.From, s.To); err != nil {
			return err
		}
	}
	for _, s := range body.Kept {
		if err := c.say("needs a restart: %s: %s", s.Setting, s.Why); err != nil {
			return err
		}
	}
	return nil
}
