package adminclient

// Reload is the command "truestep admin reload", which makes the server read its settings and its world again.
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
		World   *struct {
			Changes  []string
			PausedMS int64
		}
	}) error {
		if len(done.Applied)+len(done.Kept) == 0 && done.World == nil {
			return c.say("nothing has changed since the settings were read")
		}
		for _, s := range done.Applied {
			if err := c.say("changed: %s from %s to %s", s.Setting, s.From, s.To); err != nil {
				return err
			}
		}
		if done.World != nil {
			if err := c.say("the world was reloaded; its areas paused for %d ms", done.World.PausedMS); err != nil {
				return err
			}
			for _, change := range done.World.Changes {
				if err := c.say("changed: the world: %s", change); err != nil {
					return err
				}
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
