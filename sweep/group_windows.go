package main

import "syscall"

// ownGroup keeps a Ctrl-C at the terminal from a child: its parent ends it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
