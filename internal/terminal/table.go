package terminal

import (
	"strings"
	"unicode/utf8"
)

// Column is the title and the alignment of one column of a table.
type Column struct {
	Title string // text above the column
	Right bool   // the column is right-aligned, as for numbers
}

// Table returns the lines of a table, titles first. Cells are padded to the width of their column. Each row must have a cell
// for each column.
func Table(columns []Column, rows [][]string) []string {
	width := make([]int, len(columns))
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i], width[i] = c.Title, len(c.Title)
		for _, row := range rows {
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	lines := make([]string, 0, len(rows)+1)
	for _, row := range append([][]string{titles}, rows...) {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if columns[i].Right {
				cell = pad + cell
			} else {
				cell += pad
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(cell)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

// RemoveColumns returns copies of columns and rows without the columns that have the indices first to end-1.
func RemoveColumns(columns []Column, rows [][]string, first, end int) ([]Column, [][]string) {
	rest := make([][]string, len(rows))
	for i, row := range rows {
		rest[i] = append(row[:first:first], row[end:]...)
	}
	return append(columns[:first:first], columns[end:]...), rest
}

// Width returns the number of characters of the longest line.
func Width(lines []string) int {
	wide := 0
	for _, line := range lines {
		wide = max(wide, utf8.RuneCountInString(line))
	}
	return wide
}
