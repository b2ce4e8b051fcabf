package pgtest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestMain runs the tests. If the environment variable PGTEST_WAIT is set, it only starts a server and waits to be killed.
func TestMain(m *testing.M) {
	if os.Getenv("PGTEST_WAIT") != "" {
		s, err := Start()
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(s.folder, s.Addr())
		select {}
	}
	os.Exit(m.Run())
}

func TestPostgreSQLServerIsStoppedAndRemovedAfterTestBinaryIsKilled(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PGTEST_WAIT=1")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	folder, addr, ok := strings.Cut(strings.TrimSpace(line), " ")
	if !ok {
		t.Fatalf("the process says %q", line)
	}
	s := &Server{folder: folder}
	if _, err := fmt.Sscanf(addr, "127.0.0.1:%d", &s.port); err != nil {
		t.Fatal(err)
	}
	// connect returns an error unless the server of the folder answers. A server of another process may use the same port and password later.
	connect := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
		defer cancel()
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		var data string
		err = conn.QueryRow(ctx, `SHOW data_directory`).Scan(&data)
		if want := s.data(); err == nil && data != want {
			err = fmt.Errorf("the server has the data folder %s, want %s", data, want)
		}
		return err
	}
	if err := connect(); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		_, statErr := os.Stat(folder)
		if os.IsNotExist(statErr) && connect() != nil {
			return
		}
		if time.Since(began) > startTimeout {
			t.Fatalf("the folder of the server: %v; a connection: %v", statErr, connect())
		}
	}
}

func TestCommittedRowsSurviveKillAndRelaunchOfPostgreSQLServer(t *testing.T) {
	s := Shared(t)
	s.Exec(t, "postgres", "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)")
	s.Kill()
	if err := s.Launch(); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, "postgres", "DO $$ BEGIN IF (SELECT count(*) FROM kept) <> 1 THEN RAISE 'the row is gone'; END IF; END $$")
}
