package journal

import (
	"fmt"
	"math"
	"strings"

	"github.com/truestep-io/truestep/sim/geom"
)

const (
	drawColumns = 48 // width of the drawing in columns, without margins
	drawRows    = 12 // height of the drawing in rows, each as high as two columns are wide
	drawMargin  = 2  // empty columns at the left edge
)

// Draw renders as text the position that a client asked for and the position where the server kept the player. The
// drawing shows them from above with north up, or from the side if they differ mostly in height.
func Draw(asked, kept geom.Vec) string {
	dx, dy, dz := float64(asked.X)-float64(kept.X), float64(asked.Y)-float64(kept.Y), float64(asked.Z)-float64(kept.Z)
	flat := math.Hypot(dx, dz)
	right, up, title := dx, dz, "from above, north is up"
	if math.Abs(dy) > flat {
		right, up, title = flat, dy, "from the side, up is up"
	}
	scale := drawScale(math.Abs(right), math.Abs(up))
	var b strings.Builder
	fmt.Fprintf(&b, "  %s; a column is %s units wide, a row %s high\n", title, FormatNumber(float32(scale)), FormatNumber(float32(2*scale)))
	for _, line := range canvas(int(math.Round(right/scale)), int(math.Round(up/(2*scale)))) {
		b.WriteString("  " + line + "\n")
	}
	fmt.Fprintf(&b, "  A asked %s\n  K kept  %s\n", labelledPosition(asked), labelledPosition(kept))
	fmt.Fprintf(&b, "  asked is %s of kept\n", Direction(kept, asked))
	return b.String()
}

func labelledPosition(v geom.Vec) string {
	return fmt.Sprintf("x %s  y %s  z %s", FormatNumber(v.X), FormatNumber(v.Y), FormatNumber(v.Z))
}

// drawScale returns how many world units one column of the drawing represents: the smallest of 1, 2 or 5 times a power of ten
// at which both positions fit into the drawing. The parameters are the offset between the two positions in world units.
func drawScale(right, up float64) float64 {
	least := max(right/drawColumns, up/2/drawRows)
	if least < 1e-3 {
		return 1e-3
	}
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= least {
			return m * power
		}
	}
	return 10 * power
}

// canvas returns the lines of the drawing. The kept position K is in one corner. The parameters are the offset of the asked
// position A from K: columns to the right and rows up. Negative numbers mean left and down.
func canvas(right, up int) []string {
	w, h := magnitude(right)+1+2*drawMargin, magnitude(up)+3
	cells := make([][]byte, h)
	for y := range cells {
		cells[y] = []byte(strings.Repeat(" ", w))
	}
	kx, ky := drawMargin+max(-right, 0), 1+max(up, 0)
	ax, ay := kx+right, ky-up
	steps := max(magnitude(right), magnitude(up))
	for i := 1; i < steps; i++ {
		x := ax + int(math.Round(float64(-right*i)/float64(steps)))
		y := ay + int(math.Round(float64(up*i)/float64(steps)))
		cells[y][x] = '.'
		if i == steps-1 {
			cells[y][x] = arrowHead(right, up)
		}
	}
	cells[ay][ax] = 'A'
	cells[ky][kx] = 'K'
	edge := "+" + strings.Repeat("-", w) + "+"
	lines := []string{edge}
	for _, row := range cells {
		lines = append(lines, "|"+string(row)+"|")
	}
	return append(lines, edge)
}

// arrowHead returns the head of the arrow that is drawn from the asked position to the kept position. The parameters are the
// offset of the asked position from the kept position, in columns to the right and rows up. The head points in the opposite
// direction.
func arrowHead(right, up int) byte {
	switch {
	case magnitude(right) >= 2*magnitude(up) && right > 0:
		return '<'
	case magnitude(right) >= 2*magnitude(up):
		return '>'
	case up > 0:
		return 'v'
	}
	return '^'
}

func magnitude(n int) int { return max(n, -n) }
