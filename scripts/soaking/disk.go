package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// smallDisk is the size of the file system that is filled. The documents of a round and
// a copy of one of them must fit.
const smallDisk = "8m"

// page is the size of a page of memory in bytes, or a part of it.
const page = 4096

// mountSmall mounts a small file system below the folder, which takes the right to do
// so: scripts/soak gives it in a name space of its own.
func mountSmall(dir string) (path string, err error) {
	path = filepath.Join(dir, "disk")
	if err := os.MkdirAll(path, 0o755); err != nil {
		return "", err
	}
	out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+smallDisk, "tmpfs", path).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("a small file system can't be mounted here: %w %s", err, strings.TrimSpace(string(out)))
	}
	return path, nil
}

// unmount undoes mountSmall. What is kept of it for whoever looks for a wrong is copied
// before.
func unmount(path string) {
	if _, err := os.Stat(filepath.Join(path, "0")); err == nil {
		_ = os.CopyFS(path+".kept", os.DirFS(path)) // as much as can be had
	}
	_ = exec.Command("umount", "-l", path).Run() // what is left goes with the name space
}

// fullDisk is edits on a disk that is filled and emptied meanwhile.
func (r *run) fullDisk(ctx context.Context, dir string, random *rand.Rand) error {
	a := &arena{run: r, dir: dir, docs: newDocuments(), full: true}
	filler := filepath.Join(filepath.Dir(dir), "filler")
	own := newChance(random)
	var filling sync.WaitGroup
	filling.Go(func() {
		for ctx.Err() == nil {
			if err := fill(filler, own.IntN(3)); err != nil {
				r.fail("filling the disk: %v", err)
				return
			}
			r.tally.add("times the disk was filled", 1)
			pause(ctx, own, 300*time.Millisecond)
			_ = os.Remove(filler) // it is ours
			pause(ctx, own, 300*time.Millisecond)
		}
	})
	err := a.soak(waitFor(ctx, &filling), random)
	return err
}

// waitFor returns a context that ends when ctx has, and the group is done.
func waitFor(ctx context.Context, group *sync.WaitGroup) context.Context {
	both, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		group.Wait()
		cancel()
	})
	return both
}

// fill writes a file until the disk is full, but for so many pages.
func fill(path string, pages int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // whether it is complete is of no interest
	size := 0
	for step := 64 * page; step >= page; step /= 2 {
		for {
			n, err := f.Write(make([]byte, step))
			size += n
			if errors.Is(err, syscall.ENOSPC) {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return f.Truncate(int64(max(0, size-pages*page)))
}
