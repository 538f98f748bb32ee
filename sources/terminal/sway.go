package terminal

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// The messages of sway's protocol that are used, see sway-ipc(7).
const (
	swayMagic   = "i3-ipc"
	swayCommand = 0
	swayTree    = 4
)

// swayAsk sends a message to the socket and returns what it gave back.
func swayAsk(ctx context.Context, socket string, kind uint32, payload string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	until, ok := ctx.Deadline()
	if !ok {
		until = time.Now()
	}
	_ = c.SetDeadline(until) // a socket that takes none fails when it is read
	text := []byte(swayMagic)
	text = binary.NativeEndian.AppendUint32(text, uint32(len(payload)))
	text = binary.NativeEndian.AppendUint32(text, kind)
	if _, err := c.Write(append(text, payload...)); err != nil {
		return nil, err
	}
	head := make([]byte, len(swayMagic)+8)
	if _, err := io.ReadFull(c, head); err != nil {
		return nil, err
	}
	size := binary.NativeEndian.Uint32(head[len(swayMagic):])
	if string(head[:len(swayMagic)]) != swayMagic || size > most {
		return nil, errors.New("its answer makes no sense")
	}
	answer := make([]byte, size)
	_, err = io.ReadFull(c, answer)
	return answer, err
}

// swayNode is a part of what sway shows. Those with a process are windows.
type swayNode struct {
	ID       uint64     `json:"id"`
	PID      int        `json:"pid"`
	Name     string     `json:"name"`
	Focused  bool       `json:"focused"`
	Nodes    []swayNode `json:"nodes"`
	Floating []swayNode `json:"floating_nodes"`
}

// into adds the windows below a node to a view.
func (n swayNode) into(v *view) {
	if n.PID != 0 {
		v.windows = append(v.windows, window{id: n.ID, pid: n.PID, title: n.Name})
		if n.Focused {
			v.active = n.ID
		}
	}
	for _, below := range [][]swayNode{n.Nodes, n.Floating} {
		for _, one := range below {
			one.into(v)
		}
	}
}

func swayLook(ctx context.Context, env func(string) string, _ Pane) (v view, err error) {
	text, err := swayAsk(ctx, env("SWAYSOCK"), swayTree, "")
	if err != nil {
		return v, err
	}
	var root swayNode
	if err := json.Unmarshal(text, &root); err != nil {
		return v, fmt.Errorf("its tree makes no sense: %w", err)
	}
	root.into(&v)
	return v, nil
}

func swayRaise(ctx context.Context, env func(string) string, id uint64) error {
	text, err := swayAsk(ctx, env("SWAYSOCK"), swayCommand, fmt.Sprintf("[con_id=%d] focus", id))
	if err != nil {
		return err
	}
	var did []struct {
		Success bool   `json:"success"`
		Error   string `json:"error"`
	}
	if err := json.Unmarshal(text, &did); err != nil {
		return fmt.Errorf("its answer makes no sense: %w", err)
	}
	for _, one := range did {
		if !one.Success {
			return errors.New(one.Error)
		}
	}
	return nil
}
