package bedrock

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"testing"
)

// vectorsNamed returns the vectors with this name, for both versions. The bedrock-protocol npm client encoded them.
func vectorsNamed(t *testing.T, name string) (list []packetVector) {
	t.Helper()
	for _, v := range loadPacketVectors(t) {
		if v.ID == name+"_2169" || v.ID == name+"_2193" {
			list = append(list, v)
		}
	}
	if len(list) != 2 {
		t.Fatalf("%d vectors %s", len(list), name)
	}
	return list
}

// Packets about the appearance and links of other actors are encoded as the bedrock-protocol npm client encodes them.
func TestAppearancePacketsEqualThoseOfBedrockProtocolPackage(t *testing.T) {
	helmet, boots := SimpleItem(5, 1, 0), SimpleItem(-7, 1, 0)
	boots.Metadata = 12
	bare := SimpleItem(0, 0, 0) // "no item" as the bedrock-protocol npm client encodes it
	var metadata Metadata
	metadata.Set(TextMeta(MetaScore, "35 / 70"))
	metadata.Set(MetaEntry{Key: MetaSeat, Type: MetaVec3, Vec: Vec3{0, 1.5, -0.25}})
	for name, want := range map[string]Packet{
		"set_actor_link_rides":   SetActorLink{ActorLink{Ridden: -9, Rider: 300, Type: LinkRider, Immediate: true, AngularVelocity: 0.25}},
		"set_actor_link_removed": SetActorLink{ActorLink{Ridden: 7, Rider: 8, RiderInitiated: true}},
		"mob_armor_equipment_helmet_and_boots": MobArmorEquipment{
			Runtime: 300, Helmet: helmet, Chest: bare, Legs: bare, Boots: boots, Body: bare,
		},
		"item_registry_sword_and_bow": ItemRegistry{[]ItemDefinition{
			{Name: "minecraft:iron_sword", NetworkID: 1, Version: ItemVersionNone},
			{Name: "minecraft:bow", NetworkID: -2, Version: ItemVersionNone},
		}},
		"available_actor_identifiers_wolf_and_arrow": ActorIdentifiers([]string{"minecraft:wolf", "minecraft:arrow"}),
		"add_actor_rider": AddActor{
			Unique: 300, Runtime: 300, Type: "minecraft:villager_v2", Position: Vec3{1.5, 64, -2.5},
			Yaw: 90, HeadYaw: 90, BodyYaw: 90, Attributes: []ActorAttribute{{AttributeHealth, 0, 10, 20}},
			Metadata: metadata, Links: []ActorLink{{Ridden: 9, Rider: 300, Type: LinkRider, Immediate: true}},
		},
	} {
		for _, v := range vectorsNamed(t, name) {
			if p, err := Parse(v.whole, v.Protocol); err != nil || !reflect.DeepEqual(p, want) {
				t.Errorf("%s: %v\n%+v, want\n%+v", v.ID, err, p, want)
			}
			if b := AppendPacket(nil, want, v.Protocol); !bytes.Equal(b, v.whole) {
				t.Errorf("%s: %x, want %x", v.ID, b, v.whole)
			}
		}
	}
}

func TestActorIdentifiersPacketWithoutActorTypesHasEmptyBody(t *testing.T) {
	if p := ActorIdentifiers(nil); p.Data != nil {
		t.Errorf("data %x", p.Data)
	}
}

func TestEncodedShieldItemContainsTickField(t *testing.T) {
	if n := len(ShieldItem(3).Extra); n != len(SimpleItem(3, 1, 0).Extra)+8 {
		t.Errorf("%d bytes", n)
	}
}

// A painted skin is valid, colours the right body parts, and has an id that depends on its colours.
func TestPaintedSkinIsValidAndColoursDetermineItsID(t *testing.T) {
	c := SkinColors{
		Hair: SkinColor{1, 1, 1}, Face: SkinColor{2, 2, 2}, Shirt: SkinColor{3, 3, 3}, Trousers: SkinColor{4, 4, 4}, Shoes: SkinColor{5, 5, 5},
	}
	s := PaintedSkin(c)
	if err := s.Validate(); err != nil || s.Image.Width != 64 || s.Image.Height != 64 {
		t.Fatalf("%v, %d x %d", err, s.Image.Width, s.Image.Height)
	}
	again, err := ParseSkin(s.Append(nil))
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%v: parsed back as another skin", err)
	}
	at := func(s Skin, x, y int) SkinColor { return SkinColor(s.Image.Pixels[(y*64+x)*4:]) }
	for _, part := range []struct {
		what string
		x, y int
		want SkinColor
	}{
		{"top of the head", 12, 4, c.Hair}, {"brow", 12, 9, c.Hair}, {"chin", 12, 15, c.Face}, {"back of the head", 28, 12, c.Hair},
		{"chest", 24, 24, c.Shirt}, {"right shoulder", 46, 18, c.Shirt}, {"right hand", 46, 30, c.Face}, {"left hand", 38, 62, c.Face},
		{"right knee", 6, 24, c.Trousers}, {"left foot", 22, 63, c.Shoes}, {"right sole", 9, 17, c.Shoes},
	} {
		if got := at(s, part.x, part.y); got != part.want || s.Image.Pixels[(part.y*64+part.x)*4+3] != 0xff {
			t.Errorf("%s: %v, want %v", part.what, got, part.want)
		}
	}
	bearded, long := c, c
	bearded.Beard, long.LongHair = true, true
	if b := PaintedSkin(bearded); at(b, 12, 15) != c.Hair || b.SkinID == s.SkinID {
		t.Errorf("the beard is %v, of %s", at(b, 12, 15), b.SkinID)
	}
	if l := PaintedSkin(long); at(l, 4, 14) != c.Hair || l.SkinID == s.SkinID {
		t.Errorf("long hair is %v, of %s", at(l, 4, 14), l.SkinID)
	}
	if PaintedSkin(c).SkinID != s.SkinID || s.SkinID == PlainSkin().SkinID {
		t.Error("skin id does not identify the colours")
	}
}

func TestEnchantedItemIsEncodedWithNBTTag(t *testing.T) {
	const want = "ffff010a00000904" + "00656e63680a01000000" + "0202006964" + "0700" + "0203006c766c" + "0300" + "0000" + "0000000000000000"
	if got := hex.EncodeToString(EnchantedItem(5, EnchantmentDepthStrider, 3).Extra); got != want {
		t.Errorf("tag\n%s, want\n%s", got, want)
	}
}
