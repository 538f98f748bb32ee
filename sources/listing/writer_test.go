package listing

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// inside tells the test program that it is the CLI, and which database it has open.
const inside = "LISTING_TEST_DATABASE"

// TestMain lets the test program be the CLI whose database is read: SQLite shares what it
// has open between all users of one process.
func TestMain(m *testing.M) {
	if file := os.Getenv(inside); file != "" {
		serve(file)
		return
	}
	os.Exit(m.Run())
}

type order struct {
	Query string
	Args  []any
}

// serve runs queries, one a line, and answers each with what is wrong with it.
func serve(file string) {
	db, err := sql.Open("sqlite", uri(file)+"?_pragma=busy_timeout(0)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(1)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var o order
		err := json.Unmarshal(in.Bytes(), &o)
		if err == nil {
			_, err = db.Exec(o.Query, o.Args...)
		}
		fmt.Printf("%q\n", fmt.Sprint(err))
	}
	_ = db.Close()
	fmt.Println("closed")
}

// writer is a process that has a database open.
type writer struct {
	t     *testing.T
	run   *exec.Cmd
	in    *json.Encoder
	out   *bufio.Scanner
	close func()
}

func newWriter(t *testing.T, file string) *writer {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{t: t, run: exec.Command(self)}
	w.run.Env = append(os.Environ(), inside+"="+file)
	w.run.Stderr = os.Stderr
	in, err := w.run.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.run.Start(); err != nil {
		t.Fatal(err)
	}
	w.in, w.out = json.NewEncoder(in), bufio.NewScanner(out)
	closed := false
	w.close = func() {
		if closed {
			return
		}
		closed = true
		_ = in.Close()
		for w.out.Scan() { // until it has closed the database
		}
		_ = w.run.Wait()
	}
	t.Cleanup(w.close)
	return w
}

func (w *writer) exec(query string, args ...any) {
	w.t.Helper()
	if err := w.in.Encode(order{query, args}); err != nil {
		w.t.Fatal(err)
	}
	if !w.out.Scan() {
		w.t.Fatalf("%s: the writer is gone", query)
	}
	if got := w.out.Text(); got != `"<nil>"` {
		w.t.Fatalf("%s: %s", query, got)
	}
}

// kill ends the process as kill -9 does.
func (w *writer) kill() {
	_ = w.run.Process.Kill()
	w.close()
}
