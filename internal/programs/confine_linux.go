package programs

import (
	"debug/elf"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// start starts a command that may write below these folders alone, whatever leads to others;
// anywhere for nil. Where the kernel has no Landlock that knows of renaming between folders (before
// 5.19), or has it switched off, the command may write anywhere; so may what the user has in the
// place of the program itself, which may keep files of its own.
func start(cmd *exec.Cmd, writes []string) error {
	if writes == nil || !isItself(cmd.Path) {
		return cmd.Start()
	}
	rules, ok := writeRules(writes)
	if !ok {
		return cmd.Start()
	}
	defer unix.Close(rules) //nolint:errcheck // it is a handle alone
	started := make(chan error)
	go func() {
		// A thread is confined for good, and so are those that it starts. It is never unlocked, so
		// that it ends with this goroutine and nothing else runs on it.
		runtime.LockOSThread()
		if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == nil {
			_ = landlock.LandlockRestrictSelf(rules, 0) // it fails where too many rules hold already
		}
		started <- cmd.Start()
	}()
	return <-started
}

// isItself reports whether the file at a path is a program of that name: no script, and no link to
// a program of another name, as those that choose among versions make.
func isItself(path string) bool {
	whole, err := filepath.EvalSymlinks(path)
	if err != nil || filepath.Base(whole) != filepath.Base(path) {
		return false
	}
	file, err := os.Open(whole)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it was read alone
	begin := make([]byte, len(elf.ELFMAG))
	_, err = io.ReadFull(file, begin)
	return err == nil && string(begin) == elf.ELFMAG
}

// What a command does to files and folders that it writes: those of ABI 3 aren't known to ABI 2.
const (
	writesFile = landlock.AccessFSWriteFile
	writesTree = writesFile | landlock.AccessFSRemoveDir | landlock.AccessFSRemoveFile | landlock.AccessFSMakeChar | landlock.AccessFSMakeDir |
		landlock.AccessFSMakeReg | landlock.AccessFSMakeSock | landlock.AccessFSMakeFifo | landlock.AccessFSMakeBlock | landlock.AccessFSMakeSym |
		landlock.AccessFSRefer
	writesSince3 = landlock.AccessFSTruncate
)

// writeRules makes the rules that let a thread write below folders alone, and to the device that
// takes what nobody wants. A folder that is not there is left out.
func writeRules(folders []string) (rules int, ok bool) {
	version, err := landlock.LandlockGetABIVersion()
	if err != nil || version < 2 {
		return 0, false
	}
	tree, file := uint64(writesTree), uint64(writesFile)
	if version >= 3 {
		tree, file = tree|writesSince3, file|writesSince3
	}
	rules, err = landlock.LandlockCreateRuleset(&landlock.RulesetAttr{HandledAccessFS: tree}, 0)
	if err != nil {
		return 0, false
	}
	allow := func(path string, access uint64) error {
		at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil // nothing is there to write to
		}
		defer unix.Close(at) //nolint:errcheck // it is a handle alone
		return landlock.LandlockAddPathBeneathRule(rules, &landlock.PathBeneathAttr{AllowedAccess: access, ParentFd: at}, 0)
	}
	err = allow(os.DevNull, file)
	for _, folder := range folders {
		if err == nil {
			err = allow(folder, tree)
		}
	}
	if err != nil {
		_ = unix.Close(rules)
		return 0, false
	}
	return rules, true
}
