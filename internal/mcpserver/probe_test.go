package mcpserver

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

func TestProbe(t *testing.T) {
	report, err := Probe(t.Context(), testkit.BuildProgram(t), "mcp")
	if err != nil {
		t.Fatal(err)
	}
	if report.ProtocolVersion != revisions[0] || report.ServerName != "sectile" || report.Called != "markdown_tree" || report.CallFailed {
		t.Errorf("%+v", report)
	}
	if !slices.Contains(report.Tools, "mdsel_index") || report.ListBytes < 1000 || report.FirstReply <= 0 || report.Call <= 0 ||
		report.Cache == nil || report.Cache.Hits != 1 || report.Cache.Misses != 1 || report.Cache.Bytes <= len(probeDocument) {
		t.Errorf("%+v", report)
	}
	report, err = Probe(t.Context(), testkit.BuildProgram(t), "mcp", "--tools", "mdsel_index")
	if err != nil || report.Called != "mdsel_index" || !strings.Contains(report.CallText, "h2.0 Section") {
		t.Errorf("%v: %+v", err, report)
	}
}

func TestProbeOfWhatIsNoServer(t *testing.T) {
	if _, err := Probe(t.Context(), testkit.BuildProgram(t)+"-missing"); err == nil {
		t.Error("a program that isn't there answers")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		testkit.Missing(t, "there is no sh here")
	}
	_, err = Probe(t.Context(), sh, "-c", "echo this is why >&2; exit 1")
	if err == nil || !strings.Contains(err.Error(), "this is why") {
		t.Errorf("error %v, want the end of the log", err)
	}
}
