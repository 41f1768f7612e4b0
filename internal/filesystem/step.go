package filesystem

import "context"

// What changes a file or folder is a step. Tests end an update before any of them, as a kill
// does, or have one fail, as a full disk has it.

// Steps is called before each step of an update with the name of the system's call and that
// of the file in its folder; an error stands in the place of the call. The nil one lets all
// be done.
type Steps func(call, name string) error

// stepsKey is the key of Steps in a context.
type stepsKey struct{}

// WithSteps returns a context whose updates tell of their steps.
func WithSteps(ctx context.Context, steps Steps) context.Context {
	return context.WithValue(ctx, stepsKey{}, steps)
}

// StepsOf returns who is told of the steps of updates, nil for nobody.
func StepsOf(ctx context.Context) Steps {
	steps, _ := ctx.Value(stepsKey{}).(Steps)
	return steps
}

// Before tells of the step that comes.
func (s Steps) Before(call, name string) error {
	if s == nil {
		return nil
	}
	return s(call, name)
}

// Do tells of a step, and does it.
func (s Steps) Do(call, name string, step func() error) error {
	if err := s.Before(call, name); err != nil {
		return err
	}
	return step()
}
