package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
)

// ctags is Universal Ctags, which editors take outlines from.
func ctags() tool {
	command := func(folder string) []string {
		return []string{"ctags", "-R", "--languages=Markdown", "--output-format=json", "--fields=+nK", "-f", "-", folder}
	}
	return tool{
		name: "Universal Ctags", install: "apt-get install universal-ctags", version: versionBy("ctags", "--version"),
		find: func(ctx context.Context, _ *machine) error {
			out, err := run(ctx, []string{"ctags", "--list-features"})
			if err == nil && !bytes.Contains(out, []byte("json")) {
				err = errors.New("this one can't write JSON")
			}
			return err
		},
		outline: command,
		headings: func(ctx context.Context, folder string, docs []document) (map[string][]heading, error) {
			out, err := run(ctx, command(folder))
			if err != nil {
				return nil, err
			}
			return ctagsHeadings(folder, out)
		},
	}
}

// ctagsLevels are the names that ctags has for levels of headings.
var ctagsLevels = map[string]int{"chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "l4subsection": 5, "l5subsection": 6}

// ctagsHeadings reads what ctags has printed.
func ctagsHeadings(folder string, out []byte) (map[string][]heading, error) {
	found := map[string][]heading{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var tag struct {
			Path, Kind string
			Line       int
		}
		// Bytes that aren't UTF-8 come out as they are, which JSON forbids.
		if err := json.Unmarshal([]byte(strings.ToValidUTF8(lines.Text(), "?")), &tag); err != nil {
			return nil, err
		}
		if level := ctagsLevels[tag.Kind]; level > 0 {
			name, err := filepath.Rel(folder, tag.Path)
			if err != nil {
				return nil, err
			}
			name = filepath.ToSlash(name)
			found[name] = append(found[name], heading{level, tag.Line, tag.Line})
		}
	}
	return found, lines.Err()
}
