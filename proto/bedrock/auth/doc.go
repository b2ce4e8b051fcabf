// Package auth verifies Bedrock logins and encrypts the batches of a session, for servers and clients.
//
// A Login packet carries a connection request with two signed tokens: the claimed identity of the player, and a
// description of the client. VerifyLogin checks both tokens and returns the verified identity. Then server and client agree
// on a key and encrypt every batch.
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
// A server calls:
//
//	req, err := auth.ParseConnectionRequest(login.Request)
//	who, client, err := auth.VerifyLogin(req, policy, nowUnix)    // *Refusal is the reason
//	token, err := auth.NewHandshake(serverKey, salt)         // ServerToClientHandshake
//	key, err := auth.SessionKey(serverKey, who.Key, salt)
//	in, out := auth.NewOpener(key), auth.NewSealer(key)
//
// A client calls:
//
//	req, err := auth.SelfSignedLogin{Name: "Alex", Key: clientKey, Now: nowUnix}.Append(nil)
//	serverKey, salt, err := auth.ParseHandshake(token)
//	key, err := auth.SessionKey(clientKey, serverKey, salt)
//
// What is verified, and what is not:
//
//   - A self-signed identity proves that the client holds the private half of its key, and nothing about the player: the
//     client chooses name, XUID and UUID (rule VE-4 of docs/wire/bedrock.md). VerifyLogin therefore drops the XUID and derives the
//     UUID from the name.
//   - An Xbox identity is signed by Mojang's authorization service, or by a chain that starts at Mojang's root key. A server
//     in online mode needs the public keys of the service or of the root. Without them it refuses every login (ErrNoKeys);
//     it does not accept self-signed identities instead.
//   - A login is sent in plain text, so it can be recorded and replayed until it expires. The attacker lacks the private key,
//     cannot derive the session key, and fails with the first encrypted batch (ErrChecksum).
//   - The server is not authenticated: it states its key itself, in the header x5u of its token, so a man in the middle can act
//     as server to the client and as client to the server. And the checksum of a batch has only 64 bits. Both are limits of the
//     protocol (rule EN-1 of docs/wire/bedrock.md).
//   - A server could skip encryption by sending PlayStatus in place of the handshake (rule EN-2 of docs/wire/bedrock.md). Then
//     the client does not prove that it holds its key, and a replayed login works. Truestep always encrypts.
//
// The package does no I/O, keeps no state between calls except in Sealer and Opener, and takes the time as seconds since
// 1970. Signing uses the process's source of randomness inside crypto/ecdsa. The caller provides the salts.
//
// The wire document is docs/wire/bedrock.md, login and encryption.
package auth
