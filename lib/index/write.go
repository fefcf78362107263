package index

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"archivestream/lib/cctable"
	"archivestream/lib/cdx"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/zipnum"
)

// WriteOptions say what Write makes.
type WriteOptions struct {
	Layout cdx.Layout // of the lines
	Lines  bool       // a text file of the lines
	Ranged bool       // a word of AssignRanges stands in front of each line
	Alone  bool       // there is one range: its text file is the index
	ZipNum bool
	Table  *cctable.Options // nil: no Parquet
	Crawl  string           // partitions of the table
	Subset string
}

// Write is the reducer that writes a range of sorted index lines: as text, as
// ZipNum shard and as part of a Parquet table. Lines that are the same byte for
// byte are one capture, read twice. It makes, NNNNN being the task's number,
//
//   - index.cdxj or index.cdx, if alone; _index/part-NNNNN otherwise, to be put
//     one behind the other;
//   - zipnum/cdx-NNNNN.gz and, for cluster.idx, _cluster/part-NNNNN.idx;
//   - table/crawl=CRAWL/subset=SUBSET/part-NNNNN.CODEC.parquet.
func Write(t *stage.Task, o WriteOptions) error {
	var w *files
	var last []byte
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, "\t") // hadoop-streaming ends a key without value in one
		if o.Ranged {
			_, rest, found := bytes.Cut(line, []byte("\t"))
			if !found {
				return fmt.Errorf("no range in front of %q", line)
			}
			line = rest
		}
		if isHeader(line) {
			continue
		}
		if bytes.Equal(line, last) {
			t.Count("duplicates", 1)
			continue
		}
		if w == nil {
			// A task without lines makes no files: on Hadoop it may not even run.
			if w, err = openFiles(t, o); err != nil {
				return err
			}
		}
		last = append(last[:0], line...)
		if err := w.put(line); err != nil {
			return err
		}
		t.Count("captures", 1)
	}
	if w == nil {
		return nil
	}
	return w.close()
}

// files are what the lines of a range are written into.
type files struct {
	task    *stage.Task
	open    []storage.Writer
	text    *bufio.Writer
	shard   *zipnum.Writer
	table   *cctable.Writer
	form    cdx.Form
	capture cdx.Capture
}

func openFiles(t *stage.Task, o WriteOptions) (*files, error) {
	w := &files{task: t, form: o.Layout.Form()}
	if o.Lines {
		name := fmt.Sprintf("_index/part-%05d", t.Partition())
		if o.Alone {
			name = "index" + o.Layout.Extension()
		}
		f, err := w.create(name)
		if err != nil {
			return nil, err
		}
		w.text = bufio.NewWriterSize(f, 256<<10)
		if header := o.Layout.HeaderLine(); header != "" && t.Partition() == 0 {
			w.text.WriteString(header + "\n")
		}
	}
	if o.ZipNum {
		name := zipnum.ShardName(t.Partition())
		shard, err := w.create("zipnum/" + name)
		if err != nil {
			return nil, err
		}
		blocks, err := w.create(fmt.Sprintf("_cluster/part-%05d.idx", t.Partition()))
		if err != nil {
			return nil, err
		}
		if w.shard, err = zipnum.NewWriter(shard, blocks, name, zipnum.WriterOptions{}); err != nil {
			return nil, err
		}
	}
	if o.Table != nil {
		f, err := w.create(fmt.Sprintf("table/crawl=%s/subset=%s/part-%05d.%s.parquet", o.Crawl, o.Subset, t.Partition(), o.Table.Compression))
		if err != nil {
			return nil, err
		}
		if w.table, err = cctable.NewWriter(f, *o.Table); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *files) create(name string) (io.Writer, error) {
	f, err := w.task.Create(name)
	if err == nil {
		w.open = append(w.open, f)
	}
	return f, err
}

func (w *files) put(line []byte) error {
	if w.text != nil {
		w.text.Write(line)
		if err := w.text.WriteByte('\n'); err != nil {
			return err
		}
	}
	if w.shard != nil {
		if err := w.shard.WriteLine(line); err != nil {
			return err
		}
	}
	if w.table == nil {
		return nil
	}
	if err := w.form.Parse(line, &w.capture); err != nil {
		return w.task.Reject(err.Error(), line)
	}
	switch err := w.table.Write(&w.capture); {
	case errors.Is(err, cctable.ErrNoRow):
		w.task.Count("without a row", 1)
	case errors.Is(err, cctable.ErrCapture):
		return w.task.Reject(err.Error(), line)
	case err != nil:
		return err
	}
	return nil
}

func (w *files) close() error {
	if w.table != nil {
		if err := w.table.Close(); err != nil {
			return err
		}
	}
	if w.shard != nil {
		if err := w.shard.Close(); err != nil {
			return err
		}
	}
	if w.text != nil {
		if err := w.text.Flush(); err != nil {
			return err
		}
	}
	for _, f := range w.open {
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// NumberBlocks is the reducer that makes cluster.idx and cluster.loc (package
// zipnum) of the index lines of all shards.
func NumberBlocks(t *stage.Task) error {
	index, err := t.Create("cluster.idx")
	if err != nil {
		return err
	}
	locations, err := t.Create("cluster.loc")
	if err != nil {
		return err
	}
	n, err := zipnum.MergeIndexes(index, locations, t.Lines())
	if err != nil {
		return err
	}
	t.Count("blocks", n)
	if err := locations.Close(); err != nil {
		return err
	}
	return index.Close()
}
