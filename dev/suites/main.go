// Suites runs the cases of other programs for front matter, tables, selections and edits with sectile, and
// tells where it does something else. Their repositories are fetched at fixed commits, and nothing of
// them is kept. README.md explains each difference.
//
//	go run ./suites                                # from dev
//	go run ./suites mdq codescout                  # some of them
//	go run ./suites -mdq DIR -patch DIR -loom DIR -scout DIR -iwe DIR  # with clones that are there
package main

import (
	"crypto/sha256"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A suite is the tests of a program.
type suite struct {
	name, url, commit string
	dir               string // a clone, bare or not; empty to fetch one
	run               func(*suite, *runner) error
}

// show returns a file of the commit.
func (s *suite) show(path string) (string, error) {
	out, err := exec.Command("git", "-C", s.dir, "show", s.commit+":"+path).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %s: %w", s.name, path, err)
	}
	return string(out), nil
}

// fetch clones the repository into a folder, unless there is a clone.
func (s *suite) fetch(folder string) error {
	if s.dir != "" {
		return nil
	}
	s.dir = filepath.Join(folder, s.name)
	for _, args := range [][]string{{"init", "-q", "--bare", s.dir}, {"-C", s.dir, "fetch", "-q", "--depth", "1", s.url, s.commit}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: git: %w: %s", s.name, err, out)
		}
	}
	return nil
}

// runner runs sectile and counts.
type runner struct {
	program, dir      string
	same, other, lost int
}

// sectile runs a command in a folder that has the document as doc.md, and returns what it prints, and
// the document afterwards.
func (r *runner) sectile(document string, args ...string) (out, after string, ok bool) {
	path := filepath.Join(r.dir, "doc.md")
	if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
		panic(err)
	}
	cmd := exec.Command(r.program, args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(r.dir, "state"), "XDG_CONFIG_HOME="+filepath.Join(r.dir, "config"))
	stdout, err := cmd.Output()
	text, readErr := os.ReadFile(path)
	if readErr != nil {
		panic(readErr)
	}
	return string(stdout), string(text), err == nil
}

// hash returns the hash of a part of a document.
func (r *runner) hash(document, address string) string {
	out, _, _ := r.sectile(document, "read", "doc.md", address, "--json")
	_, rest, _ := strings.Cut(out, `"hash":"`)
	hash, _, _ := strings.Cut(rest, `"`)
	return hash
}

// knownAnswers has of each case that is explained the sum of what sectile answers, so that no other
// answer passes for the one that README.md explains.
//
//go:embed known.tsv
var knownAnswers string

// isKnown reports whether an answer is the one that is explained, and returns its line there.
func isKnown(name, got string) (line string, known bool) {
	line = fmt.Sprintf("%s\t%.8x\n", name, sha256.Sum256([]byte(got)))
	return line, strings.Contains("\n"+knownAnswers, "\n"+line)
}

// judge tells of a case what came of it. A difference that is known has a reason.
func (r *runner) judge(name, got, want, reason string) {
	switch got, want = strings.TrimSpace(got), strings.TrimSpace(want); {
	case got == want && reason == "":
		r.same++
	case got == want:
		r.lost++
		fmt.Printf("%s: the same, though README.md says that it is another: %s\n", name, reason)
	case reason != "":
		line, known := isKnown(name, got)
		if known {
			r.other++
			break
		}
		r.lost++
		fmt.Printf("%s: another difference than README.md explains: %q\nknown.tsv: %s", name, got, line)
	default:
		r.lost++
		at := 0 // the line that differs
		ours, theirs := strings.Split(got, "\n"), strings.Split(want, "\n")
		for at < len(ours)-1 && at < len(theirs)-1 && ours[at] == theirs[at] {
			at++
		}
		fmt.Printf("%s: differs at line %d: %q, theirs %q\n", name, at+1, ours[at:min(at+5, len(ours))], theirs[at:min(at+5, len(theirs))])
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	suites := []*suite{
		{name: "markdown-patch", url: "https://github.com/coddingtonbear/markdown-patch", commit: "4e5b903b621a6da23ef6f9210efa56b524667c28", run: markdownPatch},
		{name: "mdq", url: "https://github.com/yshavit/mdq", commit: "a55d1f572c5c9fba058d968ef837337e0b69435b", run: mdq},
		{name: "patchloom", url: "https://github.com/patchloom/patchloom", commit: "467ef94ae4366d3166e0f29a69f36f55765cbe29", run: patchloom},
		{name: "codescout", url: "https://github.com/mareurs/codescout", commit: "eca9902ec3f37fd06578bb3ed998c1ea9af16173", run: codescout},
		{name: "iwe", url: "https://github.com/iwe-org/iwe", commit: "95e9a79abd24e32a98b58a64fe243f2cacca3dc1", run: iwe},
	}
	flag.StringVar(&suites[0].dir, "patch", "", "a clone of markdown-patch")
	flag.StringVar(&suites[1].dir, "mdq", "", "a clone of mdq")
	flag.StringVar(&suites[2].dir, "loom", "", "a clone of patchloom")
	flag.StringVar(&suites[3].dir, "scout", "", "a clone of codescout")
	flag.StringVar(&suites[4].dir, "iwe", "", "a clone of IWE")
	flag.Parse()
	dir, err := os.MkdirTemp("", "suites")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	r := runner{program: filepath.Join(dir, "sectile"), dir: dir}
	build := exec.Command("go", "build", "-o", r.program, "./cmd/sectile")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	failed := 0
	for _, s := range suites {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), s.name) {
			continue
		}
		if err := s.fetch(dir); err != nil {
			return err
		}
		one := runner{program: r.program, dir: r.dir}
		if err := s.run(s, &one); err != nil {
			return err
		}
		fmt.Printf("%s: %d cases, %d the same, %d others explained, %d not\n", s.name, one.same+one.other+one.lost, one.same, one.other, one.lost)
		failed += one.lost
	}
	if failed > 0 {
		return fmt.Errorf("%d cases are not as README.md has them", failed)
	}
	return nil
}
