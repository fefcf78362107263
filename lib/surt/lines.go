package surt

import "archivestream/lib/stage"

// CanonicalizeURLs is the stage canonicalize-urls: it writes each line of its input
// behind its key.
func CanonicalizeURLs(t *stage.Task) error {
	var key []byte
	for url, err := range t.Lines() {
		if err != nil {
			return err
		}
		key = Append(key[:0], url)
		if err := t.Emit(key, url); err != nil {
			return err
		}
	}
	return nil
}
