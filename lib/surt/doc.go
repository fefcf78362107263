// Package surt makes the keys of URLs that indexes of web archives are sorted by.
package surt
