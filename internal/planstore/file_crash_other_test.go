//go:build !linux

package planstore

import "errors"

func killAtNextFile(string) error { return errors.ErrUnsupported }

func canKill(string) error { return errors.ErrUnsupported }
