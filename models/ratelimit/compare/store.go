package compare

import (
	"reflect"
	"strconv"
	"unsafe"
)

// store is a record for each key, of types that are known when a comparison is made. With
// many clients most of the time goes into fetching states from memory. In a record they are
// side by side: few lines of the cache, and one page of memory, where each list of
// states on its own would be others.
type store struct {
	fields []reflect.StructField
	size   uintptr // of a record, whole lines of the cache
	page   reflect.Type
	pages  []unsafe.Pointer
	n      int // records
}

// record is where one begins.
type record unsafe.Pointer

const (
	pageSize  = 256 // records
	lineBytes = 64
)

// field is where a record holds a T.
type field[T any] struct {
	store  *store
	offset uintptr
}

// addField gives records a field, while there are none.
func addField[T any](s *store) field[T] { return field[T]{s, s.add(reflect.TypeFor[T]())} }

func (s *store) add(t reflect.Type) (offset uintptr) {
	align := uintptr(t.Align())
	offset = (s.size + align - 1) / align * align
	s.fields = append(s.fields, reflect.StructField{Name: "F" + strconv.Itoa(len(s.fields)), Type: t})
	s.size = offset + t.Size()
	return offset
}

// grow adds a record of zeros.
func (s *store) grow() int {
	if s.page == nil {
		s.add(reflect.ArrayOf(int(-s.size&(lineBytes-1)), reflect.TypeFor[byte]()))
		s.page = reflect.ArrayOf(pageSize, reflect.StructOf(s.fields))
	}
	if s.n%pageSize == 0 {
		s.pages = append(s.pages, reflect.New(s.page).UnsafePointer())
	}
	s.n++
	return s.n - 1
}

func (s *store) at(i int) record {
	return record(unsafe.Add(s.pages[i/pageSize], uintptr(i%pageSize)*s.size))
}

// touch reads all of a record.
func (s *store) touch(r record) (sum byte) {
	for i := uintptr(0); i < s.size; i += lineBytes {
		sum += *(*byte)(unsafe.Add(unsafe.Pointer(r), i))
	}
	return sum
}

func (f *field[T]) of(r record) *T { return (*T)(unsafe.Add(unsafe.Pointer(r), f.offset)) }

func (f *field[T]) at(i int) *T { return f.of(f.store.at(i)) }

// listOf is n of T that a record holds, from an offset on.
func listOf[T any](r record, offset uintptr, n int) []T {
	return unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(r), offset)), n)
}
