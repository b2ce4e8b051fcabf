package content

// Files that the RealmCrafter server writes while it runs. Source: RealmCrafter data specification, sections 9 and 10.

// rcItemState is an item in a slot, without the offset of 5000 that the file adds to attributes. If ID is noItem, the
// slot is empty and the other fields are not stored.
type rcItemState struct {
	ID         uint16
	Attributes [40]int32
	Health     uint8
}

// noItem is the item id of an empty slot. 0 is a valid id of an item.
const noItem = 65535

func parseItemState(c *cursor) rcItemState {
	s := rcItemState{ID: c.u16("item")}
	if s.ID == noItem {
		return s
	}
	for i := range s.Attributes {
		s.Attributes[i] = int32(c.u16At(field{"itemAttributes", i})) - itemOffset
	}
	s.Health = c.u8("itemHealth")
	return s
}

// rcDropped is a record of Dropped Items.dat. Item is 83 bytes in the format of packets; a shorter one is not an item.
type rcDropped struct {
	Area     string
	Instance uint8
	Item     string
	Amount   uint16
	X, Y, Z  float32
}

func parseDropped(c *cursor) ([]rcDropped, error) {
	var list []rcDropped
	for c.hasMore() {
		c.beginRecord("record", len(list))
		list = append(list, rcDropped{
			Area: c.str("area", nameLimit), Instance: c.u8("instance"), Item: c.str("item", nameLimit),
			Amount: c.u16("amount"), X: c.f32("x"), Y: c.f32("y"), Z: c.f32("z"),
		})
	}
	return list, c.done()
}

// rcEnvironment is the content of Environment.dat, the calendar.
type rcEnvironment struct {
	Year, Day, Hour, Minute, TimeFactor int32
	Seasons                             [12]rcSeason
	Months                              [20]rcMonth
}

type rcSeason struct {
	Name                         string
	StartDay, DuskHour, DawnHour int32
}

type rcMonth struct {
	Name     string
	StartDay int32
}

func parseEnvironment(c *cursor) (*rcEnvironment, error) {
	e := &rcEnvironment{
		Year: c.i32("year"), Day: c.i32("day"), Hour: c.i32("hour"), Minute: c.i32("minute"), TimeFactor: c.i32("timeFactor"),
	}
	for i := range e.Seasons {
		c.beginRecord("season", i)
		e.Seasons[i] = rcSeason{c.str("name", nameLimit), c.i32("startDay"), c.i32("duskHour"), c.i32("dawnHour")}
	}
	for i := range e.Months {
		c.beginRecord("month", i)
		e.Months[i] = rcMonth{c.str("name", nameLimit), c.i32("startDay")}
	}
	return e, c.done()
}
