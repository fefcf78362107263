package mementomap

import (
	"bytes"

	"archivestream/lib/stage"
)

// Lookup is the stage that looks URIs up in a map, one a line; with keys SURTs.
func Lookup(t *stage.Task, name string, keys bool) error {
	if name == "" {
		return stage.Usage("--map is missing")
	}
	m, err := Open(name)
	if err != nil {
		return err
	}
	defer m.Close()
	find := m.FindURI
	if keys {
		find = m.FindSURT
	}
	var present, absent, excluded int64
	none := []byte{'-'}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if line = bytes.TrimSuffix(line, []byte{'\r'}); len(line) == 0 {
			continue
		}
		match, found, err := find(line)
		if err != nil {
			return err
		}
		key, value := none, none
		switch {
		case !found:
			absent++
		case match.Frequency.Present():
			present++
			key, value = match.Key, match.Value
		default:
			excluded++
			key, value = match.Key, match.Value
		}
		if err := t.Emit(line, key, value); err != nil {
			return err
		}
	}
	t.Count("present", present)
	t.Count("absent", absent)
	t.Count("excluded", excluded)
	return nil
}
