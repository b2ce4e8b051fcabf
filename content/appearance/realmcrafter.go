package appearance

// RealmCrafter is how RealmCrafter clients draw a world. Ids are those of the project's media database. Source:
// RealmCrafter Actors.dat and Items.dat.
type RealmCrafter struct {
	Actors map[uint16]*RealmCrafterActor // by template
	Items  map[uint16]*RealmCrafterItem  // by item
}

// RealmCrafterActor is how actors of a template look and sound.
type RealmCrafterActor struct {
	MaleAnimation, FemaleAnimation uint16    // animation sets
	Scale                          float32   // 1 is the mesh's own size
	Meshes                         [8]uint16 // male, female, six gubbins
	Beards, MaleHairs, FemaleHairs [5]uint16 // meshes
	MaleFaces, FemaleFaces         [5]uint16 // textures, by sim.Appearance.Face
	MaleBodies, FemaleBodies       [5]uint16 // textures, by sim.Appearance.Body
	MaleSpeech, FemaleSpeech       [16]uint16
	Blood                          uint16 // texture
	TradeMode                      uint8  // 0 none, 1 free, 2 for money
	PolyCollision                  bool   // clients collide with its triangles
}

// RealmCrafterItem is how an item is drawn and described.
type RealmCrafterItem struct {
	MaleMesh, FemaleMesh uint16
	Image                uint16 // texture of a kind sim.ItemImage
	EatSeconds           uint16 // duration of the effect of a kind sim.ItemPotion or sim.ItemIngredient
}
