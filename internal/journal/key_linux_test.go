package journal_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sectile/sectile/internal/testkit"
)

// TestStuckInAnEncryptedFolder does so in an encrypted folder of ext4 (fscrypt), whose key is taken away and
// given back.
func TestStuckInAnEncryptedFolder(t *testing.T) {
	if !testkit.WithMounts(t) {
		return
	}
	top := mountEncrypted(t)
	p, raw := filepath.Join(top, "p"), [64]byte{1, 2, 3}
	id := addKey(t, top, raw)
	policy := unix.FscryptPolicyV2{Version: unix.FSCRYPT_POLICY_V2, Contents_encryption_mode: unix.FSCRYPT_MODE_AES_256_XTS, Filenames_encryption_mode: unix.FSCRYPT_MODE_AES_256_CTS, Master_key_identifier: id}
	if err := errors.Join(os.Remove(filepath.Join(top, "lost+found")), os.Mkdir(p, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := control(p, unix.FS_IOC_SET_ENCRYPTION_POLICY, unsafe.Pointer(&policy)); err != nil {
		t.Skip("nothing can be encrypted: ", err)
	}
	waitsForAKey(t, top, func(t *testing.T, p string) context.Context {
		t.Helper()
		unix.Sync()
		arg := unix.FscryptRemoveKeyArg{Key_spec: specifier(id)}
		err := control(top, unix.FS_IOC_REMOVE_ENCRYPTION_KEY, unsafe.Pointer(&arg))
		if _, seen := os.Lstat(filepath.Join(p, "b.md")); err != nil || !errors.Is(seen, fs.ErrNotExist) {
			t.Fatalf("the key isn't away: %v, %#x, %v", err, arg.Removal_status_flags, seen)
		}
		return t.Context()
	}, func(t *testing.T, _ string) context.Context {
		t.Helper()
		addKey(t, top, raw)
		return t.Context()
	})
}

// mountEncrypted returns the top of a file system of ext4 whose folders can be encrypted.
func mountEncrypted(t *testing.T) string {
	t.Helper()
	dir := testkit.Mount(t, "size=64m")
	image, top := filepath.Join(dir, "image"), filepath.Join(dir, "top")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 32<<20), os.Mkdir(top, 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"mkfs.ext4", "-q", "-O", "encrypt", image}, {"mount", "-o", "loop", image, top}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("nothing can be mounted: %s: %v: %s", args[0], err, out)
		}
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(top, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return top
}

// specifier names a key by its identifier.
func specifier(id [16]byte) (s unix.FscryptKeySpecifier) {
	s.Type = unix.FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER
	copy(s.U[:], id[:])
	return s
}

// addKey gives the file system a key, and returns its identifier.
func addKey(t *testing.T, top string, raw [64]byte) (id [16]byte) {
	t.Helper()
	arg := struct {
		unix.FscryptAddKeyArg

		raw [64]byte
	}{unix.FscryptAddKeyArg{Key_spec: specifier(id), Raw_size: uint32(len(raw))}, raw}
	if err := control(top, unix.FS_IOC_ADD_ENCRYPTION_KEY, unsafe.Pointer(&arg)); err != nil {
		t.Skip("nothing can be encrypted: ", err)
	}
	copy(id[:], arg.Key_spec.U[:])
	return id
}

// control makes one of the system's calls about a folder.
func control(dir string, request uint, arg unsafe.Pointer) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), uintptr(request), uintptr(arg)); errno != 0 {
		return errno
	}
	return nil
}
