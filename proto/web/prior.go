package web

import _ "embed"

// The contexts of a snapshot start with probabilities that were trained on walkers, flocks and standing crowds
// (TestTrainingReproducesProbabilitiesInPriorFile). They belong to the version of the protocol: server and client
// must have the same values. A byte p stands for the probability p/256 of a 0, which counts as learned from
// priorCount decisions. Contexts that the training hardly used have the byte 128, which is one half, so that the file
// compresses well in the TypeScript client.
//
//	2                 more
//	67                gap
//	67 x 6 x classes  the fields of priorFields in each class of the age of the base
//
//go:embed prior.bin
var priorBytes []byte

// priorFields lists the fields whose contexts start with trained probabilities. The contexts of other fields start at one half.
var priorFields = BuiltinSchema().Kinds[0].Fields

const (
	classes        = 6  // number of classes of contexts by the age of the base, see classOf
	numberContexts = 67 // number of contexts in a number
	priorCount     = 5  // number of decisions from which a trained probability counts as learned
)

// prior holds the initial probabilities of all contexts, unpacked from priorBytes.
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

// each calls f for every context of a number, in the order in which the file prior.bin has them.
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

// priorField returns the index of a field in priorFields, or -1.
func priorField(f *SchemaField) int {
	for i := range priorFields {
		if priorFields[i].form() == f.form() {
			return i
		}
	}
	return -1
}
