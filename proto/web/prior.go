package web

import _ "embed"

// priorBytes contains the probabilities with which the contexts of a snapshot start. They were learned from simulated walkers,
// flocks and standing crowds (TestTrainingReproducesStoredInitialProbabilitiesOfRangeCoder). Server and client must have the same
// values, so a change of the file is a change of the protocol. A byte p stands for the probability p/256 that a decision is 0.
// The probability counts as learned from priorCount decisions. Contexts that the training hardly used have the byte 128, that is, one
// half. Because this value is the same for all of them, the file compresses well in the TypeScript client.
//
//	2                 the field more of contexts
//	67                the field gap of contexts
//	67 x 6 x classes  the fields of priorFields in each class of the age of the base
//
//go:embed prior.bin
var priorBytes []byte

// priorFields lists the fields whose contexts start with learned probabilities. The contexts of all other fields start with one half.
var priorFields = BuiltinSchema().Kinds[0].Fields

const (
	classes        = 6  // number of classes of contexts by the age of the base, see classOf
	numberContexts = 67 // number of contexts that code one number
	priorCount     = 5  // number of decisions from which a trained probability counts as learned
)

// prior holds the initial probabilities of all contexts, decoded from priorBytes.
var prior = unpackPrior(priorBytes)

type priorTable struct {
	more   [2]prob
	gap    number
	half   number
	fields [classes][BuiltinFields]number
}

func unpackPrior(b []byte) *priorTable {
	p := &priorTable{}
	p.half.each(func(c *prob) { *c = newProb(probHalf, 0) })
	next := func(c *prob) {
		*c = newProb(probHalf, 0)
		if len(b) > 0 {
			*c, b = newProb(min(max(uint32(b[0])<<(probBits-8), probMin), probMax), priorCount), b[1:]
		}
	}
	next(&p.more[0])
	next(&p.more[1])
	p.gap.each(next)
	for class := range p.fields {
		for i := range p.fields[class] {
			p.fields[class][i].each(next)
		}
	}
	return p
}

// each calls f for every context of a number, in the order of the file prior.bin.
func (c *number) each(f func(c *prob)) {
	f(&c.zero)
	f(&c.sign)
	for i := range c.length {
		f(&c.length[i])
	}
	for i := range c.top {
		f(&c.top[i])
	}
}

// priorField returns the index in priorFields of the field that is coded in the same way as f (see SchemaField.form), or -1 if
// there is none.
func priorField(f *SchemaField) int {
	for i := range priorFields {
		if priorFields[i].form() == f.form() {
			return i
		}
	}
	return -1
}
