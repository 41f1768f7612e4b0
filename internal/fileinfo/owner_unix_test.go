//go:build unix

package fileinfo

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func TestOwnedByUser(t *testing.T) {
	if os.Geteuid() != rootUser {
		t.Skip("only root can give files away")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		owner          int
		sudo           string
		owned, orRoots bool
	}{
		{rootUser, "", true, true},
		{1234, "", false, false},
		{1234, "1234", true, true},
		{1234, "1235", false, false},
		{1234, "-1", false, false},
		{1234, "4294968530", false, false}, // 1234 in 32 bits
		{rootUser, "1234", true, true},
	} {
		t.Run(strconv.Itoa(test.owner)+" "+test.sudo, func(t *testing.T) {
			t.Setenv("SUDO_UID", test.sudo)
			if err := os.Chown(path, test.owner, -1); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if OwnedByUser(info) != test.owned || OwnedByUserOrRoot(info) != test.orRoots {
				t.Errorf("%v, %v", OwnedByUser(info), OwnedByUserOrRoot(info))
			}
		})
	}
}

func TestIsNamed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/b", "c"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	in := func(names ...string) []string {
		for i := range names {
			names[i] = filepath.Join(dir, names[i])
		}
		return names
	}
	for _, test := range []struct {
		folder string
		list   []string
		want   bool
	}{
		{"a", in("a"), true},
		{"a", in("c", "a/"), true},
		{"a", in("link"), true}, // the user names what it leads to
		{"link", in("a"), true},
		{"a/b", in("a"), false}, // not what is below
		{"a", in("a/b", "c", "missing"), false},
		{"missing", in("missing"), false},
		{"a", nil, false},
		{"a", []string{"*"}, true},
		{"missing", []string{"*"}, true},
	} {
		if got := IsNamed(filepath.Join(dir, test.folder), test.list); got != test.want {
			t.Errorf("%s in %v: %v", test.folder, test.list, got)
		}
	}
}
