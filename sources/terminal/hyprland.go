package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// hyprClient is a window, as `hyprctl -j clients` tells it.
type hyprClient struct {
	Address string `json:"address"`
	Mapped  bool   `json:"mapped"`
	PID     int    `json:"pid"`
	Title   string `json:"title"`
}

// hyprctl runs a command of Hyprland's own.
func hyprctl(ctx context.Context, env func(string) string, args ...string) (string, error) {
	return run(ctx, []string{"HYPRLAND_INSTANCE_SIGNATURE=" + env("HYPRLAND_INSTANCE_SIGNATURE")}, append([]string{"hyprctl"}, args...)...)
}

func hyprLook(ctx context.Context, env func(string) string, _ Pane) (view, error) {
	all, err := hyprctl(ctx, env, "-j", "clients")
	if err != nil {
		return view{}, err
	}
	active, err := hyprctl(ctx, env, "-j", "activewindow")
	if err != nil {
		return view{}, err
	}
	return readHypr(all, active)
}

// readHypr reads what hyprctl printed: all windows, and the active one, or {}.
func readHypr(all, active string) (v view, err error) {
	var clients []hyprClient
	var one hyprClient
	if err := errors.Join(json.Unmarshal([]byte(all), &clients), json.Unmarshal([]byte(active), &one)); err != nil {
		return v, fmt.Errorf("its answer makes no sense: %w", err)
	}
	for _, c := range clients {
		if id := address(c.Address); id != 0 && c.Mapped {
			v.windows = append(v.windows, window{id: id, pid: c.PID, title: c.Title})
		}
	}
	v.active = address(one.Address)
	return v, nil
}

// address is a window's address as a number; 0: none.
func address(text string) uint64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
	if err != nil {
		return 0
	}
	return n
}

func hyprRaise(ctx context.Context, env func(string) string, id uint64) error {
	says, err := hyprctl(ctx, env, "dispatch", "focuswindow", fmt.Sprintf("address:0x%x", id))
	if err != nil {
		return err
	}
	if says = strings.TrimSpace(says); says != "ok" {
		return errors.New(says)
	}
	return nil
}
