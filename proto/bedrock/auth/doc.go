// Package auth has what a Bedrock login proves and the encryption that follows it, for both sides.
//
// A Login packet carries a connection request: who somebody claims to be, and what their client is like, each a signed
// token. Verify checks both and says what has been proven. Then both sides agree on a key and encrypt every batch.
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
//	who, client, err := auth.Verify(req, policy, nowUnix)    // *Refusal says why not
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
// What is proven, and what is not:
//
//   - A self-signed identity proves that the client holds the private half of its key, and nothing about who the player
//     is: name, XUID and UUID are what the client likes (VE-4). So its XUID is dropped and its UUID made from the name.
//   - An Xbox identity is signed by Mojang's authorization service, or by a chain that begins with Mojang's root key. It
//     needs those keys; a server in online mode that has none refuses everybody (ErrNoKeys) and never falls back.
//   - A login travels in the clear, so it can be recorded and sent again while it has not expired. Whoever does that
//     lacks the private key, cannot derive the session key, and fails with the first encrypted batch (ErrChecksum).
//   - The server is not known to the client: its key is its own word (x5u), so somebody in the middle can be one server
//     to the client and one client to the server. And the checksum of a batch is 64 bits. Both are the protocol's (EN-1).
//   - A server could leave encryption out by sending PlayStatus in place of the handshake (EN-2). Then nothing shows
//     that the client holds its key, and a recorded login is as good as a fresh one. Nothing here does that.
//
// The package does no I/O, keeps no state between calls but in Sealer and Opener, and takes the time as seconds since
// 1970. Signing draws on the process's source of randomness, which crypto/ecdsa does by itself. Salts are the caller's.
//
// The wire document is docs/wire/bedrock.md, login and encryption.
package auth
