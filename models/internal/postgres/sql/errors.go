package sql

import "fmt"

// Code is the SQLSTATE of an error; 0 is success.
type Code uint8

// The codes.
const (
	OK                        Code = iota
	ConnectionFailure              // 08006: the connection was lost
	FeatureNotSupported            // 0A000: outside the SQL subset
	CardinalityViolation           // 21000: DO UPDATE of a row twice, a scalar subquery with two rows
	NumericValueOutOfRange         // 22003
	DivisionByZero                 // 22012
	InvalidTextRepresentation      // 22P02: '5x' as an integer
	NotNullViolation               // 23502
	UniqueViolation                // 23505
	CheckViolation                 // 23514
	ActiveTransaction              // 25001: BEGIN inside a transaction; a warning only, as in PostgreSQL
	NoActiveTransaction            // 25P01: SAVEPOINT outside a transaction
	InFailedTransaction            // 25P02: a statement after an error
	InvalidSavepoint               // 3B001: no such savepoint
	SerializationFailure           // 40001
	DeadlockDetected               // 40P01
	SyntaxError                    // 42601
	AmbiguousColumn                // 42702
	UndefinedColumn                // 42703
	GroupingError                  // 42803: a column beside an aggregate, an aggregate in WHERE
	DatatypeMismatch               // 42804
	UndefinedFunction              // 42883: no such function, no such operator for these types
	UndefinedTable                 // 42P01
	DuplicateTable                 // 42P07
	InvalidColumnReference         // 42P10: no unique constraint matches ON CONFLICT
	LockNotAvailable               // 55P03: NOWAIT, or lock_timeout has passed
	QueryCanceled                  // 57014: cancelled by the client
	ProgramLimitExceeded           // 54000: a bound of this package
	InvalidRowCountInLimit         // 2201W: LIMIT of a negative number
)

var codeNames = [...]string{"00000", "08006", "0A000", "21000", "22003", "22012", "22P02", "23502", "23505", "23514", "25001", "25P01",
	"25P02", "3B001", "40001", "40P01", "42601", "42702", "42703", "42803", "42804", "42883", "42P01", "42P07", "42P10", "55P03", "57014", "54000", "2201W"}

// String is the code as five characters.
func (c Code) String() string { return codeNames[c] }

// ParseCode is the code with the given five characters.
func ParseCode(text string) (Code, bool) {
	for i, name := range codeNames {
		if name == text {
			return Code(i), true
		}
	}
	return 0, false
}

// Error is what [Schema.Create] and [Schema.Prepare] find wrong with a text.
type Error struct {
	Code    Code
	Message string
	Offset  int // in bytes from the beginning of the text
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s (SQLSTATE %v)", e.Message, e.Code) }

// fail aborts parsing; [caught] turns it into an error.
func fail(code Code, at int, format string, args ...any) {
	panic(&Error{Code: code, Message: fmt.Sprintf(format, args...), Offset: at})
}

// caught is deferred where parsing begins.
func caught(err *error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		*err = e
	default:
		panic(e)
	}
}
