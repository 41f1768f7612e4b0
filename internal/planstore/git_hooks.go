package planstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// mayRunHooks reports whether a command is one for which git knows hooks: it moves
// a ref, or may write the index.
func mayRunHooks(c *call) bool {
	return slices.Contains([]string{"update-ref", "diff", "ls-files"}, c.args[0])
}

// hooksOff returns the variables that switch off each hook that the configuration
// names, which since git 2.54 run beside those of core.hooksPath. Variables can have
// names that a command line can't.
func (s *gitStore) hooksOff(ctx context.Context, at *gitPlace) ([]string, error) {
	c := &call{first: harmlessGit(), env: at.env(), args: []string{"config", "-z", "--name-only", "--get-regexp", `^hook\.`}}
	r, err := s.program.in(at.workDir()).try(ctx, c)
	if err != nil {
		return nil, err
	}
	var keys []string
	for key := range strings.SplitSeq(string(r.out), "\x00") {
		last := strings.LastIndexByte(key, '.')
		if last <= len("hook.") { // it names no hook
			continue
		}
		if key = key[:last] + ".enabled"; !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	env := []string{fmt.Sprint("GIT_CONFIG_COUNT=", len(keys))}
	for i, key := range keys {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=false", i))
	}
	return env, nil
}
