package httpguard

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/sectile/sectile/internal/replies"
)

// Listen opens the address. An address that others can reach is refused unless that is
// allowed: what is sent over the network is not encrypted.
func Listen(ctx context.Context, address string, allowRemote bool) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, addressError(address, "is not HOST:PORT")
	}
	if host == "" {
		return nil, addressError(address, "names no host, which means every network of this machine")
	}
	// The addresses of a name are looked up before anything is opened: a name may lead
	// anywhere.
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(addresses) == 0 {
		return nil, addressError(address, "names a host that is not known here")
	}
	for _, a := range addresses {
		if !a.Unmap().IsLoopback() && !allowRemote {
			return nil, addressError(address, "can be reached from other machines, and nothing that is sent is encrypted; "+
				"--allow-remote allows it, and a proxy before it should add TLS")
		}
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(addresses[0].String(), port))
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return nil, unopenedError(address, host, err)
	}
	return listener, nil
}

// unopenedError says why an address can't be opened, mostly because another program
// has the port.
func unopenedError(address, host string, err error) error {
	return &replies.Error{Code: replies.CodeInvalidArgument, Err: err, Message: replies.Say(
		"--http: %q can't be opened: %v; take another port, or %s for any that is free", address, err, net.JoinHostPort(host, "0"))}
}

// addressError says what is wrong with an address.
func addressError(address, what string) error {
	hint := "give an address of this machine alone, such as 127.0.0.1:8080, or 127.0.0.1:0 for any free port"
	if strings.Contains(what, "--allow-remote") {
		hint = "or give an address of this machine alone, such as 127.0.0.1:8080"
	}
	return &replies.Error{Code: replies.CodeInvalidArgument, Message: replies.Say("--http: %q %s; %s", address, what, hint)}
}
