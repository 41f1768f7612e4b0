package clients

import (
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"strconv"
	"time"

	"github.com/sectile/sectile/internal/doctor"
)

// A client of a server over HTTP needs a URL and the token. The token is a secret and
// stands in no configuration: it is taken from the environment, or asked for.

// tokenVariable is the variable of the environment that holds the token.
const tokenVariable = "SECTILE_TOKEN" //nolint:gosec // the name of a variable

// remote is how a client reaches a server over HTTP.
type remote struct {
	url     string
	timeout time.Duration // of a call, as the server keeps it
}

// Remote returns the configuration of a client for a server at the address, and how that
// server is started, with these arguments besides its roots: the client doesn't do it. The
// error is an *replies.Error.
func Remote(name string, h *doctor.HTTPOptions, o *doctor.ServerOptions, arguments []string) (Config, error) {
	c, err := findClient(name)
	if err != nil {
		return Config{}, err
	}
	url, err := remoteURL(h)
	if err != nil {
		return Config{}, err
	}
	start, err := remoteStart(h, o, arguments)
	if err != nil {
		return Config{}, err
	}
	r := remote{url, o.Timeout}
	text, err := r.render(c.name)
	if err != nil {
		return Config{}, err
	}
	return Config{text, append(r.notes(c.name, runtime.GOOS), "the client does not start the server; start it with: "+start)}, nil
}

// remoteStart spells the command that starts the server.
func remoteStart(h *doctor.HTTPOptions, o *doctor.ServerOptions, arguments []string) (string, error) {
	program, err := command(false)
	if err != nil {
		return "", err
	}
	words := []string{program, "mcp", "--http", h.Address}
	if h.TokenFile != "" {
		words = append(words, "--token-file", h.TokenFile)
	}
	if h.AllowRemote {
		words = append(words, "--allow-remote")
	}
	if h.ViewWrites {
		words = append(words, "--view-writes")
	}
	if h.Editor != "" {
		words = append(words, "--editor", h.Editor)
	}
	for _, root := range o.Roots {
		words = append(words, "--root", root)
	}
	return launch{args: arguments}.shell(words...), nil
}

// remoteURL returns the URL of a server at the address, which must be one that clients
// can be told.
func remoteURL(h *doctor.HTTPOptions) (string, error) {
	wrong := func(what string) error {
		return refused(fmt.Sprintf(
			"--http: %q %s; give the address that clients connect to, such as 127.0.0.1:8080", h.Address, what))
	}
	host, port, err := net.SplitHostPort(h.Address)
	if err != nil || host == "" {
		return "", wrong("is not HOST:PORT")
	}
	switch n, err := strconv.ParseUint(port, 10, 16); {
	case err != nil:
		return "", wrong("has no port from 1 to 65535")
	case n == 0:
		return "", wrong("has another port at each start")
	}
	switch ip, _ := netip.ParseAddr(host); { // a name is no valid address
	case ip.IsUnspecified():
		return "", wrong("is every network of the machine, and none that a client can connect to")
	case ip.IsValid() && !ip.Unmap().IsLoopback() && !h.AllowRemote:
		return "", wrong("is refused by the server without --allow-remote")
	}
	return "http://" + net.JoinHostPort(host, port) + "/mcp", nil
}

// render returns what the client's configuration needs.
func (r remote) render(client string) ([]byte, error) {
	type server struct {
		Type    string            `json:"type,omitempty"`
		URL     string            `json:"url,omitempty"`
		HTTPURL string            `json:"httpUrl,omitempty"`
		Headers map[string]string `json:"headers"`
	}
	bearer := func(variable string) map[string]string {
		return map[string]string{"Authorization": "Bearer " + variable}
	}
	servers := func(s server) any { return map[string]map[string]server{"mcpServers": {serverName: s}} }
	switch client {
	case "claude-code":
		return indented(servers(server{Type: "http", URL: r.url, Headers: bearer("${" + tokenVariable + "}")}))
	case "gemini":
		return indented(servers(server{HTTPURL: r.url, Headers: bearer("${" + tokenVariable + "}")}))
	case "cursor":
		return indented(servers(server{URL: r.url, Headers: bearer("${env:" + tokenVariable + "}")}))
	case "vscode":
		const id = "sectile-token"
		type input struct {
			Type        string `json:"type"`
			ID          string `json:"id"`
			Description string `json:"description"`
			Password    bool   `json:"password"`
		}
		return indented(struct {
			Inputs  []input           `json:"inputs"`
			Servers map[string]server `json:"servers"`
		}{
			[]input{{"promptString", id, "Token of the sectile server", true}},
			map[string]server{serverName: {Type: "http", URL: r.url, Headers: bearer("${input:" + id + "}")}},
		})
	case "codex":
		seconds := (r.timeout + codexMargin + time.Second - 1) / time.Second
		return fmt.Appendf(nil, "[mcp_servers.%s]\nurl = %s\nbearer_token_env_var = %s\ntool_timeout_sec = %d\n",
			serverName, tomlString(r.url), tomlString(tokenVariable), seconds), nil
	}
	return nil, refused("--print-config: the configuration of " + client +
		" can't name a server over HTTP with a token; leave out --http, and it starts a server of its own")
}

// notes says where the configuration belongs, or which command does it, and where the
// token comes from.
func (r remote) notes(client, goos string) []string {
	var place string
	header := "Authorization: Bearer ${" + tokenVariable + "}"
	run := func(words ...string) string { return "; or run: " + launch{}.shell(words...) }
	switch client {
	case "claude-code":
		place = ".mcp.json in the folder of the project" +
			run("claude", "mcp", "add", "--transport", "http", "--scope", "project", serverName, r.url, "--header", header)
	case "gemini":
		place = ".gemini/settings.json in the folder of the project, or " + inHome(goos, ".gemini/settings.json") +
			run("gemini", "mcp", "add", "--transport", "http", "--header", header, serverName, r.url)
	case "cursor":
		place = ".cursor/mcp.json in the folder of the project"
	case "vscode":
		place = ".vscode/mcp.json in the folder of the project"
	case "codex":
		place = inHome(goos, ".codex/config.toml") + ", or .codex/config.toml of a project that is trusted" +
			run("codex", "mcp", "add", serverName, "--url", r.url, "--bearer-token-env-var", tokenVariable)
	}
	token := "it takes the token from the variable " + tokenVariable + " of its environment"
	if client == "vscode" {
		token = "it asks for the token once"
	}
	return []string{"add this to " + place, token + "; a server with --token-file keeps the same one"}
}
