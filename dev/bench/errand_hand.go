package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// hand does an errand in one way, and counts its calls, the bytes of their arguments, as
// JSON, and those of the replies.
type hand struct {
	ctx     context.Context //nolint:containedctx // of one errand, which a hand lives for
	program string          // sectile
	folder  string          // where the documents are
	server  *server         // of that folder, once it was called
	other   *otherServer    // that is called, or nil for sectile
	done    done
	seen    []string // replies, without the numbers that stand before lines
	log     func(string, ...any)
	err     error // that ends the run: not a refusal, which is a reply
}

// close ends the server, if there is one.
func (h *hand) close() {
	if h.server != nil {
		h.server.close()
	}
}

// args are the arguments of a call.
type args map[string]any

// count counts a call and returns its reply.
func (h *hand) count(tool string, arguments args, reply, seen string) string {
	var in bytes.Buffer
	encoder := json.NewEncoder(&in)
	encoder.SetEscapeHTML(false) // as models write it
	h.err = errors.Join(h.err, encoder.Encode(arguments))
	h.done.calls++
	h.done.in += in.Len() - 1 // without the line ending
	h.done.out += len(reply)
	h.seen = append(h.seen, unified([]byte(seen)))
	h.log("> %s %s", tool, in.String())
	h.log("%s(%d bytes)\n", reply, len(reply))
	return reply
}

// call calls a tool of the server, which is sectile's with the preset for agents, or another one.
func (h *hand) call(tool string, arguments args) string {
	if h.server == nil {
		command := []string{h.program, "mcp", "--root", h.folder, "--preset", "lean"}
		if h.other != nil {
			command = h.other.command(h.folder)
		}
		s, err := startServer(h.ctx, command)
		if err == nil && h.other != nil && h.other.ready != nil {
			err = h.other.ready(s)
		}
		if err != nil {
			h.err = errors.Join(h.err, err)
			return ""
		}
		h.server = s
	}
	text, err := h.server.call(call{tool, arguments})
	if r, ok := errors.AsType[refusal](err); ok {
		text, err = r.text, nil
	}
	h.err = errors.Join(h.err, err)
	seen := text
	switch {
	case h.other != nil:
		seen = h.other.shown(tool, arguments, text)
		text = steady(text, h.folder)
	case tool == "search_sections":
		seen = foundAt.ReplaceAllString(text, "")
	case tool == "list_documents":
		seen = listed.ReplaceAllString(text, "$1")
	}
	return h.count(tool, arguments, text, seen)
}

// steady makes what is another thing in each run of a reply as long in all of them: times, numbers of
// what was done, and the folder.
func steady(reply, folder string) string {
	reply = strings.ReplaceAll(reply, folder, "/documents")
	reply = regexp.MustCompile(`"modified_at":[0-9.]+`).ReplaceAllString(reply, `"modified_at":1700000000.000000`)
	return regexp.MustCompile(`\btxn_(\d+)_\d+`).ReplaceAllString(reply, "txn_${1}_0000")
}

// look reads a document by its path alone, and then the lines that its map gives for a
// section, unless a text came at once.
func (h *hand) look(name, text, title string) {
	reply := h.call("read_file", args{"path": name})
	if strings.Contains(unified([]byte(reply)), text) {
		return
	}
	for line := range strings.Lines(reply) {
		fields := strings.Fields(line) // selector, lines, words, and the title
		if len(fields) < 4 || strings.Join(fields[3:], " ") != title {
			continue
		}
		first, last, ok := strings.Cut(fields[1], "-")
		if !ok {
			last = first
		}
		h.call("read_file", args{"path": name, "start_line": number(first), "end_line": number(last)})
		return
	}
	h.err = errors.Join(h.err, fmt.Errorf("the map of %s has no section %q", name, title))
}

// numbered are the places that stand before lines that grep prints, foundAt the numbers that
// stand before those of search_sections, and listed are the lines of list_documents.
var (
	numbered = regexp.MustCompile(`(?m)^(?:[\w./-]+\.md[:-])?(?:\d+[:-])?`)
	foundAt  = regexp.MustCompile(`(?m)^\d+: `)
	listed   = regexp.MustCompile(`(?m)^(\S+\.md):[-\d]+ \d+w .*$`)
)

// sh runs a command of a shell in the folder. What it prints to standard error is in the
// reply, too.
func (h *hand) sh(command string) string {
	cmd := exec.CommandContext(h.ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = h.folder, append(os.Environ(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		h.err = errors.Join(h.err, err)
	}
	return h.count("shell", args{"command": command}, string(out), numbered.ReplaceAllString(string(out), ""))
}

// read prints lines of a file with their numbers, as `cat -n` and the readers of agents do.
func (h *hand) read(name string, first, lines int) string {
	text := h.bytes(name)
	var reply, seen strings.Builder
	for i, line := range strings.SplitAfter(unified(text), "\n") {
		if i+1 >= first && i+1 < first+lines && line != "" {
			fmt.Fprintf(&reply, "%6d\t%s", i+1, line)
			seen.WriteString(line)
		}
	}
	return h.count("read", args{"path": name, "offset": first, "limit": lines}, reply.String(), seen.String())
}

// replace changes a text that is in a file once, and keeps the file's line endings.
func (h *hand) replace(name, from, to string) string {
	return h.exchange(name, args{"path": name, "old_string": from, "new_string": to}, from, to, 1)
}

// replaceAll changes a text wherever it is in a file.
func (h *hand) replaceAll(name, from, to string) string {
	return h.exchange(name, args{"path": name, "old_string": from, "new_string": to, "replace_all": true}, from, to, -1)
}

func (h *hand) exchange(name string, arguments args, from, to string, times int) string {
	text := h.bytes(name)
	if bytes.Contains(text, []byte("\r\n")) {
		from, to = strings.ReplaceAll(from, "\n", "\r\n"), strings.ReplaceAll(to, "\n", "\r\n")
	}
	reply := "The file " + name + " has been updated."
	switch n := strings.Count(string(text), from); {
	case n == 0:
		reply = "The text to replace was not found in " + name + "."
	case times == 1 && n > 1:
		reply = fmt.Sprintf("The text to replace was found %d times in %s.", n, name)
	default:
		h.write(name, strings.Replace(string(text), from, to, times))
	}
	return h.count("replace", arguments, reply, "")
}

// create writes a new file.
func (h *hand) create(name, text string) string {
	h.write(name, text)
	return h.count("write", args{"path": name, "content": text}, "The file "+name+" has been written.", "")
}

func (h *hand) bytes(name string) []byte {
	text, err := os.ReadFile(filepath.Join(h.folder, filepath.FromSlash(name)))
	h.err = errors.Join(h.err, err)
	return text
}

func (h *hand) write(name, text string) {
	h.err = errors.Join(h.err, os.WriteFile(filepath.Join(h.folder, filepath.FromSlash(name)), []byte(text), 0o600))
}

// hits are the names and lines of what `grep -n` has found in several files.
func hits(reply string) (found []hit) {
	for line := range strings.Lines(reply) {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) == 3 {
			found = append(found, hit{parts[0], number(parts[1])})
		}
	}
	return found
}

// cutOff are the names and lines of what search_sections has found and not shown to its
// end: below a line about a section its lines, each behind its number.
func cutOff(reply string) (all []hit) {
	name := ""
	for line := range strings.Lines(reply) {
		if at := headed.FindStringSubmatch(line); at != nil {
			name = at[1]
		} else if digits, text, ok := strings.Cut(line, ": "); ok && strings.HasSuffix(text, "…\n") {
			all = append(all, hit{name, number(digits)})
		}
	}
	return all
}

// headed is the beginning of a line about a section: its document and lines.
var headed = regexp.MustCompile(`^(?:[a-z0-9]{6} )?(\S+\.md):\d+(?:-\d+)? h[1-6]\.\d+ #`)

type hit struct {
	name string
	line int
}
