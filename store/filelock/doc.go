// Package filelock acquires an exclusive lock on an open file, so that only one program on a machine uses the file at a
// time. The lock belongs to the open file, not to the process: even the same process cannot acquire it through a second
// open file. The operating system releases the lock when the file is closed or the process ends for any reason.
package filelock
