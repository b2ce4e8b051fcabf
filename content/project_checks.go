package content

// compareClientSettings warns about settings that differ between server and clients. A project stores some settings of the server
// a second time in files for clients. If the two differ, clients show values that the server does not use.
func (b *projectBuilder) compareClientSettings() {
	b.compareAttributeRoles()
	m := &b.raw.misc
	if c := b.raw.combat; c != nil && c.CombatDelay != m.CombatDelay {
		b.warnDifference(gameData+"/Combat.dat", "combatDelay", c.CombatDelay, m.CombatDelay)
	}
	if o := b.raw.other; o != nil {
		port := o.ServerPort
		if port == 0 {
			port = defaultPort
		}
		if int(port) != b.port() {
			b.warnDifference(gameData+"/Other.dat", "serverPort", port, b.port())
		}
		if o.RequireMemorise != m.RequireMemorise {
			b.warnDifference(gameData+"/Other.dat", "requireMemorise", o.RequireMemorise, m.RequireMemorise)
		}
	}
	const creationLine = 2
	if h := b.raw.hosts; len(h) > creationLine && (h[creationLine] == "1") != m.AllowAccountCreation {
		b.warnDifference(gameData+"/Hosts.dat", "account creation", h[creationLine], m.AllowAccountCreation)
	}
}

func (b *projectBuilder) compareAttributeRoles() {
	c, s := b.raw.clientFixed, &b.raw.fixed
	if c == nil {
		return
	}
	for _, f := range []struct {
		name           string
		client, server uint16
	}{
		{"health", c.Health, s.Health}, {"energy", c.Energy, s.Energy}, {"breath", c.Breath, s.Breath},
		{"strength", c.Strength, s.Strength}, {"speed", c.Speed, s.Speed},
	} {
		if f.client != f.server {
			b.warnDifference(gameData+"/Fixed Attributes.dat", f.name, f.client, f.server)
		}
	}
}

func (b *projectBuilder) warnDifference(file, what string, client, server any) {
	b.files.warn("CLIENT-DIFFERS", file, "file", "%s is %v in this client file but %v on the server: the value of the server is used", what, client, server)
}
