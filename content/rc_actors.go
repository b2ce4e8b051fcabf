package content

// rcActor is a record of Actors.dat as stored. The names of the fields are those of the RealmCrafter data specification,
// section 4. Fields that only clients use are included, so that a test can compare the whole record.
type rcActor struct {
	ID                                uint16    // id of the template
	Race, Class, Description          string    // texts for clients
	StartArea, StartPortal            string    // names of the area and portal where new players enter
	MaleAnimationSet                  uint16    // id of the animation set of male actors
	FemaleAnimationSet                uint16    // id of the animation set of female actors
	Scale, Radius                     float32   // Scale is a factor; Radius is in mesh units of 0.05 world units
	Meshes                            [8]uint16 // mesh ids: male body, female body, six attachments ("gubbins")
	Beards, MaleHairs, FemaleHairs    [5]uint16
	MaleFaces, FemaleFaces            [5]uint16
	MaleBodies, FemaleBodies          [5]uint16
	MaleSpeech, FemaleSpeech          [16]uint16
	BloodTexture                      uint16 // texture id of the actor's blood
	AttributeValue, AttributeMaximum  [40]uint16
	Resistances                       [20]uint16 // percent resistance by damage type, 100 is neutral
	Genders                           uint8      // 0 male and female, 1 male, 2 female, 3 none
	Playable, Rideable                bool       // Playable: players can choose the template; Rideable: players can ride its actors
	Aggressiveness                    uint8      // how actors of this template start fights: a combat.Aggressiveness
	AggressiveRange                   int32      // world units within which the actor sees enemies
	TradeMode, Environment            uint8      // TradeMode: whether the actor trades; Environment: where the actor can move
	InventorySlots                    int32      // set of slots that the actor has: bit n allows equipment of slot type n+1
	DefaultDamageType, DefaultFaction uint8      // damage type of attacks with bare hands; index of the faction
	XpMultiplier                      int32      // experience points for a kill per level of difference
	PolyCollision                     bool       // clients collide with the triangles of the actor's mesh
}

// parseActors reads Actors.dat, a sequence of records up to the end of the file.
func parseActors(c *cursor) ([]rcActor, error) {
	var list []rcActor
	for c.hasMore() {
		c.beginRecord("record", len(list))
		a := parseActor(c)
		if c.err == nil {
			list = append(list, a)
		}
	}
	return list, c.done()
}

func parseActor(c *cursor) rcActor {
	var a rcActor
	a.ID = c.u16("id")
	a.Race = c.str("race", nameLimit)
	a.Class = c.str("class", nameLimit)
	a.Description = c.str("description", longLimit)
	a.StartArea = c.str("startArea", nameLimit)
	a.StartPortal = c.str("startPortal", nameLimit)
	parseActorAppearance(c, &a)
	for i := range a.AttributeValue {
		a.AttributeValue[i] = c.u16At(field{"attributeValue", i})
		a.AttributeMaximum[i] = c.u16At(field{"attributeMaximum", i})
	}
	c.u16s("resistances", a.Resistances[:])
	a.Genders = c.u8("genders")
	a.Playable = c.boolByte("playable")
	a.Rideable = c.boolByte("rideable")
	a.Aggressiveness = c.u8("aggressiveness")
	a.AggressiveRange = c.i32("aggressiveRange")
	a.TradeMode = c.u8("tradeMode")
	a.Environment = c.u8("environment")
	a.InventorySlots = c.i32("inventorySlots")
	a.DefaultDamageType = c.u8("defaultDamageType")
	a.DefaultFaction = c.u8("defaultFaction")
	a.XpMultiplier = c.i32("xpMultiplier")
	a.PolyCollision = c.boolByte("polyCollision")
	return a
}

// parseActorAppearance reads the fields of an actor template that only clients use, and the radius, which the file stores
// between them.
func parseActorAppearance(c *cursor, a *rcActor) {
	a.MaleAnimationSet = c.u16("maleAnimationSet")
	a.FemaleAnimationSet = c.u16("femaleAnimationSet")
	a.Scale = c.f32("scale")
	a.Radius = c.f32("radius")
	c.u16s("meshes", a.Meshes[:])
	c.u16s("beards", a.Beards[:])
	c.u16s("maleHairs", a.MaleHairs[:])
	c.u16s("femaleHairs", a.FemaleHairs[:])
	c.u16s("maleFaces", a.MaleFaces[:])
	c.u16s("femaleFaces", a.FemaleFaces[:])
	c.u16s("maleBodies", a.MaleBodies[:])
	c.u16s("femaleBodies", a.FemaleBodies[:])
	c.u16s("maleSpeech", a.MaleSpeech[:])
	c.u16s("femaleSpeech", a.FemaleSpeech[:])
	a.BloodTexture = c.u16("bloodTexture")
}
