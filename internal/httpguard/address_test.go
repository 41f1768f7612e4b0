package httpguard

import (
	"net"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/replies"
)

func TestAddresses(t *testing.T) {
	var config net.ListenConfig
	used, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	for address, want := range map[string]string{
		"127.0.0.1:0":           "",
		"localhost:0":           "",
		":8080":                 "names no host",
		":0":                    "names no host",
		"8080":                  "is not HOST:PORT",
		"127.0.0.1":             "is not HOST:PORT",
		"":                      "is not HOST:PORT",
		"::1:8080":              "is not HOST:PORT",
		"http://127.0.0.1:8080": "is not HOST:PORT",
		"0.0.0.0:0":             "can be reached from other machines",
		"[::]:0":                "can be reached from other machines",
		"192.0.2.1:0":           "--allow-remote",
		"nowhere.invalid:0":     "not known here",
		"127.0.0.1:99999":       "can't be opened",
		"127.0.0.1:":            "", // any port
		used.Addr().String():    "can't be opened: bind: address already in use; take another port, or 127.0.0.1:0 for any that is free",
	} {
		l, err := Listen(t.Context(), address, false)
		if err == nil {
			_ = l.Close()
		}
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || replies.AsError(err).Code != replies.CodeInvalidArgument) {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
	l, err := Listen(t.Context(), "0.0.0.0:0", true)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
}
