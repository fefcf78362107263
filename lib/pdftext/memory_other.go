//go:build !linux

package pdftext

func limitMemory() {}
