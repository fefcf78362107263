package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// crawl lets wget crawl the site in two years, and once more for revisit records,
// whose block digests wget gets wrong (those of an empty block): these go to the
// odd files. CDX files are those that wget writes with its archives.
//
// wget reaches the site through a proxy on the loopback interface, so that hosts
// have names that nobody needs to resolve.
func crawl(dir string) error {
	work, err := os.MkdirTemp("", "make-testdata-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, c := range []struct {
		name    string
		year    int
		options []string
		folder  string
	}{
		{"crawl-2020", 2020, []string{"--level=5"}, "archives"},
		{"crawl-2021", 2021, []string{"--level=5"}, "archives"},
		{"wget-revisits", 2021, []string{"--level=1", "--warc-dedup=crawl-2021.cdx"}, "odd"},
	} {
		if err := runWget(work, c.name, c.year, c.options); err != nil {
			return err
		}
		if err := copyFile(filepath.Join(dir, c.folder), work, c.name+".warc.gz"); err != nil {
			return err
		}
		if c.folder == "archives" {
			if err := copyFile(dir, work, c.name+".cdx"); err != nil {
				return err
			}
		}
		time.Sleep(2 * time.Second) // captures of a URL differ in their seconds
	}
	return nil
}

func copyFile(to, from, name string) error {
	content, err := os.ReadFile(filepath.Join(from, name))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, name), content, 0o666)
}

// runWget crawls the site of a year into the folder.
func runWget(dir, name string, year int, options []string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: siteHandler(site(year)), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	defer server.Close()
	args := append(options,
		"--warc-file="+name, "--warc-cdx", "--warc-header=description: made for tests out of pages of our own",
		"--quiet", "--execute", "use_proxy=on", "--execute", "http_proxy="+listener.Addr().String(),
		"--recursive", "--page-requisites", "--span-hosts", "--domains="+gardenHost+","+libraryHost,
		"--delete-after", "--no-directories", "--tries=1", "http://"+gardenHost+"/")
	cmd := exec.Command("wget", args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	// 8: some answers were errors, as they are meant to be.
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 8 {
		return fmt.Errorf("wget: %w", err)
	}
	return nil
}

// siteHandler serves the pages to whoever takes it for a proxy.
func siteHandler(pages []page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, p := range pages {
			if p.host != r.Host || p.target != r.URL.RequestURI() {
				continue
			}
			for _, f := range p.header() {
				w.Header().Set(f[0], f[1])
			}
			w.WriteHeader(p.status)
			for rest := p.body; len(rest) > 0; {
				n := len(rest)
				if p.chunked {
					n = min(n, chunk)
				}
				w.Write(rest[:n])
				rest = rest[n:]
				if p.chunked {
					w.(http.Flusher).Flush()
				}
			}
			return
		}
		http.NotFound(w, r)
	})
}
