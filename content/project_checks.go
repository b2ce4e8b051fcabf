package content

// crossCheck compares the client's copies of server settings with the server's: where they differ, players see
// something else than what the server does.
func (b *projectBuilder) crossCheck() {
	b.crossFixed()
	m := &b.raw.misc
	if c := b.raw.combat; c != nil && c.CombatDelay != m.CombatDelay {
		b.differs(gameData+"/Combat.dat", "combatDelay", c.CombatDelay, m.CombatDelay)
	}
	if o := b.raw.other; o != nil {
		port := o.ServerPort
		if port == 0 {
			port = defaultPort
		}
		if int(port) != b.port() {
			b.differs(gameData+"/Other.dat", "serverPort", port, b.port())
		}
		if o.RequireMemorise != m.RequireMemorise {
			b.differs(gameData+"/Other.dat", "requireMemorise", o.RequireMemorise, m.RequireMemorise)
		}
	}
	const creationLine = 2
	if h := b.raw.hosts; len(h) > creationLine && (h[creationLine] == "1") != m.AllowAccountCreation {
		b.differs(gameData+"/Hosts.dat", "account creation", h[creationLine], m.AllowAccountCreation)
	}
}

func (b *projectBuilder) crossFixed() {
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
			b.differs(gameData+"/Fixed Attributes.dat", f.name, f.client, f.server)
		}
	}
}

func (b *projectBuilder) differs(file, what string, client, server any) {
	b.files.warn("CLIENT-DIFFERS", file, "file", "%s is %v for clients and %v for the server: the server's is used", what, client, server)
}
