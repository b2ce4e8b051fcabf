package server

import (
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// ChatConfig configures the chat log: lines that players said, for operators who investigate a complaint.
type ChatConfig struct {
	ChatRetain time.Duration `help:"How long chat is stored, for the moderators of the console and truestep admin chat. 0 stores no chat and deletes what an earlier run has stored." default:"720h" toml:"chat-retain"`
	ChatKeep   int           `help:"Largest number of lines of chat that is kept." default:"1000000" placeholder:"N" toml:"chat-keep"`
}

// Limits of the settings of ChatConfig.
const (
	minChatRetain = time.Minute // minimum of ChatRetain
	minChatKeep   = 1000        // minimum of ChatKeep, in lines; chosen because fewer do not explain a complaint
	maxChatKeep   = 10_000_000  // maximum of ChatKeep, in lines; chosen because the file then has 3 GB, which each start checks for damage
)

func (c *ChatConfig) check(p *gateway.Problems) {
	p.Refuse(c.ChatRetain != 0 && (c.ChatRetain < minChatRetain || c.ChatRetain > maxRetain), "chat-retain %v: must be 1m..87600h, such as 30d, or 0 to store no chat", c.ChatRetain)
	p.Refuse(c.ChatRetain != 0 && (c.ChatKeep < minChatKeep || c.ChatKeep > maxChatKeep), "chat-keep %d: must be %d..%d", c.ChatKeep, minChatKeep, maxChatKeep)
}

// openChat opens the chat log. If chat is not to be stored, it deletes the chat log of an earlier run instead. The callback
// Identify uses the hub, which does not exist yet; Identify is called only when players chat.
func (s *Server) openChat() (err error) {
	path := filepath.Join(s.cfg.DataDir, chatlog.FileName)
	if s.cfg.ChatRetain == 0 {
		existed, err := chatlog.Remove(path)
		if existed && err == nil {
			s.log.Info("chat is not stored (chat-retain is 0); the chat log of an earlier run was deleted", telemetry.FieldFile, path)
		}
		return err
	}
	s.chat, err = chatlog.Open(chatlog.Options{
		Path: path, Retain: s.cfg.ChatRetain, Keep: s.cfg.ChatKeep, Log: s.log, Metrics: s.metrics,
		Identify: func(id sim.EntityID) (chatlog.Speaker, bool) {
			p, ok := s.hub.Player(id)
			return chatlog.Speaker{Account: p.Account, Player: p.Name, Door: p.Door}, ok
		},
	})
	return err
}

// addWithheld stores a line of chat that no player received, for example because its speaker is muted.
func (s *Server) addWithheld(w session.WithheldChat) {
	line := chatlog.Line{Channel: chatlog.Area, Account: w.Account, Player: w.Character, Door: w.Door, Text: w.Text, Withheld: chatlog.Withheld(w.Reason)}
	if areas := s.cfg.World.Areas; w.Area >= 0 && int(w.Area) < len(areas) {
		line.Area = areas[w.Area].Name
	}
	s.chat.Add(line)
}
