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
		"model: the table of kinds has 3 entries for 4 constants":         {Pay: model.MessageKind("pay"), again: model.TimerKind("again")},
		"model: the table of kinds has 5 entries for 4 constants":         {Pay: model.MessageKind("pay"), again: model.TimerKind("again"), Paid: model.NoteKind("paid"), 4: model.NoteKind("more")},
		`model: kind 2: want a name in kebab case, got ""`:                {Pay: model.MessageKind("pay"), Paid: model.NoteKind("paid")},
		`model: kind 2: want a name in kebab case, got "payAgain"`:        {Pay: model.MessageKind("pay"), again: model.TimerKind("payAgain"), Paid: model.NoteKind("paid")},
		`model: kind 2: want a name in kebab case, got "2pay"`:            {Pay: model.MessageKind("pay"), again: model.TimerKind("2pay"), Paid: model.NoteKind("paid")},
		`model: kind 2: want a name in kebab case, got "pay--again"`:      {Pay: model.MessageKind("pay"), again: model.TimerKind("pay--again"), Paid: model.NoteKind("paid")},
		`model: kind 2: want a name in kebab case, got "pay-"`:            {Pay: model.MessageKind("pay"), again: model.TimerKind("pay-"), Paid: model.NoteKind("paid")},
		`model: kind 2: want a name in kebab case, got "päy"`:             {Pay: model.MessageKind("pay"), again: model.TimerKind("päy"), Paid: model.NoteKind("paid")},
		`model: kinds 1 and 3 are both named "pay"`:                       {Pay: model.MessageKind("pay"), again: model.TimerKind("again"), Paid: model.NoteKind("pay")},
		`model: kinds 0 and 1 are both named "start"`:                     {Pay: model.MessageKind("start"), again: model.TimerKind("again"), Paid: model.NoteKind("paid")},
		`model: kind 3: want a name in kebab case, got "paid the server"`: {Pay: model.MessageKind("pay"), again: model.TimerKind("again"), Paid: model.NoteKind("paid the server")},
	} {
		assert.PanicsWithValue(t, want, func() { model.NewKinds(4, table) })
	}
}

// Parts of a model number their kinds across all of them: the table of all has each under its number.
func TestJoinKeepsTheNumbersOfTheParts(t *testing.T) {
	pays := model.Vocabulary[int]{Kinds: model.Kinds{Pay: model.MessageKind("pay"), Paid: model.NoteKind("paid")}, Words: func(int) string { return " it" }}
	joined, words := model.Join(pays, model.Vocabulary[int]{Kinds: model.Kinds{again: model.TimerKind("again")}})
	assert.Equal(t, kinds.Names(), joined.Names())
	assert.Equal(t, " it", words[Paid](0))
	assert.Nil(t, words[again])
	assert.PanicsWithValue(t, `model: two vocabularies have the kind 3: "paid" and "left"`, func() {
		model.Join(pays, model.Vocabulary[int]{Kinds: model.Kinds{Paid: model.NoteKind("left")}})
	})
}
