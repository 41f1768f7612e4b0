package planning

import (
	"os"
	"testing"

	"github.com/sectile/sectile/internal/testkit"
)

// TestMain has git read no configuration of the machine.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(testkit.RunInMemory(testkit.KeepGarbage(m.Run)))
}
