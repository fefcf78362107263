//go:build !race

package jobs

// raceDetector reports whether the test detects races: then the programs must, too.
const raceDetector = false
