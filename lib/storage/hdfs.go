package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/user"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/colinmarc/hdfs/v2"
	"github.com/colinmarc/hdfs/v2/hadoopconf"
	krb "github.com/jcmturner/gokrb5/v8/client"
	krbconfig "github.com/jcmturner/gokrb5/v8/config"
	"github.com/jcmturner/gokrb5/v8/credentials"
)

// hadoop is HDFS, one connection per name node, kept for the process's life.
type hadoop struct{}

var clients struct {
	sync.Mutex
	byHost map[string]*hdfs.Client
}

// split takes hdfs://host:port/path apart and connects to the host.
func (hadoop) split(name string) (client *hdfs.Client, prefix, file string, err error) {
	rest := strings.TrimPrefix(name, "hdfs://")
	host, file := rest, "/"
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		host, file = rest[:i], path.Clean(rest[i:])
	}
	client, err = connect(host)
	if err != nil {
		return nil, "", "", fmt.Errorf("%s: %w", name, err)
	}
	return client, "hdfs://" + host, file, nil
}

// connect gives the client for a name node ("" for the configured one).
func connect(host string) (*hdfs.Client, error) {
	clients.Lock()
	defer clients.Unlock()
	if c := clients.byHost[host]; c != nil {
		return c, nil
	}
	options, err := clientOptions(host)
	if err != nil {
		return nil, err
	}
	c, err := hdfs.NewClient(options)
	if err != nil {
		return nil, err
	}
	if clients.byHost == nil {
		clients.byHost = map[string]*hdfs.Client{}
	}
	clients.byHost[host] = c
	return c, nil
}

func clientOptions(host string) (hdfs.ClientOptions, error) {
	conf, err := hadoopconf.LoadFromEnvironment()
	if err != nil {
		return hdfs.ClientOptions{}, fmt.Errorf("hadoop configuration: %w", err)
	}
	options := hdfs.ClientOptionsFromConf(conf)
	// A logical name service (high availability) has its name nodes in the
	// configuration; a host with a port is a name node itself.
	if strings.Contains(host, ":") {
		options.Addresses = []string{host}
	}
	if len(options.Addresses) == 0 {
		// In a streaming task the configuration is in the environment.
		if u, err := url.Parse(os.Getenv("fs_defaultFS")); err == nil && u.Host != "" {
			options.Addresses = []string{u.Host}
		}
	}
	if len(options.Addresses) == 0 {
		return options, errors.New("no name node is known: set HADOOP_CONF_DIR, or give hdfs://host:port/path")
	}
	if options.KerberosClient != nil {
		options.KerberosClient, err = kerberosClient()
		return options, err
	}
	options.User = hadoopUser()
	return options, nil
}

// hadoopUser is who the job runs for: a streaming task's process belongs to the
// NodeManager's user, and only the environment knows the job's.
func hadoopUser() string {
	for _, v := range []string{"HADOOP_USER_NAME", "USER"} {
		if name := os.Getenv(v); name != "" {
			return name
		}
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "hadoop"
}

// kerberosClient takes the ticket cache where MIT Kerberos keeps it.
func kerberosClient() (*krb.Client, error) {
	file := os.Getenv("KRB5_CONFIG")
	if file == "" {
		file = "/etc/krb5.conf"
	}
	config, err := krbconfig.Load(file)
	if err != nil {
		return nil, fmt.Errorf("kerberos configuration: %w", err)
	}
	cache := strings.TrimPrefix(os.Getenv("KRB5CCNAME"), "FILE:")
	if cache == "" {
		cache = fmt.Sprintf("/tmp/krb5cc_%d", os.Getuid())
	}
	ccache, err := credentials.LoadCCache(cache)
	if err != nil {
		return nil, fmt.Errorf("kerberos ticket cache %s: %w", cache, err)
	}
	return krb.NewFromCCache(ccache, config)
}

// hdfsFile makes the library's reader, which keeps one position, safe for
// several callers.
type hdfsFile struct {
	mu   sync.Mutex
	file *hdfs.FileReader
}

func (f *hdfsFile) ReadAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if off >= f.file.Stat().Size() {
		return f.file.ReadAt(nil, f.file.Stat().Size()) // io.EOF for a read behind the end
	}
	return f.file.ReadAt(p, off)
}

func (f *hdfsFile) Size() int64  { return f.file.Stat().Size() }
func (f *hdfsFile) Close() error { return f.file.Close() }

func (h hadoop) open(name string) (Reader, error) {
	c, _, file, err := h.split(name)
	if err != nil {
		return nil, err
	}
	f, err := c.Open(file)
	if err != nil {
		return nil, err
	}
	if f.Stat().IsDir() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: errIsFolder}
	}
	return &hdfsFile{file: f}, nil
}

// hdfsWriter writes under a temporary name, as localWriter does.
type hdfsWriter struct {
	*hdfs.FileWriter
	client     *hdfs.Client
	part, name string
	done       bool
}

func (h hadoop) create(name string, how mode) (Writer, error) {
	c, _, file, err := h.split(name)
	if err != nil {
		return nil, err
	}
	if err := c.MkdirAll(path.Dir(file), 0o777); err != nil {
		return nil, err
	}
	part := file
	if how != direct {
		part = fmt.Sprintf("%s/.%s.%d.%d.part", path.Dir(file), path.Base(file), os.Getpid(), time.Now().UnixNano())
	}
	w, err := c.Create(part)
	if err != nil {
		return nil, err
	}
	return &hdfsWriter{FileWriter: w, client: c, part: part, name: file}, nil
}

func (w *hdfsWriter) Close() error {
	if w.done {
		return nil
	}
	w.done = true
	err := closeReplicated(w.FileWriter)
	if err == nil && w.part != w.name {
		err = w.client.Rename(w.part, w.name)
	}
	if err != nil {
		w.client.Remove(w.part)
	}
	return err
}

func (w *hdfsWriter) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	w.FileWriter.Close()
	return w.client.Remove(w.part)
}

// closeReplicated closes a file as the Java client does: the name node answers
// "not yet" until the last block has its replicas.
func closeReplicated(w *hdfs.FileWriter) error {
	err := w.Close()
	for wait := 20 * time.Millisecond; hdfs.IsErrReplicating(err) && wait < time.Minute; wait *= 2 {
		time.Sleep(wait)
		err = w.Close()
	}
	return err
}

func (h hadoop) stat(name string) (Info, error) {
	c, _, file, err := h.split(name)
	if err != nil {
		return Info{}, err
	}
	st, err := c.Stat(file)
	if err != nil {
		return Info{}, err
	}
	return localInfo(name, st), nil
}

func (h hadoop) list(dir string) ([]Info, error) {
	c, prefix, file, err := h.split(dir)
	if err != nil {
		return nil, err
	}
	entries, err := c.ReadDir(file)
	if err != nil {
		return nil, err
	}
	infos := make([]Info, 0, len(entries))
	for _, e := range entries {
		infos = append(infos, localInfo(prefix+path.Join(file, e.Name()), e))
	}
	return infos, nil
}

func (h hadoop) rename(from, to string) error {
	c, _, source, err := h.split(from)
	if err != nil {
		return err
	}
	_, _, target, err := h.split(to)
	if err != nil {
		return err
	}
	return c.Rename(source, target)
}

func (h hadoop) mkdirAll(dir string) error {
	c, _, file, err := h.split(dir)
	if err != nil {
		return err
	}
	return c.MkdirAll(file, 0o777)
}

func (hadoop) sync(string) error { return nil }

func (h hadoop) removeAll(name string) error {
	c, _, file, err := h.split(name)
	if err != nil {
		return err
	}
	if file == "/" {
		return &fs.PathError{Op: "remove", Path: name, Err: errors.New("is the root folder")}
	}
	err = c.RemoveAll(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
