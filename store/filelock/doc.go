// Package filelock takes the exclusive lock of an open file, so that only one program on a machine uses the file at a time. The lock
// belongs to the open file, not to the process: a second open file of the same process does not get the lock either. The operating
// system releases the lock when the file is closed or when the process ends for any reason.
package filelock
