// Package webhook sends events of a server to HTTP receivers, such as a chat or a paging service. Messages are signed.
// A failed message is retried with increasing pauses. docs/webhooks.md documents the messages for authors of receivers.
// Queues are bounded and kept in memory only.
//
//	list, err := webhook.Load("webhooks.toml")
//	s := webhook.NewSender("Truestep Vale", list, log)
//	s.Send(webhook.Event{Kind: webhook.DoorClosed, State: webhook.Firing, Subject: "rs", Text: "the door rs closed"})
//	s.Close(ctx) // sends what is queued until ctx ends
//
// Send never blocks. A Sender has one goroutine per receiver, so a slow receiver delays no other. The caller decides
// which occurrences are worth an event.
package webhook
