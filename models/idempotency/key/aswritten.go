package key

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// Order is what the client of the article sends: each field as the caller gave it.
type Order struct {
	Symbol, Side, Type string
	Quantity, Price    Value
	ClientOrderID      Value
}

// Digest is the SHA-256 of the JSON of some fields, in hex.
func Digest(fields ...Field) string {
	sum := sha256.Sum256([]byte(JSON(fields...)))
	return hex.EncodeToString(sum[:])
}

// ClientKeyAsWritten is the key that the client of the article makes for each attempt. It has
// the present time in it, so that an attempt a millisecond later has another key, and what is
// sent again is carried out again.
//
// Source: S1 strategy 1, generateIdempotencyKey.
func ClientKeyAsWritten(o Order, milliseconds int64) string {
	return Digest(Field{"symbol", Text(o.Symbol)}, Field{"side", Text(o.Side)}, Field{"type", Text(o.Type)}, Field{"quantity", o.Quantity},
		Field{"timestamp", Number(float64(milliseconds))}, Field{"clientOrderId", o.ClientOrderID})
}

// NormalisedKeyAsWritten is the key after the article's correction of it, 32 digits. A
// timestamp that is undefined leaves it out, as a reader does who has seen what it does. Then
// nothing tells two users apart, nor two orders that are alike on purpose; nor, by their
// quantities, any two below 5e-9 or beyond the digits of a float64, or two that are no numbers.
//
// Letters beyond ASCII are raised one by one; JavaScript makes two of some.
//
// Source: S1 mistake 1, normalizeOrder and generateIdempotencyKey.
func NormalisedKeyAsWritten(o Order, timestamp Value) string {
	raise := func(s string) Value { return Text(strings.Trim(strings.ToUpper(s), spaces)) }
	price := Null
	if o.Price.truthy() { // 0 is not, and so is no price
		price = Text(toFixed8(parseFloat(o.Price)))
	}
	return Digest(Field{"symbol", raise(o.Symbol)}, Field{"side", raise(o.Side)}, Field{"quantity", Text(toFixed8(parseFloat(o.Quantity)))},
		Field{"price", price}, Field{"type", raise(o.Type)}, Field{"timestamp", timestamp})[:32]
}

// ShortOfAsWritten is the check of a balance against an amount. The balance is the result of a
// query and not the number in it: it is never short of anything.
//
// Source: S1 mistake 4, placeOrderAtomic.
func ShortOfAsWritten(balance, amount Value) bool { return Less(balance, amount) }

// BackoffAsWritten is how long the article's loop sleeps after each of its attempts, all of
// which fail by 40001. The last sleep is followed by none.
//
// Source: S1 mistake 4, placeOrderAtomic.
func BackoffAsWritten(attempts int) (sleeps []time.Duration) {
	for attempt := 1; attempt <= attempts; attempt++ {
		sleeps = append(sleeps, 10*time.Millisecond<<attempt)
	}
	return sleeps
}

// Backoff is the same without the sleep that no attempt follows.
func Backoff(attempts int) []time.Duration { return BackoffAsWritten(attempts - 1) }
