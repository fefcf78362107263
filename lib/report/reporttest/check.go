package reporttest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
)

// Check opens a page at the width of a phone and of a desktop, light and dark, and
// fails the test where it asks for anything else than itself, complains, is wider
// than the window, or has letters that are hard to read: too small, too faint, one
// over the other or outside their plot. Pictures of what was seen are the test's
// artifacts (go test -artifacts).
func Check(t *testing.T, file string) {
	b := start(t)
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	background := map[string]string{}
	for _, width := range []int{360, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			name := fmt.Sprintf("%s-%d-%s", filepath.Base(file), width, scheme)
			b.view(width, scheme)
			b.load("file://" + file)
			var seen struct {
				Width      int
				Background string
				Faults     []string
			}
			b.evaluate(look, &seen)
			if seen.Width > width {
				t.Errorf("%s: the page is %d pixels wide", name, seen.Width)
			}
			for _, f := range seen.Faults {
				t.Errorf("%s: %s", name, f)
			}
			b.complain(name, "file://"+file)
			background[scheme] = seen.Background
			b.picture(filepath.Join(t.ArtifactDir(), name+".png"))
		}
	}
	if background["light"] == background["dark"] {
		t.Errorf("the background is %s, light and dark", background["light"])
	}
}

// complain reports what the page has asked for and what the browser has said of it.
func (b *browser) complain(name, url string) {
	for _, m := range b.events {
		var p struct {
			Request struct{ URL string }
			Entry   struct{ Level, Text string }
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			b.t.Fatal(err)
		}
		switch m.Method {
		case "Network.requestWillBeSent":
			if p.Request.URL != url && p.Request.URL != "data:," {
				b.t.Errorf("%s: the page asks for %s", name, p.Request.URL)
			}
		case "Log.entryAdded":
			b.t.Errorf("%s: %s: %s", name, p.Entry.Level, p.Entry.Text)
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown":
			b.t.Errorf("%s: a script has run: %s", name, m.Params)
		}
	}
}

// look runs in the page. Contrast is that of WCAG 2.1, of which 4.5 is wanted.
const look = `() => {
	const faults = [];
	const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
	const rgba = colour => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = colour;
		canvas.fillRect(0, 0, 1, 1);
		const d = canvas.getImageData(0, 0, 1, 1).data;
		return [d[0], d[1], d[2], d[3] / 255];
	};
	const behind = e => {
		const layers = [];
		for (; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
		return layers.reverse().reduce((under, c) => c.slice(0, 3).map((v, i) => v * c[3] + under[i] * (1 - c[3])), [255, 255, 255]);
	};
	const luminance = c => c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const readable = (e, colour) => {
		const [a, b] = [luminance(rgba(colour)), luminance(behind(e))].sort((x, y) => y - x);
		const contrast = (a + 0.05) / (b + 0.05);
		if (contrast < 4.5) faults.push('contrast of ' + e.textContent.slice(0, 30) + ': ' + contrast.toFixed(2));
	};
	for (const d of document.querySelectorAll('details')) d.open = true;
	for (const e of document.querySelectorAll('h1, h2, p, dt, dd, th, td, caption, figcaption, li, summary')) readable(e, getComputedStyle(e).color);
	for (const svg of document.querySelectorAll('svg')) {
		const box = svg.getBoundingClientRect();
		const title = svg.querySelector('title').textContent;
		for (const id of svg.getAttribute('aria-labelledby').split(' '))
			if (!document.getElementById(id).textContent.trim()) faults.push(title + ': nothing for screen readers');
		const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent);
		const boxes = texts.map(t => t.getBoundingClientRect());
		texts.forEach((t, i) => {
			const b = boxes[i], name = title + ': "' + t.textContent + '"';
			readable(t.parentElement.closest('figure'), getComputedStyle(t).fill);
			if (b.height < 10) faults.push(name + ' is ' + b.height.toFixed(1) + ' pixels high');
			if (b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1) faults.push(name + ' is outside of the plot');
			for (let j = 0; j < i; j++) {
				const o = boxes[j];
				if (b.left < o.right && o.left < b.right && b.top + 2 < o.bottom && o.top + 2 < b.bottom) faults.push(name + ' lies over "' + texts[j].textContent + '"');
			}
		});
	}
	const style = getComputedStyle(document.body);
	for (const d of document.querySelectorAll('details')) d.open = false;
	return {Width: document.documentElement.scrollWidth, Background: style.backgroundColor, Faults: faults};
}`
