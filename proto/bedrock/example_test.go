package bedrock_test

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/bedrock"
)

func Example() {
	msg := bedrock.AppendPacket(nil, bedrock.SetTime{Time: 6000}, bedrock.V2169)
	fmt.Printf("% x\n", msg)

	id, _, _, body, err := bedrock.ParseHeader(msg)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := bedrock.ParseSetTime(body, bedrock.V2169)
	fmt.Println(id, p.Time, err)

	whole, err := bedrock.Parse(msg, bedrock.V2169)
	fmt.Printf("%T %v\n", whole, err)
	// Output:
	// 0a e0 5d
	// SetTime 6000 <nil>
	// bedrock.SetTime <nil>
}

func ExampleBlockHash() {
	slab := []bedrock.BlockState{{Key: "minecraft:vertical_half", Kind: bedrock.StateText, Text: "bottom"}}
	fmt.Println(bedrock.BlockHash("minecraft:air", nil), bedrock.BlockHash("minecraft:smooth_stone_slab", slab) != 0)
	// Output: -604749536 true
}
