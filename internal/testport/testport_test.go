package testport

import (
	"net"
	"testing"
)

func TestPortIsFreeAndReturnedOnlyOnceUntilTestEnds(t *testing.T) {
	seen := map[string]bool{}
	for range 50 {
		addr := Addr(t)
		if seen[addr] {
			t.Errorf("%s is returned twice", addr)
		}
		seen[addr] = true
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
}

func TestTenIsOccupiedUntilTestEnds(t *testing.T) {
	var prefix string
	t.Run("test", func(t *testing.T) {
		prefix = Ten(t)
		if l, err := net.Listen("tcp", prefix+"0"); err == nil {
			_ = l.Close()
			t.Errorf("another call could return %s", prefix)
		}
	})
	l, err := net.Listen("tcp", prefix+"0")
	if err != nil {
		t.Fatalf("after the test: %v", err)
	}
	_ = l.Close()
}

func TestTenWithTakenPortIsNotFree(t *testing.T) {
	prefix := Ten(t)
	if !areFree(prefix) {
		t.Errorf("%s is not free", prefix)
	}
	tcp, err := net.Listen("tcp", prefix+"9")
	if err != nil {
		t.Fatal(err)
	}
	if areFree(prefix) {
		t.Errorf("%s is free although a TCP port is taken", prefix)
	}
	_ = tcp.Close()
	udp, err := net.ListenPacket("udp", prefix+"5")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	if areFree(prefix) {
		t.Errorf("%s is free although a UDP port is taken", prefix)
	}
}
