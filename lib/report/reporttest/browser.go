// Package reporttest checks pages of package report in a real browser: a headless
// Chromium that the environment variable ARCHIVESTREAM_CHROMIUM names.
package reporttest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A browser is a Chromium that is told what to do through its DevTools protocol, on
// two pipes: messages in JSON, each behind by a zero byte.
type browser struct {
	t       testing.TB
	to      *os.File
	from    *bufio.Reader
	session string
	id      int
	events  []message // that have come since the last load
}

type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     json.RawMessage `json:"error,omitempty"`
}

// start starts the browser with an empty page, and ends it with the test. Without
// one the test is skipped.
func start(t testing.TB) *browser {
	program := os.Getenv("ARCHIVESTREAM_CHROMIUM")
	if program == "" {
		t.Skip("ARCHIVESTREAM_CHROMIUM names no Chromium to look at pages with")
	}
	ours, theirs := pipe(t), pipe(t)
	command := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	command.ExtraFiles = []*os.File{ours.r, theirs.w} // 3: what it reads, 4: what it writes
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_ = ours.r.Close()
	_ = theirs.w.Close()
	deadline := time.AfterFunc(2*time.Minute, func() { _ = command.Process.Kill() })
	b := &browser{t: t, to: ours.w, from: bufio.NewReaderSize(theirs.r, 1<<20)}
	t.Cleanup(func() {
		b.ask("Browser.close", nil, nil)
		_ = command.Wait()
		deadline.Stop()
	})
	var target struct{ TargetID string }
	b.ask("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.ask("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Network", "Log", "Runtime"} {
		b.ask(domain+".enable", nil, nil)
	}
	return b
}

type ends struct{ r, w *os.File }

func pipe(t testing.TB) ends {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = r.Close()
		_ = w.Close()
	})
	return ends{r, w}
}

// ask sends a command and waits for its answer.
func (b *browser) ask(method string, params map[string]any, result any) {
	b.t.Helper()
	b.id++
	raw, err := json.Marshal(params)
	if err != nil {
		b.t.Fatal(err)
	}
	session := b.session
	if method == "Browser.close" {
		session = ""
	}
	request, err := json.Marshal(message{ID: b.id, SessionID: session, Method: method, Params: raw})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(request, 0)); err != nil {
		b.t.Fatal("the browser has ended: ", err)
	}
	for {
		m := b.next()
		if m.ID != b.id {
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// next reads a message and keeps it if it is an event.
func (b *browser) next() message {
	b.t.Helper()
	raw, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatal("the browser has ended: ", err)
	}
	var m message
	if err := json.Unmarshal(raw[:len(raw)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	if m.Method != "" {
		b.events = append(b.events, m)
	}
	return m
}

// load opens a page and waits until it is complete.
func (b *browser) load(url string) {
	b.t.Helper()
	b.events = nil
	b.ask("Page.navigate", map[string]any{"url": url}, nil)
	for {
		for _, m := range b.events {
			if m.Method == "Page.loadEventFired" {
				return
			}
		}
		b.next()
	}
}

// view sets the size of the window in pixels and the colour scheme.
func (b *browser) view(width int, scheme string) {
	b.t.Helper()
	b.ask("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600,
	}, nil)
	b.ask("Emulation.setEmulatedMedia", map[string]any{
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}},
	}, nil)
}

// evaluate runs a function in the page and takes what it returns.
func (b *browser) evaluate(function string, result any) {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.ask("Runtime.evaluate", map[string]any{"expression": fmt.Sprintf("(%s)()", function), "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.t.Fatalf("in the page: %s", answer.ExceptionDetails)
	}
	if err := json.Unmarshal(answer.Result.Value, result); err != nil {
		b.t.Fatal(err)
	}
}

// picture takes a picture of the whole page into a file (PNG).
func (b *browser) picture(name string) {
	b.t.Helper()
	var shot struct{ Data []byte }
	b.ask("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &shot)
	if err := os.WriteFile(name, shot.Data, 0o666); err != nil {
		b.t.Fatal(err)
	}
}
