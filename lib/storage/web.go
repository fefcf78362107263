package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"time"
)

// web is an HTTP server that answers byte ranges (RFC 9110, section 14), as
// public data sets are served.
type web struct{}

var webClient = &http.Client{Transport: &http.Transport{
	Proxy:                 http.ProxyFromEnvironment,
	MaxIdleConnsPerHost:   8,
	IdleConnTimeout:       90 * time.Second,
	ResponseHeaderTimeout: time.Minute,
	// Ranges are counted in bytes of the file, never of a coding of it.
	DisableCompression: true,
}}

// webAttempts is how often a request is made before a passing fault of a
// server (429, 5xx, a broken connection) counts as an error.
const webAttempts = 4

var errStatus = errors.New("unexpected status")

type webFile struct {
	name string
	size int64
}

func (f *webFile) Size() int64  { return f.size }
func (f *webFile) Close() error { return nil }

func (f *webFile) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.size {
		return 0, io.EOF
	}
	want := p
	if int64(len(want)) > f.size-off {
		want = want[:f.size-off]
	}
	if len(want) == 0 {
		return 0, nil
	}
	n, err := 0, error(nil)
	for attempt := range webAttempts {
		if n, err = f.readRange(want, off); err == nil || errors.Is(err, errStatus) {
			break
		}
		if attempt < webAttempts-1 {
			time.Sleep(backoff(attempt))
		}
	}
	if err == nil && len(want) < len(p) {
		err = io.EOF
	}
	return n, err
}

func backoff(attempt int) time.Duration { return 200 * time.Millisecond << (2 * attempt) }

func (f *webFile) readRange(p []byte, off int64) (int, error) {
	req, err := http.NewRequest(http.MethodGet, f.name, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", off, off+int64(len(p))-1))
	resp, err := webClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusPartialContent:
		var from, to int64
		if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/", &from, &to); err != nil || from != off {
			return 0, fmt.Errorf("%s: the server answered another range than asked for: %w", f.name, errStatus)
		}
	case resp.StatusCode == http.StatusOK && off == 0 && int64(len(p)) == f.size:
	case resp.StatusCode == http.StatusOK:
		return 0, fmt.Errorf("%s: the server does not answer byte ranges: %w", f.name, errStatus)
	case passing(resp.StatusCode):
		return 0, fmt.Errorf("%s: %s", f.name, resp.Status)
	default:
		return 0, fmt.Errorf("%s: %s: %w", f.name, resp.Status, errStatus)
	}
	return io.ReadFull(resp.Body, p)
}

// passing says whether a status is worth another attempt.
func passing(status int) bool {
	return status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}

func (w web) open(name string) (Reader, error) {
	info, err := w.stat(name)
	if err != nil {
		return nil, err
	}
	return &webFile{name, info.Size}, nil
}

func (web) stat(name string) (Info, error) {
	var err error
	for attempt := range webAttempts {
		var resp *http.Response
		if resp, err = webClient.Head(name); err == nil {
			resp.Body.Close()
			switch {
			case resp.StatusCode == http.StatusOK && resp.ContentLength >= 0:
				modified, _ := http.ParseTime(resp.Header.Get("Last-Modified"))
				return Info{Path: name, Size: resp.ContentLength, ModTime: modified}, nil
			case resp.StatusCode == http.StatusOK:
				return Info{}, fmt.Errorf("%s: the server does not tell the file's size: %w", name, errStatus)
			case resp.StatusCode == http.StatusNotFound, resp.StatusCode == http.StatusGone:
				return Info{}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
			case !passing(resp.StatusCode):
				return Info{}, fmt.Errorf("%s: %s: %w", name, resp.Status, errStatus)
			}
			err = fmt.Errorf("%s: %s", name, resp.Status)
		}
		if attempt < webAttempts-1 {
			time.Sleep(backoff(attempt))
		}
	}
	return Info{}, err
}

func readOnly(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: errReadOnly} }

func (web) create(name string, _ mode) (Writer, error) { return nil, readOnly("create", name) }
func (web) rename(from, _ string) error                { return readOnly("rename", from) }
func (web) mkdirAll(dir string) error                  { return readOnly("mkdir", dir) }
func (web) removeAll(name string) error                { return readOnly("remove", name) }
func (web) sync(name string) error                     { return readOnly("sync", name) }
func (web) list(dir string) ([]Info, error) {
	return nil, &fs.PathError{Op: "list", Path: dir, Err: errors.New("a web server's folders cannot be listed")}
}
