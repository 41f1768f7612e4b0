package planstore

import (
	"regexp"
	"strings"
	"sync"
)

// Git ends with one exit code for nearly all that can go wrong, so what it was is found in
// its words, in English (LC_ALL=C). A wording that is new makes a failure an unknown one,
// whose error tells the exit code alone.

// gitFailure is why a command of git failed.
type gitFailure int

const (
	unknownFailure gitFailure = iota
	refused                   // by the system
	badConfig
	unknownForm
	noRepository
	dubiousOwner
	missingObject
	damagedIndex
	lockedFile
	fileInWay
)

// HintLost says what to do about an object of git that is missing or damaged.
const HintLost = "see `git fsck`; a partial clone gets what it lacks when a command of yours needs it"

// The words of git about an object that it can't read, about a value in a configuration that it
// can't take, about a repository of a form that it doesn't know, and about a file where it needs a folder, or a folder where it needs a file.
var (
	objectWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)unable to (read|find)|missing (blob|tree|commit|object)|bad (object|file)|not a valid object|loose object|could not fetch|could not read [0-9a-f]{40}|hash mismatch|packed object .* is corrupt|inflate:|bogus commit|invalid object type|mmap failed`)
	})
	configWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(bad|invalid|unknown|unable to parse|malformed)\b.*\b(config|value|variable)|config.*\b(bad|invalid)\b`)
	})
	formWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)unknown repository extension|v1-only extension|expected git repo version|(invalid|unknown) value for 'extensions\.`)
	})
	wayWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)non-directory in the way|non-empty directory .* blocking|not a directory|exists; cannot create`)
	})
)

// failure returns why git failed.
func (r *result) failure() gitFailure {
	switch said := r.stderr; {
	case r.refusal() != nil:
		return refused
	case formWords().MatchString(said):
		return unknownForm
	case configWords().MatchString(said):
		return badConfig
	case strings.Contains(said, "not a git repository"):
		return noRepository
	case strings.Contains(said, "dubious ownership"):
		return dubiousOwner
	case objectWords().MatchString(said):
		return missingObject
	case strings.Contains(said, "index file"):
		return damagedIndex
	case strings.Contains(said, ".lock': File exists"):
		return lockedFile
	case wayWords().MatchString(said):
		return fileInWay
	}
	return unknownFailure
}

// explain returns the error for a run that failed, and what to do about it if that is known.
func (s *gitStore) explain(c *call, r *result) *Error {
	e := s.program.exitError(c, r)
	switch r.failure() {
	case badConfig:
		e.because("git can't read the repository's configuration")
		e.Hint = "see what `git config --list` says in a terminal"
	case unknownForm:
		e.because("the repository's configuration says that it has a form which this git doesn't know (`extensions`, `core.repositoryFormatVersion`)")
		e.Hint = "use a newer git, or mend the repository's `config`; `git status` says in a terminal what it is"
	case noRepository:
		e.because("it finds no repository")
		e.Type, e.Hint = TypeNoRepository, "make one with `git init`, or set `plan.store` to file or auto in .sectile.yaml"
		if s.options.Kind == Auto { // which has found something by its name
			e.Hint = "mend the repository, or take its `.git` away; or set `plan.store` to file in .sectile.yaml"
		}
	case dubiousOwner:
		e.because("the repository belongs to somebody else")
		e.Hint = "the repository belongs to somebody else; if you trust it, say so with `git config --global --add safe.directory FOLDER`"
	case missingObject:
		e.because("an object is missing or damaged")
		e.Hint = HintLost
	case damagedIndex:
		e.because("the index is damaged")
	case lockedFile:
		e.because("a file is locked")
	case fileInWay:
		e.because("a file or folder stands in the way of one that it writes")
		e.Hint = "run it in a terminal, in the project's folder, to see which one, and take that away"
	case refused, unknownFailure: // exitError has said it
	}
	return e
}
