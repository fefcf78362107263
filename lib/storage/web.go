package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync/atomic"
	"time"
)

// web is an HTTP server that answers byte ranges (RFC 9110, section 14), as
// public data sets are served.
type web struct{}

var webClient = &http.Client{Transport: &http.Transport{
	Proxy:               http.ProxyFromEnvironment,
	MaxIdleConnsPerHost: 8,
	IdleConnTimeout:     90 * time.Second,
	// Ranges are counted in bytes of the file, never of a coding of it.
	DisableCompression: true,
}}

// webAttempts is how often a request is made before a passing fault of a
// server (429, 5xx, a broken connection) counts as an error.
const webAttempts = 4

// webSilence is how long a server may send nothing until a request counts as
// failed.
var webSilence = time.Minute

var errStatus = errors.New("unexpected status")

type webFile struct {
	name string
	size int64
	// down says that the last range was not to be had in all attempts. Of the next
	// ones one is made, until one succeeds: a server that is out of order does not
	// cost seconds for each record.
	down atomic.Bool
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
	attempts := webAttempts
	if f.down.Load() {
		attempts = 1
	}
	n, err := 0, error(nil)
	for attempt := range attempts {
		if n, err = f.readRange(want, off); err == nil || errors.Is(err, errStatus) {
			break
		}
		if attempt < attempts-1 {
			time.Sleep(backoff(attempt))
		}
	}
	f.down.Store(err != nil && !errors.Is(err, errStatus))
	if err == nil && len(want) < len(p) {
		err = io.EOF
	}
	return n, err
}

func backoff(attempt int) time.Duration { return 200 * time.Millisecond << (2 * attempt) }

func (f *webFile) readRange(p []byte, off int64) (int, error) {
	resp, err := ask(http.MethodGet, f.name, fmt.Sprintf("bytes=%d-%d", off, off+int64(len(p))-1))
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

// ask makes a request, of a range unless that is empty. It fails, and so does reading
// the answer, when the server is silent for too long.
func ask(method, name, byteRange string) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	silence := time.AfterFunc(webSilence, func() {
		cancel(fmt.Errorf("%s: the server has sent nothing for %v", name, webSilence))
	})
	req, err := http.NewRequestWithContext(ctx, method, name, nil)
	if err != nil {
		silence.Stop()
		cancel(nil)
		return nil, err
	}
	if byteRange != "" {
		req.Header.Set("Range", byteRange)
	}
	body := &answer{ctx: ctx, cancel: cancel, silence: silence}
	resp, err := webClient.Do(req)
	if err != nil {
		err = body.cause(err)
		body.end()
		return nil, err
	}
	silence.Reset(webSilence)
	body.ReadCloser, resp.Body = resp.Body, body
	return resp, nil
}

// An answer is the body of one, read under the watch of a timer.
type answer struct {
	io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	silence *time.Timer
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if n > 0 {
		a.silence.Reset(webSilence)
	}
	if err != nil && err != io.EOF {
		err = a.cause(err)
	}
	return n, err
}

func (a *answer) Close() error {
	err := a.ReadCloser.Close()
	a.end()
	return err
}

func (a *answer) end() {
	a.silence.Stop()
	a.cancel(nil)
}

// cause is why a request was given up, or else the error.
func (a *answer) cause(err error) error {
	if a.ctx.Err() != nil {
		return context.Cause(a.ctx)
	}
	return err
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
	return &webFile{name: name, size: info.Size}, nil
}

func (web) stat(name string) (Info, error) {
	var err error
	for attempt := range webAttempts {
		var resp *http.Response
		if resp, err = ask(http.MethodHead, name, ""); err == nil {
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
