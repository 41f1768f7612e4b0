//go:build unix

package planstore

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestFolderIsAPipe: where the folder of the plan's file is a pipe, nothing waits for it.
func TestFolderIsAPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, ".sectile"), 0o600); err != nil {
		t.Skip(err)
	}
	s, err := Open(t.Context(), Options{Root: dir, Kind: File})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan []Plan, 1)
	go func() {
		list, _ := s.List(t.Context()) // that there are none, or why that can't be told
		done <- list
	}()
	select {
	case list := <-done:
		if len(list) > 0 {
			t.Errorf("%+v", list)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the list waits for the pipe")
	}
}

// TestKeptPipe: a pipe by the name of a kept plan is none, and keeps nobody from the others.
func TestKeptPipe(t *testing.T) {
	dir := t.TempDir()
	s := open(t, Options{Root: dir, Kind: File})
	save(t, s, plan)
	if err := syscall.Mkfifo(filepath.Join(dir, ".sectile", "plan.1.md"), 0o600); err != nil {
		t.Skip(err)
	}
	if list, err := s.List(t.Context()); err != nil || len(list) != 1 || !list[0].Current {
		t.Errorf("%+v, %v", list, err)
	}
	if _, _, err := s.New(t.Context(), never); err != nil {
		t.Fatal(err)
	}
	if list, err := s.List(t.Context()); err != nil || len(list) != 1 || list[0].Name != ".sectile/plan.2.md" {
		t.Errorf("%+v, %v", list, err)
	}
}
