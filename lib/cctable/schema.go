package cctable

import "github.com/parquet-go/parquet-go"

// schemaRow declares the columns. Columns of few values are encoded with a
// dictionary; in the others every value is written as it is.
type schemaRow struct {
	SURTKey          string `parquet:"url_surtkey,plain"`
	URL              string `parquet:"url,plain"`
	HostName         string `parquet:"url_host_name,dict"`
	HostTLD          string `parquet:"url_host_tld,dict,optional"`
	Host2nd          string `parquet:"url_host_2nd_last_part,dict,optional"`
	Host3rd          string `parquet:"url_host_3rd_last_part,dict,optional"`
	Host4th          string `parquet:"url_host_4th_last_part,dict,optional"`
	Host5th          string `parquet:"url_host_5th_last_part,dict,optional"`
	RegistrySuffix   string `parquet:"url_host_registry_suffix,dict,optional"`
	RegisteredDomain string `parquet:"url_host_registered_domain,dict,optional"`
	PrivateSuffix    string `parquet:"url_host_private_suffix,dict,optional"`
	PrivateDomain    string `parquet:"url_host_private_domain,dict,optional"`
	HostReversed     string `parquet:"url_host_name_reversed,dict,optional"`
	Protocol         string `parquet:"url_protocol,dict"`
	Port             int32  `parquet:"url_port,dict,optional"`
	Path             string `parquet:"url_path,plain"`
	Query            string `parquet:"url_query,plain,optional"`
	FetchTime        int64  `parquet:"fetch_time,plain,timestamp(millisecond)"`
	FetchStatus      int16  `parquet:"fetch_status,dict"`
	Redirect         string `parquet:"fetch_redirect,plain,optional"`
	Digest           string `parquet:"content_digest,plain,optional"`
	MimeType         string `parquet:"content_mime_type,dict,optional"`
	MimeDetected     string `parquet:"content_mime_detected,dict,optional"`
	Charset          string `parquet:"content_charset,dict,optional"`
	Languages        string `parquet:"content_languages,dict,optional"`
	Truncated        string `parquet:"content_truncated,dict,optional"`
	Filename         string `parquet:"warc_filename,dict"`
	Offset           int64  `parquet:"warc_record_offset,plain"`
	Length           int64  `parquet:"warc_record_length,plain"`
	Segment          string `parquet:"warc_segment,dict"`
}

// metaRow has the columns that follow with Options.Meta.
type metaRow struct {
	schemaRow
	PUID    string  `parquet:"content_puid,dict,optional"`
	Soft404 float64 `parquet:"content_soft404,plain,optional"`
}

// Places of columns in the schema that the writer names.
const (
	columnHostName = 2
	columnProtocol = 13 // the first one behind those of the host
	columnCount    = 30
	metaColumns    = 2 // that Options.Meta adds
)

var (
	schema     = parquet.NewSchema("captures", parquet.SchemaOf(schemaRow{}))
	metaSchema = parquet.NewSchema("captures", parquet.SchemaOf(metaRow{}))
)
