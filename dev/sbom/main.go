// The command package-sbom lists what a program is made of: its modules with their
// versions, hashes and licences, and the version of Go, as a bill of materials in the form
// of CycloneDX 1.6.
//
//	go run ./dev/sbom -time 1767225600 -licences THIRD_PARTY_LICENSES -o FILE PROGRAM
//
// The list is what Go's linker has written into the program, so it is of just these bytes,
// whose hash it names; the licences are those that dev/licences found. The same program
// makes the same list.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	seconds := flag.Int64("time", 0, "the date of the list, in seconds since 1970")
	licences := flag.String("licences", "THIRD_PARTY_LICENSES", "the file that names the licences of modules")
	out := flag.String("o", "", "the file that is written")
	flag.Parse()
	if flag.NArg() != 1 || *out == "" {
		fmt.Fprintln(os.Stderr, "usage: package-sbom [-time SECONDS] [-licences FILE] -o FILE PROGRAM")
		os.Exit(2)
	}
	if err := write(*out, flag.Arg(0), *licences, time.Unix(*seconds, 0).UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "package-sbom:", err)
		os.Exit(1)
	}
}

// write writes the list of what a program is made of to the file out.
func write(out, program, licences string, date time.Time) error {
	text, err := os.ReadFile(licences)
	if err != nil {
		return err
	}
	bom, err := list(program, licencesOf(string(text)), date)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	var b bytes.Buffer
	if err := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o644)
}

// list returns what a program is made of.
func list(program string, licences map[string][]string, date time.Time) (*cdx.BOM, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	self := component(&info.Main, []string{"MIT"})
	self.Type = cdx.ComponentTypeApplication
	self.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}}
	self.Properties = &[]cdx.Property{{Name: "sectile:file", Value: filepath.Base(program)}}
	library := component(&debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")}, licences["Go's standard library"])
	parts := []cdx.Component{}
	for _, m := range info.Deps {
		if m.Replace != nil {
			return nil, fmt.Errorf("%s is replaced, so that its version says nothing", m.Path)
		}
		part := component(m, licences[m.Path+" "+m.Version])
		if part.Hashes, err = hashes(m.Sum); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		parts = append(parts, part)
	}
	parts = append(parts, library)
	for i := range parts {
		if part := &parts[i]; part.Licenses == nil {
			return nil, fmt.Errorf("no licence is known of %s %s; write them with: scripts/dev licences", part.Name, part.Version)
		}
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: date.Format(time.RFC3339), Component: &self}
	bom.Components = &parts
	return bom, nil
}

// component returns a module with licences, by SPDX.
func component(m *debug.Module, licences []string) cdx.Component {
	address := "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(m.Version, "+", "%2B")
	c := cdx.Component{
		Type: cdx.ComponentTypeLibrary, BOMRef: address, PackageURL: address,
		Name: m.Path, Version: m.Version,
	}
	var all cdx.Licenses
	for _, id := range licences {
		all = append(all, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	if all != nil {
		c.Licenses = &all
	}
	return c
}

// hashes returns the hash that go.sum has of a module's files.
func hashes(sum string) (*[]cdx.Hash, error) {
	text, found := strings.CutPrefix(sum, "h1:")
	raw, err := base64.StdEncoding.DecodeString(text)
	if !found || err != nil || len(raw) != sha256.Size {
		return nil, errors.Join(fmt.Errorf("%q is no hash of a module", sum), err)
	}
	return &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(raw)}}, nil
}

// licenceLine finds a line of the list of what is linked: a module, two spaces or more,
// and its licences.
var licenceLine = regexp.MustCompile(`(?m)^(\S.*?) {2,}(\S.*)$`)

// licencesOf returns the licences in the first list of THIRD_PARTY_LICENSES, by modules
// with their versions.
func licencesOf(text string) map[string][]string {
	linked, _, _ := strings.Cut(text, "\nNot part of the program")
	found := map[string][]string{}
	for _, m := range licenceLine.FindAllStringSubmatch(linked, -1) {
		found[m[1]] = strings.Split(m[2], ", ")
	}
	return found
}
