// Package webhook sends events of a server to HTTP receivers, such as a chat or a paging service. Each message is signed and
// retried with growing pauses; docs/webhooks.md describes it for the authors of receivers. Queues are bounded and live in memory.
//
//	list, err := webhook.Load("webhooks.toml")
//	s := webhook.NewSender("Truestep Vale", list, log)
//	s.Send(webhook.Event{Kind: webhook.DoorClosed, State: webhook.Firing, Subject: "rs", Text: "the door rs closed"})
//	s.Close(ctx) // sends what is queued until ctx ends
//
// Send never blocks. A Sender has one goroutine per receiver, so a slow receiver delays no other. What is worth an event is the
// caller's decision.
package webhook
