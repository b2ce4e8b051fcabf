package rcce

// sample is a valid packet made by the test, for a type or form for which testdata has no test vector.
type sample struct {
	dir Direction
	p   Packet
}

func samples() []sample {
	ring := ItemInstance{ID: 12, Health: 100}
	ring.Attributes[0], ring.Attributes[39] = -5000, 60535
	var sheet FetchCharacterSheet
	sheet.Gold, sheet.Reputation, sheet.Level, sheet.XP, sheet.Faction = 4000000000, -3, 7, 900, 2
	for i := range sheet.Attributes {
		sheet.Attributes[i] = Attribute{Value: uint16(i), Max: 100}
	}
	attributes := FetchActorsAttributes{Assignment: 5}
	attributes.Attributes[0] = AttributeName{Name: "Health"}
	attributes.Attributes[1] = AttributeName{IsSkill: 1, Hidden: 1, Name: "Luck"}
	damage := FetchActorsDamage{Names: [DamageTypes]string{"Fire", "Ice"}}
	calendar := FetchActorsCalendar{Year: 1200, Day: 300, Hour: 23, Minute: 59, TimeFactor: 10}
	calendar.Seasons[0] = Season{Name: "Spring", StartDay: 1, Dusk: 20, Dawn: 6}
	calendar.Months[19] = Month{Name: "Last", StartDay: 340}
	items := []ItemTemplate{
		{ID: 1, Type: ItemWeapon, TakesDamage: 1, Value: -1, Name: "Bow", Damage: 5, DamageType: 2, WeaponType: 3, Range: 40},
		{ID: 2, Type: ItemArmour, Name: "Hat", Race: "Elf", Class: "Mage", Armour: 6, SlotType: 3},
		{ID: 3, Type: ItemRing, Name: "Ring"},
		{ID: 4, Type: ItemPotion, Name: "Potion", Stackable: 1, Duration: 60},
		{ID: 5, Type: ItemIngredient, Name: "Herb", Duration: 1},
		{ID: 6, Type: ItemImage, Name: "Map", Image: 9},
		{ID: 7, Type: ItemOther, Name: "Key", Misc: "door 4"},
	}
	for i := range items {
		items[i].MaleMesh, items[i].FemaleMesh = NoItem, NoItem
	}
	template := ActorTemplate{ID: 1, Playable: 1, Scale: 1, Race: "Human", Class: "Fighter", Description: "Anybody"}
	template.Meshes[7], template.FemaleSpeech[15] = 77, 99
	template.Attributes[39] = Attribute{Value: 3, Max: 4}
	male := NewActor{Area: 1, RuntimeID: 2, Name: "Ann", Tag: "the Mage", IsPlayer: 1, Reputation: -1}

	c2s := []Packet{
		NewClient{}, FetchActorsRequest{}, FetchUpdateFilesRequest{}, JumpRequest{}, Dismount{},
		CreateCharacterRequest{User: "u", MD5: "m", Template: 1, NoPoints: true, Name: "Bo"},
		DeleteCharacterRequest{User: "u", MD5: "m", Index: 9}, FetchCharacterRequest{User: "u", MD5: "m", Index: 3},
		ChangePasswordRequest{User: "u", OldMD5: "old", NewMD5: "new"},
		ChangeAreaRequest{}, ChangeAreaRequest{Echo: "anything"}, RepositionActorRequest{Echo: "x"},
		ChatMessageRequest{Text: "hello"}, ChatMessageRequest{Text: "/who"},
		InventoryMoveRequest{Sub: InventorySwap, RuntimeID: 1, From: 14, To: 0}, InventoryMoveRequest{Sub: InventoryAdd, RuntimeID: 1, From: 14, To: 15, Amount: 2},
		InventoryDropRequest{Slot: 14, Amount: 3}, InventoryPickUpRequest{Drop: 5, Slot: 20},
		InventoryGivenRequest{Taken: true, Gift: 8, Slot: 30}, InventoryGivenRequest{Gift: 8},
		RightClick{Target: 300}, Examine{Target: 300}, Trade{Target: 2},
		ActionBarUpdate{Sub: BarSpell, Slot: 1, Spell: "Fireball"}, ActionBarUpdate{Sub: BarItem, Slot: 2, Item: 12}, ActionBarUpdate{Sub: BarEmpty, Slot: 35},
	}
	s2c := []Packet{
		CreateAccount{Result: ReplyYes}, CreateCharacter{Result: ReplyName}, ChangePassword{Result: ReplyPassword},
		VerifyAccount{Result: ReplyBanned}, VerifyAccount{Result: ReplyYes},
		DeleteCharacter{Refused: true}, DeleteCharacter{}, DeleteCharacter{Roster: []RosterEntry{{Name: "A", Template: 1, Gender: 1, Face: 2, Hair: 3, Beard: 4, Body: 1}, {Name: "B"}}},
		FetchCharacterRefused{}, sheet, FetchCharacterItems{Slots: []SlotItem{{Slot: 0, Item: ring, Amount: 1}, {Slot: EmptySlot}, {Slot: 45, Item: ring, Amount: 9}}},
		FetchCharacterSpells{Spells: []KnownSpell{{Level: 1, ID: 2, Thumbnail: 3, Recharge: 4000, Name: "Fireball", Description: "Burns", Memorised: 1}}},
		FetchCharacterQuests{Quests: []QuestLogEntry{{Name: "Rats", Status: "\xff\xff\xffKill"}}}, FetchCharacterEnd{Quests: 1, Spells: 1},
		StartGameRefused{}, StartGameBar{Start: 3, Slots: [3]string{"SFireball", "", "I\x0c\x00"}},
		attributes, damage, calendar, FetchActorsItems{Items: items}, FetchActorsItems{Last: true, Total: 7},
		FetchActorsFactions{Factions: []FactionName{{ID: 0, Name: "People"}, {ID: 1}}},
		FetchActorsTemplates{Templates: []ActorTemplate{template}}, FetchActorsTemplates{Last: true, Total: 3, Templates: []ActorTemplate{template, template}},
		FetchUpdateFiles{Last: true}, FetchUpdateFiles{Files: []UpdateFile{{Checksum: 1, Name: `Data\a.b3d`}}, Last: true, Total: 1}, FetchUpdateFiles{Files: []UpdateFile{{Name: "x"}}},
		male, WeatherChange{Area: 9, Weather: WeatherStorm}, ActorDead{Dead: 3},
		InventoryEquipment{RuntimeID: 1, Weapon: 5, Shield: NoItem, Chest: 6, Hat: 7, Gubbins: [6]uint8{1, 0, 1}},
		InventoryDropped{Amount: 2, X: 1, Y: 2, Z: 3, Drop: 77, Item: ring}, InventoryGone{Drop: 77}, InventoryReceived{Drop: 77, Slot: 14},
		InventoryTaken{Slot: 14, Amount: 1}, InventoryGiven{Gift: 6, Item: 12, Amount: 1}, InventoryHealth{Slot: 1, Health: 50},
		ChatMessage{Text: "<Ann> hello"}, ChatMessage{}, BubbleMessage{RuntimeID: 1, R: 255, Text: "hi"},
		NameChange{RuntimeID: 1, Name: "Ann", Tag: "tag"}, PartyUpdate{Names: []string{"Ann", "Bo"}}, PartyUpdate{},
		StatUpdate{Sub: StatMaximum, RuntimeID: 1, Attribute: 39, Value: 100},
		XPUpdate{Sub: XPBar, Value: 128}, XPUpdate{Sub: XPBar, Value: 128, Wide: true}, XPUpdate{Sub: XPLevel, Value: 8}, XPUpdate{Sub: XPOtherLevel, RuntimeID: 4, Value: 9},
		GoldChange{Sub: GoldDown, Amount: 10}, FloatingNumber{RuntimeID: 1, Amount: -24, R: 255},
		ActorEffect{Sub: EffectRemove, Effect: 9, Amounts: [AttributeCount]int32{-3, 39: 5}},
		RepositionActor{Sub: RepositionRotate, RuntimeID: 1, Yaw: 90}, RepositionActor{Sub: RepositionMove, RuntimeID: 1, X: 1, IgnoreCollision: 1},
		Jump{RuntimeID: 1}, KickedPlayer{},
	}
	var all []sample
	for _, p := range c2s {
		all = append(all, sample{C2S, p})
	}
	for _, p := range s2c {
		all = append(all, sample{S2C, p})
	}
	return all
}
