package adminclient

// Reload is the command "truestep admin reload", which makes the server read its settings again.
type Reload struct{}

// Run prints which settings have changed and are in force now, and which need a restart and why.
func (*Reload) Run(a *Access, to Output) error {
	c, err := a.connect(to)
	if err != nil {
		return err
	}
	return askAndShow(c, "POST", "/reload", map[string]any{}, func(done *struct {
		Applied []struct{ Setting, From, To string }
		Kept    []struct{ Setting, Why string }
	}) error {
		if len(done.Applied)+len(done.Kept) == 0 {
			return c.say("nothing has changed since the settings were read")
		}
		for _, s := range done.Applied {
			if err := c.say("changed: %s from %s to %s", s.Setting, s.From, s.To); err != nil {
				return err
			}
		}
		for _, s := range done.Kept {
			if err := c.say("needs a restart: %s: %s", s.Setting, s.Why); err != nil {
				return err
			}
		}
		return nil
	})
}
