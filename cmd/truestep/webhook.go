package main

import (
	"context"
	"fmt"

	"github.com/truestep-io/truestep/webhook"
)

// webhookCmd groups the commands about webhooks.
type webhookCmd struct {
	Test webhookTestCmd `cmd:"" help:"Send a test message to every receiver, and print what each answers."`
}

// webhookTestCmd sends one test message to every receiver.
type webhookTestCmd struct {
	Webhooks string `help:"File of receivers, as for truestep serve." placeholder:"FILE" required:""`
}

// Help returns the text that is printed below the flags of the command.
func (webhookTestCmd) Help() string { return helpText("webhook-test") }

// Run sends the messages and prints a line for each receiver. The exit status is 1 if a receiver does not accept its message.
func (c *webhookTestCmd) Run(to std) error {
	list, err := webhook.Load(c.Webhooks)
	if err != nil {
		return usage(err)
	}
	failed := false
	webhook.Try(context.Background(), list, func(receiver string, err error) {
		result := "accepted"
		if err != nil {
			failed, result = true, err.Error()
		}
		fmt.Fprintf(to.out, "%s: %s\n", receiver, result)
	})
	if failed {
		return exitStatus(1)
	}
	return nil
}
