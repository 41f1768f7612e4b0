// The command package-bundle makes an MCP bundle of binaries that have been built, a
// file that clients such as Claude Desktop install by itself, and the entry of the MCP
// registry that names it with its hash.
//
//	go run ./dev/bundle -version 1.2.3 -time 1767225600 -darwin FILE -linux FILE -windows FILE packaging/build
//
// The same binaries make the same bytes. The bundle is a zip file with the manifest
// packaging/mcpb/manifest.json, the licence, and a binary for each system. A bundle is
// chosen by nothing but the system, so the binary for macOS is one for both of its
// architectures; those for Linux and Windows are for amd64.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// part is a file of the bundle.
type part struct {
	name, source string
	mode         fs.FileMode
}

func main() {
	version := flag.String("version", "", "the version in the name of the bundle")
	seconds := flag.Int64("time", 0, "the date of the files, in seconds since 1970")
	darwin := flag.String("darwin", "", "the program for macOS, for both architectures")
	linux := flag.String("linux", "", "the program for Linux, for amd64")
	windows := flag.String("windows", "", "the program for Windows, for amd64")
	flag.Parse()
	if flag.NArg() != 1 || *version == "" || *darwin == "" || *linux == "" || *windows == "" {
		fmt.Fprintln(os.Stderr, "usage: package-bundle -version VERSION [-time SECONDS] -darwin FILE -linux FILE -windows FILE FOLDER")
		os.Exit(2)
	}
	err := write(flag.Arg(0), "sectile_"+*version+".mcpb", time.Unix(*seconds, 0).UTC(), []part{
		{"manifest.json", "packaging/mcpb/manifest.json", 0o644},
		{"LICENSE", "LICENSE", 0o644},
		{"THIRD_PARTY_LICENSES", "THIRD_PARTY_LICENSES", 0o644},
		{"server/sectile", *darwin, 0o755},
		{"server/sectile-linux", *linux, 0o755},
		{"server/sectile.exe", *windows, 0o755},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "package-bundle:", err)
		os.Exit(1)
	}
}

// write writes the bundle and the entry of the registry.
func write(dir, name string, date time.Time, parts []part) error {
	bundle, err := pack(date, parts)
	if err != nil {
		return err
	}
	entry, err := os.ReadFile("server.json")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(bundle)
	if entry, err = stamp(entry, hex.EncodeToString(sum[:])); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name), bundle, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "server.json"), entry, 0o644)
}

// pack returns a zip file of the parts.
func pack(date time.Time, parts []part) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.DefaultCompression)
	})
	for _, p := range parts {
		text, err := os.ReadFile(p.source)
		if err != nil {
			return nil, err
		}
		header := &zip.FileHeader{Name: p.name, Method: zip.Deflate, Modified: date}
		header.SetMode(p.mode)
		w, err := z.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// stamp adds the hash of the bundle to the entry of the registry, which refuses an
// entry without it. The order of the keys is that of the alphabet then.
func stamp(entry []byte, hash string) ([]byte, error) {
	var server map[string]any
	if err := json.Unmarshal(entry, &server); err != nil {
		return nil, fmt.Errorf("server.json: %w", err)
	}
	packages, _ := server["packages"].([]any)
	stamped := 0
	for _, p := range packages {
		if p, ok := p.(map[string]any); ok && p["registryType"] == "mcpb" {
			p["fileSha256"] = hash
			stamped++
		}
	}
	if stamped != 1 {
		return nil, errors.New("server.json: it names no package of type mcpb, or several; name one")
	}
	text, err := json.MarshalIndent(server, "", "  ")
	return append(text, '\n'), err
}
