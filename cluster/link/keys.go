package link

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Names of the files that CreateKeys writes and LoadKeys reads.
const (
	caFile      = "ca.crt"   // certificate of the cluster's certificate authority
	caKeyFile   = "ca.key"   // private key of the certificate authority, which no node needs
	certFile    = "node.crt" // certificate of one node
	nodeKeyFile = "node.key" // private key of the node
)

const (
	validity = 10 * 365 * 24 * time.Hour // lifetime of new certificates
	backdate = 24 * time.Hour            // new certificates are valid from this long ago, for machines whose clock is behind
)

// Keys holds the certificate and the private key with which a node proves to the other nodes its name and its cluster. It is
// immutable.
type Keys struct {
	Cluster string    // name of the cluster
	Node    string    // name of this node
	Expires time.Time // when the node's or the cluster's certificate expires, whichever is earlier

	cert tls.Certificate
	pool *x509.CertPool
}

// nameForm matches names of clusters and nodes, which are DNS labels.
var nameForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

// checkName returns an error if the name of a cluster or node is not a DNS label of at most 32 characters.
func checkName(what, name string) error {
	if len(name) > maxName || !nameForm.MatchString(name) {
		return fmt.Errorf("%s %q: must be 1..%d characters of a-z, 0-9 and -, and begin and end with a letter or digit", what, name, maxName)
	}
	return nil
}

// checkNames returns an error if names of nodes are malformed or not distinct.
func checkNames(nodes []string) error {
	var errs []error
	if len(nodes) == 0 || len(nodes) > maxNodes {
		errs = append(errs, fmt.Errorf("the list has %d nodes, but a cluster must have 1..%d", len(nodes), maxNodes))
	}
	for i, name := range nodes {
		if err := checkName("node", name); err != nil {
			errs = append(errs, err)
		} else if slices.Contains(nodes[:i], name) {
			errs = append(errs, fmt.Errorf("node %q is named twice", name))
		}
	}
	return errors.Join(errs...)
}

// CreateKeys creates the keys of a cluster in folder dir: ca.crt, ca.key, and for each node a subfolder of its name with ca.crt,
// node.crt and node.key, which the operator copies to the node. Only the user may read the files. Existing files are not
// overwritten, so a later call with more names adds nodes. It returns the names of the nodes whose keys this call has created.
func CreateKeys(dir, cluster string, nodes []string) (made []string, err error) {
	if err := errors.Join(checkName("cluster", cluster), checkNames(nodes)); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	ca, err := openAuthority(dir, cluster)
	if err != nil {
		return nil, err
	}
	for _, name := range nodes {
		folder := filepath.Join(dir, name)
		if _, err := os.Lstat(folder); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return made, err
		}
		if err := ca.createNode(folder, name); err != nil {
			return made, fmt.Errorf("create the keys of node %s: %w", name, err)
		}
		made = append(made, name)
	}
	return made, nil
}

// authority is a cluster's certificate authority.
type authority struct {
	cluster string
	cert    *x509.Certificate
	key     crypto.Signer
}

// openAuthority reads the certificate authority in folder dir, or creates one for the cluster if the folder has none.
func openAuthority(dir, cluster string) (*authority, error) {
	certPath, keyPath := filepath.Join(dir, caFile), filepath.Join(dir, caKeyFile)
	_, certErr := os.Lstat(certPath)
	_, keyErr := os.Lstat(keyPath)
	switch {
	case errors.Is(certErr, fs.ErrNotExist) && errors.Is(keyErr, fs.ErrNotExist):
		return createAuthority(certPath, keyPath, cluster)
	case errors.Is(certErr, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is missing, and %s exists: restore the missing file, or name another folder", certPath, keyPath)
	case errors.Is(keyErr, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is missing (it signs the keys of nodes), but %s exists: restore the missing file, or name another folder", keyPath, certPath)
	}
	cert, certErr := readCertificate(certPath)
	key, keyErr := readKey(keyPath)
	if err := errors.Join(certErr, keyErr); err != nil {
		return nil, err
	}
	a := &authority{cluster: clusterOf(cert), cert: cert, key: key}
	switch {
	case a.cluster != cluster:
		return nil, fmt.Errorf("the certificate %s is of cluster %q, not of cluster %q: name another folder", certPath, a.cluster, cluster)
	case !key.Public().(interface{ Equal(crypto.PublicKey) bool }).Equal(cert.PublicKey):
		return nil, fmt.Errorf("the key %s does not belong to the certificate %s: restore both files from the same copy, or name another folder", keyPath, certPath)
	}
	return a, checkDates(certPath, cert, time.Now())
}

func createAuthority(certPath, keyPath, cluster string) (*authority, error) {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	form := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "Truestep cluster " + cluster, Organization: []string{cluster}},
		NotBefore: now.Add(-backdate), NotAfter: now.Add(validity),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, public, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	if err := writeKey(keyPath, key); err != nil {
		return nil, err
	}
	return &authority{cluster: cluster, cert: cert, key: key}, writePEM(certPath, "CERTIFICATE", der)
}

// createNode creates the folder of a node. It writes under a temporary name and renames, so that the folder is either
// complete or missing.
func (a *authority) createNode(folder, name string) (err error) {
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	now := time.Now()
	expires := now.Add(validity)
	if expires.After(a.cert.NotAfter) {
		expires = a.cert.NotAfter
	}
	form := &x509.Certificate{
		Subject:   pkix.Name{CommonName: name, Organization: []string{a.cluster}},
		DNSNames:  []string{name},
		NotBefore: now.Add(-backdate), NotAfter: expires,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, form, a.cert, public, a.key)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(folder), ".new-"+name+"-") // mode 0700
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	err = errors.Join(
		writePEM(filepath.Join(temp, caFile), "CERTIFICATE", a.cert.Raw),
		writePEM(filepath.Join(temp, certFile), "CERTIFICATE", der),
		writeKey(filepath.Join(temp, nodeKeyFile), key))
	if err != nil {
		return err
	}
	return os.Rename(temp, folder)
}

func writeKey(path string, key ed25519.PrivateKey) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(path, "PRIVATE KEY", der)
}

// writePEM writes a new file that only the user may read.
func writePEM(path, kind string, der []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(pem.Encode(f, &pem.Block{Type: kind, Bytes: der}), f.Sync(), f.Close())
}

// LoadKeys reads the folder of a node that CreateKeys has created. It returns an error if a file is missing, damaged, expired or
// of another cluster than the rest, or if other users may read the key. Several damaged files give an error with one line for each.
func LoadKeys(dir string) (*Keys, error) {
	if err := checkPresent(dir); err != nil {
		return nil, err
	}
	caPath, certPath, keyPath := filepath.Join(dir, caFile), filepath.Join(dir, certFile), filepath.Join(dir, nodeKeyFile)
	ca, caErr := readCertificate(caPath)
	cert, certErr := readCertificate(certPath)
	key, keyErr := readKey(keyPath)
	if err := errors.Join(caErr, certErr, keyErr, checkMode(keyPath)); err != nil {
		return nil, err
	}
	now := time.Now()
	if err := errors.Join(checkDates(caPath, ca, now), checkDates(certPath, cert, now)); err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(ca)
	if _, err := cert.Verify(x509.VerifyOptions{Roots: pool, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}); err != nil {
		return nil, fmt.Errorf("%s is not signed by %s: they are of different clusters; copy the folder of this node again", certPath, caPath)
	}
	if !key.Public().(interface{ Equal(crypto.PublicKey) bool }).Equal(cert.PublicKey) {
		return nil, fmt.Errorf("the key %s does not belong to the certificate %s: copy the folder of this node again", keyPath, certPath)
	}
	name, err := nodeOf(cert)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", certPath, err)
	}
	k := &Keys{
		Cluster: clusterOf(ca), Node: name, Expires: cert.NotAfter, pool: pool,
		cert: tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key, Leaf: cert},
	}
	if ca.NotAfter.Before(k.Expires) {
		k.Expires = ca.NotAfter
	}
	return k, nil
}

// clusterOf returns the name of the cluster in a certificate, "" if there is none.
func clusterOf(cert *x509.Certificate) string {
	if len(cert.Subject.Organization) != 1 {
		return ""
	}
	return cert.Subject.Organization[0]
}

// nodeOf returns the name of the node in a certificate.
func nodeOf(cert *x509.Certificate) (string, error) {
	if len(cert.DNSNames) != 1 {
		return "", fmt.Errorf("the certificate of a node must have exactly one DNS name, but has %d", len(cert.DNSNames))
	}
	return cert.DNSNames[0], checkName("node", cert.DNSNames[0])
}

// checkPresent returns an error of one line if the folder of a node's keys or files in it are missing.
func checkPresent(dir string) error {
	const advice = "truestep cluster keys makes the folder of each node; name that of this node with --cluster-keys DIR"
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s: %s", dir, advice)
	}
	var missing []string
	for _, name := range []string{caFile, certFile, nodeKeyFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the folder %s has no %s: %s", dir, strings.Join(missing, ", "), advice)
	}
	return nil
}

func readPEM(path, kind string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != kind {
		return nil, fmt.Errorf("%s is damaged: it has no %s in PEM format", path, kind)
	}
	return block.Bytes, nil
}

func readCertificate(path string) (*x509.Certificate, error) {
	der, err := readPEM(path, "CERTIFICATE")
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	return cert, nil
}

func readKey(path string) (crypto.Signer, error) {
	der, err := readPEM(path, "PRIVATE KEY")
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	signer, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s contains a %T, not a key that truestep cluster keys has created", path, key)
	}
	return signer, nil
}

// checkMode returns an error if the permissions of a key file are too wide: its group must not write it, and other users must
// have no access at all.
func checkMode(path string) error {
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS == "windows" { // readers report a missing file; Windows has access control lists instead of modes
		return nil
	}
	if mode := info.Mode().Perm(); mode&0o027 != 0 {
		return fmt.Errorf("%s may be used by other users of this machine (mode %#o): chmod 600 %s", path, mode, path)
	}
	return nil
}

// checkDates returns an error if the certificate in the file at path has expired or is not valid yet.
func checkDates(path string, cert *x509.Certificate, now time.Time) error {
	switch {
	case now.After(cert.NotAfter):
		return fmt.Errorf("%s has expired on %s: remove the folder that contains the file and run truestep cluster keys again", path, cert.NotAfter.UTC().Format(time.DateOnly))
	case now.Before(cert.NotBefore):
		return fmt.Errorf("%s is valid only from %s on: set the clock of this machine, which is behind", path, cert.NotBefore.UTC().Format(time.DateOnly))
	}
	return nil
}

// clientConfig returns the TLS configuration of a connection to the named node.
func (k *Keys) clientConfig(node string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{k.cert}, RootCAs: k.pool, ServerName: node,
		DynamicRecordSizingDisabled: true, VerifyConnection: verifyNode,
	}
}

// serverConfig returns the TLS configuration of accepted connections.
func (k *Keys) serverConfig() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{k.cert}, ClientCAs: k.pool, ClientAuth: tls.RequireAndVerifyClientCert,
		SessionTicketsDisabled: true, DynamicRecordSizingDisabled: true, VerifyConnection: verifyNode,
	}
}

// verifyNode returns an error if the peer's certificate, which is otherwise valid, does not name exactly one node.
func verifyNode(state tls.ConnectionState) error {
	_, err := nodeOf(state.PeerCertificates[0])
	return err
}

// explain converts an error of a handshake to one that tells an operator what is wrong.
func explain(err error) error {
	if e, ok := errors.AsType[x509.UnknownAuthorityError](err); ok && e.Cert != nil {
		return fmt.Errorf("the peer's certificate is of another cluster or another set of keys (%q): %w", printable(e.Cert.Subject.String()), err)
	}
	if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok && e.Reason == x509.Expired {
		return fmt.Errorf("the peer's certificate has expired or is not valid yet: %w", err)
	}
	if e, ok := errors.AsType[x509.HostnameError](err); ok && e.Certificate != nil {
		return fmt.Errorf("the peer's certificate belongs to another node than the one that was dialled: %q", e.Certificate.DNSNames)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("the peer did not complete the handshake in time")
	}
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the peer closed the connection during the handshake")
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		if e.Op == "remote error" { // an alert of TLS
			return fmt.Errorf("the peer refuses the certificate of this node: %w", e.Err)
		}
		return e.Err // without addresses, because the port differs each time and only equal log lines are suppressed
	}
	return err
}
