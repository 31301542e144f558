package strict

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "good.yaml")
	require.NoError(t, os.WriteFile(path, []byte(good), 0o600))
	d, err := ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, d.Decode(&scenario{}))
	require.Equal(t, path+":3:8", d.At("model").String())
}

func TestReadFileRefuses(t *testing.T) {
	dir := t.TempDir()
	sparse := filepath.Join(dir, "sparse.yaml")
	f, err := os.Create(sparse)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(100<<20))
	require.NoError(t, f.Close())
	binary := filepath.Join(dir, "binary.yaml")
	require.NoError(t, os.WriteFile(binary, []byte("\x7fELF\x02\x01\x00"), 0o600))
	missing := filepath.Join(dir, "missing.yaml")

	_, err = ReadFile(sparse)
	require.EqualError(t, err, sparse+": the file is too large: want at most 1024 KiB")

	_, err = ReadFile(dir)
	require.EqualError(t, err, dir+": this is a directory: want a YAML file")

	_, err = ReadFile(binary)
	require.ErrorContains(t, err, binary+`:1:1: control character '\x7f': want a text file`)

	_, err = ReadFile(missing)
	require.EqualError(t, err, missing+": cannot read the file: no such file or directory")
	require.ErrorIs(t, err, fs.ErrNotExist)

	_, err = Parse("big.yaml", make([]byte, MaxSize+1))
	require.EqualError(t, err, "big.yaml: the file is too large: want at most 1024 KiB")
}
