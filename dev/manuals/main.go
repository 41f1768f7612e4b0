// The command package-files makes the files of a package that come from the program's
// commands: a manual page for each of them, and completions for four shells.
//
//	go run ./dev/manuals -version 1.2.3 -time 1767225600 packaging/build
//
// The version must be that of packaging/version, which all manifests have; with
// -snapshot it may be any.
//
// The same arguments make the same bytes, so that packages can be built again and
// compared.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/sectile/sectile/internal/cli"
)

func main() {
	version := flag.String("version", "", "the version that the manual pages name")
	seconds := flag.Int64("time", 0, "the date of the manual pages, in seconds since 1970")
	snapshot := flag.Bool("snapshot", false, "what is made is no release")
	flag.Parse()
	if flag.NArg() != 1 || *version == "" {
		fmt.Fprintln(os.Stderr, "usage: package-files -version VERSION [-time SECONDS] [-snapshot] FOLDER")
		os.Exit(2)
	}
	if err := check(*version); err != nil && !*snapshot {
		fmt.Fprintln(os.Stderr, "package-files:", err)
		os.Exit(1)
	}
	if err := generate(flag.Arg(0), *version, time.Unix(*seconds, 0).UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "package-files:", err)
		os.Exit(1)
	}
}

// check returns an error if the manifests have another version.
func check(version string) error {
	text, err := os.ReadFile("packaging/version")
	if err != nil {
		return err
	}
	if have := strings.TrimSpace(string(text)); have != version {
		return fmt.Errorf("the release is %s, and the manifests say %s: change packaging/version and run "+
			"go test ./packaging -update", version, have)
	}
	return nil
}

// generate writes the folders man and completions below dir.
func generate(dir, version string, date time.Time) error {
	root := cli.Command()
	root.InitDefaultHelpFlag()
	root.InitDefaultCompletionCmd()
	if err := completions(root, filepath.Join(dir, "completions")); err != nil {
		return err
	}
	man := filepath.Join(dir, "man")
	if err := os.MkdirAll(man, 0o755); err != nil {
		return err
	}
	return pages(root, man, &doc.GenManHeader{
		Section: "1", Date: &date, Source: "sectile " + version, Manual: "sectile",
	})
}

// completions writes the completions, under the names that shells look for.
func completions(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, shell := range []struct {
		file  string
		write func(io.Writer) error
	}{
		{"sectile.bash", func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
		{"_sectile", root.GenZshCompletion},
		{"sectile.fish", func(w io.Writer) error { return cli.FishCompletion(root, w, true) }},
		{"sectile.ps1", root.GenPowerShellCompletionWithDesc},
	} {
		var b bytes.Buffer
		if err := shell.write(&b); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, shell.file), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pages writes the manual page of a command and of those below it, compressed, as
// distributions want them.
func pages(cmd *cobra.Command, dir string, header *doc.GenManHeader) error {
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := pages(c, dir, header); err != nil {
			return err
		}
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	cmd.DisableAutoGenTag = true // it names a tool, which tells a reader nothing
	cmd.Short, cmd.Long = plain(cmd.Short), plain(cmd.Long)
	page := *header
	page.Title = strings.ToUpper(name)
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := doc.GenMan(cmd, &page, z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".1.gz"), b.Bytes(), 0o644)
}

// plain makes of a text one that stays as it is where Markdown is expected, as the
// library takes descriptions for it: nothing is marked up, and lines that stand
// further right, such as a table or a block of commands, keep their form.
func plain(text string) string {
	var b strings.Builder
	indented := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			if !indented {
				b.WriteByte('\n')
			}
			indented = true
			b.WriteString("    " + line)
			continue
		}
		if indented && strings.TrimSpace(line) != "" {
			b.WriteByte('\n')
		}
		indented = false
		for _, c := range line {
			if strings.ContainsRune("\\`*_{}[]<>#|~", c) {
				b.WriteByte('\\')
			}
			b.WriteRune(c)
		}
	}
	return b.String()
}
