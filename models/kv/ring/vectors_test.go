package ring

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The vectors of specification section I by claim, each with its id.

// members are nodes 0 to n-1.
func members(n int) []NodeIndex {
	list := make([]NodeIndex, n)
	for i := range list {
		list[i] = NodeIndex(i)
	}
	return list
}

func hashed(t *testing.T, h Hash, nodes, virtual, keys, replicas int) *Ring {
	r, err := New(Params{Strategy: Hashed, Hash: h, VirtualNodes: virtual, Keys: keys, Replicas: replicas}, members(nodes))
	require.NoError(t, err)
	return r
}

// letters is a list of nodes as the vectors write it: A is node 0.
func letters(nodes []NodeIndex) string {
	var s []byte
	for _, n := range nodes {
		s = append(s, 'A'+byte(n))
	}
	return string(s)
}

func explicit(t *testing.T, tokens [][]uint64, nodes int, positions ...uint64) *Ring {
	r, err := New(Params{Strategy: Explicit, Tokens: tokens, Positions: positions, Keys: len(positions), Replicas: 2}, members(nodes))
	require.NoError(t, err)
	return r
}

func TestPreferenceListIsTheNextNodesOfTheRing(t *testing.T) {
	r := explicit(t, [][]uint64{{0}, {90}, {180}, {270}}, 4, 0, 1, 90, 91, 200, 271, 359)
	for k, want := range []string{"ABC", "BCD", "BCD", "CDA", "DAB", "ABC", "ABC"} {
		assert.Equal(t, want, letters(r.Preference(k, 3)), "position %d", r.Position(k))
	}
}

// Position 90 is the token of B and belongs to B. "Larger than", as the paper has it, would
// give it to C.
func TestPositionThatIsATokenBelongsToIt(t *testing.T) {
	r := explicit(t, [][]uint64{{0}, {90}, {180}, {270}}, 4, 89, 90, 91)
	assert.Equal(t, "BBC", letters([]NodeIndex{r.At(0, 0), r.At(1, 0), r.At(2, 0)}))
}

func TestPreferenceListHasDistinctNodes(t *testing.T) {
	r := explicit(t, [][]uint64{{10, 30}, {20}, {40}}, 3, 5, 25, 35, 41)
	for k, want := range []string{"ABC", "ACB", "CA", "AB"} {
		assert.Equal(t, want, letters(r.Preference(k, len(want))), "position %d", r.Position(k))
	}
}

func TestJoinMovesRanges(t *testing.T) {
	before := explicit(t, [][]uint64{{0}, {90}, {180}, {270}, {225}}, 4, 45, 100, 181, 226, 300)
	after, err := before.Join(4)
	require.NoError(t, err)
	for k, want := range [][2]string{{"BCD", "BCE"}, {"CDA", "CED"}, {"DAB", "EDA"}, {"DAB", "DAB"}, {"ABC", "ABC"}} {
		assert.Equal(t, want, [2]string{letters(before.Preference(k, 3)), letters(after.Preference(k, 3))}, "position %d", before.Position(k))
	}
	var primaries, sets uint64
	for _, m := range Moves(before, after, 3) {
		assert.True(t, m.Gains(4) && !m.SameNodes(), "%v", m)
		sets += m.Width()
		if m.Old[0] != m.New[0] {
			primaries += m.Width()
			assert.Equal(t, Range{180, 225}, m.Range)
		}
	}
	assert.EqualValues(t, 45, primaries)
	assert.EqualValues(t, 225, sets)
}

// Keys 0 to 19 at the positions 0 to 19, modulo 4 and modulo 5: four of 20 stay.
func TestHashModuloNodesMovesMostKeys(t *testing.T) {
	small, err := New(Params{Strategy: Modulo, Hash: Number, Keys: 20, Replicas: 1}, members(4))
	require.NoError(t, err)
	more, err := small.Join(4)
	require.NoError(t, err)
	assert.Equal(t, 16, CountMoves(small, more, 1).Primaries)

	before, err := New(Params{Strategy: Modulo, Hash: MD5, Keys: 20_000, Replicas: 1}, members(4))
	require.NoError(t, err)
	after, err := before.Join(4)
	require.NoError(t, err)
	assert.InDelta(t, 0.8, float64(CountMoves(before, after, 1).Primaries)/20_000, 0.01, "the same of hashed keys")
}

func TestLoadByVirtualNodes(t *testing.T) {
	for _, v := range []struct {
		hash    Hash
		virtual int
		want    Balance
	}{
		{MD5, 1, Balance{2790, 32, 924}},
		{MD5, 10, Balance{1622, 734, 270}},
		{MD5, 100, Balance{1099, 905, 55}},
		{MD5, 256, Balance{1111, 917, 64}},
		{FNV1a, 1, Balance{6679, 281, 1893}},
		{FNV1a, 10, Balance{6679, 281, 1893}},
		{FNV1a, 100, Balance{2777, 406, 723}},
		{FNV1a, 256, Balance{1868, 562, 433}},
	} {
		r := hashed(t, v.hash, 10, v.virtual, 100_000, 1)
		assert.Equal(t, v.want, BalanceOf(r.Load(1)), "%s with %d virtual nodes", v.hash, v.virtual)
	}
}

func TestTokensAreTheFirst8BytesOfMD5(t *testing.T) {
	assert.Equal(t, uint64(0x305a959a087ed12d), MD5.NodeToken(0, 0))
	assert.Equal(t, uint64(0xdfcd0c9a67339570), MD5.NodeToken(1, 0))
	assert.Equal(t, uint64(0xb4428b7e85e1fa85), MD5.KeyPosition(0))
}

func TestPreferenceListsOfHashedTokens(t *testing.T) {
	r := hashed(t, MD5, 5, 8, 43, 3)
	assert.Equal(t, []NodeIndex{2, 0, 4}, r.Preference(0, 3))
	assert.Equal(t, []NodeIndex{2, 1, 0}, r.Preference(1, 3))
	assert.Equal(t, []NodeIndex{0, 4, 1}, r.Preference(42, 3))
}

func TestJoinMovesOneShareOfKeys(t *testing.T) {
	before := hashed(t, MD5, 10, 100, 100_000, 3)
	after, err := before.Join(10)
	require.NoError(t, err)
	m := CountMoves(before, after, 3)
	assert.Equal(t, 7831, m.Primaries, "7.83%% of 100,000 keys")
	assert.Equal(t, 26316, m.Copies, "8.77%% of 300,000 copies")
}
