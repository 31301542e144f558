package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/model"
)

func TestKindsAreNamedByConstant(t *testing.T) {
	assert.Equal(t, []string{"start", "pay", "again", "paid"}, kinds.Names())
	assert.Equal(t, []sim.Kind{Paid}, kinds.Notes())
	assert.Equal(t, "again", kinds.Name(again))
}

// A table that is not in step with the constants does not survive the start of the program.
func TestNewKindsPanicsWhereTableAndConstantsDiffer(t *testing.T) {
	for want, table := range map[string]model.Kinds{
		"model: the table of kinds has 3 entries for 4 constants":         {Pay: model.Message("pay"), again: model.Timer("again")},
		"model: the table of kinds has 5 entries for 4 constants":         {Pay: model.Message("pay"), again: model.Timer("again"), Paid: model.Note("paid"), 4: model.Note("more")},
		`model: kind 2: want a name in kebab case, got ""`:                {Pay: model.Message("pay"), Paid: model.Note("paid")},
		`model: kind 2: want a name in kebab case, got "payAgain"`:        {Pay: model.Message("pay"), again: model.Timer("payAgain"), Paid: model.Note("paid")},
		`model: kind 2: want a name in kebab case, got "2pay"`:            {Pay: model.Message("pay"), again: model.Timer("2pay"), Paid: model.Note("paid")},
		`model: kind 2: want a name in kebab case, got "pay--again"`:      {Pay: model.Message("pay"), again: model.Timer("pay--again"), Paid: model.Note("paid")},
		`model: kind 2: want a name in kebab case, got "pay-"`:            {Pay: model.Message("pay"), again: model.Timer("pay-"), Paid: model.Note("paid")},
		`model: kind 2: want a name in kebab case, got "päy"`:             {Pay: model.Message("pay"), again: model.Timer("päy"), Paid: model.Note("paid")},
		`model: kinds 1 and 3 are both named "pay"`:                       {Pay: model.Message("pay"), again: model.Timer("again"), Paid: model.Note("pay")},
		`model: kinds 0 and 1 are both named "start"`:                     {Pay: model.Message("start"), again: model.Timer("again"), Paid: model.Note("paid")},
		`model: kind 3: want a name in kebab case, got "paid the server"`: {Pay: model.Message("pay"), again: model.Timer("again"), Paid: model.Note("paid the server")},
	} {
		assert.PanicsWithValue(t, want, func() { model.NewKinds(kindCount, table) })
	}
}

// Parts of a model number their kinds across all of them: the table of all has each under its number.
func TestJoinKeepsTheNumbersOfTheParts(t *testing.T) {
	pays := model.Vocabulary[int]{Kinds: model.Kinds{Pay: model.Message("pay"), Paid: model.Note("paid")}, Words: func(int) string { return " it" }}
	joined, words := model.Join(pays, model.Vocabulary[int]{Kinds: model.Kinds{again: model.Timer("again")}})
	assert.Equal(t, kinds.Names(), joined.Names())
	assert.Equal(t, " it", words[Paid](0))
	assert.Nil(t, words[again])
	assert.PanicsWithValue(t, `model: two vocabularies have the kind 3: "paid" and "left"`, func() {
		model.Join(pays, model.Vocabulary[int]{Kinds: model.Kinds{Paid: model.Note("left")}})
	})
}
