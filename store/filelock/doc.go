// Package filelock takes the lock of an open file, by which programs on one machine keep out of each other's way. The
// lock belongs to the open file, not to the process: whoever opens it again in the same process is refused as well. The
// system gives it free when the file is closed or the process ends, however it ends.
package filelock
