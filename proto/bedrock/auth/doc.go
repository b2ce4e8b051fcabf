// Package auth verifies Bedrock logins and encrypts the batches of a session, for both sides.
//
// A Login packet carries a connection request with two signed tokens: the claimed identity of the player, and a
// description of the client. Verify checks both and returns what is proven. Then both sides agree on a key and encrypt
// every batch.
//
//	Login      | i32 size | identity JSON | i32 size | client-data token |
//
//	identity   {"AuthenticationType": 2, "Token": "header.claims.signature", "Certificate": "{\"chain\":[...]}"}
//	                                 |
//	                                 +-- cpk, the player's key: it signed the client data, and its private half is
//	                                     needed for the encryption
//
//	batch      | fe | AES-256-CTR( compressor  payload  8 bytes of SHA-256 ) |
//
// The server's side:
//
//	req, err := auth.ParseRequest(login.Request)
//	who, client, err := auth.Verify(req, policy, nowUnix)    // *Refusal is the reason
//	token, err := auth.NewHandshake(serverKey, salt)         // ServerToClientHandshake
//	key, err := auth.SessionKey(serverKey, who.Key, salt)
//	in, out := auth.NewOpener(key), auth.NewSealer(key)
//
// and a client's:
//
//	req, err := auth.SelfSigned{Name: "Alex", Key: clientKey, Now: nowUnix}.Append(nil)
//	serverKey, salt, err := auth.ParseHandshake(token)
//	key, err := auth.SessionKey(clientKey, serverKey, salt)
//
// What is verified, and what is not:
//
//   - A self-signed identity proves that the client holds the private half of its key, and nothing about the player: name,
//     XUID and UUID are the client's choice (VE-4). So its XUID is dropped and its UUID derived from the name.
//   - An Xbox identity is signed by Mojang's authorization service, or by a chain that starts at Mojang's root key. It needs
//     those keys; a server in online mode without them refuses every login (ErrNoKeys) and never falls back.
//   - A login is sent in plain text, so it can be recorded and replayed until it expires. The attacker lacks the private
//     key, cannot derive the session key, and fails with the first encrypted batch (ErrChecksum).
//   - The server is not authenticated: its key is self-declared (x5u), so a man in the middle can act as server to the
//     client and as client to the server. And the checksum of a batch has only 64 bits. Both are limits of the protocol
//     (EN-1).
//   - A server could skip encryption by sending PlayStatus in place of the handshake (EN-2). Then the client does not prove
//     that it holds its key, and a replayed login works. Truestep never does that.
//
// The package does no I/O, keeps no state between calls except in Sealer and Opener, and takes the time as seconds since
// 1970. Signing uses the process's source of randomness inside crypto/ecdsa. The caller provides the salts.
//
// The wire document is docs/wire/bedrock.md, login and encryption.
package auth
