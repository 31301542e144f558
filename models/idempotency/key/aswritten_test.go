package key

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// What is expected here was printed by node 20.

// ID-01: the article's comment says that both have the same key.
func TestANumberAndItsTextHaveDifferentKeys(t *testing.T) {
	assert.Equal(t, "12b80b5ff5fc730bad307bce833a818f10d3ac2302f81e027a04d0eaeecb3210", Digest(Field{"quantity", Number(0.01)}))
	assert.Equal(t, "65bf302df9c4855e6370b8dbd198397ef505b48f4a04c358804ee55a1bb89d1c", Digest(Field{"quantity", Text("0.01")}))
}

// ID-02: what is sent again a millisecond later is another order.
func TestTheKeyOfTheClientChangesEveryMillisecond(t *testing.T) {
	o := Order{Symbol: "BTCUSDT", Side: "BUY", Type: "MARKET", Quantity: Text("0.01")}
	assert.Equal(t, "4b428bb87d8f1084d47e1c2fca8fa7a0af63a06dd63df0f9c39cbeddbfa88a94", ClientKeyAsWritten(o, 1700000000000))
	assert.Equal(t, "24eb00aca9dd8066bd717de14400aa165257c5b1dbce10422904ac1c9be3e529", ClientKeyAsWritten(o, 1700000000001))
	assert.Equal(t, ClientKeyAsWritten(o, 1700000000000), ClientKeyAsWritten(o, 1700000000000), "two clicks within one")
}

func usual(quantity Value) Order {
	return Order{Symbol: " btcusdt ", Side: "buy", Type: "market", Quantity: quantity}
}

func TestTheNormalisedKeyStillHasTheTime(t *testing.T) {
	o := usual(Text("0.01"))
	assert.Equal(t, "5de563f6c6e94795f66996dbfb2b29a6", NormalisedKeyAsWritten(o, Number(1700000000000)))
	assert.Equal(t, "cd9eb7de6ef064e5bec44ce4b4da2806", NormalisedKeyAsWritten(o, Number(1700000000001)))
	assert.Equal(t, "4793455e0403c860ccb3f7a02cc5e081", NormalisedKeyAsWritten(o, Value{}))
}

// ID-03
func TestTheNormaliserMakesOneOfDifferentQuantities(t *testing.T) {
	for _, c := range []struct {
		a, b Value
		want string
	}{
		{Number(0.01), Text("0.01"), "0.01000000"},
		{Number(0.010000001), Number(0.01), "0.01000000"},
		{Number(1e-9), Number(4e-9), "0.00000000"},
		{Text("123456789012.12345678"), Text("123456789012.12345679"), "123456789012.12345886"},
		{Text("0,01"), Text("0"), "0.00000000"},
		{Text("1abc"), Text("1"), "1.00000000"},
		{Text("abc"), Text("xyz"), "NaN"},
	} {
		assert.Equal(t, c.want, toFixed8(parseFloat(c.a)))
		assert.Equal(t, c.want, toFixed8(parseFloat(c.b)))
		assert.Equal(t, NormalisedKeyAsWritten(usual(c.a), Value{}), NormalisedKeyAsWritten(usual(c.b), Value{}))
	}
}

// ID-04
func TestAPriceOf0IsNoPriceButItsTextIsOne(t *testing.T) {
	with := func(price Value) string {
		o := usual(Text("0.01"))
		o.Price = price
		return NormalisedKeyAsWritten(o, Value{})
	}
	const none = "4793455e0403c860ccb3f7a02cc5e081"
	assert.Equal(t, []string{none, none, none, none}, []string{with(Value{}), with(Number(0)), with(Text("")), with(Number(math.NaN()))})
	assert.Equal(t, "4982c01794f2543e495bd3a1ea9d72bb", with(Text("0")))
	assert.Equal(t, "43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777", Digest(Field{"a", Number(1)}, Field{"b", Number(2)}))
	assert.Equal(t, "3fb75453225c732a76b7899ea2096dda1455189c89817239732182f73fe5a09f", Digest(Field{"b", Number(2)}, Field{"a", Number(1)}), "the order of fields")
}

// ID-05: nothing of the user is in the key.
func TestTwoUsersWithEqualOrdersShareAKey(t *testing.T) {
	key := func(_ string, o Order) string { return NormalisedKeyAsWritten(o, Value{}) }
	assert.Equal(t, key("user-1", usual(Text("1"))), key("user-2", usual(Text("1"))))
	one, _ := Fingerprint("user-1", Decimal("quantity", "1"))
	two, _ := Fingerprint("user-2", Decimal("quantity", "1"))
	assert.NotEqual(t, one, two)
}

// ID-06. That the id of no row is read there is a TypeError of the language, and no matter of
// a key.
func TestTheCheckOfTheBalanceNeverFires(t *testing.T) {
	assert.False(t, ShortOfAsWritten(Object, Number(100)))
	assert.False(t, ShortOfAsWritten(Object, Number(math.Inf(1))))
	assert.True(t, ShortOfAsWritten(Text("1000"), Text("300")), "texts are compared by letter")
	assert.False(t, ShortOfAsWritten(Number(1000), Text("300")))
	assert.True(t, Less(Null, Number(1)))
	assert.False(t, Less(Value{}, Number(1)))
	assert.False(t, Less(Text("abc"), Number(3)))
	assert.True(t, Less(Text("  "), Number(1)))
}

// ID-07
func TestAnUnknownActionHasTheTTLOfAnOrder(t *testing.T) {
	for action, want := range map[string]time.Duration{"order": 86_400, "withdrawal": 604_800, "api_call": 3600, "withdraw": 86_400, "apiCall": 86_400} {
		assert.Equal(t, want*time.Second, TTLAsWritten(action), action)
	}
	for action, want := range map[string]string{
		"withdraw": `action: want one of order, withdrawal, api_call, got "withdraw": did you mean withdrawal?`,
		"apiCall":  `action: want one of order, withdrawal, api_call, got "apiCall": did you mean api_call?`,
		"Order":    `action: want one of order, withdrawal, api_call, got "Order": did you mean order?`,
		"refund":   `action: want one of order, withdrawal, api_call, got "refund"`,
	} {
		_, err := TTL(action)
		assert.EqualError(t, err, want)
	}
	for _, action := range actions {
		ttl, err := TTL(action)
		assert.NoError(t, err)
		assert.Equal(t, TTLAsWritten(action), ttl)
	}
}

// ID-17
func TestTheLastSleepIsOfNoUse(t *testing.T) {
	const ms = time.Millisecond
	assert.Equal(t, []time.Duration{20 * ms, 40 * ms, 80 * ms}, BackoffAsWritten(3))
	assert.Equal(t, []time.Duration{20 * ms, 40 * ms}, Backoff(3))
	assert.Empty(t, Backoff(0))
}
