package listing

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"

	"deskbell/sources"
)

// view is a database as it is at one moment.
type view struct {
	ctx  context.Context
	db   *sql.DB
	conn *sql.Conn
	tx   *sql.Tx
}

// open looks at a database. While somebody has one open that writes ahead, the index of
// its log lies beside it, and is read as a file that we do not open for writing. Where
// there is none nobody has it open, and it is complete without: SQLite would make one.
func open(ctx context.Context, file string) (*view, error) {
	ahead, err := writesAhead(file)
	if err != nil {
		return nil, err
	}
	options := url.Values{"mode": {"ro"}, "readonly_shm": {"1"}, "_pragma": {"busy_timeout(0)", "query_only(1)", "cache_size(-1024)"}}
	if _, err := os.Stat(file + "-shm"); ahead && errors.Is(err, fs.ErrNotExist) {
		options.Set("immutable", "1")
	}
	db, err := sql.Open("sqlite", uri(file)+"?"+options.Encode())
	if err != nil {
		return nil, err
	}
	v := &view{ctx: ctx, db: db}
	if v.conn, err = db.Conn(ctx); err == nil {
		v.tx, err = v.conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	}
	if err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// writesAhead tells whether changes go to a log beside the database first: its header says
// so (sqlite.org/fileformat2.html, "file format version numbers").
func writesAhead(file string) (bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var head [20]byte
	n, err := io.ReadFull(f, head[:])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil // SQLite will say what that is
	}
	return n == len(head) && head[18] == 2, err
}

// uri names a file so that SQLite takes nothing in its name for an option.
func uri(file string) string {
	file = filepath.ToSlash(file)
	if !strings.HasPrefix(file, "/") { // C:/…
		file = "/" + file
	}
	return (&url.URL{Scheme: "file", Path: file}).String()
}

// Close lets go of the database.
func (v *view) Close() {
	if v.tx != nil {
		_ = v.tx.Rollback() // it has only read
	}
	if v.conn != nil {
		_ = v.conn.Close()
	}
	_ = v.db.Close()
}

// one reads the value of a single row; without a row it stays as it is.
func (v *view) one(query string, to any, args ...any) error {
	err := v.tx.QueryRowContext(v.ctx, query, args...).Scan(to)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// each calls do with the values of each row of a query.
func (v *view) each(query string, args []any, columns int, do func(values []any)) error {
	rows, err := v.tx.QueryContext(v.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		values, to := make([]any, columns), make([]any, columns)
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return err
		}
		for i := range values {
			if text, is := values[i].([]byte); is {
				values[i] = string(text)
			}
		}
		do(values)
	}
	return rows.Err()
}

// print tells whether a row is what it was.
func (t *table) print(r sources.Row) string {
	h := sha256.New()
	for _, name := range t.names {
		fmt.Fprintf(h, "%v\x00", r[name])
	}
	return string(h.Sum(nil))
}

// kind is what became of a look.
type kind int

const (
	fine    kind = iota
	gone         // the file is not there
	busy         // it could not be read now
	strange      // it is not what it should be
)

// SQLite's result codes, of which the lowest byte tells (sqlite.org/rescode.html).
const (
	codeError   = 1
	codeCorrupt = 11
	codeSchema  = 17
	codeNotADB  = 26
)

// judge tells what an error of a look means, and says it in words.
func (b *base) judge(err error) (kind, string) {
	var e *sqlite.Error
	switch {
	case err == nil:
		return fine, ""
	case errors.Is(err, fs.ErrNotExist):
		return gone, ""
	case !errors.As(err, &e):
	case e.Code()&0xff == codeError || e.Code()&0xff == codeSchema:
		return strange, fmt.Sprintf("%s: its layout is not that of %s (%v): what it says is left out, processes and hooks still tell; update deskbell", b.path, b.known, err)
	case e.Code()&0xff == codeCorrupt || e.Code()&0xff == codeNotADB:
		return strange, fmt.Sprintf("%s: it cannot be read (%v): what it says is left out until it can", b.path, err)
	}
	return busy, fmt.Sprintf("%s: it cannot be read at the moment (%v), and is tried again", b.path, err)
}
