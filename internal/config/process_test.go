package config

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sectile/sectile/internal/testkit"
)

// asProcess is the variable that makes the test binary a process that changes the
// configuration: the folder, the user's file, the scope and a name, one a line.
const asProcess = "SECTILE_TEST_CONFIG"

func TestMain(m *testing.M) {
	task := os.Getenv(asProcess)
	if task == "" {
		os.Exit(testkit.KeepGarbage(m.Run)())
	}
	parts := strings.Split(task, "\n")
	scope := Project
	if parts[2] == "user" {
		scope = User
	}
	l := NewLoader(LoadOptions{Start: parts[0], UserFile: parts[1]})
	if err := changeAgain(context.Background(), l, scope, parts[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// rounds is how many categories each of several processes adds, of which it
// removes every third.
const rounds = 12

func changeAgain(ctx context.Context, l *Loader, scope Scope, name string) error {
	for i := range rounds {
		category := name + "-" + strconv.Itoa(i)
		if _, err := l.Change(ctx, scope, AddCategory{Category{Name: category, Dir: "docs"}}); err != nil {
			return err
		}
		if i%3 == 1 {
			if _, err := l.Change(ctx, scope, Remove{category}); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestChangeByMany has processes and goroutines change both files at once, while
// somebody loads them: nothing is lost, and every state is a valid one.
func TestChangeByMany(t *testing.T) {
	dir := tree(t, map[string]string{"my app/" + Name: "# ours\n" + docsText, "my app/sub/": ""})
	start, user := filepath.Join(dir, "my app", "sub"), filepath.Join(dir, "xdg", "sectile", "config.yaml")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	l := NewLoader(LoadOptions{Start: start, UserFile: user})
	var all sync.WaitGroup
	var names []string
	for i := range 4 {
		scope := []string{"project", "user"}[i%2]
		name := fmt.Sprintf("%s-%d", scope, i)
		names = append(names, name, name+"-g")
		all.Go(func() {
			cmd := exec.CommandContext(ctx, self)
			cmd.Env = append(os.Environ(), asProcess+"="+strings.Join([]string{start, user, scope, name}, "\n"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", name, err, out)
			}
		})
		all.Go(func() {
			if err := changeAgain(ctx, l, Scope(i%2), name+"-g"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	done := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if _, err := l.Load(ctx); err != nil {
				t.Error(err)
				return
			}
		}
	})
	all.Wait()
	close(done)
	reader.Wait()
	got, err := l.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		for i := range rounds {
			category := got.Category(name + "-" + strconv.Itoa(i))
			if (category == nil) != (i%3 == 1) {
				t.Errorf("%s-%d: %+v", name, i, category)
			}
		}
	}
	if n := len(got.Categories); n != 1+len(names)*rounds*2/3 {
		t.Errorf("%d categories", n)
	}
	text, err := os.ReadFile(filepath.Join(dir, "my app", Name))
	if err != nil || !strings.HasPrefix(string(text), "# ours\n"+docsText) {
		t.Errorf("%.60q, %v", text, err)
	}
	for _, folder := range []string{filepath.Join(dir, "my app"), filepath.Dir(user)} {
		list, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.Name() != Name && e.Name() != "sub" && e.Name() != "config.yaml" {
				t.Errorf("%s was left", e.Name())
			}
		}
	}
}
