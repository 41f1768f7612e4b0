package programs

import (
	"debug/elf"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// start starts a command that may write below some folders alone, and read and run only what is
// named, whatever leads to others (Call.Writes, Call.Reads). Where the kernel has no Landlock that
// knows of renaming between folders (before 5.19), or has it switched off, the command may do
// anything; so may what the user has in the place of the program itself, which may need files of
// its own. A program that needs libraries in unusual folders may read anything.
func start(cmd *exec.Cmd, writes, reads []string) error {
	if writes == nil {
		return cmd.Start()
	}
	own, ok := examine(cmd.Path)
	if !ok {
		return cmd.Start()
	}
	var runs []string
	if own == nil {
		reads = nil
	}
	if reads != nil {
		runs = slices.Concat(systemFolders[:], own, foldersOf(cmd.Env))
	}
	rules, ok := makeRules(writes, reads, runs)
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

// systemFolders have the programs of the system and their libraries, and systemFiles what the C
// library, git and Jujutsu read beside them.
var (
	systemFolders = [...]string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store", "/snap"}
	systemFiles   = [...]string{
		"/dev/zero", "/dev/random", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo", "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu",
		"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf",
		"/etc/hosts", "/etc/host.conf", "/etc/hostname", "/etc/resolv.conf", "/etc/gai.conf", "/etc/gitattributes", "/etc/jj",
	}
)

// examine looks at the file of a program. It is not ok if that is no program of its name: a script,
// or a link to a program of another name, as those that choose among versions make. The paths are
// those that it is made of, beside what lies in systemFolders: its own file, and folders around
// that; none if it has an interpreter or libraries elsewhere.
func examine(path string) (own []string, ok bool) {
	whole, err := filepath.EvalSymlinks(path)
	if err != nil || filepath.Base(whole) != filepath.Base(path) {
		return nil, false
	}
	file, err := elf.Open(whole)
	if err != nil {
		return nil, false
	}
	defer file.Close() //nolint:errcheck // it was read alone
	around := filepath.Dir(filepath.Dir(whole))
	own = []string{whole, filepath.Join(around, "lib"), filepath.Join(around, "libexec"), filepath.Join(around, "share", "git-core"), filepath.Join(around, "etc", "gitconfig")}
	for _, place := range libraries(file) {
		place = filepath.Clean(strings.NewReplacer("$ORIGIN", filepath.Dir(whole), "${ORIGIN}", filepath.Dir(whole)).Replace(place))
		if !slices.ContainsFunc(slices.Concat(systemFolders[:], own), func(dir string) bool { return place == dir || strings.HasPrefix(place, dir+"/") }) {
			return nil, true
		}
	}
	return own, true
}

// libraries returns what a program says of where its interpreter and its libraries are.
func libraries(file *elf.File) (places []string) {
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			path, _ := io.ReadAll(io.LimitReader(part.Open(), unix.PathMax))
			places = append(places, strings.TrimRight(string(path), "\x00"))
		}
	}
	for _, tag := range [...]elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH} {
		lists, _ := file.DynString(tag) // a static program has none
		for _, list := range lists {
			places = append(places, strings.FieldsFunc(list, func(r rune) bool { return r == ':' })...)
		}
	}
	return places
}

// foldersOf returns the folders and files in which the user's environment has a program find what
// it is made of.
func foldersOf(env []string) (list []string) {
	for _, variable := range env {
		switch name, value, _ := strings.Cut(variable, "="); name {
		case "LD_LIBRARY_PATH", "LD_PRELOAD", "GIT_EXEC_PATH":
			list = append(list, strings.FieldsFunc(value, func(r rune) bool { return r == ':' || r == ' ' })...)
		}
	}
	return list
}

// What a command does to files and folders that it writes: those of ABI 3 aren't known to ABI 2.
const (
	writesFile = landlock.AccessFSWriteFile
	writesTree = writesFile | landlock.AccessFSRemoveDir | landlock.AccessFSRemoveFile | landlock.AccessFSMakeChar | landlock.AccessFSMakeDir |
		landlock.AccessFSMakeReg | landlock.AccessFSMakeSock | landlock.AccessFSMakeFifo | landlock.AccessFSMakeBlock | landlock.AccessFSMakeSym |
		landlock.AccessFSRefer
	writesSince3 = landlock.AccessFSTruncate
	readsFile    = landlock.AccessFSReadFile
	readsTree    = readsFile | landlock.AccessFSReadDir
	runsFile     = landlock.AccessFSExecute
	ofFiles      = writesFile | writesSince3 | readsFile | runsFile // the others are of folders
)

// makeRules makes the rules that let a thread write below folders alone, and to the device that
// takes what nobody wants; unless reads is nil, read these files and folders alone, and those that
// it may write in, and run what is in other ones. What is not there is left out.
func makeRules(writes, reads, runs []string) (rules int, ok bool) {
	version, err := landlock.LandlockGetABIVersion()
	if err != nil || version < 2 {
		return 0, false
	}
	write := uint64(writesTree)
	if version >= 3 {
		write |= writesSince3
	}
	handled := write
	if reads != nil {
		write |= readsTree
		handled = write | runsFile
	}
	rules, err = landlock.LandlockCreateRuleset(&landlock.RulesetAttr{HandledAccessFS: handled}, 0)
	if err != nil {
		return 0, false
	}
	allow := func(access uint64, paths ...string) {
		for _, path := range paths {
			if err == nil {
				err = allowBelow(rules, path, access&handled)
			}
		}
	}
	allow(write, os.DevNull)
	allow(write, writes...)
	if reads != nil {
		allow(readsTree, slices.Concat(systemFiles[:], reads)...)
		allow(readsTree|runsFile, runs...)
	}
	if err != nil {
		_ = unix.Close(rules)
		return 0, false
	}
	return rules, true
}

// allowBelow adds the rule that a file, or what is below a folder, may be used so.
func allowBelow(rules int, path string, access uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil // nothing is there
	}
	defer unix.Close(at) //nolint:errcheck // it is a handle alone
	var info unix.Stat_t
	if err := unix.Fstat(at, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= ofFiles
	}
	return landlock.LandlockAddPathBeneathRule(rules, &landlock.PathBeneathAttr{AllowedAccess: access, ParentFd: at}, 0)
}
