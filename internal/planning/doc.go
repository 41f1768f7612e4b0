// Package planning answers requests about plans: it reads and changes them, renders them for
// tools, terminals and pages, and says what to do next.
package planning
