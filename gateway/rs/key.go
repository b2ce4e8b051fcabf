package rs

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// Files of the key, in the data folder.
const (
	KeyFile    = "rs-key.pem"    // private: whoever has it can read the passwords of every login
	PublicFile = "rs-public.txt" // for client patchers
)

// keyBits is the length of a new modulus. Clients ship 512 bits, which anybody factors in a day, and take whatever they
// are patched with; 1024 leaves room for any password in the one block that they encrypt.
const keyBits = 1024

// LoadKey reads the key of the door from dir, or makes one at the first start, and writes its public half beside it in
// the form that client patchers use. A PEM file of an older server, whatever its length, is as good. Errors name the
// file and what to do.
func LoadKey(dir string) (*proto.PrivateKey, error) {
	path := filepath.Join(dir, KeyFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(dir, path)
	}
	if err != nil {
		return nil, fmt.Errorf("rs: key: %w", err)
	}
	key, err := parseKey(text)
	if err != nil {
		return nil, fmt.Errorf("rs: key %s: %w; put a PEM file with an RSA key there, or move it away to get a new one, which every client must then be patched with", path, err)
	}
	return key, exportKey(dir, key)
}

func parseKey(text []byte) (*proto.PrivateKey, error) {
	key, err := parsePEM(text)
	if err != nil {
		return nil, err
	}
	return protoKey(key)
}

// protoKey is the key as the protocol uses it.
func protoKey(key *rsa.PrivateKey) (*proto.PrivateKey, error) {
	if len(key.Primes) != 2 {
		return nil, fmt.Errorf("it has %d primes, not 2", len(key.Primes))
	}
	return proto.NewPrivateKey(key.Primes[0], key.Primes[1], big.NewInt(int64(key.E)))
}

func parsePEM(text []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("no PEM block in it")
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := any.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("a %T, not an RSA key", any)
	}
	return key, nil
}

// makeKey makes a key and stores it whole or not at all.
func makeKey(dir, path string) (*proto.PrivateKey, error) {
	made, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, fmt.Errorf("rs: key: %w", err)
	}
	key, err := protoKey(made)
	if err != nil {
		return nil, fmt.Errorf("rs: key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(made)})
	if err := writeFile(path, text, 0o600); err != nil {
		return nil, fmt.Errorf("rs: key: %w", err)
	}
	return key, exportKey(dir, key)
}

// exportKey writes what a client must be patched with.
func exportKey(dir string, key *proto.PrivateKey) error {
	text := PublicText(&key.PublicKey)
	path := filepath.Join(dir, PublicFile)
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return nil
	}
	if err := writeFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("rs: public key: %w", err)
	}
	return nil
}

// PublicText is the public half of a key as client patchers want it: exponent and modulus, decimal and hexadecimal.
func PublicText(key *proto.PublicKey) string {
	modulus, exponent := key.Decimal()
	modulusHex, exponentHex := key.Hex()
	return "# Patch the client with these: they take the place of its login RSA exponent and modulus.\n" +
		"exponent     " + exponent + "\nexponent_hex " + exponentHex + "\nmodulus      " + modulus + "\nmodulus_hex  " + modulusHex + "\n"
}

// writeFile puts a whole file in place of another, or leaves that one as it was.
func writeFile(path string, text []byte, mode fs.FileMode) error {
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // it is gone after the rename
	_, err = part.Write(text)
	err = errors.Join(err, part.Chmod(mode), part.Sync(), part.Close())
	if err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}
