package planning

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sectile/sectile/internal/files"
	"github.com/sectile/sectile/internal/replies"
	"github.com/sectile/sectile/internal/testkit"
	"github.com/sectile/sectile/plan"
)

var updatePages = flag.Bool("update", false, "write the golden pages anew")

const hostilePlan = "feat(<b>)!: \"quotes\" & </title><script>alert(1)</script> %s \x1b[2J\u202e\n\nWhy <i>.\nSecond line.\n\nNext.\n\n" +
	"- Never: <img src=x onerror=alert(1)>\n- Odd: Thing: y\n\n" +
	"- [x]: one [id:: one]\n- [ ]: two [after:: one] [claim:: <b>ann</b> until 2030-01-02T03:04:05Z] [note:: <i>why</i>]\n  - [x]: deep\n    - [x]: deeper </li></ul>\n  - [ ]: less deep\n- [ ]: three\n\nGo on until done.\n\n~~~ GO ON ~~~\n"

// fullLineText is a line that a next one goes on from.
var fullLineText = strings.Repeat("word ", 12) + "word"

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
	if regexp.MustCompile(`url\(|@import|@font-face`).MatchString(planStyle) {
		t.Error("the style loads something")
	}
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "No plan yet"},
		{"no plan", "Hello <b>\n", "Hello &lt;b&gt;"},
		{"halted", "feat(a): b\n\n- [-] x\n", "<li>line 3: "},
		{"goal alone", "feat(a): b\n", "<span>a</span></p>\n<h1 dir=\"auto\">b</h1>"},
		{"ignored title", "feat: b\n", "<span>feat</span></p>\n<h1 dir=\"auto\">b</h1>"},
		{"title that is too long", "feat(a): " + strings.Repeat("b", 999) + "\n", "<header>\n<h1 dir=\"auto\">feat(a): bbb"},
		{"problems before the text", "feat(a): b\n\n- [-] x\n", "</ul>\n</section>\n<section>\n<h2>Text</h2>\n<pre"},
		{"full lines", "feat(a): b\n\n" + fullLineText + "\ngoes on,\nends " + fullLineText + "\n* item\n", fullLineText + " goes on,\nends " + fullLineText + "\n* item</p>"},
		{"direction", "feat(a): b\n\nc\n\n- [ ]: \u05d0\n  - [ ]: d\n", "<ul class=\"tasks\" dir=\"auto\">\n<li class=\"open\"><div>"},
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

// TestPlanPageContrast computes how well texts stand out from the ground in each
// palette, as WCAG 2.2 defines it: at least 4.5 to 1.
func TestPlanPageContrast(t *testing.T) {
	palettes := regexp.MustCompile(`:root \{([^}]*)\}`).FindAllStringSubmatch(planStyle, -1)
	if len(palettes) != 3 {
		t.Fatalf("%d palettes, want those for light, dark and paper", len(palettes))
	}
	for _, palette := range palettes {
		light := map[string]float64{}
		for _, color := range regexp.MustCompile(`--(\w+): #(\w{6});`).FindAllStringSubmatch(palette[1], -1) {
			rgb, err := strconv.ParseUint(color[2], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			light[color[1]] = 0.2126*linear(rgb>>16) + 0.7152*linear(rgb>>8&255) + 0.0722*linear(rgb&255)
		}
		for _, name := range []string{"text", "quiet", "accent", "done"} {
			high, low := max(light[name], light["ground"]), min(light[name], light["ground"])
			if ratio := (high + 0.05) / (low + 0.05); ratio < 4.5 {
				t.Errorf("%s has a contrast of %.2f in%s", name, ratio, palette[1])
			}
		}
	}
}

// linear is the light of a channel of sRGB, from 0 to 1.
func linear(channel uint64) float64 {
	c := float64(channel) / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// TestPlanWriteTextOver: a page takes the place of a page or of JSON, and of no other text, such as a plan;
// nor of a document or a configuration, whatever it holds.
func TestPlanWriteTextOver(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	if err := os.Mkdir("sectile", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, old string
		written   bool
	}{
		{"plan.md", "<!DOCTYPE html>", false},
		{".sectile.yaml", "{}", false},
		{"sectile/config.yaml", "{}", false},
		{"plan.txt", "feat: a\n", false},
		{"pom.xml", "<project>", false},
		{"plan.html", "<!DOCTYPE html>", true},
		{"plan.json", "{}", true},
		{"empty.txt", "", true},
	} {
		name, written := c.name, c.written
		if err := os.WriteFile(name, []byte(c.old), 0o600); err != nil {
			t.Fatal(err)
		}
		err := WriteText(t.Context(), name, []byte("page"))
		var e *replies.Error
		if text, _ := os.ReadFile(name); (string(text) == "page") != written || (err == nil) != written ||
			!written && (!errors.As(err, &e) || !strings.Contains(e.Message.String(), "would be lost")) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if err := WriteText(t.Context(), "new.md", []byte("page")); err != nil {
		t.Error(err)
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
	if ours, ok := errors.AsType[*replies.Error](err); !ok || !strings.HasSuffix(ours.Message.String(), "nothing was written") {
		t.Errorf("error %v", err)
	}
}

// TestPlanWriteNoLink writes a page where a clone has links, and into the data of version
// control: nothing that was there is changed.
func TestPlanWriteNoLink(t *testing.T) {
	base := t.TempDir()
	for _, dir := range []string{"project/.git", "project/docs", "outside"} {
		if err := os.MkdirAll(filepath.Join(base, filepath.FromSlash(dir)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const text = "feat(a): b\n\n\n\n- [ ] c\n"
	for _, name := range []string{"project/.git/config", "project/.git/p.md", "project/a.txt", "outside/a.txt"} {
		if err := os.WriteFile(filepath.Join(base, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(base, "project"))
	for name, target := range map[string]string{
		"plan.html": ".git/config", "out.html": "../outside/a.txt", "new.html": "../outside/new", "in.html": "a.txt", "far": "../outside", "near": "docs",
	} {
		if err := os.Symlink(filepath.FromSlash(target), name); err != nil {
			testkit.Missing(t, "there are no links here: "+err.Error())
		}
	}
	for _, path := range []string{".git/config", ".git/new", "plan.html", "out.html", "new.html", "in.html", "far/a.txt", "far/new"} {
		var e *replies.Error
		err := WriteText(t.Context(), filepath.FromSlash(path), []byte("page"))
		if !errors.As(err, &e) || e.Code != "path_outside_root" || !strings.Contains(e.Message.String(), "nothing was written") {
			t.Errorf("%s: %v", path, err)
		}
	}
	lock, err := files.LockFolder(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- WriteText(t.Context(), "late.html", []byte("page")) }()
	time.Sleep(50 * time.Millisecond) // it waits for the folder
	if err := os.Symlink(filepath.FromSlash("../outside/a.txt"), "late.html"); err != nil {
		t.Fatal(err)
	}
	lock.Release()
	if err := <-ended; err == nil {
		t.Error("a link that came in time is followed")
	}
	plans := NewPlans(PlanOptions{})
	var e *replies.Error
	if changed, err := plans.FormatFile(t.Context(), filepath.FromSlash(".git/p.md"), ""); changed || !errors.As(err, &e) || e.Code != "path_outside_root" {
		t.Errorf("a plan in .git is formatted: %v, %v", changed, err)
	}
	for _, path := range []string{"plan2.html", "near/a.html", filepath.Join(base, "outside", "b.html"), filepath.FromSlash("../outside/c.html")} {
		if err := WriteText(t.Context(), path, []byte("page")); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, name := range []string{"project/.git/config", "project/.git/p.md", "project/a.txt", "outside/a.txt"} {
		if got, err := os.ReadFile(filepath.Join(base, filepath.FromSlash(name))); err != nil || string(got) != text {
			t.Errorf("%s was changed: %q, %v", name, got, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(base, "outside", "new")); err == nil {
		t.Error("a file outside was made")
	}
}
