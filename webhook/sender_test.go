package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var closedDoor = Event{Kind: DoorClosed, State: Firing, Subject: "rs", Text: "the door rs closed"}

func decode(t *testing.T, r request) (e Event) {
	t.Helper()
	if err := json.Unmarshal(r.body, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// offsets returns the times of the requests relative to the first request.
func offsets(list []request) (after []time.Duration) {
	for _, r := range list {
		after = append(after, r.at.Sub(list[0].at))
	}
	return after
}

func TestEventIsRetriedWithBackoffUntilAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, func(n int, w http.ResponseWriter, _ *http.Request) {
			if n < 4 {
				w.WriteHeader([]int{500, 503, 408, 502}[n])
			}
		})
		defer x.Close()
		s, log := x.send(nil)
		if !s.Send(closedDoor) {
			t.Error("the event is not queued")
		}
		time.Sleep(time.Hour)
		list := x.requests()
		if got, want := offsets(list), []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second, 15 * time.Second}; !slices.Equal(got, want) {
			t.Errorf("attempts after %v, want %v", got, want)
		}
		first := decode(t, list[0])
		if first.ID == "" || first.World != "Vale" || first.Kind != DoorClosed || first.State != Firing || first.Subject != "rs" || first.Text != closedDoor.Text || !first.Time.Equal(list[0].at.Truncate(time.Millisecond)) {
			t.Errorf("%+v", first)
		}
		for _, r := range list[1:] {
			if string(r.body) != string(list[0].body) || r.header.Get(HeaderEvent) != "door_closed" {
				t.Errorf("an attempt has the body %s", r.body)
			}
		}
		if last := list[len(list)-1]; last.header.Get(HeaderTimestamp) != formatTimestamp(last.at) {
			t.Errorf("timestamp %s of an attempt at %v", last.header.Get(HeaderTimestamp), last.at)
		}
		if log.Count("retrying") != 1 || log.Count("accepts events again") != 1 {
			t.Errorf("log:\n%s", log)
		}
		closeNow(s)
	})
}

func TestSenderWaitsForRetryAfterOfReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, func(n int, w http.ResponseWriter, _ *http.Request) {
			if n < 2 {
				w.Header().Set("Retry-After", []string{"17", "65000"}[n])
				w.WriteHeader(http.StatusTooManyRequests)
			}
		})
		defer x.Close()
		s, _ := x.send(nil)
		s.Send(closedDoor)
		time.Sleep(time.Hour)
		if got, want := offsets(x.requests()), []time.Duration{0, 17 * time.Second, 17*time.Second + longPause}; !slices.Equal(got, want) {
			t.Errorf("attempts after %v, want %v", got, want)
		}
		closeNow(s)
	})
}

func TestUndeliveredEventIsDroppedAfterOneHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
		defer x.Close()
		s, log := x.send(nil)
		s.Send(closedDoor)
		time.Sleep(3 * time.Hour)
		list := x.requests()
		if last := offsets(list)[len(list)-1]; last > giveUpAfter || last < giveUpAfter-longPause || len(list) > 25 {
			t.Errorf("%d attempts, the last after %v", len(list), last)
		}
		if log.Count("could not be delivered") != 1 {
			t.Errorf("log:\n%s", log)
		}
		if waiting, missed := s.Stats(); waiting != 0 || missed != 1 {
			t.Errorf("%d events wait, %d missed", waiting, missed)
		}
		closeNow(s)
	})
}

func TestRefusedAndRedirectedEventsAreNotRetried(t *testing.T) {
	for _, status := range []int{301, 302, 307, 308, 400, 401, 404, 410} {
		synctest.Test(t, func(t *testing.T) {
			x := newTestReceiver(t, false, func(n int, w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/hook" {
					t.Errorf("the redirect is followed to %s", r.URL)
				}
				if n == 0 {
					w.Header().Set("Location", "/elsewhere")
					w.WriteHeader(status)
				}
			})
			defer x.Close()
			s, log := x.send(nil)
			s.Send(closedDoor)
			time.Sleep(2 * time.Hour)
			s.Send(Event{Kind: ServerDown})
			time.Sleep(time.Minute)
			list := x.requests()
			if len(list) != 2 || decode(t, list[1]).Kind != ServerDown {
				t.Errorf("%d: %d requests", status, len(list))
			}
			if log.Count("could not be delivered", fmt.Sprint(status)) != 1 || strings.Contains(log.String(), "redirects are not followed") != (status < 400) {
				t.Errorf("log:\n%s", log)
			}
			closeNow(s)
		})
	}
}

func TestEventIsRetriedAfterResponseTimeout(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter, r *http.Request){
		"no answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"body without end": func(w http.ResponseWriter, r *http.Request) { // the status of the response accepts the event
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, ".")
				w.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(time.Second):
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := newTestReceiver(t, false, func(n int, w http.ResponseWriter, r *http.Request) {
					if n == 0 {
						answer(w, r)
					}
				})
				defer x.Close()
				s, _ := x.send(nil)
				s.Send(closedDoor)
				s.Send(Event{Kind: ServerDown})
				time.Sleep(time.Minute)
				list := x.requests()
				want := []time.Duration{0, sendTimeout + firstPause, sendTimeout + firstPause}
				if name == "body without end" {
					want = []time.Duration{0, sendTimeout}
				}
				if got := offsets(list); !slices.Equal(got, want) {
					t.Errorf("requests after %v, want %v", got, want)
				}
				closeNow(s)
			})
		})
	}
}

func TestEventIsNotSentToReceiverWithUntrustedCertificate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, true, nil)
		defer x.Close()
		s, log := x.send(nil)
		s.Send(closedDoor)
		time.Sleep(500 * time.Millisecond)
		if len(x.requests()) != 0 || log.Count("certificate signed by unknown authority") != 1 {
			t.Errorf("%d requests, log:\n%s", len(x.requests()), log)
		}
		if strings.Contains(log.String(), "/hook") {
			t.Errorf("the log has the address:\n%s", log)
		}
		closeNow(s)

		x.client.Transport.(*http.Transport).TLSClientConfig.RootCAs.AddCert(x.Certificate())
		s, log = x.send(nil)
		s.Send(closedDoor)
		synctest.Wait()
		if len(x.requests()) != 1 || log.String() != "" {
			t.Errorf("%d requests, log:\n%s", len(x.requests()), log)
		}
		closeNow(s)
	})
}

func TestReceiverGetsOnlyEventKindsInItsConfiguration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, nil)
		defer x.Close()
		s, _ := x.send(func(r *Receiver) { r.Events = []Kind{ServerDown, WriteFailed} })
		for _, k := range append(slices.Clone(Kinds), Test) {
			s.Send(Event{Kind: k})
		}
		synctest.Wait()
		var got []Kind
		for _, r := range x.requests() {
			got = append(got, decode(t, r).Kind)
		}
		if want := []Kind{ServerDown, WriteFailed, Test}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		closeNow(s)
	})
}

func TestRepeatedEventIsSentOncePerTenMinutesWithNumberOfSkippedEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, nil)
		defer x.Close()
		s, _ := x.send(nil)
		over := closedDoor
		over.State = Resolved
		results := []bool{s.Send(closedDoor), s.Send(closedDoor), s.Ready(DoorClosed, Firing, "rs"), s.Ready(DoorClosed, Firing, "web"), s.Send(over), s.Send(over)}
		time.Sleep(quietTime - time.Second)
		results = append(results, s.Send(closedDoor))
		time.Sleep(time.Second)
		results = append(results, s.Ready(DoorClosed, Firing, "rs"), s.Send(closedDoor))
		if want := []bool{true, false, false, true, true, true, false, true, true}; !slices.Equal(results, want) {
			t.Errorf("%v, want %v", results, want)
		}
		synctest.Wait()
		var skipped []int
		for _, r := range x.requests() {
			skipped = append(skipped, decode(t, r).Skipped)
		}
		if want := []int{0, 1, 0, 1}; !slices.Equal(skipped, want) {
			t.Errorf("skipped %v, want %v", skipped, want)
		}
		closeNow(s)
	})
}

func TestRateLimitOfEventKindDoesNotAffectOtherKinds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, nil)
		defer x.Close()
		s, _ := x.send(nil)
		sent := 0
		for i := range 3600 { // an event about another player every second for an hour
			if s.Send(Event{Kind: Suspicious, Subject: fmt.Sprint(i)}) {
				sent++
			}
			time.Sleep(time.Second)
		}
		if sent < burst+59 || sent > burst+60 {
			t.Errorf("%d events were sent", sent)
		}
		if !s.Send(closedDoor) {
			t.Error("an event of another kind was refused")
		}
		if len(s.limiter.last) > maxSubjects {
			t.Errorf("%d subjects are remembered", len(s.limiter.last))
		}
		closeNow(s)
	})
}

func TestFullQueueDropsEventsAndNeverBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		x := newTestReceiver(t, false, func(n int, _ http.ResponseWriter, _ *http.Request) {
			if n == 0 {
				<-open
			}
		})
		defer x.Close()
		s, log := x.send(nil)
		resolved := closedDoor
		resolved.State = Resolved // is not limited
		began := time.Now()
		s.Send(resolved)
		synctest.Wait() // it is being sent
		for range queueLength + 7 {
			s.Send(resolved)
		}
		if time.Since(began) != 0 {
			t.Errorf("Send took %v", time.Since(began))
		}
		if waiting, missed := s.Stats(); waiting != 1+queueLength || missed != 7 {
			t.Errorf("%d events wait, %d missed", waiting, missed)
		}
		close(open)
		synctest.Wait()
		s.Send(resolved)
		synctest.Wait()
		if n := len(x.requests()); n != 1+queueLength+1 {
			t.Errorf("%d requests", n)
		}
		if log.Count("queue of a receiver is full") != 1 || log.Count("were dropped", "events=7") != 1 {
			t.Errorf("log:\n%s", log)
		}
		closeNow(s)
	})
}

func TestHangingReceiverDoesNotDelayOtherReceivers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, func(_ int, _ http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				<-r.Context().Done()
			}
		})
		defer x.Close()
		s, _ := x.send(nil)
		closeNow(s)
		s = newSender("Vale", []Receiver{{Name: "slow", URL: x.URL + "/slow", Format: JSON}, {Name: "fast", URL: x.URL + "/hook", Format: JSON}}, s.log, x.client)
		for i := range 5 {
			s.Send(Event{Kind: DoorClosed, Subject: fmt.Sprint(i)})
		}
		synctest.Wait()
		if n := len(x.requests()); n != 6 {
			t.Errorf("%d requests, want 1 and 5", n)
		}
		closeNow(s)
	})
}

func TestSenderCloseRetriesEachQueuedEventOnceAndLogsNumberOfLostEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		broken.Store(true)
		x := newTestReceiver(t, false, func(_ int, w http.ResponseWriter, _ *http.Request) {
			if broken.Load() {
				w.WriteHeader(500)
			}
		})
		defer x.Close()
		s, _ := x.send(nil)
		s.Send(closedDoor)
		time.Sleep(100 * time.Second) // the pause is 64 s now
		before := len(x.requests())
		s.Send(Event{Kind: ServerDown})
		broken.Store(false)
		began := time.Now()
		closeNow(s)
		if n := len(x.requests()) - before; n != 2 || time.Since(began) != 0 {
			t.Errorf("%d attempts in %v", n, time.Since(began))
		}
		if s.Send(Event{Kind: ServerUp}) || s.Ready(ServerUp, Info, "") {
			t.Error("a closed sender accepts events")
		}

		broken.Store(true)
		s, log := x.send(nil)
		s.Send(closedDoor)
		s.Send(Event{Kind: ServerDown})
		closeNow(s)
		if log.Count("were not delivered before the stop", "events=2") != 1 {
			t.Errorf("log:\n%s", log)
		}
	})
}

func TestSenderCloseReturnsAtEndOfContextWhileReceiverHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		defer x.Close()
		s, log := x.send(nil)
		for i := range 3 {
			s.Send(Event{Kind: DoorClosed, Subject: fmt.Sprint(i)})
		}
		ctx, cancel := context.WithTimeout(t.Context(), 800*time.Millisecond)
		defer cancel()
		began := time.Now()
		s.Close(ctx)
		if took := time.Since(began); took != 800*time.Millisecond || log.Count("were not delivered before the stop", "events=3") != 1 {
			t.Errorf("Close took %v, log:\n%s", took, log)
		}
	})
}

func TestNilSenderSendsNothing(t *testing.T) {
	var s *Sender
	if s.Send(closedDoor) || s.Ready(DoorClosed, Firing, "rs") {
		t.Error("a nil sender accepts events")
	}
	if waiting, missed := s.Stats(); waiting != 0 || missed != 0 {
		t.Errorf("of a nil sender %d events wait, %d missed", waiting, missed)
	}
	s.Close(t.Context())
}
