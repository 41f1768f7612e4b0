package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

const mit = `MIT License

Copyright (c) 2020 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

const gpl = `This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version.

This program is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU General Public License for more details.

You should have received a copy of the GNU General Public License along with this program. If not, see <https://www.gnu.org/licenses/>.
`

const bsd = `Copyright (c) 2009,2014 Somebody Inc. All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
`

// mousetrap finds the licence of a module that is linked on Windows alone.
var mousetrap = regexp.MustCompile(`(?s)\n={80}\ngithub\.com/inconshreveable/mousetrap v\S+, LICENSE\n.*?(\n={80}\n|\z)`)

// apache returns the Apache licence as a module that is linked has it, with its line of
// copyright replaced. It is taken from the file that goes with the program: on a new
// machine no test may depend on which modules happen to be there.
func apache(t *testing.T, copyright string) string {
	t.Helper()
	all, err := os.ReadFile(filepath.Join("..", "..", target))
	if err != nil {
		t.Fatal(err)
	}
	const its = "   Copyright 2022 Alan Shreve (@inconshreveable)\n"
	text := mousetrap.FindString(string(unixLines(all)))
	if !strings.Contains(text, its) {
		t.Fatalf("%s has no licence of mousetrap with the line %q", target, its)
	}
	_, text, _ = strings.Cut(text, ", LICENSE\n")
	text = strings.TrimRight(text, "=\n") + "\n"
	return strings.Replace(text, its, copyright, 1)
}

func TestLicencesAreJudged(t *testing.T) {
	testkit.OneGoroutine(t)
	one := func(text string) []file { return []file{{Name: "LICENSE", Text: []byte(text)}} }
	mitBy := func(copyright string) []file {
		return one(strings.Replace(mit, "Copyright (c) 2020 Somebody", copyright, 1))
	}
	for name, tt := range map[string]struct {
		files []file
		want  string // in the error; empty for none
	}{
		"allowed":              {one(mit), ""},
		"with a notice":        {[]file{{Name: "LICENSE", Text: []byte(mit)}, {Name: "NOTICE", Text: []byte("Words.")}}, ""},
		"two allowed":          {one(mit + "\n---\n\n" + bsd), ""},
		"Apache":               {one(apache(t, "   Copyright 2019 J. Q. Public\n")), ""},
		"not allowed":          {one(gpl), "GPL-3.0"},
		"one of two":           {[]file{{Name: "LICENSE", Text: []byte(mit)}, {Name: "sub/COPYING", Text: []byte(gpl)}}, "sub/COPYING"},
		"both in one file":     {one(mit + "\n" + gpl), "GPL-3.0"},
		"with more terms":      {one(mit + strings.Repeat("Nobody may use it on a Sunday, nor sell it. ", 20)), "read it"},
		"unknown":              {one("Do what I say."), "no licence that is known"},
		"none":                 {nil, "no file"},
		"a notice and no more": {[]file{{Name: "NOTICE", Text: []byte(mit)}}, "no file"},

		"names":                  {mitBy("Copyright (c) 2012-2015, 2019 Ann de Groot, Bob van X and the Example Authors <a@example.com>\n(c) 2020 - present"), "present"},
		"names and years":        {mitBy("Copyright (c) 2012-2015, 2019 Ann de Groot, Bob van X and the Example Authors <a@example.com>\nCopyright © 2020 by Example Inc. (https://example.com/)\nAll rights reserved."), ""},
		"may not be sold":        {one(mit + "\nThe Software may not be sold.\n"), "may not be sold"},
		"before it":              {one("For non-commercial use only.\n\n" + mit), "non-commercial"},
		"in the title":           {one("MIT License, for non-commercial use\n\n" + strings.TrimPrefix(mit, "MIT License\n")), "non-commercial"},
		"below the copyright":    {mitBy("Copyright (c) 2020 Somebody\nThis may not be sold."), "may not be sold"},
		"beside the copyright":   {mitBy("Copyright (c) 2020 Somebody. It may not be sold."), "may not be sold"},
		"for the copyright":      {mitBy("Copyright Somebody. It may not be sold."), "may not be sold"},
		"non-commercial":         {mitBy("Copyright (c) 2020 Somebody, non-commercial use only"), "non-commercial"},
		"Commons Clause":         {one("\"Commons Clause\" License Condition v1.0\n\nThe Software is provided to you by the Licensor under the License, as defined below, subject to the following condition.\n\nWithout limiting other conditions in the License, the grant of rights under the License will not include, and the License does not grant to you, the right to Sell the Software.\n\n" + mit), "ommons"},
		"BSD and more":           {one(bsd + "\n3. It may not be sold.\n"), "may not be sold"},
		"BSD, below the names":   {one(strings.Replace(bsd, "reserved.\n", "reserved.\nNobody sells it.\n", 1)), "Nobody sells it"},
		"Apache and more":        {one(apache(t, "   Copyright 2019 J. Q. Public\n") + "\nIt may not be sold.\n"), "may not be sold"},
		"Apache, in the names":   {one(apache(t, "   Copyright 2019 J. Q. Public, not to be sold\n")), "not to be sold"},
		"Apache, a paragraph":    {one(apache(t, "   Copyright 2019 J. Q. Public\n\n   This may not be sold.\n")), "may not be sold"},
		"Apache, below the name": {one(apache(t, "   Copyright 2019 J. Q. Public\n   This may not be sold.\n")), "may not be sold"},
	} {
		m := &module{Path: "example.com/m", Version: "v1.0.0", Files: tt.files}
		err := m.judge()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReadWhole has the text of a file that was read by somebody, and then another one.
func TestReadWhole(t *testing.T) {
	testkit.OneGoroutine(t)
	const text = "Do what I say."
	readWhole["example.com/m"] = struct{ sum, id, reason string }{"6a1ee52e43f0f8bd4bf6ef3b0a0e6b0a", "BSD-3-Clause", "a test"}
	defer delete(readWhole, "example.com/m")
	m := &module{Path: "example.com/m", Files: []file{{Name: "LICENSE", Text: []byte(text)}}}
	if err := m.judge(); err == nil {
		t.Error("another text is taken for the one that was read")
	}
	known := readWhole["example.com/m"]
	known.sum = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	readWhole["example.com/m"] = known
	if err := m.judge(); err != nil || m.licences() != "BSD-3-Clause" {
		t.Error(err, m.licences())
	}
}

func TestRender(t *testing.T) {
	testkit.OneGoroutine(t)
	m := &module{Path: "example.com/m", Version: "v1.0.0", Files: []file{{Name: "LICENSE", Text: []byte(strings.ReplaceAll(mit, "\n", " \r\n"))}}}
	if err := m.judge(); err != nil {
		t.Fatal(err)
	}
	other := &module{Path: "example.com/other", Version: "v2.0.0", Files: []file{{Name: "COPYING", IDs: []string{"ISC"}}}}
	got := string((&contents{linked: []*module{m}, built: []*module{other}}).render())
	if strings.Contains(got, "COPYING") {
		t.Errorf("the text of what is not linked is in\n%s", got)
	}
	for _, want := range []string{"\nexample.com/m v1.0.0  MIT\n", "built with it:\n\nexample.com/other v2.0.0  ISC\n", "\nexample.com/m v1.0.0, LICENSE\n\nMIT License\n\nCopyright (c) 2020 Somebody\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestToolsAreJudged(t *testing.T) {
	for name, tt := range map[string]struct{ lock, want, err string }{
		"allowed":           {`{"packages":{"":{"version":"1.0.0"},"node_modules/a":{"version":"1.0.0","license":"MIT"},"node_modules/a/node_modules/@b/c":{"version":"2.0.0","license":"ISC"}}}`, "@b/c 2.0.0 ISC; a 1.0.0 MIT; ", ""},
		"for tools":         {`{"packages":{"node_modules/a":{"version":"1.0.0","license":"MPL-2.0"}}}`, "a 1.0.0 MPL-2.0!; ", ""},
		"a choice":          {`{"packages":{"node_modules/a":{"version":"1.0.0","license":"(GPL-2.0 OR BSD-3-Clause)"}}}`, "a 1.0.0 BSD-3-Clause; ", ""},
		"no choice":         {`{"packages":{"node_modules/a":{"version":"1.0.0","license":"(GPL-2.0 OR SSPL-1.0)"}}}`, "", "GPL-2.0"},
		"both":              {`{"packages":{"node_modules/a":{"version":"1.0.0","license":"(MIT AND SSPL-1.0)"}}}`, "", "MIT AND SSPL"},
		"none":              {`{"packages":{"node_modules/a":{"version":"1.0.0"}}}`, "", "no licence is known of a 1.0.0"},
		"see there":         {`{"packages":{"node_modules/a":{"version":"1.0.0","license":"SEE LICENSE IN LICENSE"}}}`, "", "SEE LICENSE"},
		"read":              {`{"packages":{"node_modules/format":{"version":"1.0.0"}}}`, "format 1.0.0 MIT; ", ""},
		"read, but changed": {`{"packages":{"node_modules/format":{"version":"2.0.0","license":"SSPL-1.0"}}}`, "", "SSPL-1.0"},
		"for one system":    {`{"packages":{"node_modules/a-b":{"version":"1.0.0","license":"SSPL-1.0","os":["linux"]}}}`, "", "SSPL-1.0"},
	} {
		tools, err := lockedPackages([]byte(tt.lock))
		got := ""
		slices.SortFunc(tools, func(a, b tool) int { return strings.Compare(a.name, b.name) })
		for _, t := range tools {
			got += t.name + " " + strings.Join(t.licences, ", ")
			if t.special {
				got += "!"
			}
			got += "; "
		}
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for name, tt := range map[string]struct {
		text string
		err  string
	}{
		"allowed":   {mit, ""},
		"for tools": {gpl, ""},
		"unknown":   {"Do what I say.", "0 %"},
	} {
		m := &module{Path: "example.com/m", Version: "v1.0.0", Files: []file{{Name: "LICENSE", Text: []byte(tt.text)}, {Name: "NOTICE", Text: []byte("Words.")}}}
		if _, err := m.judgeTool(); (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (&module{Path: "example.com/m"}).judgeTool(); err == nil {
		t.Error("no file is no error")
	}
}
