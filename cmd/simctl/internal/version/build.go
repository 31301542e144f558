package version

import (
	"crypto/sha256"
	"encoding/hex"
	"fencepost/internal/program"
	"fmt"
	"io"
	"os"
	"sync"
)

// Build names the build, so that two that may differ have different names: its revision,
// or where the sources are not those of one the checksum of the program.
var Build = sync.OnceValues(func() (string, error) {
	v := This()
	if v.Revision != "" && !v.Modified {
		return v.Version + " revision " + v.Revision, nil
	}
	sum, err := programSum()
	if err != nil {
		return "", fmt.Errorf("the build of "+program.Name()+": %w", err)
	}
	return v.Version + " program sha256:" + sum, nil
})

// programSum is the checksum of the program that runs.
func programSum() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)[:16]), err
}
