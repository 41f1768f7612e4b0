package parts

import (
	"os"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.KeepGarbage(m.Run)()) }
