package app

import (
	"github.com/sectile/sectile/internal/config"
	"github.com/sectile/sectile/internal/guide"
)

// newLoader returns what reads the configuration of the project that start lies in.
// Whoever asks, all of it is checked: the same file is right or wrong for everybody.
func newLoader(start, userFile string) *config.Loader {
	return config.NewLoader(config.LoadOptions{
		Start: start, UserFile: userFile, CheckPlan: checkPlanForms,
		CheckPattern: func(text string) error { _, err := guide.ParsePattern(text); return err },
	})
}
