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

// Names of the key files in the data folder.
const (
	KeyFile    = "rs-key.pem"    // file of the private key, which decrypts the passwords of all logins
	PublicFile = "rs-public.txt" // file of the public key, for client patchers
)

// keyBits is the length of a new RSA key in bits. Clients encrypt a part of the login, with the password, as a single RSA block,
// and with 1024 bits every password fits into it. Patched clients accept a key of any length. Clients that are not patched
// contain a key of 512 bits, which can be factored in a day.
const keyBits = 1024

// LoadKey reads the RSA key from the folder dir; if there is none, it creates one. It also writes the public key to a file in the
// folder public, in the form that client patchers use. It accepts PEM files of older servers, whose keys have other lengths. Errors
// name the file and say how to fix the problem.
func LoadKey(dir, public string) (*proto.PrivateKey, error) {
	path := filepath.Join(dir, KeyFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(path, public)
	}
	if err != nil {
		return nil, fmt.Errorf("rs: read the private key: %w", err)
	}
	key, err := parseKey(text)
	if err != nil {
		return nil, fmt.Errorf("rs: key %s: %w; replace it by a PEM file with an RSA key, or move it away to get a new key, with which every client must then be patched", path, err)
	}
	return key, exportKey(public, key)
}

// parseKey returns the RSA key in a PEM file.
func parseKey(text []byte) (*proto.PrivateKey, error) {
	key, err := parsePEM(text)
	if err != nil {
		return nil, err
	}
	return protoKey(key)
}

// protoKey converts an RSA key to the form that the protocol package uses.
func protoKey(key *rsa.PrivateKey) (*proto.PrivateKey, error) {
	if len(key.Primes) != 2 {
		return nil, fmt.Errorf("the RSA key has %d primes instead of 2", len(key.Primes))
	}
	return proto.NewPrivateKey(key.Primes[0], key.Primes[1], big.NewInt(int64(key.E)))
}

// parsePEM returns the RSA key in a PEM file, in PKCS #1 or PKCS #8 form.
func parsePEM(text []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("the file has no PEM block")
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
		return nil, fmt.Errorf("the key is a %T, not an RSA key", any)
	}
	return key, nil
}

// makeKey creates a private key and stores it in the file that path names. It writes the public key to the folder that public names.
func makeKey(path, public string) (*proto.PrivateKey, error) {
	made, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, fmt.Errorf("rs: generate the private key: %w", err)
	}
	key, err := protoKey(made)
	if err != nil {
		return nil, fmt.Errorf("rs: generate the private key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(made)})
	if err := writeFile(path, text, 0o600); err != nil {
		return nil, fmt.Errorf("rs: write the private key: %w", err)
	}
	return key, exportKey(public, key)
}

// exportKey writes the public key, with which clients must be patched, to a file for client patchers.
func exportKey(dir string, key *proto.PrivateKey) error {
	text := PublicText(&key.PublicKey)
	path := filepath.Join(dir, PublicFile)
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return nil
	}
	if err := writeFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("rs: write the public key: %w", err)
	}
	return nil
}

// PublicText returns the public key in the form that client patchers use: exponent and modulus, decimal and hexadecimal.
func PublicText(key *proto.PublicKey) string {
	modulus, exponent := key.Decimal()
	modulusHex, exponentHex := key.Hex()
	return "# Patch the client with these: they take the place of its login RSA exponent and modulus.\n" +
		"exponent     " + exponent + "\nexponent_hex " + exponentHex + "\nmodulus      " + modulus + "\nmodulus_hex  " + modulusHex + "\n"
}

// writeFile replaces the contents of a file atomically: after a crash, the file has either the old or the new contents.
func writeFile(path string, text []byte, mode fs.FileMode) error {
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // does nothing after the rename
	_, err = part.Write(text)
	err = errors.Join(err, part.Chmod(mode), part.Sync(), part.Close())
	if err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}
