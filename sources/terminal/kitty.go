package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
)

// kitty speaks its remote control protocol over the socket that KITTY_LISTEN_ON names:
// `kitty @` says the same, and takes a second to start. It needs allow_remote_control
// and listen_on in kitty.conf.
type kitty struct{ socket string }

// kittyVersion is that of the protocol: any kitty that is not older answers.
var kittyVersion = []int{0, 14, 2}

const (
	kittyBegin = "\x1bP@kitty-cmd"
	kittyEnd   = "\x1b\\"
)

// ask sends a command and returns what it gave back.
func (k kitty) ask(ctx context.Context, command string, payload any) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := new(net.Dialer).DialContext(ctx, "unix", k.socket)
	if err != nil {
		return "", err
	}
	defer c.Close()
	until, _ := ctx.Deadline()
	_ = c.SetDeadline(until) // a socket that takes none fails when it is read
	text, err := json.Marshal(map[string]any{"cmd": command, "version": kittyVersion, "no_response": false, "payload": payload})
	if err != nil {
		return "", err
	}
	if _, err := io.WriteString(c, kittyBegin+string(text)+kittyEnd); err != nil {
		return "", err
	}
	answer, err := upTo(c, kittyEnd)
	if err != nil {
		return "", err
	}
	var says struct {
		OK    bool   `json:"ok"`
		Data  string `json:"data"`
		Error string `json:"error"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(answer, []byte(kittyBegin)), &says); err != nil {
		return "", fmt.Errorf("its answer makes no sense: %w", err)
	}
	if !says.OK {
		return "", errors.New(says.Error)
	}
	return says.Data, nil
}

// upTo reads until what comes ends with end, which is left out.
func upTo(r io.Reader, end string) ([]byte, error) {
	var all bytes.Buffer
	room := make([]byte, 32<<10)
	for all.Len() < most {
		n, err := r.Read(room)
		all.Write(room[:n])
		if text, ended := bytes.CutSuffix(all.Bytes(), []byte(end)); ended {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, errors.New("too much output")
}

// kittyScreen is one window of the desktop, as kitty lists it.
type kittyScreen struct {
	Focused bool   `json:"is_focused"`
	Window  uint64 `json:"platform_window_id"`
	Tabs    []struct {
		Active  bool `json:"is_active_tab"`
		Focused bool `json:"is_focused"`
		Windows []struct {
			ID         int  `json:"id"`
			PID        int  `json:"pid"`
			Active     bool `json:"is_active_window"`
			Focused    bool `json:"is_focused"`
			Foreground []struct {
				PID int `json:"pid"`
			} `json:"foreground_processes"`
		} `json:"windows"`
	} `json:"tabs"`
}

// kittySpot is where kitty shows a pane.
type kittySpot struct {
	id    int
	shown bool
	outer uint64
}

// kittyWhere finds the window of p by its process: the number that p knows may be that
// of another kitty.
func kittyWhere(screens []kittyScreen, p Pane) (at kittySpot, ok bool) {
	for _, s := range screens {
		for _, tab := range s.Tabs {
			for _, w := range tab.Windows {
				mine := p.under(w.PID)
				for _, f := range w.Foreground {
					mine = mine || f.PID == p.PID
				}
				if mine {
					return kittySpot{w.ID, s.Focused && tab.Focused && w.Focused, s.Window}, true
				}
			}
		}
	}
	return at, false
}

func findKitty(ctx context.Context, _ *Terminals, p Pane) (spot, error) {
	path, unix := strings.CutPrefix(p.variable("KITTY_LISTEN_ON"), "unix:")
	if !unix {
		return spot{}, blocked("its kitty takes no commands from here: set listen_on to a unix socket in kitty.conf")
	}
	k := kitty{path}
	text, err := k.ask(ctx, "ls", struct{}{})
	if err != nil {
		return spot{}, fmt.Errorf("its kitty does not answer, set allow_remote_control in kitty.conf: %w", err)
	}
	var screens []kittyScreen
	if err := json.Unmarshal([]byte(text), &screens); err != nil {
		return spot{}, fmt.Errorf("its kitty answers what makes no sense, go there yourself: %w", err)
	}
	at, ok := kittyWhere(screens, p)
	if !ok {
		return spot{}, blocked("no window of its kitty has the session any more: look for it yourself")
	}
	bring := func(ctx context.Context) (*Pane, error) {
		if _, err := k.ask(ctx, "focus-window", map[string]string{"match": fmt.Sprintf("id:%d", at.id)}); err != nil {
			return nil, fmt.Errorf("its kitty did not go there, go there yourself: %w", err)
		}
		p.told, p.window = true, at.outer
		return &p, nil
	}
	return spot{shown: at.shown, whole: true, bring: bring}, nil
}
