package scenarios

import (
	"io"

	"fencepost/scenarios/internal/logtext"
)

// PlainText returns the text of a file that may be gzipped or in UTF-16, and whose lines
// may end with CR or CRLF, as UTF-8 with "\n" after each line. It is an error, when it is
// read, if the text has more bytes than most, or if the gzip is cut.
func PlainText(src io.Reader, most int) io.Reader {
	return logtext.Reader(src, logtext.Options{MaxLine: most, MaxSize: int64(most)})
}
