package appearance

// RealmCrafter describes how RealmCrafter clients draw a world. Ids are those of the project's media database. Source:
// RealmCrafter Actors.dat, Items.dat and Projectiles.dat.
type RealmCrafter struct {
	Actors      map[uint16]*RealmCrafterActor     // appearance of actors by template id
	Items       map[uint16]RealmCrafterItem       // appearance of items by item id
	Projectiles map[uint16]RealmCrafterProjectile // appearance of projectiles by projectile id
}

// RealmCrafterActor describes the look and the sounds of the actors of a template.
type RealmCrafterActor struct {
	MaleAnimation, FemaleAnimation uint16     // ids of animation sets
	Scale                          float32    // factor on the size of the mesh
	Meshes                         [8]uint16  // mesh ids: male body, female body, six attachments ("gubbins")
	Beards, MaleHairs, FemaleHairs [5]uint16  // mesh ids, indexed by sim.Appearance.Beard or Hair
	MaleFaces, FemaleFaces         [5]uint16  // texture ids, indexed by sim.Appearance.Face
	MaleBodies, FemaleBodies       [5]uint16  // texture ids, indexed by sim.Appearance.Body
	MaleSpeech, FemaleSpeech       [16]uint16 // ids of speech sounds
	Blood                          uint16     // texture id of the actor's blood
	TradeMode                      uint8      // 0 does not trade, 1 trades for free, 2 trades for money
	PolyCollision                  bool       // clients collide with the triangles of the actor's mesh
}

// RealmCrafterItem describes how an item is drawn.
type RealmCrafterItem struct {
	Thumbnail            uint16    // texture id of the icon
	Gubbins              [6]uint16 // meshes attached to the wearer, which the wearer's template defines; 0 hides a mesh
	MaleMesh, FemaleMesh uint16    // mesh ids of the equipped item
	Image                uint16    // texture id of an item of kind sim.ItemImage
	EatSeconds           uint16    // seconds that the effect of a potion or ingredient lasts
}

// RealmCrafterProjectile describes how a projectile in flight is drawn.
type RealmCrafterProjectile struct {
	Mesh               uint16 // mesh id of the projectile
	Emitter1, Emitter2 string // names of particle emitters
	Texture1, Texture2 uint16 // texture ids for the two emitters
	Homing             bool   // the projectile follows its target
}

// Item returns the appearance of an item. An item that is not in the table has no meshes and no thumbnail.
func (r *RealmCrafter) Item(item uint16) RealmCrafterItem {
	if it, ok := r.Items[item]; ok {
		return it
	}
	return RealmCrafterItem{Thumbnail: None, MaleMesh: None, FemaleMesh: None}
}

// Projectile returns the appearance of a projectile. A projectile that is not in the table has no mesh.
func (r *RealmCrafter) Projectile(projectile uint16) RealmCrafterProjectile {
	if p, ok := r.Projectiles[projectile]; ok {
		return p
	}
	return RealmCrafterProjectile{Mesh: None}
}
