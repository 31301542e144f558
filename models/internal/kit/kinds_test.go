package kit_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

func TestKindsAreNamedByConstant(t *testing.T) {
	assert.Equal(t, []string{"start", "pay", "again", "paid"}, kinds.Names())
	assert.Equal(t, []sim.Kind{Paid}, kinds.Notes())
	assert.Equal(t, "again", kinds.Name(again))
}

// A table that is not in step with the constants does not survive the start of the program.
func TestNewKindsPanicsWhereTableAndConstantsDiffer(t *testing.T) {
	for want, table := range map[string]kit.Kinds{
		"kit: the table of kinds has 3 entries for 4 constants":         {Pay: kit.Message("pay"), again: kit.Timer("again")},
		"kit: the table of kinds has 5 entries for 4 constants":         {Pay: kit.Message("pay"), again: kit.Timer("again"), Paid: kit.Note("paid"), 4: kit.Note("more")},
		`kit: kind 2: want a name in kebab case, got ""`:                {Pay: kit.Message("pay"), Paid: kit.Note("paid")},
		`kit: kind 2: want a name in kebab case, got "payAgain"`:        {Pay: kit.Message("pay"), again: kit.Timer("payAgain"), Paid: kit.Note("paid")},
		`kit: kind 2: want a name in kebab case, got "2pay"`:            {Pay: kit.Message("pay"), again: kit.Timer("2pay"), Paid: kit.Note("paid")},
		`kit: kind 2: want a name in kebab case, got "pay--again"`:      {Pay: kit.Message("pay"), again: kit.Timer("pay--again"), Paid: kit.Note("paid")},
		`kit: kind 2: want a name in kebab case, got "pay-"`:            {Pay: kit.Message("pay"), again: kit.Timer("pay-"), Paid: kit.Note("paid")},
		`kit: kind 2: want a name in kebab case, got "päy"`:             {Pay: kit.Message("pay"), again: kit.Timer("päy"), Paid: kit.Note("paid")},
		`kit: kinds 1 and 3 are both named "pay"`:                       {Pay: kit.Message("pay"), again: kit.Timer("again"), Paid: kit.Note("pay")},
		`kit: kinds 0 and 1 are both named "start"`:                     {Pay: kit.Message("start"), again: kit.Timer("again"), Paid: kit.Note("paid")},
		`kit: kind 3: want a name in kebab case, got "paid the server"`: {Pay: kit.Message("pay"), again: kit.Timer("again"), Paid: kit.Note("paid the server")},
	} {
		assert.PanicsWithValue(t, want, func() { kit.NewKinds(kindCount, table) })
	}
}

// Parts of a model number their kinds across all of them: the table of all has each under its number.
func TestJoinKeepsTheNumbersOfTheParts(t *testing.T) {
	pays := kit.Vocabulary[int]{Kinds: kit.Kinds{Pay: kit.Message("pay"), Paid: kit.Note("paid")}, Words: func(int) string { return " it" }}
	joined, words := kit.Join(pays, kit.Vocabulary[int]{Kinds: kit.Kinds{again: kit.Timer("again")}})
	assert.Equal(t, kinds.Names(), joined.Names())
	assert.Equal(t, " it", words[Paid](0))
	assert.Nil(t, words[again])
	assert.PanicsWithValue(t, `kit: two vocabularies have the kind 3: "paid" and "left"`, func() {
		kit.Join(pays, kit.Vocabulary[int]{Kinds: kit.Kinds{Paid: kit.Note("left")}})
	})
}
