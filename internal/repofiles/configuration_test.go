package repofiles

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestConfigurationOfUser sees that each file is found that git and Jujutsu read of the user's, by
// links, inclusions and keys, and none that is only named in passing.
func TestConfigurationOfUser(t *testing.T) {
	home := testkit.Folder(t, map[string]string{
		".gitconfig": "[user]\n\tname = T\n[include]\n\tpath = more\n[includeIf\t\"gitdir:~/clients/\"] path=\"~/other \"\\\nconfig ; said so\n" +
			"[core]\n\tExcludesFile = ~/ignored # mine\n\teditor = /usr/bin/vi\n[safe]\n\tdirectory = /srv/repository\n",
		"more":                        "[diff]\norderFile = /srv/order\n[include]\npath = .gitconfig\n",
		"other config":                "[core]\n\tattributesFile = attributes\n",
		"dotfiles/jj.toml":            "",
		".config/jj/conf.d/plain":     "",
		"project/shared":              "",
		"ignored":                     "",
		"project/.git/info/exclude":   "",
		"project/.git/config":         "[includeIf \"gitdir:nowhere\"]\n\tpath = ../..\n[include]\n\tpath = ../shared\n[core]\n\texcludesFile = ../ignored\n",
		"project/.git/empty/.gitkeep": "",
	})
	if err := os.Symlink("../../dotfiles/jj.toml", filepath.Join(home, ".config", "jj", "config.toml")); err != nil {
		testkit.Missing(t, err.Error())
	}
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("JJ_CONFIG", filepath.Join(home, "own.toml"))
	at := func(names ...string) (list []string) {
		for _, name := range names {
			if !filepath.IsAbs(name) {
				name = filepath.Join(home, filepath.FromSlash(name))
			}
			list = append(list, name)
		}
		return list
	}
	got := ConfigurationOfUser()
	for _, want := range at(".gitconfig", "more", "other config", "ignored", "/srv/order", "attributes", "/etc/gitconfig", ".config/git/ignore", ".config/git/config", ".config/jj", ".config/jj/config.toml", ".jjconfig.toml", "own.toml") {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing: %q", want, got)
		}
	}
	for _, not := range at("/usr/bin/vi", "/srv/repository", ".config/jj/conf.d/plain", "T") {
		if slices.Contains(got, not) {
			t.Errorf("%s is none: %q", not, got)
		}
	}
	want := at("project/.git/info/exclude", "project/.git/config", "project/shared")
	of, _ := ConfigurationOfGit(t.Context().Err, filepath.Join(home, "project", ".git"))
	if !slices.Equal(of.Files, want) || len(of.Ignored) != 1 || of.Ignored[0] != (Named{"../ignored", Place{want[1], 6, false}}) || of.Moves || of.Bare {
		t.Errorf("%+v\nwant %q", of, want)
	}
}

// TestSettings reads the settings of texts as git does.
func TestSettings(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		testkit.Missing(t, err.Error())
	}
	file := filepath.Join(t.TempDir(), "config")
	for _, text := range []string{
		"",
		"[include]\npath = a",
		"# C:\\me\\\n[include]\npath = a\n; b\\\npath = b",
		"[include] # \\\npath = a # \\\npath = b",
		"\uFEFF[include]\npath = a",
		"[core][include] path = a\\\n b",
		"[Include]Path=\" a#b \";c",
		"[includeIf \"x]\\\"]\"] path = a",
		"[includeIf.x] path = a",
		"[include]\r\n\tpath = a\\\r\nb\r\n\tpath=c\r",
		"[include]\npath\npath = \\\n\\\n  a \\\n",
		"[include]\npath = \n# a\npath = a \\\n# b\\\n path = c",
		"[include]\npath = a  \"\"  ; b",
		"[a]\nb = \"\\\n[include]\\\n path = a\"\n",
		"[include]\npath = a\\\\\npath = \\\"b\\tc\\\"\\n\\b",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), git, "config", "--file", file, "--list", "-z").Output()
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var want, got []string
		for setting := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if name, value, _ := strings.Cut(setting, "\n"); setting != "" {
				section, _, _ := strings.Cut(name, ".")
				want = append(want, section+name[strings.LastIndex(name, "."):]+"="+value)
			}
		}
		for s := range settings(text) {
			name, value := s.name, s.value
			if name == "" {
				if !strings.Contains(text, "\\b") {
					t.Errorf("%q: all read that in one way", text)
				}
				continue
			}
			got = append(got, name+"="+value)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{
		"[", "[a", "[a \"", "[a]b=\\", "[a]b=\"", "=", "\\", "a=b", "[a]=b", "[a]b\n=c", "[a]b ; c\n=d", "[a]1=b", "[a]b\\\nc=d", "[a]b=c\\b", "[a]b=\\x", "[a b]", "[a ]", "[a.b \"c\"]",
		"[\u212Aa]", "[a]\u212A=b", "[a]b=\"c\nd=\"", "[a]b",
	} { // they end, whatever it is that they mean
		told := true
		for s := range settings(text) {
			told = told && s.name != ""
		}
		if told {
			t.Errorf("%q: that is read in one way", text)
		}
	}
}

// TestConfigurationEnds: files that include one another by ever more paths come to an end, and so
// does whatever is larger or more than is looked at, which isn't told then.
func TestConfigurationEnds(t *testing.T) {
	t.Parallel()
	includes, decoys, large := "", "", "#"+strings.Repeat("-", maxConfiguration/4)+"\n"
	for i := range 30 {
		includes += fmt.Sprintf("[include]\n\tpath = l%d/config\n", i)
	}
	for i := range maxNamed + 1 {
		decoys += fmt.Sprintf("[core]\n\texcludesFile = %d\n", i)
	}
	deep := map[string]string{"config": "[include]\n\tpath = 0\n"}
	many := map[string]string{"config": ""}
	for i := range maxNamed {
		deep[strconv.Itoa(i)] = fmt.Sprintf("[include]\n\tpath = %d\n", i+1)
		many[strconv.Itoa(i)] = ""
		many["config"] += fmt.Sprintf("[include]\n\tpath = %d\n", i)
	}
	for name, tt := range map[string]struct {
		files map[string]string
		want  Untold
	}{
		"links":    {map[string]string{"config": includes}, ""},
		"settings": {map[string]string{"config": decoys}, TooMuch},
		"deep":     {deep, TooMuch},
		"many":     {many, TooMuch},
		"large":    {map[string]string{"config": large + large + large + large}, TooMuch},
		"in all":   {map[string]string{"config": large + large + "[include]\npath = a", "a": large + large}, TooMuch},
		"not so":   {map[string]string{"config": large + large + "[include]\npath = a", "a": large}, ""},
	} {
		dir := testkit.Folder(t, tt.files)
		for i := range 30 {
			if err := os.Symlink(".", filepath.Join(dir, fmt.Sprint("l", i))); err != nil {
				testkit.Missing(t, err.Error())
			}
		}
		got, _ := ConfigurationOfGit(t.Context().Err, dir)
		if len(got.Files) > maxNamed || len(got.Ignored) > maxNamed || got.Untold != tt.want {
			t.Errorf("%s: %d files, %d ignored, %q", name, len(got.Files), len(got.Ignored), got.Untold)
		}
	}
}

// TestConfigurationRepeats has a configuration include one file again and again, which costs no more
// than as many lines of another kind, and more files than are looked at, none of which is there. The end
// of the call ends it.
func TestConfigurationRepeats(t *testing.T) {
	const lines = 3000
	var missing strings.Builder
	for i := range lines {
		fmt.Fprintf(&missing, "path = ~root/%d\n", i)
	}
	cost := func(text string) float64 {
		dir := testkit.Folder(t, map[string]string{"config": text})
		return testing.AllocsPerRun(1, func() {
			if _, err := ConfigurationOfGit(t.Context().Err, dir); err != nil {
				t.Error(err)
			}
		})
	}
	usual := cost("[other]\n" + strings.Repeat("path = a/b/c\n", lines))
	for name, text := range map[string]string{
		"one file": "[include]\n" + strings.Repeat("path = a/b/c\n", lines), "many": "[include]\n" + missing.String(),
		"ignored names of another user": "[core]\n" + strings.ReplaceAll(missing.String(), "path", "excludesFile"),
	} {
		if got := cost(text); got > usual+50*maxNamed {
			t.Errorf("%s: %.0f allocations, of other lines %.0f", name, got, usual)
		}
	}
	looks := 0
	_, err := ConfigurationOfGit(func() error {
		if looks++; looks >= 10 {
			return context.Canceled
		}
		return nil
	}, testkit.Folder(t, map[string]string{"config": "[include]\n" + missing.String()}))
	if !errors.Is(err, context.Canceled) || looks > 20 {
		t.Errorf("%v after %d looks", err, looks)
	}
}

// TestExpanded expands home folders as git does.
func TestExpanded(t *testing.T) {
	paths := map[string]string{"~/a": filepath.FromSlash("/home/x/a"), "a/~/b": "a/~/b", "~": "~", "/~/a": "/~/a", "~nobody-by-this-name/a": "~nobody-by-this-name/a"}
	if me, err := user.Current(); err == nil && me.Username != "" && !strings.ContainsAny(me.Username, `/\`) {
		paths["~"+me.Username+"/a"] = filepath.Join(me.HomeDir, "a")
	}
	for path, want := range paths {
		if got := expanded(path, "/home/x"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestConfigurationMoves notices each way in which a configuration may say where the files are, or
// be read otherwise than by git.
func TestConfigurationMoves(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]GitConfiguration{
		"":                                 {},
		"[core]\n\tbare = true\n":          {Bare: true},
		"[core] bare = true\nbare = false": {},
		"[core] bare = false\n[include] path = bare":        {},
		"[core] worktree = ..":                              {Moves: true},
		"[CORE]\nWorkTree=..":                               {Moves: true},
		"[include]\n\tpath = moves":                         {Moves: true},
		"[include]\r\n\tpath = moves\r\n":                   {Moves: true},
		"[include]\npath = a/x\npath = b/x":                 {Moves: true}, // one file, from which "y" is another
		"[include]\npath = a/x\npath = c":                   {Moves: true}, // that by a link
		"[extensions] worktreeConfig = true":                {},
		"[alias]\n\twt = worktree add":                      {},
		"[remote \"o\"]\n\turl = https://x/gitoxide.git":    {},
		"[include] path = nowhere":                          {},
		"[gitoxide \"core\"] refsNamespace = x":             {Untold: OfLibrary},
		"[include] path = folder":                           {Untold: Unread},
		"[includeIf \"gitdir:/nowhere/\"] path = note":      {Untold: OddForm}, // no configuration, which Landlock lets be read
		"[include] path = moves/x":                          {Untold: OddPath},
		"[include] path = :(optional)moves":                 {Untold: OddPath},
		"[include] path = %(prefix)/moves":                  {Untold: OddPath},
		"[include] path = ~root/moves":                      {Untold: OddPath},
		"[include] path = ~":                                {Untold: OddPath},
		"[include] path = \"moves \"":                       {Untold: OddPath},
		"[include] path = moves\u00A0":                      {Untold: OddPath},
		"[include] path = \"m\toves\"":                      {Untold: OddPath},
		"[include] path = /dev/stdin":                       {Untold: OddPath},
		"[include] path = link/../moves":                    {Untold: OddPath},
		"[include] path":                                    {Untold: OddForm},
		"[include]\npath\n":                                 {Untold: OddPath},
		"[include] path = moves\r\r\n":                      {Moves: true, Untold: OddForm},
		"[include] path = moves\f":                          {Untold: OddForm},
		"[include] path = movesX\\b":                        {Untold: OddForm},
		"[include] path\n = moves":                          {Untold: OddPath},
		"\uFEFF\uFEFF[include] path = moves":                {Untold: OddForm},
		"[core] excludesFile = :(optional)x":                {Untold: OddPath},
		"[core] excludesFile = %(prefix)/x":                 {Untold: OddPath},
		"[core] excludesFile = ~root/x":                     {Untold: OddPath},
		"[core] excludesFile = ~/x":                         {},
		"[branch \"\u00E9 \\\"]\"]\n\tremote = \"a;b\" # c": {},
	} {
		dir := testkit.Folder(t, map[string]string{
			"config": text, "moves": "[core] worktree=..", "bare": "[core] bare = true", "folder/deep/config": "",
			"a/x": "[include]\n\tpath = y\n", "a/y": "", "b/y": "[core] worktree=..", "note": "secret\n", "y": "[core] worktree=..",
		})
		for at, to := range map[string]string{"c": "a/x", "link": "folder/deep"} {
			if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, at)); err != nil {
				testkit.Missing(t, err.Error())
			}
		}
		if err := os.Link(filepath.Join(dir, "a", "x"), filepath.Join(dir, "b", "x")); err != nil {
			testkit.Missing(t, err.Error())
		}
		got, _ := ConfigurationOfGit(t.Context().Err, dir)
		if got.Moves != want.Moves || got.Bare != want.Bare || got.Untold != want.Untold {
			t.Errorf("%.60q: %+v", text, got)
		}
	}
}
