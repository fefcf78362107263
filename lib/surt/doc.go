// Package surt makes the keys of URLs that indexes of web archives are sorted by.
//
// A key is the URL without what does not matter for finding a capture, with the
// parts of its host in reversed order, so that the URLs of a domain stand together
// ("Sort-friendly URI Reordering Transform"):
//
//	http://www.Example.com:80/a/../B/?z=1&y=2#top    com,example)/b?y=2&z=1
//
// The keys are those of the Internet Archive's Python package surt 0.3.1 with its
// default canonicalizer, which pywb, cdxj-indexer and Common Crawl's index use:
// equal byte by byte where that one has an answer. Any bytes have a key, which is
// never empty and has no space, tab or line end.
//
// # Rules
//
// In this order:
//
//   - The key of nothing, or of white space alone, is "-". What begins with filedesc
//     (the first record of an ARC file) is its own key, with space, tab and line ends
//     escaped.
//   - White space at both ends goes, as do tabs and line ends inside.
//   - Without a scheme the URL is one of http. A host with a port and no scheme looks
//     like a scheme: the key of example.com:80/a is example.com:80/a. Of several
//     http:// and https:// at the begin the last one counts.
//   - Fragment and user information go. Of a URL of http… without host the first
//     segment of the path is the host: http:////host/a.
//   - Without host, as with dns:, mailto:, urn:, warcinfo: and data:, the key is the
//     scheme as it is written, ":", path and query, treated as below, but "//", "."
//     and ".." of the path stay. With one the scheme goes, whatever it is.
//   - Percent escapes are taken out until none is left, of host, path and query each.
//     What is a control, a space, "#", "%" or no ASCII then is escaped once. The
//     rest stays as it is, also "?" of a path and "&" of a query that were escapes.
//   - A host beyond ASCII becomes Punycode by IDNA 2003 (RFC 3490), bytes that are no
//     UTF-8 left out; one that is not allowed stays and is escaped. Each ".." becomes
//     a ".", dots at both ends go. A host of digits is the 32 bits of an IPv4
//     address; digits with dots are one as inet_aton(3) reads it: decimal, octal after
//     a 0, the last number filling what is left. Such addresses are reversed like
//     other hosts. IPv6 addresses lose their brackets and are not normalized.
//     One "www.", or with a number "www12.", goes.
//   - A port stays if it is none of 0, the 80 of http and the 443 of https.
//   - Of the path the segments ".", ".." with the one before, and empty ones go, and a
//     "/" at the end. A ".." at the root stays.
//   - All is in lower case.
//   - Session ids of ASP.NET go from the path: a segment (24 letters and digits), also
//     as (s(…)f(…)), before a name in .aspx. From the query go jsessionid=, phpsessid=
//     and sid= with 32 letters and digits, aspsessionidXXXXXXXX= with 24 letters, and
//     cfid=…&cftoken=…: of each kind the last, even in the middle of a name.
//   - The parameters of the query are sorted by name, then value, one without "=" first.
//     An empty query goes with its "?".
//
// # Where Python has no answer
//
//   - A port that is no number up to 65,535: Python raises ValueError. Here all of the
//     authority is the host then, as with jwarc: of http://mhtml:d.example/ it is
//     example,mhtml:d)/.
//   - White space alone: Python raises AttributeError.
//   - filedesc with white space: Python gives it as it is, which tears lines apart.
//
// The tools in Python decode a URL before they ask for its key. warcio takes one that
// is no UTF-8 for ISO-8859-1, so that the byte 0xE4 has the key %c3%a4 there. Here a
// URL is bytes, and the byte has the key %e4, as the escape %E4 has in both.
//
// In hosts, more than 30 combining marks in a row may come in another order, and
// letters that Unicode has got since that Python may differ in case.
//
// # Other tools
//
// Of 1,406 URLs of real archives, jwarc 0.36 gives 7 other keys, webarchive-commons
// 3.0.4 (OpenWayback, Heritrix) 105 and warcio.js 2.4 175. What each does otherwise:
//
//	                          here, Python         jwarc               webarchive-commons   warcio.js
//	dns:a.example             dns:a.example        as here             example,a)           as here
//	mailto:me@a.example       mailto:me@a.example  as here             example,a)/          as here
//	whois://, metadata://     host, path           as here             scheme)/host/path    the URL itself
//	file:///a                 file:/a              )/a                 file)/a              the URL itself
//	urn:, javascript:         scheme:rest          as here             an error             the URL itself
//	a.example (no scheme)     example,a)/          as here             as here              the URL itself
//	HTTP://a.example          example,a)/          as here             as here              the URL itself
//	http://https://a.example  example,a)/          https)/a.example    https)/a.example     https)//a.example
//	a...b                     b,,a                 b,,,a               b,a                  b,,,a
//	b%C3%BCcher.example       example,xn--bcher-…  example,b%c3%bc…    as here              as here
//	[2001:db8:0::1]           2001:db8:0::1        as here             as here              [2001:db8::1]
//	WWW.a.example             www. goes            as here             as here              stays
//	www.www.a.example         the first goes       as here             both go              as here
//	/a/                       /a                   as here             as here              /a/
//	/..                       /..                  /                   /..                  /
//	//a//b                    /a/b                 as here             as here              //a//b
//	(session ids)             go                   as here             as here              stay
//	#b behind a query or "?"  goes                 stays               as here              as here
//	%E4 (no UTF-8)            %e4                  %25e4               as here              as here
//	?a=%2F                    ?a=/                 as here             as here              ?a=%2f
//	?c15=&c1=2                ?c1=2&c15=           ?c15=&c1=2          as here              as here
//
// An index is to be searched with the tool that made its keys.
//
// # Requests with a body
//
// A capture of a POST request has the key of a URL that the request is a part of
// (AppendRequestURL), by option of indexers: as pywb makes it, which looks it up at
// replay. cdxj-indexer differs in JSON: it writes true as True, null as None and 1.0
// as 1.0 where pywb and warcio.js write true, null and 1, makes a query of JSON lines,
// and gives up on multipart bodies that are not strict. Bodies in AMF, which both
// decode, are taken here as any other bytes. JSON in UTF-16 and with NaN is none here.
package surt
