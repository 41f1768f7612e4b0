// Package walking is what walks of folders leave out: what ignore files name, which it finds and reads,
// and hidden folders. What these files say is package ignore's.
package walking
