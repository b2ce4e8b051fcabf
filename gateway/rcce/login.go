package rcce

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// callTimeout is the time after which a call to the hub for a client is cancelled. It restarts when the client repeats its
// request, so that the request keeps its position in the queue of password checks. Original clients wait 1 to 5 s for most
// answers; client/rcce waits 10 s.
const callTimeout = 15 * time.Second

// repeatMS is a time in ms. A request to delete a character that equals the previous request, and arrives within this time after
// the answer to it, is taken as a repetition: the client sent it before it received the answer. The value is chosen to be longer
// than a bad connection delays the answer, and shorter than a player takes to read the new list, select another character and
// confirm its deletion.
const repeatMS = 3000

// Maximum lengths of an account's name and e-mail address, in characters, which have one byte each in packets. Source:
// docs/wire/rcce.md, account and character.
const (
	maxUserBytes  = 50
	maxEmailBytes = 200
)

// handleAccount queues an account packet, which needs the hub for its answer. Packets are answered one at a time, in order. A
// packet is dropped (1) if the queue is full or the client is in the world, (2) if the token bucket is empty, (3) if it equals
// the last packet in the queue, because one answer is enough for both.
func (c *conn) handleAccount(p proto.Packet) {
	if len(c.accountQueue) >= maxAccountQueue || c.session != nil {
		c.w.g.door.Bad.With("untimely").Inc()
		return
	}
	if !c.takeAccountToken() {
		c.w.g.door.Bad.With("budget").Inc()
		return
	}
	c.place.MarkRequestReceived()
	if n := len(c.accountQueue); n > 0 && c.accountQueue[n-1] == p && c.callEnd.Stop() {
		c.callEnd.Reset(callTimeout)
		c.w.g.door.Bad.With("repeated").Inc()
		return
	}
	c.accountQueue = append(c.accountQueue, p)
	if len(c.accountQueue) == 1 {
		c.startAccountCall()
	}
}

// takeAccountToken takes a token from the connection's bucket for account packets. It returns false if the bucket is empty.
func (c *conn) takeAccountToken() bool {
	added := (c.w.g.now() - c.tokensAt) / accountTokenMS
	c.tokensAt += added * accountTokenMS
	c.accountTokens = min(c.accountTokens+min(added, maxAccountTokens), maxAccountTokens)
	if c.accountTokens == 0 {
		return false
	}
	c.accountTokens--
	return true
}

// startAccountCall answers the first packet in the queue. It uses another goroutine, because the call to the hub may block.
func (c *conn) startAccountCall() {
	p, service := c.accountQueue[0], accountService{c.w.g.hub, c.w.g.world.Def(), c.identity, c.list, c.w.g.now()}
	awaited, giveUp := context.WithCancel(c.gone)
	c.callEnd = time.AfterFunc(callTimeout, giveUp)
	ok := c.w.calls.Start(func(ctx context.Context) func() {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(awaited, cancel)()
		r := service.respond(ctx, p)
		return func() {
			giveUp()
			c.finishAccountCall(r)
		}
	})
	if !ok {
		giveUp()
		c.w.g.door.Bad.With("overload").Inc()
		c.finishAccountCall(response{})
	}
}

// response is the result of a call to the hub for an account packet: the packets to send, and a session if the player has entered
// the world.
type response struct {
	packets []proto.Packet
	session *session.Session
	sheet   *sim.Character  // record whose character sheet the packets contain; nil if the packets are another answer
	account store.AccountID // account whose name and secret the packet contained; 0 for packets that do not log in
	list    *characterList  // new value of conn.list; nil if it does not change
}

// characterList is the list of an account's characters that the client was sent last. In its requests, the client names a
// character by the index in this list. The roster in the store may have changed since, for example by an earlier request whose
// answer the client has not received.
type characterList struct {
	account store.AccountID   // account whose characters are in the list; 0 if the list is not known
	ids     []sim.CharacterID // immutable

	deletion   proto.DeleteCharacterRequest // deletion that was answered with the list; zero if the list answers another request
	answer     proto.DeleteCharacter        // the answer to deletion; immutable
	answeredAt uint32                       // time in ms when the client was sent the list
}

// isRepeated reports whether p repeats the deletion that the list l has answered. A client sends such a repetition before
// it receives the list.
func (l *characterList) isRepeated(p proto.DeleteCharacterRequest, now uint32) bool {
	return p == l.deletion && now-l.answeredAt < repeatMS
}

func newCharacterList(a store.AccountID, roster []*sim.Character) *characterList {
	list := &characterList{account: a}
	for _, c := range roster {
		list.ids = append(list.ids, c.ID)
	}
	return list
}

// finishAccountCall sends the client the packets of a response, and starts the call for the next packet in the queue.
func (c *conn) finishAccountCall(r response) {
	c.callEnd.Stop()
	if c.closed {
		if r.session != nil {
			r.session.Disconnect()
		}
		return
	}
	for _, p := range r.packets {
		c.send(p)
	}
	if r.sheet != nil {
		c.w.g.sheets.add(r.sheet, c.w.g.now())
	}
	if r.list != nil {
		c.list = *r.list
		c.list.answeredAt = c.w.g.now()
	}
	if r.account != 0 {
		c.logIn(r.account, r.session != nil)
	}
	if r.session != nil {
		c.accountQueue = nil // a connection has only one player, so queued account packets are dropped
		c.awaitFirstFrame(r.session)
	}
	if c.closed || len(c.accountQueue) == 0 {
		return
	}
	if c.accountQueue = c.accountQueue[1:]; len(c.accountQueue) > 0 {
		c.startAccountCall()
	}
}

// logIn records that the client has logged in to an account, and whether its player enters the world. If the player does
// not enter, the connection is at the character menu; an account has at most maxMenus such connections.
func (c *conn) logIn(a store.AccountID, enters bool) {
	c.w.g.menus.remove(c.account, c)
	c.account = a
	if !c.place.LogIn() || enters {
		return
	}
	if oldest := c.w.g.menus.add(a, c); oldest != nil {
		oldest.w.calls.Post(oldest.leaveMenu)
	}
}

// awaitFirstFrame stores the session of a player that has entered the world. The client becomes a member of a scene when the
// first frame with its player arrives.
func (c *conn) awaitFirstFrame(s *session.Session) {
	c.session = s
	c.runtimeID = c.w.g.ids.acquire(s.Entity)
	if c.runtimeID == 0 { // all 65,534 runtime ids are in use
		c.refuseEntry()
		return
	}
	c.w.scenes.Expect(c, s.Area())
	c.firstArrival = true
	c.sentSheet = c.w.g.sheets.pop(s.Character.ID, c.w.g.now())
	c.unsentBar = c.unsentBar[:0]
	bar := s.Character.ActionBar
	encodeTexts(bar[:])
	for start := 0; start < len(bar); start += 3 {
		c.unsentBar = append(c.unsentBar, proto.StartGameBar{Start: uint8(start), Slots: [3]string(bar[start : start+3])})
	}
}

// accountService answers account packets. Its calls to the hub may block, so they run outside the goroutine of the worker and do
// not use connections.
type accountService struct {
	hub      *session.Hub
	world    *sim.World
	identity session.Peer
	list     characterList // conn.list
	now      uint32        // time of the call in ms
}

// respond returns the answer to an account packet. It may block.
func (service accountService) respond(ctx context.Context, p proto.Packet) response {
	switch p := p.(type) {
	case proto.CreateAccountRequest:
		return service.createAccount(ctx, p)
	case proto.VerifyAccountRequest:
		return service.verifyAccount(ctx, p)
	case proto.FetchCharacterRequest:
		l, err := service.hub.Login(ctx, service.identity, p.User, p.MD5)
		if l == nil || err != nil && !errors.Is(err, session.ErrOnline) {
			return failureOf(p, err)
		}
		ch, err := service.hub.Character(ctx, l, int(p.Index))
		if err != nil {
			return failureOf(p, err)
		}
		return response{packets: characterSheet(service.world, ch), sheet: ch}
	case proto.CreateCharacterRequest:
		return service.createCharacter(ctx, p)
	case proto.DeleteCharacterRequest:
		return service.deleteCharacter(ctx, p)
	case proto.ChangePasswordRequest:
		return service.changePassword(ctx, p)
	case proto.StartGameRequest:
		return service.startGame(ctx, p)
	}
	return response{}
}

// failureOf returns the reply to an account packet that failed with err. The reply is empty if the server is overloaded, cannot
// reach its database, or an area has no leader. Clients then repeat the request, while they give up after any failure reply.
func failureOf(p proto.Packet, err error) response {
	if errors.Is(err, session.ErrOverloaded) || errors.Is(err, session.ErrUnavailable) || errors.Is(err, session.ErrNoLead) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return response{}
	}
	return refusalOf(p)
}

// refusalOf returns the reply that refuses an account packet. Each type of account packet has its own.
func refusalOf(p proto.Packet) response {
	switch p.(type) {
	case proto.CreateAccountRequest:
		return response{packets: []proto.Packet{proto.CreateAccount{Result: proto.ReplyNo}}}
	case proto.VerifyAccountRequest:
		return response{packets: []proto.Packet{proto.VerifyAccount{Result: proto.ReplyPassword}}}
	case proto.FetchCharacterRequest:
		return response{packets: []proto.Packet{proto.FetchCharacterRefused{}}}
	case proto.CreateCharacterRequest:
		return response{packets: []proto.Packet{proto.CreateCharacter{Result: proto.ReplyNo}}}
	case proto.DeleteCharacterRequest:
		return response{packets: []proto.Packet{proto.DeleteCharacter{Refused: true}}}
	case proto.ChangePasswordRequest:
		return response{packets: []proto.Packet{proto.ChangePassword{Result: proto.ReplyPassword}}}
	case proto.StartGameRequest:
		return response{packets: []proto.Packet{proto.StartGameRefused{}}}
	}
	return response{}
}

func (service accountService) createAccount(ctx context.Context, p proto.CreateAccountRequest) response {
	if !validUser(p.User) || !isMD5(p.MD5) || !validEmail(p.Email) {
		return refusalOf(p)
	}
	switch err := service.hub.CreateAccount(ctx, service.identity, p.User, p.MD5, p.Email); {
	case errors.Is(err, session.ErrAccountsClosed):
		return response{} // the original RealmCrafter server does not answer either
	case err != nil:
		return failureOf(p, err)
	}
	return response{packets: []proto.Packet{proto.CreateAccount{Result: proto.ReplyYes}}}
}

func (service accountService) verifyAccount(ctx context.Context, p proto.VerifyAccountRequest) response {
	l, err := service.hub.Login(ctx, service.identity, p.User, p.MD5)
	switch {
	case errors.Is(err, session.ErrBanned):
		return response{packets: []proto.Packet{proto.VerifyAccount{Result: proto.ReplyBanned}}}
	case errors.Is(err, session.ErrNotWhitelisted):
		return response{packets: []proto.Packet{proto.VerifyAccount{Result: proto.ReplyNo}}}
	case errors.Is(err, session.ErrOnline):
		return response{packets: []proto.Packet{proto.VerifyAccount{Result: proto.ReplyOnline}}}
	case err != nil:
		return failureOf(p, err)
	}
	roster, err := service.hub.Roster(ctx, l)
	if err != nil {
		return failureOf(p, err)
	}
	return response{
		packets: []proto.Packet{proto.VerifyAccount{Result: proto.ReplyYes, Roster: rosterEntries(roster)}},
		account: l.Account, list: newCharacterList(l.Account, roster),
	}
}

func (service accountService) createCharacter(ctx context.Context, p proto.CreateCharacterRequest) response {
	l, err := service.hub.Login(ctx, service.identity, p.User, p.MD5)
	if err != nil {
		return failureOf(p, err)
	}
	err = service.hub.CreateCharacter(ctx, l, session.NewCharacter{
		Name: p.Name, Template: p.Template, Points: p.Points,
		Appearance: sim.Appearance{Gender: p.Gender, Face: p.Face, Hair: p.Hair, Beard: p.Beard, Body: p.Body},
	})
	switch {
	case errors.Is(err, session.ErrName), errors.Is(err, session.ErrNameTaken):
		return response{packets: []proto.Packet{proto.CreateCharacter{Result: proto.ReplyName}}}
	case err != nil:
		return failureOf(p, err)
	}
	// The client was not sent a list with the new character. The empty list makes its next request use the roster in the store.
	return response{packets: []proto.Packet{proto.CreateCharacter{Result: proto.ReplyYes}}, list: &characterList{}}
}

func (service accountService) changePassword(ctx context.Context, p proto.ChangePasswordRequest) response {
	l, err := service.hub.Login(ctx, service.identity, p.User, p.OldMD5)
	if err != nil {
		return failureOf(p, err)
	}
	if !isMD5(p.NewMD5) {
		return refusalOf(p)
	}
	if err := service.hub.ChangeSecret(ctx, l, p.NewMD5); err != nil {
		return failureOf(p, err)
	}
	return response{packets: []proto.Packet{proto.ChangePassword{Result: proto.ReplyYes}}}
}

// deleteCharacter deletes the character with an index in the client's list. A client repeats a request that was not answered, or
// whose answer it has not received yet. The repetition must not delete the character that has moved up to that index.
func (service accountService) deleteCharacter(ctx context.Context, p proto.DeleteCharacterRequest) response {
	l, err := service.hub.Login(ctx, service.identity, p.User, p.MD5)
	if err != nil {
		return failureOf(p, err)
	}
	list := &service.list
	if list.account != l.Account {
		roster, err := service.hub.Roster(ctx, l)
		if err != nil {
			return failureOf(p, err)
		}
		list = newCharacterList(l.Account, roster)
	}
	if list.isRepeated(p, service.now) {
		return response{packets: []proto.Packet{list.answer}}
	}
	if int(p.Index) >= len(list.ids) {
		return refusalOf(p)
	}
	roster, err := service.hub.DeleteCharacter(ctx, l, list.ids[p.Index])
	if errors.Is(err, session.ErrNoCharacter) { // an earlier request has deleted the character, but was answered with a failure
		roster, err = service.hub.Roster(ctx, l)
	}
	if err != nil {
		r := failureOf(p, err)
		// The character may have been deleted nevertheless. Keep the list, because the index in a repeated request refers to it.
		r.list = &characterList{account: list.account, ids: list.ids}
		return r
	}
	left := newCharacterList(l.Account, roster)
	left.deletion, left.answer = p, proto.DeleteCharacter{Roster: rosterEntries(roster)}
	return response{packets: []proto.Packet{left.answer}, list: left}
}

func (service accountService) startGame(ctx context.Context, p proto.StartGameRequest) response {
	l, err := service.hub.Login(ctx, service.identity, p.User, p.MD5)
	if err != nil {
		return failureOf(p, err)
	}
	s, err := service.hub.Enter(ctx, l, int(p.Index))
	if err != nil {
		return failureOf(p, err)
	}
	return response{session: s, account: l.Account}
}

// validUser reports whether s is an account name that the original RealmCrafter server allows: 1 to maxUserBytes letters, digits,
// underscores and characters from U+00C0 to U+00FF.
func validUser(s string) bool {
	return s != "" && utf8.RuneCountInString(s) <= maxUserBytes &&
		!strings.ContainsFunc(s, func(r rune) bool { return !isLetter(r) && r != '_' })
}

func validEmail(s string) bool {
	return utf8.RuneCountInString(s) <= maxEmailBytes &&
		!strings.ContainsFunc(s, func(r rune) bool { return !isLetter(r) && !strings.ContainsRune("_@*+-.=", r) })
}

// isLetter reports whether the original RealmCrafter server counts r as a letter or digit.
func isLetter(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || 0xc0 <= r && r <= 0xff
}

// isMD5 reports whether s has the form in which clients send a password: 32 lower-case hexadecimal digits.
func isMD5(s string) bool {
	if len(s) != 32 {
		return false
	}
	for i := range len(s) {
		if !('0' <= s[i] && s[i] <= '9' || 'a' <= s[i] && s[i] <= 'f') {
			return false
		}
	}
	return true
}
