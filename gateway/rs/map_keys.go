package rs

import (
	"encoding/json"
	"fmt"
	"os"
)

// MapKeys holds the keys with which a client decrypts its map files (XTEA). The index of a key is x << 8 | z, where x and z
// are the coordinates of a map square of 64x64 tiles. For a square without a key, clients are sent four zeros, which means
// that the square is not encrypted.
type MapKeys map[uint16][4]uint32

// maxMapKeys is the maximum size of a key file in bytes, enough for all 65,536 map squares.
const maxMapKeys = 64 << 20

// LoadMapKeys reads the map keys from a JSON file. The file is a list of entries such as {"mapsquare": 12850, "key": [1, 2, 3,
// 4]}, which is the format of public key archives. Other fields of an entry are ignored. The numbers of a key are signed or
// unsigned 32-bit integers. Errors name the entry.
func LoadMapKeys(path string) (MapKeys, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("rs-map-keys: cannot read the file: %w", err)
	}
	if info.Size() > maxMapKeys {
		return nil, fmt.Errorf("rs-map-keys %s: the file has %d bytes; at most %d are allowed", path, info.Size(), maxMapKeys)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("rs-map-keys: cannot read the file: %w", err)
	}
	var list []struct {
		Square *int64  `json:"mapsquare"`
		Key    []int64 `json:"key"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("rs-map-keys %s: %w; it must be a list like [{\"mapsquare\": 12850, \"key\": [1, 2, 3, 4]}]", path, err)
	}
	keys := MapKeys{}
	for i, e := range list {
		switch {
		case e.Square == nil || *e.Square < 0 || *e.Square > 65535:
			return nil, fmt.Errorf("rs-map-keys %s: entry %d: mapsquare must be x*256+z, a number 0..65535", path, i)
		case len(e.Key) != 4:
			return nil, fmt.Errorf("rs-map-keys %s: entry %d (mapsquare %d): key has %d numbers instead of 4", path, i, *e.Square, len(e.Key))
		}
		var key [4]uint32
		for j, v := range e.Key {
			if v < -1<<31 || v >= 1<<32 {
				return nil, fmt.Errorf("rs-map-keys %s: entry %d (mapsquare %d): key contains %d, which does not fit in 32 bits", path, i, *e.Square, v)
			}
			key[j] = uint32(v)
		}
		keys[uint16(*e.Square)] = key
	}
	return keys, nil
}

// squaresAround returns the map squares that overlap the map around a zone. Clients read the keys of the squares in the order of
// the result: columns from west to east, and from south to north within a column.
func squaresAround(zoneX, zoneZ uint16) (squares []uint16) {
	reach := buildArea.EdgeTiles() / 16 // half of the map's edge in zones of 8 tiles
	for x := (int(zoneX) - reach) / 8; x <= (int(zoneX)+reach)/8; x++ {
		for z := (int(zoneZ) - reach) / 8; z <= (int(zoneZ)+reach)/8; z++ {
			squares = append(squares, uint16(x<<8|z&0xff))
		}
	}
	return squares
}
