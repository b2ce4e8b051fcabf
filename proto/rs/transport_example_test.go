package rs_test

import (
	"fmt"
	"math/big"

	"github.com/truestep-io/truestep/proto/rs"
)

// A server reads a walk click and answers.
func ExampleFrameReader() {
	keys := rs.Keys{1, 2, 3, 4}                             // keys from the RSABlock of the login
	buf := []byte{0x4a, 0x16, 0x0c, 0x12, 0x0c, 0x00, 0x9f} // bytes from a socket; the last byte belongs to the next frame
	in := rs.NewFrameReader(rs.C2S, keys.ClientCipher())    // the client writes with the same cipher
	out := rs.NewFrameWriter(rs.S2C, keys.ServerCipher())   // the other direction has its own cipher
	for {
		f, n, err := in.Next(buf)
		if err != nil || n == 0 { // n is 0 if the frame is incomplete
			break
		}
		buf = buf[n:]
		if p, err := rs.Parse(rs.C2S, f.Op, f.Body); err == nil {
			fmt.Printf("%T %+v, %d byte left\n", p, p, len(buf))
		}
	}
	reply, err := out.AppendPacket(nil, rs.UpdateRunEnergy{Percent: 100})
	fmt.Printf("%x %v\n", reply, err)
	// Output:
	// rs.MoveGameClick {X:3222 Z:3218 Ctrl:false}, 1 byte left
	// 2564 <nil>
}

// The client writes a login and the server reads it. Real primes have 256 bits or more and come from crypto/rand.
func ExampleParseLogin() {
	p, _ := new(big.Int).SetString("170141183460469231731687303715884105727", 10) // 2^127 - 1
	q := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 521), big.NewInt(1))    // 2^521 - 1
	key, err := rs.NewPrivateKey(p, q, big.NewInt(rs.DefaultExponent))
	if err != nil {
		fmt.Println(err)
		return
	}
	request, _ := rs.AppendLogin(nil, &key.PublicKey, false,
		rs.RSABlock{Keys: rs.Keys{1, 2, 3, 4}, Password: "swordfish"}, rs.LoginDetails{Username: "Zezima"})

	_, body, _, _ := rs.SplitLogin(request)
	login, _ := rs.ParseLogin(body)
	plain, _ := key.Decrypt(login.RSA, big.NewInt(77)) // the second parameter blinds the operation; each call needs a new random number
	secret, _ := rs.ParseRSABlock(plain)
	rs.XTEADecrypt(secret.Keys, login.XTEA)
	name, err := rs.LoginName(login.XTEA)
	fmt.Println(login.Build, name, secret.Password, err)
	// Output:
	// 667 Zezima swordfish <nil>
}
