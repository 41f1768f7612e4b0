package main

import (
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/racing"
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

func TestLicencesAreJudged(t *testing.T) {
	racing.OneGoroutine(t)
	for name, tt := range map[string]struct {
		files []file
		want  string // in the error; empty for none
	}{
		"allowed":              {[]file{{Name: "LICENSE", Text: []byte(mit)}}, ""},
		"with a notice":        {[]file{{Name: "LICENSE", Text: []byte(mit)}, {Name: "NOTICE", Text: []byte("Words.")}}, ""},
		"not allowed":          {[]file{{Name: "LICENSE", Text: []byte(gpl)}}, "GPL-3.0"},
		"one of two":           {[]file{{Name: "LICENSE", Text: []byte(mit)}, {Name: "sub/COPYING", Text: []byte(gpl)}}, "sub/COPYING"},
		"both in one file":     {[]file{{Name: "LICENSE", Text: []byte(mit + "\n" + gpl)}}, "GPL-3.0"},
		"with more terms":      {[]file{{Name: "LICENSE", Text: []byte(mit + strings.Repeat("Nobody may use it on a Sunday, nor sell it. ", 20))}}, "read it"},
		"unknown":              {[]file{{Name: "LICENSE", Text: []byte("Do what I say.")}}, "0 %"},
		"none":                 {nil, "no file"},
		"a notice and no more": {[]file{{Name: "NOTICE", Text: []byte(mit)}}, "no file"},
	} {
		m := &module{Path: "example.com/m", Version: "v1.0.0", Files: tt.files}
		err := m.judge()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRender(t *testing.T) {
	racing.OneGoroutine(t)
	m := &module{Path: "example.com/m", Version: "v1.0.0", Files: []file{{Name: "LICENSE", Text: []byte(strings.ReplaceAll(mit, "\n", " \r\n"))}}}
	if err := m.judge(); err != nil {
		t.Fatal(err)
	}
	other := &module{Path: "example.com/other", Version: "v2.0.0", Files: []file{{Name: "COPYING", IDs: []string{"ISC"}}}}
	got := string(render([]*module{m}, []*module{other}))
	if strings.Contains(got, "COPYING") {
		t.Errorf("the text of what is not linked is in\n%s", got)
	}
	for _, want := range []string{"\nexample.com/m v1.0.0  MIT\n", "built with it:\n\nexample.com/other v2.0.0  ISC\n", "\nexample.com/m v1.0.0, LICENSE\n\nMIT License\n\nCopyright (c) 2020 Somebody\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
