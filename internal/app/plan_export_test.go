package app

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/plan"
)

var updatePages = flag.Bool("update", false, "write the golden pages anew")

const hostilePlan = "feat(<b>)!: \"quotes\" & </title><script>alert(1)</script> %s \x1b[2J\u202e\n\nWhy <i>.\nSecond line.\n\nNext.\n\n" +
	"- Never: <img src=x onerror=alert(1)>\n- Odd: Thing: y\n\n" +
	"- [x]: one\n- [ ]: two\n  - [x]: deep\n    - [x]: deeper </li></ul>\n  - [ ]: less deep\n- [ ]: three\n\nGo on until done.\n\n~~~ GO ON ~~~\n"

func TestPlanPage(t *testing.T) {
	page := inspected(t, hostilePlan).html(plan.Stages())
	golden := filepath.Join("testdata", "plan", "page.html")
	if *updatePages {
		if err := os.WriteFile(golden, page, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(page)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestPlanPages reads pages of all kinds: they are well-formed, have nothing that runs
// or is loaded, and what a plan says is text.
func TestPlanPages(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "No plan yet"},
		{"no plan", "Hello <b>\n", "Hello &lt;b&gt;"},
		{"halted", "feat(a): b\n\n- [-] x\n", "line 3: "},
		{"goal alone", "feat(a): b\n", "<h1>b</h1>"},
		{"ignored title", "feat: b\n", "<h1>b</h1>"},
		{"complete", "feat(a): b\n\nc\n\n- [x]: d\n\n~~~ COMPLETE ~~~\n", `<li aria-current="step">completion`},
		{"hostile", hostilePlan, "&lt;script&gt;"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			page := string(inspected(t, tt.text).html(plan.Stages()))
			if !strings.Contains(page, tt.want) {
				t.Errorf("%q is not in the page:\n%s", tt.want, page)
			}
			if strings.ContainsAny(page, "\x1b\u202e") {
				t.Error("the page has what acts without being seen")
			}
			// What HTML leaves open is closed for a reader that is strict.
			page = regexp.MustCompile(`(<meta [^>]*)>`).ReplaceAllString(page, "$1/>")
			d := xml.NewDecoder(strings.NewReader(page))
			d.Entity = xml.HTMLEntity
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				start, ok := token.(xml.StartElement)
				if !ok {
					continue
				}
				switch start.Name.Local {
				case "script", "img", "link", "iframe", "b", "i":
					t.Errorf("the page has <%s>", start.Name.Local)
				}
				for _, a := range start.Attr {
					if a.Name.Local == "src" || a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") {
						t.Errorf("<%s> has %s", start.Name.Local, a.Name.Local)
					}
				}
			}
		})
	}
}

func TestPlanWriteText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	if err := WriteText(t.Context(), path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
	err := WriteText(t.Context(), filepath.Join(path, "below"), []byte("x"))
	if ours, ok := errors.AsType[*Error](err); !ok || !strings.HasSuffix(ours.Message, "nothing was written") {
		t.Errorf("error %v", err)
	}
}
