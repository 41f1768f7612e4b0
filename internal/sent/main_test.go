package sent

import (
	"os"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.RunInMemory(testkit.KeepGarbage(m.Run))) }
