// Package warc reads and writes ARC and WARC files.
//
// # What is read
//
// ARC version 1 and 2 (ARC file format, Internet Archive, 1996) and WARC 0.16 to
// 1.1 (ISO 28500:2009 and 2017), each of them compressed with one gzip member
// for a record, with one member for the whole file, not compressed, or mixed;
// whatever the file's name says. A Reader goes through a file, a RandomReader
// takes single records by their offsets.
//
// Every record comes with its offset, the length that it or its gzip member
// takes in the file, its header as written and as parsed, and its block. The
// header of an ARC record is also given as the fields of the WARC record that
// it would become, so that callers need not ask for the format.
//
// Taken as they come, since crawlers have written them: line feeds without
// carriage returns; folded header values; header bytes that are Latin-1;
// WARC-Target-URI in angle brackets; the version line in small letters; ARC
// lines with spaces in URL or content type, without a content type, with dates
// of 10 to 18 digits or with text behind them, with a result code and the
// further fields of version 2 in a file of version 1 and the reverse, with address
// and date exchanged, or without an address; ARC files without a filedesc record; empty gzip members; extra gzip header fields; more
// blank lines than the formats want.
//
// # Damage costs the damaged record only
//
// A Defect says what is wrong, at which offset, and whether a record is lost by
// it. Faults of a record that can still be read are in its Defects; what no
// record can be read from comes from Next in place of one, and the one after it
// is given next. Only an error of the file itself, such as of a broken disk,
// ends the reading.
//
//   - A gzip member that inflates to at most 8 MiB is verified before a record
//     of it is given out. If its checksum is wrong, a record that is alone in it
//     is lost; of several each is given out as damaged, since any may be. A
//     larger member is inflated while its records are read: what is wrong with
//     it is the error of the block's last read, and a Defect behind it.
//   - Behind a member that cannot be inflated the next one is looked for from
//     its second byte on, since damaged data can be inflated far into what
//     follows: a gzip header whose data begin with a version line of WARC or an
//     ARC line. Behind a wrong checksum the member's own end is tried first.
//     Records that are not compressed are found at line starts and in the format
//     of those before, so one right behind a damaged member is not.
//   - A record that is not compressed is given out when blank lines and another
//     record, or the file's end, are where its length says; otherwise the next
//     record is looked for at line starts, and the block ends there. The same
//     holds within gzip members; in one of more than 8 MiB a record longer than
//     that is taken at its word. A length that a header only claims never makes
//     anything be allocated.
//   - The last record of a file that is not compressed keeps its header's length if
//     that is not more than is there and no record follows: what follows the block then
//     belongs to none, as a defect says, since nothing tells whether the header is wrong.
//   - The block of a record is what is there, not what its header says of its length,
//     in all of this project: what index lists is what enrich derives from, what derive
//     takes, and what extract copies, as it lies there. A Reader, RecordAt and BlockOf
//     find the same end; a defect of kind BadLength names both lengths. A RandomReader,
//     which goes by the header, notices where that leads to no end. (warcio cuts such
//     a block or reads into the next record, and tells on standard error; FastWARC stops.)
//   - A record whose header has line ends of CR alone is lost, which a defect tells;
//     the one after it is found. More than 64 KiB of line ends between records are a
//     defect, though nothing is lost by them.
//   - A record that goes on in another gzip member, as in files compressed by
//     bgzip, is not put together: its length counts as wrong.
//   - What the end of the file cuts off is given out as far as it goes; Damaged
//     then says true.
//
// # What is written
//
// A Writer writes records, a RollingWriter files of limited size that begin with
// the header record of their format; both leave nothing to the clock or to
// chance: record ids are derived from content (RFC 9562, UUID version 5). A
// Converter turns records of one format into records of the other.
package warc
