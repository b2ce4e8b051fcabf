// Package fileowner gives files that root has created in the data folder of another user to that user.
package fileowner

// Adopt does nothing, because on Windows new files inherit the permissions of their folder.
func Adopt(dir, name string) error { return nil }
