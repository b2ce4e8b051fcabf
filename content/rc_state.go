package content

// This file decodes files that the RealmCrafter server writes while it runs. Source: RealmCrafter data specification, sections 9 and 10.

// rcItemState is an item in a slot, without the offset of 5000 that the file adds to attributes. If ID is noItem, the
// slot is empty and the other fields are not stored.
type rcItemState struct {
	ID         uint16    // id of the item, or noItem
	Attributes [40]int32 // bonus to each attribute of the wearer
	Health     uint8     // health of the item, which fights reduce
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

// rcDropped is a record of the file "Dropped Items.dat". Item has 83 bytes, encoded as in packets of the rcce door; a record with
// a shorter Item describes no item.
type rcDropped struct {
	Area     string  // name of the area in which the item lies
	Instance uint8   // number of the copy of the area
	Item     string  // the item in the format of packets
	Amount   uint16  // number of items
	X, Y, Z  float32 // position in world units
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
	Year, Day, Hour, Minute, TimeFactor int32        // current time, and game minutes per real minute
	Seasons                             [12]rcSeason // seasons in the order of the year
	Months                              [20]rcMonth  // months in the order of the year
}

type rcSeason struct {
	Name                         string // name of the season
	StartDay, DuskHour, DawnHour int32  // day of the year on which the season begins, and hours at which dusk and dawn begin
}

type rcMonth struct {
	Name     string // name of the month
	StartDay int32  // day of the year on which the month begins
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
