package files

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// A temporary file or folder stands beside what it becomes and is hidden. Its name holds
// the process that writes it and a hash of its host, so that what a killed process left is known for that, and a writer
// on another host that shares the folder is not taken for dead.

var temporaries atomic.Int64

// newTemporary makes what is to become base in a folder, with make and the rights that
// the user's mask leaves, and takes away what killed processes left of it.
func newTemporary(folder, base string, make func(path string) error) error {
	sweep(folder, base)
	for {
		name := fmt.Sprintf(".%s.%s-%d-%d%s", base, host(), os.Getpid(), temporaries.Add(1), partial)
		if err := make(filepath.Join(folder, name)); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

const partial = ".partial"

// host is a hash of the name of this host: short, and of characters that every file system takes.
var host = sync.OnceValue(func() string {
	name, _ := os.Hostname() // without a name the host is that of the empty name
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(name)))
})

// sweep takes away the temporaries of base that killed processes left. What cannot be
// taken away does no harm.
func sweep(folder, base string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if left(e.Name(), base) {
			_ = os.RemoveAll(filepath.Join(folder, e.Name()))
		}
	}
}

// left reports whether a name is that of a temporary of base whose process, of this host, is gone.
func left(name, base string) bool {
	middle, hidden := strings.CutPrefix(name, "."+base+".")
	middle, ours := strings.CutSuffix(middle, partial)
	middle, here := strings.CutPrefix(middle, host()+"-")
	pid, number, _ := strings.Cut(middle, "-")
	writer, err := strconv.Atoi(pid)
	if _, bad := strconv.Atoi(number); !hidden || !ours || !here || err != nil || bad != nil || writer <= 0 {
		return false
	}
	return writer != os.Getpid() && !alive(writer)
}

// alive reports whether there is such a process; when in doubt there is.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

// createTemporary makes the file that is to become base.
func createTemporary(folder, base string) (f *os.File, err error) {
	err = newTemporary(folder, base, func(path string) error {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		return err
	})
	return f, err
}

// settle has the names in a folder survive a power cut, where the system can.
func settle(folder string) {
	if d, err := os.Open(folder); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
