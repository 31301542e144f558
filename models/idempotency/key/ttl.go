package key

import (
	"fmt"
	"strings"
	"time"

	"fencepost/internal/text"
)

// How long the article keeps the key of an action.
//
// Source: S1 mistake 3, IdempotencyConfig.
const (
	OrderTTL      = 24 * time.Hour
	WithdrawalTTL = 7 * 24 * time.Hour
	APICallTTL    = time.Hour
)

var actions = []string{"order", "withdrawal", "api_call"}

// TTLAsWritten is how long the article keeps the key of an action. One that it does not know,
// such as withdraw, has that of an order, and no one is informed: its key is gone six days too
// early.
//
// Source: S1 mistake 3, getTTL.
func TTLAsWritten(action string) time.Duration {
	switch strings.ToUpper(action) {
	case "WITHDRAWAL":
		return WithdrawalTTL
	case "API_CALL":
		return APICallTTL
	}
	return OrderTTL
}

// TTL is how long the key of an action is kept. An action that is not known is an error with
// the nearest one that is.
func TTL(action string) (time.Duration, error) {
	switch action {
	case "order":
		return OrderTTL, nil
	case "withdrawal":
		return WithdrawalTTL, nil
	case "api_call":
		return APICallTTL, nil
	}
	err := fmt.Errorf("action: want one of %s, got %q", strings.Join(actions, ", "), action)
	if meant := text.Nearest(action, actions); meant != "" {
		err = fmt.Errorf("%w: did you mean %s?", err, meant)
	}
	return 0, err
}
