package appearance

// RuneScape describes how RuneScape clients draw a world. Ids are those of the client's cache.
type RuneScape struct {
	Actors map[uint16]RuneScapeActor // appearance of actors by template id
	Items  map[uint16]RuneScapeItem  // appearance of items by item id
}

// RuneScapeActor describes how actors of a template are drawn. If Attack, Hurt, Death or Glide is None, no animation is played
// for it. If NPC is None, the actor is drawn as a player.
type RuneScapeActor struct {
	NPC    uint16 // id of the NPC type that the actor is drawn as
	Stance uint16 // id of the animation set for standing and walking; if NPC is set, the set of that NPC type
	Attack uint16 // id of the animation for an attack with bare hands
	Hurt   uint16 // id of the animation for a hit that the actor takes
	Death  uint16 // id of the animation for the actor's death
	Glide  uint16 // id of the animation while the actor moves faster than clients can draw steps
}

// RuneScapeItem describes how an equipped item is drawn. None in a field selects the default of the actor.
type RuneScapeItem struct {
	Worn   uint16 // index among the wearable objects of the client's cache
	Attack uint16 // animation of an attack with this item, instead of the actor's
	Effect uint16 // id of the graphic effect that is displayed at the attacker
}

// DefaultRuneScapeActor draws a player that fights with bare hands. Source: numbers that are equal in servers of revisions
// 562 to 667; 1426 is the player's animation set, 824 the running animation.
var DefaultRuneScapeActor = RuneScapeActor{NPC: None, Stance: 1426, Attack: 422, Hurt: 424, Death: 836, Glide: 824}

// Actor returns the appearance of a template, or DefaultRuneScapeActor if the template is not in the table.
func (r *RuneScape) Actor(template uint16) RuneScapeActor {
	if a, ok := r.Actors[template]; ok {
		return a
	}
	return DefaultRuneScapeActor
}

// Item returns the appearance of an item. All fields are None if the item is not in the table.
func (r *RuneScape) Item(item uint16) RuneScapeItem {
	if it, ok := r.Items[item]; ok {
		return it
	}
	return RuneScapeItem{Worn: None, Attack: None, Effect: None}
}
