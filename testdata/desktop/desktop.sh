#!/usr/bin/env bash
# Headless Linux desktop for tests: Xvfb + private D-Bus session bus + openbox
# + xfce4-panel (StatusNotifier host, draws tray icons) + dunst (notifications).
#
#   desktop.sh start [--host xfce|lxqt] [--no-panel] [--no-notify|--xfce-notify]
#                    [--light] [--size 1280x800] [--scale N]
#   desktop.sh run CMD...        run CMD inside the desktop (env set)
#   desktop.sh bg NAME CMD...    the same in the background; end NAME, log NAME
#   desktop.sh env               print the environment as KEY=VALUE lines
#   desktop.sh shot OUT.png [GEOM]   screenshot (optional crop, e.g. 400x120+880+0)
#   desktop.sh items             list registered StatusNotifier items
#   desktop.sh wait-item [SEC]   wait until one is registered
#   desktop.sh icon              print "X Y" of the centre of the first tray icon
#   desktop.sh click X Y [BTN]   move + click (BTN 1 left, 2 middle, 3 right)
#   desktop.sh tray [BTN]        click the first tray icon
#   desktop.sh key KEYSYM...     send keys
#   desktop.sh stop-panel | start-panel | stop-notify | start-notify
#   desktop.sh notify-history    JSON history of popups (dunst)
#   desktop.sh stop
#
# State lives in $DESKTOP_DIR (default: $TMPDIR/headless-desktop). Nothing
# outside it is written; only processes recorded there are ended.
set -euo pipefail
D=${DESKTOP_DIR:-${TMPDIR:-/tmp}/headless-desktop}
die() { echo "desktop.sh: $*" >&2; exit 1; }
now() { date +%s%3N; }

load() { [ -f "$D/env" ] || die "not running (no $D/env)"; set -a; . "$D/env"; set +a; }

spawn() { # name cmd...   start in own session, record pid
  local n=$1; shift
  setsid "$@" >"$D/log/$n.log" 2>&1 </dev/null &
  echo $! >"$D/pid/$n"
}
gone() { # pid   ended, reaped or not
  ! kill -0 "$1" 2>/dev/null || grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null
}
endproc() { # name
  local p; [ -f "$D/pid/$1" ] || return 0
  p=$(cat "$D/pid/$1"); rm -f "$D/pid/$1"
  kill -TERM -- "-$p" 2>/dev/null || kill -TERM "$p" 2>/dev/null || true
  for _ in $(seq 20); do if gone "$p"; then return 0; fi; sleep 0.05; done
  kill -KILL -- "-$p" 2>/dev/null || true
}
wait_name() { # bus-name seconds
  local t=$(( $(now) + $2*1000 ))
  while [ "$(now)" -lt "$t" ]; do
    if dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner "string:$1" 2>/dev/null | grep -q 'boolean true'; then return 0; fi
    sleep 0.05
  done
  return 1
}

write_config() {
  local c=$D/home/.config
  mkdir -p "$c/xfce4/xfconf/xfce-perchannel-xml" "$c/dunst" "$c/openbox"
  cat >"$c/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml" <<X
<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="dark-mode" type="bool" value="$DARK"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="28"/>
      <property name="icon-size" type="uint" value="0"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
        <value type="int" value="2"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator">
      <property name="expand" type="bool" value="true"/>
      <property name="style" type="uint" value="0"/>
    </property>
    <property name="plugin-2" type="string" value="systray">
      <property name="square-icons" type="bool" value="false"/>
      <property name="menu-is-primary" type="bool" value="${MENU_PRIMARY:-false}"/>
    </property>
  </property>
</channel>
X
  cat >"$c/xfce4/xfconf/xfce-perchannel-xml/xsettings.xml" <<X
<?xml version="1.0" encoding="UTF-8"?>
<channel name="xsettings" version="1.0">
  <property name="Net" type="empty">
    <property name="ThemeName" type="string" value="Adwaita"/>
    <property name="IconThemeName" type="string" value="Adwaita"/>
  </property>
</channel>
X
  mkdir -p "$c/lxqt"; cat >"$c/lxqt/panel.conf" <<X
[General]
__userfile__=true
panels=panel1
[panel1]
plugins=spacer,statusnotifier
position=Top
width=100
width-percent=true
panelSize=28
iconSize=22
background-color=$([ "$DARK" = true ] && echo '#20242b' || echo '#f0f0f0')
[spacer]
type=spacer
size=$((${size%x*} / scale - 180))
[statusnotifier]
type=statusnotifier
alignment=Right
X
  cat >"$c/dunst/dunstrc" <<'X'
[global]
    monitor = 0
    origin = top-right
    offset = 12x40
    width = 340
    height = 300
    font = DejaVu Sans 10
    markup = full
    format = "<b>%s</b>\n%b"
    show_age_threshold = -1
    idle_threshold = 0
    history_length = 200
    sticky_history = yes
    notification_limit = 8
    icon_position = left
    max_icon_size = 48
    mouse_left_click = do_action, close_current
    mouse_middle_click = close_current
    mouse_right_click = close_all
    show_indicators = yes
    ignore_dbusclose = false
[urgency_low]
    background = "#22303c"
    foreground = "#c8d3dd"
    timeout = 5
[urgency_normal]
    background = "#22303c"
    foreground = "#ffffff"
    timeout = 10
[urgency_critical]
    background = "#5a1d1d"
    foreground = "#ffffff"
    frame_color = "#ff5555"
    timeout = 0
X
}

start_panel() {
  for _ in 1 2 3; do
    case ${TRAY_HOST:-xfce} in
      xfce) spawn panel xfce4-panel --disable-wm-check;;
      lxqt) spawn panel lxqt-panel;;
    esac
    wait_name org.kde.StatusNotifierWatcher 8 || die "panel: no StatusNotifierWatcher, see $D/log/panel.log"
    for _ in $(seq 60); do # lxqt-panel now and then forgets to map its window
      if xdotool search --onlyvisible --class "${TRAY_HOST:-xfce}.*-panel" >/dev/null 2>&1; then return 0; fi
      sleep 0.05
    done
    endproc panel
  done
  die "panel: it is not to be seen, see $D/log/panel.log"
}
start_notify() {
  case ${NOTIFY:-dunst} in
    dunst) spawn dunst dunst -config "$HOME/.config/dunst/dunstrc";;
    xfce)  spawn dunst "$(ls /usr/lib/*/xfce4/notifyd/xfce4-notifyd | head -1)";;
  esac
  wait_name org.freedesktop.Notifications 5 || die "notification daemon did not start, see $D/log/dunst.log"
}

cmd_start() {
  local panel=1 notify=1 size=1280x800 scale=1; DARK=true
  while [ $# -gt 0 ]; do case $1 in
    --no-panel) panel=0;; --no-notify) notify=0;; --xfce-notify) export NOTIFY=xfce;; --dark) DARK=true;; --light) DARK=false;;
    --host) export TRAY_HOST=$2; shift;; --size) size=$2; shift;; --scale) scale=$2; shift;;
    *) die "unknown option $1";; esac; shift; done
  [ ! -f "$D/env" ] || die "already running ($D)"
  local t0; t0=$(now)
  rm -rf "$D"; mkdir -p "$D"/{pid,log,home,run}; chmod 700 "$D/run"
  # X: let the server choose a free display number
  exec 7>"$D/display"
  setsid Xvfb -displayfd 7 -screen 0 "${size}x24" -nolisten tcp -noreset >"$D/log/xvfb.log" 2>&1 </dev/null &
  echo $! >"$D/pid/xvfb"; exec 7>&-
  for _ in $(seq 100); do [ -s "$D/display" ] && break; sleep 0.05; done
  [ -s "$D/display" ] || die "Xvfb did not start"
  # private session bus, kept alive by a sleeping child. Only the services
  # named here can be activated, so "no notification daemon" is really none.
  mkdir -p "$D/services"
  for n in org.xfce.Xfconf ${DESKTOP_SERVICES:-}; do cp "/usr/share/dbus-1/services/$n.service" "$D/services/" || die "no service file $n"; done
  cat >"$D/bus.conf" <<X
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type><listen>unix:tmpdir=$D/run</listen><auth>EXTERNAL</auth>
  <servicedir>$D/services</servicedir>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
  <limit name="max_match_rules_per_connection">50000</limit><limit name="max_replies_per_connection">50000</limit>
</busconfig>
X
  mkfifo "$D/busaddr"
  setsid env -i PATH="$PATH" HOME="$D/home" XDG_RUNTIME_DIR="$D/run" DISPLAY=":$(cat "$D/display")" \
    XDG_CONFIG_HOME="$D/home/.config" XDG_CACHE_HOME="$D/home/.cache" XDG_DATA_HOME="$D/home/.local/share" XDG_STATE_HOME="$D/home/.local/state" \
    LANG=C.UTF-8 GDK_BACKEND=x11 GTK_A11Y=none NO_AT_BRIDGE=1 GDK_SCALE="$scale" QT_SCALE_FACTOR="$scale" XDG_CURRENT_DESKTOP=XFCE \
    dbus-run-session --config-file="$D/bus.conf" -- sh -c 'echo "$DBUS_SESSION_BUS_ADDRESS" >"$1"; exec sleep infinity' _ "$D/busaddr" >"$D/log/bus.log" 2>&1 </dev/null &
  echo $! >"$D/pid/bus"
  local bus; read -r bus <"$D/busaddr"; rm -f "$D/busaddr"
  cat >"$D/env" <<X
DISPLAY=:$(cat "$D/display")
DBUS_SESSION_BUS_ADDRESS='$bus'
HOME='$D/home'
XDG_RUNTIME_DIR='$D/run'
XDG_CONFIG_HOME='$D/home/.config'
XDG_CACHE_HOME='$D/home/.cache'
XDG_DATA_HOME='$D/home/.local/share'
XDG_STATE_HOME='$D/home/.local/state'
XDG_CURRENT_DESKTOP=XFCE
LANG=C.UTF-8
GDK_BACKEND=x11
GDK_SCALE=$scale
QT_SCALE_FACTOR=$scale
NO_AT_BRIDGE=1
GTK_A11Y=none
NOTIFY=${NOTIFY:-dunst}
TRAY_HOST=${TRAY_HOST:-xfce}
X
  load; mkdir -p "$HOME"; write_config
  spawn wm openbox
  # a panel that is there before its window manager may stay unmapped
  for _ in $(seq 100); do xdotool get_num_desktops >/dev/null 2>&1 && break; sleep 0.02; done
  xsetroot -solid '#3a6ea5' 2>/dev/null || true
  if [ $notify = 1 ]; then start_notify; fi
  if [ $panel = 1 ]; then start_panel; fi
  echo "started in $(( $(now) - t0 )) ms on $DISPLAY"
}

cmd_stop() {
  [ -d "$D/pid" ] || return 0
  local n; for n in panel dunst wm; do endproc $n; done
  for f in "$D"/pid/*; do [ -e "$f" ] || continue; n=${f##*/}; case $n in bus|xvfb) ;; *) endproc "$n";; esac; done
  endproc bus; endproc xvfb; rm -f "$D/env"
}

sni_prop() { # service path prop
  gdbus call --session --dest "$1" --object-path "$2" --method org.freedesktop.DBus.Properties.Get org.kde.StatusNotifierItem "$3" 2>/dev/null
}

case ${1:-} in
  start) shift; cmd_start "$@";;
  stop) cmd_stop;;
  env) load; cat "$D/env";;
  run) load; shift; exec "$@";;
  bg) load; n=$2; shift 2; spawn "$n" "$@"; cat "$D/pid/$n";;
  end) endproc "$2";;
  log) cat "$D/log/$2.log";;
  shot) load; import -window root ${3:+-crop "$3" +repage} "$2";;
  wait-item) load # wait until a tray item is registered (default 5 s)
    for _ in $(seq $(( ${2:-5} * 20 ))); do "$0" items | grep -q StatusNotifierItem && exit 0; sleep 0.05; done; exit 1;;
  items) load; gdbus call --session --dest org.kde.StatusNotifierWatcher --object-path /StatusNotifierWatcher --method org.freedesktop.DBus.Properties.Get org.kde.StatusNotifierWatcher RegisteredStatusNotifierItems;;
  icon) load
    # the panel is one X window across the top; its icons are packed at the right edge
    w=$(xdotool search --onlyvisible --class "${TRAY_HOST}.*-panel" | head -1); eval "$(xdotool getwindowgeometry --shell "$w")"
    echo "$((X+WIDTH-14*GDK_SCALE)) $((Y+HEIGHT/2))";;
  click) load; xdotool mousemove "$2" "$3" sleep 0.05 click "${4:-1}";;
  move) load; xdotool mousemove "$2" "$3";;
  tray) load; read -r x y <<<"$("$0" icon)"; xdotool mousemove "$x" "$y" sleep 0.1 click "${2:-1}";;
  key) load; shift; xdotool key "$@";;
  stop-panel) load; endproc panel;;
  start-panel) load; start_panel;;
  stop-notify) load; endproc dunst;;
  start-notify) load; start_notify;;
  notify-history) load; dunstctl history;;
  *) sed -n '2,/^# State/p' "$0"; exit 2;;
esac
